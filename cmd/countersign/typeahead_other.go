//go:build !linux

package main

import "os"

// dropTypeahead discards what was typed and not read yet, where the system
// has a call for it that is known here.
func dropTypeahead(*os.File) {}
