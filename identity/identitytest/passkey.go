package identitytest

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/countersign/countersign/identity"
)

func aPasskey(id, approver string) identity.Passkey {
	return identity.Passkey{ID: id, Approver: approver, Name: "laptop", Host: "inbox.test", Credential: []byte(`{"id":"x"}`), CreatedAt: noon}
}

func samePasskey(a, b identity.Passkey) bool {
	return a.ID == b.ID && a.Approver == b.Approver && a.Name == b.Name && a.Host == b.Host &&
		bytes.Equal(a.Credential, b.Credential) && sameTime(a.CreatedAt, b.CreatedAt) && sameTime(a.UsedAt, b.UsedAt)
}

// expectPasskeys holds that an approver has those, in this order.
func expectPasskeys(t *testing.T, s identity.Store, approver string, want ...identity.Passkey) {
	t.Helper()
	got, err := s.PasskeysOf(context.Background(), approver)
	if err != nil || !slices.EqualFunc(got, want, samePasskey) {
		t.Errorf("passkeys of %s: %+v, %v; want %+v", approver, got, err, want)
	}
}

func passkeysComeBack(t *testing.T, s identity.Store) {
	ctx := context.Background()
	expectPasskeys(t, s, "apr_1")
	later, first := aPasskey("a", "apr_1"), aPasskey("b", "apr_1")
	later.CreatedAt = noon.Add(time.Microsecond)
	odd := identity.Passkey{ID: hostile, Approver: hostile, Name: hostile, Host: hostile, Credential: []byte("\x00\xff'"), CreatedAt: noon, UsedAt: noon.Add(time.Microsecond)}
	for _, p := range []identity.Passkey{later, first, odd, aPasskey("c", "apr_2")} {
		must(t, s.SavePasskey(ctx, p))
	}
	expectPasskeys(t, s, "apr_1", first, later)
	expectPasskeys(t, s, hostile, odd)

	first.UsedAt, first.Credential = noon.Add(time.Hour), []byte(`{"counter":2}`)
	must(t, s.SavePasskey(ctx, first))
	expectPasskeys(t, s, "apr_1", first, later)
}

// A passkey is its owner's: nobody else's changes it or takes it away.
func passkeysAreTheirOwners(t *testing.T, s identity.Store) {
	ctx := context.Background()
	mine := aPasskey("a", "apr_1")
	must(t, s.SavePasskey(ctx, mine))
	if err := s.SavePasskey(ctx, aPasskey("a", "apr_2")); err == nil {
		t.Error("another approver has taken the passkey over")
	}
	if err := s.DeletePasskey(ctx, "apr_2", "a"); !errors.Is(err, identity.ErrNotFound) {
		t.Errorf("another approver removes it: %v", err)
	}
	expectPasskeys(t, s, "apr_1", mine)
	expectPasskeys(t, s, "apr_2")
	must(t, s.DeletePasskey(ctx, "apr_1", "a"))
	if err := s.DeletePasskey(ctx, "apr_1", "a"); !errors.Is(err, identity.ErrNotFound) {
		t.Errorf("removed twice: %v", err)
	}
	expectPasskeys(t, s, "apr_1")
}
