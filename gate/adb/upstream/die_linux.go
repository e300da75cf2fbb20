package upstream

import (
	"os/exec"
	"syscall"
)

// dieWithUs has the server killed when the guard dies, however it dies: a guard
// that is gone must leave no server behind that still holds the phones. Linux
// counts the thread that started it, not the process.
func dieWithUs(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL, Setpgid: true}
}
