package decide

import (
	"bytes"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/countersign/countersign/policy"
	"github.com/countersign/countersign/risk"
)

// newDecider is a decider with a preset and a key.
func newDecider(t testing.TB, preset string) *Decider {
	t.Helper()
	p, err := policy.Preset(preset)
	if err != nil {
		t.Fatal(err)
	}
	return &Decider{Policy: p, Key: bytes.Repeat([]byte("k"), 32)}
}

// tapAt is a tap at a point of a tree.
func tapAt(pkg, tree string, x, y int) *Request {
	return &Request{
		Action: risk.Action{Kind: risk.Tap, X: &x, Y: &y},
		Screen: &Screen{Package: pkg, Tree: tree},
	}
}

func TestZeroDeciderDenies(t *testing.T) {
	for name, d := range map[string]*Decider{"nil": nil, "zero": {}} {
		dec := d.Decide(tapAt("com.example.reader", "<hierarchy/>", 1, 1))
		if dec.Outcome != risk.Deny || dec.Code != CodeNoPolicy || dec.DecidedBy != ByFailure {
			t.Errorf("%s decider: %v %v by %v, want deny no_policy by failure", name, dec.Outcome, dec.Code, dec.DecidedBy)
		}
	}
	if dec := newDecider(t, "default").Decide(nil); dec.Outcome != risk.Deny || dec.Code != CodeNoRequest {
		t.Errorf("no request: %v %v, want deny no_request", dec.Outcome, dec.Code)
	}
}

func TestPolicyErrorIsNamed(t *testing.T) {
	d := &Decider{PolicyError: os.ErrPermission}
	dec := d.Decide(&Request{})
	if reason := dec.Reason(); !strings.Contains(reason, os.ErrPermission.Error()) {
		t.Errorf("reason %q does not say why there is no policy", reason)
	}
}

// The decision of the design's own example, on the wire.
func TestDecisionOnTheWire(t *testing.T) {
	req, err := ReadRequest([]byte(`{"id":"c17","action":{"kind":"tap","x":950,"y":2150},
		"screen":{"package":"com.whatsapp","width":1080,"height":2400,"tree":"<hierarchy rotation=\"0\"><node class=\"android.widget.FrameLayout\" package=\"com.whatsapp\" bounds=\"[0,0][1080,2400]\"><node class=\"android.widget.ImageButton\" resource-id=\"com.whatsapp:id/send\" content-desc=\"Envoyer\" package=\"com.whatsapp\" clickable=\"true\" enabled=\"true\" bounds=\"[900,2100][1000,2200]\"/></node></hierarchy>"},
		"llm":{"requires_confirmation":false}}`))
	if err != nil {
		t.Fatal(err)
	}
	data, err := json.Marshal(newDecider(t, "default").Decide(req))
	if err != nil {
		t.Fatal(err)
	}
	var got map[string]any
	if err := json.Unmarshal(data, &got); err != nil {
		t.Fatal(err)
	}
	for field, want := range map[string]any{
		"id": "c17", "outcome": "confirm", "category": "message", "critical": false,
		"source": "CONTEXT_AWARE_GUARD", "delta": "added", "decided_by": "layer",
	} {
		if got[field] != want {
			t.Errorf("%s is %v, want %v", field, got[field], want)
		}
	}
	if digest, _ := got["digest"].(string); !strings.HasPrefix(digest, "hmac-sha256:") || len(digest) != len("hmac-sha256:")+64 {
		t.Errorf("digest %q", got["digest"])
	}
	if app := got["app"].(map[string]any); app["tier"] != "HIGH" || app["package"] != "com.whatsapp" || app["why"] == "" {
		t.Errorf("app %v", app)
	}
	if target := got["target"].(map[string]any); target["role"] != "icon_button" || target["label"] != "Envoyer" {
		t.Errorf("target %v", target)
	}
	if reason, _ := got["reason"].(string); !strings.HasPrefix(reason, "Sends a message") || !strings.Contains(reason, "(HIGH)") {
		t.Errorf("reason %q", reason)
	}
}
