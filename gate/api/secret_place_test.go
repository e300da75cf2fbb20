package api_test

import (
	"strings"
	"testing"

	"github.com/countersign/countersign/hold"
	"github.com/countersign/countersign/risk"
)

// What an agent puts where no words belong is no way for a secret into the store
// or into an answer: a session, an idempotency key, a field's name, the note that
// the owner gives.
func TestSecretsInOddPlaces(t *testing.T) {
	f := newFixture(t)
	const card = "5105 1051 0510 5100"
	body := func(text string) string {
		return `{"action":{"kind":"tap"},"screen":{"package":"com.whatsapp"},"target":{"text":"` + text + `"},"session":"card ` + card + `","idempotency_key":"card ` + card + `"}`
	}
	first := f.call("POST", "/v1/actions", body("Send"))
	if again := f.call("POST", "/v1/actions", body("Send")); first.body.ID == "" || again.body.ID != first.body.ID {
		t.Errorf("the key is not known again: %s, %s", first.raw, again.raw)
	}
	if other := f.call("POST", "/v1/actions", body("Pay")); other.status != 409 || other.body.Code != "key_reused" {
		t.Errorf("the key for something else: %s", other.raw)
	}
	if _, err := f.store.Key(f.ctx, f.agent.ID, "card "+card); err == nil {
		t.Error("the key is stored as it is")
	}
	a, err := f.desk.View(f.ctx, first.body.ID)
	f.must(err)
	if strings.Contains(a.Session, "5105") {
		t.Errorf("the session is stored as %q", a.Session)
	}
	_, err = f.desk.Answer(f.ctx, hold.Answer{ID: a.ID, Digest: a.Digest, By: "kim", Note: "hunter2 is your password"})
	f.must(err)
	for what, got := range map[string]string{
		"a note":                 string(f.call("GET", "/v1/actions/"+a.ID, "").raw),
		"a field's name":         string(f.call("POST", "/v1/actions", `{"action":{"kind":"`+string(risk.Tap)+`"},"hunter2 is your password":1}`).raw),
		"a step's field":         string(f.call("POST", "/v1/agent/step", `{"hunter2 is your password":1}`).raw),
		"a field's name twice":   string(f.call("POST", "/v1/agent/step", `{"history":[{"hunter2 is your password":1,"hunter2 is your password":1}]}`).raw),
		"a parameter":            string(f.call("GET", "/v1/actions/"+a.ID+"?hunter2+is+your+password=1", "").raw),
		"a name in the document": string(f.call("POST", "/v1/actions", `{"action":{"kind":"tap","p\u00adass\u200bword: hunter2":1}}`).raw),
	} {
		if strings.Contains(got, "hunter2") || !strings.Contains(got, "redacted") {
			t.Errorf("%s: %s", what, got)
		}
	}
}
