package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os/exec"

	"github.com/countersign/countersign/decide"
)

// adbProgram is where the adb program lies. Named by nobody, it is looked for in
// PATH.
func adbProgram(named string) (string, error) {
	path, err := exec.LookPath(named)
	switch {
	case err == nil:
		return path, nil
	case named != "adb":
		return "", usage(fmt.Errorf("--adb %s: %w", decide.Quote(named, 200), reason(err)), "give the path of the adb program, or leave --adb out for the one in PATH")
	}
	return "", usage(fmt.Errorf("there is no adb program on this machine: %w", reason(err)),
		"install it: apt install adb, brew install android-platform-tools, or platform-tools from developer.android.com",
		"where it lies elsewhere, put its folder into PATH; countersign adb and setup also take --adb PROGRAM")
}

// reason is what is wrong with a program, without its name.
func reason(err error) error {
	var e *exec.Error
	var p *fs.PathError
	switch {
	case errors.As(err, &e):
		return e.Err
	case errors.As(err, &p):
		return p.Err
	}
	return err
}
