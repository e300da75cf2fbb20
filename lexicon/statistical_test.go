package lexicon

import (
	"crypto/sha256"
	"encoding/hex"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/countersign/countersign/lexicon/statistical"
	"github.com/countersign/countersign/risk"
)

// unknownToTerms are labels that the terms do not have, from which inflection or
// a neighbouring word tells what they do.
var unknownToTerms = []Query{
	{Text: "Зарезервувати і сплатити", Role: risk.Button},
	{Text: "Telefonálás indítása", Role: risk.Button},
	{Text: "Wiederverschicken", Role: risk.Button},
}

// always is a certainty that the model reaches whenever it is asked.
const always = 1e-12

func TestModelEvidenceIsOfTheOriginal(t *testing.T) {
	asked := 0
	for _, q := range append(labels(), unknownToTerms...) {
		q.Certainty = always
		r := Default().Read(q)
		if !r.ByModel() {
			continue
		}
		asked++
		e := r.AppendEvidence(nil, risk.SignalText, q.Text)[0]
		runes := []rune(q.Text)
		if e.Start < 0 || e.Start >= e.End || e.End > len(runes) || e.Match != string(runes[e.Start:e.End]) {
			t.Errorf("%q: span %d to %d, match %q", q.Text, e.Start, e.End, e.Match)
		}
		if feature, ok := strings.CutPrefix(e.Term, "~"); !ok || feature == "" || !strings.Contains(e.Match, feature) {
			t.Errorf("%q: term %q does not stand in %q", q.Text, e.Term, e.Match)
		}
		if e.Layer != risk.LayerStatistical || !isRisky(e.Category) || e.Category != r.Category {
			t.Errorf("%q: %+v", q.Text, e)
		}
	}
	if asked < 15 {
		t.Fatalf("the model was asked about %d labels only", asked)
	}
}

// labels are texts of all sorts: known, unknown, long, in many scripts.
func labels() []Query {
	var all []Query
	for _, text := range []string{
		"Senden Sie es", "Zurücksetzen auf Werk", "Weiterempfehlung aussprechen", "Kirjaudu tililtä pois nyt", "Aufsteller",
		"プランを変える手続き", "개통 신청", "ยืนยันรายการ", "Đặt mua liền", "Wyślijmy to", "Отправимте", "Удаляем чат",
		"הזמן עכשיו", "احجز الآن", "ہٹا دیجیے", "Αγοράστε το", "Vásároljon", "Odeslání zprávy", "Поделимся", "Xyzzy plugh",
		"Kupujemy", "Betaalverzoek maken", "Slettes helt", "Küsi luba", "Maksukortti", "ჩამოტვირთე", "Գնել հիմա", "ගෙවන්න",
		"Delete", "Sent", "Payment history", "Don't send", "OK", "123", "…", "🗑", "İPTAL", "Pa\u00adyer", strings.Repeat("slet ", 40),
	} {
		all = append(all, Query{Text: text, Role: risk.Button})
	}
	return all
}

// Where the model speaks, the score is what it makes of all features of the text,
// and where it is silent they do not reach the certainty that is asked for.
func TestScoreIsTheModels(t *testing.T) {
	m := defaultModel()
	spoke, silent := 0, 0
	for _, q := range labels() {
		q.Certainty = always
		if r := Default().Read(q); !r.ByModel() {
			continue
		}
		var tally statistical.Tally
		features := Default().AppendFeatures(nil, q.Text)
		for _, f := range features {
			m.Add(&tally, f)
		}
		want := m.Judge(&tally, len(features))
		for _, certainty := range []float32{always, 0.2, DefaultCertainty, 0.7, 0.95} {
			q.Certainty = certainty
			r := Default().Read(q)
			switch {
			case r.ByModel() != (want.Probability >= certainty):
				t.Errorf("%q at %v: the model speaks: %v, though its score is %v", q.Text, certainty, r.ByModel(), want.Probability)
			case r.ByModel() && (r.Score != want.Probability || r.Category != want.Category):
				t.Errorf("%q: %s at %v, want %s at %v", q.Text, r.Category, r.Score, want.Category, want.Probability)
			case r.ByModel():
				spoke++
			default:
				silent++
			}
		}
	}
	if spoke < 10 || silent < 30 {
		t.Errorf("the model spoke %d times and was silent %d times", spoke, silent)
	}
}

// The terms' word stands: what they find risky, and what they say is a status,
// a refusal, harmless or a question, is the same with the model as without.
func TestModelOnlyAdds(t *testing.T) {
	terms := Default().WithModel(nil)
	settled := 0
	for _, language := range twinLabels() {
		for _, q := range language {
			a, b := terms.Read(q), Default().Read(q)
			if a.Category.Risky() || a.Form == Status || a.Form == Negated || a.Form == Veto || a.Form == Question {
				settled++
				if a != b {
					t.Errorf("%q: %s %s became %s %s", q.Text, a.Form, a.Category, b.Form, b.Category)
				}
			} else if b.Category != a.Category && !b.ByModel() {
				t.Errorf("%q: %s became %s, not by the model", q.Text, a.Category, b.Category)
			}
		}
	}
	if settled < 20 {
		t.Fatalf("%d labels were settled", settled)
	}
}

// twinLabels are the labels above and the typical ones.
func twinLabels() [][]Query {
	var benchmark []Query
	for _, l := range typical {
		benchmark = append(benchmark, l.query)
	}
	more := []Query{}
	for _, text := range []string{"Löschen", "Gelöscht", "Nicht senden", "Envoyé", "Ne pas envoyer", "Удалено", "送信済み", "送信しない", "已删除", "Silindi",
		"Delete chat?", "Bezahlverlauf", "Kaufen", "Supprimer", "Удалить", "削除", "删除", "حذف", "삭제", "Ta bort", "Sent", "Payment history"} {
		more = append(more, Query{Text: text})
	}
	return [][]Query{labels(), benchmark, more}
}

func TestCertainty(t *testing.T) {
	for _, q := range labels() {
		q.Certainty = always
		r := Default().Read(q)
		if !r.ByModel() {
			continue
		}
		if r.Score < 0 || r.Score > 1 {
			t.Errorf("%q: score %v", q.Text, r.Score)
		}
		q.Certainty = min(1, r.Score*1.001)
		if again := Default().Read(q); again.ByModel() && r.Score < 0.999 {
			t.Errorf("%q: speaks at %v though %v is asked for", q.Text, again.Score, q.Certainty)
		}
		q.Certainty = TermsOnly
		if r := Default().Read(q); r.ByModel() {
			t.Errorf("%q: the model speaks though it is silenced", q.Text)
		}
	}
}

// 6 MB are the limit for all that is embedded, 4 MB of them for the model, which
// is unpacked within a bound that is generous for a busy machine.
func TestModelIsSmall(t *testing.T) {
	if n := len(embeddedModel); n > 4e6 || n < 1e6 {
		t.Errorf("the model is %d bytes", n)
	}
	if n := len(embeddedModel) + len(Default().compile()); n > 6e6 {
		t.Errorf("the model and the compiled terms are %d bytes", n)
	}
}

var writeManifest = flag.Bool("write-manifest", false, "write statistical.manifest for the model that is there")

// The manifest beside the model says what it is and how it was made, so that a
// model that was changed by itself is noticed without training it again.
func TestManifest(t *testing.T) {
	m := defaultModel()
	sum := sha256.Sum256(embeddedModel)
	want := fmt.Sprintf("sha256 %s\nbytes %d\nfeatures %d\nweights %d\nmade by countersign lexicon train --groups 12 --data dev.jsonl.gz --data dev2.jsonl.gz --out lexicon/statistical.model\n",
		hex.EncodeToString(sum[:]), len(embeddedModel), m.Features(), m.Weights())
	if *writeManifest {
		if err := os.WriteFile("statistical.manifest", []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile("statistical.manifest")
	if err != nil || string(got) != want {
		t.Errorf("the manifest does not fit the model; after training it again run go test ./lexicon -run Manifest -write-manifest\n%s", want)
	}
}

// Whatever the text: spans are spans of the original, and what the terms settle
// stays.
func FuzzModel(f *testing.F) {
	for _, q := range labels() {
		f.Add(q.Text, uint8(q.Role))
	}
	terms := Default().WithModel(nil)
	f.Fuzz(func(t *testing.T, text string, role uint8) {
		q := Query{Text: text, Role: risk.Role(role % 13), Certainty: always}
		a, b := terms.Read(q), Default().Read(q)
		if a.Category.Risky() && a != b || a.Category.Weight() > b.Category.Weight() {
			t.Fatalf("%q: %s became %s", text, a.Category, b.Category)
		}
		n := utf8.RuneCountInString(text)
		for _, h := range b.Hits[:b.N] {
			if h.Start < 0 || h.Start > h.End || h.End > n {
				t.Fatalf("%q: span %d to %d of %d", text, h.Start, h.End, n)
			}
			if h.Layer == risk.LayerStatistical && (h.FeatureStart < h.Start || h.FeatureEnd > h.End || h.FeatureStart >= h.FeatureEnd) {
				t.Fatalf("%q: feature %d to %d in span %d to %d", text, h.FeatureStart, h.FeatureEnd, h.Start, h.End)
			}
		}
	})
}
