package api_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/countersign/countersign/approval"
)

// The secrets that stand on the screen of these tests, and words that a view
// must not name.
const (
	card     = "4111 1111 1111 1111"
	password = "hunter2!Sesame"
	code     = "493817"
)

// secretBody is an action on a screen full of secrets, in every field that an
// answer could be made of.
func secretBody(kind string) string {
	target := `"target":{"text":"Pay with ` + card + `","content_desc":"password: ` + password + `","dialog_title":"Your verification code is ` + code + `","dialog_message":"Pay 12.00 EUR with ` + card + `?"}`
	return `{"action":{"kind":"` + kind + `"},"screen":{"package":"com.paypal.android.p2pmobile"},` + target +
		`,"task":"the card is ` + card + `","llm":{"requires_confirmation":true,"reason":"password: ` + password + `"}}`
}

// No secret of the screen comes back to the agent, on any way.
func TestSecretsDoNotComeBack(t *testing.T) {
	f := newFixture(t)
	var raws []string
	add := func(a answered) answered { raws = append(raws, string(a.raw)); return a }
	add(f.call("POST", "/v1/decide", secretBody("tap")))
	id := add(f.call("POST", "/v1/actions", secretBody("tap"))).body.ID
	add(f.call("GET", "/v1/actions/"+id, ""))
	f.answer(id, true, "my password: "+password+" and card "+card)
	add(f.call("GET", "/v1/actions/"+id, ""))
	add(f.call("POST", "/v1/actions/"+id+"/redeem", otherNow))
	step := add(f.call("POST", "/v1/agent/step", `{"task":"t","current_package":"com.paypal.android.p2pmobile","proposed_action":{"kind":"tap","text":"Pay with `+card+`","content_desc":"password: `+password+`"}}`))
	if !step.body.Masked || step.body.Decision == nil || step.body.Action["kind"] != "tap" {
		t.Errorf("the step's action is not said to be masked: %s", step.raw)
	}
	add(f.call("POST", "/v1/decide", `{"action":{"kind":"tap"},"card `+card+`":1}`))
	add(f.call("GET", "/v1/actions/"+id+"?card="+strings.ReplaceAll(card, " ", "+"), ""))
	for _, raw := range raws {
		for _, secret := range []string{card, strings.ReplaceAll(card, " ", ""), password, code} {
			if strings.Contains(raw, secret) {
				t.Errorf("%q comes back: %s", secret, raw)
			}
		}
	}
	if len(raws) != 8 {
		t.Errorf("%d answers", len(raws))
	}
}

// Words of hostile text do not control a terminal that shows an answer.
func TestDetailsAreHarmless(t *testing.T) {
	f := newFixture(t)
	a := f.call("POST", "/v1/decide", `{"action":{"kind":"tap"},"\u001b[2J\u202e":1}`)
	if a.status != http.StatusBadRequest || strings.ContainsAny(a.body.Detail, "\x1b\u202e") {
		t.Errorf("%d %q", a.status, a.body.Detail)
	}
}

// The agent's view has these fields and no other, and names neither the word
// that was recognised nor what recognised it.
func TestTheViewTeachesNothing(t *testing.T) {
	f := newFixture(t)
	fields := map[string]bool{
		"id": true, "outcome": true, "category": true, "critical": true, "code": true, "reason": true, "message": true,
		"digest": true, "observe": true, "would": true, "approval": true,
	}
	body := `{"action":{"kind":"tap"},"screen":{"package":"com.example.shop"},"target":{"text":"Jetzt kaufen","resource_id":"com.example.shop:id/btn_checkout","dialog_title":"Bestellung"}}`
	for _, path := range []string{"/v1/decide", "/v1/actions"} {
		a := f.call("POST", path, body)
		var got map[string]json.RawMessage
		f.must(json.Unmarshal(a.raw, &got))
		for name := range got {
			if !fields[name] {
				t.Errorf("%s: field %s", path, name)
			}
		}
		for _, word := range []string{"kaufen", "checkout", "Bestellung", "evidence", "term", "KEYWORD", "default@"} {
			if strings.Contains(string(a.raw), word) {
				t.Errorf("%s names %q: %s", path, word, a.raw)
			}
		}
		if a.body.Category.String() != "money" || a.body.Reason == "" || a.body.Message == "" {
			t.Errorf("%s: %s", path, a.raw)
		}
		if path == "/v1/actions" && (a.body.Approval == nil || a.body.Approval.State != approval.Pending) {
			t.Errorf("not held: %s", a.raw)
		}
	}
}
