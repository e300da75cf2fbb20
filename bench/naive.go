package bench

import (
	"regexp"
	"slices"
	"strings"
)

// Naive is the guard that one writes first: precompiled regular expressions for
// the keywords of a tier, tried on each label.
type Naive struct {
	high, all []*regexp.Regexp
}

// NewNaive compiles one expression per keyword.
func NewNaive() *Naive {
	return &Naive{high: eachKeyword(HighKeywords), all: eachKeyword(slices.Concat(HighKeywords, MediumKeywords))}
}

// NewNaiveAlternation compiles one expression for all keywords of a tier: the
// first thing one does when the other turns out slow.
func NewNaiveAlternation() *Naive {
	return &Naive{high: alternation(HighKeywords), all: alternation(slices.Concat(HighKeywords, MediumKeywords))}
}

// Asks reports whether a tap on the control should wait.
func (g *Naive) Asks(c Control) bool {
	patterns := g.all
	if hasPrefix(c.Package, LowPackages) && !hasPrefix(c.Package, HighPackages) {
		patterns = g.high
	}
	return matchLabels(patterns, c)
}

// matchLabels reports whether one of the patterns matches one of the labels.
func matchLabels(patterns []*regexp.Regexp, c Control) bool {
	return matchAny(patterns, c.Text) || matchAny(patterns, c.ContentDesc) || matchAny(patterns, c.ResourceID)
}

// matchAny reports whether one of the patterns matches the label, in any case.
func matchAny(patterns []*regexp.Regexp, label string) bool {
	label = strings.ToLower(label)
	for _, p := range patterns {
		if p.MatchString(label) {
			return true
		}
	}
	return false
}

func hasPrefix(pkg string, prefixes []string) bool {
	for _, p := range prefixes {
		if strings.HasPrefix(pkg, p) {
			return true
		}
	}
	return false
}

func eachKeyword(keywords []string) []*regexp.Regexp {
	var patterns []*regexp.Regexp
	for _, k := range keywords {
		patterns = append(patterns, regexp.MustCompile(keywordPattern(k)))
	}
	return patterns
}

func alternation(keywords []string) []*regexp.Regexp {
	return []*regexp.Regexp{regexp.MustCompile(alternationPattern(keywords))}
}

func keywordPattern(keyword string) string { return `\b` + regexp.QuoteMeta(keyword) + `\b` }

func alternationPattern(keywords []string) string {
	var quoted []string
	for _, k := range keywords {
		quoted = append(quoted, regexp.QuoteMeta(k))
	}
	return `\b(?:` + strings.Join(quoted, "|") + `)\b`
}
