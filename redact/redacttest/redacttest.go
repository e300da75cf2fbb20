// Package redacttest has sentences with secrets planted in them, for tests that
// look whether one survives somewhere: in a row, a card, a log, an answer. All of
// the secrets are invented.
package redacttest

import (
	_ "embed"
	"fmt"
	"strconv"
	"strings"
)

//go:embed secrets.txt
var secrets string

// Sentence is a text that holds one secret.
type Sentence struct {
	Text   string // the whole sentence, as it could stand on a screen
	Secret string // the part of Text that must not survive
	Kind   string // card, cvv, iban, code, password, token, link, key, seed, wifi
}

// Planted returns the sentences, in the order of the table. The caller owns the
// slice. It panics when the table is malformed, which only an edit can cause.
func Planted() []Sentence {
	var list []Sentence
	for n, line := range strings.Split(secrets, "\n") {
		if line == "" || line[0] == '#' {
			continue
		}
		fields := strings.Split(line, "\t")
		if len(fields) != 3 {
			panic(fmt.Sprintf("redacttest: secrets.txt line %d has %d fields, want kind, secret, sentence", n+1, len(fields)))
		}
		s := Sentence{Kind: fields[0], Secret: unescaped(fields[1]), Text: unescaped(fields[2])}
		if !strings.Contains(s.Text, s.Secret) {
			panic(fmt.Sprintf("redacttest: secrets.txt line %d does not hold its secret", n+1))
		}
		list = append(list, s)
	}
	return list
}

// unescaped reads \n and \uXXXX, which keep the table readable.
func unescaped(s string) string {
	s = strings.ReplaceAll(s, `\n`, "\n")
	for {
		i := strings.Index(s, `\u`)
		if i < 0 || i+6 > len(s) {
			return s
		}
		r, err := strconv.ParseUint(s[i+2:i+6], 16, 32)
		if err != nil {
			return s
		}
		s = s[:i] + string(rune(r)) + s[i+6:]
	}
}
