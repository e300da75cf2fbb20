package hook_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/countersign/countersign/approval"
	"github.com/countersign/countersign/channel/hook"
	"github.com/countersign/countersign/channel/notice"
	"github.com/countersign/countersign/risk"
	"pgregory.net/rapid"
)

// asProgram as the first argument makes this test binary the program that is
// started: the second says what it does, the third is a file for it.
const asProgram = "as-the-owners-program"

func TestMain(m *testing.M) {
	if len(os.Args) > 3 && os.Args[1] == asProgram {
		os.Exit(beProgram(os.Args[2], os.Args[3]))
	}
	os.Exit(m.Run())
}

// ran is what a program saw of how it was started.
type ran struct {
	Args, Environ []string
	Dir, Input    string
}

// beProgram is the owner's program. It returns its exit code.
func beProgram(does, file string) int {
	switch does {
	case "tell":
		in, err := io.ReadAll(os.Stdin)
		if err != nil {
			return 9
		}
		dir, _ := os.Getwd()
		doc, _ := json.Marshal(ran{os.Args, os.Environ(), dir, string(in)})
		if err := os.WriteFile(file, doc, 0o600); err != nil {
			return 8
		}
	case "fail":
		fmt.Fprint(os.Stderr, "\n  no display\x1b[2J for you\nsecond line\n")
		return 3
	case "fail silently":
		return 4
	case "ignore": // its input
	case "hang":
		time.Sleep(time.Hour)
	case "write": // without end
		for err := error(nil); err == nil; _, err = io.WriteString(os.Stderr, strings.Repeat("more ", 1000)) {
			fmt.Print(strings.Repeat("more ", 1000))
		}
	}
	return 0
}

func program(t testing.TB, does, file string, more ...string) hook.Options {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return hook.Options{
		Command: append([]string{self, asProgram, does, file}, more...),
		Environ: []string{"PATH=/bin", "HOME=/home/me", "DISPLAY=:0", "DBUS_SESSION_BUS_ADDRESS=unix:path=/run/bus", "SECRET=1", "COUNTERSIGN_HOME=/x", "LD_PRELOAD=/evil.so", "PATHS=/y", "home=/z"},
	}
}

func channel(t testing.TB, o hook.Options) *hook.Channel {
	c, err := hook.New(o)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func message(say string) notice.Message { return messageOf(func() string { return say }) }

// messageOf is a message with something said in every field.
func messageOf(say func() string) notice.Message {
	at := time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC)
	return notice.MessageOf(&approval.Approval{
		ID: "a_1", AgentName: say(), Device: say(), CreatedAt: at, Deadline: at.Add(time.Minute),
		Card: approval.Card{
			Category: risk.Message, Tier: risk.High, Reason: say(), App: say(), Package: say(), Label: say(),
			Facts: risk.Facts{Object: say(), Recipient: say(), Text: say(), Amount: &risk.Amount{Value: say(), Currency: say()}},
		},
	}, nil)
}

// tell runs the program and returns what it saw.
func tell(t *rapid.T, c *hook.Channel, file string, m notice.Message) ran {
	if err := c.Tell(t.Context(), m); err != nil {
		t.Fatal(err)
	}
	doc, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var saw ran
	if err := json.Unmarshal(doc, &saw); err != nil {
		t.Fatal(err)
	}
	return saw
}

// mostStarted is how many messages are tried. Each has eleven texts.
const mostStarted = 12

// Whatever a question says, a program is started in one and the same way, and the
// message is on its standard input, as one line of JSON.
func TestHostileTextReachesTheInputOnly(t *testing.T) {
	file := filepath.Join(t.TempDir(), "saw")
	o := program(t, "tell", file, "$(touch pwned)", "a b", "--", "%s")
	c := channel(t, o)
	environ := []string{"PATH=/bin", "HOME=/home/me", "DISPLAY=:0", "DBUS_SESSION_BUS_ADDRESS=unix:path=/run/bus"}
	tried := 0
	rapid.Check(t, func(t *rapid.T) {
		if tried++; tried > mostStarted {
			return // each one starts a program, which takes a second where races are looked for
		}
		say := rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{
			"$(touch pwned)", "`touch pwned`", "; touch pwned", "--help", "-rf", "\x00", "\n\nPATH=/evil", "'\"; touch pwned #", "%s%n", "{{.}}", "https://evil.com", "\u202e", "\xff\xfe",
		}))
		m := messageOf(func() string { return say.Draw(t, "say") })
		saw := tell(t, c, file, m)
		want, err := m.JSON()
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(saw.Args, o.Command) || saw.Input != string(want)+"\n" || filepath.Dir(saw.Dir) != saw.Dir {
			t.Fatalf("started as %q in %q with %q", saw.Args, saw.Dir, saw.Input)
		}
		if !slices.Equal(slices.Sorted(slices.Values(saw.Environ)), slices.Sorted(slices.Values(environ))) {
			t.Fatalf("its environment is %q", saw.Environ)
		}
		if strings.Count(saw.Input, "\n") != 1 || bytes.ContainsFunc([]byte(saw.Input[:len(saw.Input)-1]), func(r rune) bool { return r < ' ' }) || strings.Contains(saw.Input, "://") {
			t.Fatalf("its input is %q", saw.Input)
		}
	})
	if tried < mostStarted {
		t.Errorf("tried %d texts", tried)
	}
}

// A guard without any of the variables hands on none, not all of its own.
func TestEmptyEnvironment(t *testing.T) {
	file := filepath.Join(t.TempDir(), "saw")
	o := program(t, "tell", file)
	o.Environ = nil
	if err := channel(t, o).Tell(t.Context(), message("x")); err != nil {
		t.Fatal(err)
	}
	doc, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var saw ran
	if err := json.Unmarshal(doc, &saw); err != nil || len(saw.Environ) != 0 {
		t.Errorf("its environment is %q, %v", saw.Environ, err)
	}
}

func TestPrograms(t *testing.T) {
	tests := []struct {
		does string
		why  string // how the reason begins; empty where it is told
	}{
		{"ignore", ""},
		{"fail", "the program ended with exit status 3: no display\x1b[2J for you"},
		{"fail silently", "the program ended with exit status 4"},
		{"hang", "the program did not end within 200ms, and was stopped"},
		{"write", "the program did not end within 200ms, and was stopped"},
	}
	for _, test := range tests {
		o := program(t, test.does, "-")
		if strings.Contains(test.why, "200ms") {
			o.Timeout = 200 * time.Millisecond
		}
		err := channel(t, o).Tell(t.Context(), message("x"))
		var f *notice.Failure
		switch {
		case test.why == "":
			if err != nil {
				t.Errorf("%s: %v", test.does, err)
			}
		case !errors.As(err, &f) || !f.Final || f.Why != test.why:
			t.Errorf("%s: %v", test.does, err)
		}
	}
	if len(tests) != 5 {
		t.Errorf("ran %d cases, want 5", len(tests))
	}
}

// What a program complains about is spelled out before anybody sees it.
func TestComplaintsAreSpelledOut(t *testing.T) {
	b, err := notice.New(notice.Options{Now: time.Now, Channels: []notice.Named{{Name: "desk", Channel: channel(t, program(t, "fail", "-"))}}})
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	s, err := b.Test(t.Context(), "desk")
	if err != nil || s.State != notice.Fails || s.Why != `the program ended with exit status 3: no display\u001b[2J for you` {
		t.Errorf("%+v, %v", s, err)
	}
}

func TestNotThere(t *testing.T) {
	for _, path := range []string{filepath.Join(t.TempDir(), "none"), t.TempDir()} {
		err := channel(t, hook.Options{Command: []string{path}}).Tell(t.Context(), message("x"))
		var f *notice.Failure
		if !errors.As(err, &f) || !f.Final || !strings.HasPrefix(f.Why, "the program could not be started: ") {
			t.Errorf("%s: %v", path, err)
		}
	}
}

func TestNewRefuses(t *testing.T) {
	tests := [][]string{nil, {}, {""}, {"notify-send"}, {"./tell"}, {"../bin/tell"}, {"/bin/tell\x00"}, {"/bin/tell", "a\x00b"}}
	for _, command := range tests {
		if _, err := hook.New(hook.Options{Command: command}); !errors.Is(err, hook.ErrCommand) {
			t.Errorf("%q: %v", command, err)
		}
	}
	if len(tests) != 8 {
		t.Errorf("ran %d cases, want 8", len(tests))
	}
}
