package api_test

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/countersign/countersign/approval"
	"github.com/countersign/countersign/decide"
	"github.com/countersign/countersign/hold"
	"github.com/countersign/countersign/risk"
)

// onPhone is a body that names a phone.
var onPhone = strings.Replace(sendTap, "{", `{"device":"phone",`, 1)

// newRow is a door whose desk knows which credentials are gates', an agent of it
// that may name a phone, and the same door for a gate's credential.
func newRow(t *testing.T) (plain, gate *fixture) {
	t.Helper()
	var f *fixture
	f = newFixture(t, func(s *settings) {
		s.devices = []string{"phone"}
		s.desk.Gate = func(ctx context.Context, agent string) bool { return f.registry.IsGate(ctx, agent) }
	})
	above := *f
	var err error
	above.agent, above.token, err = f.registry.AddGate(f.ctx, "backend", []string{"phone"}, "owner")
	f.must(err)
	return f, &above
}

// released takes the tap on the phone to where its agent may carry it out.
func (f *fixture) released() answered {
	f.t.Helper()
	id := f.hold(onPhone)
	f.answer(id, true, "")
	got := f.call("POST", "/v1/actions/"+id+"/redeem", screenNow)
	if got.status != http.StatusOK || got.body.Approval.State != approval.Releasing {
		f.t.Fatalf("not redeemed: %d %s", got.status, got.raw)
	}
	return got
}

// below proposes the tap at a gate that looks itself.
func (f *fixture) below() hold.Ticket {
	f.t.Helper()
	req, err := decide.ReadRequest([]byte(onPhone))
	f.must(err)
	req.Screen.Observed = true
	t, err := f.desk.Propose(f.ctx, hold.Proposal{Agent: f.agent.ID, AgentName: f.agent.Name, Request: req, Arrived: f.desk.Now()})
	f.must(err)
	return t
}

// A redeem by a gate's credential leaves a ticket and says until when. It lets one
// action pass at a gate below that looks itself.
func TestRedeemByAGateLeavesATicket(t *testing.T) {
	plain, gate := newRow(t)
	up := gate.released()
	if want := plain.clock.now().Add(2 * time.Second); !up.body.TicketUntil.Equal(want) {
		t.Errorf("the gate is told of a ticket until %v, not %v: %s", up.body.TicketUntil, want, up.raw)
	}
	if again := gate.call("GET", "/v1/actions/"+up.body.ID, ""); !again.body.TicketUntil.IsZero() {
		t.Errorf("asked again: %s", again.raw)
	}
	down := plain.below()
	if down.Outcome != risk.Allow || down.Above != up.body.ID || down.Approval != nil {
		t.Fatalf("below: %+v", down)
	}
	got := plain.call("GET", "/v1/actions/"+down.ID, "")
	if got.body.DecidedBy != hold.ByTicket || got.body.Outcome != risk.Allow || strings.Contains(string(got.raw), up.body.ID) {
		t.Errorf("the agent below is told %s", got.raw)
	}
	if second := plain.below(); second.Outcome != risk.Confirm {
		t.Errorf("a second time: %+v", second)
	}
}

// A plain agent leaves none, and no agent at this door uses one: what it says of the
// screen is its word.
func TestTicketsAndPlainAgents(t *testing.T) {
	plain, gate := newRow(t)
	if up := plain.released(); !up.body.TicketUntil.IsZero() || strings.Contains(string(up.raw), "ticket_until") {
		t.Errorf("a plain agent is told of a ticket: %s", up.raw)
	}
	if down := gate.below(); down.Outcome != risk.Confirm {
		t.Errorf("what a plain agent was let do passes below: %+v", down)
	}

	plain, gate = newRow(t)
	gate.released()
	if got := plain.call("POST", "/v1/actions", onPhone); got.status != http.StatusAccepted || got.body.Outcome != risk.Confirm {
		t.Errorf("over HTTP: %d %s", got.status, got.raw)
	}
	if got := gate.call("POST", "/v1/actions", onPhone); got.status != http.StatusAccepted {
		t.Errorf("by the gate itself: %d %s", got.status, got.raw)
	}
	if got := gate.call("POST", "/v1/decide", onPhone); got.body.Outcome != risk.Confirm || !got.body.TicketUntil.IsZero() {
		t.Errorf("a pure decision: %s", got.raw)
	}
}

// Revoking the credential ends what it has left.
func TestTicketOfARevokedGate(t *testing.T) {
	plain, gate := newRow(t)
	gate.released()
	_, err := plain.registry.RevokeAgent(plain.ctx, "backend")
	plain.must(err)
	if down := plain.below(); down.Outcome != risk.Confirm {
		t.Errorf("%+v", down)
	}
}

// What a grant lets pass at once leaves a ticket at once.
func TestTicketOfAGrantOverHTTP(t *testing.T) {
	plain, gate := newRow(t)
	const drop = `{"device":"phone","action":{"kind":"tap"},"screen":{"package":"com.example.notes"},"target":{"text":"Delete","dialog_message":"Delete “Trip”?"}}`
	id := gate.hold(drop)
	a, err := gate.desk.View(gate.ctx, id)
	gate.must(err)
	terms := approval.GrantTerms{Count: 2, For: time.Hour}
	_, err = gate.desk.Answer(gate.ctx, hold.Answer{ID: id, Digest: a.Digest, Yes: true, By: "owner", Grant: &terms})
	gate.must(err)
	gate.call("POST", "/v1/actions/"+id+"/redeem", `{"screen":{"package":"com.example.notes"},"target":{"text":"Delete","dialog_message":"Delete “Trip”?"}}`)
	gate.call("POST", "/v1/actions/"+id+"/result", `{"ok":true}`)
	next := gate.call("POST", "/v1/actions", drop)
	if next.status != http.StatusOK || next.body.DecidedBy != hold.ByGrant || !next.body.TicketUntil.Equal(plain.clock.now().Add(2*time.Second)) {
		t.Errorf("%d %s", next.status, next.raw)
	}
}
