package automation

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/countersign/countersign/phone"
)

// chat is a phone on which a chat with nothing typed yet is in front.
func chat(t *testing.T) *phone.Phone {
	t.Helper()
	p, err := phone.New(phone.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Start(phone.Intent{Action: "android.intent.action.SENDTO", Data: "sms:+49170"}); err != nil {
		t.Fatal(err)
	}
	return p
}

// do sends a request to a server and returns its answer.
func do(h http.Handler, method, path, body string, fields ...string) (int, string) {
	r := httptest.NewRequest(method, path, strings.NewReader(body))
	for _, f := range fields {
		if f == "" {
			continue
		}
		name, value, _ := strings.Cut(f, ": ")
		r.Header.Set(name, value)
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w.Code, w.Body.String()
}

// recorded reports whether an event of a kind reached the phone, with a detail
// that begins so.
func recorded(p *phone.Phone, kind, detail string) bool {
	for _, e := range p.Record() {
		if e.Kind == kind && strings.HasPrefix(e.Detail, detail) {
			return true
		}
	}
	return false
}

// sent is the text of the one message that was sent, or the end of the test.
func sent(t *testing.T, p *phone.Phone) string {
	t.Helper()
	effects := p.Effects()
	if len(effects) != 1 || effects[0].What != "sent" {
		t.Fatalf("what happened: %+v, want one message sent", effects)
	}
	return effects[0].Text
}

// kinds are the kinds of events that reached the phone beside the calls, in order.
func kinds(p *phone.Phone) string {
	var list []string
	for _, e := range p.Record() {
		if e.Kind != "http" && e.Kind != "intent" {
			list = append(list, e.Kind)
		}
	}
	return strings.Join(list, " ")
}

// compact is a document without what is not needed to compare it.
func compact(t *testing.T, v any) string {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
