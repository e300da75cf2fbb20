package browser

import (
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// listed are the first words of what a page of the history or the actions lists.
func (p *person) listed() []string {
	p.t.Helper()
	return is[[]string](p, `[...document.querySelectorAll("main .items a.to")].map(a => a.innerText)`)
}

// narrow fills the form above a list in, and sends it.
func (p *person) narrow(field, value string) {
	p.t.Helper()
	is[any](p, `document.getElementById(`+js("by-"+field)+`).value = `+js(value))
	p.follows("form.filter button")
	p.waits("the list is the narrower one", `new URLSearchParams(location.search).get(`+js(field)+`) === `+js(value))
}

// The history has what was settled, by whom and how, and is narrowed down.
func TestHistory(t *testing.T) {
	t.Parallel()
	g := startGuard(t)
	p := newPerson(t, g, desktop)
	p.signIn("anna")
	message, payment := g.ask(chat("Anna Schmidt", "Hello")), g.ask(transfer("Acme Ltd", "$80.00"))
	p.open("/approvals/" + message)
	p.approve()
	p.shows("#standing", "approved, not carried out yet")
	g.deny(payment)
	waiting := g.ask(chat("Carla", "Not yet"))

	cases := 0
	for _, c := range []struct {
		field, value string
		has          []string
	}{
		{"state", "denied", []string{payment}},
		{"state", "approved", []string{message}},
		{"category", "money", []string{payment}},
		{"app", "whats", []string{waiting, message}},
		{"approver", "anna", []string{message}},
		{"approver", "OWNER", []string{payment}},
		{"agent", "first-agent", []string{waiting, payment, message}},
		{"app", "nothing of the kind", nil},
	} {
		p.open("/history")
		p.shows("h1", "History")
		p.narrow(c.field, c.value)
		got := is[[]string](p, `[...document.querySelectorAll("main .items a.to")].map(a => a.getAttribute("href").split("/").pop())`)
		if !slices.Equal(got, c.has) {
			t.Errorf("%s=%s: %q, want %q", c.field, c.value, got, c.has)
		}
		if shown := is[string](p, `document.getElementById(`+js("by-"+c.field)+`).value`); shown != c.value {
			t.Errorf("%s=%s: the form shows %q", c.field, c.value, shown)
		}
		cases++
	}
	p.shows("main", "No question is like that")
	if cases != 8 {
		t.Errorf("%d cases, want 8", cases)
	}
	p.open("/history")
	p.shows("main", "answered by anna, in the inbox")
	p.shows("main", "answered by owner, in a terminal")
}

// What the guard got wrong is said on the page, and stands on the record.
func TestLabels(t *testing.T) {
	t.Parallel()
	g := startGuard(t)
	p := newPerson(t, g, phone)
	p.signIn("owner")
	asked := g.ask(chat("Anna Schmidt", "Hello"))
	p.open("/approvals/" + asked)
	p.follows(`button[value="needless"]`)
	p.shows("main", "Marked: needless.")
	passed := g.allowed(tap("com.google.android.gm", "Inbox"))
	p.open("/actions")
	if list := p.listed(); len(list) != 1 {
		t.Fatalf("what went ahead without a question: %q", list)
	}
	p.follows(`button[value="missed"]`)
	p.shows("main", "Marked: should have asked.")
	if at := get(p, chromedp.Location()); !strings.Contains(at, "/actions") {
		t.Errorf("the page is %s", at)
	}
	g.wantLabels(asked, "allow")
	g.wantLabels(passed, "confirm")
	p.open("/approvals/" + passed + "/record")
	p.shows("main", "Marked: should have asked.")
	p.follows(`button[value="right"]`)
	p.waits("the mark is taken back", `!!document.querySelector('button[value="missed"]')`)
	g.wantLabels(passed, "confirm", "allow")
}

func (g *guard) wantLabels(id string, want ...string) {
	g.t.Helper()
	if got := g.labels(id); !slices.Equal(got, want) {
		g.t.Errorf("%s should have been %q by its labels, want %q", id, got, want)
	}
}
