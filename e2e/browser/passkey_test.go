package browser

import (
	"strings"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/webauthn"
	"github.com/chromedp/chromedp"

	"github.com/countersign/countersign/approval"
	"github.com/countersign/countersign/daemon"
)

// authenticator gives the tab a device's own authenticator, whose owner is there
// and shows it.
func (p *person) authenticator() webauthn.AuthenticatorID {
	p.t.Helper()
	call(p, webauthn.Enable, webauthn.EnableParams{})
	return call(p, webauthn.AddVirtualAuthenticator, webauthn.AddVirtualAuthenticatorParams{Options: &webauthn.VirtualAuthenticatorOptions{
		Protocol: webauthn.AuthenticatorProtocolCtap2, Transport: webauthn.AuthenticatorTransportInternal,
		HasResidentKey: true, HasUserVerification: true, IsUserVerified: true, AutomaticPresenceSimulation: true,
	}}).AuthenticatorID
}

// addPasskey adds one on its page.
func (p *person) addPasskey(name string) {
	p.t.Helper()
	p.open("/passkeys")
	is[any](p, `document.querySelector("#passkey-name").value = `+js(name))
	p.follows("#add-passkey button")
	p.shows("main .items", name)
}

// holdInVain holds the button of a critical card until the page has something
// against it, and stays.
func (p *person) holdInVain(problem string) {
	p.t.Helper()
	p.ready()
	p.pressMouse()
	p.shows("#passkey-problem", problem)
	p.mouse(input.DispatchMouseEventTypeMouseReleased, p.middle("h1"))
}

// holdAway holds the button of a critical card until its answer has led to another
// page.
func (p *person) holdAway() {
	p.t.Helper()
	p.ready()
	p.leaves(p.pressMouse)
	p.mouse(input.DispatchMouseEventTypeMouseReleased, p.middle("h1"))
}

// A passkey is added, approves what is critical, is remembered as used, and is
// removed; without one nothing critical is approved, whatever else is given.
func TestPasskeys(t *testing.T) {
	t.Parallel()
	g := startGuard(t, func(o *daemon.Options) { o.PasskeyCritical = true })
	p := newPerson(t, g, desktop)
	device := p.authenticator()
	p.signIn("owner")
	id := g.ask(transfer("Acme Ltd", "$80.00"))

	p.open("/approvals/" + id)
	p.holdInVain("add one")
	g.wantState(id, approval.Pending)

	p.addPasskey("this-laptop")
	p.shows("main .items", "not used yet")
	if keys := call(p, webauthn.GetCredentials, webauthn.GetCredentialsParams{AuthenticatorID: device}).Credentials; len(keys) != 1 {
		t.Fatalf("the authenticator has %d keys", len(keys))
	}
	p.open("/approvals/" + id)
	p.holdAway()
	p.shows("#standing", "approved, not carried out yet")
	if a := g.wantState(id, approval.Approved); a.How != "passkey" || a.AnsweredBy != "owner" {
		t.Errorf("answered by %s, %s", a.AnsweredBy, a.How)
	}
	p.shows("main", "in the inbox with a passkey")
	p.open("/passkeys")
	p.shows("main .items", "last used")

	p.follows("main .items button")
	p.shows("main", "None yet.")
	id = g.ask(transfer("Acme Ltd", "$90.00"))
	p.open("/approvals/" + id)
	p.holdInVain("add one")
	g.wantState(id, approval.Pending)
}

// A passkey that is not given says so and approves nothing; given afterwards, on
// the same page, it does.
func TestPasskeyNotGiven(t *testing.T) {
	t.Parallel()
	g := startGuard(t, func(o *daemon.Options) { o.PasskeyCritical = true })
	p := newPerson(t, g, phone)
	device := p.authenticator()
	p.signIn("owner")
	p.addPasskey("this-phone")
	id := g.ask(transfer("Acme Ltd", "$80.00"))
	p.open("/approvals/" + id)
	call(p, webauthn.SetUserVerified, webauthn.SetUserVerifiedParams{AuthenticatorID: device, IsUserVerified: false})
	// The browser says so only when the time is over, so as not to tell which keys
	// there are. That is minutes; here it is a second.
	is[any](p, `(() => { const read = PublicKeyCredential.parseRequestOptionsFromJSON.bind(PublicKeyCredential);
		PublicKeyCredential.parseRequestOptionsFromJSON = o => read({...o, timeout: 1000}); })()`)
	p.holdInVain("The passkey was not given")
	g.wantState(id, approval.Pending)

	// A signature that is none is no yes either.
	p.open("/approvals/" + id)
	call(p, webauthn.SetUserVerified, webauthn.SetUserVerifiedParams{AuthenticatorID: device, IsUserVerified: true})
	yes, no := true, false
	call(p, webauthn.SetResponseOverrideBits, webauthn.SetResponseOverrideBitsParams{AuthenticatorID: device, IsBogusSignature: &yes})
	p.holdAway()
	p.shows("main", "Your answer was not taken")
	g.wantState(id, approval.Pending)
	// Nor is one whose owner did not show that it was she.
	call(p, webauthn.SetResponseOverrideBits, webauthn.SetResponseOverrideBitsParams{AuthenticatorID: device, IsBogusSignature: &no, IsBadUV: &yes})
	p.holdAway()
	p.shows("main", "Your answer was not taken")
	g.wantState(id, approval.Pending)

	call(p, webauthn.SetResponseOverrideBits, webauthn.SetResponseOverrideBitsParams{AuthenticatorID: device})
	p.holdAway()
	p.shows("#standing", "approved, not carried out yet")
	if a := g.wantState(id, approval.Approved); a.How != "passkey" {
		t.Errorf("answered %s", a.How)
	}
}

// What needs no passkey is answered as before, and the page without script says
// what is in the way.
func TestPasskeysAreForWhatIsCritical(t *testing.T) {
	t.Parallel()
	g := startGuard(t, func(o *daemon.Options) { o.PasskeyCritical = true })
	p := newPerson(t, g, phone)
	p.signIn("owner")
	id := g.ask(chat("Anna", "Hello"))
	p.open("/approvals/" + id)
	p.approve()
	p.shows("#standing", "approved, not carried out yet")
	g.wantState(id, approval.Approved)

	id = g.ask(transfer("Acme Ltd", "$80.00"))
	p.scripts(false)
	p.open("/approvals/" + id)
	p.shows("#bar", "passkeys need scripts")
	p.do(chromedp.SendKeys(chromedp.CSS("#sure"), "yes"))
	p.follows(holdButton)
	p.shows("main", "a critical question is approved with a passkey here")
	if said := p.text("main"); !strings.Contains(said, "Your answer was not taken") {
		t.Errorf("the page says %q", said)
	}
	g.wantState(id, approval.Pending)
}
