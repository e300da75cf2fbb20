package passkey

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/go-webauthn/webauthn/protocol"
	"github.com/go-webauthn/webauthn/webauthn"

	"github.com/countersign/countersign/identity"
)

// The errors of a Keeper, beside those of the store.
var (
	// ErrNone says that the approver has no passkey for this host.
	ErrNone = errors.New("there is no passkey for this page yet; add one on it first")
	// ErrStale says that a ceremony was never begun, is over, or was about
	// something else.
	ErrStale = errors.New("this passkey answer is too late, or for something else; try again")
	// ErrBad says that the authenticator's answer does not hold.
	ErrBad = errors.New("the passkey's answer does not hold")
	// ErrMany says that an approver has as many passkeys as are kept.
	ErrMany = fmt.Errorf("at most %d passkeys are kept for one person; remove one first", MaxPasskeys)
)

// MaxPasskeys is how many one approver may have.
const MaxPasskeys = 20

// A ceremony is good for goodFor; an approver has at most maxBegun of them open,
// of which the oldest gives way.
const (
	goodFor  = 3 * time.Minute
	maxBegun = 16
)

// Page is where a ceremony takes place.
type Page struct {
	// Host is the host name without a port, Origin the whole origin of the page.
	Host, Origin string
}

// Keeper begins and ends ceremonies. It is safe for concurrent use.
type Keeper struct {
	store identity.Store
	now   func() time.Time

	mu    sync.Mutex
	begun map[string][]begun // by the approver's id, the oldest first
}

// begun is a ceremony that has not ended.
type begun struct {
	about   string
	page    Page
	until   time.Time
	session webauthn.SessionData
}

// New makes a Keeper. A nil clock is time.Now.
func New(store identity.Store, now func() time.Time) (*Keeper, error) {
	if store == nil {
		return nil, errors.New("passkey: a keeper needs a store")
	}
	if now == nil {
		now = time.Now
	}
	return &Keeper{store: store, now: now, begun: map[string][]begun{}}, nil
}

// Any reports whether an approver has a passkey for a host.
func (k *Keeper) Any(ctx context.Context, approver, host string) (bool, error) {
	_, keys, err := k.of(ctx, approver, host)
	return len(keys) > 0, err
}

// Ask begins an answer with a passkey. about says what it is for. It returns the
// options that navigator.credentials.get takes, as JSON, or ErrNone.
func (k *Keeper) Ask(ctx context.Context, who identity.Approver, page Page, about string) ([]byte, error) {
	party, person, err := k.party(ctx, who, page)
	if err != nil {
		return nil, err
	}
	if len(person.keys) == 0 {
		return nil, ErrNone
	}
	options, session, err := party.BeginLogin(person, webauthn.WithUserVerification(protocol.VerificationRequired))
	if err != nil {
		return nil, fmt.Errorf("passkey: begin an answer: %w", err)
	}
	k.remember(who.ID, begun{about: about, page: page, session: *session})
	return encode(options)
}

// Check ends an answer: it holds what the browser brought against the ceremony
// that was begun for the same approver, page and purpose, which is then over.
// Errors wrap ErrStale or ErrBad, or are the store's.
func (k *Keeper) Check(ctx context.Context, who identity.Approver, page Page, about string, answer []byte) (identity.Passkey, error) {
	parsed, err := protocol.ParseCredentialRequestResponseBytes(answer)
	if err != nil {
		return identity.Passkey{}, bad(err)
	}
	b, ok := k.recall(who.ID, parsed.Response.CollectedClientData.Challenge)
	if !ok || b.about != about || b.page != page {
		return identity.Passkey{}, ErrStale
	}
	party, person, err := k.party(ctx, who, page)
	if err != nil {
		return identity.Passkey{}, err
	}
	credential, err := party.ValidateLogin(person, b.session, parsed)
	if err != nil {
		return identity.Passkey{}, bad(err)
	}
	if credential.Authenticator.CloneWarning {
		return identity.Passkey{}, bad(errors.New("its counter went back, so there may be a copy of it; remove it and add it anew"))
	}
	return k.used(ctx, person, credential)
}

// used keeps the counter that a passkey has come to.
func (k *Keeper) used(ctx context.Context, p *person, c *webauthn.Credential) (identity.Passkey, error) {
	id := base64.RawURLEncoding.EncodeToString(c.ID)
	for _, key := range p.stored {
		if key.ID != id {
			continue
		}
		doc, err := json.Marshal(c)
		if err != nil {
			return key, fmt.Errorf("passkey: write it: %w", err)
		}
		key.Credential, key.UsedAt = doc, k.at()
		return key, k.store.SavePasskey(ctx, key)
	}
	return identity.Passkey{}, bad(errors.New("it is none of this person's"))
}

// party is the page as the protocol sees it, with the person.
func (k *Keeper) party(ctx context.Context, who identity.Approver, page Page) (*webauthn.WebAuthn, *person, error) {
	party, err := webauthn.New(&webauthn.Config{
		RPID: page.Host, RPDisplayName: "Countersign", RPOrigins: []string{page.Origin},
		AttestationPreference: protocol.PreferNoAttestation,
	})
	if err != nil {
		return nil, nil, fmt.Errorf("passkey: %s cannot have passkeys: %w", page.Host, err)
	}
	stored, keys, err := k.of(ctx, who.ID, page.Host)
	if err != nil {
		return nil, nil, err
	}
	return party, &person{who: who, stored: stored, keys: keys}, nil
}

// of are the passkeys of an approver for a host.
func (k *Keeper) of(ctx context.Context, approver, host string) (stored []identity.Passkey, keys []webauthn.Credential, err error) {
	all, err := k.store.PasskeysOf(ctx, approver)
	if err != nil {
		return nil, nil, err
	}
	for _, p := range all {
		if p.Host != host {
			continue
		}
		var c webauthn.Credential
		if err := json.Unmarshal(p.Credential, &c); err != nil {
			return nil, nil, fmt.Errorf("passkey: %s is damaged in the store: %w", p, err)
		}
		stored, keys = append(stored, p), append(keys, c)
	}
	return stored, keys, nil
}

// remember keeps a ceremony until it ends.
func (k *Keeper) remember(approver string, b begun) {
	k.mu.Lock()
	defer k.mu.Unlock()
	now := k.now()
	b.until = now.Add(goodFor)
	list := k.begun[approver][:0:0]
	for _, old := range k.begun[approver] {
		if now.Before(old.until) {
			list = append(list, old)
		}
	}
	if len(list) >= maxBegun {
		list = list[1:]
	}
	k.begun[approver] = append(list, b)
}

// recall takes the ceremony with a challenge out, so that it is answered once.
func (k *Keeper) recall(approver, challenge string) (begun, bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	list := k.begun[approver]
	for i, b := range list {
		if b.session.Challenge != challenge {
			continue
		}
		k.begun[approver] = append(list[:i:i], list[i+1:]...)
		return b, k.now().Before(b.until)
	}
	return begun{}, false
}

// at is the time as the store keeps it.
func (k *Keeper) at() time.Time { return k.now().UTC().Truncate(time.Microsecond) }

// person is an approver as the protocol sees one.
type person struct {
	who    identity.Approver
	stored []identity.Passkey
	keys   []webauthn.Credential
}

// WebAuthnID is the user handle: it names the approver and tells nothing of him.
func (p *person) WebAuthnID() []byte {
	sum := sha256.Sum256([]byte("countersign approver\x00" + p.who.ID))
	return sum[:]
}

// WebAuthnName is what the browser calls the person.
func (p *person) WebAuthnName() string { return p.who.Name }

// WebAuthnDisplayName is the same.
func (p *person) WebAuthnDisplayName() string { return p.who.Name }

// WebAuthnCredentials are the person's passkeys for the page.
func (p *person) WebAuthnCredentials() []webauthn.Credential { return p.keys }

// bad wraps what the protocol says. Its details name what was wrong without
// repeating the answer.
func bad(err error) error {
	var p *protocol.Error
	if errors.As(err, &p) && p.DevInfo != "" {
		return fmt.Errorf("%w: %s (%s)", ErrBad, p.Details, p.DevInfo)
	}
	return fmt.Errorf("%w: %w", ErrBad, err)
}

func encode(options any) ([]byte, error) {
	doc, err := json.Marshal(options)
	if err != nil {
		return nil, fmt.Errorf("passkey: write the options: %w", err)
	}
	return doc, nil
}
