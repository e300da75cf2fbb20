//go:build !linux

package upstream

import "os/exec"

// dieWithUs has no counterpart here. A server that a killed guard leaves behind
// stays in the guard's own folder and is ended at the next start.
func dieWithUs(*exec.Cmd) {}
