package bench

import (
	"context"
	"testing"

	"github.com/countersign/countersign"
)

// asker is a guard with its way of being asked.
type asker struct {
	name string
	asks func(Control) bool
}

// askers are all guards, ready to answer. Those that take a question in another
// form get it made beforehand, for the two controls that are measured.
func askers(t testing.TB) []asker {
	ctx := context.Background()
	must := func(ok bool, err error) bool {
		if err != nil {
			t.Fatal(err)
		}
		return ok
	}
	opa, err := NewOPA(ctx)
	must(true, err)
	opaAlternation, err := NewOPAAlternation(ctx)
	must(true, err)
	parsedMiss, parsedHit := ParseOPA(Miss), ParseOPA(Hit)

	ours, err := countersign.New(countersign.Options{})
	must(true, err)
	post, err := countersign.New(countersign.Options{Policy: "post"})
	must(true, err)
	requestMiss, requestHit := request(Miss), request(Hit)

	return []asker{
		{"regexps", NewNaive().Asks},
		{"alternation", NewNaiveAlternation().Asks},
		{"opa-regexps", func(c Control) bool { return must(opa.Asks(ctx, c)) }},
		{"opa-alternation", func(c Control) bool { return must(opaAlternation.Asks(ctx, c)) }},
		{"opa-alternation-parsed", func(c Control) bool {
			if c == Hit {
				return must(opaAlternation.AsksParsed(ctx, parsedHit))
			}
			return must(opaAlternation.AsksParsed(ctx, parsedMiss))
		}},
		{"countersign", func(c Control) bool { return ours.ShouldConfirm(c.Text, c.ContentDesc, c.ResourceID, c.Package) }},
		{"countersign-request", func(c Control) bool {
			r := requestMiss
			if c == Hit {
				r = requestHit
			}
			return ours.Decide(r).Outcome != countersign.Allow
		}},
		{"countersign-post", func(c Control) bool { return post.ShouldConfirm(c.Text, c.ContentDesc, c.ResourceID, c.Package) }},
	}
}

func request(c Control) *countersign.Request {
	return &countersign.Request{
		Action: countersign.Action{Kind: countersign.Tap},
		Screen: &countersign.Screen{Package: c.Package},
		Target: &countersign.Target{Text: c.Text, ContentDesc: c.ContentDesc, ResourceID: c.ResourceID},
	}
}

// Speeds are only worth comparing between guards that answer alike.
func TestSameAnswer(t *testing.T) {
	ran := 0
	for _, a := range askers(t) {
		if a.asks(Miss) {
			t.Errorf("%s asks about %+v", a.name, Miss)
		}
		if !a.asks(Hit) {
			t.Errorf("%s does not ask about %+v", a.name, Hit)
		}
		ran++
	}
	if ran != 8 {
		t.Fatalf("asked %d guards, want 8", ran)
	}
}

// What the keyword guards do not see, whatever their speed: words outside
// English, words inside identifiers, words of another form. Ours must.
func TestOtherAnswer(t *testing.T) {
	controls := []Control{
		{Text: "Отправить", Package: "com.whatsapp"},
		{Text: "送信", Package: "com.whatsapp"},
		{ResourceID: "com.whatsapp:id/btn_send", Package: "com.whatsapp"},
	}
	for _, a := range askers(t) {
		var keywords bool
		switch a.name {
		case "countersign":
		case "regexps", "opa-regexps", "countersign-post":
			keywords = true
		default:
			continue
		}
		for _, c := range controls {
			if got := a.asks(c); got == keywords {
				t.Errorf("%s: asks(%+v) = %v", a.name, c, got)
			}
		}
	}
}

func BenchmarkDecide(b *testing.B) {
	for _, a := range askers(b) {
		for _, labels := range []struct {
			name    string
			control Control
		}{{"miss", Miss}, {"hit", Hit}} {
			b.Run("guard="+a.name+"/labels="+labels.name, func(b *testing.B) {
				measure(b, func() { a.asks(labels.control) })
			})
		}
	}
}

// measure runs the work and reports processor time beside the clock, since the
// clock also counts what else the machine was doing.
func measure(b *testing.B, work func()) {
	b.ReportAllocs()
	start := cpuTime()
	for b.Loop() {
		work()
	}
	b.ReportMetric(float64(cpuTime()-start)/float64(b.N), "cpu-ns/op")
}
