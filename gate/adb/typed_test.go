package adb_test

import (
	"encoding/binary"
	"slices"
	"strings"
	"testing"

	"github.com/countersign/countersign/approval"
)

// stdin is text as packets of the shell protocol, each of at most n bytes, and the
// end of the input behind it.
func stdin(text string, n int) string {
	var b []byte
	for len(text) > 0 {
		piece := text[:min(n, len(text))]
		text = text[len(piece):]
		b = binary.LittleEndian.AppendUint32(append(b, 0), uint32(len(piece)))
		b = append(b, piece...)
	}
	return string(append(b, 4, 0, 0, 0, 0))
}

func TestTyped(t *testing.T) {
	cases := []struct {
		name, input string
		want        []string // what the phone's shell gets
		refused     string   // a part of what the client is told; empty when all passes
	}{
		{"lines that read", "getprop a\nwm size\n", []string{"getprop a\n", "wm size\n"}, ""},
		{"no line break at the end", "getprop a\nwm size", []string{"getprop a\n", "wm size"}, ""},
		{"nothing", "", nil, ""},
		{"empty lines and comments", "\n# what\ngetprop a\n", []string{"\n", "# what\n", "getprop a\n"}, ""},
		{"a tap that is harmless", "input tap 150 350\n", []string{"input tap 150 350\n"}, ""},
		{"a tap that is not", "input tap 950 2150\ngetprop a\n", nil, "not answered yet"},
		{"what stands behind a refused line is not run", "getprop a\ntcpip 5555\ngetprop b\n", []string{"getprop a\n"}, "Refused."},
		{"a quote over lines", "echo 'a\ninput tap 950 2150'\n", []string{"echo 'a\ninput tap 950 2150'\n"}, ""},
		{"a line that goes on", "input tap 950 \\\n2150\n", nil, "not answered yet"},
		{"two backslashes end", "echo a\\\\\ngetprop a\n", []string{"echo a\\\\\n"}, "not answered yet"}, // not a plain line: what follows is asked about
		{"a pipe that goes on", "echo a |\nsh\n", nil, "not answered yet"},
		{"a document", "cat <<E\ninput tap 950 2150\nE\n", []string{"cat <<E\ninput tap 950 2150\nE\n"}, ""},
		{"one that eats the next line", "dd bs=1 count=5\necho input tap 950 2150\n", []string{"dd bs=1 count=5\n"}, "not answered yet"},
		{"one that reads a word of it", "read x\ngetprop a\n", []string{"read x\n"}, "not answered yet"},
		{"one that changes later words", "X=input\ngetprop a\n", []string{"X=input\n"}, "not answered yet"},
		{"a press behind one that takes long", "sleep 60\ninput tap 150 350\n", []string{"sleep 60\n"}, "not answered yet"},
		{"a press behind another", "input tap 150 350\ninput tap 150 350\n", []string{"input tap 150 350\n"}, "not answered yet"},
		{"a key of a terminal", "getprop a\x03\n", nil, "cannot be typed"},
		{"a carriage return", "input tap 150 350\rinput tap 950 2150\n", nil, "cannot be typed"},
		{"one that never ends", "echo '" + strings.Repeat("a\n", 200), nil, "does not end"},
		{"one that is too long", "echo " + strings.Repeat("a", 20<<10) + "\n", nil, "bytes"},
		{"a shell in the shell", "sh\ngetprop a\n", nil, "not answered yet"},
	}
	for _, c := range cases {
		for _, piece := range []int{1, 1 << 16} {
			f := newFixture(t, hurried)
			f.twoButtons()
			r := f.serve("shell,v2,raw:", stdin(c.input, piece))
			f.phone.idle()
			var got []string
			for _, what := range f.phone.record() {
				if line, ok := strings.CutPrefix(what, "typed "); ok {
					got = append(got, line)
				}
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("%s, by %d: the phone's shell got %q", c.name, piece, got)
			}
			if (c.refused == "") != r.passed() || !strings.Contains(r.errOut, c.refused) || c.refused != "" && r.exit != 126 {
				t.Errorf("%s, by %d: the client was told %+v", c.name, piece, r)
			}
		}
	}
	if len(cases) != 22 {
		t.Errorf("%d cases", len(cases))
	}
}

// A shell of version 1 has no end of input but the client's own: it types while it
// is there.
func TestTypedV1(t *testing.T) {
	for _, service := range []string{"shell:", "exec:", "shell,raw:"} {
		f := newFixture(t)
		f.twoButtons()
		c := f.begin(service, "getprop a\nexit\n")
		if r := c.wait(); r.refused != "" {
			t.Errorf("%q was told %+v", service, r)
		}
		f.phone.idle()
		if got := strings.Join(f.phone.record(), "|"); got != service+"|typed getprop a\n|typed exit\n" {
			t.Errorf("%q: the phone got %q", service, got)
		}
	}
	f := newFixture(t, hurried)
	f.twoButtons()
	if r := f.serve("shell:", "input text ü\n"); !strings.Contains(r.out, "Only ASCII") {
		t.Errorf("told %+v", r)
	}
	if r := f.serve("shell:", "getprop a\tb\n"); !strings.Contains(r.out, "cannot be typed") {
		t.Errorf("told %+v", r)
	}
	if got := f.phone.record(); len(got) > 0 {
		t.Errorf("the phone got %q", got)
	}
}

// A typed line is held like any other: gone while it is held, it never runs.
func TestTypedGone(t *testing.T) {
	f := newFixture(t)
	f.twoButtons()
	c := f.begin("shell,v2,raw:", strings.TrimSuffix(stdin("input tap 950 2150\n", 100), "\x04\x00\x00\x00\x00"))
	q := f.question()
	c.hangUp()
	f.settled(q.ID, approval.Cancelled)
	c.wait()
	if got := f.phone.record(); len(got) > 0 {
		t.Errorf("the phone got %q", got)
	}
	c = f.begin("shell,v2,raw:", stdin("input tap 950 2150\n", 100))
	f.answer(f.question(), true)
	if r := c.wait(); r.exit != 0 {
		t.Errorf("after a yes: %+v", r)
	}
	f.phone.idle()
	if got := f.phone.record(); !slices.Equal(got, []string{"shell,v2,raw:", "typed input tap 950 2150\n"}) {
		t.Errorf("the phone got %q", got)
	}
}

// In observe mode also what cannot be taken apart goes on, in the same bytes.
func TestTypedObserved(t *testing.T) {
	for _, input := range []string{"input tap 950 2150\ngetprop a\x03b\nrest", "echo " + strings.Repeat("x", 20<<10) + "\nls\n", strings.Repeat("echo '\n", 301)} {
		for _, piece := range []int{3, 1 << 16} {
			f := newFixture(t, observing)
			f.twoButtons()
			r := f.serve("shell,v2,raw:", stdin(input, piece))
			f.phone.idle()
			var got strings.Builder
			for _, what := range f.phone.record() {
				got.WriteString(strings.TrimPrefix(strings.TrimPrefix(what, "shell,v2,raw:"), "typed "))
			}
			if got.String() != input || r.exit != 0 {
				t.Errorf("%.30q by %d became %.60q: %+v", input, piece, got.String(), r)
			}
		}
	}
}
