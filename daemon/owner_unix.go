//go:build unix

package daemon

import (
	"io/fs"
	"syscall"
)

// ownerOf is the user id that owns a file, -1 when it cannot be told.
func ownerOf(info fs.FileInfo) int {
	if s, ok := info.Sys().(*syscall.Stat_t); ok {
		return int(s.Uid)
	}
	return -1
}
