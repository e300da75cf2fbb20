//go:build linux

package install

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const addUser = "useradd --system --user-group --no-create-home --home-dir /var/lib/countersign --shell /usr/sbin/nologin --comment 'Countersign guard' countersign"

// installed is a pretended machine on which the guard was installed, and the
// options it was installed with.
func installed(t *testing.T) (*pretend, Options) {
	t.Helper()
	root := t.TempDir()
	m := newPretend(root)
	o := Options{Root: root, Machine: m, Binary: program(t, "the program")}
	got, err := takeAll(t, mustNew(t, o), mustNew(t, o).Install())
	if err != nil || got.count(Left) != 0 {
		t.Fatalf("%v, %v", got, err)
	}
	return m, o
}

func TestServiceInstalled(t *testing.T) {
	m, o := installed(t)
	want := []string{addUser, "systemctl daemon-reload", "systemctl enable --now countersign.service"}
	if !slices.Equal(m.ran, want) || m.state != "active" || !m.enabled {
		t.Errorf("ran %q, want %q", m.ran, want)
	}

	m.ran = nil
	got, err := takeAll(t, mustNew(t, o), mustNew(t, o).Install())
	if err != nil || got.count(Already) != len(got) || len(m.ran) != 0 {
		t.Errorf("the second run did something: %v, %q, %v", got, m.ran, err)
	}
}

// TestServiceRestarted holds that what runs is what is installed.
func TestServiceRestarted(t *testing.T) {
	reload, start, again := commandLine(daemonReload), commandLine(enable), commandLine(restart)
	changes := []struct {
		name   string
		change func(*pretend, *Options)
		ran    []string
	}{
		{"a newer program", func(_ *pretend, o *Options) { o.Binary = program(t, "a newer program") }, []string{reload, start, again}},
		{"another unit", func(_ *pretend, o *Options) { o.Observe = true }, []string{reload, start, again}},
		{"a program that was replaced by hand and not started", func(m *pretend, _ *Options) { m.running = "older" }, []string{reload, start, again}},
		{"stopped", func(m *pretend, _ *Options) { m.state = "inactive" }, []string{reload, start}},
		{"crashed", func(m *pretend, _ *Options) { m.state = "failed" }, []string{reload, start}},
		{"disabled", func(m *pretend, _ *Options) { m.enabled = false }, []string{reload, start, again}},
		{"not read by systemd", func(m *pretend, _ *Options) { m.unread = true }, []string{reload, start, again}},
	}
	for _, c := range changes {
		m, o := installed(t)
		m.ran = nil
		c.change(m, &o)
		if _, err := takeAll(t, mustNew(t, o), mustNew(t, o).Install()); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		if !slices.Equal(m.ran, c.ran) {
			t.Errorf("%s: ran %q, want %q", c.name, m.ran, c.ran)
		}
		if m.state != "active" || !m.enabled || m.running != read(t, o.Binary) {
			t.Errorf("%s: what runs is %q (%s)", c.name, m.running, m.state)
		}
	}
	if len(changes) != 7 {
		t.Errorf("%d changes, want 7", len(changes))
	}
}

func TestServiceThatDoesNotStart(t *testing.T) {
	root := t.TempDir()
	m := newPretend(root)
	m.broken = true
	o := Options{Root: root, Machine: m, Binary: program(t, "the program")}
	got, err := takeAll(t, mustNew(t, o), mustNew(t, o).Install())
	if err == nil || !strings.Contains(err.Error(), "journalctl") || got.count(Done) == 0 {
		t.Errorf("%v, %v", got, err)
	}
}

func TestLevel(t *testing.T) {
	// It takes a while to answer.
	m, o := installed(t)
	m.levels = []string{"", "", "", separate}
	i := mustNew(t, o)
	level := i.level()
	if r, _, err := level.take(t.Context()); err != nil || r != Done || m.pauses != 2 {
		t.Errorf("%s after %d pauses, %v", r, m.pauses, err)
	}
	// It never says what is wanted: an installation that does not hold is a failure.
	m.levels = []string{"same user"}
	m.pauses = 0
	if _, _, err := level.take(t.Context()); err == nil || !strings.Contains(err.Error(), `"same user"`) || m.pauses != askTimes {
		t.Errorf("the level of same user passes after %d pauses: %v", m.pauses, err)
	}
}

func TestWithoutSystemd(t *testing.T) {
	root := t.TempDir()
	m := newPretend(root)
	m.systemd = false
	o := Options{Root: root, Machine: m, Binary: program(t, "the program")}
	i := mustNew(t, o)
	var notes []string
	for _, s := range i.Install() {
		if os.Geteuid() != 0 && strings.HasPrefix(s.Name, "way to ") {
			continue
		}
		r, note, err := s.take(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if r == Left {
			notes = append(notes, note)
		}
	}
	if len(notes) != 2 || !strings.Contains(notes[0], "systemctl daemon-reload && systemctl enable --now countersign.service") || !strings.Contains(notes[1], "/healthz") {
		t.Errorf("left: %q", notes)
	}
	if !slices.Equal(m.ran, []string{addUser}) {
		t.Errorf("ran %q", m.ran)
	}
}

// TestAccountsOfOthers holds the installer to its own user: one that was made
// for something else gets nothing, and is not removed.
func TestAccountsOfOthers(t *testing.T) {
	others := []Account{
		{UID: 0, Home: HomePath, Shell: "/usr/sbin/nologin"},
		{UID: 1000, Home: HomePath, Shell: "/usr/sbin/nologin"},
		{UID: 65534, Home: HomePath, Shell: "/usr/sbin/nologin"},
		{UID: 997, Home: HomePath, Shell: "/bin/bash"},
		{UID: 997, Home: HomePath, Shell: ""},
		{UID: 33, Home: "/var/www", Shell: "/usr/sbin/nologin"},
	}
	for _, a := range others {
		a.Name = DefaultUser
		root := t.TempDir()
		m := newPretend(root)
		m.accounts[a.Name] = a
		o := Options{Root: root, Machine: m, Binary: program(t, "the program")}
		for name, steps := range map[string][]Step{"install": mustNew(t, o).Install(), "purge": mustNew(t, o).Uninstall(true)} {
			got, err := takeAll(t, mustNew(t, o), steps)
			if err == nil || !strings.Contains(err.Error(), "--user") || len(got) != 0 || len(m.ran) != 0 {
				t.Errorf("%s with %+v: %v, %q, %v", name, a, got, m.ran, err)
			}
		}
		if entries, err := os.ReadDir(root); err != nil || len(entries) != 0 {
			t.Errorf("with %+v files were written: %v", a, entries)
		}
	}
	if len(others) != 6 {
		t.Errorf("%d accounts are tried, want 6", len(others))
	}
}

func TestServiceUninstalled(t *testing.T) {
	m, o := installed(t)
	o.Binary = ""
	m.ran = nil
	got, err := takeAll(t, mustNew(t, o), mustNew(t, o).Uninstall(false))
	if err != nil || got.count(Done) != 3 || got.count(Left) != 1 {
		t.Errorf("%v, %v", got, err)
	}
	if want := []string{commandLine(disable), commandLine(daemonReload)}; !slices.Equal(m.ran, want) {
		t.Errorf("ran %q, want %q", m.ran, want)
	}
	if _, err := os.Stat(o.Root + HomePath); err != nil {
		t.Errorf("the record is gone: %v", err)
	}
	m.ran = nil
	got, err = takeAll(t, mustNew(t, o), mustNew(t, o).Uninstall(true))
	if err != nil || got.count(Done) != 2 {
		t.Errorf("%v, %v", got, err)
	}
	if !slices.Equal(m.ran, []string{"userdel countersign"}) {
		t.Errorf("ran %q", m.ran)
	}
	m.ran = nil
	got, err = takeAll(t, mustNew(t, o), mustNew(t, o).Uninstall(true))
	if err != nil || got.count(Already) != len(got) || len(m.ran) != 0 {
		t.Errorf("the second time something was left to do: %v, %q, %v", got, m.ran, err)
	}
}

// TestHomeOfAnother holds the installer to a folder with somebody's files in it.
func TestHomeOfAnother(t *testing.T) {
	m, o := installed(t)
	home := filepath.Join(o.Root, HomePath)
	if err := os.WriteFile(home+"/countersign.db", []byte("rows"), 0o600); err != nil {
		t.Fatal(err)
	}
	a := m.accounts[DefaultUser]
	a.UID--
	if os.Getuid() != 0 {
		// Owners are left alone there, and so is the folder.
		t.Log("not root: only that the folder stays as it is")
	}
	m.accounts[DefaultUser] = a
	_, err := takeAll(t, mustNew(t, o), mustNew(t, o).Install())
	if os.Getuid() == 0 && (err == nil || !strings.Contains(err.Error(), "chown -R")) {
		t.Errorf("a folder of another user was taken: %v", err)
	}
	wantText(t, home+"/countersign.db", "rows")
}
