package main

import (
	"bytes"
	"context"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/countersign/countersign/daemon"
	"github.com/countersign/countersign/decide"
	"github.com/countersign/countersign/hold"
	"github.com/countersign/countersign/risk"
)

// A person sees the whole of a grant before the yes that gives it, and everything
// but that yes gives none.
func TestAGrantIsSeenBeforeItIsGiven(t *testing.T) {
	for typed, given := range map[string]int{"y\n": 1, "\n": 0, "n\n": 0, "": 0} {
		d, err := daemon.New(context.Background(), daemon.Options{Home: filepath.Join(t.TempDir(), "home"), Agents: "127.0.0.1:0", Inbox: "127.0.0.1:0", Version: "test"})
		if err != nil {
			t.Fatal(err)
		}
		if err := d.Start(); err != nil {
			t.Fatal(err)
		}
		asked, err := d.Desk().Propose(context.Background(), hold.Proposal{Agent: "agt_1", AgentName: "errands", Request: &decide.Request{
			Action: risk.Action{Kind: risk.Tap}, Screen: &decide.Screen{Package: "com.example.notes"}, Device: "pixel",
			Target: &decide.Target{Text: "Delete", DialogMessage: "Delete “Trip”?"},
		}})
		if err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		c := approvalsApproveCommand{ID: asked.ID, grantFlags: grantFlags{Grant: 5, For: 2 * time.Hour}}
		c.Home = filepath.Dir(d.Socket())
		err = c.Run(&terminal{in: strings.NewReader(typed), out: &out, inTTY: true, outTTY: true, width: 100})
		if (err == nil) != (given == 1) {
			t.Errorf("typed %q: %v", typed, err)
		}
		shown := regexp.MustCompile(`(?s)with a grant: deleting “Trip” in com\.example\.notes, 5 times, until [^\n]*, by “errands” on device “pixel”\n.*approve\? \[y/N\] `)
		if !shown.MatchString(out.String()) {
			t.Errorf("typed %q: the grant is not shown before the question:\n%s", typed, out.String())
		}
		if list, err := d.Desk().Grants(context.Background(), true); err != nil || len(list) != given {
			t.Errorf("typed %q: %d grants, %v", typed, len(list), err)
		}
		if err := d.Stop(context.Background()); err != nil {
			t.Error(err)
		}
	}
}
