package main

import (
	"strings"
	"testing"

	"github.com/countersign/countersign/hold"
	"github.com/countersign/countersign/ledger"
)

// What passed by a ticket says so, and names the action whose yes it was; nothing
// else does.
func TestLogShowNamesTheActionAbove(t *testing.T) {
	shown := func(d ledger.Decision) string {
		c := &card{t: &terminal{width: defaultWidth}}
		c.decided(&ledger.Row{Subject: "a_below"}, &d)
		return c.b.String()
	}
	got := shown(ledger.Decision{DecidedBy: hold.ByTicket, Above: "a_above", Approval: "a_above"})
	for _, want := range []string{"decided by", " ticket\n", "left by a_above at the gate above"} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is missing:\n%s", want, got)
		}
	}
	if got := shown(ledger.Decision{DecidedBy: hold.ByGrant, Grant: "g_1", Approval: "a_first"}); strings.Contains(got, "ticket") {
		t.Errorf("a grant:\n%s", got)
	}
}
