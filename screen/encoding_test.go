package screen

import (
	"reflect"
	"testing"
	"unicode/utf16"
)

// inUTF16 encodes text as a redirection on Windows does.
func inUTF16(text string, bigEndian, mark bool) string {
	if mark {
		text = byteOrderMark + text
	}
	encoded := make([]byte, 0, 2*len(text))
	for _, unit := range utf16.Encode([]rune(text)) {
		high, low := byte(unit>>8), byte(unit)
		if bigEndian {
			encoded = append(encoded, high, low)
		} else {
			encoded = append(encoded, low, high)
		}
	}
	return string(encoded)
}

func TestUTF16ReadsLikeUTF8(t *testing.T) {
	ran := 0
	for _, file := range []string{"compose_mail.xml", "page_source.xml", "windows.json"} {
		src := readFile(t, file)
		want := readWhole(t, src)
		for _, bigEndian := range []bool{false, true} {
			for _, mark := range []bool{false, true} {
				s := readWhole(t, inUTF16(src, bigEndian, mark))
				if !reflect.DeepEqual(s, want) {
					t.Errorf("%s, big-endian %t, mark %t: another screen", file, bigEndian, mark)
				}
				ran++
			}
		}
	}
	if ran != 12 {
		t.Errorf("%d cases, want 12", ran)
	}
}

func TestLoneSurrogatesInUTF16(t *testing.T) {
	src := []byte(inUTF16(`<hierarchy><node text="a?b??c"/></hierarchy>`, false, true))
	lone := []uint16{0xD83D, 0xDE00, 0xD83D} // the last two are in the wrong order
	for i := range src {
		if src[i] == '?' {
			src[i], src[i+1] = byte(lone[0]), byte(lone[0]>>8)
			lone = lone[1:]
		}
	}
	s, err := Read(src, Limits{})
	if err != nil || s.Nodes[0].Text != "a\uFFFDb\uFFFD\uFFFDc" || s.Repairs != 3 {
		t.Fatalf("error %v, %+v", err, s)
	}
}

func TestUTF16CutInsideACharacter(t *testing.T) {
	src := inUTF16(`<hierarchy><node text="a"/><node text="😀"/></hierarchy>`, true, false)
	for cut := range len(src) {
		s, err := Read(src[:cut], Limits{})
		checkScreen(t, s, err)
		if err == nil && !s.Truncated {
			t.Errorf("cut at %d of %d is not marked", cut, len(src))
		}
	}
}
