package main

import (
	"fmt"
	"runtime"
	"runtime/debug"
)

// versionCommand prints what is running.
type versionCommand struct{}

// Run prints the version, the commit and the platform.
func (versionCommand) Run(t *terminal) error {
	_, err := fmt.Fprintln(t.out, versionLine())
	return err
}

// version is set by the release build; a build from source says "devel".
var version = ""

// versionName is the version alone.
func versionName() string {
	name := version
	if info, ok := debug.ReadBuildInfo(); ok && name == "" {
		name = info.Main.Version
	}
	if name == "" || name == "(devel)" {
		name = "devel"
	}
	return name
}

// versionLine is such as "countersign v1.2.0 (commit 0123abcd, go1.26.8, linux/amd64)".
func versionLine() string {
	commit := "unknown"
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" {
				commit = s.Value[:min(12, len(s.Value))]
			}
		}
	}
	return fmt.Sprintf("countersign %s (commit %s, %s, %s/%s)", versionName(), commit, runtime.Version(), runtime.GOOS, runtime.GOARCH)
}
