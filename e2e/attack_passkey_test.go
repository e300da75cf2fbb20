package e2e

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/countersign/countersign/approval"
	"github.com/countersign/countersign/channel/inbox"
	"github.com/countersign/countersign/daemon"
	"github.com/countersign/countersign/identity/passkeytest"
)

// vault is a guard whose critical questions are approved with a passkey only: the
// owner has one for the computer's inbox and one for that of other devices, the
// second approver has one as well.
type vault struct {
	*siege
	away   *away
	remote *passkeytest.Authenticator // the owner's, for other devices
	second string                     // the second approver's session
	theirs *passkeytest.Authenticator // the second approver's
	asked  int
}

func openVault(t *testing.T) *vault {
	t.Helper()
	v := &vault{siege: besiege(t, forOtherDevices, func(o *daemon.Options) { o.PasskeyCritical = true })}
	v.away = goAway(v.siege)
	v.second = v.signIn("second")
	v.theirs = v.enrol(v.second, "phone")
	v.remote = passkeytest.New(t, remoteName, v.away.origin)
	begun := v.send(v.away.script("/v1/passkeys/begin", struct{}{}))
	added := v.send(v.away.script("/v1/passkeys", map[string]any{"name": "tablet", "answer": json.RawMessage(v.remote.Create([]byte(begun.body)))}))
	if added.status != http.StatusCreated {
		t.Fatalf("adding a passkey on another device: %s", added.raw)
	}
	return v
}

// script is what the page's script sends from another device.
func (a *away) script(path string, body any) wire {
	w := a.siege.script(a.session, path, body).without("Origin", "Cookie").with("Origin: "+a.origin, "Cookie: __Host-countersign="+a.session)
	w.door = atRemote
	return w
}

// critical puts a critical question.
func (v *vault) critical() approval.Approval {
	v.t.Helper()
	v.asked++
	q := v.siege.asked(v.agent, tap("com.example.bank", fmt.Sprintf("Pay %d.00", v.asked)))
	if !q.Card.Critical {
		v.t.Fatalf("it is not critical: %+v", q.Card)
	}
	return q
}

// challenge begins an answer to a question in a session.
func (v *vault) challenge(cookie string, q approval.Approval) []byte {
	v.t.Helper()
	h := v.send(v.siege.script(cookie, "/v1/approvals/"+q.ID+"/passkey", map[string]string{"digest": q.Digest}))
	if h.status != http.StatusOK {
		v.t.Fatalf("no challenge: %s", h.raw)
	}
	return []byte(h.body)
}

// yes is the card's form with what a passkey gave.
func (v *vault) yes(cookie string, q approval.Approval, given []byte) wire {
	fields := url.Values{"digest": {q.Digest}, "answer": {"approve"}, "sure": {"yes"}, "passkey": {string(given)}}
	return form(v.host, "/approvals/"+q.ID+"/answer", v.csrf(cookie, inbox.FormAnswer(q.ID))+"&"+fields.Encode()).with("Cookie: countersign=" + cookie)
}

// stays is a way that tries to have a critical question approved.
func (v *vault) stays(name string, try func(q approval.Approval) []wire) way {
	return way{name, func() string {
		q := v.critical()
		defer v.agent.call("DELETE", "/v1/actions/"+q.ID, nil)
		got := ""
		for _, w := range try(q) {
			h := v.send(w)
			after, err := v.d.Desk().View(v.t.Context(), q.ID)
			v.must(err)
			if after.State != approval.Pending {
				got += fmt.Sprintf("it is %s: %s", after.State, h.raw)
			}
		}
		return got
	}}
}

func passkeys(t *testing.T) []way {
	v := openVault(t)
	ways := []way{{"none: the owner's own passkey approves", func() string {
		q := v.critical()
		v.send(v.yes(v.cookie, q, v.passkey.Get(v.challenge(v.cookie, q))))
		if after, err := v.d.Desk().View(t.Context(), q.ID); err != nil || after.State != approval.Approved || after.How != "passkey" {
			return fmt.Sprintf("it is %s, %v, so that nothing is tried", after.State, err)
		}
		return ""
	}}}
	ways = append(ways, v.without()...)
	ways = append(ways, v.wrong()...)
	return append(ways, v.keeping()...)
}

// without are answers that carry no passkey.
func (v *vault) without() []way {
	api := func(door string, q approval.Approval) wire {
		return v.jsonTo(door, "POST", "/v1/approvals/"+q.ID+"/approve", map[string]string{"digest": q.Digest}).with(bearer(v.approver))
	}
	one := func(w wire) []wire { return []wire{w} }
	given := func(q approval.Approval) []byte { return v.passkey.Get(v.challenge(v.cookie, q)) }
	return []way{
		v.stays("the page, without one", func(q approval.Approval) []wire { return one(v.yes(v.cookie, q, nil)) }),
		v.stays("the page, with a word for it", func(q approval.Approval) []wire { return one(v.yes(v.cookie, q, []byte(`{"passkey":"yes"}`))) }),
		v.stays("a credential, at each door", func(q approval.Approval) []wire { return []wire{api(atInbox, q), api(atOwner, q), api(atRemote, q)} }),
		v.stays("a credential that says it is a terminal", func(q approval.Approval) []wire { return one(api(atOwner, q).with("Countersign-How: terminal")) }),
		v.stays("a credential that says it is a passkey", func(q approval.Approval) []wire { return one(api(atOwner, q).with("Countersign-How: passkey")) }),
		v.stays("a credential with what the page's passkey gave", func(q approval.Approval) []wire {
			w := api(atInbox, q)
			w.body = toJSON(map[string]any{"digest": q.Digest, "passkey": json.RawMessage(given(q))})
			return one(w)
		}),
		v.stays("the page's script, without one", func(q approval.Approval) []wire {
			return one(v.siege.script(v.cookie, "/v1/approvals/"+q.ID+"/approve", map[string]string{"digest": q.Digest, "typed": "yes"}))
		}),
		v.stays("a yes with a grant", func(q approval.Approval) []wire {
			w := v.yes(v.cookie, q, nil)
			w.body = strings.Replace(w.body, "answer=approve", "answer=grant&count=3&seconds=600", 1)
			return one(w)
		}),
		v.stays("reading an address", func(q approval.Approval) []wire {
			return one(v.withCookie(wire{atInbox, "GET", "/approvals/" + q.ID + "/answer?answer=approve&sure=yes&passkey=" + url.QueryEscape(string(given(q))), nil, ""}))
		}),
		v.stays("an agent begins it, and answers", func(q approval.Approval) []wire {
			begin := v.jsonTo(atInbox, "POST", "/v1/approvals/"+q.ID+"/passkey", map[string]string{"digest": q.Digest})
			return []wire{begin.with(bearer(v.agent.token)), begin.with("Cookie: countersign=" + v.agent.token), v.yes(v.cookie, q, given(q)).without("Cookie").with("Cookie: countersign=" + v.agent.token)}
		}),
	}
}

// wrong are answers with a passkey that is not for this.
func (v *vault) wrong() []way {
	page := func(cookie string, q approval.Approval, given []byte) []wire { return []wire{v.yes(cookie, q, given)} }
	// spoilt has the owner's passkey answer in another way than it should.
	spoilt := func(change func(d *passkeytest.Authenticator)) func(q approval.Approval) []wire {
		return func(q approval.Approval) []wire {
			d := *v.passkey
			change(&d)
			given := d.Get(v.challenge(v.cookie, q))
			return page(v.cookie, q, given)
		}
	}
	return []way{
		v.stays("for another question", func(q approval.Approval) []wire {
			return page(v.cookie, q, v.passkey.Get(v.challenge(v.cookie, v.question)))
		}),
		v.stays("for the same action, asked before", func(q approval.Approval) []wire {
			given := v.passkey.Get(v.challenge(v.cookie, q))
			v.agent.call("DELETE", "/v1/actions/"+q.ID, nil)
			again := v.siege.asked(v.agent, tap("com.example.bank", fmt.Sprintf("Pay %d.00", v.asked)))
			defer v.agent.call("DELETE", "/v1/actions/"+again.ID, nil)
			if h := v.send(v.yes(v.cookie, again, given)); h.status < 400 {
				v.t.Errorf("the question that was asked again is approved: %s", h.raw)
			}
			return nil
		}),
		v.stays("for another digest", func(q approval.Approval) []wire {
			other := q
			other.Digest = v.question.Digest
			given := v.passkey.Get(v.challenge(v.cookie, other))
			return append(page(v.cookie, q, given), v.yes(v.cookie, other, given))
		}),
		v.stays("used for another question already", func(q approval.Approval) []wire {
			first := v.critical()
			given := v.passkey.Get(v.challenge(v.cookie, first))
			v.send(v.yes(v.cookie, first, given))
			return page(v.cookie, q, given)
		}),
		v.stays("of the inbox for other devices, on the computer's", func(q approval.Approval) []wire {
			return page(v.cookie, q, v.remote.Get(v.challenge(v.cookie, q)))
		}),
		v.stays("of the computer's inbox, on that for other devices", func(q approval.Approval) []wire {
			given := v.passkey.Get([]byte(v.send(v.away.script("/v1/approvals/"+q.ID+"/passkey", map[string]string{"digest": q.Digest})).body))
			return []wire{v.away.given(q, given)}
		}),
		v.stays("begun on one inbox, answered on the other", func(q approval.Approval) []wire {
			return []wire{v.away.given(q, v.passkey.Get(v.challenge(v.cookie, q)))}
		}),
		v.stays("of the second approver, in the owner's session", func(q approval.Approval) []wire {
			return page(v.cookie, q, v.theirs.Get(v.challenge(v.cookie, q)))
		}),
		v.stays("of the owner, in the second approver's session", func(q approval.Approval) []wire {
			return page(v.second, q, v.passkey.Get(v.challenge(v.second, q)))
		}),
		v.stays("begun by the second approver, answered by the owner", func(q approval.Approval) []wire {
			return page(v.cookie, q, v.passkey.Get(v.challenge(v.second, q)))
		}),
		v.stays("three minutes late", func(q approval.Approval) []wire {
			given := v.passkey.Get(v.challenge(v.cookie, q))
			v.clock.shift(3*time.Minute + time.Second)
			return page(v.cookie, q, given)
		}),
		v.stays("of another page", spoilt(func(d *passkeytest.Authenticator) { d.Origin = "http://attacker.localhost" })),
		v.stays("of another port's page", spoilt(func(d *passkeytest.Authenticator) { d.Origin = "http://" + d.Host + ":9999" })),
		v.stays("for another host", spoilt(func(d *passkeytest.Authenticator) { d.Host = "localhost" })),
		v.stays("nobody was verified", spoilt(func(d *passkeytest.Authenticator) { d.Verified = false })),
		v.stays("of another ceremony", spoilt(func(d *passkeytest.Authenticator) { d.Kind = "webauthn.create" })),
		v.stays("signed by another key", spoilt(func(d *passkeytest.Authenticator) {
			id := d.ID
			*d = *passkeytest.New(v.t, d.Host, d.Origin)
			d.ID = id
		})),
		v.stays("under the second approver's name for it", spoilt(func(d *passkeytest.Authenticator) { d.ID = v.theirs.ID })),
		v.stays("a made-up challenge", func(q approval.Approval) []wire {
			return page(v.cookie, q, v.passkey.Get([]byte(`{"publicKey": {"challenge": "`+strings.Repeat("A", 43)+`"}}`)))
		}),
		v.stays("what adds a passkey", func(q approval.Approval) []wire {
			begun := v.send(v.siege.script(v.cookie, "/v1/passkeys/begin", struct{}{}))
			return page(v.cookie, q, v.passkey.Get([]byte(begun.body)))
		}),
		v.stays("changed after it was signed", func(q approval.Approval) []wire {
			given := strings.Replace(string(v.passkey.Get(v.challenge(v.cookie, q))), `"signature":"M`, `"signature":"N`, 1)
			return page(v.cookie, q, []byte(given))
		}),
	}
}

// given is the card's form on another device, with what a passkey gave.
func (a *away) given(q approval.Approval, given []byte) wire {
	fields := url.Values{"digest": {q.Digest}, "answer": {"approve"}, "sure": {"yes"}, "passkey": {string(given)}}
	return a.signed(a.form("/approvals/"+q.ID+"/answer", a.csrf(a.session, inbox.FormAnswer(q.ID))+"&"+fields.Encode()))
}

// keeping are attempts to add a passkey to somebody, or to take one away.
func (v *vault) keeping() []way {
	before := strings.Join(v.passkeys(), ", ")
	keeps := func(name string, try func()) way {
		return way{name, func() string {
			try()
			if after := strings.Join(v.passkeys(), ", "); after != before {
				return "there were " + before + ", there are " + after
			}
			return ""
		}}
	}
	device := func() *passkeytest.Authenticator { return passkeytest.New(v.t, v.passkey.Host, v.passkey.Origin) }
	begun := func(cookie string) []byte {
		return []byte(v.send(v.siege.script(cookie, "/v1/passkeys/begin", struct{}{})).body)
	}
	adding := func(cookie string, d *passkeytest.Authenticator, options []byte) wire {
		return v.siege.script(cookie, "/v1/passkeys", map[string]any{"name": "mole", "answer": json.RawMessage(d.Create(options))})
	}
	removing := func(cookie string) wire {
		w := v.removeForm(cookie)
		return w.with("Cookie: countersign=" + cookie)
	}
	return []way{
		keeps("an agent's credential adds one", func() {
			w := adding(v.cookie, device(), begun(v.cookie))
			v.send(w.without("Cookie").with(bearer(v.agent.token)))
		}),
		keeps("the owner's credential adds one", func() {
			v.send(adding(v.cookie, device(), begun(v.cookie)).without("Cookie", "Countersign-CSRF").with(bearer(v.approver)))
		}),
		keeps("what another approver began", func() { v.send(adding(v.cookie, device(), begun(v.second))) }),
		keeps("what another page began", func() {
			v.send(adding(v.cookie, device(), []byte(v.send(v.away.script("/v1/passkeys/begin", struct{}{})).body)))
		}),
		keeps("made on another page", func() {
			d := device()
			d.Origin = "http://attacker.localhost"
			v.send(adding(v.cookie, d, begun(v.cookie)))
		}),
		keeps("made by nobody who was verified", func() {
			d := device()
			d.Verified = false
			v.send(adding(v.cookie, d, begun(v.cookie)))
		}),
		keeps("under the id of the owner's, by another approver", func() {
			d := device()
			d.ID = v.passkey.ID
			v.send(adding(v.second, d, begun(v.second)))
		}),
		keeps("a name that steers", func() {
			w := adding(v.cookie, device(), begun(v.cookie))
			w.body = strings.Replace(w.body, `"mole"`, toJSON("\x1b[2J<zz-tag>"), 1)
			v.send(w)
		}),
		keeps("another approver removes the owner's", func() { v.send(removing(v.second)) }),
		keeps("an agent removes it", func() { v.send(v.removeForm(v.cookie).with("Cookie: countersign=" + v.agent.token)) }),
		keeps("a session that somebody found open adds one", func() {
			v.clock.shift(10*time.Minute + time.Second)
			options := begun(v.cookie)
			if strings.Contains(string(options), "challenge") {
				v.send(adding(v.cookie, device(), options))
			}
		}),
		v.stays("a passkey that was removed", func(q approval.Approval) []wire {
			given := v.passkey.Get(v.challenge(v.cookie, q))
			v.send(removing(v.cookie))
			return []wire{v.yes(v.cookie, q, given)}
		}),
		v.stays("nobody has one any more", func(q approval.Approval) []wire { return []wire{v.yes(v.cookie, q, nil)} }),
	}
}
