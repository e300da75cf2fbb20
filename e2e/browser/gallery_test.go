package browser

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"github.com/countersign/countersign/approval"
	"github.com/countersign/countersign/daemon"
	"github.com/countersign/countersign/hold"
)

// view is a page in a state worth looking at, and the words that show that it is
// that one.
type view struct {
	name  string
	who   *person
	path  string
	shows string
	// then does what is to be done on the page first; nil for nothing.
	then func(*person)
	// keep says that pictures of it are kept for people to look at.
	keep bool
}

// gallery is every page of the inbox, each in the states that look different.
type gallery struct {
	plain, critical, typed, long, settled, granted, approved, passed string
	views                                                            []view
}

// unbroken is a recipient without a place to break a line at.
var unbroken = strings.Repeat("Wolfeschlegelsteinhausenbergerdorff", 86)[:3000]

// newGallery fills a guard with one of each kind, beside some that show one thing
// each.
func newGallery(t *testing.T) *gallery {
	t.Helper()
	g := startGuard(t, func(o *daemon.Options) { o.TypeAbove = map[string]string{"*": "1000"} })
	v := &gallery{}
	v.fill(g)
	owner := newPerson(t, g, desktop)
	owner.authenticator()
	owner.signIn("owner")
	owner.addPasskey("this-laptop")
	outside := newPerson(t, g, desktop)
	inside := func(g *guard) *person {
		p := newPerson(t, g, desktop)
		p.signIn("owner")
		return p
	}
	v.views = v.all(owner, outside, inside(startGuard(t)), inside(frozenGuard(t)), inside(habitualGuard(t)),
		inside(startGuard(t, func(o *daemon.Options) { o.Observe = true })), inside(crowdedGuard(t)))
	return v
}

// fill asks and answers one question of each kind.
func (v *gallery) fill(g *guard) {
	v.settled = g.ask(chat("Dora Novak", "Is anybody at home?"))
	g.answer(v.settled, hold.Answer{Note: "Ask me again tomorrow"})
	v.granted = g.ask(chat("Emil Berg", "On my way"))
	g.answer(v.granted, hold.Answer{Yes: true, Grant: &approval.GrantTerms{Count: approval.UsualGrantCount, For: approval.UsualGrantFor}})
	v.passed = g.allowed(tap("com.google.android.gm", "Inbox"))
	v.approved = g.ask(chat("Farah", "The keys are under the mat"))
	g.answer(v.approved, hold.Answer{Yes: true})
	v.plain = g.ask(chat("Anna Schmidt", "I will be 20 minutes late"))
	v.critical = g.ask(transfer("Acme Ltd", "$80.00"))
	v.typed = g.ask(transfer("Wide Roads Inc", "$2,500.00"))
	v.long = g.ask(chat(unbroken, strings.Repeat("All work and no play makes a dull day. ", 80)))
}

// frozenGuard is one whose owner has stopped everything.
func frozenGuard(t *testing.T) *guard {
	t.Helper()
	g := startGuard(t)
	if err := g.d.Desk().Freeze(context.Background(), "owner", "Something is odd"); err != nil {
		t.Fatal(err)
	}
	return g
}

// crowdedGuard is one with more questions than its list has places for: those of
// six agents, and a single one of a seventh's. None ends before a slow test does.
func crowdedGuard(t *testing.T) *guard {
	t.Helper()
	g := startGuard(t, func(o *daemon.Options) { o.AnswerWithin = 12 * time.Hour })
	for n := range 6 {
		token := g.agent(fmt.Sprintf("busy-%d", n))
		for i := range 20 {
			request := chat(fmt.Sprintf("Person %d of %d", i, n), "Hello")
			if i%7 == 3 {
				request = transfer("Acme Ltd", fmt.Sprintf("$%d.00", 10*n+i))
			}
			g.call(token, http.MethodPost, "/v1/actions", request)
		}
	}
	g.ask(chat("Anna Schmidt", "I will be 20 minutes late"))
	return g
}

// habitualGuard is one that has asked the same often, and always got a yes.
func habitualGuard(t *testing.T) *guard {
	t.Helper()
	g := startGuard(t)
	for n := range 24 {
		request := chat("Anna Schmidt", fmt.Sprintf("Message %d", n))
		id := g.ask(request)
		g.answer(id, hold.Answer{Yes: true})
		g.redeem(id, request)
	}
	return g
}

// all lists the views.
func (v *gallery) all(owner, outside, newcomer, stopped, regular, watched, crowded *person) []view {
	opens := func(summary string) func(*person) {
		return func(p *person) { p.do(chromedp.Click(chromedp.CSS(summary))) }
	}
	return []view{
		{"sign-in", outside, "/", "Nobody is signed in", nil, false},
		{"sign-in-link", outside, "/sign-in?ticket=x", "The link is good for one sign-in", nil, false},
		{"nothing-outside", outside, "/nothing", "there is nothing at this address", nil, false},
		{"list-empty", newcomer, "/", "No question is open", nil, false},
		{"history-empty", newcomer, "/history", "No question is like that", nil, false},
		{"grants-empty", newcomer, "/grants", "Nothing goes on without a question", nil, false},
		{"stats-empty", newcomer, "/stats", "What asking costs", nil, false},
		{"list-frozen", stopped, "/", "FROZEN", opens("details.frozen summary"), false},
		{"list", owner, "/", "Anna Schmidt", nil, true},
		{"freeze", owner, "/", "Anna Schmidt", opens("details.freeze summary"), true},
		{"card", owner, "/approvals/" + v.plain, "I will be 20 minutes late", nil, true},
		{"critical", owner, "/approvals/" + v.critical, "80.00", nil, true},
		{"critical-word", owner, "/approvals/" + v.critical, "80.00", opens("#by-word"), true},
		{"critical-typed", owner, "/approvals/" + v.typed, "To approve, type", nil, false},
		{"card-long", owner, "/approvals/" + v.long, "3000 characters", opens("details.more summary"), false},
		{"card-settled", owner, "/approvals/" + v.settled, "Ask me again tomorrow", nil, true},
		{"card-approved", owner, "/approvals/" + v.approved, "approved, not carried out yet", nil, false},
		{"card-grant", owner, "/approvals/" + v.plain, "Anna Schmidt", opens("details.grant summary"), true},
		{"history", owner, "/history", "Dora Novak", nil, true},
		{"actions", owner, "/actions?outcome=all", "Opens, selects or moves on", nil, false},
		{"grants", owner, "/grants", "3 of 3 left", nil, true},
		{"passkeys", owner, "/passkeys", "this-laptop", nil, true},
		{"record", owner, "/approvals/" + v.plain + "/record", "action_id", nil, false},
		{"problem", owner, "/approvals/none", "All questions", nil, false},
		{"record-long", owner, "/approvals/" + v.long + "/record", "action_id", nil, false},
		{"stats", owner, "/stats", "What asking costs", nil, true},
		{"stats-habit", regular, "/stats", "approved 24 times, never refused", nil, false},
		{"list-observe", watched, "/", "OBSERVE MODE", nil, false},
		{"list-cut", crowded, "/", "100 of 121 are listed", nil, true},
		{"list-whole", crowded, "/?show=all", "Show a hundred of them only", nil, false},
		{"list-late", crowded, "/", "are listed", func(p *person) {
			parts := p.holdParts()
			p.g.ask(chat("Wanda", "Are you there?"))
			parts.fail(parts.next())
			p.shows("#late", "not up to date")
		}, false},
	}
}

// show opens a view.
func (v *view) show() {
	v.who.t.Helper()
	v.who.open(v.path)
	v.who.shows("body", v.shows)
	if v.then != nil {
		v.then(v.who)
	}
	v.who.waits("its pictures are there", `[...document.images].every(i => i.complete && i.naturalWidth > 0)`)
}
