package shell

import (
	"bytes"
	"context"
	"io"
	"strings"
	"testing"
)

// TestTypedLines types lines into a shell that was started without one.
func TestTypedLines(t *testing.T) {
	cases := []struct {
		name, typed, wrote string
		code               int
	}{
		{"one line", "echo a\n", "a\n", 0},
		{"no end", "echo a", "a\n", 0},
		{"two lines", "echo a\necho b\n", "a\nb\n", 0},
		{"variables last", "x=1\necho $x\n", "1\n", 0},
		{"functions last", "f() {\n echo in $1\n}\nf a\n", "in a\n", 0},
		{"directories last", "cd /sdcard\npwd\n", "/sdcard\n", 0},
		{"aliases last", "alias x='echo al'\nx b\n", "al b\n", 0},
		{"the code of the last", "true\nfalse\n", "", 1},
		{"exit", "echo a\nexit 4\necho b\n", "a\n", 4},
		{"exec", "exec echo last\necho never\n", "last\n", 0},
		{"a loop over lines", "for i in 1 2\ndo\necho $i\ndone\n", "1\n2\n", 0},
		{"an open quote", "echo 'a\nb'\n", "a\nb\n", 0},
		{"a line that goes on", "echo a \\\nb\n", "a b\n", 0},
		{"a backslash for itself", "echo a\\\\\necho b\n", "a\\\nb\n", 0},
		{"a here-document", "cat <<E\none\ntwo\nE\necho three\n", "one\ntwo\nthree\n", 0},
		{"an and that goes on", "true &&\necho a\n", "a\n", 0},
		{"a pipe that goes on", "echo a |\ncat\n", "a\n", 0},
		{"a program reads what follows", "cat\nthis is\ninput\n", "this is\ninput\n", 0},
		{"read reads the next line", "read x\nthe line\necho got $x\n", "got the line\n", 0},
		{"head leaves nothing", "echo a; exit 0\n", "a\n", 0},
		{"an unknown program goes on", "nosuch\necho after $?\n", "after 127\n", 0},
		{"a mistake ends it", "echo a\necho )\necho b\n", "a\n", 1},
		{"comments and nothing", "# c\n\n\n   \necho a\n", "a\n", 0},
		{"nothing", "", "", 0},
		{"a here-document without an end", "cat <<E\none\n", "", 1},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			var out bytes.Buffer
			s := &Shell{Phone: newPhone(t)}
			code := s.Interactive(context.Background(), false, strings.NewReader(c.typed), &out, io.Discard)
			if out.String() != c.wrote || code != c.code {
				t.Errorf("wrote %q and ended with %d; %q and %d were expected", out.String(), code, c.wrote, c.code)
			}
		})
	}
	if len(cases) != 25 {
		t.Fatalf("%d cases", len(cases))
	}
}

// TestATerminalPromptsAndForgives: it shows where it is and goes on after a
// mistake.
func TestATerminalPromptsAndForgives(t *testing.T) {
	var out bytes.Buffer
	s := &Shell{Phone: newPhone(t)}
	code := s.Interactive(context.Background(), true, strings.NewReader("cd /sdcard\necho )\nif true\nthen echo a\nfi\nexit 2\n"), &out, &out)
	want := "Sim 1:/ $ Sim 1:/sdcard $ /system/bin/sh: syntax error: "
	if !strings.HasPrefix(out.String(), want) || !strings.HasSuffix(out.String(), "Sim 1:/sdcard $ > > a\nSim 1:/sdcard $ ") || code != 2 {
		t.Errorf("wrote %q and ended with %d", out.String(), code)
	}
}

// TestALineHasItsOwnBounds: a session may go on for ever, a line may not.
func TestALineHasItsOwnBounds(t *testing.T) {
	limits := DefaultLimits
	limits.Steps = 50
	s := &Shell{Phone: newPhone(t), Limits: limits}
	var out bytes.Buffer
	s.Interactive(context.Background(), false, strings.NewReader(strings.Repeat("echo a\n", 200)+"while :; do echo b; done\necho never\n"), &out, io.Discard)
	if n := strings.Count(out.String(), "a\n"); n != 200 || strings.Contains(out.String(), "never") || strings.Count(out.String(), "b\n") > 50 {
		t.Errorf("%d lines ran, and then %q", n, strings.TrimLeft(out.String(), "a\n"))
	}
}
