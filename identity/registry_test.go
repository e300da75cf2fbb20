package identity_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/countersign/countersign/identity"
)

var ctx = context.Background()

// clock is a time that a test moves.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) Add(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

// world is a registry with what it stands on.
type world struct {
	*identity.Registry
	store *memory
	clock *clock
}

func newWorld(tb testing.TB) world {
	tb.Helper()
	w := world{store: newMemory(), clock: &clock{now: time.Date(2026, 3, 1, 12, 0, 0, 123456789, time.FixedZone("east", 3600))}}
	var err error
	if w.Registry, err = identity.New(w.store, identity.Options{Now: w.clock.Now}); err != nil {
		tb.Fatal(err)
	}
	return w
}

func (w world) agent(tb testing.TB, name string, devices ...string) (identity.Agent, string) {
	tb.Helper()
	a, token, err := w.AddAgent(ctx, name, devices, "test")
	if err != nil {
		tb.Fatal(err)
	}
	return a, token
}

func (w world) approver(tb testing.TB, name string) (identity.Approver, string) {
	tb.Helper()
	a, token, err := w.AddApprover(ctx, name)
	if err != nil {
		tb.Fatal(err)
	}
	return a, token
}

func wantErr(tb testing.TB, what string, err, want error) {
	tb.Helper()
	if !errors.Is(err, want) {
		tb.Errorf("%s: %v, want %v", what, err, want)
	}
}

func TestOptions(t *testing.T) {
	tests := []struct {
		name string
		o    identity.Options
		good bool
	}{
		{"zero", identity.Options{}, true},
		{"shortest", identity.Options{SessionFor: time.Minute, TicketFor: time.Second}, true},
		{"longest", identity.Options{SessionFor: 90 * 24 * time.Hour, TicketFor: time.Hour}, true},
		{"session too short", identity.Options{SessionFor: time.Second}, false},
		{"session too long", identity.Options{SessionFor: 91 * 24 * time.Hour}, false},
		{"session negative", identity.Options{SessionFor: -1}, false},
		{"ticket too short", identity.Options{TicketFor: time.Millisecond}, false},
		{"ticket too long", identity.Options{TicketFor: 2 * time.Hour}, false},
	}
	for _, tt := range tests {
		if _, err := identity.New(newMemory(), tt.o); (err == nil) != tt.good {
			t.Errorf("%s: %v", tt.name, err)
		}
	}
	if _, err := identity.New(nil, identity.Options{}); err == nil {
		t.Error("a registry without a store was made")
	}
}

func TestAgentsCredential(t *testing.T) {
	w := newWorld(t)
	added, token := w.agent(t, "Robo-1", "emulator-5554")
	if !regexp.MustCompile(`^csa_[a-z2-7]{52}$`).MatchString(token) {
		t.Errorf("the token's form is not the one promised")
	}
	got, err := w.Agent(ctx, token)
	if err != nil || got.ID != added.ID || got.Name != "Robo-1" || got.CreatedBy != "test" {
		t.Fatalf("%v, %v; want %v", got, err, added)
	}
	if want := w.clock.Now().UTC().Truncate(time.Microsecond); !got.CreatedAt.Equal(want) || got.CreatedAt.Location() != time.UTC {
		t.Errorf("created at %v, want %v", got.CreatedAt, want)
	}
	_, other := w.agent(t, "robo-2")
	last := token[:len(token)-1] + string('a'+(token[len(token)-1]-'a'+1)%26)
	if strings.ContainsRune("234567", rune(token[len(token)-1])) {
		last = token[:len(token)-1] + "a"
	}
	for _, bad := range []string{"", "csa_", token[4:], token + "a", token[:55], last, strings.ToUpper(token), " " + token, token + "\x00", "cst_" + token[4:], "css_" + token[4:]} {
		_, err := w.Agent(ctx, bad)
		wantErr(t, "a token that is nobody's", err, identity.ErrUnknownCredential)
	}
	if a, err := w.Agent(ctx, other); err != nil || a.Name != "robo-2" {
		t.Errorf("the other's token: %v, %v", a, err)
	}
}

func TestWrongDoor(t *testing.T) {
	w := newWorld(t)
	_, agent := w.agent(t, "robo")
	_, approver := w.approver(t, "kim")
	_, err := w.Agent(ctx, approver)
	wantErr(t, "an approver at the agents' door", err, identity.ErrWrongDoor)
	_, err = w.Agent(ctx, "csp_made-up")
	wantErr(t, "a made-up approver at the agents' door", err, identity.ErrWrongDoor)
	_, err = w.Approver(ctx, agent)
	wantErr(t, "an agent at the approvers' door", err, identity.ErrWrongDoor)
	if !strings.Contains(err.Error(), "agents cannot answer") {
		t.Errorf("the error does not say that agents cannot answer: %v", err)
	}
	if a, err := w.Approver(ctx, approver); err != nil || a.Name != "kim" {
		t.Errorf("the right door: %v, %v", a, err)
	}
	// The same random part behind the other prefix is not the other's credential.
	_, err = w.Approver(ctx, "csp_"+agent[4:])
	wantErr(t, "an agent's secret with an approver's prefix", err, identity.ErrUnknownCredential)
	_, err = w.Agent(ctx, "csa_"+approver[4:])
	wantErr(t, "an approver's secret with an agent's prefix", err, identity.ErrUnknownCredential)
}

func TestRevocationIsAtOnce(t *testing.T) {
	w := newWorld(t)
	a, token := w.agent(t, "robo")
	for range 2 { // cold and warm
		if _, err := w.Agent(ctx, token); err != nil {
			t.Fatal(err)
		}
	}
	if w.store.lookups != 1 {
		t.Errorf("the store was asked %d times, want 1", w.store.lookups)
	}
	revoked, err := w.RevokeAgent(ctx, "ROBO")
	if err != nil || revoked.ID != a.ID || !revoked.Revoked() {
		t.Fatalf("%v, %v", revoked, err)
	}
	for range 2 {
		_, err = w.Agent(ctx, token)
		wantErr(t, "revoked", err, identity.ErrRevoked)
	}
	w.clock.Add(time.Hour)
	again, err := w.RevokeAgent(ctx, a.ID)
	if err != nil || !again.RevokedAt.Equal(revoked.RevokedAt) {
		t.Errorf("revoked again: %v at %v, want the first time", err, again.RevokedAt)
	}
	_, err = w.RevokeAgent(ctx, "robo")
	wantErr(t, "a name that nobody in use has", err, identity.ErrNotFound)
	_, err = w.RevokeAgent(ctx, "")
	wantErr(t, "no name", err, identity.ErrNotFound)

	// The name is free again, and the old token does not become the new agent's.
	renewed, fresh := w.agent(t, "robo")
	if got, err := w.Agent(ctx, fresh); err != nil || got.ID != renewed.ID || renewed.ID == a.ID {
		t.Errorf("the new one: %v, %v", got, err)
	}
	_, err = w.Agent(ctx, token)
	wantErr(t, "the old token", err, identity.ErrRevoked)
	if all, err := w.Agents(ctx); err != nil || len(all) != 2 {
		t.Errorf("%d agents, %v; want both", len(all), err)
	}
}

// TestRevocationDuringALookUp: what was read from the store before a revocation
// is not remembered after it.
func TestRevocationDuringALookUp(t *testing.T) {
	w := newWorld(t)
	a, token := w.agent(t, "robo")
	w.store.after = func() {
		w.store.after = nil
		if _, err := w.RevokeAgent(ctx, a.ID); err != nil {
			t.Error(err)
		}
	}
	if _, err := w.Agent(ctx, token); err != nil {
		t.Fatalf("the look-up that read before the revocation: %v", err)
	}
	_, err := w.Agent(ctx, token)
	wantErr(t, "the next one", err, identity.ErrRevoked)
}

func TestUnknownTokensAreNotRemembered(t *testing.T) {
	w := newWorld(t)
	token := "csa_" + strings.Repeat("a", 52)
	for range 3 {
		_, err := w.Agent(ctx, token)
		wantErr(t, "unknown", err, identity.ErrUnknownCredential)
	}
	if w.store.lookups != 3 {
		t.Errorf("the store was asked %d times, want 3", w.store.lookups)
	}
	_, err := w.Agent(ctx, "csa_"+strings.Repeat("A", 52))
	wantErr(t, "malformed", err, identity.ErrUnknownCredential)
	if w.store.lookups != 3 {
		t.Error("the store was asked about what cannot be a token")
	}
}

func TestNamesAreUniqueAcrossKinds(t *testing.T) {
	w := newWorld(t)
	w.agent(t, "Robo")
	w.approver(t, "Kim")
	for _, name := range []string{"robo", "ROBO", "kim", "Kim"} {
		_, _, err := w.AddAgent(ctx, name, nil, "test")
		wantErr(t, "agent "+name, err, identity.ErrNameTaken)
		_, _, err = w.AddApprover(ctx, name)
		wantErr(t, "approver "+name, err, identity.ErrNameTaken)
	}
	if _, err := w.RevokeApprover(ctx, "kim"); err != nil {
		t.Fatal(err)
	}
	w.agent(t, "kim")
}

// TestOneOfManyGetsTheName: agents and approvers alike, and however often.
func TestOneOfManyGetsTheName(t *testing.T) {
	for range 20 {
		w := newWorld(t)
		var group sync.WaitGroup
		errs := make([]error, 50)
		for i := range errs {
			group.Go(func() {
				if i%2 == 0 {
					_, _, errs[i] = w.AddAgent(ctx, "kim", nil, "test")
				} else {
					_, _, errs[i] = w.AddApprover(ctx, "KIM")
				}
			})
		}
		group.Wait()
		got := 0
		for _, err := range errs {
			if err == nil {
				got++
			} else if !errors.Is(err, identity.ErrNameTaken) {
				t.Error(err)
			}
		}
		if got != 1 {
			t.Fatalf("%d have the name, want 1", got)
		}
	}
}

func TestDevices(t *testing.T) {
	tests := []struct {
		devices []string
		good    bool
	}{
		{nil, true},
		{[]string{"emulator-5554"}, true},
		{[]string{"192.168.1.5:5555", "adb-R58N._adb-tls-connect._tcp", "R58N"}, true},
		{[]string{strings.Repeat("x", 128)}, true},
		{[]string{""}, false},
		{[]string{"a", ""}, false},
		{[]string{"a b"}, false},
		{[]string{"a\n"}, false},
		{[]string{"é"}, false},
		{[]string{"a\u202e"}, false},
		{[]string{"a", "b", "a"}, false},
		{[]string{strings.Repeat("x", 129)}, false},
		{make([]string, 257), false},
	}
	for _, tt := range tests {
		w := newWorld(t)
		a, _, err := w.AddAgent(ctx, "robo", tt.devices, "test")
		if (err == nil) != tt.good || err != nil && !errors.Is(err, identity.ErrBadDevice) {
			t.Errorf("%q: %v", tt.devices, err)
		}
		if tt.good && !slices.Equal(a.Devices, tt.devices) {
			t.Errorf("%q came out as %q", tt.devices, a.Devices)
		}
	}
}

func TestMayUse(t *testing.T) {
	now := time.Now()
	tests := []struct {
		name    string
		devices []string
		revoked time.Time
		device  string
		want    bool
	}{
		{"none and none named", nil, time.Time{}, "", true},
		{"none and one named", nil, time.Time{}, "a", false},
		{"its own", []string{"a", "b"}, time.Time{}, "b", true},
		{"another", []string{"a", "b"}, time.Time{}, "c", false},
		{"not exactly", []string{"a", "b"}, time.Time{}, "A", false},
		{"only the beginning", []string{"ab"}, time.Time{}, "a", false},
		{"unnamed though it has some", []string{"a"}, time.Time{}, "", false},
		{"unnamed and an empty one in the list", []string{""}, time.Time{}, "", false},
		{"revoked, its own", []string{"a"}, now, "a", false},
		{"revoked, none", nil, now, "", false},
	}
	for _, tt := range tests {
		if got := (identity.Agent{Devices: tt.devices, RevokedAt: tt.revoked}).MayUse(tt.device); got != tt.want {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
}

func TestNoRandomness(t *testing.T) {
	store := newMemory()
	r, err := identity.New(store, identity.Options{Random: io.LimitReader(bytes.NewReader(make([]byte, 1000)), 20)})
	if err != nil {
		t.Fatal(err)
	}
	if _, token, err := r.AddAgent(ctx, "robo", nil, "test"); err == nil || token != "" || len(store.agents) != 0 {
		t.Errorf("an agent was made of too little randomness: %v, %d stored", err, len(store.agents))
	}
	if _, token, err := r.AddApprover(ctx, "kim"); err == nil || token != "" || len(store.approvers) != 0 {
		t.Errorf("an approver was made of too little randomness: %v, %d stored", err, len(store.approvers))
	}
}

// TestStoreFails: every call hands the store's error on and opens nothing.
func TestStoreFails(t *testing.T) {
	w := newWorld(t)
	a, agent := w.agent(t, "robo")
	p, approver := w.approver(t, "kim")
	cookie := w.signIn(t, p.ID)
	link, _, err := w.SignInTicket(ctx, p.ID)
	if err != nil {
		t.Fatal(err)
	}
	broken := errors.New("disk full")
	w.store.fail = broken
	calls := map[string]func() error{
		"AddAgent":       func() error { _, _, err := w.AddAgent(ctx, "new", nil, ""); return err },
		"RevokeAgent":    func() error { _, err := w.RevokeAgent(ctx, a.ID); return err },
		"Agents":         func() error { _, err := w.Agents(ctx); return err },
		"Agent":          func() error { _, err := w.Agent(ctx, agent); return err },
		"AddApprover":    func() error { _, _, err := w.AddApprover(ctx, "new"); return err },
		"RevokeApprover": func() error { _, err := w.RevokeApprover(ctx, p.ID); return err },
		"Approvers":      func() error { _, err := w.Approvers(ctx); return err },
		"Approver":       func() error { _, err := w.Approver(ctx, approver); return err },
		"SignInTicket":   func() error { _, _, err := w.SignInTicket(ctx, p.ID); return err },
		"TakeTicket":     func() error { _, _, _, err := w.TakeTicket(ctx, link, atHome); return err },
		"Session":        func() error { _, _, err := w.Session(ctx, cookie, atHome); return err },
		"EndSession":     func() error { return w.EndSession(ctx, cookie) },
	}
	for name, call := range calls {
		wantErr(t, name, call(), broken)
	}
	if len(calls) != 12 {
		t.Errorf("%d calls tried, want 12", len(calls))
	}
}
