package api_test

import (
	"encoding/json"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/countersign/countersign/decide"
	"github.com/countersign/countersign/risk"
)

// The document has the routes of this test and no other, and what stands in it
// can be looked up in it.
func TestTheDocument(t *testing.T) {
	f := newFixture(t)
	want := map[string]bool{ // whether a credential is needed
		"POST /v1/decide": true, "POST /v1/actions": true, "GET /v1/actions/{id}": true, "DELETE /v1/actions/{id}": true,
		"POST /v1/actions/{id}/redeem": true, "POST /v1/actions/{id}/result": true, "POST /v1/agent/step": true,
		"GET /healthz": false, "GET /openapi.json": false,
	}
	got := 0
	for path, operations := range f.doc.Paths {
		for method, op := range operations {
			key := strings.ToUpper(method) + " " + path
			secured, known := want[key]
			if !known || secured != (len(op.Security) == 1) {
				t.Errorf("%s: known %v, security %v", key, known, op.Security)
			}
			if (method == "post") != (op.Body != nil) {
				t.Errorf("%s: body %v", key, op.Body)
			}
			got++
		}
	}
	if got != len(want) {
		t.Errorf("%d operations, want %d", got, len(want))
	}
	refs := regexp.MustCompile(`"#/components/schemas/([^"]+)"`).FindAllSubmatch(f.doc.raw, -1)
	for _, ref := range refs {
		if f.doc.Components.Schemas[string(ref[1])] == nil {
			t.Errorf("schema %s is missing", ref[1])
		}
	}
	if len(refs) < 40 {
		t.Errorf("%d references", len(refs))
	}
	for _, word := range []string{`"3.1.0"`, `"1.2.3"`, `"sign_out"`, `"CONTEXT_AWARE_GUARD"`, `"icon_button"`, `"releasing"`, `"suppressed"`, `"HIGH"`} {
		if !strings.Contains(string(f.doc.raw), word) {
			t.Errorf("%s is not in the document", word)
		}
	}
	for _, word := range []string{`"observed"`, `"tree_path"`, `"now"`, `"agent":{"type`} {
		if strings.Contains(string(f.doc.raw), word) {
			t.Errorf("%s is in the document", word)
		}
	}
}

// The requests of these tests that are answered fit the schemas, and those that
// are refused for their form do not.
func TestRequestsFitTheirSchemas(t *testing.T) {
	f := newFixture(t)
	fits := func(name, body string) bool {
		return f.doc.validate(json.RawMessage(`{"$ref":"#/components/schemas/`+name+`"}`), []byte(body)) == nil
	}
	cases := []struct {
		name, body string
		want       bool
	}{
		{"Request", sendTap, true}, {"Request", backPress, true}, {"Request", bypass, true}, {"Request", secretBody("tap"), true},
		{"Request", `{"action":{"kind":"tap","x":null}}`, true}, {"Request", `{}`, false}, {"Request", `{"action":{}}`, false},
		{"Request", `{"action":{"kind":"tap"},"screen":{"observed":true}}`, false}, {"Request", `{"action":{"kind":"tap"},"agent":"x"}`, false},
		{"Request", `{"action":{"kind":"tap"},"target":{"role":"wheel"}}`, false},
		{"Proposal", sendTap, true}, {"Proposal", `{"action":{"kind":"tap"},"screenshot":"AAAA"}`, true}, {"Proposal", `{"action":{"kind":"tap"},"screenshot":null}`, true},
		{"Proposal", `{"action":{"kind":"tap"},"screenshot":[1]}`, false}, {"Proposal", `{"screenshot":"AAAA"}`, false}, {"Proposal", `{"action":{"kind":"tap"},"now":"x"}`, false},
		{"Request", `{"action":{"kind":"tap"},"screenshot":"AAAA"}`, false}, {"StepRequest", `{"screenshot":"AAAA"}`, true}, {"StepRequest", `{"screenshot":7}`, false},
		{"Look", screenNow, true}, {"Look", otherNow, true}, {"Look", `{}`, true}, {"Look", `{"digest":""}`, false},
		{"Result", `{"ok":true}`, true}, {"Result", `{"note":"x"}`, false},
		{"StepRequest", stepSend, true}, {"StepRequest", stepBack, true}, {"StepRequest", `{"current_package":null}`, true},
		{"StepRequest", `{"history":[1,{"a":[]}]}`, true}, {"StepRequest", `{"approved":true}`, false},
	}
	for _, tt := range cases {
		if got := fits(tt.name, tt.body); got != tt.want {
			t.Errorf("%s %s: %v, want %v", tt.name, tt.body, got, tt.want)
		}
	}
	for _, tt := range stepCases {
		if !fits("StepRequest", tt.body) {
			t.Errorf("%s does not fit: %s", tt.name, tt.body)
		}
	}
	if len(cases) != 30 {
		t.Errorf("%d cases", len(cases))
	}
}

// The approver's view is described as it is written.
func TestApproversView(t *testing.T) {
	f := newFixture(t)
	schema := json.RawMessage(`{"$ref":"#/components/schemas/ApproverDecision"}`)
	checked := 0
	for _, body := range []string{sendTap, backPress, bypass, secretBody("tap")} {
		req, err := decide.ReadRequest([]byte(body))
		f.must(err)
		doc, err := json.Marshal(f.desk.Decide(req))
		f.must(err)
		if err := f.doc.validate(schema, doc); err != nil {
			t.Errorf("%v: %s", err, doc)
		}
		if f.doc.validate(json.RawMessage(`{"$ref":"#/components/schemas/AgentDecision"}`), doc) == nil {
			t.Errorf("it passes for the agent's: %s", doc)
		}
		checked++
	}
	if checked != 4 {
		t.Errorf("%d checked", checked)
	}
}

// A question that has ended says what ended it.
func TestNobodyToAsk(t *testing.T) {
	f := newFixture(t, func(s *settings) { s.desk.Unattended = true })
	a := f.call("POST", "/v1/actions", sendTap)
	if a.status != http.StatusOK || a.body.Outcome != risk.Deny || a.body.Code != "unattended" || a.body.Approval == nil {
		t.Errorf("%d %s", a.status, a.raw)
	}
}
