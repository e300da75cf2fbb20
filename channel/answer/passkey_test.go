package answer_test

import (
	"encoding/json"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/countersign/countersign/approval"
	"github.com/countersign/countersign/channel/answer"
	"github.com/countersign/countersign/identity/passkey"
	"github.com/countersign/countersign/identity/passkeytest"
)

// inPerson is a door where critical questions take a passkey, and kim signed in
// on its page.
type inPerson struct {
	*world
	t      *testing.T
	cookie string
}

func newInPerson(t *testing.T) *inPerson {
	t.Helper()
	w := newWorld(t, func(o *answer.Options) {})
	keeper, err := passkey.New(w.store, w.clock.now)
	w.must(err)
	w.serve(func(o *answer.Options) { o.Passkeys, o.PasskeyCritical = keeper, true })
	return &inPerson{world: w, t: t, cookie: w.cookie(inbox, "kim")}
}

var apiToken = regexp.MustCompile(`data-(?:csrf|passkey)="([^"]+)"`)

// token is what a page hands its script for requests.
func (p *inPerson) token(path string) string {
	p.t.Helper()
	page := p.do(request{method: "GET", path: path, host: inbox, cookie: p.cookie})
	found := apiToken.FindStringSubmatch(page.body)
	if page.status != http.StatusOK || found == nil {
		p.t.Fatalf("%s: %d, no token\n%.600s", path, page.status, page.body)
	}
	return found[1]
}

// script sends what the page's script would send.
func (p *inPerson) script(path, token string, body any) response {
	p.t.Helper()
	return p.do(request{
		method: "POST", path: path, host: inbox, origin: "http://" + inbox, contentType: "application/json", cookie: p.cookie,
		body: asJSON(p.t, body), header: http.Header{"Countersign-Csrf": {token}, "Sec-Fetch-Site": {"same-origin"}},
	})
}

// enrol adds a passkey to kim's, as the page does.
func (p *inPerson) enrol() *passkeytest.Authenticator {
	p.t.Helper()
	device := passkeytest.New(p.t, strings.Split(inbox, ":")[0], "http://"+inbox)
	token := p.token("/passkeys")
	begun := p.script("/v1/passkeys/begin", token, struct{}{})
	begun.want(p.t, "begin", http.StatusOK, "")
	added := p.script("/v1/passkeys", token, map[string]any{"name": "laptop", "answer": json.RawMessage(device.Create([]byte(begun.body)))})
	added.want(p.t, "add", http.StatusCreated, "")
	return device
}

// given is the passkey's answer to a card.
func (p *inPerson) given(device *passkeytest.Authenticator, a approval.Approval) json.RawMessage {
	p.t.Helper()
	options := p.script("/v1/approvals/"+a.ID+"/passkey", p.token("/approvals/"+a.ID), answerTo(a))
	options.want(p.t, "ask", http.StatusOK, "")
	return device.Get([]byte(options.body))
}

// approve sends the card's form, with what a passkey gave.
func (p *inPerson) approve(a approval.Approval, given string) response {
	p.t.Helper()
	return p.do(form(inbox, "/approvals/"+a.ID+"/answer", p.cookie, url.Values{
		"csrf": {p.registry.CSRF(p.cookie, "answer/"+a.ID)}, "digest": {a.Digest}, "answer": {"approve"}, "sure": {"yes"}, "passkey": {given},
	}))
}

func TestCriticalIsApprovedWithAPasskey(t *testing.T) {
	p := newInPerson(t)
	device, a := p.enrol(), p.pay()
	if r := p.approve(a, string(p.given(device, a))); r.status != http.StatusSeeOther {
		t.Fatalf("the answer with a passkey: %d\n%.400s", r.status, r.body)
	}
	after, err := p.store.Approval(ctx, a.ID)
	p.must(err)
	if after.State != approval.Approved || after.AnsweredBy != "kim" || after.How != "passkey" {
		t.Errorf("it is %s, answered by %s, %s", after.State, after.AnsweredBy, after.How)
	}
}

// What does not approve a critical question where a passkey is wanted.
func TestCriticalIsNotApprovedWithoutItsPasskey(t *testing.T) {
	cases := []struct {
		name   string
		status int
		says   string
		try    func(p *inPerson, device *passkeytest.Authenticator, a approval.Approval) response
	}{
		{"the page, without one", http.StatusForbidden, "with a passkey", func(p *inPerson, _ *passkeytest.Authenticator, a approval.Approval) response {
			return p.approve(a, "")
		}},
		{"a token", http.StatusForbidden, "passkey_required", func(p *inPerson, _ *passkeytest.Authenticator, a approval.Approval) response {
			return p.post("/v1/approvals/"+a.ID+"/approve", answerTo(a))
		}},
		{"the terminal", http.StatusForbidden, "passkey_required", func(p *inPerson, _ *passkeytest.Authenticator, a approval.Approval) response {
			return p.local("POST", "/v1/approvals/"+a.ID+"/approve", p.kim, asJSON(p.t, answerTo(a)))
		}},
		{"a token, with the page's passkey", http.StatusForbidden, "session_only", func(p *inPerson, d *passkeytest.Authenticator, a approval.Approval) response {
			return p.post("/v1/approvals/"+a.ID+"/approve", map[string]any{"digest": a.Digest, "passkey": p.given(d, a)})
		}},
		{"that of another question", http.StatusConflict, "for something else", func(p *inPerson, d *passkeytest.Authenticator, a approval.Approval) response {
			other := p.ask("com.paypal.android.p2pmobile", "Transfer money now")
			return p.approve(a, string(p.given(d, other)))
		}},
		{"one that was used", http.StatusConflict, "too late", func(p *inPerson, d *passkeytest.Authenticator, a approval.Approval) response {
			other := p.ask("com.paypal.android.p2pmobile", "Transfer money now")
			given := string(p.given(d, other))
			p.approve(other, given)
			return p.approve(a, given)
		}},
		{"one of three minutes ago", http.StatusConflict, "too late", func(p *inPerson, d *passkeytest.Authenticator, a approval.Approval) response {
			given := string(p.given(d, a))
			p.clock.pass(3 * time.Minute)
			return p.approve(a, given)
		}},
		{"a device that is not kim's", http.StatusForbidden, "does not hold", func(p *inPerson, d *passkeytest.Authenticator, a approval.Approval) response {
			return p.approve(a, string(p.given(passkeytest.New(p.t, d.Host, d.Origin), a)))
		}},
		{"a person who was not verified", http.StatusForbidden, "does not hold", func(p *inPerson, d *passkeytest.Authenticator, a approval.Approval) response {
			d.Verified = false
			return p.approve(a, string(p.given(d, a)))
		}},
		{"another origin", http.StatusForbidden, "does not hold", func(p *inPerson, d *passkeytest.Authenticator, a approval.Approval) response {
			d.Origin = "http://evil.localhost"
			return p.approve(a, string(p.given(d, a)))
		}},
		{"no JSON", http.StatusForbidden, "does not hold", func(p *inPerson, _ *passkeytest.Authenticator, a approval.Approval) response {
			return p.approve(a, "yes")
		}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			p := newInPerson(t)
			device, a := p.enrol(), p.pay()
			r := c.try(p, device, a)
			if r.status != c.status || !strings.Contains(r.body, c.says) {
				t.Errorf("%d, want %d and %q\n%.600s", r.status, c.status, c.says, r.body)
			}
			if got := p.state(a.ID); got != approval.Pending {
				t.Errorf("the question is %s", got)
			}
		})
	}
	if len(cases) != 11 {
		t.Errorf("%d cases", len(cases))
	}
}

// What is not critical, and every no, goes as before.
func TestPasskeysAreAskedForCriticalApprovalsOnly(t *testing.T) {
	p := newInPerson(t)
	send, pay := p.send("Anna"), p.pay()
	p.post("/v1/approvals/"+send.ID+"/approve", answerTo(send)).want(t, "not critical", http.StatusOK, "")
	p.post("/v1/approvals/"+pay.ID+"/deny", answerTo(pay)).want(t, "a no", http.StatusOK, "")
	page := p.do(request{method: "GET", path: "/approvals/" + p.send("Ben").ID, host: inbox, cookie: p.cookie})
	if strings.Contains(page.body, "data-passkey") {
		t.Error("the card of what is not critical asks for a passkey")
	}
}

// A passkey cannot be added by whoever finds a session open, or by a token.
func TestAddingAPasskeyTakesAFreshSession(t *testing.T) {
	p := newInPerson(t)
	token := p.token("/passkeys")
	p.post("/v1/passkeys/begin", struct{}{}).want(t, "with a token", http.StatusForbidden, "session_only")
	p.script("/v1/passkeys/begin", "wrong", struct{}{}).want(t, "without the page's token", http.StatusForbidden, "csrf")

	device := passkeytest.New(t, strings.Split(inbox, ":")[0], "http://"+inbox)
	begun := p.script("/v1/passkeys/begin", token, struct{}{})
	begun.want(t, "begin", http.StatusOK, "")
	p.clock.pass(10*time.Minute + time.Second)
	p.script("/v1/passkeys/begin", token, struct{}{}).want(t, "after ten minutes", http.StatusForbidden, "session_old")
	p.script("/v1/passkeys", token, map[string]any{"name": "x", "answer": json.RawMessage(device.Create([]byte(begun.body)))}).
		want(t, "ending it then", http.StatusForbidden, "session_old")
	page := p.do(request{method: "GET", path: "/passkeys", host: inbox, cookie: p.cookie})
	if strings.Contains(page.body, `id="add-passkey"`) || !strings.Contains(page.body, "countersign sign-in") {
		t.Errorf("the page offers what would be refused\n%.600s", page.body)
	}
	if keys, err := p.store.PasskeysOf(ctx, p.approver()); err != nil || len(keys) != 0 {
		t.Errorf("%d passkeys, %v", len(keys), err)
	}
}

func (p *inPerson) approver() string {
	p.t.Helper()
	a, _, err := p.registry.Session(ctx, p.cookie, "http://k3v9.localhost")
	p.must(err)
	return a.ID
}

// Adding and removing are on record, with the name and not the key.
func TestPasskeysAreOnRecord(t *testing.T) {
	p := newInPerson(t)
	device := p.enrol()
	id := passkeytest.Base64(device.ID)
	remove := func(form_ string) response {
		return p.do(form(inbox, "/passkeys/"+id+"/remove", p.cookie, url.Values{"csrf": {p.registry.CSRF(p.cookie, form_)}}))
	}
	if r := remove("passkey/other"); r.status != http.StatusForbidden {
		t.Errorf("another form's token removes it: %d", r.status)
	}
	if r := remove("passkey/" + id); r.status != http.StatusSeeOther {
		t.Errorf("removing: %d", r.status)
	}
	if r := remove("passkey/" + id); r.status != http.StatusNotFound {
		t.Errorf("removing twice: %d", r.status)
	}
	rows, err := p.store.Rows(ctx, 0, 100)
	p.must(err)
	var added, removed int
	for _, row := range rows {
		text := string(row.Data)
		if strings.Contains(text, "passkey of approver kim") {
			if strings.Contains(text, "added laptop") {
				added++
			}
			if strings.Contains(text, "removed") {
				removed++
			}
		}
		if strings.Contains(text, id) {
			t.Errorf("a row holds the key: %s", text)
		}
	}
	if added != 1 || removed != 1 {
		t.Errorf("%d rows of adding, %d of removing", added, removed)
	}
}
