package decide

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/countersign/countersign/risk"
)

// What is typed into a password field appears in no output, and neither does
// its beginning; the digest tells one secret from another all the same.
func TestSecretsStayOut(t *testing.T) {
	const secret = "S3cret-example"
	tree := field(`password="true" resource-id="com.example.bank:id/pin" text="` + secret + `"`)
	button := strings.Replace(tree, "</node></hierarchy>", `<node class="android.widget.Button" text="Sign in" package="com.example.shop" clickable="true" bounds="[0,310][1080,400]"/></node></hierarchy>`, 1)
	d := newDecider(t, "default")
	typed := func(text string) *Request {
		return &Request{Action: risk.Action{Kind: risk.TypeText, Text: text}, Screen: &Screen{Package: "com.example.shop", Tree: tree}}
	}
	requests := map[string]*Request{
		"tap on the field":  tapAt("com.example.shop", tree, 500, 250),
		"tap on the button": tapAt("com.example.shop", button, 500, 350),
		"typing":            typed(secret),
		"typing and Enter":  typed(secret + "\n"),
		"claimed field": {
			Action: risk.Action{Kind: risk.Tap}, Screen: &Screen{Package: "com.example.shop"},
			Target: &Target{Text: secret, Class: "android.widget.EditText", Password: true},
		},
	}
	for name, text := range map[string]string{"claimed beside the tree": secret, "claimed as no password": secret + "2"} {
		req := tapAt("com.example.shop", tree, 500, 250)
		req.Target = &Target{Text: text, Password: text == secret}
		requests[name] = req
	}
	described := strings.Replace(tree, `password="true"`, `password="true" content-desc="`+secret+`"`, 1)
	requests["field that describes itself by what is typed"] = tapAt("com.example.shop", described, 500, 250)
	requests["button below such a field"] = tapAt("com.example.shop", strings.Replace(button, `password="true"`, `password="true" content-desc="`+secret+`"`, 1), 500, 350)
	for name, req := range requests {
		data, err := json.Marshal(d.Decide(req))
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(data), secret[:4]) {
			t.Errorf("%s: the secret is in %s", name, data)
		}
	}
	one, other := d.Decide(typed(secret)), d.Decide(typed("other"))
	if one.Digest() == other.Digest() {
		t.Error("two secrets have one digest")
	}
	if dec := d.Decide(requests["tap on the button"]); dec.Category != risk.Credential {
		t.Errorf("signing in with a typed secret is %v", dec.Category)
	}
}

// A way round the guard is refused in the system's own words as well.
func TestWayRoundIsRefused(t *testing.T) {
	d := newDecider(t, "default")
	for _, row := range []struct{ title, message, text string }{
		{"Allow Screen Pilot to have full control of your device?", "View and control screen", "Allow"},
		{"Use Screen Pilot?", "Screen Pilot needs to: observe your actions", "OK"},
		{"Allow wireless debugging on this network?", "Network name (SSID)", "Allow"},
		{"Activate device admin app?", "", "Activate"},
	} {
		dec := d.Decide(&Request{
			Action: risk.Action{Kind: risk.Tap}, Screen: &Screen{Package: "com.android.settings"},
			Target: &Target{Text: row.text, Class: "android.widget.Button", DialogTitle: row.title, DialogMessage: row.message},
		})
		if dec.Category != risk.Bypass || dec.Outcome != risk.Deny {
			t.Errorf("%q under %q: %v %v, want bypass deny: %s", row.text, row.title, dec.Category, dec.Outcome, dec.Reason())
		}
	}
}
