package e2e

import (
	"strings"
	"testing"
	"time"

	"github.com/countersign/countersign/hold"
)

// signedIn is what an attempt to sign in achieved.
func (s *siege) signedIn(w wire) string {
	h := s.send(w)
	if set := h.header.Values("Set-Cookie"); len(set) > 0 && !strings.Contains(set[0], "Max-Age=0") {
		return "a session was begun: " + h.raw
	}
	return s.told(h)
}

func signInLinks(t *testing.T) []way {
	s := besiege(t)
	used, old := s.ticket("owner"), s.ticket("owner")
	s.send(form(s.host, "/sign-in", "ticket="+used))
	foreign := form(s.host, "/sign-in", "ticket="+s.ticket("owner"))
	try := func(name string, w wire) way { return way{name, func() string { return s.signedIn(w) }} }
	ways := []way{
		try("used again", form(s.host, "/sign-in", "ticket="+used)),
		try("guessed", form(s.host, "/sign-in", "ticket=cst_"+strings.Repeat("a", 52))),
		try("empty", form(s.host, "/sign-in", "ticket=")),
		try("an agent's credential as a link", form(s.host, "/sign-in", "ticket="+s.agent.token)),
		try("a cookie as a link", form(s.host, "/sign-in", "ticket="+s.cookie)),
		try("pressed by another site", foreign.without("Origin", "Sec-Fetch-Site").with("Origin: https://attacker.example", "Sec-Fetch-Site: cross-site")),
		try("pressed without saying where from", foreign.without("Origin", "Sec-Fetch-Site")),
		{"an agent makes one on the owner's socket", func() string {
			h := s.send(wire{atOwner, "POST", "/v1/sign-in", []string{bearer(s.agent.token), "Content-Type: application/json"}, "{}"})
			return s.told(h)
		}},
		{"after its time", func() string {
			s.clock.shift(24 * time.Hour)
			return s.signedIn(form(s.host, "/sign-in", "ticket="+old))
		}},
	}
	return ways
}

func foreignForms(t *testing.T) []way {
	s := besiege(t)
	second := s.signIn("second")
	mine := s.d.Registry()
	other := s.asked(s.agent, tap("com.whatsapp", "Send to Perpetua"))
	approve, card := s.forms()[2], s.forms()[1]
	token := func(csrf string) wire {
		w := approve
		_, rest, _ := strings.Cut(w.body, "&")
		w.body = "csrf=" + csrf + "&" + rest
		return s.withCookie(w)
	}
	twice := s.withCookie(approve)
	twice.body += "&csrf=x"
	none := s.withCookie(approve)
	_, none.body, _ = strings.Cut(approve.body, "&")
	inAddress := none
	inAddress.target += "?" + approve.body
	api := s.calls(atInbox)[4].with("Origin: http://" + s.host)
	attackers := "css_" + strings.Repeat("a", 52)
	ways := []way{
		s.sending("token of another person's session", token(mine.CSRF(second, "answer/"+s.question.ID))),
		s.sending("token of another question", token(mine.CSRF(s.cookie, "answer/"+other.ID))),
		s.sending("token of another form", token(mine.CSRF(s.cookie, "freeze"))),
		s.sending("token of the API", token(mine.CSRF(s.cookie, "api"))),
		s.sending("an empty token", token("")),
		s.sending("no token", none),
		s.sending("token in the address", inAddress),
		s.sending("two tokens", twice),
		s.sending("API, no token", s.withCookie(api)),
		s.sending("API, token of a form", s.withCookie(api.with("Countersign-CSRF: "+mine.CSRF(s.cookie, "answer/"+s.question.ID)))),
		s.sending("API, token of another person's session", s.withCookie(api.with("Countersign-CSRF: "+mine.CSRF(second, "api")))),
		s.sending("a cookie of the attacker's choice", approve.with("Cookie: countersign="+attackers)),
		s.sending("a chosen cookie before ours", approve.with("Cookie: countersign="+attackers+"; countersign="+s.cookie)),
		s.sending("a chosen cookie after ours", approve.with("Cookie: countersign="+s.cookie+"; countersign="+attackers)),
		s.sending("the stricter cookie's name", approve.with("Cookie: __Host-countersign="+s.cookie)),
		{"a chosen cookie is kept at sign-in", func() string {
			h := s.send(form(s.host, "/sign-in", "ticket="+s.ticket("owner")).with("Cookie: countersign=" + attackers))
			if h.status == 303 && !strings.Contains(h.raw, attackers) {
				return s.told(s.send(card.with("Cookie: countersign=" + attackers)))
			}
			return "the attacker's cookie lives: " + h.raw
		}},
		{"the cookie after signing out", func() string {
			gone := s.signIn("owner")
			s.send(form(s.host, "/sign-out", "csrf="+mine.CSRF(gone, "sign-out")).with("Cookie: countersign=" + gone))
			return s.told(s.send(card.with("Cookie: countersign=" + gone)))
		}},
		{"the session of an approver who was revoked", func() string {
			if s.told(s.send(card.with("Cookie: countersign="+second))) == "" {
				return "the session shows nothing before, so that nothing is tried"
			}
			_, err := mine.RevokeApprover(t.Context(), "second")
			s.must(err)
			own := form(s.host, approve.target, "csrf="+mine.CSRF(second, "answer/"+s.question.ID)+"&digest="+s.question.Digest+"&answer=approve")
			return s.effect(func() heard { return s.send(own.with("Cookie: countersign=" + second)) }) + s.told(s.send(card.with("Cookie: countersign="+second)))
		}},
	}
	return ways
}

// foreignDigests are answers of the rightful owner to something else than what
// is asked: a card that was swapped under his hands.
func foreignDigests(t *testing.T) []way {
	s := besiege(t)
	other := s.asked(s.agent, tap("com.whatsapp", "Send to Perpetua"))
	void := s.answered(s.agent, tap("com.example.bank", "Pay 12.00"), true)
	s.agent.redeem(void.ID, fresh("com.example.bank", "Pay 120.00"))
	again := s.asked(s.agent, tap("com.example.bank", "Pay 120.00"))
	digests := []struct{ name, digest string }{
		{"of another question", other.Digest}, {"of a question that is void", void.Digest}, {"empty", ""}, {"cut short", s.question.Digest[:len(s.question.Digest)-1]},
		{"in upper case", strings.ToUpper(s.question.Digest)}, {"with a blank", s.question.Digest + " "}, {"of nothing", "hmac-sha256:" + strings.Repeat("0", 64)},
	}
	var ways []way
	for _, d := range digests {
		w := s.calls(atInbox)[4].with(bearer(s.approver))
		w.body = toJSON(map[string]string{"digest": d.digest})
		ways = append(ways, s.answering("API, "+d.name, s.question.ID, w))
		f := form(s.host, s.forms()[2].target, "csrf="+s.d.Registry().CSRF(s.cookie, "answer/"+s.question.ID)+"&answer=approve&digest="+strings.ReplaceAll(d.digest, ":", "%3A"))
		ways = append(ways, s.answering("page, "+d.name, s.question.ID, s.withCookie(f)))
	}
	late := s.calls(atInbox)[4].with(bearer(s.approver))
	late.target, late.body = "/v1/approvals/"+void.ID+"/approve", toJSON(map[string]string{"digest": void.Digest})
	old := late
	old.target = "/v1/approvals/" + again.ID + "/approve"
	return append(ways, s.answering("a question that is void, with its own", void.ID, late), s.answering("asked anew, with the old one", again.ID, old))
}

// answering is an attempt of the owner's: it succeeds when the question moves.
func (s *siege) answering(name, id string, w wire) way {
	return way{name, func() string {
		before, err := s.d.Desk().View(s.t.Context(), id)
		s.must(err)
		h := s.send(w)
		after, err := s.d.Desk().View(s.t.Context(), id)
		s.must(err)
		if after.State != before.State || h.status < 400 {
			return string(before.State.String()) + " became " + after.State.String() + ": " + h.raw
		}
		return ""
	}}
}

// yes approves a question as the owner.
func (s *siege) yes(id, digest string) {
	s.t.Helper()
	_, err := s.d.Desk().Answer(s.t.Context(), hold.Answer{ID: id, Digest: digest, Yes: true, By: "owner", How: "terminal"})
	s.must(err)
}
