//go:build unix

package install

import (
	"io/fs"
	"os"
	"syscall"
)

// noFollow opens no link.
const noFollow = syscall.O_NOFOLLOW | syscall.O_NONBLOCK

// ownerOf is the user and the group of a file.
func ownerOf(info fs.FileInfo) (uid, gid int) {
	if s, ok := info.Sys().(*syscall.Stat_t); ok {
		return int(s.Uid), int(s.Gid)
	}
	return -1, -1
}

// sameProgram reports whether a process runs the file at path, and not one that
// was there before.
func sameProgram(pid, path string) bool {
	running, err := os.Stat("/proc/" + pid + "/exe")
	if err != nil {
		return false
	}
	there, err := os.Stat(path)
	return err == nil && os.SameFile(running, there)
}
