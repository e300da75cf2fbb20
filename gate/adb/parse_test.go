package adb

import (
	"bytes"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/countersign/countersign/command"
	"github.com/countersign/countersign/wire"
)

func TestPlainWords(t *testing.T) {
	cases := []struct {
		line string
		want []string // nil for a line that is not plain
	}{
		{"input tap 1 2", []string{"input", "tap", "1", "2"}},
		{"  'input'  \"tap\" 1", []string{"input", "tap", "1"}},
		{"a'b'c", []string{"abc"}},
		{"am start &", []string{"am", "start"}},
		{"x >/dev/null 2>&1 &", []string{"x"}},
		{"x ''", []string{"x", ""}},
		{"", nil},
		{"a; b", nil},
		{"a | b", nil},
		{"a $b", nil},
		{"a `b`", nil},
		{"a \"$b\"", nil},
		{"a \\b", nil},
		{"a 'b", nil},
		{"a > b", nil},
		{"a < b", nil},
		{"a\nb", nil},
		{"a 'b\nc'", nil},
		{"a *", nil},
		{"a {b,c}", nil},
		{"a ~", nil},
		{"# a", nil},
		{"a ü", nil},
		{"a && b", nil},
		{"(a)", nil},
	}
	for _, c := range cases {
		got, ok := plainWords(c.line)
		if ok != (c.want != nil) || ok && !slices.Equal(got, c.want) {
			t.Errorf("%q: %q, %v", c.line, got, ok)
		}
	}
	if len(cases) != 25 {
		t.Errorf("%d cases", len(cases))
	}
}

// A word that is quoted is one word to package command, whatever is in it.
func FuzzQuote(f *testing.F) {
	for _, seed := range []string{"", "a", "a b", "'", `\`, "$(reboot)", "\n", "a'; reboot; '", "~", "{a,b}"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, word string) {
		if strings.ContainsFunc(word, func(r rune) bool { return r < ' ' && r != '\n' || r == 0x7f }) || !utf8.ValidString(word) || len(word) > 1000 {
			return // such a line is opaque as a whole
		}
		effects := command.Shell("echo " + quote(word))
		if len(effects) != 1 || effects[0].Term != "echo" {
			t.Errorf("%q as %s: %+v", word, quote(word), effects)
		}
	})
}

func TestFocus(t *testing.T) {
	cases := []struct {
		name, out string
		want      focus
		fails     bool
	}{
		{"Android 13", "  mCurrentFocus=Window{3f1c u0 com.a.b/com.a.b.Main}\n", focus{window: "Window{3f1c u0 com.a.b/com.a.b.Main}", app: "com.a.b", activity: "com.a.b.Main"}, false},
		{"with its size", "cur=1080x2400 app=1x1\n mCurrentFocus=Window{3f u0 a.b/.C}\n", focus{window: "Window{3f u0 a.b/.C}", app: "a.b", activity: ".C", width: 1080, height: 2400}, false},
		{"turned", "mRotation=1\nmCurrentFocus=Window{3f u0 a.b/.C}\n", focus{window: "Window{3f u0 a.b/.C}", app: "a.b", activity: ".C", rotation: 1}, false},
		{"turned, newer", "mCurrentRotation=ROTATION_270\nmCurrentFocus=Window{3f u0 a.b/.C}\n", focus{window: "Window{3f u0 a.b/.C}", app: "a.b", activity: ".C", rotation: 3}, false},
		{"the shade", "mCurrentFocus=Window{9 u0 NotificationShade}\n", focus{window: "Window{9 u0 NotificationShade}"}, false},
		{"a dialog of the system", "mCurrentFocus=Window{9 u0 Application Not Responding: a.b}\n", focus{window: "Window{9 u0 Application Not Responding: a.b}"}, false},
		{"two displays", "mCurrentFocus=null\nmCurrentFocus=Window{9 u0 a.b/.C}\n", focus{window: "Window{9 u0 a.b/.C}", app: "a.b", activity: ".C"}, false},
		{"no window", "mCurrentFocus=null\n", focus{}, true},
		{"nothing", "", focus{}, true},
		{"an error", "Can't find service: window\n", focus{}, true},
	}
	for _, c := range cases {
		got, err := readFocus(c.out)
		if got != c.want || (err != nil) != c.fails {
			t.Errorf("%s: %+v, %v", c.name, got, err)
		}
	}
	if len(cases) != 10 {
		t.Errorf("%d cases", len(cases))
	}
	f := focus{rotation: 1}
	f.readSize("Physical size: 1080x2400\nOverride size: 720x1600\n")
	if f.width != 1600 || f.height != 720 {
		t.Errorf("%dx%d", f.width, f.height)
	}
}

// FuzzService holds a sorted service against what adbd would make of it: what is
// sorted as something harmless keeps every byte, and a line is never shorter than
// what runs.
func FuzzService(f *testing.F) {
	for _, seed := range []string{"shell:ls", "shell,v2,TERM=xterm,raw:a:b", "exec:x", "abb_exec:a\x00b", "sync:", "tcp:1", "reboot:", "tcpip:5555",
		"reverse:forward:a;b", "framebuffer:", "shell,v9:x", "shellx:", ":", "", "localabstract:x", "dev:/x"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		s := parseService(raw)
		if s.raw != raw {
			t.Fatalf("%q was altered to %q", raw, s.raw)
		}
		name, rest, _ := strings.Cut(raw, ":")
		switch s.kind {
		case kindUnknown, kindBypass, kindLine, kindReverse, kindPicture, kindFiles:
		case kindShell:
			if s.line != rest || !strings.HasPrefix(name, "shell") && name != "exec" {
				t.Errorf("%q is the line %q", raw, s.line)
			}
			if strings.HasPrefix(name, "shell") != strings.HasPrefix(raw, "shell") || s.v2 != slices.Contains(strings.Split(name, ","), "v2") {
				t.Errorf("%q is sorted as %+v", raw, s)
			}
		case kindBinder:
			if strings.Count(s.line, "'")%2 == 1 && !strings.Contains(raw, "'") {
				t.Errorf("%q is the line %q", raw, s.line)
			}
		case kindStream:
			if s.target != raw || !streams[name] {
				t.Errorf("%q goes to %q", raw, s.target)
			}
		default:
			t.Errorf("%q is of kind %d", raw, s.kind)
		}
		if strings.IndexByte(raw, 0) >= 0 && s.kind != kindBinder && s.kind != kindUnknown {
			t.Errorf("%q with a NUL is of kind %d", raw, s.kind)
		}
	})
}

// FuzzStdinLines types a text in pieces. What goes on to the phone is a beginning
// of what was typed, in the same bytes, made of the commands that were judged; no
// command ends inside a quote or goes on in the next line.
func FuzzStdinLines(f *testing.F) {
	for _, seed := range []string{"ls\n", "echo 'a\nb'\nls\n", "a \\\nb\n", "cat <<E\nx\nE\nls\n", "\n\n#x\n", "if true\nthen\nls\nfi\n", "a |\nb\n", "'", "a\\\\\n"} {
		f.Add(seed, 3, true)
	}
	f.Fuzz(func(t *testing.T, text string, piece int, plain bool) {
		if len(text) > 400 {
			return
		}
		piece = max(1, min(piece, 64))
		var a assembler
		var units []string
		rest := text
		var err error
		for len(rest) > 0 && err == nil {
			n := min(piece, len(rest))
			err = a.feed([]byte(rest[:n]), plain, func(unit string) error {
				units = append(units, unit)
				return nil
			})
			rest = rest[n:]
		}
		typed := strings.Join(units, "")
		if !strings.HasPrefix(text, typed) {
			t.Fatalf("%q became %q", text, units)
		}
		for _, unit := range units {
			if !strings.HasSuffix(unit, "\n") || !whole(unit) {
				t.Errorf("%q is no whole command", unit)
			}
		}
		if err == nil && typed+a.rest() != text {
			t.Errorf("%q lost something: %q", text, units)
		}
		var again []string
		var b assembler
		if b.feed([]byte(text), plain, func(unit string) error { again = append(again, unit); return nil }); err == nil && !slices.Equal(units, again) {
			t.Errorf("in pieces of %d it is %q, at once %q", piece, units, again)
		}
	})
}

func TestWhole(t *testing.T) {
	for text, want := range map[string]bool{
		"ls\n": true, "\n": true, "# it's\n": true, "# x \\\n": false, "echo a\\\n": false, "echo a\\\\\n": true, "echo 'a\n": false,
		"echo \"a\n": false, "if true\n": false, "{ ls\n": false, "a &&\n": false, "a |\n": false, "cat <<E\n": false, "cat <<E\nE\n": true,
		"for i in 1\n": false, "$(ls\n": false, "`ls\n": false, "ls;\n": true, "ls &\n": true,
	} {
		if whole(text) != want {
			t.Errorf("%q: whole is %v", text, !want)
		}
	}
}

// The exit of a command is seen however its packets are cut.
func TestExitSeen(t *testing.T) {
	var b bytes.Buffer
	for _, p := range []struct {
		id   wire.ShellID
		data string
	}{{wire.ShellStdout, "\x03\x03\x03"}, {wire.ShellStderr, ""}, {wire.ShellStdout, strings.Repeat("\x03", 300)}} {
		if err := wire.WriteShellPacket(&b, p.id, []byte(p.data)); err != nil {
			t.Fatal(err)
		}
	}
	for _, size := range []int{1, 2, 3, 5, 7, 1000} {
		e := &exitSeen{}
		for data := b.Bytes(); len(data) > 0; data = data[min(size, len(data)):] {
			e.Write(data[:min(size, len(data))])
		}
		if e.seen {
			t.Errorf("by %d: an exit among the output", size)
		}
		if e.Write([]byte{3, 1, 0, 0, 0, 0}); !e.seen {
			t.Errorf("by %d: no exit", size)
		}
	}
}
