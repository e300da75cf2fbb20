package notice

import (
	"bytes"
	"encoding/json"
	"os"
	"regexp"
	"testing"
	"time"

	"github.com/countersign/countersign/approval"
	"github.com/countersign/countersign/risk"
)

// payment is the question of the page on channels.
func payment() approval.Approval {
	at := time.Date(2026, 3, 4, 12, 0, 0, 0, time.FixedZone("", 3600))
	return approval.Approval{
		ID: "a_1", AgentName: "shopper", Device: "emulator-5554", CreatedAt: at, Deadline: at.Add(time.Minute),
		Card: approval.Card{
			Category: risk.Money, Critical: true, Permanent: true, App: "PayPal", Package: "com.paypal.android.p2pmobile", Tier: risk.High,
			Reason: "Pays 24.10 EUR to anna@example.com.", AgentReason: "Pays.", Label: "Pay now",
			Facts: risk.Facts{Object: "the order", Recipient: "anna@example.com", Amount: &risk.Amount{Value: "24.10", Currency: "EUR"}, Text: "two\nlines"},
		},
	}
}

// The message that the page shows is one that channels get.
func TestTheMessageOfThePage(t *testing.T) {
	page, err := os.ReadFile("../../docs/channels.md")
	if err != nil {
		t.Fatal(err)
	}
	found := regexp.MustCompile("(?ms)^```json\n(.*?)^```$").FindAllSubmatch(page, -1)
	if len(found) != 1 {
		t.Fatalf("the page has %d messages, want one", len(found))
	}
	var shown bytes.Buffer
	if err := json.Compact(&shown, found[0][1]); err != nil {
		t.Fatal(err)
	}
	a := payment()
	doc, err := MessageOf(&a, nil).JSON()
	if err != nil {
		t.Fatal(err)
	}
	if shown.String() != string(doc) {
		t.Errorf("the page shows\n%s\nthe program sends\n%s", shown.String(), doc)
	}
}
