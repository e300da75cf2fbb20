package install

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// maxToken is the longest credential, in bytes, that is copied.
const maxToken = 4 << 10

// token is the step that hands the first agent's credential to one user. It is
// his own file that only he can read, in a folder that is root's: a group might
// be shared, and he could read it aloud anyway.
func (i *Installation) token() Step {
	m, name := i.o.Machine, i.o.AgentFor
	from, path := i.at(filepath.Join(HomePath, agentToken)), i.at(filepath.Join(TokenDir, name+".token"))
	again := "the guard has not made it yet; start it, and then once more: countersign install --agent-for " + name
	return Step{
		Name:     fmt.Sprintf("agent's credential %s, %s:root 0400", path, name),
		Commands: []string{fmt.Sprintf("install -D -o %s -g root -m 0400 %s %s", name, from, path)},
		look: func(ctx context.Context) (string, error) {
			token, err := i.readToken(ctx, from)
			if errors.Is(err, fs.ErrNotExist) || errors.Is(err, ErrNoAccount) {
				return again, nil
			}
			if err != nil {
				return "", err
			}
			a, err := m.Account(ctx, name)
			if err != nil {
				return "", err
			}
			if missing, err := i.owned(0o400, a.UID, 0).differs(path); missing != "" || err != nil {
				return missing, err
			}
			if copied, err := os.ReadFile(path); err != nil || string(copied) != token {
				return "another one", err
			}
			return "", nil
		},
		do: func(ctx context.Context) error {
			token, err := i.readToken(ctx, from)
			if errors.Is(err, fs.ErrNotExist) {
				return leftError(again)
			}
			if err != nil {
				return err
			}
			a, err := m.Account(ctx, name)
			if err != nil {
				return err
			}
			return i.owned(0o400, a.UID, 0).write(path, strings.NewReader(token))
		},
	}
}

// readToken reads the credential that the guard made. Root must not be talked
// into copying something else out: no link is followed, and the file has to be
// the service user's own.
func (i *Installation) readToken(ctx context.Context, path string) (string, error) {
	a, err := i.o.Machine.Account(ctx, i.o.User)
	if err != nil {
		return "", err
	}
	f, err := os.OpenFile(path, os.O_RDONLY|noFollow, 0)
	if err != nil {
		return "", err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return "", err
	}
	if uid, _ := ownerOf(info); !info.Mode().IsRegular() || uid != a.UID {
		return "", fmt.Errorf("%s is no file of %s's own, so it is not copied", path, a.Name)
	}
	data, err := io.ReadAll(io.LimitReader(f, maxToken+1))
	if err != nil {
		return "", err
	}
	if len(data) == 0 || len(data) > maxToken {
		return "", fmt.Errorf("%s has %d bytes and is no credential", path, len(data))
	}
	return string(data), nil
}

// noTokens is the step that removes the copies, and their folder's folder when
// nothing of the owner's is in it.
func (i *Installation) noTokens() Step {
	s := i.gone("no credentials in", TokenDir)
	s.Commands = []string{"rm -r " + i.at(TokenDir)}
	s.do = func(context.Context) error {
		if err := os.RemoveAll(i.at(TokenDir)); err != nil {
			return err
		}
		entries, err := os.ReadDir(i.at(configDir))
		if err != nil || len(entries) > 0 {
			return err
		}
		return os.Remove(i.at(configDir))
	}
	return s
}
