package redact

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

//go:embed words.txt
var wordsFile string

// kind is what a phrase of words.txt announces.
type kind uint8

const (
	kindNone kind = iota
	kindCode
	kindWeak
	kindPIN
	kindCVV
	kindPass
	kindPhrase
	kindSeed
	kindAuth
	kindHeader
	kindVoid
)

var kindNames = map[string]kind{
	"code": kindCode, "weak": kindWeak, "pin": kindPIN, "cvv": kindCVV, "pass": kindPass, "phrase": kindPhrase,
	"seed": kindSeed, "auth": kindAuth, "header": kindHeader, "void": kindVoid,
}

// role is what a single word says beside a cue; a word can have several.
type role uint8

const (
	roleStop role = 1 << iota
	roleIs
	roleFor
	roleUnit
	roleOther
	roleBe
)

var roleNames = map[string]role{"stop": roleStop, "is": roleIs, "for": roleFor, "unit": roleUnit, "other": roleOther, "be": roleBe}

// phrase is one announcing phrase, folded.
type phrase struct {
	text  string
	kind  kind
	loose bool // letters may follow
}

// vocabulary is words.txt, made ready.
type vocabulary struct {
	begins  [1 << 10]uint64     // which hashes of three bytes begin a phrase
	phrases map[uint32][]phrase // by the first three bytes, longest first
	roles   map[string]role
	stems   map[uint32][]stem // roles of words that letters may follow, by the first three bytes
}

type stem struct {
	text string
	role role
}

var words = sync.OnceValue(func() *vocabulary {
	v := &vocabulary{phrases: map[uint32][]phrase{}, roles: map[string]role{}, stems: map[uint32][]stem{}}
	for n, line := range strings.Split(wordsFile, "\n") {
		head, list, ok := strings.Cut(line, ":")
		if line == "" || line[0] == '#' {
			continue
		}
		name, _, _ := strings.Cut(head, " ")
		if !ok || kindNames[name] == 0 && roleNames[name] == 0 {
			panic(fmt.Sprintf("redact: words.txt line %d: no kind %q", n+1, name))
		}
		for text := range strings.SplitSeq(list, "|") {
			v.put(name, folded(strings.TrimSpace(text)))
		}
	}
	for _, list := range v.phrases {
		slices.SortStableFunc(list, func(a, b phrase) int { return len(b.text) - len(a.text) })
	}
	return v
})

func (v *vocabulary) put(name, text string) {
	if text == "" {
		return
	}
	base, loose := strings.CutSuffix(text, "*")
	if r := roleNames[name]; r != 0 {
		if loose && base != "" {
			key := beginning(base, 0)
			v.stems[key] = append(v.stems[key], stem{base, r})
			return
		}
		v.roles[text] |= r
		return
	}
	key := beginning(base, 0)
	h := key * hashFactor >> 16
	v.begins[h>>6] |= 1 << (h & 63)
	v.phrases[key] = append(v.phrases[key], phrase{base, kindNames[name], loose})
}

const hashFactor = 2654435761

// beginning packs the three bytes at b[i], as phrases compare them.
func beginning(b string, i int) uint32 {
	return uint32(phrasal[b[i]])<<16 | uint32(phrasal[b[i+1]])<<8 | uint32(phrasal[b[i+2]])
}

// phrasal is a byte as phrases compare it: no case, and hyphens as spaces.
var phrasal = func() (t [256]byte) {
	for c := range t {
		t[c] = byte(c)
		if c >= 'A' && c <= 'Z' {
			t[c] = byte(c) + 'a' - 'A'
		}
	}
	t['-'], t['_'], t['\t'] = ' ', ' ', ' '
	return t
}()

// folded is s as the view shows it, ASCII in lower case too.
func folded(s string) string {
	b, _, room := see(s, false)
	out := strings.ToLower(b)
	if room != nil {
		out = strings.Clone(out)
		scratches.Put(room)
	}
	return out
}

// cue is a phrase found in a text.
type cue struct {
	kind       kind
	start, end int
}

// announced finds the phrases of the vocabulary and follows each.
func (f *finder) announced() {
	v := words()
	b := f.b
	for i := 0; i+3 <= len(b); i++ {
		h := beginning(b, i) * hashFactor >> 16
		if v.begins[h>>6]&(1<<(h&63)) == 0 || alnumBefore(b, i) && b[i] < utf8.RuneSelf {
			continue
		}
		c := v.cueAt(b, i)
		if c.kind == kindNone {
			continue
		}
		f.follow(c)
		i = c.end - 1
	}
}

// cueAt returns the longest phrase that begins at b[i], as whole words.
func (v *vocabulary) cueAt(b string, i int) cue {
	for _, p := range v.phrases[beginning(b, i)] {
		end := i + len(p.text)
		if end > len(b) || !matches(b[i:end], p.text) || inWord(b, i) {
			continue
		}
		if p.loose {
			end = wordEnd(b, end)
		} else if goesOn(b, end) {
			continue
		}
		return cue{p.kind, i, end}
	}
	return cue{}
}

func matches(b, text string) bool {
	for i := 3; i < len(text); i++ {
		if phrasal[b[i]] != phrasal[text[i]] {
			return false
		}
	}
	return true
}

// alphabetic is true for letters of scripts that put spaces between words and no
// articles before them.
func alphabetic(r rune) bool {
	return r < 0x530 && unicode.IsLetter(r)
}

// inWord is true when the word at b[i] began before it.
func inWord(b string, i int) bool {
	if b[i] < utf8.RuneSelf {
		return alnumBefore(b, i)
	}
	r, _ := utf8.DecodeRuneInString(b[i:])
	before, _ := utf8.DecodeLastRuneInString(b[:i])
	return alphabetic(r) && alphabetic(before)
}

// goesOn is true when the word that ends at b[end] has another letter.
func goesOn(b string, end int) bool {
	if end >= len(b) {
		return false
	}
	last, _ := utf8.DecodeLastRuneInString(b[:end])
	next, _ := utf8.DecodeRuneInString(b[end:])
	return alphabetic(last) && alphabetic(next)
}

// longestEnding bounds the letters that an inflected form adds, in bytes.
const longestEnding = 16

func wordEnd(b string, end int) int {
	for limit := end + longestEnding; end < len(b) && end < limit && goesOn(b, end); {
		_, n := utf8.DecodeRuneInString(b[end:])
		end += n
	}
	return end
}

// roleOf is what the word b[start:end] says.
func roleOf(b string, start, end int) role {
	var room [32]byte
	if end-start > len(room) {
		return 0
	}
	for i := start; i < end; i++ {
		room[i-start] = lowered(b[i])
	}
	v := words()
	word := room[:end-start]
	r := v.roles[string(word)]
	if r != 0 || len(word) < 4 {
		return r
	}
	for _, s := range v.stems[uint32(word[0])<<16|uint32(word[1])<<8|uint32(word[2])] {
		if len(word) >= len(s.text) && string(word[:len(s.text)]) == s.text {
			r |= s.role
		}
	}
	return r
}

func lowered(c byte) byte {
	if c >= 'A' && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}
