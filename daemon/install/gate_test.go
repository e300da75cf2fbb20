//go:build linux

package install

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
)

// TestStagedADB goes to and fro between a guard with the gate and one without.
func TestStagedADB(t *testing.T) {
	root := filepath.Join(t.TempDir(), "stage")
	without := Options{Root: root, Binary: program(t, "the program")}
	with, other := without, without
	with.ADB, other.ADB = &ADB{}, &ADB{Device: "127.0.0.1:5580", Connect: []string{"192.168.1.20:5555"}}
	runs := []struct {
		o    Options
		done int
		line string
	}{
		{with, 3, "countersign adb --home /var/lib/countersign --agent-socket /run/countersign/agent.sock --adb /usr/bin/adb --port 127.0.0.1:5037"},
		{with, 0, "--port 127.0.0.1:5037"},
		{without, 1, "countersign up --home /var/lib/countersign --agent-socket /run/countersign/agent.sock"},
		{other, 1, "--adb /usr/bin/adb --device 127.0.0.1:5580 --connect 192.168.1.20:5555"},
		{with, 1, "--port 127.0.0.1:5037"},
		{without, 1, "agent.sock"},
	}
	for n, r := range runs {
		got, err := takeAll(t, mustNew(t, r.o), mustNew(t, r.o).Install())
		if err != nil || got.count(Done) != r.done {
			t.Errorf("run %d: %v, %v, want %d done", n, got, err, r.done)
		}
		if line := parseUnit(t, read(t, root+UnitPath))["Service"]["ExecStart"][0]; !strings.HasSuffix(line, r.line) {
			t.Errorf("run %d: the service starts %q, want %q", n, line, r.line)
		}
	}
	if len(runs) != 6 {
		t.Errorf("%d runs, want 6", len(runs))
	}
	wantText(t, root+UnitPath, unitFile(&Options{User: DefaultUser}))
	if got, err := takeAll(t, mustNew(t, without), mustNew(t, without).Uninstall(true)); err != nil || got.count(Done) != 3 {
		t.Errorf("purge: %v, %v", got, err)
	}
	if without.ADB != nil || with.ADB.Port != "" {
		t.Error("the options of the caller were written")
	}
}

// TestUnitADB holds what the gate opens to these lines: everything else is as
// strict as without it.
func TestUnitADB(t *testing.T) {
	const (
		up      = "- ExecStart=/usr/local/bin/countersign up --home /var/lib/countersign --agent-socket /run/countersign/agent.sock\n"
		adb     = "+ ExecStart=/usr/local/bin/countersign adb --home /var/lib/countersign --agent-socket /run/countersign/agent.sock --adb /usr/bin/adb "
		devices = "- PrivateDevices=yes\n+ DevicePolicy=closed\n+ DeviceAllow=char-usb_device rw\n"
		family  = "- RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX\n+ RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX AF_NETLINK\n"
	)
	units := []struct {
		gate ADB
		want string
	}{
		{ADB{}, up + adb + "--port 127.0.0.1:5037\n" + devices + family},
		{ADB{Group: "plugdev"}, up + adb + "--port 127.0.0.1:5037\n" + devices + "+ SupplementaryGroups=plugdev\n" + family},
		{ADB{Port: "[::1]:5039", Device: "127.0.0.1:5580"}, up + adb + "--port [::1]:5039 --device 127.0.0.1:5580\n" + devices + family},
		{ADB{Connect: []string{"phone.lan:5555", "[fd00::2]:5555"}}, "- After=network.target\n+ Wants=network-online.target\n+ After=network-online.target\n" +
			up + adb + "--port 127.0.0.1:5037 --connect phone.lan:5555 --connect [fd00::2]:5555\n" + devices + family},
	}
	settings := func(o Options) string { // without comments and the seal
		o.Root = "/stage"
		lines := strings.SplitAfter(unitFile(&mustNew(t, o).o), "\n")
		return strings.Join(slices.DeleteFunc(lines, func(l string) bool { return strings.HasPrefix(l, "#") }), "")
	}
	for _, u := range units {
		if got := difference(settings(Options{}), settings(Options{ADB: &u.gate})); got != u.want {
			t.Errorf("%+v:\n%s\nwant\n%s", u.gate, got, u.want)
		}
		parseUnit(t, unitFile(&mustNew(t, Options{Root: "/stage", ADB: &u.gate}).o))
	}
	if len(units) != 4 {
		t.Errorf("%d units, want 4", len(units))
	}
}

func TestADBOptions(t *testing.T) {
	bad := []struct {
		gate ADB
		says string
	}{
		{ADB{Port: "0.0.0.0:5037"}, "--port"},
		{ADB{Port: "127.0.0.1:0"}, "--port"},
		{ADB{Port: "localhost:5037"}, "--port"},
		{ADB{Port: "127.0.0.1:5037 --observe"}, "--port"},
		{ADB{Port: "[::1%lo]:5037"}, "--port"},
		{ADB{Device: "192.168.1.2:5580"}, "--device"},
		{ADB{Connect: []string{"192.168.1.20"}}, "--connect"},
		{ADB{Connect: []string{"-x:5555"}}, "--connect"},
		{ADB{Connect: []string{"%h:5555"}}, "--connect"},
		{ADB{Connect: []string{"phone:5555\nExecStartPre=/bin/sh"}}, "--connect"},
		{ADB{Program: "adb"}, "--adb-program"},
		{ADB{Program: "/opt/a b/adb"}, "--adb-program"},
		{ADB{Program: "/usr/bin/../../opt/adb"}, "--adb-program"},
		{ADB{Program: "/opt/%n/adb"}, "--adb-program"},
		{ADB{Program: "/home/robot/adb"}, "cannot see /home"},
		{ADB{Program: "/tmp/adb"}, "cannot see /tmp"},
		{ADB{Group: "a b"}, "name of a group"},
		{ADB{Caller: "-u"}, "name of a user"},
		{ADB{Caller: "a b"}, "name of a user"},
	}
	for _, c := range bad {
		if _, err := New(Options{Root: "/stage", ADB: &c.gate}); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%+v: %v, want something with %q", c.gate, err, c.says)
		}
	}
	if len(bad) != 19 {
		t.Errorf("%d bad options are tried, want 19", len(bad))
	}
}

// TestOthersAtThePort holds the installer to what listens where the guard is to:
// its owner's own adb server, usually.
func TestOthersAtThePort(t *testing.T) {
	m, o := installed(t)
	o.ADB = &ADB{Program: machinesADB(t), Group: "plugdev"}
	m.answers, m.ran = map[string]bool{UsualPort: true}, nil
	before := read(t, o.Root+UnitPath)
	got, err := takeAll(t, mustNew(t, o), mustNew(t, o).Install())
	if err == nil || !strings.Contains(err.Error(), "adb kill-server") || len(got) != 0 || len(m.ran) != 0 {
		t.Errorf("with an adb server there: %v, %q, %v", got, m.ran, err)
	}
	wantText(t, o.Root+UnitPath, before)

	// It is gone, and then it is the guard that answers.
	m.answers = nil
	if got, err = takeAll(t, mustNew(t, o), mustNew(t, o).Install()); err != nil || got.count(Done) != 2 {
		t.Errorf("%v, %v", got, err)
	}
	if want := []string{commandLine(daemonReload), commandLine(enable), commandLine(restart)}; !slices.Equal(m.ran, want) {
		t.Errorf("ran %q, want %q", m.ran, want)
	}
	m.answers = map[string]bool{UsualPort: true}
	if got, err = takeAll(t, mustNew(t, o), mustNew(t, o).Install()); err != nil || got.count(Already) != len(got) {
		t.Errorf("the second run: %v, %v", got, err)
	}
	// At another port it is not.
	o.ADB = &ADB{Program: o.ADB.Program, Port: "127.0.0.1:503"}
	m.answers["127.0.0.1:503"] = true
	if _, err = takeAll(t, mustNew(t, o), mustNew(t, o).Install()); err == nil || !strings.Contains(err.Error(), "127.0.0.1:503;") {
		t.Errorf("at another port: %v", err)
	}
	// And none of it keeps anybody from going back, or from taking it off.
	o.ADB = nil
	if got, err = takeAll(t, mustNew(t, o), mustNew(t, o).Install()); err != nil || got.count(Done) != 2 {
		t.Errorf("back: %v, %v", got, err)
	}
	wantText(t, o.Root+UnitPath, before)
}

// TestKeysOfOthers lists what is said of keys and cables. Files that their owner
// made to be waited on, or that lead nowhere, keep nobody waiting.
func TestKeysOfOthers(t *testing.T) {
	m, o := installed(t)
	m.accounts["robot"] = Account{Name: "robot", UID: 1001, Home: "/home/robot"}
	m.accounts["alice"] = Account{Name: "alice", UID: 1000, Home: "/home/alice"}
	robot, alice := filepath.Join(o.Root, "/home/robot/.android"), filepath.Join(o.Root, "/home/alice/.android")
	clear := func() {
		if err := os.RemoveAll(filepath.Join(o.Root, "home")); err != nil {
			t.Fatal(err)
		}
		for _, dir := range []string{robot, alice} {
			if err := makeFolders(dir); err != nil {
				t.Fatal(err)
			}
		}
	}
	cases := []struct {
		what   string
		change func() error
		caller string
		left   []string // what is left to a person, a part of each
	}{
		{"nothing", func() error { return nil }, "alice", nil},
		{"the agent's key", func() error { return os.WriteFile(robot+"/adbkey", nil, 0o600) }, "alice", []string{"robot has " + robot + "/adbkey: a phone"}},
		{"that is a pipe", func() error { return syscall.Mkfifo(robot+"/adbkey", 0o600) }, "alice", []string{"robot has "}},
		{"that is a link to nowhere", func() error { return os.Symlink("/nowhere", robot+"/adbkey") }, "alice", []string{"robot has "}},
		{"a folder that is a loop", func() error {
			return firstOf(os.Remove(robot), os.Symlink(robot, robot))
		}, "alice", []string{"cannot be looked at"}},
		{"a folder that is a file", func() error { return firstOf(os.Remove(robot), os.WriteFile(robot, nil, 0o600)) }, "alice", nil},
		{"the caller's key", func() error { return os.WriteFile(alice+"/adbkey", nil, 0o600) }, "alice", []string{"alice has " + alice}},
		{"both", func() error {
			return firstOf(os.WriteFile(alice+"/adbkey", nil, 0o600), os.WriteFile(robot+"/adbkey", nil, 0o600))
		}, "alice", []string{"robot has", "alice has"}},
		{"the caller is the agent", func() error { return os.WriteFile(robot+"/adbkey", nil, 0o600) }, "robot", []string{"robot has"}},
		{"a key elsewhere", func() error { return os.WriteFile(o.Root+"/home/vendor", nil, 0o600) }, "alice", []string{"alice has " + o.Root + "/home/vendor:"}},
		{"a group that opens cables", func() error { m.groups["robot"] = []string{"robot", "plugdev"}; return nil }, "alice", []string{"robot is member of plugdev"}},
	}
	for _, c := range cases {
		clear()
		m.groups["robot"] = []string{"robot"}
		if err := c.change(); err != nil {
			t.Fatalf("%s: %v", c.what, err)
		}
		o.AgentFor = "robot"
		o.ADB = &ADB{Group: "plugdev", Caller: c.caller, VendorKeys: "home/robot/relative:/home/vendor:/home/no-such"}
		var left []string
		for _, s := range mustNew(t, o).onlyWay() {
			r, note, err := s.take(t.Context())
			if err != nil {
				t.Errorf("%s: %s: %v", c.what, s.Name, err)
			}
			if r == Left {
				left = append(left, note)
			}
		}
		if !slices.EqualFunc(left, c.left, strings.Contains) {
			t.Errorf("%s: left %q, want %q", c.what, left, c.left)
		}
	}
	if len(cases) != 11 {
		t.Errorf("%d cases, want 11", len(cases))
	}
}

// firstOf is the first error of several.
func firstOf(errs ...error) error {
	i := slices.IndexFunc(errs, func(err error) bool { return err != nil })
	if i < 0 {
		return nil
	}
	return errs[i]
}

// TestRootsProgram holds the installer to an adb program that nobody else can
// replace.
func TestRootsProgram(t *testing.T) {
	if err := rootsProgram(machinesADB(t)); err != nil {
		t.Errorf("the machine's own: %v", err)
	}
	dir := passable(t)
	before := adbDirs
	adbDirs = []string{dir}
	t.Cleanup(func() { adbDirs = before })
	if path, err := FindADB(); err == nil || !strings.Contains(err.Error(), "no adb program in "+dir) {
		t.Errorf("where there is none it is %q, %v", path, err)
	}
	file := func(name string, mode os.FileMode) string {
		path := filepath.Join(dir, name)
		if err := firstOf(os.WriteFile(path, nil, 0o755), os.Chmod(path, mode)); err != nil {
			t.Fatal(err)
		}
		return path
	}
	linked := filepath.Join(dir, "linked")
	if err := os.Symlink(file("wide", 0o775), linked); err != nil {
		t.Fatal(err)
	}
	cases := []struct{ path, says string }{
		{filepath.Join(dir, "none"), "apt install adb"},
		{dir, "is no program"},
		{file("closed", 0o750), "is no program"},
		{linked, "chmod go-w " + filepath.Join(dir, "wide")},
	}
	for _, c := range cases {
		want := c.says
		if os.Geteuid() != 0 && strings.HasPrefix(want, "chmod") {
			want = "chown root" // it is the test's own already
		}
		if err := rootsProgram(c.path); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", c.path, err, want)
		}
	}
	if len(cases) != 4 {
		t.Errorf("%d cases, want 4", len(cases))
	}
}

func TestCableGroup(t *testing.T) {
	m := newPretend("")
	if got := CableGroup(t.Context(), m); got != "" {
		t.Errorf("a machine without such groups has %q", got)
	}
	o := Options{Machine: m, Binary: "/download/countersign", ADB: &ADB{}}
	step := mustNew(t, o).onlyWay()[0]
	if r, note, err := step.take(t.Context()); err != nil || r != Left || !strings.Contains(note, "android-udev") {
		t.Errorf("without a group: %s, %q, %v", r, note, err)
	}
	for _, name := range []string{"adbusers", "plugdev"} { // from the last resort to the first
		m.groups[name] = nil
		if got := CableGroup(t.Context(), m); got != name {
			t.Errorf("the group is %q, want %q", got, name)
		}
	}
}
