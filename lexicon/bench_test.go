package lexicon

import (
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/countersign/countersign/risk"
)

// typical are labels as they stand on screens, one of each sort.
var typical = []struct {
	name  string
	query Query
}{
	{"ascii_risky", Query{Text: "Confirm payment", Role: risk.Button}},
	{"ascii_harmless", Query{Text: "Show more photos", Role: risk.Button}},
	{"ascii_unknown", Query{Text: "Anna-Maria Schmidt", Role: risk.Row}},
	{"ascii_mixed_look", Query{Text: "Delеte chat", Role: risk.Button}},
	{"cyrillic", Query{Text: "Отправить сообщение", Role: risk.Button}},
	{"chinese", Query{Text: "确认支付", Role: risk.Button}},
	{"japanese", Query{Text: "メッセージを送信する", Role: risk.Button}},
	{"arabic", Query{Text: "حذف المحادثة", Role: risk.Button}},
	{"model_spaced", Query{Text: "Kupujemy razem", Role: risk.Button}},
	{"model_unspaced", Query{Text: "プランを変える手続き", Role: risk.Button}},
	{"identifier", Query{Text: "com.example.mail:id/btn_send_message", Signal: risk.SignalResourceID}},
	{"sentence", Query{Text: "Are you sure you want to delete this message? This cannot be undone.", Signal: risk.SignalDialogMessage}},
}

func BenchmarkRead(b *testing.B) {
	lex := Default()
	for _, label := range typical {
		b.Run(label.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				lex.Read(label.query)
			}
		})
	}
}

// BenchmarkReadNaive is the obvious way to do a tenth of it: one compiled
// expression for each English term that acts, each tried on each label.
func BenchmarkReadNaive(b *testing.B) {
	var expressions []*regexp.Regexp
	lex := Default()
	for key, t := range lex.all() {
		if lex.langs[t.language].tag == "en" && t.kind == act {
			expressions = append(expressions, regexp.MustCompile(`(?i)\b`+regexp.QuoteMeta(lex.textOf(key, t))+`\b`))
		}
	}
	for _, label := range typical {
		b.Run(label.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				for _, e := range expressions {
					if e.MatchString(label.query.Text) {
						break
					}
				}
			}
		})
	}
}

// BenchmarkReadOwnCorpus reads the labels of corpus/labels in 18 languages one
// after the other, as a phone shows them, and then each by itself: the metrics
// are over labels, of the quickest of some readings of each, as other work on
// the machine can only add.
func BenchmarkReadOwnCorpus(b *testing.B) {
	var queries []Query
	for _, folder := range []string{"must_ask", "must_not_ask"} {
		for language, rows := range readOwn(b, folder) {
			for _, row := range rows {
				queries = append(queries, Query{Text: row.Label, Language: language, Role: risk.Button})
			}
		}
	}
	lex := Default()
	for _, q := range queries {
		lex.Read(q)
	}
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		lex.Read(queries[i%len(queries)])
	}
	b.StopTimer()
	times := make([]float64, len(queries))
	for i, q := range queries {
		times[i] = quickest(5, func() { lex.Read(q) })
	}
	slices.Sort(times)
	b.ReportMetric(times[len(times)/2], "median-ns")
	b.ReportMetric(times[len(times)*99/100], "p99-ns")
}

// quickest is the shortest of some times that work takes, in nanoseconds.
func quickest(of int, work func()) float64 {
	const atOnce = 8 // a clock is read in as much time as a label
	best := time.Hour
	for range of {
		start := time.Now()
		for range atOnce {
			work()
		}
		best = min(best, time.Since(start))
	}
	return float64(best) / atOnce
}

// BenchmarkLoad is what the terms cost at a start.
func BenchmarkLoad(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if _, err := load(compiledTerms); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(len(compiledTerms)), "bytes")
}

// BenchmarkNew is what the same costs from the term files, as for terms of one's
// own.
func BenchmarkNew(b *testing.B) {
	files := termFiles(b)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := New(files); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkPhrases30000 lays out the table of that many keys.
func BenchmarkPhrases30000(b *testing.B) {
	keys := inventedKeys(30000)
	b.ReportAllocs()
	for b.Loop() {
		phrasesOf(keys)
	}
}

func BenchmarkPhrases30000Scan(b *testing.B) {
	p := phrasesOf(inventedKeys(30000))
	text := []byte(strings.Repeat("a label that says something ", 4))
	b.SetBytes(int64(len(text)))
	var tokens []token
	var matches []match
	for b.Loop() {
		tokens = appendTokens(tokens[:0], text)
		matches = p.appendMatches(matches[:0], text, tokens)
	}
}
