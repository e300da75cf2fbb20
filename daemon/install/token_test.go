//go:build linux

package install

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// withRobot is an installed guard that has made its first agent's credential,
// on a machine with a user for the agent.
func withRobot(t *testing.T) (*pretend, Options, string) {
	t.Helper()
	m, o := installed(t)
	o.AgentFor = "robot"
	if uid := os.Getuid(); uid != 0 { // who can write files as nobody else
		m.accounts[DefaultUser] = Account{Name: DefaultUser, UID: uid}
	}
	m.accounts["robot"] = Account{Name: "robot", UID: 1001, GID: 1001, Home: "/home/robot", Shell: "/bin/bash"}
	m.groups["robot"] = []string{"robot", "audio"}
	from := filepath.Join(o.Root, HomePath, agentToken)
	writeToken(t, m, from, "the token\n")
	return m, o, from
}

// takeAgentSteps takes the last steps of an installation. The steps before refuse
// a service user such as the test's own.
func takeAgentSteps(t *testing.T, o Options) (outcome, error) {
	t.Helper()
	i := mustNew(t, o)
	return takeAll(t, i, []Step{i.harmless(), i.token()})
}

// writeToken writes a file as the service user does.
func writeToken(t *testing.T, m *pretend, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if a := m.accounts[DefaultUser]; os.Getuid() == 0 {
		if err := os.Chown(path, a.UID, a.GID); err != nil {
			t.Fatal(err)
		}
	}
}

func TestToken(t *testing.T) {
	m, o, from := withRobot(t)
	path := filepath.Join(o.Root, TokenDir, "robot.token")
	for _, text := range []string{"the token\n", "another token\n"} { // another one after it was revoked
		writeToken(t, m, from, text)
		got, err := takeAgentSteps(t, o)
		if err != nil || got.count(Done) != 1 || got.count(Left) != 0 {
			t.Fatalf("%v, %v", got, err)
		}
		wantText(t, path, text)
		info, err := os.Lstat(path)
		if err != nil || info.Mode() != 0o400 {
			t.Errorf("mode %v, %v", info.Mode(), err)
		}
		if uid, gid := ownerOf(info); os.Getuid() == 0 && (uid != 1001 || gid != 0) {
			t.Errorf("the credential belongs to %d:%d", uid, gid)
		}
		got, err = takeAgentSteps(t, o)
		if err != nil || got.count(Already) != len(got) {
			t.Errorf("the second run did something: %v, %v", got, err)
		}
	}
	m.accounts[DefaultUser] = Account{Name: DefaultUser, UID: 997, Home: HomePath, Shell: m.NoLogin()}
	if got, err := takeAll(t, mustNew(t, o), mustNew(t, o).Uninstall(true)); err != nil || got.count(Done) != 6 {
		t.Errorf("purge: %v, %v", got, err)
	}
	if _, err := os.Stat(filepath.Join(o.Root, "/etc/countersign")); err == nil {
		t.Error("the folder of the credentials is left")
	}
}

func TestTokenNotMadeYet(t *testing.T) {
	m, o, from := withRobot(t)
	m.systemd = false
	if err := os.Remove(from); err != nil {
		t.Fatal(err)
	}
	step := mustNew(t, o).token()
	r, note, err := step.take(t.Context())
	if err != nil || r != Left || !strings.Contains(note, "install --agent-for robot") {
		t.Errorf("%s, %q, %v", r, note, err)
	}
}

// TestTokenOfAnother plays a service user that was taken over and wants root to
// hand out something else.
func TestTokenOfAnother(t *testing.T) {
	secret := program(t, "root's secret")
	tricks := map[string]func(*pretend, string) error{
		"link":   func(_ *pretend, from string) error { return os.Symlink(secret, from) },
		"folder": func(_ *pretend, from string) error { return os.Mkdir(from, 0o700) },
		"empty":  func(m *pretend, from string) error { writeToken(t, m, from, ""); return nil },
		"long": func(m *pretend, from string) error {
			writeToken(t, m, from, strings.Repeat("x", maxToken+1))
			return nil
		},
	}
	if os.Getuid() == 0 {
		tricks["hard link"] = func(_ *pretend, from string) error { return os.Link(secret, from) }
	}
	for name, trick := range tricks {
		m, o, from := withRobot(t)
		if err := os.Remove(from); err != nil {
			t.Fatal(err)
		}
		if err := trick(m, from); err != nil {
			t.Fatal(err)
		}
		if _, err := takeAgentSteps(t, o); err == nil || name == "folder" && !strings.Contains(err.Error(), "is no file of") {
			t.Errorf("%s: it was copied, or refused for another reason: %v", name, err)
		}
		if _, err := os.Lstat(filepath.Join(o.Root, TokenDir)); err == nil {
			t.Errorf("%s: something was written", name)
		}
	}
}

func TestAgentsUser(t *testing.T) {
	m, o, _ := withRobot(t)
	path := filepath.Join(o.Root, TokenDir, "robot.token")
	m.groups["robot"] = []string{"robot", "docker", "sudo", DefaultUser}
	step := mustNew(t, o).harmless()
	r, note, err := step.take(t.Context())
	if err != nil || r != Left || !strings.Contains(note, "docker, sudo, countersign") {
		t.Errorf("a mighty user: %s, %q, %v", r, note, err)
	}
	m.accounts["robot"] = Account{Name: "robot"} // another name for root
	if got, err := takeAgentSteps(t, o); err == nil || len(got) != 0 {
		t.Errorf("root under another name: %v, %v", got, err)
	}
	delete(m.accounts, "robot")
	if got, err := takeAgentSteps(t, o); err == nil || len(got) != 0 {
		t.Errorf("a user that is not there: %v, %v", got, err)
	}
	if _, err := os.Lstat(path); err == nil {
		t.Error("a credential was written all the same")
	}
}

// TestOthersOnTheWay holds the installer to folders that others can write.
func TestOthersOnTheWay(t *testing.T) {
	if os.Getuid() != 0 {
		dir := t.TempDir()
		if err := onlyRoots(dir); err == nil || !strings.Contains(err.Error(), "belongs to user") {
			t.Errorf("a folder of the test's own user passes: %v", err)
		}
		return
	}
	dir := filepath.Join(t.TempDir(), "usr", "local")
	if err := makeFolders(filepath.Join(dir, "bin")); err != nil {
		t.Fatal(err)
	}
	ways := []struct {
		mode fs.FileMode
		uid  int
		ok   bool
	}{
		{0o755, 0, true}, {0o775, 0, false}, {0o757, 0, false}, {fs.ModeSticky | 0o777, 0, true}, {0o755, 1001, false}, {fs.ModeSticky | 0o777, 1001, false},
	}
	for _, w := range ways {
		if err := os.Chmod(dir, w.mode); err != nil {
			t.Fatal(err)
		}
		if err := os.Chown(dir, w.uid, 0); err != nil {
			t.Fatal(err)
		}
		for _, below := range []string{"", "bin", "bin/not/there"} {
			if err := onlyRoots(filepath.Join(dir, below)); (err == nil) != w.ok {
				t.Errorf("%v of user %d, %q: %v", w.mode, w.uid, below, err)
			}
		}
	}
	if len(ways) != 6 {
		t.Errorf("%d ways, want 6", len(ways))
	}
}
