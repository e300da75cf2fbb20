package main

import (
	"bytes"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/countersign/countersign/picture"
	"github.com/countersign/countersign/risk"
)

// TestTableFitsAnyTerminal draws cells of any text at any width: no line may be
// wider than the terminal, and no text may be lost.
func TestTableFitsAnyTerminal(t *testing.T) {
	cell := rapid.StringOfN(rapid.RuneFrom([]rune("ab é送信إ ่\n”")), 0, 60, -1)
	rapid.Check(t, func(t *rapid.T) {
		tb := table{heads: []string{"node", "verdict", "why"}, limits: []int{6, 12, 0}}
		for range rapid.IntRange(0, 4).Draw(t, "rows") {
			r := row{cells: []string{cell.Draw(t, "a"), cell.Draw(t, "b"), cell.Draw(t, "c")}}
			tb.rows = append(tb.rows, r)
		}
		var out bytes.Buffer
		term := &terminal{width: rapid.IntRange(minWidth, maxWidth).Draw(t, "width")}
		if err := tb.write(term, &out); err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(out.String()) {
			if n := picture.Columns(strings.TrimSuffix(line, "\n")); n > term.width {
				t.Fatalf("%d columns in a terminal of %d: %q", n, term.width, line)
			}
		}
		letters := func(s string) int { return strings.Count(s, "送") + strings.Count(s, "a") + strings.Count(s, "é") }
		want := letters("verdict")
		for _, r := range tb.rows {
			want += letters(strings.Join(r.cells, ""))
		}
		if got := letters(out.String()); got != want {
			t.Fatalf("%d of %d letters are left:\n%s", got, want, out.String())
		}
	})
}

func TestColourIsNeverAlone(t *testing.T) {
	for _, colour := range []bool{true, false} {
		term := &terminal{colour: colour}
		if got := term.paint(red, "! critical"); !strings.Contains(got, "! critical") || strings.Contains(got, "\x1b") != colour {
			t.Errorf("colour %v: %q", colour, got)
		}
	}
}

func TestMarkedShowsTheWordsWhereTheyStand(t *testing.T) {
	cases := []struct {
		text string
		e    risk.Evidence
		want string
	}{
		{"Delete chat", risk.Evidence{Start: 0, End: 6, Match: "Delete"}, "⟦Delete⟧ chat"},
		{"Bitte löschen", risk.Evidence{Start: 6, End: 13, Match: "löschen"}, "Bitte ⟦löschen⟧"},
		{"com.x:id/btn_send", risk.Evidence{Start: 13, End: 17, Match: "send"}, "com.x:id/btn_⟦send⟧"},
		{"今すぐ送信する", risk.Evidence{Start: 3, End: 5, Match: "送信"}, "今すぐ⟦送信⟧する"},
		{"a\x1b[2Jb", risk.Evidence{Start: 0, End: 1, Match: "a"}, `⟦a⟧\u001b[2Jb`},
		{"other text", risk.Evidence{Start: 0, End: 4, Match: "Send"}, "⟦Send⟧"},
		{"short", risk.Evidence{Start: 3, End: 99, Match: "rt"}, "⟦rt⟧"},
		{"", risk.Evidence{Start: -1, End: -1, Match: "x"}, "⟦x⟧"},
	}
	for _, c := range cases {
		if got := marked(&terminal{}, c.text, &c.e); got != c.want {
			t.Errorf("marked(%q) = %q, want %q", c.text, got, c.want)
		}
	}
	if len(cases) != 8 {
		t.Errorf("%d cases ran", len(cases))
	}
}
