package identity_test

import (
	"errors"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/countersign/countersign/identity"
)

// atHome is the door of the sessions here.
const atHome = "https://inbox.example"

// signIn is the cookie of a fresh session.
func (w world) signIn(tb testing.TB, approver string) string {
	tb.Helper()
	link, _, err := w.SignInTicket(ctx, approver)
	if err != nil {
		tb.Fatal(err)
	}
	_, cookie, _, err := w.TakeTicket(ctx, link, atHome)
	if err != nil {
		tb.Fatal(err)
	}
	return cookie
}

func TestSignIn(t *testing.T) {
	w := newWorld(t)
	kim, _ := w.approver(t, "kim")
	link, expires, err := w.SignInTicket(ctx, "Kim")
	if err != nil {
		t.Fatal(err)
	}
	if got := expires.Sub(w.clock.Now().Truncate(time.Microsecond)); got != 10*time.Minute {
		t.Errorf("the link works for %v, want 10 minutes", got)
	}
	a, cookie, s, err := w.TakeTicket(ctx, link, atHome)
	if err != nil || a.ID != kim.ID || s.Approver != kim.ID || s.How != identity.ByLink {
		t.Fatalf("%v, %v, %v", a, s, err)
	}
	if secret := regexp.MustCompile(`^c(st|ss)_[a-z2-7]{52}$`); !secret.MatchString(link) || !secret.MatchString(cookie) || link[4:] == cookie[4:] {
		t.Error("the secrets' forms are not the ones promised")
	}
	_, _, _, err = w.TakeTicket(ctx, link, atHome)
	wantErr(t, "the link again", err, identity.ErrUnknownCredential)

	got, session, err := w.Session(ctx, cookie, atHome)
	if err != nil || got.ID != kim.ID || session.ID != s.ID {
		t.Errorf("%v, %v, %v", got, session, err)
	}
	for _, bad := range []string{"", link, s.ID, cookie[4:], strings.ToUpper(cookie), cookie + " ", "css_" + link[4:], "css_" + strings.Repeat("a", 52)} {
		_, _, err := w.Session(ctx, bad, atHome)
		wantErr(t, "a cookie that is no session's", err, identity.ErrUnknownCredential)
	}
	_, _, _, err = w.TakeTicket(ctx, "cst_"+cookie[4:], atHome)
	wantErr(t, "a cookie as a link", err, identity.ErrUnknownCredential)

	other := w.signIn(t, kim.ID)
	for range 2 {
		if err := w.EndSession(ctx, cookie); err != nil {
			t.Fatal(err)
		}
	}
	_, _, err = w.Session(ctx, cookie, atHome)
	wantErr(t, "signed out", err, identity.ErrUnknownCredential)
	if _, _, err = w.Session(ctx, other, atHome); err != nil {
		t.Errorf("signed out there, and here too: %v", err)
	}
}

// TestASessionCountsAtItsDoor: what was begun at one door is nobody's at another,
// before its end and after it, and the same error to whoever tries; it goes on at
// its own.
func TestASessionCountsAtItsDoor(t *testing.T) {
	w := newWorld(t)
	kim, _ := w.approver(t, "kim")
	cookie := w.signIn(t, "kim")
	_, _, unknown := w.Session(ctx, "css_"+strings.Repeat("a", 52), atHome)
	ran := 0
	for _, after := range []time.Duration{0, time.Hour, 8 * 24 * time.Hour} {
		w.clock.Add(after)
		for _, door := range []string{"", "http://inbox.example", "https://inbox.example:443", "https://Inbox.example", "https://inbox.example.", "https://inbox", "https://inbox.example.attacker.example", "inbox.example"} {
			ran++
			_, _, err := w.Session(ctx, cookie, door)
			var stray *identity.OtherDoorError
			if !errors.Is(err, identity.ErrUnknownCredential) || !errors.Is(err, identity.ErrOtherDoor) || !errors.As(err, &stray) || err.Error() != unknown.Error() {
				t.Fatalf("at %q, after %v: %v", door, after, err)
			}
			if stray.Session.Approver != kim.ID || stray.Session.Door != atHome || stray.Door != door {
				t.Errorf("at %q it is reported as %v of %q at %q", door, stray.Session, stray.Session.Door, stray.Door)
			}
		}
		if _, s, err := w.Session(ctx, cookie, atHome); err == nil != (after <= time.Hour) || err == nil && s.Door != atHome {
			t.Errorf("at its own door, after %v: %v of %q, %v", after, s, s.Door, err)
		}
	}
	if ran != 24 {
		t.Errorf("%d doors, want 24", ran)
	}
}

// TestNoSessionWithoutADoor: one that is stored without a door counts nowhere, and
// none is begun; the link is not used up by trying.
func TestNoSessionWithoutADoor(t *testing.T) {
	w := newWorld(t)
	kim, _ := w.approver(t, "kim")
	link, _, err := w.SignInTicket(ctx, "kim")
	if err != nil {
		t.Fatal(err)
	}
	if _, cookie, _, err := w.TakeTicket(ctx, link, ""); err == nil || cookie != "" || len(w.store.sessions) != 0 {
		t.Errorf("a session without a door: %v, %d are stored", err, len(w.store.sessions))
	}
	_, cookie, s, err := w.TakeTicket(ctx, link, atHome)
	if err != nil || s.Approver != kim.ID || s.Door != atHome {
		t.Fatalf("%v of %q, %v", s, s.Door, err)
	}
	s.Door = ""
	if err := w.store.SaveSession(ctx, s); err != nil {
		t.Fatal(err)
	}
	for _, door := range []string{"", atHome} {
		_, _, err := w.Session(ctx, cookie, door)
		wantErr(t, "a session without a door at "+door, err, identity.ErrUnknownCredential)
	}
}

func TestSignInIsForApproversInUse(t *testing.T) {
	w := newWorld(t)
	w.agent(t, "robo")
	kim, _ := w.approver(t, "kim")
	if _, err := w.RevokeApprover(ctx, "kim"); err != nil {
		t.Fatal(err)
	}
	_, _, err := w.SignInTicket(ctx, kim.ID)
	wantErr(t, "revoked", err, identity.ErrRevoked)
	for _, name := range []string{"kim", "robo", "", "nobody"} {
		_, _, err := w.SignInTicket(ctx, name)
		wantErr(t, name, err, identity.ErrNotFound)
	}
	if len(w.store.tickets) != 0 {
		t.Errorf("%d links were made", len(w.store.tickets))
	}
}

func TestTicketEnds(t *testing.T) {
	for after, want := range map[time.Duration]error{
		0:                                nil,
		10*time.Minute - time.Second:     nil,
		10 * time.Minute:                 identity.ErrExpired,
		10*time.Minute + time.Second:     identity.ErrExpired,
		365 * 24 * time.Hour:             identity.ErrExpired,
		10*time.Minute + time.Nanosecond: identity.ErrExpired,
	} {
		w := newWorld(t)
		w.approver(t, "kim")
		link, _, err := w.SignInTicket(ctx, "kim")
		if err != nil {
			t.Fatal(err)
		}
		w.clock.Add(after)
		_, cookie, _, err := w.TakeTicket(ctx, link, atHome)
		if !errors.Is(err, want) || (cookie == "") != (want != nil) {
			t.Errorf("after %v: %v, want %v", after, err, want)
		}
		_, _, _, err = w.TakeTicket(ctx, link, atHome)
		wantErr(t, "again", err, identity.ErrUnknownCredential)
	}
}

func TestSessionEnds(t *testing.T) {
	w := newWorld(t)
	w.approver(t, "kim")
	cookie := w.signIn(t, "kim")
	// Use does not prolong it.
	for range 7 {
		w.clock.Add(24*time.Hour - time.Second)
		if _, _, err := w.Session(ctx, cookie, atHome); err != nil {
			t.Fatal(err)
		}
	}
	w.clock.Add(7 * time.Second)
	_, _, err := w.Session(ctx, cookie, atHome)
	wantErr(t, "after 7 days", err, identity.ErrExpired)
	// What has expired is cleared away when somebody signs in.
	w.signIn(t, "kim")
	if len(w.store.sessions) != 1 {
		t.Errorf("%d sessions are kept, want the new one", len(w.store.sessions))
	}
}

func TestSeenAt(t *testing.T) {
	w := newWorld(t)
	w.approver(t, "kim")
	cookie := w.signIn(t, "kim")
	start := w.clock.Now().UTC().Truncate(time.Microsecond)
	for _, step := range []struct{ add, seen time.Duration }{
		{59 * time.Second, 0},
		{time.Second, time.Minute},
		{30 * time.Second, time.Minute},
		{-10 * time.Minute, time.Minute}, // a clock set back
		{time.Hour, 51*time.Minute + 30*time.Second},
	} {
		w.clock.Add(step.add)
		_, s, err := w.Session(ctx, cookie, atHome)
		if err != nil {
			t.Fatal(err)
		}
		if want := start.Add(step.seen); !s.SeenAt.Equal(want) || !w.store.sessions[s.ID].SeenAt.Equal(want) {
			t.Errorf("after %v more: seen at %v, stored %v, want %v", step.add, s.SeenAt, w.store.sessions[s.ID].SeenAt, want)
		}
	}
}

func TestRevokingAnApproverEndsEverything(t *testing.T) {
	w := newWorld(t)
	kim, token := w.approver(t, "kim")
	w.approver(t, "lee")
	cookies := []string{w.signIn(t, "kim"), w.signIn(t, "kim")}
	lees := w.signIn(t, "lee")
	link, _, err := w.SignInTicket(ctx, "kim")
	if err != nil {
		t.Fatal(err)
	}
	leesLink, _, err := w.SignInTicket(ctx, "lee")
	if err != nil {
		t.Fatal(err)
	}
	kept := w.store.sessions
	if a, err := w.RevokeApprover(ctx, "KIM"); err != nil || a.ID != kim.ID || !a.Revoked() {
		t.Fatalf("%v, %v", a, err)
	}
	_, err = w.Approver(ctx, token)
	wantErr(t, "the token", err, identity.ErrRevoked)
	for _, cookie := range cookies {
		_, _, err := w.Session(ctx, cookie, atHome)
		wantErr(t, "a session", err, identity.ErrUnknownCredential)
	}
	_, _, _, err = w.TakeTicket(ctx, link, atHome)
	wantErr(t, "a link", err, identity.ErrUnknownCredential)
	if len(kept) != 1 {
		t.Errorf("%d sessions are left, want lee's", len(kept))
	}
	if a, _, err := w.Session(ctx, lees, atHome); err != nil || a.Name != "lee" {
		t.Errorf("lee's session: %v, %v", a, err)
	}
	if a, _, _, err := w.TakeTicket(ctx, leesLink, atHome); err != nil || a.Name != "lee" {
		t.Errorf("lee's link: %v, %v", a, err)
	}
	if _, err := w.RevokeApprover(ctx, kim.ID); err != nil {
		t.Errorf("again: %v", err)
	}
	_, err = w.RevokeApprover(ctx, "kim")
	wantErr(t, "again by name", err, identity.ErrNotFound)
}

// TestLeftoversOfARevokedApprover: a session or a link that outlived the
// revocation in the store opens nothing.
func TestLeftoversOfARevokedApprover(t *testing.T) {
	w := newWorld(t)
	kim, _ := w.approver(t, "kim")
	cookie := w.signIn(t, "kim")
	link, _, err := w.SignInTicket(ctx, "kim")
	if err != nil {
		t.Fatal(err)
	}
	kim.RevokedAt = w.clock.Now()
	if err := w.store.SaveApprover(ctx, kim); err != nil {
		t.Fatal(err)
	}
	_, _, err = w.Session(ctx, cookie, atHome)
	wantErr(t, "a session", err, identity.ErrRevoked)
	_, _, _, err = w.TakeTicket(ctx, link, atHome)
	wantErr(t, "a link", err, identity.ErrRevoked)
	delete(w.store.approvers, kim.ID)
	_, _, err = w.Session(ctx, cookie, atHome)
	wantErr(t, "a session of nobody", err, identity.ErrUnknownCredential)
	if len(w.store.sessions) != 1 {
		t.Errorf("%d sessions, want the one that was there", len(w.store.sessions))
	}
}

func TestManyTakeOneLink(t *testing.T) {
	w := newWorld(t)
	w.approver(t, "kim")
	link, _, err := w.SignInTicket(ctx, "kim")
	if err != nil {
		t.Fatal(err)
	}
	var group sync.WaitGroup
	cookies := make([]string, 50)
	for i := range cookies {
		group.Go(func() {
			_, cookie, _, err := w.TakeTicket(ctx, link, atHome)
			if err != nil && !errors.Is(err, identity.ErrUnknownCredential) {
				t.Error(err)
			}
			cookies[i] = cookie
		})
	}
	group.Wait()
	got := 0
	for _, cookie := range cookies {
		if cookie != "" {
			got++
		}
	}
	if got != 1 || len(w.store.sessions) != 1 {
		t.Errorf("%d got in and %d sessions exist, want 1", got, len(w.store.sessions))
	}
}

// TestSigningOutDuringALookUp: a session that ends after it was read, and before
// its use is noted, is not written back.
func TestSigningOutDuringALookUp(t *testing.T) {
	w := newWorld(t)
	w.approver(t, "kim")
	cookie := w.signIn(t, "kim")
	w.clock.Add(time.Hour)
	w.store.after = func() {
		w.store.after = nil
		if err := w.EndSession(ctx, cookie); err != nil {
			t.Error(err)
		}
	}
	_, _, err := w.Session(ctx, cookie, atHome)
	wantErr(t, "ended", err, identity.ErrUnknownCredential)
	if len(w.store.sessions) != 0 {
		t.Errorf("%d sessions are stored, want none", len(w.store.sessions))
	}
}

// TestSigningOutAgainstUse: a session that is used while it ends stays ended.
func TestSigningOutAgainstUse(t *testing.T) {
	w := newWorld(t)
	w.approver(t, "kim")
	for range 200 {
		cookie := w.signIn(t, "kim")
		w.clock.Add(time.Minute)
		var group sync.WaitGroup
		group.Go(func() {
			if _, _, err := w.Session(ctx, cookie, atHome); err != nil && !errors.Is(err, identity.ErrUnknownCredential) {
				t.Error(err)
			}
		})
		group.Go(func() {
			if err := w.EndSession(ctx, cookie); err != nil {
				t.Error(err)
			}
		})
		group.Wait()
		_, _, err := w.Session(ctx, cookie, atHome)
		wantErr(t, "signed out", err, identity.ErrUnknownCredential)
	}
}

// TestEverythingAtOnce is for the race detector: all calls beside each other,
// and a revocation that no later look-up outlives.
func TestEverythingAtOnce(t *testing.T) {
	w := newWorld(t)
	w.approver(t, "kim")
	cookie := w.signIn(t, "kim")
	var group sync.WaitGroup
	for _, name := range []string{"r1", "r2", "r3", "r4"} {
		group.Go(func() {
			for range 20 {
				a, token, err := w.AddAgent(ctx, name, nil, "test")
				if err != nil {
					t.Error(err)
					return
				}
				if got, err := w.Agent(ctx, token); err != nil || got.ID != a.ID {
					t.Errorf("%v, %v; want %v", got, err, a)
				}
				var readers sync.WaitGroup
				readers.Go(func() { w.Agent(ctx, token) })
				if _, err := w.RevokeAgent(ctx, name); err != nil {
					t.Error(err)
				}
				_, err = w.Agent(ctx, token)
				wantErr(t, "revoked", err, identity.ErrRevoked)
				readers.Wait()
				_, err = w.Agent(ctx, token)
				wantErr(t, "revoked", err, identity.ErrRevoked)
				w.clock.Add(time.Second)
				if _, _, err := w.Session(ctx, cookie, atHome); err != nil {
					t.Error(err)
				}
			}
		})
	}
	group.Wait()
	if all, _ := w.Agents(ctx); len(all) != 80 {
		t.Errorf("%d agents were added, want 80", len(all))
	}
}

func TestCSRF(t *testing.T) {
	w := newWorld(t)
	w.approver(t, "kim")
	mine, others := w.signIn(t, "kim"), w.signIn(t, "kim")
	token := w.CSRF(mine, "answer/a1")
	if token == "" || token != w.CSRF(mine, "answer/a1") || strings.Contains(token, mine[4:]) {
		t.Fatal("the token is empty, changes, or shows the cookie")
	}
	tests := []struct {
		name, cookie, form, token string
		want                      bool
	}{
		{"its own", mine, "answer/a1", token, true},
		{"another session's", others, "answer/a1", token, false},
		{"another form's", mine, "answer/a2", token, false},
		{"no form", mine, "", token, false},
		{"no token", mine, "answer/a1", "", false},
		{"cut", mine, "answer/a1", token[:len(token)-1], false},
		{"longer", mine, "answer/a1", token + "A", false},
		{"no cookie", "", "answer/a1", w.CSRF("", "answer/a1"), false},
		{"a cookie that somebody chose", "css_x", "answer/a1", w.CSRF("css_x", "answer/a1"), false},
		{"the cookie itself", mine, "answer/a1", mine, false},
	}
	for _, tt := range tests {
		if got := w.CheckCSRF(tt.cookie, tt.form, tt.token); got != tt.want {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
}
