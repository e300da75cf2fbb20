package browser

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"unicode"

	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"github.com/countersign/countersign/approval"
	"github.com/countersign/countersign/decide"
)

// message is the tap on Send with a text in everything around it that the agent
// controls.
func message(said string) map[string]any {
	node := func(class, id, text string, bounds [4]int, more string) map[string]any {
		n := map[string]any{"class": class, "package": "com.whatsapp", "resource_id": id, "text": text, "bounds": bounds}
		if more != "" {
			n[more] = true
		}
		return n
	}
	tree := map[string]any{"package": "com.whatsapp", "width": 1080, "height": 2400, "root": map[string]any{
		"class": "android.widget.FrameLayout", "package": "com.whatsapp", "bounds": [4]int{0, 0, 1080, 2400}, "children": []any{
			node("android.widget.TextView", "com.whatsapp:id/recipient", said, [4]int{200, 90, 800, 180}, ""),
			node("android.widget.TextView", "", said, [4]int{60, 600, 700, 700}, ""),
			node("android.widget.EditText", "com.whatsapp:id/entry", said, [4]int{60, 2200, 900, 2330}, "focused"),
			node("android.widget.Button", "com.whatsapp:id/send", "Send", [4]int{920, 2200, 1060, 2330}, "clickable"),
		},
	}}
	return claim(said, "com.whatsapp", tree, map[string]any{"kind": "tap", "x": 990, "y": 2265})
}

// control is the tap on a control whose label, id and app are the text.
func control(said string) map[string]any {
	tree := map[string]any{"package": said, "width": 1080, "height": 2400, "root": map[string]any{
		"class": "android.widget.FrameLayout", "package": said, "bounds": [4]int{0, 0, 1080, 2400}, "children": []any{
			map[string]any{"class": "android.widget.Button", "package": said, "resource_id": said, "text": said, "content_desc": said,
				"bounds": [4]int{60, 2200, 1020, 2330}, "clickable": true},
		},
	}}
	return claim(said, said, tree, map[string]any{"kind": "tap", "x": 540, "y": 2265})
}

// line is the text as a shell line.
func line(said string) map[string]any {
	return claim(said, "", nil, map[string]any{"kind": "shell", "shell": said})
}

// claim is a request with a text in whatever the agent says for itself. Its own
// model asks, so that there is a question whatever the words do.
func claim(said, pkg string, tree, action map[string]any) map[string]any {
	request := map[string]any{
		"action": action, "task": said, "llm": map[string]any{"requires_confirmation": true, "reason": said},
	}
	if len(said) <= 200 && !strings.ContainsFunc(said, unicode.IsControl) {
		request["id"], request["session"] = said, said // longer ones and control characters are refused
	}
	if tree != nil {
		doc, err := json.Marshal(tree)
		if err != nil {
			panic(err)
		}
		request["screen"] = map[string]any{"package": pkg, "activity": said, "tree": string(doc), "width": 1080, "height": 2400}
	}
	return request
}

// harmless is a text of the same shape that means nothing to a page.
func harmless(said string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) || unicode.IsControl(r) {
			return r
		}
		return 'x'
	}, said)
}

// spelled is a text as every page shows it: decide.Quote, uncut, with the blanks
// at its ends.
func spelled(text string) string {
	barred := decide.Quote("|"+text+"|", math.MaxInt)
	return barred[1 : len(barred)-1]
}

// watched is what a tab did that no page of ours does.
type watched struct {
	mu  sync.Mutex
	did []string
}

func (p *person) watch() *watched {
	p.t.Helper()
	call(p, network.Enable, network.EnableParams{})
	w := &watched{}
	note := func(what string) {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.did = append(w.did, what)
	}
	err := chromedp.Listen(p.tab, func(event any) {
		switch e := event.(type) {
		case *network.EventRequestWillBeSent:
			if !strings.HasPrefix(e.Request.URL, p.g.d.InboxURL()+"/") {
				note("it asks for " + e.Request.URL)
			}
		case *page.EventJavascriptDialogOpening:
			note("it opens a dialog: " + e.Message)
		case *page.EventFrameAttached:
			note("it has a frame")
		}
	})
	if err != nil {
		p.t.Fatal(err)
	}
	return w
}

func (w *watched) all() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.did)
}

// skeletons has the browser read pages without running anything of them, and lists
// the elements of each with the names of their attributes, in order.
const skeletons = `(paths => Promise.all(paths.map(path => new Promise((done, fail) => {
	const x = new XMLHttpRequest();
	x.open("GET", path);
	x.responseType = "document";
	x.onload = () => done([...x.response.querySelectorAll("*")].map(e => [e.tagName, ...e.getAttributeNames().sort()].join(" ")));
	x.onerror = fail;
	x.send();
}))))`

// hostile is a question with a hostile text in it.
type hostile struct{ name, id, twin string }

// askHostile has an agent for each string ask with it in three ways. A message has
// the same words on its control whatever else it says, so it has a twin of the
// same shape with a harmless text.
func (g *guard) askHostile() (all []hostile) {
	g.t.Helper()
	for n, said := range hostileStrings {
		token := g.agent(fmt.Sprintf("agent-%d", n))
		for _, one := range []struct {
			kind    string
			request map[string]any
		}{{"message", message(said)}, {"control", control(said)}, {"line", line(said)}} {
			h := g.call(token, http.MethodPost, "/v1/actions", one.request)
			if h.Outcome != "confirm" {
				g.t.Errorf("%s %d: %s", one.kind, n, h.Outcome)
			}
			q := hostile{name: fmt.Sprintf("%s %d", one.kind, n), id: h.ID}
			if one.kind == "message" {
				q.twin = g.call(token, http.MethodPost, "/v1/actions", message(harmless(said))).ID
			}
			all = append(all, q)
		}
	}
	return all
}

// Whatever stands in the fields that an agent controls: the page consists of what
// it consists of with a harmless text, nothing runs, nothing is asked of anybody
// else, and the text is there, spelled out.
func TestHostileStrings(t *testing.T) {
	t.Parallel()
	g := startGuard(t)
	p := newPerson(t, g, phone)
	ours := []string{g.ask(chat("Anna", "Hello")), g.ask(transfer("Acme Ltd", "$80.00")), g.ask(message("x")), g.ask(control("x")), g.ask(line("x"))}
	all := g.askHostile()
	p.signIn("owner")
	did := p.watch()
	known := p.known(ours)
	alike := 0
	for _, q := range all {
		a := g.question(q.id)
		p.open("/approvals/" + q.id)
		if is[bool](p, `"__pwned" in window`) {
			t.Errorf("%s: a script ran", q.name)
		}
		p.wantSpelled(q.name, a)
		if q.twin != "" && a.Card.Category == g.question(q.twin).Card.Category {
			p.wantAlike(q)
			alike++
		} else {
			p.wantKnown(q, known)
		}
	}
	p.wantListHarmless()
	for _, what := range did.all() {
		t.Error(what)
	}
	if want := len(hostileStrings) * 3; len(all) != want || len(hostileStrings) < 60 || alike < 70 {
		t.Errorf("%d questions of %d strings, want %d; %d of them beside a twin", len(all), len(hostileStrings), want, alike)
	}
	t.Logf("%d strings in %d questions, %d of them beside a twin", len(hostileStrings), len(all), alike)
}

// skeletons are those of the cards and the records of questions.
func (p *person) skeletons(ids ...string) [][]string {
	p.t.Helper()
	var paths []string
	for _, id := range ids {
		paths = append(paths, js("/approvals/"+id), js("/approvals/"+id+"/record"))
	}
	return get(p, chromedp.Evaluate[[][]string](skeletons+`([`+strings.Join(paths, ",")+`])`, chromedp.EvalAwaitPromise))
}

// wantAlike: a question's card and record consist of the elements, and these of the
// attributes, that those of its twin do.
func (p *person) wantAlike(q hostile) {
	p.t.Helper()
	read := p.skeletons(q.id, q.twin)
	for i, what := range []string{"card", "record"} {
		if got, want := read[i], read[i+2]; len(want) < 30 || !slices.Equal(got, want) {
			p.t.Errorf("%s: the %s consists of something else: %s", q.name, what, differ(got, want))
		}
	}
}

// known are the elements with the names of their attributes that cards and records
// of questions are made of.
func (p *person) known(ids []string) map[string]bool {
	p.t.Helper()
	known := map[string]bool{"DIV aria-label class role tabindex": true, "P class": true, "SMALL": true}
	for _, read := range p.skeletons(ids...) {
		for _, one := range read {
			known[one] = true
		}
	}
	return known
}

// wantKnown: a question's card and record are made of elements of ours. How many
// there are depends on the words: on their marks, and on whether it is critical.
func (p *person) wantKnown(q hostile, known map[string]bool) {
	p.t.Helper()
	for _, read := range p.skeletons(q.id) {
		for _, one := range read {
			if !known[one] {
				p.t.Errorf("%s: the page has <%s>", q.name, one)
			}
		}
	}
}

// wantListHarmless: the items of the list are all made of the same elements.
func (p *person) wantListHarmless() {
	p.t.Helper()
	p.open("/")
	if is[bool](p, `"__pwned" in window`) {
		p.t.Error("a script ran on the list")
	}
	kinds := is[map[string]int](p, `(() => { const kinds = {};
		for (const li of document.querySelectorAll("#items li")) {
			const kind = [...li.querySelectorAll("*")].filter(e => !e.matches(".tag")).map(e => e.tagName).join(" ");
			kinds[kind] = (kinds[kind] || 0) + 1;
		}
		return kinds; })()`)
	if len(kinds) > 2 { // with and without what is beside the sentence
		p.t.Errorf("the items of the list are made in %d ways: %v", len(kinds), kinds)
	}
}

// differ is where two skeletons begin to differ.
func differ(got, want []string) string {
	for i := range got {
		if i >= len(want) || got[i] != want[i] {
			return fmt.Sprintf("of %d and %d elements, from %d: %q, not %q", len(got), len(want), i, got[i:min(i+4, len(got))], want[min(i, len(want)):min(i+4, len(want))])
		}
	}
	return fmt.Sprintf("%d elements are missing", len(want)-len(got))
}

// wantSpelled: what the guard keeps of what was said stands on the card that is open.
func (p *person) wantSpelled(name string, a approval.Approval) {
	p.t.Helper()
	shown := is[string](p, `document.querySelector("main").textContent`)
	for what, text := range map[string]string{
		"recipient": a.Card.Facts.Recipient, "text": a.Card.Facts.Text, "label": a.Card.Label, "package": a.Card.Package,
		"task": a.Card.Task, "doubt": a.Card.Doubt, "argument": a.Card.Argument, "id of the control": a.Card.ResourceID, "object": a.Card.Facts.Object, "session": a.Session,
	} {
		for one := range strings.SplitSeq(text, "\n") {
			if !strings.Contains(shown, spelled(one)) {
				p.t.Errorf("%s: the %s does not show %.100q", name, what, spelled(one))
			}
		}
	}
}

// agent makes an agent and returns its token.
func (g *guard) agent(name string) string {
	g.t.Helper()
	_, token, err := g.d.Registry().AddAgent(context.Background(), name, nil, "owner")
	if err != nil {
		g.t.Fatal(err)
	}
	return token
}
