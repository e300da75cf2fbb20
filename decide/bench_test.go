package decide

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/countersign/countersign/risk"
	"github.com/countersign/countersign/screen"
)

// fiveSignals is a resolved target with text, description, id, a dialog's
// title and message: what a typical decision reads.
func fiveSignals(text string) *Request {
	return &Request{
		Action: risk.Action{Kind: risk.Tap},
		Screen: &Screen{Package: "com.example.shop"},
		Target: &Target{
			Text: text, ContentDesc: "Complete purchase", ResourceID: "com.example.shop:id/btn_confirm",
			Class: "android.widget.Button", DialogTitle: "Your order", DialogMessage: "Two items, 24.10 €. Deliver to Main Street 5?",
		},
	}
}

// BenchmarkDecideResolved is the second row of the budgets: median 8 µs, no
// allocations until something is rendered.
func BenchmarkDecideResolved(b *testing.B) {
	for _, text := range []string{"OK", "Place order", "Size guide", "Kaufen", "購入する"} {
		b.Run(text, func(b *testing.B) {
			d, req := newDecider(b, "default"), fiveSignals(text)
			d.Decide(req)
			b.ReportAllocs()
			for b.Loop() {
				sink = d.Decide(req)
			}
		})
	}
}

// BenchmarkDecideTail times each decision by itself, over all five texts: the
// budgets bound the median and the 99th of a hundred.
func BenchmarkDecideTail(b *testing.B) {
	d := newDecider(b, "default")
	var requests []*Request
	for _, text := range []string{"OK", "Place order", "Size guide", "Kaufen", "購入する"} {
		requests = append(requests, fiveSignals(text))
	}
	d.Decide(requests[0])
	var took []time.Duration
	for i := 0; b.Loop(); i++ {
		begun := time.Now()
		sink = d.Decide(requests[i%len(requests)])
		took = append(took, time.Since(begun))
	}
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)/2].Nanoseconds()), "p50-ns/op")
	b.ReportMetric(float64(took[len(took)*99/100].Nanoseconds()), "p99-ns/op")
}

// BenchmarkRender is what a decision costs that somebody looks at.
func BenchmarkRender(b *testing.B) {
	d, req := newDecider(b, "default"), fiveSignals("OK")
	dec := d.Decide(req)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := dec.MarshalJSON(); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkParseAndDecide is the third row: a dump of 300 kB is parsed and a
// tap on it decided.
func BenchmarkParseAndDecide(b *testing.B) {
	tree := bigDump(300 << 10)
	d, req := newDecider(b, "default"), tapAt("com.example.shop", tree, 540, 2350)
	b.SetBytes(int64(len(tree)))
	b.ReportAllocs()
	for b.Loop() {
		sink = d.Decide(req)
	}
	if sink.Category != risk.Money {
		b.Fatalf("the tap landed on %v", sink.Category)
	}
}

// BenchmarkDecideOnTree decides on a tree that was read before.
func BenchmarkDecideOnTree(b *testing.B) {
	tree := bigDump(300 << 10)
	ui, err := screen.Read(tree, screen.Limits{})
	if err != nil {
		b.Fatal(err)
	}
	d, req := newDecider(b, "default"), tapAt("com.example.shop", "", 540, 2350)
	req.Screen.Parsed = ui
	b.ReportAllocs()
	for b.Loop() {
		sink = d.Decide(req)
	}
}

var sink Decision

// bigDump is a dump of at least so many bytes: rows of text, then a button.
func bigDump(size int) string {
	var b strings.Builder
	b.WriteString(`<?xml version='1.0' encoding='UTF-8' standalone='yes' ?><hierarchy rotation="0"><node index="0" text="" resource-id="" class="android.widget.FrameLayout" package="com.example.shop" content-desc="" checkable="false" checked="false" clickable="false" enabled="true" focusable="false" focused="false" scrollable="false" long-clickable="false" password="false" selected="false" bounds="[0,0][1080,2400]">`)
	for i := 0; b.Len() < size; i++ {
		top := i % 2000
		fmt.Fprintf(&b, `<node index="%d" text="Товар %d &amp; 商品" resource-id="com.example.shop:id/row" class="android.widget.TextView" package="com.example.shop" content-desc="" checkable="false" checked="false" clickable="true" enabled="true" focusable="true" focused="false" scrollable="false" long-clickable="false" password="false" selected="false" bounds="[0,%d][1080,%d]" />`, i, i, top, top+90)
	}
	b.WriteString(`<node index="9" text="Place order" resource-id="com.example.shop:id/order" class="android.widget.Button" package="com.example.shop" content-desc="" checkable="false" checked="false" clickable="true" enabled="true" focusable="true" focused="false" scrollable="false" long-clickable="false" password="false" selected="false" bounds="[0,2300][1080,2400]" /></node></hierarchy>`)
	return b.String()
}
