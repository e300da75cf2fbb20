package client

import (
	"errors"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/countersign/countersign/approval"
)

// offerOf is what the guard offers with a question: three times, for ten minutes.
func offerOf(a approval.Approval) approval.Grant {
	g, ok := approval.GrantFor(&a)
	if !ok {
		panic("nothing may be granted with the question of the test")
	}
	return g.Given("", approval.UsualGrant(), noon, "", "")
}

// offer answers the page's question for what may be granted.
func (d *desk) offer(msg offered) {
	d.t.Helper()
	if n := len(d.asked); n == 0 || d.asked[n-1] != (effect{do: offer, id: "apv_7f3k", digest: "hmac-sha256:aa"}) {
		d.t.Fatalf("the page does not ask what may be granted: %+v", d.asked)
	}
	d.say(msg)
}

func offeredFor(a approval.Approval) offered {
	return offered{id: a.ID, digest: a.Digest, grant: offerOf(a), ok: true}
}

func TestAGrantIsShownWholeBeforeItIsGiven(t *testing.T) {
	d := newDesk(t, 80, 24, ordinary())
	if !strings.Contains(lastLine(d.view()), "[g]rant") {
		t.Errorf("it is not among the choices: %s", lastLine(d.view()))
	}
	d.press("g", "y", "y") // the guard has not been heard yet
	d.wantSent()
	d.offer(offeredFor(ordinary()))
	d.press("y") // too soon
	d.wantSent()
	d.wantShown("before the grant could be read")
	d.wait(time.Minute)
	d.press("down") // the page is drawn again, and the time that it would end has moved
	d.say(ticked{})
	d.press("up")
	d.wantShown("sending to “Anna”, about “chat with Anna” in WhatsApp, 3 times, until 12:11, by “errands” on device “pixel”.")
	d.wantShown("Grant this? y yes, any other key no")
	d.press("y", "y")
	d.wantSent(effect{do: grant, id: "apv_7f3k", digest: "hmac-sha256:aa", terms: approval.GrantTerms{Count: 3, For: 10 * time.Minute}})
	yes := ordinary()
	yes.State, yes.Grant = approval.Approved, "g_1"
	d.say(done{do: grant, id: yes.ID, found: yes})
	d.wantShown("the same may go on for a while")
}

func TestWhatGivesNoGrant(t *testing.T) {
	other := ordinary()
	other.Digest, other.Card.Label = "hmac-sha256:a2", "Send to all"
	settled := ordinary()
	settled.State = approval.Denied
	cases := []struct {
		name  string
		width int
		then  func(d *desk)
		shown string
	}{
		{"enter", 80, func(d *desk) { d.offer(offeredFor(ordinary())); d.wait(readFor); d.press("enter", "y") }, "[g]rant"},
		{"another key", 80, func(d *desk) { d.offer(offeredFor(ordinary())); d.wait(readFor); d.press("n", "y") }, "[g]rant"},
		{"nothing is offered", 80, func(d *desk) { d.offer(offered{id: "apv_7f3k", digest: "hmac-sha256:aa"}); d.press("y") }, "No grant may be given"},
		{"the guard refuses", 80, func(d *desk) {
			d.offer(offered{id: "apv_7f3k", digest: "hmac-sha256:aa", err: &Problem{Status: 409, Detail: "everything is frozen"}})
			d.press("y")
		}, "everything is frozen"},
		{"the guard is gone", 80, func(d *desk) {
			d.offer(offered{id: "apv_7f3k", digest: "hmac-sha256:aa", err: errors.Join(ErrNotRunning)})
			d.press("y")
		}, "No guard is running"},
		{"the question has changed", 80, func(d *desk) {
			d.say(listed{list: Questions{Version: "2", Approvals: []approval.Approval{other}}})
			d.say(offeredFor(ordinary()))
			d.wait(readFor)
			d.press("y")
		}, "[g]rant"},
		{"it changes while the grant is read", 80, func(d *desk) {
			d.offer(offeredFor(ordinary()))
			d.say(listed{list: Questions{Version: "2", Approvals: []approval.Approval{other}}})
			d.wait(readFor)
			d.press("y")
		}, "has changed"},
		{"it is settled while the grant is read", 80, func(d *desk) {
			d.offer(offeredFor(ordinary()))
			d.say(looked{id: settled.ID, found: settled})
			d.wait(readFor)
			d.press("y")
		}, "is now denied"},
		{"the terminal is too small for it", 30, func(d *desk) { d.offer(offeredFor(ordinary())); d.wait(readFor); d.press("y") }, "too small"},
		{"the terminal is made smaller", 80, func(d *desk) {
			d.offer(offeredFor(ordinary()))
			d.say(tea.WindowSizeMsg{Width: 30, Height: 10})
			d.wait(readFor)
			d.press("y")
		}, "too small"},
	}
	if len(cases) != 10 {
		t.Errorf("%d cases, 10 were written", len(cases))
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			d := newDesk(t, c.width, map[int]int{80: 24, 30: 10}[c.width], ordinary())
			d.press("g")
			c.then(d)
			d.wantSent()
			d.wantShown(c.shown)
		})
	}
}

// Where no grant may be given it is neither among the choices nor asked for.
func TestWhereThereIsNoGrantToGive(t *testing.T) {
	nobody := ordinary()
	nobody.Card.Facts.Recipient, nobody.Card.Facts.Object = "", ""
	for name, a := range map[string]approval.Approval{"critical": critical(), "about nobody": nobody} {
		d := newDesk(t, 80, 24, a)
		if strings.Contains(lastLine(d.view()), "[g]rant") {
			t.Errorf("%s: it is among the choices", name)
		}
		d.press("g")
		if d.wantShown("No grant may be given"); len(d.asked) != 0 {
			t.Errorf("%s: the page asks %+v", name, d.asked)
		}
	}
}

func TestAGrantFromAPlainTerminal(t *testing.T) {
	const yes = "approve apv_7f3k hmac-sha256:aa"
	const given = "grant apv_7f3k hmac-sha256:aa 3 10m0s"
	conflict := &Problem{Status: 409, Detail: "everything is frozen"}
	cases := []struct {
		name    string
		a       approval.Approval
		answers []string
		fail    error
		want    []string
		printed string
	}{
		{"g y", ordinary(), []string{"g", "y"}, nil, []string{given}, "→ approved and granted"},
		{"what it covers", ordinary(), []string{"g", "y"}, nil, []string{given}, "3 times, until 12:10,"},
		{"g enter", ordinary(), []string{"g", ""}, nil, nil, "→ nothing was granted"},
		{"g refused", ordinary(), []string{"g"}, conflict, nil, "→ everything is frozen"},
		{"y", ordinary(), []string{"y"}, nil, []string{yes}, "g yes and the same again"},
		{"critical g", critical(), []string{"g"}, nil, []string{"deny apv_9q2w hmac-sha256:bb"}, "→ denied"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) { askOnce(t, c.a, c.answers, readFor, c.fail, c.want, c.printed) })
	}
	if len(cases) != 6 {
		t.Fatal("a case is missing")
	}
}
