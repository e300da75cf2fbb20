package main

import (
	"os"

	"golang.org/x/sys/unix"
)

// dropTypeahead discards what was typed and not read yet. Where the input is no
// terminal nothing happens.
func dropTypeahead(f *os.File) {
	_ = unix.IoctlSetInt(int(f.Fd()), unix.TCFLSH, unix.TCIFLUSH)
}
