package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
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
		{[]string{"install", "--adb", "--connect", "192.168.1.20:5555", "--device", "127.0.0.1:5580"}, "already already done", "nothing was run"},
		{[]string{"install", "--adb", "--adb-program", "/opt/platform-tools/adb"}, "already already done", "nothing was run"},
		{[]string{"install", "--adb", "--adb-program", "/opt/platform-tools/adb"}, "already already already", "nothing was run"},
		{[]string{"install"}, "already already done", "nothing was run"},
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
			if user := map[bool]string{true: "guard", false: "countersign"}[slices.Contains(l.args, "guard")]; err != nil || !strings.Contains(string(text), "\nUser="+user+"\n") {
				t.Errorf("%q wrote %s (%v)", l.args, text, err)
			}
			gate := slices.Contains(l.args, "--adb")
			if strings.Contains(string(text), "ExecStart="+install.BinaryPath+" adb ") != gate || strings.Contains(string(text), "SupplementaryGroups=plugdev\n") != gate {
				t.Errorf("%q wrote %s", l.args, text)
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
		{"install --dry-run --port 127.0.0.1:5037", "--port is for a guard with the ADB gate"},
		{"install --dry-run --device 127.0.0.1:5580", "add --adb"},
		{"install --dry-run --connect phone:5555", "leave --connect out"},
		{"install --dry-run --adb-program /opt/adb", "add --adb"},
		{"install --dry-run --adb --port 0.0.0.0:5037", "--port"},
		{"install --dry-run --adb --connect phone", "HOST:PORT"},
		{"install --dry-run --adb --adb-program adb", "--adb-program"},
		{"uninstall --adb", "unknown flag"},
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

// TestInstallShowsADB reads what would be done to this machine, and how to go on.
func TestInstallShowsADB(t *testing.T) {
	t.Setenv("SUDO_USER", "")
	r := runLine("install", "--dry-run", "--adb", "--agent-for", "robot", "--connect", "192.168.1.20:5555")
	at := 0
	for _, part := range []string{
		"adb program ", "nobody but the guard at 127.0.0.1:5037\n", " adb --home /var/lib/countersign ", " --port 127.0.0.1:5037 --connect 192.168.1.20:5555\n",
		"agents' user robot, to whom phones on a cable are not open\n", "agents' user robot, without a key that a phone may trust\n", "you, ",
	} {
		found := strings.Index(r.out[at:], part)
		if found < 0 {
			t.Fatalf("%q is not in what would be done, or not in this place: %d, %s%s", part, r.code, r.err, r.out)
		}
		at += found
	}
	for _, c := range []struct {
		command installCommand
		says    []string
	}{
		{installCommand{ADB: true}, []string{"ADB_SERVER_SOCKET=tcp:127.0.0.1:5037 ", "trust this computer", "doctor --home"}},
		{installCommand{ADB: true, Device: "127.0.0.1:5580"}, []string{"adb connect 127.0.0.1:5580,"}},
		{installCommand{ADB: true, Device: "127.0.0.1:5580", Port: "127.0.0.1:5039"}, []string{"tcp:127.0.0.1:5039 ", "adb connect 127.0.0.1:5580,"}},
	} {
		for _, part := range c.says {
			if next := c.command.next(); !strings.Contains(next, part) {
				t.Errorf("%+v: %q is not in %s", c.command, part, next)
			}
		}
		if next := c.command.next(); c.command.Device != "" && c.command.Port == "" && strings.Contains(next, "ADB_SERVER_SOCKET") {
			t.Errorf("no adb server to point at, and yet: %s", next)
		}
	}
}
