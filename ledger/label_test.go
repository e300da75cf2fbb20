package ledger

import (
	"encoding/json"
	"testing"

	"github.com/countersign/countersign/risk"
)

func TestLabelled(t *testing.T) {
	row := func(kind Kind, body any) Row {
		doc, err := json.Marshal(body)
		if err != nil {
			t.Fatal(err)
		}
		return Row{Kind: kind, Subject: "a_1", Body: doc}
	}
	asked := row(KindDecision, Decision{Outcome: risk.Confirm, Category: risk.Message, Approval: "a_1"})
	joined := row(KindDecision, Decision{Outcome: risk.Confirm, Note: "joined"})
	allowed := row(KindDecision, Decision{Outcome: risk.Allow})
	says := func(by, should string) Row { return row(KindLabel, Label{By: by, Should: should}) }
	broken := Row{Kind: KindLabel, Body: json.RawMessage(`{"should": 5}`)}
	tests := []struct {
		name string
		rows []Row
		want string // by and should, empty for nothing said
	}{
		{"nothing", nil, ""},
		{"no label", []Row{asked, row(KindTransition, Transition{})}, ""},
		{"needless", []Row{asked, says("kim", "allow")}, "kim allow"},
		{"missed", []Row{allowed, says("kim", "confirm")}, "kim confirm"},
		{"the last one counts", []Row{allowed, says("kim", "confirm"), says("lee", "deny")}, "lee deny"},
		{"taken back", []Row{asked, says("kim", "allow"), says("kim", "confirm")}, ""},
		{"and said again", []Row{asked, says("kim", "allow"), says("kim", "confirm"), says("lee", "allow")}, "lee allow"},
		{"the first decision counts", []Row{asked, joined, says("kim", "allow")}, "kim allow"},
		{"a label of nothing", []Row{says("kim", "allow")}, ""},
		{"a label that cannot be read", []Row{asked, says("kim", "allow"), broken}, "kim allow"},
	}
	for _, tt := range tests {
		d, l, ok := Labelled(tt.rows)
		got := ""
		if ok {
			got = l.By + " " + l.Should
		}
		if got != tt.want || !ok && l != (Label{}) || ok && d.Note != "" {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
	if len(tests) != 10 {
		t.Errorf("%d cases, want 10", len(tests))
	}
	if _, err := asked.Label(); err == nil {
		t.Error("a decision was read as a label")
	}
}
