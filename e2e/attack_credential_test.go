package e2e

import (
	"encoding/base64"
	"strings"
	"testing"
)

// calls is everything that an approver can do over a door, as the rightful owner
// would send it but for the credential.
func (s *siege) calls(door string) []wire {
	id := "/v1/approvals/" + s.question.ID
	digest := toJSON(map[string]string{"digest": s.question.Digest})
	list := []wire{
		{method: "GET", target: "/v1/approvals"}, {method: "GET", target: id}, {method: "GET", target: "/v1/agents"},
		{method: "POST", target: id + "/deny", body: digest},
		{method: "POST", target: id + "/approve", body: digest},
		{method: "POST", target: id + "/revoke", body: "{}"},
		{method: "POST", target: "/v1/freeze", body: "{}"}, {method: "POST", target: "/v1/unfreeze", body: "{}"},
		{method: "POST", target: "/v1/policy/reload", body: "{}"},
		{method: "POST", target: "/v1/agents", body: `{"name": "mole"}`}, {method: "POST", target: "/v1/approvers", body: `{"name": "mole"}`},
		{method: "DELETE", target: "/v1/agents/victim"}, {method: "DELETE", target: "/v1/approvers/second"},
	}
	if door == atOwner {
		list = append(list, wire{method: "POST", target: "/v1/sign-in", body: "{}"})
	}
	list = append(list, wire{method: "GET", target: "/v1/status"}, wire{method: "GET", target: "/v1/approvers"},
		wire{method: "GET", target: "/v1/grants"}, wire{method: "DELETE", target: "/v1/grants/" + s.grant})
	for i := range list {
		list[i].door = door
		if list[i].body != "" {
			list[i].header = []string{"Content-Type: application/json"}
		}
	}
	return list
}

// forms is what the pages can do.
func (s *siege) forms() []wire { return s.formsOf(s.cookie) }

// formsOf is the same for another session.
func (s *siege) formsOf(cookie string) []wire {
	card := "/approvals/" + s.question.ID + "/answer"
	csrf := func(name string) string { return s.csrf(cookie, name) }
	answer := csrf("answer/"+s.question.ID) + "&digest=" + strings.ReplaceAll(s.question.Digest, ":", "%3A") + "&answer="
	return []wire{
		{method: "GET", target: "/", door: atInbox}, {method: "GET", target: "/approvals/" + s.question.ID, door: atInbox},
		form(s.host, card, answer+"approve"), form(s.host, card, answer+"deny"), form(s.host, card, answer+"revoke"),
		form(s.host, "/freeze", csrf("freeze")), form(s.host, "/unfreeze", csrf("unfreeze")), form(s.host, "/sign-out", csrf("sign-out")),
		s.grantForm(cookie), s.labelForm(cookie), s.revokeForm(cookie), s.removeForm(cookie),
	}
}

func bearer(token string) string { return "Authorization: Bearer " + token }

func (s *siege) withCookie(w wire) wire { return w.with("Cookie: countersign=" + s.cookie) }

// TestTheMeasureSeesSuccess: what the owner may do shows as an effect, each of
// it, so that an attack that worked would show as well.
func TestTheMeasureSeesSuccess(t *testing.T) {
	s := besiege(t)
	seen := 0
	for _, door := range []string{atInbox, atOwner} {
		for i := range s.calls(door) {
			if s.calls(door)[i].target == "/v1/unfreeze" {
				s.must(s.d.Desk().Freeze(t.Context(), "owner", ""))
			}
			w := s.calls(door)[i].with(bearer(s.approver)) // the question is another one each time
			if s.effect(func() heard { return s.send(w) }) == "" {
				t.Errorf("%s %s at %s: no effect is seen", w.method, w.target, door)
			}
			seen++
		}
	}
	for i := range s.forms() {
		if s.forms()[i].target == "/unfreeze" {
			s.must(s.d.Desk().Freeze(t.Context(), "owner", ""))
		}
		w := s.withCookie(s.forms()[i])
		if s.effect(func() heard { return s.send(w) }) == "" {
			t.Errorf("%s %s: no effect is seen", w.method, w.target)
		}
		seen++
	}
	if seen != 17+18+12 {
		t.Errorf("%d calls", seen)
	}
}

// restore undoes what the owner did.
func (s *siege) restore() {
	s.t.Helper()
	ctx := s.t.Context()
	s.must(s.d.Desk().Unfreeze(ctx, "owner", ""))
	for _, name := range []string{"mole", "victim"} {
		_, _ = s.d.Registry().RevokeAgent(ctx, name) // may be gone already
	}
	for _, name := range []string{"mole", "second"} {
		_, _ = s.d.Registry().RevokeApprover(ctx, name)
	}
	var err error
	_, s.second, err = s.d.Registry().AddApprover(ctx, "second")
	s.must(err)
	s.other = s.newAgent("victim")
	s.cookie = s.signIn("owner")
	if len(s.passkeys()) == 0 {
		s.passkey = s.enrol(s.cookie, "laptop")
	}
	s.ask()
}

func agentAtTheApproversDoors(t *testing.T) []way {
	s := besiege(t)
	token := s.agent.token
	var ways []way
	for _, door := range []string{atInbox, atOwner} {
		for _, w := range s.calls(door) {
			ways = append(ways, s.sending(door+": "+w.method+" "+s.named(w.target), w.with(bearer(token))))
		}
	}
	for _, w := range s.forms() {
		ways = append(ways, s.sending("page: "+shortName(s, w), w.with("Cookie: countersign="+token)))
	}
	const approve = 4
	for _, door := range []string{atInbox, atOwner} {
		w := s.calls(door)[approve]
		inQuery := w
		inQuery.target += "?access_token=" + token + "&token=" + token
		for name, attempt := range map[string]wire{
			"in the query":              inQuery,
			"lower-case scheme":         w.with("Authorization: bearer " + token),
			"upper-case scheme":         w.with("AUTHORIZATION: BEARER " + token),
			"basic":                     w.with("Authorization: Basic " + base64.StdEncoding.EncodeToString([]byte("owner:"+token))),
			"no scheme":                 w.with("Authorization: " + token),
			"two credentials":           w.with(bearer(token), bearer(token)),
			"in other headers":          w.with("X-Api-Key: "+token, "Proxy-Authorization: Bearer "+token, "X-Forwarded-User: owner", "X-Remote-User: owner"),
			"with an approver's prefix": w.with(bearer("csp_" + strings.TrimPrefix(token, "csa_"))),
			"says it is a terminal":     w.with(bearer(token), "Countersign-How: terminal"),
			"as a session":              w.with("Cookie: countersign=css_"+strings.TrimPrefix(token, "csa_"), "Origin: http://"+s.host),
			"with a NUL":                w.with(bearer(token + "\x00")),
			"an empty one":              w.with("Authorization: Bearer "),
			"a name":                    w.with(bearer("owner")),
		} {
			ways = append(ways, s.sending(door+": "+name, attempt))
		}
	}
	return ways
}

// decides reports whether the agents' door took a request for its own.
func decides(h heard) string {
	if h.status < 300 && strings.Contains(h.body, `"outcome"`) {
		return "it was answered: " + h.body
	}
	return ""
}

func strangersAtTheAgentsDoor(t *testing.T) []way {
	s := besiege(t)
	var ways []way
	for _, door := range []string{atAgents, atSocket} {
		act := wire{door, "POST", "/v1/actions", []string{"Content-Type: application/json"}, toJSON(tap("com.whatsapp", "Send"))}
		inQuery := act
		inQuery.target += "?access_token=" + s.agent.token
		redeem, state, withdraw := act, act, act
		redeem.target, redeem.body = "/v1/actions/"+s.question.ID+"/redeem", toJSON(fresh("com.whatsapp", "Send to "+victim))
		state.method, state.target, state.body = "GET", "/v1/actions/"+s.question.ID, ""
		withdraw.method, withdraw.target, withdraw.body = "DELETE", state.target, ""
		for _, a := range []struct {
			name string
			w    wire
		}{
			{"an approver proposes", act.with(bearer(s.approver))},
			{"an approver redeems", redeem.with(bearer(s.approver))},
			{"an approver asks for the state", state.with(bearer(s.approver))},
			{"an approver withdraws", withdraw.with(bearer(s.approver))},
			{"a session", act.with("Cookie: countersign="+s.cookie, bearer(s.cookie))},
			{"a session's cookie", act.with("Cookie: countersign=" + s.cookie)},
			{"nobody", act},
			{"nobody asks for the state", state},
			{"nobody withdraws", withdraw},
			{"in the query", inQuery},
			{"in a cookie", act.with("Cookie: countersign=" + s.agent.token)},
			{"basic", act.with("Authorization: Basic " + base64.StdEncoding.EncodeToString([]byte(s.agent.token+":")))},
			{"no scheme", act.with("Authorization: " + s.agent.token)},
			{"two credentials", act.with(bearer(s.agent.token), bearer(s.agent.token))},
			{"a prefix of one", act.with(bearer(s.agent.token[:30]))},
		} {
			ways = append(ways, way{door + ": " + a.name, func() string {
				answered := ""
				got := s.effect(func() heard {
					h := s.send(a.w)
					answered = decides(h)
					return h
				})
				return got + answered
			}})
		}
	}
	return ways
}
