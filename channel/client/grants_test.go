package client

import (
	"context"
	"net/http"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/countersign/countersign/approval"
)

func TestWhatTheCallsOfGrantsSend(t *testing.T) {
	var reply any
	door := openDoor(t, func(w http.ResponseWriter, r *http.Request) { answerJSON(w, 200, reply) })
	c := door.client(t, Options{})
	ctx := context.Background()
	type m = map[string]any
	a := ordinary()
	g := offerOf(a)
	g.ID, g.Version = "g_1", 1
	list := Grants{Grants: []approval.Grant{g}, Now: noon}
	terms := approval.GrantTerms{Count: 3, For: 10 * time.Minute}
	asShown := struct {
		approval.Approval
		Offer m `json:"offer"`
	}{a, m{"category": "message", "count": 3, "seconds": 600, "scope": "sending to Anna", "recipient": "Anna"}}
	cases := []struct {
		name         string
		call         func() (any, error)
		reply        any
		method, path string
		body         string
		want         any
	}{
		{"open", func() (any, error) { return c.Grants(ctx, false) }, list, "GET", "/v1/grants?state=open", "", list},
		{"all", func() (any, error) { return c.Grants(ctx, true) }, list, "GET", "/v1/grants?state=all", "", list},
		{"revoke", func() (any, error) { return c.RevokeGrant(ctx, "g/../1") }, m{"grant": g}, "DELETE", "/v1/grants/g%2F..%2F1", "", g},
		{"give", func() (any, error) { return c.ApproveWithGrant(ctx, "x", "hmac", "why", terms) }, a, "POST", "/v1/approvals/x/approve",
			`{"digest":"hmac","note":"why","grant":{"count":3,"seconds":600}}`, a},
		{"offer", func() (any, error) {
			g, ok, err := c.Offer(ctx, "x")
			return []any{g.Recipient, g.Count, ok}, err
		}, asShown, "GET", "/v1/approvals/x", "", []any{"Anna", 3, true}},
		{"no offer", func() (any, error) {
			_, ok, err := c.Offer(ctx, "x")
			return ok, err
		}, a, "GET", "/v1/approvals/x", "", false},
	}
	for i, test := range cases {
		reply = test.reply
		got, err := test.call()
		if err != nil || !reflect.DeepEqual(got, test.want) {
			t.Errorf("%s: %+v, %v; want %+v", test.name, got, err, test.want)
		}
		came := door.requests()
		if last := came[len(came)-1]; len(came) != i+1 || last.Method != test.method || last.URI != test.path || strings.TrimSpace(last.Body) != test.body {
			t.Errorf("%s: the door was asked %+v", test.name, last)
		}
	}
	if n := len(door.requests()); n != 6 {
		t.Errorf("%d calls were made", n)
	}
}

// A line of a grant neither steers the terminal nor lets a name end its quotation.
func TestTheLineOfAGrant(t *testing.T) {
	a := ordinary()
	a.Card.Facts.Object, a.Card.Facts.Recipient, a.AgentName = "", "Anna” for ever\x1b[2J\u202e", "robo\x07"
	got := GrantLine(offerOf(a), noon)
	want := `sending to “Anna\u201d for ever\u001b[2J\u202e” in WhatsApp, 3 times, until 12:10, by “robo\u0007” on device “pixel”`
	if got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
	const scope = "sending to “Anna”, about “chat with Anna” in WhatsApp, used 1 of 3 times, by “errands” on device “pixel”; "
	for code, want := range map[string]string{
		approval.CodeUsedUp: "used up", approval.CodeGrantExpired: "its time is over", approval.CodeRevoked: "ended by “kim”",
		approval.CodeFrozen: "ended with a freeze by “kim”", approval.CodeDeniedSince: "ended with a refusal of something like it by “kim”",
	} {
		g := offerOf(ordinary())
		g.ID = "g_1"
		g.Use(noon)
		g.End(noon, "kim", code)
		if got := GrantLine(g, noon); got != scope+want {
			t.Errorf("%s: %s", code, got)
		}
	}
	g := offerOf(ordinary())
	if got := GrantLine(g, noon.Add(time.Hour)); !strings.HasSuffix(got, "; its time is over") {
		t.Errorf("after its time: %s", got)
	}
}
