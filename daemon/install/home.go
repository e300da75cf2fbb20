package install

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// home is the step that makes the guard's folder. The guard itself refuses one
// that others can enter.
func (i *Installation) home() Step {
	path := i.at(HomePath)
	s := Step{
		Name:     fmt.Sprintf("folder %s, %s:%s 0700", path, i.o.User, i.o.User),
		Commands: []string{fmt.Sprintf("install -d -o %s -g %s -m 0700 %s", i.o.User, i.o.User, path)},
	}
	s.look = func(ctx context.Context) (string, error) {
		w, err := i.homeWant(ctx)
		if err != nil {
			return "", err
		}
		missing, err := w.differs(path)
		if err != nil || missing == "" {
			return missing, err
		}
		return missing, i.mayTake(path, w)
	}
	s.do = func(ctx context.Context) error {
		w, err := i.homeWant(ctx)
		if err != nil {
			return err
		}
		if err := makeFolders(i.at("/var/lib")); err != nil {
			return err
		}
		if err := os.Mkdir(path, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
			return err
		}
		if w.uid != anyone {
			if err := os.Lchown(path, w.uid, w.gid); err != nil {
				return err
			}
		}
		return os.Chmod(path, 0o700)
	}
	return s
}

// homeWant is how the guard's folder is to be. When staging, the user need not
// be on this machine: the unit's StateDirectory gives the folder to him.
func (i *Installation) homeWant(ctx context.Context) (want, error) {
	w := want{fs.ModeDir | 0o700, anyone, anyone}
	if i.o.Machine == nil {
		return w, nil
	}
	a, err := i.o.Machine.Account(ctx, i.o.User)
	if errors.Is(err, ErrNoAccount) {
		return w, nil // before the user is made
	}
	return i.owned(w.mode, a.UID, a.GID), err
}

// mayTake refuses a folder with somebody else's files in it, and what is no
// folder: a link there would have root give away whatever it points to.
func (i *Installation) mayTake(path string, w want) error {
	info, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	if !info.IsDir() {
		return fmt.Errorf("%s is no folder (%v); move it away", path, info.Mode())
	}
	if uid, _ := ownerOf(info); w.uid == anyone || uid == w.uid {
		return nil
	}
	entries, err := os.ReadDir(path)
	if err == nil && len(entries) > 0 {
		err = fmt.Errorf("%s has files in it and belongs to another user; if they are the guard's: chown -R %s:%s %s", path, i.o.User, i.o.User, path)
	}
	return err
}

// kept is the step that says what stays.
func (i *Installation) kept() Step {
	what := i.at(HomePath)
	return Step{
		Name: fmt.Sprintf("%s, %s and user %s stay", what, i.at(configDir), i.o.User),
		look: func(context.Context) (string, error) { return "for a person to remove", nil },
		do: func(context.Context) error {
			return leftError("the record, the keys and the credentials are still there; --purge removes them")
		},
	}
}

// noHome is the step that removes the record and the keys.
func (i *Installation) noHome() Step {
	s := i.gone("no folder", HomePath)
	path := i.at(HomePath)
	s.Commands = []string{"rm -r " + path}
	s.do = func(context.Context) error { return os.RemoveAll(path) }
	return s
}
