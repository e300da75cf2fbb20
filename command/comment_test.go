package command_test

import (
	"os/exec"
	"strings"
	"testing"

	"github.com/countersign/countersign/command"
	"github.com/countersign/countersign/risk"
)

// A comment ends with its line, whatever it ends in: mksh runs what stands on the
// next one.
func TestCommentsEndWithTheirLine(t *testing.T) {
	tests := []string{
		"echo hi # \\\npm uninstall com.x",
		"echo hi # a \\\\\\\npm uninstall com.x",
		"# \\\npm uninstall com.x",
		"echo a # \\\necho b # \\\npm uninstall com.x",
		"(echo a # \\\npm uninstall com.x)",
		"echo $(echo a # \\\npm uninstall com.x)",
		"if true; then echo a # \\\npm uninstall com.x\nfi",
		"sh -c 'echo a # \\\npm uninstall com.x'",
		"for i in 1; do echo a # \\\npm uninstall com.x; done",
		"echo `echo a # \\\npm uninstall com.x`",
		"echo hi; # \\\r\\\npm uninstall com.x",
		"echo 'a # b' # 'c \\\npm uninstall com.x",
		"cat <<E # \\\ntext\nE\npm uninstall com.x",
	}
	for _, line := range tests {
		effects := command.Shell(line)
		if w := effects[command.Worst(effects)]; w.Category != risk.Uninstall && w.Category != risk.Unknown {
			t.Errorf("%q is %s", line, w.Category)
		}
	}
	// What is no comment goes on.
	for _, line := range []string{"echo a\\\nb", "echo 'a # \\\nb'", "echo a#\\\nb", "echo \"# \\\nb\""} {
		for _, e := range command.Shell(line) {
			if e.Category != risk.None {
				t.Errorf("%q is %s", line, e.Category)
			}
		}
	}
	// And mksh does run it, where it is at hand.
	mksh, err := exec.LookPath("mksh")
	if err != nil {
		return
	}
	for _, line := range tests {
		if strings.Contains(line, "`") { // there it goes on
			continue
		}
		line = strings.ReplaceAll(line, "pm uninstall com.x", "echo RAN")
		out, err := exec.Command(mksh, "-c", line).CombinedOutput()
		if err != nil || !strings.Contains(string(out), "RAN") {
			t.Errorf("mksh did not run the second line of %q: %v %q", line, err, out)
		}
	}
}
