package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// homeFlag says where the guard keeps its record and its keys.
type homeFlag struct {
	Home string `env:"COUNTERSIGN_HOME" placeholder:"DIR" help:"The guard's folder; $XDG_DATA_HOME/countersign or ~/.local/share/countersign if left out."`
}

// dir is the guard's folder, which need not be there yet.
func (f *homeFlag) dir() (string, error) {
	if f.Home != "" {
		return f.Home, nil
	}
	return homeDir()
}

// homeDir is the guard's folder where none is named. A relative XDG_DATA_HOME
// counts for nothing, as its specification wants it.
func homeDir() (string, error) {
	if data := os.Getenv("XDG_DATA_HOME"); filepath.IsAbs(data) {
		return filepath.Join(data, "countersign"), nil
	}
	user, err := os.UserHomeDir()
	if err != nil || !filepath.IsAbs(user) {
		return "", usage(errors.Join(errors.New("there is no home folder to keep the record in"), err),
			"name one with --home DIR or COUNTERSIGN_HOME")
	}
	return filepath.Join(user, ".local", "share", "countersign"), nil
}

// file is the path of a file in the guard's folder that must be there.
func (f *homeFlag) file(name string) (string, error) {
	dir, err := f.dir()
	if err != nil {
		return "", err
	}
	path := filepath.Join(dir, name)
	if _, err := os.Stat(path); err != nil {
		return "", usage(fmt.Errorf("no record of the guard in %s: %w", dir, err),
			"countersign up makes one; another folder is named with --home DIR or COUNTERSIGN_HOME")
	}
	return path, nil
}
