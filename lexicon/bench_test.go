package lexicon

import (
	"regexp"
	"strings"
	"testing"

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
	for _, t := range lex.terms {
		if lex.langs[t.language].tag == "en" && t.kind == act {
			expressions = append(expressions, regexp.MustCompile(`(?i)\b`+regexp.QuoteMeta(t.text)+`\b`))
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

// BenchmarkNew is what a start costs: parsing the files and building the automaton.
func BenchmarkNew(b *testing.B) {
	files := termFiles(b)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := New(files); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(len(Default().terms)), "terms")
	b.ReportMetric(float64(len(Default().auto.key)), "states")
}

// BenchmarkAutomaton30000 builds the automaton that the lexicon may grow to.
func BenchmarkAutomaton30000(b *testing.B) {
	keys := inventedKeys(30000)
	b.ReportAllocs()
	for b.Loop() {
		newAutomaton(keys)
	}
	a := newAutomaton(keys)
	b.ReportMetric(float64(len(a.key)), "states")
	b.ReportMetric(float64(a.size())/(1<<20), "MB")
}

func BenchmarkAutomaton30000Scan(b *testing.B) {
	a := newAutomaton(inventedKeys(30000))
	text := []byte(strings.Repeat("a label that says something ", 4))
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		s := root
		for _, c := range text {
			s = a.step(s, c)
		}
	}
}
