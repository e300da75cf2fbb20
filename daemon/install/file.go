package install

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// anyone leaves an owner as it is.
const anyone = -1

// want is how a file or folder is to be.
type want struct {
	mode     fs.FileMode // with its type
	uid, gid int         // or anyone
}

// differs says how a file is otherwise than wanted; empty when it is not.
func (w want) differs(path string) (string, error) {
	info, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return "not there", nil
	}
	if err != nil {
		return "", err
	}
	if info.Mode() != w.mode {
		return fmt.Sprintf("mode %v and not %v", info.Mode(), w.mode), nil
	}
	uid, gid := ownerOf(info)
	if w.uid != anyone && uid != w.uid || w.gid != anyone && gid != w.gid {
		return fmt.Sprintf("owner %d:%d and not %d:%d", uid, gid, w.uid, w.gid), nil
	}
	return "", nil
}

// write puts a file in place at once: a reader finds the old one or the new one.
// It has its owner and its mode before it has its name.
func (w want) write(path string, from io.Reader) error {
	if err := makeFolders(filepath.Dir(path)); err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(path), ".countersign-*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name()) // after the rename there is nothing to remove
	_, err = io.Copy(f, from)
	if err == nil && (w.uid != anyone || w.gid != anyone) {
		err = f.Chown(w.uid, w.gid)
	}
	if err == nil {
		err = f.Chmod(w.mode.Perm())
	}
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		return err
	}
	if err := os.Rename(f.Name(), path); err != nil {
		return err
	}
	return syncFolder(filepath.Dir(path))
}

func syncFolder(path string) error {
	dir, err := os.Open(path)
	if err != nil {
		return err
	}
	defer dir.Close()
	return dir.Sync()
}

// makeFolders makes a folder and those above it so that everybody can pass,
// whatever the umask is. Those that are there stay as they are.
func makeFolders(path string) error {
	if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := makeFolders(filepath.Dir(path)); err != nil {
		return err
	}
	if err := os.Mkdir(path, 0o755); err != nil {
		return err
	}
	return os.Chmod(path, 0o755)
}

// owned is how a file is to be. Owners are left alone by a run that cannot give
// files away, which is one that is staging.
func (i *Installation) owned(mode fs.FileMode, uid, gid int) want {
	if os.Geteuid() != 0 {
		uid, gid = anyone, anyone
	}
	return want{mode, uid, gid}
}

// binary is the step that copies the program.
func (i *Installation) binary() Step {
	path, w := i.at(BinaryPath), i.owned(0o755, 0, 0)
	return Step{
		Name:     fmt.Sprintf("program %s, root:root 0755", path),
		Commands: []string{fmt.Sprintf("install -o root -g root -m 0755 %s %s", i.o.Binary, path)},
		look: func(context.Context) (string, error) {
			if missing, err := w.differs(path); missing != "" || err != nil {
				return missing, err
			}
			same, err := sameContent(i.o.Binary, path)
			if err != nil || same {
				return "", err
			}
			return "another version", nil
		},
		do: func(context.Context) error {
			f, err := os.Open(i.o.Binary)
			if err != nil {
				return err
			}
			defer f.Close()
			return w.write(path, f)
		},
	}
}

// sameContent compares two files piece by piece: the program is too large to hold
// it twice.
func sameContent(a, b string) (bool, error) {
	one, err := os.Open(a)
	if err != nil {
		return false, err
	}
	defer one.Close()
	two, err := os.Open(b)
	if err != nil {
		return false, err
	}
	defer two.Close()
	var x, y [64 << 10]byte
	for {
		n, err := io.ReadFull(one, x[:])
		m, err2 := io.ReadFull(two, y[:])
		if !bytes.Equal(x[:n], y[:m]) {
			return false, nil
		}
		for _, err := range []error{err, err2} {
			if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
				return false, err
			}
		}
		if err != nil { // as much was read of the other, so that is at its end too
			return true, nil
		}
	}
}

// way is the step that only looks: whoever can write a folder on the way to the
// program can replace it, and then the guard is only as strong as he is.
func (i *Installation) way() Step {
	dir := filepath.Dir(i.at(BinaryPath))
	return Step{
		Name: fmt.Sprintf("way to %s that only root can write", dir),
		look: func(context.Context) (string, error) { return "", onlyRoots(dir) },
	}
}

// onlyRoots refuses a folder that others than root can change, or one above it.
// What is not there yet will be made by root.
func onlyRoots(dir string) error {
	for {
		info, err := os.Stat(dir)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		if err == nil {
			uid, _ := ownerOf(info)
			if uid != 0 {
				return fmt.Errorf("%s belongs to user %d, who could replace the program; chown root %s", dir, uid, dir)
			}
			if info.Mode().Perm()&0o022 != 0 && info.Mode()&fs.ModeSticky == 0 {
				return fmt.Errorf("%s can be written by others (%v), who could replace the program; chmod go-w %s", dir, info.Mode(), dir)
			}
		}
		up := filepath.Dir(dir)
		if up == dir {
			return nil
		}
		dir = up
	}
}

// gone is the step that removes one file. Its name ends with the path.
func (i *Installation) gone(name, path string) Step {
	path = i.at(path)
	return Step{
		Name:     name + " " + path,
		Commands: []string{"rm " + path},
		look: func(context.Context) (string, error) {
			_, err := os.Lstat(path)
			if errors.Is(err, fs.ErrNotExist) {
				return "", nil
			}
			return "there", err
		},
		do: func(context.Context) error { return os.Remove(path) },
	}
}
