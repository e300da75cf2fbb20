//go:build !unix

package hook

import "os/exec"

// apart cannot hold together here what a program starts: only the program itself
// is stopped when its time is over.
func apart(*exec.Cmd) {}

func end(cmd *exec.Cmd) {
	if cmd.Process != nil {
		_ = cmd.Process.Kill() // it may be gone
	}
}
