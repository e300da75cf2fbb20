package hold_test

import (
	"context"
	"testing"
	"time"

	"github.com/countersign/countersign/approval"
	"github.com/countersign/countersign/decide"
	"github.com/countersign/countersign/hold"
	"github.com/countersign/countersign/risk"
)

// A ticket is said to whoever redeems, with the time that it is good for, and only
// where there is one.
func TestWhoIsToldOfATicket(t *testing.T) {
	f := newFixture(t, t, withGates(&gates{}))
	defer f.close()
	at := f.desk.Now()
	if up := f.above("gate-1", sendIt()); !up.TicketUntil.Equal(at.Add(2 * time.Second)) {
		t.Errorf("a gate is told %v", up.TicketUntil)
	}
	if up := f.above("plain", sendIt()); !up.TicketUntil.IsZero() {
		t.Errorf("a plain agent is told %v", up.TicketUntil)
	}
	if up := f.above("gate-1", pressOn("", "com.whatsapp", "Send")); !up.TicketUntil.IsZero() {
		t.Errorf("without a phone: %v", up.TicketUntil)
	}
	if up := f.propose("gate-1", pressOn("phone", "com.whatsapp", "Chats")); up.Outcome != risk.Allow || !up.TicketUntil.IsZero() {
		t.Errorf("what the policy allows: %v, %v", up.Outcome, up.TicketUntil)
	}
	none := newFixture(t, t)
	defer none.close()
	if up := none.above("gate-1", sendIt()); !up.TicketUntil.IsZero() {
		t.Errorf("a desk that knows no gates: %v", up.TicketUntil)
	}
	watching := newFixture(t, t, withGates(&gates{}), func(o *hold.Options) { o.Observe = true })
	defer watching.close()
	if up := watching.propose("gate-1", sendIt()); !up.TicketUntil.IsZero() {
		t.Errorf("observing: %v", up.TicketUntil)
	}
}

// What a grant lets pass above leaves a ticket that names the question the grant
// came with; below, nothing of the grant is used.
func TestTicketOfAGrant(t *testing.T) {
	f := newFixture(t, t, withGates(&gates{}))
	defer f.close()
	g := f.granted("gate-1", chat("Anna", "first"), 3, time.Hour)
	up := f.propose("gate-1", chat("Anna", "second"))
	if up.Grant != g.ID || up.TicketUntil.IsZero() {
		t.Fatalf("above: %+v", up)
	}
	down := f.below("below", chat("Anna", "second"), f.desk.Now())
	if f.stands(&down, "") != passes {
		t.Fatalf("below: %+v", down)
	}
	f.usedTicket(t, &down, up.ID, g.From)
	if g, err := f.desk.Grant(f.ctx, g.ID); err != nil || g.Used != 1 {
		t.Errorf("the grant was used %d times, %v", g.Used, err)
	}
	up = f.propose("gate-1", chat("Anna", "third"))
	if _, err := f.desk.Finish(f.ctx, "gate-1", up.ID, hold.Result{OK: true}); err != nil {
		t.Fatal(err)
	}
	if down = f.below("below", chat("Anna", "third"), f.desk.Now()); f.stands(&down, "") != asks {
		t.Errorf("what was done already: %+v", down)
	}
	f.verify()
}

// So does what the yes to the question before covers: Delete, then OK.
func TestTicketOfALinkedYes(t *testing.T) {
	f := newFixture(t, t, withGates(&gates{}))
	defer f.close()
	first, ok := drop("Trip"), drop("Trip")
	first.Device, ok.Device = "phone", "phone"
	ok.Target = &decide.Target{Text: "OK", DialogMessage: "Delete “Trip”?"}
	id := f.asked("gate-1", first).ID
	f.release("gate-1", id, first)
	up := f.propose("gate-1", ok)
	if up.Outcome != risk.Allow || up.TicketUntil.IsZero() {
		t.Fatalf("above: %+v", up)
	}
	down := f.below("below", ok, f.desk.Now())
	if f.stands(&down, "") != passes {
		t.Fatalf("below: %+v", down)
	}
	f.usedTicket(t, &down, up.ID, id)
	f.verify()
}

// handing is a gate above that acts through the gate below.
type handing struct {
	act  func() hold.Ticket
	told hold.Ticket
}

func (h *handing) Release(context.Context, *decide.Request) error {
	h.told = h.act()
	return nil
}

// sees is an observer that sees what a request says.
type sees struct{ screen *decide.Screen }

func (s sees) Observe(context.Context) (*decide.Screen, error) { return s.screen, nil }

// A gate in the same program leaves its ticket for the time in which it acts.
func TestTicketOfAGateInTheProgram(t *testing.T) {
	f := newFixture(t, t, withGates(&gates{}), func(o *hold.Options) { o.Notifiers = nil })
	defer f.close()
	req := chat("Anna", "hi")
	releaser := &handing{act: func() hold.Ticket { return f.below("below", chat("Anna", "hi"), f.desk.Now()) }}
	done := make(chan error, 1)
	go func() {
		_, err := f.desk.Do(f.ctx, hold.Proposal{Agent: "gate-1", AgentName: "gate-1", Request: &req}, sees{req.Screen}, releaser)
		done <- err
	}()
	f.answer(f.pending(), true)
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	if f.stands(&releaser.told, "") != passes {
		t.Errorf("while it acts: %+v", releaser.told)
	}
	after := f.below("below", chat("Anna", "hi"), f.desk.Now())
	if f.stands(&after, "") != asks {
		t.Errorf("a second time: %+v", after)
	}
}

// pending waits for a question and returns its id.
func (f *fixture) pending() string {
	f.t.Helper()
	limit := time.After(3 * time.Minute)
	for {
		changed := f.desk.Changed()
		open, err := f.store.Approvals(f.ctx, hold.Query{States: []approval.State{approval.Pending}})
		if err != nil {
			f.t.Fatalf("read the questions: %v", err)
		}
		if len(open) > 0 {
			return open[0].ID
		}
		select {
		case <-changed:
		case <-limit:
			f.t.Fatalf("nobody was asked")
		}
	}
}

// A gate that acts in another way uses no ticket; none is left when it is done.
func TestTicketEndsWithTheAction(t *testing.T) {
	f := newFixture(t, t, withGates(&gates{}))
	defer f.close()
	g := f.granted("gate-1", chat("Anna", "first"), 3, time.Hour)
	req := chat("Anna", "second")
	up, err := f.desk.Do(f.ctx, hold.Proposal{Agent: "gate-1", AgentName: "gate-1", Request: &req}, sees{req.Screen}, &handing{act: func() (t hold.Ticket) { return t }})
	if err != nil || up.Grant != g.ID {
		t.Fatalf("%+v, %v", up, err)
	}
	if down := f.below("below", req, f.desk.Now()); f.stands(&down, "") != asks {
		t.Errorf("after it was done: %+v", down)
	}
}
