//go:build linux

package install

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// section is a section of a unit: each setting with its values, in order.
type section map[string][]string

// parseUnit reads what systemd.syntax(7) allows and we use: sections, settings,
// comments on their own lines. Whatever else it finds it reports.
func parseUnit(t *testing.T, text string) map[string]section {
	t.Helper()
	unit := map[string]section{}
	in := ""
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		switch {
		case line == "" || strings.HasPrefix(line, "#"):
		case strings.HasPrefix(line, "[") && strings.HasSuffix(line, "]"):
			if in = line[1 : len(line)-1]; unit[in] != nil {
				t.Errorf("section %s is there twice", in)
			}
			unit[in] = section{}
		default:
			name, value, ok := strings.Cut(line, "=")
			if !ok || in == "" || strings.TrimSpace(name) != name || name == "" || strings.ContainsAny(value, "%\\\"'#;\t") {
				t.Errorf("line %q is no setting, or has a character that systemd reads otherwise", line)
			}
			unit[in][name] = append(unit[in][name], value)
		}
	}
	return unit
}

func TestUnit(t *testing.T) {
	unit := parseUnit(t, unitFile(&Options{User: "guard"}))
	want := map[string]section{
		"Unit": {"Description": nil, "After": {"network.target"}},
		"Service": {
			"Type": {"exec"}, "User": {"guard"}, "Group": {"guard"},
			"ExecStart": {"/usr/local/bin/countersign up --home /var/lib/countersign --agent-socket /run/countersign/agent.sock"},
			"Restart":   {"on-failure"}, "RestartSec": {"3s"}, "RestartPreventExitStatus": {"2"}, "UMask": {"0077"},
			"StateDirectory": {"countersign"}, "StateDirectoryMode": {"0700"},
			"RuntimeDirectory": {"countersign"}, "RuntimeDirectoryMode": {"0755"},
			"NoNewPrivileges": {"yes"}, "CapabilityBoundingSet": {""}, "AmbientCapabilities": {""},
			"ProtectSystem": {"strict"}, "ProtectHome": {"yes"}, "PrivateTmp": {"yes"}, "PrivateDevices": {"yes"},
			"ProtectProc": {"invisible"}, "ProtectClock": {"yes"}, "ProtectHostname": {"yes"}, "ProtectControlGroups": {"yes"},
			"ProtectKernelLogs": {"yes"}, "ProtectKernelModules": {"yes"}, "ProtectKernelTunables": {"yes"},
			"LockPersonality": {"yes"}, "MemoryDenyWriteExecute": {"yes"}, "RemoveIPC": {"yes"},
			"RestrictAddressFamilies": {"AF_INET AF_INET6 AF_UNIX"}, "RestrictNamespaces": {"yes"},
			"RestrictRealtime": {"yes"}, "RestrictSUIDSGID": {"yes"},
			"SystemCallArchitectures": {"native"}, "SystemCallFilter": {"@system-service"}, "SystemCallErrorNumber": {"EPERM"},
			"LimitCORE": {"0"},
		},
		"Install": {"WantedBy": {"multi-user.target"}},
	}
	for name, settings := range want {
		if len(unit[name]) != len(settings) {
			t.Errorf("[%s] has %d settings, want %d", name, len(unit[name]), len(settings))
		}
		for setting, values := range settings {
			if got := unit[name][setting]; values != nil && !slices.Equal(got, values) {
				t.Errorf("[%s] %s is %q, want %q", name, setting, got, values)
			}
		}
	}
	if len(unit) != len(want) {
		t.Errorf("%d sections, want %d", len(unit), len(want))
	}
	// systemd makes and opens these itself, so they have to be the same ones.
	if HomePath != "/var/lib/"+unit["Service"]["StateDirectory"][0] || filepath.Dir(AgentSocket) != "/run/"+unit["Service"]["RuntimeDirectory"][0] {
		t.Error("the folders in the command line are not those that systemd makes")
	}
}

// TestUnitVerified has systemd itself read the unit, where its tool is; TestUnit
// holds everywhere. Everything it says about a file of ours is a mistake.
func TestUnitVerified(t *testing.T) {
	for _, o := range []Options{{}, {Observe: true}, {ADB: &ADB{}}, {ADB: &ADB{Group: "root", Device: "[::1]:5580", Connect: []string{"[fd00::2]:5555"}}}} {
		o.Root = "/stage"
		text := unitFile(&mustNew(t, o).o)
		tool, err := exec.LookPath("systemd-analyze")
		if err != nil {
			t.Log("systemd-analyze is not on this machine, the unit is read by the test's own parser only")
			parseUnit(t, text)
			continue
		}
		verify := func(text string) string {
			dir := t.TempDir()
			path := filepath.Join(dir, unitName)
			// The program has to be there for it.
			text = strings.Replace(text, "ExecStart="+BinaryPath, "ExecStart="+executable(t), 1)
			if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
			out, err := exec.Command(tool, "verify", path).CombinedOutput()
			if err != nil && len(out) == 0 {
				t.Fatalf("%s verify: %v", tool, err)
			}
			var ours []string
			for line := range strings.Lines(string(out)) {
				if strings.Contains(line, "countersign") {
					ours = append(ours, strings.TrimSpace(line))
				}
			}
			return strings.Join(ours, "\n")
		}
		if said := verify(text); said != "" {
			t.Errorf("systemd says:\n%s", said)
		}
		if said := verify(strings.Replace(text, "ProtectHome=yes", "ProtectHomme=yes", 1)); !strings.Contains(said, "ProtectHomme") {
			t.Errorf("systemd does not see a misspelt setting, so it is no check: %q", said)
		}
	}
}

// TestSeal changes a unit anywhere and wants it to be noticed.
func TestSeal(t *testing.T) {
	if untouched("") || untouched(head) || untouched(head+sealLine) {
		t.Error("nothing passes for a unit")
	}
	rapid.Check(t, func(t *rapid.T) {
		text := unitFile(drawOptions(t))
		if !untouched(text) {
			t.Fatalf("our own unit is taken for an edited one:\n%s", text)
		}
		at := rapid.IntRange(0, len(text)-1).Draw(t, "at")
		c := rapid.Byte().Filter(func(c byte) bool { return c != text[at] }).Draw(t, "byte")
		if changed := text[:at] + string([]byte{c}) + text[at+1:]; untouched(changed) {
			t.Fatalf("byte %d changed and nobody noticed", at)
		}
		if cut := text[:at]; untouched(cut) {
			t.Fatalf("cut at %d and nobody noticed", at)
		}
	})
}

// TestDifference holds the difference to its meaning: without "-" lines the
// first text is left, without "+" lines the second.
func TestDifference(t *testing.T) {
	if got := difference("a\nb\nc\n", "a\nx\nc\nd\n"); got != "- b\n+ x\n+ d\n" {
		t.Errorf("got %q", got)
	}
	line := rapid.SampledFrom([]string{"a", "b", "c", ""})
	rapid.Check(t, func(t *rapid.T) {
		a := rapid.SliceOfN(line, 1, 8).Draw(t, "from")
		b := rapid.SliceOfN(line, 1, 8).Draw(t, "to")
		// A blank last line is one that the text's end would swallow.
		a, b = append(a, "end"), append(b, "end")
		x, y := slices.Clone(a), slices.Clone(b)
		for d := range strings.Lines(difference(strings.Join(a, "\n"), strings.Join(b, "\n"))) {
			d = strings.TrimSuffix(d, "\n")
			from, list := d[:1], &x
			if from == "+" {
				list = &y
			}
			at := slices.Index(*list, d[2:])
			if at < 0 {
				t.Fatalf("%q is in no text", d)
			}
			*list = slices.Delete(*list, at, at+1)
		}
		slices.Sort(x)
		slices.Sort(y)
		if !slices.Equal(x, y) {
			t.Fatalf("what is said to be shared is not: %q and %q", x, y)
		}
	})
}

// drawOptions are options of an installation, as they are after New.
func drawOptions(t *rapid.T) *Options {
	o := Options{Machine: newPretend(""), User: rapid.StringMatching(`[a-z_][a-z0-9_-]{0,30}`).Draw(t, "user"), Observe: rapid.Bool().Draw(t, "observe")}
	if rapid.Bool().Draw(t, "adb") {
		o.ADB = &ADB{Group: rapid.SampledFrom(append(cableGroups, "")).Draw(t, "group"),
			Connect: rapid.SliceOfN(rapid.StringMatching(`[a-z0-9]{1,9}:[1-9][0-9]{0,4}`), 0, 2).Draw(t, "connect")}
	}
	i, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	return &i.o
}
