package install

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
)

// noKey is the step that looks whether somebody has a key that phones may trust:
// with it any adb drives the phone past the guard. It takes nothing away: the key
// may be for other phones, and the trust in it is on the phone.
//
// Files are looked at and never opened. They are that user's, and root must not
// wait on what he put there.
func (i *Installation) noKey(name, whose, vendor string) Step {
	look := func(ctx context.Context) ([]string, error) {
		a, err := i.o.Machine.Account(ctx, name)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		return i.keysOf(a, vendor), nil
	}
	return Step{
		Name:     fmt.Sprintf("%s %s, without a key that a phone may trust", whose, name),
		Commands: []string{"ls -l ~" + name + "/.android"},
		look: func(ctx context.Context) (string, error) {
			keys, err := look(ctx)
			if err != nil || len(keys) == 0 {
				return "", err
			}
			return "there is " + strings.Join(keys, ", "), nil
		},
		do: func(ctx context.Context) error {
			keys, err := look(ctx)
			if err != nil {
				return err
			}
			return leftError(fmt.Sprintf("%s has %s: a phone that trusts it can be driven past the guard. Take the trust back on each phone (Developer options, Revoke USB debugging authorisations), let it trust the guard's key only when it asks again, and remove the file",
				name, strings.Join(keys, ", ")))
		},
	}
}

// keysOf are the keys by which phones may know a user's adb: its own, and those
// that ADB_VENDOR_KEYS names, which are files and folders of them.
func (i *Installation) keysOf(a Account, vendor string) []string {
	paths := []string{filepath.Join(a.Home, ".android", "adbkey")}
	for _, p := range filepath.SplitList(vendor) {
		if filepath.IsAbs(p) {
			paths = append(paths, filepath.Clean(p))
		}
	}
	var found []string
	for _, p := range paths {
		p = i.at(p)
		switch _, err := os.Lstat(p); {
		case err == nil:
			found = append(found, p)
		case errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR):
		default: // such as a loop of links: it is his, and must not keep the guard off
			found = append(found, fmt.Sprintf("%s (which cannot be looked at: %v)", p, err))
		}
	}
	return found
}

// noCable is the step that looks whether the agents' user can open phones on a
// cable: then a phone asks him, or whom he drives, for its trust.
func (i *Installation) noCable() Step {
	name, m := i.o.AgentFor, i.o.Machine
	look := func(ctx context.Context) (string, error) {
		groups, err := m.Groups(ctx, name)
		if err != nil {
			return "", err
		}
		open := slices.DeleteFunc(groups, func(g string) bool { return !slices.Contains(cableGroups, g) && g != i.o.ADB.Group })
		if len(open) == 0 {
			return "", nil
		}
		return "member of " + strings.Join(open, ", "), nil
	}
	return Step{
		Name:     fmt.Sprintf("agents' user %s, to whom phones on a cable are not open", name),
		Commands: []string{"id -nG " + name},
		look:     look,
		do: func(ctx context.Context) error {
			missing, err := look(ctx)
			if err != nil {
				return err
			}
			return leftError(fmt.Sprintf("%s is %s, so an adb of its own reaches a phone on a cable, which then asks whether it trusts another key; take it out of the group: gpasswd --delete %s GROUP", name, missing, name))
		},
	}
}
