package redact

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/countersign/countersign/redact/redacttest"
)

// longestFuzzed keeps one execution short.
const longestFuzzed = 600

// cardFrom makes a card number of sixteen digits out of a seed, written with a
// separator between its four groups.
func fuzzedCard(seed uint64, separator string) string {
	var d [16]byte
	for i := range 15 {
		d[i] = byte('0' + seed%10)
		seed /= 10
	}
	for c := byte('0'); c <= '9'; c++ {
		if d[15] = c; luhn(d[:]) {
			break
		}
	}
	s := string(d[:])
	return s[:4] + separator + s[4:8] + separator + s[8:12] + separator + s[12:]
}

// Text settles at once, keeps UTF-8 valid, and finds a card number whatever
// stands around it.
func FuzzText(f *testing.F) {
	for _, s := range redacttest.Planted() {
		f.Add(s.Text, uint64(len(s.Text))*7919, uint16(len(s.Text)/2))
	}
	for _, s := range harmless(f) {
		f.Add(s, uint64(411111111111111), uint16(0))
	}
	separators := []string{"", " ", "-", ".", "\u00a0", "\u00ad", "\u200b", " - "}
	f.Fuzz(func(t *testing.T, s string, seed uint64, at uint16) {
		if len(s) > longestFuzzed {
			s = s[:longestFuzzed]
		}
		once := Text(s)
		if again := Text(once); again != once {
			t.Fatalf("%q became %q, then %q", s, once, again)
		}
		if utf8.ValidString(s) && !utf8.ValidString(once) {
			t.Fatalf("%q became %q, which is no UTF-8", s, once)
		}
		card := fuzzedCard(seed, separators[seed%uint64(len(separators))])
		i := int(at) % (len(s) + 1)
		for i > 0 && i < len(s) && !utf8.RuneStart(s[i]) {
			i--
		}
		planted := s[:i] + " " + card + " " + s[i:]
		if out := Text(planted); strings.Contains(out, card) && !strings.Contains(s, card) {
			t.Fatalf("the card %q is left in %q", card, out)
		}
	})
}

// shape is what a document looks like without its strings and numbers.
func shape(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for k, x := range v {
			v[k] = shape(x)
		}
		return v
	case []any:
		for i, x := range v {
			v[i] = shape(x)
		}
		return v
	case string, json.Number:
		return "scalar"
	}
	return v
}

func decoded(t *testing.T, doc []byte) any {
	dec := json.NewDecoder(bytes.NewReader(doc))
	dec.UseNumber()
	var v any
	if err := dec.Decode(&v); err != nil {
		t.Fatalf("%q: %v", doc, err)
	}
	return v
}

// JSON accepts what is JSON and nothing else, and keeps the shape.
func FuzzJSON(f *testing.F) {
	for i, s := range redacttest.Planted() {
		doc, err := json.Marshal(map[string]any{"text": s.Text, "password": i%2 == 0, "n": []any{i, nil, s.Secret}})
		if err != nil {
			f.Fatal(err)
		}
		f.Add(doc)
	}
	f.Add([]byte(`{"a":{"pin":[1,-2.5e+3,{"b":"\u0041\ud800"}]},"":true}`))
	f.Add(row)
	f.Fuzz(func(t *testing.T, doc []byte) {
		if len(doc) > 2*longestFuzzed {
			return
		}
		out, err := JSON(doc)
		if valid := json.Valid(doc); valid != (err == nil) {
			t.Fatalf("%q: valid is %t, error %v", doc, valid, err)
		}
		if err != nil {
			return
		}
		if !json.Valid(out) {
			t.Fatalf("%q became %q", doc, out)
		}
		want, _ := json.Marshal(shape(decoded(t, doc)))
		got, _ := json.Marshal(shape(decoded(t, out)))
		if !bytes.Equal(want, got) {
			t.Fatalf("%q became %q: %s, want %s", doc, out, got, want)
		}
		if again, err := JSON(out); err != nil || !bytes.Equal(again, out) {
			t.Fatalf("%q became %q, then %q (%v)", doc, out, again, err)
		}
	})
}
