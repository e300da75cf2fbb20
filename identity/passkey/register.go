package passkey

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"

	"github.com/go-webauthn/webauthn/protocol"
	"github.com/go-webauthn/webauthn/webauthn"

	"github.com/countersign/countersign/identity"
)

// aboutAdding is what a ceremony that adds a passkey is about.
const aboutAdding = "add a passkey"

// Begin begins adding a passkey. It returns the options that
// navigator.credentials.create takes, as JSON, or ErrMany.
func (k *Keeper) Begin(ctx context.Context, who identity.Approver, page Page) ([]byte, error) {
	if err := k.room(ctx, who.ID); err != nil {
		return nil, err
	}
	party, person, err := k.party(ctx, who, page)
	if err != nil {
		return nil, err
	}
	options, session, err := party.BeginRegistration(person,
		webauthn.WithAuthenticatorSelection(protocol.AuthenticatorSelection{UserVerification: protocol.VerificationRequired}),
		webauthn.WithExclusions(webauthn.Credentials(person.keys).CredentialDescriptors()),
	)
	if err != nil {
		return nil, fmt.Errorf("passkey: begin adding: %w", err)
	}
	k.remember(who.ID, begun{about: aboutAdding, page: page, session: *session})
	return encode(options)
}

// Add ends it and keeps the passkey under a name. Errors wrap
// identity.ErrBadName, ErrStale, ErrBad or ErrMany, or are the store's.
func (k *Keeper) Add(ctx context.Context, who identity.Approver, page Page, name string, answer []byte) (identity.Passkey, error) {
	if err := identity.CheckName(name); err != nil {
		return identity.Passkey{}, err
	}
	parsed, err := protocol.ParseCredentialCreationResponseBytes(answer)
	if err != nil {
		return identity.Passkey{}, bad(err)
	}
	b, ok := k.recall(who.ID, parsed.Response.CollectedClientData.Challenge)
	if !ok || b.about != aboutAdding || b.page != page {
		return identity.Passkey{}, ErrStale
	}
	if err := k.room(ctx, who.ID); err != nil {
		return identity.Passkey{}, err
	}
	party, person, err := k.party(ctx, who, page)
	if err != nil {
		return identity.Passkey{}, err
	}
	credential, err := party.CreateCredential(person, b.session, parsed)
	if err != nil {
		return identity.Passkey{}, bad(err)
	}
	doc, err := json.Marshal(credential)
	if err != nil {
		return identity.Passkey{}, fmt.Errorf("passkey: write it: %w", err)
	}
	p := identity.Passkey{
		ID: base64.RawURLEncoding.EncodeToString(credential.ID), Approver: who.ID, Name: name, Host: page.Host,
		Credential: doc, CreatedAt: k.at(),
	}
	return p, k.store.SavePasskey(ctx, p)
}

// room refuses one passkey too many.
func (k *Keeper) room(ctx context.Context, approver string) error {
	all, err := k.store.PasskeysOf(ctx, approver)
	if err == nil && len(all) >= MaxPasskeys {
		err = ErrMany
	}
	return err
}

// List are an approver's passkeys, for every host.
func (k *Keeper) List(ctx context.Context, approver string) ([]identity.Passkey, error) {
	return k.store.PasskeysOf(ctx, approver)
}

// Remove forgets one of an approver's passkeys, or answers
// identity.ErrNotFound.
func (k *Keeper) Remove(ctx context.Context, approver, id string) error {
	return k.store.DeletePasskey(ctx, approver, id)
}
