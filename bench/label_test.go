package bench

import (
	"fmt"
	"testing"

	"github.com/countersign/countersign/lexicon"
	"github.com/countersign/countersign/risk"
)

// BenchmarkLabel is one label alone. The regular expressions find nothing in
// any language but English; their time is that of looking.
func BenchmarkLabel(b *testing.B) {
	naive, alternation, lex := NewNaive(), NewNaiveAlternation(), lexicon.Default()
	for _, label := range []struct{ name, text string }{
		{"en", "Send"}, {"en-benign", "Contact info"}, {"de", "Nachricht senden"}, {"ru", "Отправить"},
		{"ja", "送信する"}, {"ar", "إرسال"}, {"hi", "भेजें"}, {"sentence", "Delete this conversation for everyone?"},
	} {
		for _, reader := range []struct {
			name string
			read func()
		}{
			{"regexps", func() { matchAny(naive.all, label.text) }},
			{"alternation", func() { matchAny(alternation.all, label.text) }},
			{"lexicon", func() { lex.Read(lexicon.Query{Text: label.text, Signal: risk.SignalText, Role: risk.Button}) }},
		} {
			b.Run("reader="+reader.name+"/label="+label.name, func(b *testing.B) { measure(b, reader.read) })
		}
	}
}

var keywordCounts = []int{20, 200, 2000}

// readControl reads the three labels of a control with a lexicon and reports
// whether one of them acts.
func readControl(lex *lexicon.Lexicon, c Control) bool {
	for _, q := range [...]lexicon.Query{
		{Text: c.Text, Signal: risk.SignalText, Role: risk.Button},
		{Text: c.ContentDesc, Signal: risk.SignalDescription, Role: risk.Button},
		{Text: c.ResourceID, Signal: risk.SignalResourceID, Role: risk.Button},
	} {
		if r := lex.Read(q); r.Form == lexicon.Act {
			return true
		}
	}
	return false
}

func TestKeywords(t *testing.T) {
	words := Keywords(2000)
	seen := map[string]bool{}
	for _, w := range words {
		seen[w] = true
	}
	if len(seen) != len(words) {
		t.Fatalf("%d different keywords, want %d", len(seen), len(words))
	}
	lex, err := LexiconOf(words)
	if err != nil {
		t.Fatal(err)
	}
	each, one := eachKeyword(words), alternation(words)
	if matchAny(each, Miss.Text) || matchAny(one, Miss.ContentDesc) || readControl(lex, Miss) {
		t.Error("a made-up keyword stands in the labels")
	}
	for _, w := range words[len(words)-50:] {
		hit := Control{Text: w}
		if !matchAny(each, w) || !matchAny(one, w) || !readControl(lex, hit) {
			t.Errorf("keyword %q is not found", w)
		}
	}
}

// BenchmarkKeywords is how the search of three labels without a match grows
// with the number of keywords.
func BenchmarkKeywords(b *testing.B) {
	for _, n := range keywordCounts {
		words := Keywords(n)
		each, one := eachKeyword(words), alternation(words)
		lex, err := LexiconOf(words)
		if err != nil {
			b.Fatal(err)
		}
		for _, matcher := range []struct {
			name  string
			match func()
		}{
			{"regexps", func() { matchLabels(each, Miss) }},
			{"alternation", func() { matchLabels(one, Miss) }},
			{"lexicon", func() { readControl(lex, Miss) }},
		} {
			b.Run(fmt.Sprintf("matcher=%s/keywords=%d", matcher.name, n), func(b *testing.B) { measure(b, matcher.match) })
		}
	}
}

// BenchmarkBuild is what the keywords cost once, at the start.
func BenchmarkBuild(b *testing.B) {
	for _, n := range keywordCounts {
		words := Keywords(n)
		for _, matcher := range []struct {
			name  string
			build func()
		}{
			{"regexps", func() { eachKeyword(words) }},
			{"alternation", func() { alternation(words) }},
			{"lexicon", func() {
				if _, err := LexiconOf(words); err != nil {
					b.Fatal(err)
				}
			}},
		} {
			b.Run(fmt.Sprintf("matcher=%s/keywords=%d", matcher.name, n), func(b *testing.B) { measure(b, matcher.build) })
		}
	}
}
