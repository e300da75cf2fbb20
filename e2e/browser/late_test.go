package browser

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/fetch"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
)

// parts are the requests of a page for what has changed of it, each held before it
// leaves the browser.
type parts struct {
	p    *person
	held chan fetch.RequestID
}

// holdParts holds them from now on.
func (p *person) holdParts() *parts {
	p.t.Helper()
	r := &parts{p, make(chan fetch.RequestID, 100)}
	err := chromedp.Listen(p.tab, func(event any) {
		if paused, ok := event.(*fetch.EventRequestPaused); ok {
			r.held <- paused.RequestID
		}
	})
	if err != nil {
		p.t.Fatal(err)
	}
	call(p, fetch.Enable, fetch.EnableParams{Patterns: []*fetch.RequestPattern{{URLPattern: "*part=*"}}})
	return r
}

// next waits for the next one.
func (r *parts) next() fetch.RequestID {
	r.p.t.Helper()
	select {
	case id := <-r.held:
		return id
	case <-time.After(patience):
		r.p.t.Fatalf("the page asks for nothing\n%s", r.p.seen())
		return ""
	}
}

// fail has one fail, as if nobody were there to answer it. On a busy machine the
// page may have given it up by itself meanwhile, which is the same to it.
func (r *parts) fail(id fetch.RequestID) {
	r.p.t.Helper()
	ctx, cancel := context.WithTimeout(r.p.tab, patience)
	defer cancel()
	_, err := chromedp.Call(ctx, fetch.FailRequest, fetch.FailRequestParams{RequestID: id, ErrorReason: network.ErrorReasonConnectionRefused})
	if err != nil && !strings.Contains(err.Error(), "Invalid InterceptionId") {
		r.p.t.Fatal(err)
	}
}

// letGo lets all go where they want to, those that are held and those to come.
func (r *parts) letGo() {
	r.p.t.Helper()
	call(r.p, fetch.Disable, cdp.Empty{})
}

// A part of a page that does not come is asked for again, though nothing else
// changes; meanwhile the page says that it is not up to date, and its title counts.
func TestWhatDoesNotComeIsAskedForAgain(t *testing.T) {
	t.Parallel()
	late := func(p *person) {
		p.waits("the page says that it is late", `/^This page is not up to date since \d\d?:\d\d.*; it is being fetched again\.$/.test(document.getElementById("late").innerText)`)
	}
	cases := 0
	for _, c := range []struct {
		name string
		fate func(*person, *parts)
	}{
		{"refused twice", func(p *person, r *parts) {
			for range 2 {
				r.fail(r.next())
				late(p)
			}
			r.next()
		}},
		{"no answer", func(p *person, r *parts) {
			r.next()
			late(p)
			r.next() // the first was given up
		}},
		{"a slow answer", func(p *person, r *parts) {
			r.next()
			late(p)
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			g := startGuard(t)
			p, q := newPerson(t, g, phone), newPerson(t, g, desktop)
			p.signIn("owner")
			q.signIn("owner")
			seen := g.ask(chat("Anna", "Seen on a card"))
			p.shows("#items", "Anna")
			q.open("/approvals/" + seen)
			list, card := p.holdParts(), q.holdParts()
			g.ask(chat("Ben", "Asked when nothing comes"))
			g.deny(seen)
			p.waits("the title counts", `document.title.startsWith("(1) ")`)
			c.fate(p, list)
			c.fate(q, card)
			if is[bool](p, `document.querySelector("#items").innerText.includes("Ben")`) || is[string](q, `document.querySelector("#standing").dataset.state`) != "pending" {
				t.Error("what was held has come all the same")
			}
			list.letGo()
			card.letGo()
			p.shows("#items", "Ben")
			q.shows("#standing", "refused")
			for _, one := range []*person{p, q} {
				one.waits("the page is up to date", `document.getElementById("late").hidden`)
			}
		})
		cases++
	}
	if cases != 3 {
		t.Errorf("%d cases, want 3", cases)
	}
}
