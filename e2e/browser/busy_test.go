package browser

import (
	"fmt"
	"net/http"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/countersign/countersign/approval"
	"github.com/countersign/countersign/hold"
)

// appears notes in a page when its title, and when its list, first counts so many
// questions, by the machine's clock, which the test has too.
const appears = `window.titled = {}; window.listed = {};
new MutationObserver(() => {
	const now = Date.now(), n = (document.title.match(/^\((\d+)\)/) || [])[1], m = document.getElementById("board").dataset.waiting;
	if (n && !titled[n]) titled[n] = now;
	if (!listed[m]) listed[m] = now;
}).observe(document, {subtree: true, childList: true, characterData: true});`

// With 1,000 questions open and the list before four people in five pages each, a
// new question is on all twenty. How long that takes is printed; it is asserted
// nowhere, since it is the machine's as much as ours.
func TestManyQuestionsOnManyPages(t *testing.T) {
	g := startGuard(t)
	var tokens []string
	for n := range 50 {
		tokens = append(tokens, g.agent(fmt.Sprintf("agent-%d", n)))
	}
	for n := range 1000 {
		g.call(tokens[n%50], http.MethodPost, "/v1/actions", chat(fmt.Sprintf("Person %d", n), "Hello"))
	}
	var pages []*person
	for n := range 4 {
		p := newPerson(t, g, desktop)
		p.signIn([]string{"anna", "ben", "carla", "dora"}[n])
		pages = append(pages, p)
		for range 4 {
			q := p.second()
			q.open("/")
			pages = append(pages, q)
		}
	}
	for _, p := range pages {
		p.waits("it counts all of them", `document.title.startsWith("(1000) ") && document.getElementById("board").dataset.waiting === "1000"`)
		is[any](p, appears)
	}
	if len(pages) != 20 {
		t.Fatalf("%d pages", len(pages))
	}
	var titles, lists, everywhere []time.Duration
	for round := range 5 {
		want := 1001 + round
		id := g.call(g.agent(fmt.Sprintf("late-%d", round)), http.MethodPost, "/v1/actions", chat("Somebody new", "Hello")).ID
		answered := time.Now()
		for _, p := range pages {
			p.waits("title and list have one more, and the new one is in it",
				fmt.Sprintf(`!!titled[%d] && !!listed[%[1]d] && !!document.querySelector(%q)`, want, "#items li[data-id="+id+"]"))
			at := is[[2]int64](p, fmt.Sprintf(`[titled[%d], listed[%[1]d]]`, want))
			titles, lists = append(titles, time.UnixMilli(at[0]).Sub(answered)), append(lists, time.UnixMilli(at[1]).Sub(answered))
		}
		everywhere = append(everywhere, slices.Max(lists[round*len(pages):]))
	}
	for _, figure := range []struct {
		what string
		took []time.Duration
	}{{"in the title of a page", titles}, {"in its list", lists}, {"in all lists", everywhere}} {
		took := figure.took
		slices.Sort(took)
		t.Logf("1,000 questions open, %d pages: a new one is %s after %v (median), %v (the slowest of %d)",
			len(pages), figure.what, took[len(took)/2].Round(time.Millisecond), took[len(took)-1].Round(time.Millisecond), len(took))
	}
}

// heap is how much the process holds once what is not needed is given back.
func heap() uint64 {
	var m runtime.MemStats
	for range 3 {
		runtime.GC()
	}
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// Questions that are settled leave nothing behind in memory: after 2,000 of them,
// with a page following, the guard holds no more than it does after 200.
func TestChurnLeavesNothingBehind(t *testing.T) {
	g := startGuard(t)
	p := newPerson(t, g, desktop)
	p.signIn("owner")
	churn := func(from, to int) {
		for n := from; n < to; n++ {
			request := chat(fmt.Sprintf("Person %d", n), fmt.Sprintf("Message %d", n))
			id := g.ask(request)
			switch n % 3 {
			case 0:
				g.answer(id, hold.Answer{Yes: true})
				g.redeem(id, request)
			case 1:
				g.deny(id)
			case 2:
				g.call(g.token, http.MethodDelete, "/v1/actions/"+id, struct{}{})
			}
		}
		last := g.ask(chat("The last one", fmt.Sprintf("Message %d", to)))
		p.shows("#items", "The last one")
		g.wantState(last, approval.Pending)
		g.call(g.token, http.MethodDelete, "/v1/actions/"+last, struct{}{})
		p.shows("#board", "No question is open")
	}
	churn(0, 200)
	early := heap()
	churn(200, 2000)
	late := heap()
	t.Logf("the heap is %.1f MB after 200 questions and %.1f MB after 2,000", float64(early)/1e6, float64(late)/1e6)
	if float64(late) > 1.5*float64(early) {
		t.Errorf("the heap has grown from %d to %d bytes", early, late)
	}
}
