package passkey_test

import (
	"bytes"
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/countersign/countersign/identity"
	"github.com/countersign/countersign/identity/passkey"
	"github.com/countersign/countersign/identity/passkeytest"
)

type page = passkey.Page

var (
	home  = page{Host: "abc.localhost", Origin: "http://abc.localhost:8788"}
	away  = page{Host: "inbox.test", Origin: "https://inbox.test:8789"}
	owner = identity.Approver{ID: "apr_owner", Name: "owner"}
	anna  = identity.Approver{ID: "apr_anna", Name: "anna"}
)

// shelf is an identity.Store of passkeys only.
type shelf struct {
	identity.Store
	mu   sync.Mutex
	keys []identity.Passkey
}

func (s *shelf) SavePasskey(_ context.Context, p identity.Passkey) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i := range s.keys {
		if s.keys[i].ID == p.ID {
			if s.keys[i].Approver != p.Approver {
				return errors.New("id taken")
			}
			s.keys[i] = p
			return nil
		}
	}
	s.keys = append(s.keys, p)
	return nil
}

func (s *shelf) PasskeysOf(_ context.Context, approver string) (all []identity.Passkey, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, p := range s.keys {
		if p.Approver == approver {
			all = append(all, p)
		}
	}
	return all, nil
}

// bench is a keeper with a clock of the test's.
type bench struct {
	*passkey.Keeper
	shelf *shelf
	now   time.Time
}

func newBench(t *testing.T) *bench {
	t.Helper()
	b := &bench{shelf: &shelf{}, now: time.Date(2026, 5, 1, 9, 0, 0, 0, time.UTC)}
	k, err := passkey.New(b.shelf, func() time.Time { return b.now })
	if err != nil {
		t.Fatal(err)
	}
	b.Keeper = k
	return b
}

// add adds a passkey and returns the device that has it.
func (b *bench) add(t *testing.T, who identity.Approver, p page) *passkeytest.Authenticator {
	t.Helper()
	device := passkeytest.New(t, p.Host, p.Origin)
	options, err := b.Begin(t.Context(), who, p)
	if err != nil {
		t.Fatal(err)
	}
	if got := device.Read(options).PublicKey.RP.ID; got != p.Host {
		t.Fatalf("the passkey is for %q, want %q", got, p.Host)
	}
	added, err := b.Add(t.Context(), who, p, "laptop", device.Create(options))
	if err != nil {
		t.Fatal(err)
	}
	if added.ID != passkeytest.Base64(device.ID) || added.Approver != who.ID || added.Host != p.Host || !added.CreatedAt.Equal(b.now) {
		t.Fatalf("added %+v", added)
	}
	return device
}

const about = "a_question\x00hmac-sha256:1\x00approve"

func TestAnswerWithAPasskey(t *testing.T) {
	b := newBench(t)
	device := b.add(t, owner, home)
	for i := range 3 {
		b.now = b.now.Add(time.Minute)
		options, err := b.Ask(t.Context(), owner, home, about)
		if err != nil {
			t.Fatal(err)
		}
		o := device.Read(options)
		if len(o.PublicKey.AllowCredentials) != 1 || o.PublicKey.AllowCredentials[0].ID != passkeytest.Base64(device.ID) || o.PublicKey.RPID != home.Host {
			t.Fatalf("the browser is asked for %s", options)
		}
		used, err := b.Check(t.Context(), owner, home, about, device.Get(options))
		if err != nil {
			t.Fatalf("answer %d: %v", i, err)
		}
		if !used.UsedAt.Equal(b.now) {
			t.Errorf("used at %v, want %v", used.UsedAt, b.now)
		}
	}
}

// What is wrong with an answer, and what is said of it. Each begins with a
// passkey of the owner's at home.
func TestAnswersThatDoNotCount(t *testing.T) {
	cases := []struct {
		name string
		want error
		do   func(t *testing.T, b *bench, device *passkeytest.Authenticator) error
	}{
		{"for another question", passkey.ErrStale, func(t *testing.T, b *bench, d *passkeytest.Authenticator) error {
			return checked(t, b, d, owner, home, about, owner, home, "a_question\x00hmac-sha256:2\x00approve")
		}},
		{"on another page", passkey.ErrStale, func(t *testing.T, b *bench, d *passkeytest.Authenticator) error {
			return checked(t, b, d, owner, home, about, owner, away, about)
		}},
		{"by another approver", passkey.ErrStale, func(t *testing.T, b *bench, d *passkeytest.Authenticator) error {
			return checked(t, b, d, owner, home, about, anna, home, about)
		}},
		{"three minutes late", passkey.ErrStale, func(t *testing.T, b *bench, d *passkeytest.Authenticator) error {
			options := asked(t, b, owner, home, about)
			b.now = b.now.Add(3 * time.Minute)
			_, err := b.Check(t.Context(), owner, home, about, d.Get(options))
			return err
		}},
		{"twice", passkey.ErrStale, func(t *testing.T, b *bench, d *passkeytest.Authenticator) error {
			answer := d.Get(asked(t, b, owner, home, about))
			if _, err := b.Check(t.Context(), owner, home, about, answer); err != nil {
				t.Fatal(err)
			}
			_, err := b.Check(t.Context(), owner, home, about, answer)
			return err
		}},
		{"the challenge of sixteen questions ago", passkey.ErrStale, func(t *testing.T, b *bench, d *passkeytest.Authenticator) error {
			first := asked(t, b, owner, home, about)
			for range 16 {
				asked(t, b, owner, home, about)
			}
			_, err := b.Check(t.Context(), owner, home, about, d.Get(first))
			return err
		}},
		{"collected on another origin", passkey.ErrBad, func(t *testing.T, b *bench, d *passkeytest.Authenticator) error {
			d.Origin = "http://evil.localhost:8788"
			return checked(t, b, d, owner, home, about, owner, home, about)
		}},
		{"for another host", passkey.ErrBad, func(t *testing.T, b *bench, d *passkeytest.Authenticator) error {
			d.Host = "evil.localhost"
			return checked(t, b, d, owner, home, about, owner, home, about)
		}},
		{"without the person", passkey.ErrBad, func(t *testing.T, b *bench, d *passkeytest.Authenticator) error {
			d.Verified = false
			return checked(t, b, d, owner, home, about, owner, home, about)
		}},
		{"of the wrong kind", passkey.ErrBad, func(t *testing.T, b *bench, d *passkeytest.Authenticator) error {
			d.Kind = "webauthn.create"
			return checked(t, b, d, owner, home, about, owner, home, about)
		}},
		{"signed by another key", passkey.ErrBad, func(t *testing.T, b *bench, d *passkeytest.Authenticator) error {
			forged := passkeytest.New(t, home.Host, home.Origin)
			forged.ID = d.ID
			return checked(t, b, forged, owner, home, about, owner, home, about)
		}},
		{"of a passkey that is nobody's", passkey.ErrBad, func(t *testing.T, b *bench, d *passkeytest.Authenticator) error {
			return checked(t, b, passkeytest.New(t, home.Host, home.Origin), owner, home, about, owner, home, about)
		}},
		{"of a copy", passkey.ErrBad, func(t *testing.T, b *bench, d *passkeytest.Authenticator) error {
			d.Counter = 9
			if err := checked(t, b, d, owner, home, about, owner, home, about); err != nil {
				t.Fatal(err)
			}
			d.Counter = 4
			return checked(t, b, d, owner, home, about, owner, home, about)
		}},
		{"no JSON", passkey.ErrBad, func(t *testing.T, b *bench, d *passkeytest.Authenticator) error {
			_, err := b.Check(t.Context(), owner, home, about, []byte("{"))
			return err
		}},
		{"the answer to adding one", passkey.ErrBad, func(t *testing.T, b *bench, d *passkeytest.Authenticator) error {
			options, err := b.Begin(t.Context(), owner, home)
			if err != nil {
				t.Fatal(err)
			}
			_, err = b.Check(t.Context(), owner, home, about, d.Create(options))
			return err
		}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			b := newBench(t)
			if err := c.do(t, b, b.add(t, owner, home)); !errors.Is(err, c.want) {
				t.Errorf("%v, want %v", err, c.want)
			}
		})
	}
	if len(cases) != 15 {
		t.Errorf("%d cases", len(cases))
	}
}

func asked(t *testing.T, b *bench, who identity.Approver, p page, about string) []byte {
	t.Helper()
	options, err := b.Ask(t.Context(), who, p, about)
	if err != nil {
		t.Fatal(err)
	}
	return options
}

// checked asks one and checks the answer as another's, or for another thing.
func checked(t *testing.T, b *bench, d *passkeytest.Authenticator, who identity.Approver, p page, about string, by identity.Approver, at page, for_ string) error {
	t.Helper()
	_, err := b.Check(t.Context(), by, at, for_, d.Get(asked(t, b, who, p, about)))
	return err
}

func TestNobodyIsAskedForAPasskeyHeDoesNotHave(t *testing.T) {
	b := newBench(t)
	b.add(t, owner, home)
	for _, c := range []struct {
		who  identity.Approver
		page page
		want bool
	}{{owner, home, true}, {owner, away, false}, {anna, home, false}} {
		any, err := b.Any(t.Context(), c.who.ID, c.page.Host)
		if err != nil || any != c.want {
			t.Errorf("%s has one for %s: %v, %v", c.who.Name, c.page.Host, any, err)
		}
		if _, err := b.Ask(t.Context(), c.who, c.page, about); (err == nil) != c.want || err != nil && !errors.Is(err, passkey.ErrNone) {
			t.Errorf("%s is asked on %s: %v", c.who.Name, c.page.Host, err)
		}
	}
}

func TestAddingThatDoesNotCount(t *testing.T) {
	cases := []struct {
		name string
		want error
		do   func(t *testing.T, b *bench) error
	}{
		{"a name that is none", identity.ErrBadName, func(t *testing.T, b *bench) error { return added(t, b, "", nil) }},
		{"a name that is a mechanism's", identity.ErrBadName, func(t *testing.T, b *bench) error { return added(t, b, "grant", nil) }},
		{"on another origin", passkey.ErrBad, func(t *testing.T, b *bench) error {
			return added(t, b, "key", func(d *passkeytest.Authenticator) { d.Origin = "https://evil.test" })
		}},
		{"for another host", passkey.ErrBad, func(t *testing.T, b *bench) error {
			return added(t, b, "key", func(d *passkeytest.Authenticator) { d.Host = "evil.test" })
		}},
		{"without the person", passkey.ErrBad, func(t *testing.T, b *bench) error {
			return added(t, b, "key", func(d *passkeytest.Authenticator) { d.Verified = false })
		}},
		{"too late", passkey.ErrStale, func(t *testing.T, b *bench) error {
			return added(t, b, "key", func(*passkeytest.Authenticator) { b.now = b.now.Add(4 * time.Minute) })
		}},
		{"one too many", passkey.ErrMany, func(t *testing.T, b *bench) error {
			for range passkey.MaxPasskeys {
				b.add(t, owner, home)
			}
			_, err := b.Begin(t.Context(), owner, away)
			return err
		}},
		{"no JSON", passkey.ErrBad, func(t *testing.T, b *bench) error {
			_, err := b.Add(t.Context(), owner, home, "key", bytes.Repeat([]byte("["), 1000))
			return err
		}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			b := newBench(t)
			if err := c.do(t, b); !errors.Is(err, c.want) {
				t.Errorf("%v, want %v", err, c.want)
			}
			if c.want != passkey.ErrMany && len(b.shelf.keys) != 0 {
				t.Errorf("%d passkeys are kept", len(b.shelf.keys))
			}
		})
	}
	if len(cases) != 8 {
		t.Errorf("%d cases", len(cases))
	}
}

func added(t *testing.T, b *bench, name string, change func(*passkeytest.Authenticator)) error {
	t.Helper()
	device := passkeytest.New(t, home.Host, home.Origin)
	options, err := b.Begin(t.Context(), owner, home)
	if err != nil {
		t.Fatal(err)
	}
	if change != nil {
		change(device)
	}
	_, err = b.Add(t.Context(), owner, home, name, device.Create(options))
	return err
}

// A device that has one already is not asked to make another.
func TestKnownDevicesAreExcluded(t *testing.T) {
	b := newBench(t)
	device := b.add(t, owner, home)
	options, err := b.Begin(t.Context(), owner, home)
	if err != nil {
		t.Fatal(err)
	}
	if list := device.Read(options).PublicKey.ExcludeCredentials; len(list) != 1 || list[0].ID != passkeytest.Base64(device.ID) {
		t.Errorf("excluded are %+v", list)
	}
}
