package bench

import (
	"fmt"
	"strings"
	"testing/fstest"

	"github.com/countersign/countersign/lexicon"
)

// Keywords makes n different made-up words that can be pronounced, always the
// same ones, none of which stands in the labels measured here.
func Keywords(n int) []string {
	onsets := []string{"br", "ch", "d", "fl", "g", "kr", "l", "m", "pl", "s", "t", "v", "z"}
	vowels := []string{"a", "e", "i", "o", "u"}
	words := make([]string, 0, n)
	for i := 0; len(words) < n; i++ {
		j := i * 7919 // a prime, so that neighbours do not look alike
		word := onsets[j%13] + vowels[j/13%5] + onsets[j/65%13] + vowels[j/845%5] + onsets[j/4225%13] + vowels[j/54925%5]
		words = append(words, word)
	}
	return words
}

// LexiconOf builds our lexicon from keywords alone.
func LexiconOf(keywords []string) (*lexicon.Lexicon, error) {
	l, err := lexicon.New(fstest.MapFS{"words.txt": &fstest.MapFile{
		Data: []byte("language en\norder first\n[message act]\n" + strings.Join(keywords, "\n") + "\n"),
	}})
	if err != nil {
		return nil, fmt.Errorf("build a lexicon of %d keywords: %w", len(keywords), err)
	}
	return l, nil
}
