package lab

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/countersign/countersign"
	"github.com/countersign/countersign/risk"
	"github.com/countersign/countersign/screen"
)

func bindingGuard(t *testing.T) *countersign.Guard {
	t.Helper()
	guard, err := countersign.New(countersign.Options{DigestKey: []byte("0123456789abcdef0123456789abcdef")})
	if err != nil {
		t.Fatal(err)
	}
	return guard
}

// The changes of our own screens, of which every third is taken; the real ones
// are in package e2e. Here are the sums of money that those do not show.
func TestRecheckOnOurScreens(t *testing.T) {
	var some []Case
	for _, folder := range []string{"screens", "more-screens"} {
		file, err := os.Open(filepath.Join("..", "corpus", folder, "cases.jsonl"))
		if err != nil {
			t.Fatal(err)
		}
		cases, err := ReadCases(file, filepath.Dir(file.Name()))
		file.Close()
		if err != nil {
			t.Fatal(err)
		}
		for i := range cases {
			if i%3 == 0 {
				some = append(some, cases[i])
			}
		}
	}
	found, err := RunRecheck(some, bindingGuard(t), nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	if found.Cases < 120 || found.Left > 2 {
		t.Errorf("%d held screens were changed, %d could not be", found.Cases, found.Left)
	}
	real, harmless, kinds := found.Rates()
	sums := 0
	for _, k := range kinds {
		if k.Kind == changeAmount {
			sums = k.Voided.Total
		}
	}
	atLeast(t, "real changes that void", real.Voided, 0.99)
	atLeast(t, "real changes that are named rightly", real.Named, 0.99)
	atMost(t, "harmless changes that void", harmless.Voided, 0.02)
	if sums < 60 {
		t.Errorf("only %d sums of money were changed", sums)
	}
	var report bytes.Buffer
	WriteRecheck(&report, found, true)
	for _, line := range []string{"all real changes", "  amount ", "all harmless changes", "  clock ", "came out wrong"} {
		if !strings.Contains(report.String(), line) {
			t.Errorf("the report has no line %q:\n%s", line, report.String())
		}
	}
}

func TestRecheckNeedsAKey(t *testing.T) {
	guard, err := countersign.New(countersign.Options{})
	if err != nil {
		t.Fatal(err)
	}
	cases, err := ReadCases(strings.NewReader(`{"id":"x","request":`+oneLine(sendInChat)+`,"want":"confirm"}
{"id":"y","request":{"action":{"kind":"tap","node":1},"screen":{"package":"com.whatsapp","tree":"<hierarchy><node package='com.whatsapp' class='android.widget.FrameLayout' bounds='[0,0][100,100]'><node package='com.whatsapp' class='android.widget.Button' text='Send' clickable='true' bounds='[0,0][90,90]'/></node></hierarchy>"},"llm":{}},"want":"confirm","category":"message"}`), ".")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := RunRecheck(cases, guard, nil, nil); !errors.Is(err, ErrNoDigest) || !strings.Contains(err.Error(), `"y" (line 2)`) {
		t.Errorf("error %v, want one that names the case and the key", err)
	}
	found, err := RunRecheck(cases, bindingGuard(t), nil, nil)
	if err != nil || found.Cases != 1 || len(found.List) < 20 {
		t.Errorf("%+v, %v; the case with a tree alone can be changed", found, err)
	}
}

// A page keeps its elements apart from copy to copy and is written as it was
// read.
func TestPage(t *testing.T) {
	const tree = `<hierarchy rotation="0"><node class="a.FrameLayout" package="a.b" bounds="[0,0][100,200]"><node class="a.TextView" text="a &quot;b&quot; &lt;c&gt; &amp;&#10;d" bounds="[0,0][50,60]"/><node class="a.EditText" password="true" hint="PIN" text="x" visible-to-user="false" enabled="false" bounds="[1,2][3,4]"/></node></hierarchy>`
	read := func(text string) *screen.Screen {
		t.Helper()
		ui, err := screen.Read([]byte(text), screen.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		return ui
	}
	was := read(tree)
	p := pageOf(was)
	now := read(p.write())
	if len(now.Nodes) != 3 {
		t.Fatalf("%d nodes, there were 3", len(now.Nodes))
	}
	for i := range was.Nodes {
		if was.Nodes[i] != now.Nodes[i] {
			t.Errorf("node %d was %+v, is %+v", i, was.Nodes[i], now.Nodes[i])
		}
	}
	q := p.copy()
	twin := q.twin(q.find(1))
	q.find(1).say("other")
	q.find(1).shift(5, 7)
	q.add(q.find(0), 0, plain("a.b", "View", "new", screen.Rect{Right: 1, Bottom: 1}))
	if p.find(1).Text == "other" || p.find(1).Bounds.Left != 0 || p.find(twin.id) != nil || len(p.top.all()) != 3 {
		t.Error("a change of the copy changed the page")
	}
	if q.index(1) != 2 || q.index(twin.id) != 3 || q.index(99) != -1 || len(q.top.all()) != 5 {
		t.Errorf("places %d and %d of %d", q.index(1), q.index(twin.id), len(q.top.all()))
	}
	q.find(1).drop()
	if q.find(1) != nil || q.index(twin.id) != 2 {
		t.Error("an element that was dropped is still there")
	}
}

// What a text becomes is another one, by a digit or a letter.
func TestNudged(t *testing.T) {
	table := map[string]string{"12.00 €": "12.01 €", "Pay 9": "Pay 0", "Anna": "Annas", "(Anna)": "(Annas)", "小明": "小明明", "…": "…s", "": "s"}
	for text, want := range table {
		if got := nudged(text); got != want {
			t.Errorf("%q becomes %q, want %q", text, got, want)
		}
	}
	if got := otherSum("12.90 €"); got != "23.11 €" {
		t.Errorf("another sum is %q", got)
	}
	if len(table) != 7 {
		t.Errorf("%d cases", len(table))
	}
}

// A scene finds what a person would point at.
func TestScene(t *testing.T) {
	button := func(id, text, bounds string) string {
		return `<node package="a.b" class="android.widget.Button" resource-id="a.b:id/` + id + `" text="` + text + `" clickable="true" bounds="` + bounds + `"/>`
	}
	text := func(id, text, bounds string) string {
		return `<node package="a.b" class="android.widget.TextView" resource-id="a.b:id/` + id + `" text="` + text + `" bounds="` + bounds + `"/>`
	}
	tree := `<hierarchy><node package="a.b" class="android.widget.FrameLayout" bounds="[0,0][1080,2400]">` +
		text("", "9:41", "[0,0][100,40]") + text("toolbar_title", "Anna", "[100,60][500,120]") +
		`<node package="a.b" class="android.widget.ListView" bounds="[0,200][1080,800]"><node package="a.b" class="android.widget.LinearLayout" bounds="[0,200][1080,300]">` + text("", "One", "[0,200][500,300]") + button("pay", "Pay", "[500,200][1080,300]") + `</node>` +
		`<node package="a.b" class="android.widget.LinearLayout" bounds="[0,300][1080,400]">` + text("", "Two, 5 €", "[0,300][500,400]") + button("pay", "Pay", "[500,300][1080,400]") + `</node></node>` +
		`<node package="a.b" class="android.widget.EditText" hint="Note" text="soon" bounds="[0,900][1080,1000]"/>` + text("", "Total 24.10 €", "[0,1100][1080,1200]") +
		button("x", "a", "[0,1300][9,1400]") + button("y", "b", "[0,1400][9,1500]") + `</node></hierarchy>`
	ui, err := screen.Read([]byte(tree), screen.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	target := -1
	for i := range ui.Nodes {
		if ui.Nodes[i].Text == "Pay" && target < 0 {
			target = i
		}
	}
	s := newScene(pageOf(ui), target, risk.Money)
	said := func(list []*element) string {
		var texts []string
		for _, e := range list {
			texts = append(texts, e.text())
		}
		return strings.Join(texts, "|")
	}
	for what, pair := range map[string][2]string{
		"names": {said(s.names), "Anna"}, "row": {said(s.inRow), "One"}, "sums": {said(s.sums), "Total 24.10 €"}, "drafts": {said(s.drafts), "soon"}, "labels": {said(s.ownLabels()), "Pay"},
	} {
		if pair[0] != pair[1] {
			t.Errorf("%s: %q, want %q", what, pair[0], pair[1])
		}
	}
	if s.dialog != nil || s.row == nil {
		t.Error("the page is no dialog, and the control stands in a row")
	}
	kinds := map[string]bool{}
	for _, m := range append(s.realChanges(), s.harmlessChanges()...) {
		kinds[m.kind] = true
	}
	if len(kinds) != 26 { // all but those of a dialog
		t.Errorf("%d kinds of change: %v", len(kinds), kinds)
	}
}
