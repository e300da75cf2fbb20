package e2e

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/countersign/countersign/redact/redacttest"
)

// needle is a trace of a secret that must be found nowhere.
type needle struct {
	of    redacttest.Sentence
	bytes []byte
}

// The shortest secret that is looked for by itself: a shorter one, and digits
// that are no longer than a time, stand somewhere by chance and are looked for
// with what is beside them in their sentence.
const (
	alone       = 8
	aloneDigits = 13
	beside      = 4
	prefix      = 6 // of tokens
)

// needlesOf are the traces of a secret, as text and as JSON writes it.
func needlesOf(s redacttest.Sentence) []needle {
	var texts []string
	runes, secret := []rune(s.Text), []rune(s.Secret)
	at := utf8.RuneCountInString(s.Text[:strings.Index(s.Text, s.Secret)])
	left, right := runes[max(0, at-beside):at], runes[at+len(secret):min(len(runes), at+len(secret)+beside)]
	digits := strings.IndexFunc(s.Secret, func(r rune) bool { return !unicode.IsDigit(r) }) < 0
	if len(secret) >= alone && !digits || len(secret) >= aloneDigits {
		texts = append(texts, s.Secret)
	}
	if len(left) > 0 {
		texts = append(texts, string(left)+s.Secret)
	}
	if len(right) > 0 {
		texts = append(texts, s.Secret+string(right))
	}
	if s.Kind == "token" && len(secret) > prefix && len(left) > 0 {
		texts = append(texts, string(left)+string(secret[:prefix]))
	}
	var list []needle
	for _, text := range texts {
		for _, spelled := range spellings(text) {
			list = append(list, needle{s, []byte(spelled)})
		}
	}
	return list
}

// spellings are the ways in which a text stands in a file.
func spellings(text string) []string {
	var plain bytes.Buffer
	enc := json.NewEncoder(&plain)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(text) // a string can be written
	all := []string{text}
	for _, doc := range []string{strings.TrimSpace(plain.String()), toJSON(text)} {
		if inner := doc[1 : len(doc)-1]; inner != all[len(all)-1] {
			all = append(all, inner)
		}
	}
	return all
}

// search looks for many needles at once, by their first four bytes.
type search struct {
	maybe [1 << 16]bool // by a hash of the four bytes
	begin map[uint32][]needle
}

func searchFor(needles []needle) *search {
	s := &search{begin: map[uint32][]needle{}}
	for _, n := range needles {
		four := binary.BigEndian.Uint32(n.bytes) // the shortest has more
		s.begin[four] = append(s.begin[four], n)
		s.maybe[hashOf(four)] = true
	}
	return s
}

func hashOf(four uint32) uint16 { return uint16(four * 2654435761 >> 16) }

// traces are the secrets that are found in data, in words.
func (s *search) traces(where string, data []byte) string {
	found, said := map[string]bool{}, ""
	four := uint32(0)
	for end, c := range data {
		four = four<<8 | uint32(c)
		if !s.maybe[hashOf(four)] || end < 3 {
			continue
		}
		for _, n := range s.begin[four] {
			at := end - 3
			if found[n.of.Text] || !bytes.HasPrefix(data[at:], n.bytes) {
				continue
			}
			if found[n.of.Text] = true; len(found) < 12 {
				said += fmt.Sprintf("\n\t%s %q of %q in %q", n.of.Kind, n.bytes, n.of.Text, data[max(0, at-60):min(len(data), at+len(n.bytes)+20)])
			}
		}
	}
	if len(found) == 0 {
		return ""
	}
	return fmt.Sprintf("%d secrets are in %s, such as%s", len(found), where, said)
}

// TestTracesAreFound: a secret that was written down as it is would be found.
func TestTracesAreFound(t *testing.T) {
	n := 0
	for _, s := range redacttest.Planted() {
		for _, written := range []string{"... " + s.Text + " ...", toJSON(map[string]string{"text": s.Text})} {
			if searchFor(needlesOf(s)).traces("a row", []byte(written)) == "" {
				t.Errorf("%q is not found in %s", s.Secret, written)
			}
			n++
		}
	}
	if n < 200 {
		t.Errorf("%d texts", n)
	}
}
