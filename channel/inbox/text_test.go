package inbox

import (
	"strings"
	"testing"
	"time"
	"unicode"

	"pgregory.net/rapid"

	"github.com/countersign/countersign/risk"
)

// shown is a text as it appears, with marks in brackets.
func shown(t text) string {
	var b strings.Builder
	for i, l := range t.Lines {
		if i > 0 {
			b.WriteByte('\n')
		}
		for _, p := range l {
			if p.Marked {
				b.WriteString("[" + p.Text + "]")
			} else {
				b.WriteString(p.Text)
			}
		}
	}
	return b.String()
}

func TestMarks(t *testing.T) {
	of := func(signal risk.Signal, match string, start, end int) risk.Evidence {
		return risk.Evidence{Signal: signal, Match: match, Start: start, End: end, Layer: risk.LayerTerm}
	}
	tests := []struct {
		name, text string
		evidence   []risk.Evidence
		want       string
	}{
		{"where it says", "pay and pay", []risk.Evidence{of(risk.SignalText, "pay", 8, 11)}, "pay and [pay]"},
		{"elsewhere", "please pay", []risk.Evidence{of(risk.SignalText, "pay", 0, 3)}, "please [pay]"},
		{"everywhere", "pay or pay", []risk.Evidence{of(risk.SignalDescendant, "pay", 5, 8)}, "[pay] or [pay]"},
		{"runes", "«Überweisen»", []risk.Evidence{of(risk.SignalText, "Überweisen", 1, 11)}, "«[Überweisen]»"},
		{"overlap", "send money", []risk.Evidence{of(risk.SignalText, "send mo", 0, 7), of(risk.SignalText, "money", 5, 10)}, "[send money]"},
		{"another signal", "pay", []risk.Evidence{of(risk.SignalResourceID, "pay", 0, 3)}, "pay"},
		{"not there", "ok", []risk.Evidence{of(risk.SignalText, "pay", 0, 3)}, "ok"},
		{"spans out of range", "pay", []risk.Evidence{of(risk.SignalText, "x", -4, 99)}, "pay"},
		{"with padding", "ok      pay", []risk.Evidence{of(risk.SignalText, "pay", 8, 11)}, "ok ⟨6 blanks⟩ [pay]"},
		{"a control inside", "p\u202eay", []risk.Evidence{of(risk.SignalText, "p\u202eay", 0, 4)}, `[p\u202eay]`},
		{"a shape is no word", "pay", []risk.Evidence{{Signal: risk.SignalText, Match: "pay", End: 3, Layer: risk.LayerStructure}}, "pay"},
		{"nothing", "", []risk.Evidence{of(risk.SignalText, "pay", 0, 3)}, ""},
	}
	for _, tt := range tests {
		if got := shown(oneLine(tt.text, marksOf(tt.text, tt.evidence, inLabel)...)); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
	if len(tests) != 12 {
		t.Errorf("%d cases, want 12", len(tests))
	}
}

func TestLines(t *testing.T) {
	tests := []struct{ text, want string }{
		{"one", "one"},
		{"rm a\nrm b", "rm a↵\nrm b"},
		{"a\n\nb", "a↵\n↵\nb"},
		{"a\n" + strings.Repeat("\n", 300) + "b", "a↵\n⟨300 empty lines⟩\nb"},
		{"a\n" + strings.Repeat(" \u00a0\n", 9) + "b", "a↵\n⟨9 empty lines⟩\nb"},
		{"end\n", "end↵\n"},
		{"\r\nx", "\\u000d↵\nx"},
	}
	for _, tt := range tests {
		if got := shown(lines(tt.text)); got != tt.want {
			t.Errorf("%q: %q, want %q", tt.text, got, tt.want)
		}
	}
	if len(tests) != 7 {
		t.Errorf("%d cases, want 7", len(tests))
	}
}

// visibleOnly are the characters of a text that draw something by themselves,
// without ours.
func visibleOnly(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) && r < 0x3000 {
			return r
		}
		return -1
	}, s)
}

// TestNothingIsLost: whatever is marked, and however a text is broken into
// lines, its letters stand there in order.
func TestNothingIsLost(t *testing.T) {
	letters := rapid.StringOf(rapid.RuneFrom([]rune("abÜж \n\t\u00a0")))
	rapid.Check(t, func(t *rapid.T) {
		s := letters.Draw(t, "text")
		n := len([]rune(s))
		var marks []span
		for range rapid.IntRange(0, 3).Draw(t, "marks") {
			from := rapid.IntRange(0, n).Draw(t, "from")
			marks = append(marks, span{from, rapid.IntRange(from, n).Draw(t, "to")})
		}
		marks = joined(marks)
		for _, shape := range []text{oneLine(s, marks...), lines(s, marks...)} {
			got := strings.NewReplacer("blanks", "", "empty lines", "").Replace(shown(shape))
			if visibleOnly(got) != visibleOnly(s) {
				t.Fatalf("%q is shown as %q", s, got)
			}
		}
		marked := 0
		for _, p := range oneLine(s, marks...).Lines[0] {
			if p.Marked {
				marked += len(visibleOnly(strings.ReplaceAll(p.Text, "blanks", "")))
			}
		}
		want := 0
		for i, r := range []rune(s) {
			if inside(marks, i) {
				want += len(visibleOnly(string(r)))
			}
		}
		if marked != want {
			t.Fatalf("%q with %v: %d bytes are marked, want %d", s, marks, marked, want)
		}
	})
}

func TestGlance(t *testing.T) {
	long := strings.Repeat("a", 1000)
	tests := []struct {
		name, text string
		marks      []span
		want       []string
		most       int
	}{
		{"a mark at the end", long + "rm -rf /sdcard", []span{{1000, 1014}}, []string{"[rm -rf /sdcard]", "(970 more characters)"}, 120},
		{"a mark at the beginning", "rm -rf /sdcard" + long, []span{{0, 14}}, []string{"[rm -rf /sdcard]", "(970 more characters)"}, 120},
		{"two marks", "xx" + long + "yy", []span{{0, 2}, {1002, 1004}}, []string{"[xx]", "[yy]"}, 160},
		{"a long mark", "b" + long + "c", []span{{0, 1002}}, []string{"[b", "c]"}, 260},
		{"no mark", "begin" + long + "end", nil, []string{"begin", "end"}, 200},
	}
	for _, tt := range tests {
		got := shown(glance(tt.text, tt.marks))
		for _, want := range tt.want {
			if !strings.Contains(got, want) {
				t.Errorf("%s: %q has no %q", tt.name, got, want)
			}
		}
		if n := len([]rune(got)); n > tt.most {
			t.Errorf("%s: %d characters, want at most %d", tt.name, n, tt.most)
		}
	}
	if len(tests) != 5 {
		t.Errorf("%d cases, want 5", len(tests))
	}
}

func TestLeft(t *testing.T) {
	for d, want := range map[time.Duration]string{
		-time.Hour: "time is over", 0: "time is over", 999 * time.Millisecond: "time is over", time.Second: "1 s left",
		59 * time.Second: "59 s left", 250 * time.Second: "4 min 10 s left", time.Hour: "1 h 00 min left", 26*time.Hour + 61*time.Second: "26 h 01 min left",
	} {
		if got := left(d); got != want {
			t.Errorf("%v: %q, want %q", d, got, want)
		}
	}
}

// TestTheWordsOfTheLayers is the table of DESIGN: each row has a sentence of its
// own, which names the model exactly where it spoke.
func TestTheWordsOfTheLayers(t *testing.T) {
	rows := []struct {
		source risk.Source
		delta  risk.Delta
		model  bool
	}{
		{risk.SourceNone, risk.DeltaNone, false},
		{risk.KeywordGuard, risk.DeltaNone, false},
		{risk.ContextAwareGuard, risk.Added, false},
		{risk.ContextAwareGuard, risk.Suppressed, false},
		{risk.LLMFlagged, risk.DeltaNone, true},
		{risk.LLMFlagged, risk.Suppressed, true},
		{risk.Both, risk.Added, true},
		{risk.Both, risk.DeltaNone, true},
	}
	said := map[string]bool{}
	for _, row := range rows {
		words := asked(risk.Money, row.source, row.delta)
		if strings.Contains(words, "own model") != row.model {
			t.Errorf("%s, %s: %q", row.source, row.delta, words)
		}
		said[words] = true
	}
	if len(said) != 8 {
		t.Errorf("%d sentences for 8 rows", len(said))
	}
}

// FuzzText: however hostile a text is, nothing of it stays invisible, and a label
// stays one line.
func FuzzText(f *testing.F) {
	for _, s := range append(hostileStrings, "", "plain", longCommand) {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		marks := allOf(s, "a")
		label := oneLine(s, marks...)
		if len(label.Lines) != 1 {
			t.Fatalf("%q takes %d lines", s, len(label.Lines))
		}
		for _, shape := range []text{label, lines(s, marks...), glance(s, marks), glance(s, nil)} {
			for _, l := range shape.Lines {
				for _, p := range l {
					if i := strings.IndexFunc(p.Text, invisible); i >= 0 {
						t.Fatalf("%q is shown as %q", s, p.Text)
					}
				}
			}
		}
	})
}

// invisible reports what may not stand in a text that is shown. The joiners are
// spelling in some scripts.
func invisible(r rune) bool {
	return unicode.IsControl(r) || unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp) && r != 0x200c && r != 0x200d || unicode.IsSpace(r) && r != ' '
}
