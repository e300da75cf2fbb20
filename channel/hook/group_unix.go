//go:build unix

package hook

import (
	"os/exec"
	"syscall"
)

// apart gives a program a group of its own, so that what it starts can be stopped
// with it.
func apart(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error {
		end(cmd)
		return nil
	}
}

// end stops a program and what is left of its group.
func end(cmd *exec.Cmd) {
	if cmd.Process != nil && cmd.Process.Pid > 0 {
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) // there may be none left
	}
}
