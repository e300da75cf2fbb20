package picture

import (
	"strings"
	"testing"
)

func TestColumns(t *testing.T) {
	cases := []struct {
		text string
		want int
	}{
		{"", 0}, {"Send", 4}, {"été", 3}, {"e\u0301", 1}, {"送信", 4}, {"보내기", 6},
		{"إرسال", 5}, {"ส่ง", 2}, {"📤", 2}, {"Ｐａｙ", 6}, {"\x1b", 0}, {"a\u200bb", 2},
	}
	for _, c := range cases {
		if got := Columns(c.text); got != c.want {
			t.Errorf("Columns(%q) = %d, want %d", c.text, got, c.want)
		}
	}
	if len(cases) != 12 {
		t.Errorf("%d cases ran", len(cases))
	}
}

func TestWrapKeepsToItsRoom(t *testing.T) {
	texts := []string{
		"a", "one two three four five six seven", strings.Repeat("unbroken", 20),
		"明日の会議は十時からです。場所はいつもの部屋で。", "x\xffy", "blank ",
	}
	for _, text := range texts {
		for lines := range 5 {
			for room := px(10); room < px(200); room += px(35) {
				got := wrap(text, px(12), room, lines)
				if len(got) > lines {
					t.Fatalf("wrap(%q) in %d lines made %d", text, lines, len(got))
				}
				for _, line := range got {
					// One character stands even where there is no room for it.
					if breadth(line, px(12)) > room && len([]rune(line)) > 2 {
						t.Errorf("line %q is wider than %v", line, room)
					}
				}
				if n := len(got); n > 0 && !strings.HasSuffix(got[n-1], "…") {
					if strings.Join(strings.Fields(strings.Join(got, "")), "") != strings.ReplaceAll(text, " ", "") {
						t.Errorf("wrap(%q) lost text: %q", text, got)
					}
				}
			}
		}
	}
}

func TestCleanIsIdempotent(t *testing.T) {
	for _, text := range []string{"", " a  b ", "é\u00a0\u00a0x ", "\r\n\t\x00\u202e\ufffe\xff", "\u3164a"} {
		once := clean(text)
		if twice := clean(once); twice != once {
			t.Errorf("clean(%q) = %q, cleaned again %q", text, once, twice)
		}
		for _, r := range once {
			if hidden(r) {
				t.Errorf("clean(%q) leaves %U", text, r)
			}
		}
	}
}
