package e2e

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/countersign/countersign/approval"
	"github.com/countersign/countersign/channel/inbox"
	"github.com/countersign/countersign/daemon"
	"github.com/countersign/countersign/hold"
	"github.com/countersign/countersign/identity/passkeytest"
)

// What the inbox can do besides answering: a grant with a yes, its end, a label,
// and passkeys.

// deleting is an action with which a grant may be given: it says whom or what it
// is about.
func deleting(object string) map[string]any {
	m := tap("com.example.notes", "Delete")
	m["target"].(map[string]any)["dialog_message"] = "Delete “" + object + "”?"
	return m
}

// askGrantable makes sure that there is an open question with which a grant may
// be given, and an open grant of another one.
func (s *siege) askGrantable() {
	s.t.Helper()
	ctx := s.t.Context()
	open, err := s.d.Desk().Grants(ctx, true)
	s.must(err)
	if !slices.ContainsFunc(open, func(g approval.Grant) bool { return g.ID == s.grant }) {
		s.grant = s.given(s.other, deleting(victim+"'s diary"), approval.MaxGrantCount)
	}
	letters := deleting(victim + "'s letters")
	v := s.other.propose(letters)
	if v.Approval.State == "approved" {
		_, err := s.d.Desk().Revoke(ctx, v.ID, daemon.FirstApprover, "terminal", "") // with its grant
		s.must(err)
		v = s.other.propose(letters)
	}
	s.grantable, err = s.d.Desk().View(ctx, v.ID)
	s.must(err)
}

// given puts a question and says yes to it with a grant, whose id it returns. The
// question itself is over then.
func (s *siege) given(a httpAgent, body map[string]any, count int) string {
	s.t.Helper()
	q := s.asked(a, body)
	q, err := s.d.Desk().Answer(s.t.Context(), hold.Answer{
		ID: q.ID, Digest: q.Digest, Yes: true, By: daemon.FirstApprover, How: "web", Grant: &approval.GrantTerms{Count: count, For: 20 * time.Hour},
	})
	s.must(err)
	look := map[string]any{"screen": body["screen"], "target": body["target"]}
	if v := a.redeem(q.ID, look); v.Status != http.StatusOK {
		s.t.Fatalf("the question of a grant is not released: %+v", v)
	}
	a.report(q.ID)
	return q.Grant
}

// keysAndGrants are the passkeys of the first approver and the open grants.
func (s *siege) keysAndGrants() string {
	s.t.Helper()
	open, err := s.d.Desk().Grants(s.t.Context(), true)
	s.must(err)
	list := s.passkeys()
	for i := range open {
		list = append(list, fmt.Sprint(open[i].ID, " ", open[i].Left()))
	}
	slices.Sort(list)
	return strings.Join(list, ", ")
}

// passkeys are the names of those of all approvers.
func (s *siege) passkeys() []string {
	s.t.Helper()
	all, err := s.d.Registry().Approvers(s.t.Context())
	s.must(err)
	var names []string
	for i := range all {
		keys, err := s.record.PasskeysOf(s.t.Context(), all[i].ID)
		s.must(err)
		for _, k := range keys {
			names = append(names, all[i].Name+"'s "+k.Name)
		}
	}
	return names
}

// script is what the page's script sends to the JSON API.
func (s *siege) script(cookie, path string, body any) wire {
	return wire{atInbox, "POST", path, []string{
		"Origin: http://" + s.host, "Sec-Fetch-Site: same-origin", "Content-Type: application/json",
		"Countersign-CSRF: " + s.d.Registry().CSRF(cookie, inbox.FormAPI), "Cookie: countersign=" + cookie,
	}, toJSON(body)}
}

// enrol adds a passkey to whoever is signed in.
func (s *siege) enrol(cookie, name string) *passkeytest.Authenticator {
	s.t.Helper()
	host, _, _ := strings.Cut(s.host, ":")
	device := passkeytest.New(s.t, host, "http://"+s.host)
	begun := s.send(s.script(cookie, "/v1/passkeys/begin", struct{}{}))
	added := s.send(s.script(cookie, "/v1/passkeys", map[string]any{"name": name, "answer": json.RawMessage(device.Create([]byte(begun.body)))}))
	if added.status != http.StatusCreated {
		s.t.Fatalf("adding a passkey: %s", added.raw)
	}
	return device
}

func (s *siege) csrf(cookie, name string) string { return "csrf=" + s.d.Registry().CSRF(cookie, name) }

// grantForm says yes with a grant, as the page does.
func (s *siege) grantForm(cookie string) wire {
	id := s.grantable.ID
	return form(s.host, "/approvals/"+id+"/answer", s.csrf(cookie, inbox.FormAnswer(id))+"&digest="+strings.ReplaceAll(s.grantable.Digest, ":", "%3A")+"&count=3&seconds=600&answer=grant")
}

// labelForm says that a question was needless.
func (s *siege) labelForm(cookie string) wire {
	return form(s.host, "/approvals/"+s.question.ID+"/label", s.csrf(cookie, inbox.FormLabel(s.question.ID))+"&label=needless")
}

// revokeForm ends the grant.
func (s *siege) revokeForm(cookie string) wire {
	return form(s.host, "/grants/"+s.grant+"/revoke", s.csrf(cookie, inbox.FormGrant(s.grant)))
}

// removeForm removes the passkey.
func (s *siege) removeForm(cookie string) wire {
	id := passkeytest.Base64(s.passkey.ID)
	return form(s.host, "/passkeys/"+id+"/remove", s.csrf(cookie, inbox.FormPasskey(id)))
}

// newForm is a form of the inbox that is no answer, and what its token is called.
type newForm struct {
	name  string
	token func() string // the name that its token is made of
	wire  func(cookie string) wire
	// before makes sure that the form would do something.
	before func()
}

func (s *siege) newForms() []newForm {
	nothing := func() {}
	plain := func(path, name string) func(string) wire {
		return func(cookie string) wire { return form(s.host, path, s.csrf(cookie, name)) }
	}
	always := func(name string) func() string { return func() string { return name } }
	return []newForm{
		{"yes with a grant", func() string { return inbox.FormAnswer(s.grantable.ID) }, s.grantForm, nothing},
		{"label", func() string { return inbox.FormLabel(s.question.ID) }, s.labelForm, nothing},
		{"end of a grant", func() string { return inbox.FormGrant(s.grant) }, s.revokeForm, nothing},
		{"passkey's removal", func() string { return inbox.FormPasskey(passkeytest.Base64(s.passkey.ID)) }, s.removeForm, nothing},
		{"freeze", always(inbox.FormFreeze), plain("/freeze", inbox.FormFreeze), nothing},
		{"unfreeze", always(inbox.FormUnfreeze), plain("/unfreeze", inbox.FormUnfreeze), func() {
			s.must(s.d.Desk().Freeze(s.t.Context(), daemon.FirstApprover, ""))
		}},
	}
}

// forgedForms are the forms of labels, grants, passkeys and the freeze with the
// owner's own cookie, and with a token that is not theirs.
func forgedForms(t *testing.T) []way {
	s := besiege(t)
	registry, second := s.d.Registry(), s.signIn("second")
	withToken := func(w wire, token string) wire {
		_, rest, more := strings.Cut(w.body, "&")
		w.body = "csrf=" + token
		if more {
			w.body += "&" + rest
		}
		return w
	}
	kinds := map[string]func(f newForm, w wire) wire{
		"no token":    func(_ newForm, w wire) wire { w.body = strings.Replace(w.body, "csrf=", "x=", 1); return w },
		"empty token": func(_ newForm, w wire) wire { return withToken(w, "") },
		"two tokens":  func(_ newForm, w wire) wire { w.body += "&csrf=x"; return w },
		"a changed token": func(f newForm, w wire) wire {
			token := []byte(registry.CSRF(s.cookie, f.token()))
			token[5] ^= 1 << 3
			return withToken(w, string(token))
		},
		"token of another session": func(f newForm, w wire) wire { return withToken(w, registry.CSRF(second, f.token())) },
		"token of another thing":   func(f newForm, w wire) wire { return withToken(w, registry.CSRF(s.cookie, f.token()+"x")) },
		"token of signing out":     func(_ newForm, w wire) wire { return withToken(w, registry.CSRF(s.cookie, inbox.FormSignOut)) },
		"token of the API":         func(_ newForm, w wire) wire { return withToken(w, registry.CSRF(s.cookie, inbox.FormAPI)) },
		"token in the address":     func(_ newForm, w wire) wire { w.target += "?" + w.body; w.body = "x=y"; return w },
		"token in the header of the API's": func(f newForm, w wire) wire {
			return withToken(w, "").with("Countersign-CSRF: " + registry.CSRF(s.cookie, f.token()))
		},
		"sent as JSON": func(f newForm, w wire) wire {
			w = w.without("Content-Type").with("Content-Type: application/json", "Countersign-CSRF: "+registry.CSRF(s.cookie, inbox.FormAPI))
			w.body = toJSON(map[string]string{"csrf": registry.CSRF(s.cookie, f.token()), "label": "needless", "answer": "grant"})
			return w
		},
		"right, from another site": func(_ newForm, w wire) wire {
			return w.without("Origin", "Sec-Fetch-Site").with("Origin: https://attacker.example", "Sec-Fetch-Site: cross-site")
		},
		"right, from another port": func(_ newForm, w wire) wire {
			return w.without("Origin", "Sec-Fetch-Site").with("Origin: http://localhost:9999", "Sec-Fetch-Site: same-site")
		},
		"right, from nowhere":            func(_ newForm, w wire) wire { return w.without("Origin", "Sec-Fetch-Site") },
		"right, of a session that ended": s.ofAnEndedSession,
	}
	var ways []way
	for _, f := range s.newForms() {
		for name, change := range kinds {
			ways = append(ways, way{f.name + ": " + name, func() string {
				f.before()
				defer s.restoreIfFrozen()
				w := f.wire(s.cookie).with("Cookie: countersign=" + s.cookie)
				return s.effect(func() heard { return s.send(change(f, w)) })
			}})
		}
		ways = append(ways, way{f.name + ": replayed", func() string { return s.replayed(f) }})
	}
	return append(ways, s.forgedScripts(second)...)
}

// ofAnEndedSession is a form of a session that has signed out since.
func (s *siege) ofAnEndedSession(f newForm, _ wire) wire {
	gone := s.signIn(daemon.FirstApprover)
	w := f.wire(gone).with("Cookie: countersign=" + gone)
	s.send(form(s.host, "/sign-out", s.csrf(gone, inbox.FormSignOut)).with("Cookie: countersign=" + gone))
	s.news()
	return w
}

func (s *siege) restoreIfFrozen() {
	f, err := s.d.Desk().Frozen(s.t.Context())
	s.must(err)
	if f.Frozen {
		s.restore()
	}
}

// replayed sends a right form twice, the second time under a session of the same
// person that began later: what it was about is done or another thing by then.
func (s *siege) replayed(f newForm) string {
	f.before()
	w := f.wire(s.cookie).with("Cookie: countersign=" + s.cookie)
	if first := s.send(w); first.status != http.StatusSeeOther {
		return "the form does nothing the first time, so that nothing is tried: " + first.raw
	}
	later := s.signIn(daemon.FirstApprover)
	s.restore()
	f.before()
	defer s.restoreIfFrozen()
	return s.effect(func() heard { return s.send(w.without("Cookie").with("Cookie: countersign=" + later)) })
}

// forgedScripts are calls of the page's script without its token.
func (s *siege) forgedScripts(second string) []way {
	id := "/v1/approvals/" + s.question.ID
	end := s.script(s.cookie, "/v1/grants/"+s.grant, struct{}{})
	end.method = "DELETE"
	var ways []way
	for name, w := range map[string]wire{
		"a passkey's ceremony":    s.script(s.cookie, id+"/passkey", map[string]string{"digest": s.question.Digest}),
		"adding a passkey, begun": s.script(s.cookie, "/v1/passkeys/begin", struct{}{}),
		"adding a passkey, ended": s.script(s.cookie, "/v1/passkeys", map[string]any{"name": "mole", "answer": struct{}{}}),
		"end of a grant":          end,
	} {
		bare := w.without("Countersign-CSRF")
		for how, attempt := range map[string]wire{
			"no token":                 bare,
			"a form's token":           bare.with("Countersign-CSRF: " + s.d.Registry().CSRF(s.cookie, inbox.FormFreeze)),
			"token of another session": bare.with("Countersign-CSRF: " + s.d.Registry().CSRF(second, inbox.FormAPI)),
			"an agent's credential":    bare.without("Cookie").with(bearer(s.agent.token)),
		} {
			ways = append(ways, s.sending("script: "+name+": "+how, attempt))
		}
	}
	return ways
}
