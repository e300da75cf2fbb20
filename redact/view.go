package redact

import (
	"strings"
	"sync"
	"unicode/utf8"
	"unsafe"
)

// scratch is room for the view of a text that is not plain ASCII.
type scratch struct {
	text []byte
	at   []int32
}

var scratches = sync.Pool{New: func() any { return new(scratch) }}

// see returns s as a reader sees it: characters that show nothing are gone, any
// decimal digit is an ASCII digit, wide letters are narrow, spaces, dashes, colons
// and quotes are the ASCII ones, letters outside ASCII are lower case without
// accents. ASCII letters keep their case, since tokens tell it apart. The second
// result is where each byte begins in s, and nil when the view is s itself.
//
// Where spelled is set the blanks that shells and links spell out are blanks: %s
// in the text of Android's input command, %20, and a blank behind a backslash.
//
// The view lives in the scratch and is only good until that is given back.
func see(s string, spelled bool) (string, []int32, *scratch) {
	plain := !spelled
	for i := 0; plain && i < len(s); i++ {
		if s[i] >= utf8.RuneSelf {
			plain = false
			break
		}
	}
	if plain {
		return s, nil, nil
	}
	folds := folding()
	room := scratches.Get().(*scratch)
	text, at := room.text[:0], room.at[:0]
	for i := 0; i < len(s); {
		if n := spelledBlank(s[i:]); spelled && n > 0 {
			text, at = append(text, ' '), append(at, int32(i))
			i += n
			continue
		}
		if s[i] < utf8.RuneSelf {
			text, at = append(text, s[i]), append(at, int32(i))
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		seen := folds.rune(r)
		if r == utf8.RuneError && size == 1 {
			text, at = append(text, invalidByte), append(at, int32(i))
		} else if seen != 0 {
			before := len(text)
			text = utf8.AppendRune(text, seen)
			for range len(text) - before {
				at = append(at, int32(i))
			}
		}
		i += size
	}
	room.text, room.at = text, append(at, int32(len(s)))
	if len(text) == 0 {
		return "", room.at, room
	}
	// The scratch is not written again before the view is done with.
	return unsafe.String(&text[0], len(text)), room.at, room
}

// spelledBlank is the length of a spelled-out blank that s begins with, 0 for none.
func spelledBlank(s string) int {
	switch {
	case len(s) < 2:
		return 0
	case s[0] == '%' && s[1] == 's', s[0] == '\\' && s[1] == ' ':
		return 2
	case strings.HasPrefix(s, "%20"):
		return 3
	}
	return 0
}

// spellsBlanks reports whether there is a spelled-out blank in s.
func spellsBlanks(s string) bool {
	if strings.IndexByte(s, '%') < 0 && strings.IndexByte(s, '\\') < 0 {
		return false
	}
	return strings.Contains(s, "%s") || strings.Contains(s, "%20") || strings.Contains(s, `\ `)
}

// invalidByte stands in the view for a byte that is no UTF-8.
const invalidByte = 0xff

// glance is what one cheap look at a text tells: which rules are worth running.
type glance struct {
	digits  int  // how many
	run     int  // the longest run of letters, digits, - and _
	assigns bool // there is a = or : or @ in it
}

func look(b string) (g glance) {
	run := 0
	for i := 0; i < len(b); i++ {
		switch c := classes[b[i]]; {
		case c&inRun != 0:
			run++
			if c&digit != 0 {
				g.digits++
			}
			continue
		case c&assigning != 0:
			g.assigns = true
		}
		g.run = max(g.run, run)
		run = 0
	}
	g.run = max(g.run, run)
	return g
}

// Classes of bytes.
const (
	digit = 1 << iota
	lower
	upper
	inRun     // part of a token: letters, digits, - and _
	inRandom  // part of base64 as well: + / =
	assigning // = : @
	blank
	letter = lower | upper
	alnum  = letter | digit
)

var classes = func() (t [256]uint8) {
	for c := range 128 {
		switch c := byte(c); {
		case c >= '0' && c <= '9':
			t[c] = digit | inRun | inRandom
		case c >= 'a' && c <= 'z':
			t[c] = lower | inRun | inRandom
		case c >= 'A' && c <= 'Z':
			t[c] = upper | inRun | inRandom
		case c == '-' || c == '_':
			t[c] = inRun | inRandom
		case c == '+' || c == '/':
			t[c] = inRandom
		case c == '=':
			t[c] = inRandom | assigning
		case c == ':' || c == '@':
			t[c] = assigning
		case c == ' ' || c >= '\t' && c <= '\r':
			t[c] = blank
		}
	}
	return t
}()

func isDigit(c byte) bool  { return classes[c]&digit != 0 }
func isLetter(c byte) bool { return classes[c]&letter != 0 }
func isAlnum(c byte) bool  { return classes[c]&alnum != 0 }
func isBlank(c byte) bool  { return classes[c]&blank != 0 }

// alnumBefore and alnumAfter say whether b[i] has an ASCII letter or digit on
// that side.
func alnumBefore(b string, i int) bool { return i > 0 && isAlnum(b[i-1]) }
func alnumAfter(b string, i int) bool  { return i < len(b) && isAlnum(b[i]) }
