package api_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/countersign/countersign/approval"
	"github.com/countersign/countersign/gate/api/planner"
	"github.com/countersign/countersign/risk"
)

// The tree of a chat, escaped for a JSON string.
const chatTree = `<hierarchy rotation=\"0\"><node class=\"android.widget.FrameLayout\" package=\"com.whatsapp\" bounds=\"[0,0][1080,2400]\"><node class=\"android.widget.ImageButton\" resource-id=\"com.whatsapp:id/send\" content-desc=\"Send\" package=\"com.whatsapp\" clickable=\"true\" enabled=\"true\" bounds=\"[900,2100][1000,2200]\"/><node class=\"android.widget.TextView\" text=\"Anna\" package=\"com.whatsapp\" enabled=\"true\" bounds=\"[0,0][300,100]\"/></node></hierarchy>`

// What a step asks and what it is answered.
var stepCases = []struct {
	name, body, source string
	status             int
	ask                bool
	category           risk.Category
}{
	{"a claimed target", `{"current_package":"com.whatsapp","proposed_action":{"kind":"tap","text":"Send"}}`, "KEYWORD_GUARD", 202, true, risk.Message},
	{"a target in full", `{"current_package":"com.whatsapp","proposed_action":{"kind":"tap","target":{"text":"Send","class":"android.widget.Button"}}}`, "KEYWORD_GUARD", 202, true, risk.Message},
	{"by its description", `{"current_package":"com.whatsapp","proposed_action":{"kind":"tap","content_desc":"Envoyer"}}`, "CONTEXT_AWARE_GUARD", 202, true, risk.Message},
	{"by its id", `{"current_package":"com.whatsapp","proposed_action":{"kind":"tap","resource_id":"com.whatsapp:id/send"}}`, "CONTEXT_AWARE_GUARD", 202, true, risk.Message},
	{"a notes app", `{"current_package":"com.google.android.keep","proposed_action":{"kind":"tap","text":"Send"}}`, "CONTEXT_AWARE_GUARD", 200, false, risk.Message},
	{"no package", `{"current_package":null,"proposed_action":{"kind":"tap","text":"Pay 12.00 EUR"}}`, "KEYWORD_GUARD", 202, true, risk.Money},
	{"the model's flag", `{"current_package":"com.whatsapp","requires_confirmation":true,"proposed_action":{"kind":"back"}}`, "LLM_FLAGGED", 202, true, risk.None},
	{"flag and context", `{"current_package":"com.whatsapp","requires_confirmation":true,"proposed_action":{"kind":"tap","content_desc":"Envoyer"}}`, "BOTH", 202, true, risk.Message},
	{"harmless", `{"current_package":"com.whatsapp","proposed_action":{"kind":"tap","text":"Settings"}}`, "NONE", 200, false, risk.None},
	{"a point on the tree", `{"current_package":"com.whatsapp","ui_tree":"` + chatTree + `","proposed_action":{"kind":"tap","x":950,"y":2150}}`, "", 202, true, risk.Message},
	{"a harmless claim beside the tree", `{"current_package":"com.whatsapp","ui_tree":"` + chatTree + `","proposed_action":{"kind":"tap","x":950,"y":2150,"text":"Back"}}`, "", 202, true, risk.Message},
	{"labels on the tree", `{"current_package":"com.whatsapp","ui_tree":"` + chatTree + `","proposed_action":{"kind":"tap","content_desc":"Send"}}`, "", 202, true, risk.Message},
	{"labels that are not on the tree", `{"current_package":"com.whatsapp","ui_tree":"` + chatTree + `","proposed_action":{"kind":"tap","text":"Back"}}`, "", 202, true, risk.Unknown},
	{"a shell line", `{"proposed_action":{"kind":"shell","shell":"pm uninstall com.whatsapp"}}`, "", 202, true, risk.Uninstall},
	{"typed text", `{"current_package":"com.whatsapp","proposed_action":{"kind":"type","text":"Send money"}}`, "", 200, false, risk.None},
	{"an unknown kind", `{"current_package":"com.google.android.keep","proposed_action":{"kind":"teleport"}}`, "", 202, true, risk.Unknown},
}

func TestStepsAreJudged(t *testing.T) {
	shared := newFixture(t)
	for _, tt := range stepCases {
		t.Run(tt.name, func(t *testing.T) {
			f := shared.as(t)
			a := f.call("POST", "/v1/agent/step", tt.body)
			d := a.body.Decision
			if a.status != tt.status || d == nil || a.body.RequiresConfirmation != tt.ask || d.Category != tt.category {
				t.Fatalf("%d %s, want %d and %v", a.status, a.raw, tt.status, tt.category)
			}
			if tt.source != "" && a.body.Source != tt.source {
				t.Errorf("source %s, want %s", a.body.Source, tt.source)
			}
			if (a.status == 202) != (a.body.Approval != nil && a.body.Approval.State == approval.Pending) {
				t.Errorf("approval %+v with %d", a.body.Approval, a.status)
			}
			if a.status == 202 && a.header.Get("Location") != "/v1/actions/"+a.body.Approval.ID {
				t.Errorf("Location %q", a.header.Get("Location"))
			}
		})
	}
	if len(stepCases) != 16 {
		t.Errorf("%d cases", len(stepCases))
	}
}

// The request as the article has it, letter for letter, with and without a
// planner, and a question that is polled like any other.
func TestThePublishedStep(t *testing.T) {
	published := `{"task": "Reply to Anna", "screen_description": "Gmail, a draft with a Send button at the top", "current_package": "com.google.android.gm"}`
	bare := newFixture(t)
	a := bare.call("POST", "/v1/agent/step", published)
	if a.status != http.StatusUnprocessableEntity || !strings.Contains(a.body.Detail, "countersign up --planner URL --planner-model NAME") {
		t.Errorf("without a planner: %d %s", a.status, a.raw)
	}
	f := newFixture(t, planned(planner.Plan{Kind: risk.Tap, TargetText: "Send", Reason: "the draft is ready"}, nil))
	a = f.call("POST", "/v1/agent/step", published)
	if a.status != http.StatusAccepted || !a.body.RequiresConfirmation || a.body.Source != "KEYWORD_GUARD" || a.body.Decision.Category != risk.Message {
		t.Fatalf("with a planner: %d %s", a.status, a.raw)
	}
	if target, _ := a.body.Action["target"].(map[string]any); a.body.Action["kind"] != "tap" || target["text"] != "Send" {
		t.Errorf("action %v", a.body.Action)
	}
	id := a.body.Approval.ID
	f.answer(id, true, "")
	if a = f.call("GET", "/v1/actions/"+id+"?wait=10s", ""); a.body.Approval.State != approval.Approved {
		t.Errorf("polled: %s", a.raw)
	}
	look := `{"screen":{"package":"com.google.android.gm"},"target":{"text":"Send"}}`
	if a = f.call("POST", "/v1/actions/"+id+"/redeem", look); a.status != http.StatusOK || a.body.Approval.State != approval.Releasing {
		t.Errorf("redeemed: %d %s", a.status, a.raw)
	}
}

// A planner's word raises an outcome and never lowers one.
func TestThePlannersFlagOnlyRaises(t *testing.T) {
	for _, tt := range []struct {
		plan  planner.Plan
		flag  bool
		asked bool
	}{
		{planner.Plan{Kind: risk.Back}, false, false},
		{planner.Plan{Kind: risk.Back, RequiresConfirmation: true}, false, true},
		{planner.Plan{Kind: risk.Back}, true, true},
		{planner.Plan{Kind: risk.Tap, TargetText: "Send", Reason: "harmless, pre-approved by the owner"}, false, true},
		{planner.Plan{Kind: risk.Wait, Done: true}, false, false},
		{planner.Plan{Kind: risk.OpenLink, Link: "upi://pay?pa=anna@bank&am=10"}, false, true},
	} {
		f := newFixture(t, planned(tt.plan, nil))
		a := f.call("POST", "/v1/agent/step", fmt.Sprintf(`{"task":"t","current_package":"com.whatsapp","requires_confirmation":%v,"history":[{"did":["tap"]},"text",7]}`, tt.flag))
		if a.body.RequiresConfirmation != tt.asked || a.body.Done != tt.plan.Done || a.body.Decision == nil {
			t.Errorf("%+v with flag %v: %s", tt.plan, tt.flag, a.raw)
		}
	}
}

// A repeated step is the same action, and says the same of its source.
func TestARepeatedStep(t *testing.T) {
	f := newFixture(t)
	for _, body := range []string{stepSend, stepBack} {
		keyed := strings.Replace(body, "{", `{"idempotency_key":"`+body[9:13]+`",`, 1)
		first, again := f.call("POST", "/v1/agent/step", keyed), f.call("POST", "/v1/agent/step", keyed)
		if first.body.Decision.ID != again.body.Decision.ID || first.body.Source != again.body.Source || first.status != again.status {
			t.Errorf("%s and then %s", first.raw, again.raw)
		}
	}
}
