package identity_test

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/countersign/countersign/identity"
	"pgregory.net/rapid"
)

func TestCheckName(t *testing.T) {
	good := []string{
		"a", "7", "kim", "Kim.Lee", "robo-1", "open_autoglm", "a..b", "x-", strings.Repeat("n", 64),
		"policyholder", "nobody2", "apiary", "owner", "phone", "agent-1", "agt", "csa", "the_csa_one",
	}
	bad := []string{
		"", " ", ".", "..", "-x", "_x", ".x", "a b", "a/b", "a\\b", "a:b", "a@b", "a\n", "a\x00", "\x1b[2J", "kím", "kim\u0161", "кim", "kim\u202e", "名前", "a\xff",
		"<b>", "a'b", "a\"b", "$(x)", strings.Repeat("n", 65),
		"policy", "Policy", "POLICY", "countersign", "counter-sign", "Counter.Sign_", "nobody", "no-body", "agent", "Agent", "approver",
		"layer", "rule", "grant", "linked-approval", "sticky_denial", "preset", "model", "llm_flagged", "keyword_guard", "context-aware-guard",
		"both", "none", "unknown", "adb", "mcp", "api", "webdriver", "daemon", "unattended", "freeze", "no_channel", "expired", "anonymous",
		"agt_x", "APR_x", "csa_x", "CSP_x", "cst_x", "css_x", "csa_" + strings.Repeat("a", 52),
	}
	for _, name := range good {
		if err := identity.CheckName(name); err != nil {
			t.Errorf("%q: %v", name, err)
		}
	}
	for _, name := range bad {
		err := identity.CheckName(name)
		if !errors.Is(err, identity.ErrBadName) {
			t.Errorf("%q: %v, want ErrBadName", name, err)
		} else if !strings.Contains(err.Error(), "accepted, beginning") && !strings.Contains(err.Error(), "choose") {
			t.Errorf("%q: the error does not say what to do: %v", name, err)
		}
	}
	if len(good) != 18 || len(bad) != 67 {
		t.Errorf("%d good and %d bad names tried", len(good), len(bad))
	}
	if err := identity.CheckName("csa_" + strings.Repeat("q", 52)); strings.Contains(err.Error(), "qq") {
		t.Errorf("a credential in the wrong place is repeated: %v", err)
	}
}

var shape = regexp.MustCompile(`\A[A-Za-z0-9][A-Za-z0-9._-]{0,63}\z`)

// TestNames: accepted names have the promised shape; letter case decides
// nothing; what is accepted once is refused a second time in any case, is found
// in any case, and is free again after revoking.
func TestNames(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.OneOf(
			rapid.StringMatching(`[A-Za-z0-9._-]{1,66}`),
			rapid.StringMatching(`[a-z]{1,3}[_. -][A-Za-z]{1,3}`),
			rapid.SampledFrom([]string{"policy", "Agent", "no.body", "csa_x", "apr_1", "kim"}),
			rapid.String(),
		).Draw(t, "name")
		err := identity.CheckName(name)
		if err == nil && !shape.MatchString(name) {
			t.Fatalf("%q was accepted", name)
		}
		other := flip(name, rapid.Uint64().Draw(t, "case"))
		if (identity.CheckName(other) == nil) != (err == nil) {
			t.Fatalf("%q: %v, and %q: %v", name, err, other, identity.CheckName(other))
		}
		w := newWorldFor(t)
		_, token, added := w.AddAgent(ctx, name, nil, "test")
		if (added == nil) != (err == nil) {
			t.Fatalf("%q: checked %v, added %v", name, err, added)
		}
		if err != nil {
			return
		}
		if _, _, err := w.AddApprover(ctx, other); !errors.Is(err, identity.ErrNameTaken) {
			t.Fatalf("%q beside %q: %v", other, name, err)
		}
		if _, err := w.RevokeAgent(ctx, other); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Agent(ctx, token); !errors.Is(err, identity.ErrRevoked) {
			t.Fatal(err)
		}
		if _, _, err := w.AddApprover(ctx, other); err != nil {
			t.Fatalf("%q after revoking %q: %v", other, name, err)
		}
	})
}

// newWorldFor is newWorld for a property's own kind of test.
func newWorldFor(t *rapid.T) *identity.Registry {
	r, err := identity.New(newMemory(), identity.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// flip changes the case of ASCII letters where the bits say so.
func flip(name string, bits uint64) string {
	b := []byte(name)
	for i, c := range b {
		letter := 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
		if letter && bits>>(i%64)&1 == 1 {
			b[i] = c ^ 0x20
		}
	}
	return string(b)
}

// TestSecretsAreNotPrinted: no way of printing or marshalling shows a secret or
// what is kept of it.
func TestSecretsAreNotPrinted(t *testing.T) {
	w := newWorld(t)
	a, agentToken := w.agent(t, "robo", "emulator-5554")
	p, approverToken := w.approver(t, "kim")
	link, _, err := w.SignInTicket(ctx, "kim")
	if err != nil {
		t.Fatal(err)
	}
	var ticket identity.Ticket
	for _, ticket = range w.store.tickets {
	}
	_, cookie, session, err := w.TakeTicket(ctx, link, atHome)
	if err != nil {
		t.Fatal(err)
	}
	secrets := []string{agentToken, approverToken, link, cookie, a.SecretHash, p.SecretHash, ticket.ID, session.ID}
	for i, s := range secrets {
		if len(s) < 56 {
			t.Fatalf("secret %d is too short to look for", i)
		}
	}
	printed := 0
	for _, v := range []any{a, &a, p, &p, ticket, &ticket, session, &session, []identity.Agent{a}, map[string]identity.Session{"x": session}, struct{ P identity.Approver }{p}} {
		for _, text := range everyForm(t, v) {
			printed++
			for i, secret := range secrets {
				if strings.Contains(text, secret) || strings.Contains(text, fmt.Sprintf("%x", secret)) || strings.Contains(text, fmt.Sprintf("%X", secret)) {
					t.Errorf("secret %d of %T is in %s", i, v, text)
				}
			}
		}
	}
	if printed != 11*12 {
		t.Errorf("%d forms printed", printed)
	}
	if got := fmt.Sprintf("%v|%+v|%v", a, p, session); !strings.Contains(got, `agent "robo" (agt_`) || !strings.Contains(got, `approver "kim" (apr_`) || !strings.Contains(got, "session of apr_") {
		t.Errorf("what is printed does not say who it is: %s", got)
	}
}
