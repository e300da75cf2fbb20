package redact

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Reach of a cue for a code, in bytes of the view, and words.
const (
	codeReach   = 110
	weakReach   = 72
	wordsAfter  = 14
	wordsBefore = 6
)

// code hides the one-time codes that belong to c: those after it, and when there
// is none, the one before it.
func (f *finder) code(c cue) {
	if f.b[c.start:c.end] == "tan" { // a colour; the other one is written in capitals
		return
	}
	if found, far := f.codeAfter(c); !found || far {
		f.codeBefore(c)
	}
}

// between says how what stands between a cue and a number ties them together.
type between struct {
	direct bool // only copulas, articles and punctuation
	tie    bool // the last thing was a copula, a colon or a dash
	fresh  bool // a sentence or a line has just begun
	said   bool // there was a copula, a separator or a line break at all
	other  bool // the last word numbers something else
	words  int
}

// codeAfter walks from the end of the cue. It returns whether it found a code, or
// one that is already hidden, and whether that was in another sentence.
func (f *finder) codeAfter(c cue) (found, far bool) {
	b, gap := f.b, between{direct: true, tie: true}
	reach := weakReach
	if c.kind == kindCode {
		reach = codeReach
	}
	for i := c.end; i < len(b) && i < c.end+reach && gap.words <= wordsAfter; {
		switch {
		case markerAt(b, i) > 0:
			return gap.tie || gap.fresh || c.kind == kindCode, gap.fresh
		case sentenceEnds(b, i):
			gap.fresh, gap.said = true, true
			i++
		case isDigit(b[i]):
			n := numberAt(b, i)
			if end := f.accept(c, n, gap); end > 0 {
				f.add(n.start, end)
				f.listed(end)
				return true, gap.fresh
			}
			if end := mixedCode(b, i); end > 0 && gap.direct {
				f.add(i, end)
				return true, gap.fresh
			}
			if gap.fresh {
				return false, false
			}
			gap.word(0)
			i = max(n.end, atomEnd(b, n.end))
		case isWordByte(b[i]):
			end := atomEnd(b, i)
			if stop := mixedCode(b, i); stop > 0 && gap.direct {
				f.add(i, stop)
				return true, gap.fresh
			}
			r := spoken(b, i, end)
			if gap.fresh && r&roleIs == 0 {
				return false, false
			}
			if prefixed(b, i, end) { // G-123456
				i = end + 1
				continue
			}
			gap.word(r)
			i = end
		default:
			gap.punctuation(b, i)
			i++
		}
	}
	return false, false
}

func (g *between) word(r role) {
	g.words++
	is := r&(roleIs|roleBe) != 0
	g.direct = g.direct && is
	g.tie, g.said = is, g.said || is
	g.other = r&roleOther != 0 && !g.direct
}

func (g *between) punctuation(b string, i int) {
	switch b[i] {
	case ':', '=', '>':
		g.tie, g.said, g.other = true, true, false
	case '-':
		if i > 0 && i+1 < len(b) && isBlank(b[i-1]) && isBlank(b[i+1]) {
			g.tie, g.said = true, true
		}
	case '#':
		g.other = !g.direct
	}
}

// accept returns where the code in n ends, 0 when n is no code for this cue.
func (f *finder) accept(c cue, n number, gap between) int {
	b := f.b
	if c.kind == kindCVV {
		if size := n.first - n.start; gap.tie && (size == 3 || size == 4) && !glued(b, n.start, n.first) {
			return n.first
		}
		return 0
	}
	end := n.codeEnd(gap.direct)
	if end == 0 || glued(b, n.start, end) || priced(b, n.start, end) {
		return 0
	}
	sure := gap.direct && c.kind != kindWeak
	if !sure && counted(b, end) {
		return 0
	}
	if gap.direct {
		if !gap.said && (c.kind == kindWeak || b[c.start:c.end] == "Pin" || b[c.start:c.end] == "pin") && yearly(b, n.start, end) {
			return 0 // "Code 2024 conference"
		}
		return end
	}
	if gap.other || yearly(b, n.start, end) || n.start > 0 && b[n.start-1] == '(' && n.groups > 1 {
		return 0
	}
	if c.kind == kindCode || gap.tie || gap.fresh {
		return end
	}
	return 0
}

// listed hides the codes of a list that goes on at b[i].
func (f *finder) listed(i int) {
	b := f.b
	for {
		j := i
		for j < len(b) && j-i < 4 && (isBlank(b[j]) || b[j] == ',' || b[j] == ';' || b[j] == '/' || b[j] == '-') {
			j++
		}
		if j == i || j >= len(b) || !isDigit(b[j]) {
			return
		}
		n := numberAt(b, j)
		end := n.codeEnd(false)
		if end == 0 || glued(b, j, end) || priced(b, j, end) || counted(b, end) {
			return
		}
		f.add(j, end)
		i = end
	}
}

// codeBefore looks for a number before the cue that a copula, an article or a
// dash ties to it.
func (f *finder) codeBefore(c cue) {
	b := f.b
	low := max(0, c.start-weakReach)
	for low > 0 && low < c.start && isWordByte(b[low-1]) {
		low++
	}
	for i := low; i < c.start; {
		if !isDigit(b[i]) || alnumBefore(b, i) {
			if end := mixedCode(b, i); end > 0 && end < c.start && isLetter(b[i]) && !alnumBefore(b, i) && f.tied(c, end, true) {
				f.add(i, end)
				return
			}
			i++
			continue
		}
		n := numberAt(b, i)
		end := n.codeEnd(false)
		if c.kind == kindCVV {
			if end = n.end; n.digits != 3 && n.digits != 4 {
				end = 0
			}
		}
		start := n.start
		if start >= 2 && b[start-1] == '-' && isLetter(b[start-2]) {
			for start--; start > 0 && isLetter(b[start-1]); {
				start--
			}
		}
		if end > 0 && end <= c.start && !glued(b, n.start, end) && !priced(b, n.start, end) && !counted(b, end) &&
			!numbersOther(b, start) && f.tied(c, end, yearly(b, n.start, end)) {
			f.add(n.start, end)
			return
		}
		i = max(n.end, i+1)
	}
}

// tied is true when b[end:c.start] ties a number to the cue after it; close asks
// for a copula right away.
func (f *finder) tied(c cue, end int, close bool) bool {
	b := f.b
	words, first, alone := 0, false, false
	for i := end; i < c.start; {
		switch {
		case sentenceEnds(b, i):
			if words > 0 || first || close {
				return false
			}
			alone = true
			i++
		case isWordByte(b[i]):
			stop := min(atomEnd(b, i), c.start)
			r := spoken(b, i, stop)
			if words == 0 && r&(roleIs|roleBe) != 0 {
				first = true
			}
			if words == 0 && r&roleFor != 0 && c.kind == kindCode {
				first = true
			}
			words++
			i = stop
		default:
			if words == 0 && (b[i] == '-' || b[i] == '(' || b[i] == ':' || b[i] == '=' || b[i] == '#') {
				first = true
			}
			i++
		}
	}
	switch {
	case words > wordsBefore:
		return false
	case alone:
		return words <= 4 && (c.kind == kindCode || c.kind == kindWeak)
	case first:
		return c.kind == kindCode || words <= 4
	}
	if c.kind == kindWeak { // "enter 554411 kodunu", the number right before its word
		return !close && words == 0 && c.start-end <= 1 && !strings.HasSuffix(f.b[c.start:c.end], "s")
	}
	return !close && c.kind == kindCode && words <= 2
}

// numbersOther is true when the word before b[i] numbers something else.
func numbersOther(b string, i int) bool {
	end := i
	for end > 0 && (b[end-1] == ' ' || b[end-1] == '#' || b[end-1] == '.' || b[end-1] == ':') {
		if b[end-1] == '#' {
			return true
		}
		end--
	}
	start := end
	for start > 0 && end-start < 40 && isWordByte(b[start-1]) && !isDigit(b[start-1]) {
		start--
	}
	return start < end && spoken(b, start, end)&roleOther != 0
}

// mixedCode returns where a code of letters and digits that begins at b[i] ends,
// 0 when there is none: four to twelve characters, capitals with a digit among
// them, or any letters with two.
func mixedCode(b string, i int) int {
	digits, lowers, uppers, end := 0, 0, 0, i
	for ; end-i < 32 && (end < len(b) && isAlnum(b[end]) || end < len(b)-1 && end > i && b[end] == '-' && isAlnum(b[end+1])); end++ {
		switch c := classes[b[end]]; {
		case c&digit != 0:
			digits++
		case c&upper != 0:
			uppers++
		case c&lower != 0:
			lowers++
		}
	}
	size := digits + lowers + uppers
	if size < 4 || size > 16 || digits == 0 || lowers+uppers == 0 || end < len(b) && (b[end] == '_' || b[end] == '@') {
		return 0
	}
	if lowers > 0 && (digits < 2 || size < 5) {
		return 0
	}
	return end
}

// prefixed is true for the capital letters and the hyphen before a code, as in
// G-123456.
func prefixed(b string, i, end int) bool {
	return end-i <= 3 && end+1 < len(b) && b[end] == '-' && isDigit(b[end+1]) && classes[b[i]]&upper != 0
}

// sentenceEnds is true at a line break and at a full stop that ends a sentence.
func sentenceEnds(b string, i int) bool {
	switch b[i] {
	case '\n', '\r':
		return true
	case '.', '!', '?':
		return i+1 == len(b) || isBlank(b[i+1])
	}
	return false
}

// isWordByte is true for bytes that words are made of, whatever the script.
func isWordByte(c byte) bool { return isAlnum(c) || c >= utf8.RuneSelf }

// atomEnd returns where the run of letters and digits of one kind, ASCII or not,
// that begins at b[i] ends.
func atomEnd(b string, i int) int {
	if i < len(b) && b[i] < utf8.RuneSelf {
		for limit := i + longestCheck; i < len(b) && i < limit && (isAlnum(b[i]) || b[i] == '\''); {
			i++
		}
		return i
	}
	for limit := i + longestAtom; i < len(b) && b[i] >= utf8.RuneSelf && i < limit; {
		_, n := utf8.DecodeRuneInString(b[i:])
		i += n
	}
	return i
}

// longestAtom bounds a run of a script without spaces, in bytes.
const longestAtom = 96

// spoken is what a word says. A run of a script without spaces is taken apart,
// and says something when all its parts do.
func spoken(b string, start, end int) role {
	if r := roleOf(b, start, end); r != 0 || b[start] < utf8.RuneSelf {
		return r
	}
	if r, _ := utf8.DecodeRuneInString(b[start:end]); !unicode.IsLetter(r) && !unicode.IsMark(r) {
		return roleIs // a bracket, an arrow, an emoji
	}
	all := roleIs | roleBe
	for i := start; i < end && end-start < 64; {
		known, stop := role(0), i
		for j, n := i, 0; j < end && n < 6; n++ {
			_, size := utf8.DecodeRuneInString(b[j:end])
			j += size
			if r := roleOf(b, i, j); r != 0 {
				known, stop = r, j
			}
		}
		if known == 0 {
			return 0
		}
		all &= known
		i = stop
	}
	return all
}
