//go:build linux

package install

import (
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/countersign/countersign/daemon"
	"github.com/countersign/countersign/identity"
)

var update = flag.Bool("update", false, "write the golden plans anew")

// TestPlans holds the whole of what is done to a machine to a text that a person
// has read.
func TestPlans(t *testing.T) {
	plans := []struct {
		file    string
		options Options
		steps   func(*Installation) []Step
	}{
		{"install", Options{}, (*Installation).Install},
		{"install-agent", Options{User: "guard", Observe: true, AgentFor: "robot"}, (*Installation).Install},
		{"install-root", Options{Root: "/stage"}, (*Installation).Install},
		{"install-adb", Options{AgentFor: "robot", ADB: &ADB{Group: "plugdev", Caller: "alice", Connect: []string{"192.168.1.20:5555"}}}, (*Installation).Install},
		{"install-adb-root", Options{Root: "/stage", ADB: &ADB{Group: StagedGroup(), Device: "127.0.0.1:5580"}}, (*Installation).Install},
		{"uninstall", Options{}, func(i *Installation) []Step { return i.Uninstall(false) }},
		{"uninstall-purge", Options{}, func(i *Installation) []Step { return i.Uninstall(true) }},
		{"uninstall-root", Options{Root: "/stage"}, func(i *Installation) []Step { return i.Uninstall(true) }},
	}
	for _, p := range plans {
		t.Run(p.file, func(t *testing.T) {
			p.options.Binary = "/download/countersign"
			if p.options.Root == "" {
				p.options.Machine = newPretend("")
			}
			var got strings.Builder
			if err := Show(&got, p.steps(mustNew(t, p.options))); err != nil {
				t.Fatal(err)
			}
			path := "testdata/" + p.file + ".txt"
			if *update {
				if err := os.WriteFile(path, []byte(got.String()), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if got.String() != string(want) {
				t.Errorf("the plan is not the one in %s (-update writes it anew):\n%s", path, difference(string(want), got.String()))
			}
		})
	}
	if files, err := os.ReadDir("testdata"); err != nil || len(files) != len(plans) {
		t.Errorf("testdata has %d files for %d plans (%v)", len(files), len(plans), err)
	}
}

func TestOptions(t *testing.T) {
	m := newPretend("")
	bad := []struct {
		o   Options
		say string
	}{
		{Options{}, "--root"},
		{Options{Machine: m, User: "root"}, "--user"},
		{Options{Machine: m, User: "a b"}, "no name"},
		{Options{Machine: m, User: "-x"}, "no name"},
		{Options{Machine: m, User: "a%n"}, "no name"},
		{Options{Machine: m, User: "a\nExecStart=/bin/sh"}, "no name"},
		{Options{Machine: m, User: strings.Repeat("a", 32)}, "no name"},
		{Options{Machine: m, AgentFor: "../x"}, "no name"},
		{Options{Machine: m, AgentFor: "."}, "no name"},
		{Options{Machine: m, AgentFor: "root"}, "of its own"},
		{Options{Machine: m, AgentFor: DefaultUser}, "of its own"},
		{Options{Root: "/stage", AgentFor: "robot"}, "--root"},
		{Options{Root: "/"}, "leave --root out"},
		{Options{Root: "/stage/.."}, "leave --root out"},
	}
	for _, c := range bad {
		if _, err := New(c.o); err == nil || !strings.Contains(err.Error(), c.say) {
			t.Errorf("%+v: %v, want something with %q", c.o, err, c.say)
		}
	}
	if len(bad) != 14 {
		t.Errorf("%d bad options are tried, want 14", len(bad))
	}
	for _, name := range []string{"robot", "Robot.Two", "_x-1"} {
		if _, err := New(Options{Machine: m, AgentFor: name}); err != nil {
			t.Errorf("agent for %q: %v", name, err)
		}
	}
}

// TestSharedWords holds the words that this package does not import to those
// who own them.
func TestSharedWords(t *testing.T) {
	if separate != string(identity.SeparateUser) {
		t.Errorf("the level is %q here and %q there", separate, identity.SeparateUser)
	}
	if agentToken != daemon.AgentTokenFile {
		t.Errorf("the credential is %q here and %q there", agentToken, daemon.AgentTokenFile)
	}
	if daemon.DefaultAgents != "127.0.0.1:8787" {
		t.Errorf("the guard is asked on port 8787, it listens on %s", daemon.DefaultAgents)
	}
	level, why := identity.DetectLevel(identity.Facts{UID: firstPerson - 1, Shell: newPretend("").NoLogin(), DataOwner: firstPerson - 1,
		DataMode: os.ModeDir | 0o700, BinaryMode: 0o755, BinaryFixed: true, AgentsReach: true})
	if level != identity.SeparateUser {
		t.Errorf("what is installed is at level %s: %s", level, why)
	}
}

// TestRecipe holds the page to the plan: whoever follows it by hand does the same
// in the same order.
func TestRecipe(t *testing.T) {
	page, err := os.ReadFile("../../docs/separate-user.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, ok := strings.Cut(string(page), "\n## By hand\n")
	if !ok {
		t.Fatal("the page has no part for doing it by hand")
	}
	commands := 0
	for _, s := range mustNew(t, Options{Machine: newPretend(""), Binary: "./countersign", AgentFor: "robot"}).Install() {
		for _, c := range s.Commands {
			commands++
			if _, rest, ok = strings.Cut(rest, "\n    "+c+"\n"); !ok {
				t.Fatalf("the page does not have, or not in this place: %s", c)
			}
			rest = "\n" + rest
		}
	}
	if commands != 7 {
		t.Errorf("%d commands, want 7", commands)
	}
	// With the ADB gate there are these besides.
	for _, s := range mustNew(t, Options{Machine: newPretend(""), Binary: "./countersign", AgentFor: "robot", ADB: &ADB{Group: "plugdev", Caller: "alice"}}).Install() {
		for _, c := range s.Commands {
			commands++
			if !strings.Contains(string(page), "\n    "+c+"\n") {
				t.Errorf("the page does not have: %s", c)
			}
		}
	}
	if commands != 7+7+4 {
		t.Errorf("%d commands, want 18", commands)
	}
	for _, path := range []string{BinaryPath, HomePath, UnitPath, AgentSocket, TokenDir + "/robot.token"} {
		if !strings.Contains(string(page), path) {
			t.Errorf("the page does not name %s", path)
		}
	}
}
