package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/countersign/countersign/daemon/install"
)

// ran is what a command line came to.
type ran struct {
	code     int
	out, err string
}

func runLine(args ...string) ran {
	var out, complaint bytes.Buffer
	code := run(args, &terminal{in: strings.NewReader(""), out: &out, err: &complaint, width: defaultWidth})
	return ran{code, out.String(), complaint.String()}
}

// TestInstallStaged installs below a folder and takes it off again; what the
// steps do is tested in daemon/install.
func TestInstallStaged(t *testing.T) {
	root := filepath.Join(t.TempDir(), "stage")
	if r := runLine("install", "--root", root, "--dry-run", "--observe"); r.code != exitDone || r.err != "" || strings.Count(r.out, root) != 5 || !strings.Contains(r.out, " --observe\n") {
		t.Errorf("dry run: %+v", r)
	}
	if _, err := os.Stat(root); err == nil {
		t.Fatal("a dry run made files")
	}
	lines := []struct {
		args    []string
		results string // the first words of the lines
		says    string
	}{
		{[]string{"install", "--user", "guard"}, "done done done", "make user guard"},
		{[]string{"install", "--user", "guard"}, "already already already", "nothing was run"},
		{[]string{"install", "--observe"}, "already already done", "nothing was run"},
		{[]string{"uninstall"}, "done done left the", ""},
		{[]string{"uninstall", "--purge"}, "already already already done", ""},
	}
	for _, l := range lines {
		r := runLine(append(l.args, "--root", root)...)
		var results []string
		for line := range strings.Lines(r.out) {
			results = append(results, strings.Fields(line)[0])
		}
		if r.code != exitDone || strings.Join(results, " ") != l.results || !strings.Contains(r.err, l.says) {
			t.Errorf("%q: %+v, want %s", l.args, r, l.results)
		}
		if l.args[0] == "install" {
			text, err := os.ReadFile(root + install.UnitPath)
			if user := map[bool]string{true: "guard", false: "countersign"}[len(l.args) == 3]; err != nil || !strings.Contains(string(text), "\nUser="+user+"\n") {
				t.Errorf("%q wrote %s (%v)", l.args, text, err)
			}
		}
	}
}

func TestInstallMistakes(t *testing.T) {
	for _, m := range []struct{ line, says string }{
		{"install --root /", "leave --root out"},
		{"install --root /stage --agent-for robot", "--agent-for"},
		{"install --dry-run --agent-for root", "a user of its own"},
		{"install --dry-run --user root", "--user"},
		{"install --dry-run --user ../x", "no name"},
		{"uninstall --dry-run --user a%n", "no name"},
		{"uninstall --agent-for robot", "unknown flag"},
	} {
		if r := runLine(strings.Fields(m.line)...); r.code != exitUsage || !strings.Contains(r.err, m.says) || r.out != "" {
			t.Errorf("%s: %+v, want %q", m.line, r, m.says)
		}
	}
}

// TestInstallNeedsRoot runs the command as nobody, where it can.
func TestInstallNeedsRoot(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(self)
	if err != nil {
		t.Fatal(err)
	}
	dir, err := os.MkdirTemp("", "countersign-install-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	program := filepath.Join(dir, "countersign") // by this name it is the command; see TestMain
	if err := os.WriteFile(program, data, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{dir, program} {
		if err := os.Chmod(path, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for _, line := range []string{"install --observe", "uninstall --purge"} {
		cmd := exec.Command(program, strings.Fields(line)...)
		cmd.Dir = "/"
		if os.Geteuid() == 0 {
			cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534, Groups: []uint32{}}}
		}
		out, err := cmd.CombinedOutput()
		if cmd.ProcessState == nil || cmd.ProcessState.ExitCode() != exitUsage || !strings.Contains(string(out), "sudo countersign "+line) {
			t.Errorf("%s: %v\n%s", line, err, out)
		}
	}
}
