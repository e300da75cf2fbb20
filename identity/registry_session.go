package identity

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// seenEvery is how far SeenAt may lag behind: writing it down at each request
// would cost a write each.
const seenEvery = time.Minute

// SignInTicket makes the secret of a link that signs the approver in, once and
// until expires. The approver may be named by id or name. Errors wrap
// ErrNotFound or ErrRevoked, or are the store's.
func (r *Registry) SignInTicket(ctx context.Context, approverID string) (secret string, expires time.Time, err error) {
	r.change.Lock()
	defer r.change.Unlock()
	a, err := r.findApprover(ctx, approverID)
	if err != nil {
		return "", time.Time{}, fmt.Errorf("make a sign-in link: %w", err)
	}
	if a.Revoked() {
		return "", time.Time{}, fmt.Errorf("make a sign-in link: %w", revokedApprover(a))
	}
	now := r.now()
	if err := r.store.DeleteExpired(ctx, now); err != nil {
		return "", time.Time{}, fmt.Errorf("clear away old sign-in links: %w", err)
	}
	if secret, err = newSecret(r.o.Random, ticketSecret); err != nil {
		return "", time.Time{}, err
	}
	t := Ticket{ID: hashOf(secret), Approver: a.ID, CreatedAt: now, ExpiresAt: now.Add(r.o.TicketFor)}
	if err := r.store.SaveTicket(ctx, t); err != nil {
		return "", time.Time{}, fmt.Errorf("make a sign-in link: %w", err)
	}
	return secret, t.ExpiresAt, nil
}

// TakeTicket uses a sign-in link up and begins a session, which counts at this
// door only: a name of the caller's, never empty. cookie is the secret for
// SessionCookie. Of several who take the same link one gets in. The link is
// used up even when the session cannot be stored. Errors wrap
// ErrUnknownCredential, ErrExpired or ErrRevoked, or are the store's.
//
// A handler calls it for a POST only: programs that preview links send GETs.
func (r *Registry) TakeTicket(ctx context.Context, secret, door string) (Approver, string, Session, error) {
	if door == "" {
		return Approver{}, "", Session{}, errors.New("sign in: a session needs a door to count at")
	}
	a, cookie, s, err := r.takeTicket(ctx, secret, door)
	if err != nil {
		return Approver{}, "", Session{}, fmt.Errorf("sign in: %w", err)
	}
	return a, cookie, s, nil
}

func (r *Registry) takeTicket(ctx context.Context, secret, door string) (a Approver, cookie string, s Session, err error) {
	used := fmt.Errorf("%w: this sign-in link was used or never existed; make a new one", ErrUnknownCredential)
	if !wellFormed(secret, ticketSecret) {
		return a, "", s, used
	}
	r.change.Lock()
	defer r.change.Unlock()
	t, err := r.store.TakeTicket(ctx, hashOf(secret))
	if errors.Is(err, ErrNotFound) {
		return a, "", s, used
	}
	if err != nil {
		return a, "", s, err
	}
	now := r.now()
	if !now.Before(t.ExpiresAt) {
		return a, "", s, fmt.Errorf("%w: this sign-in link worked until %s; make a new one", ErrExpired, t.ExpiresAt.Format(time.RFC3339))
	}
	if a, err = r.approverInUse(ctx, t.Approver); err != nil {
		return a, "", s, err
	}
	if cookie, err = newSecret(r.o.Random, cookieSecret); err != nil {
		return a, "", s, err
	}
	s = Session{ID: hashOf(cookie), Approver: a.ID, Door: door, CreatedAt: now, SeenAt: now, ExpiresAt: now.Add(r.o.SessionFor), How: ByLink}
	return a, cookie, s, r.store.SaveSession(ctx, s)
}

// Session says who is signed in with this cookie at this door. Errors wrap
// ErrUnknownCredential, ErrExpired or ErrRevoked, or are the store's; one of a
// session that was begun at another door is an *OtherDoorError.
func (r *Registry) Session(ctx context.Context, cookie, door string) (Approver, Session, error) {
	a, s, err := r.session(ctx, cookie, door)
	if err != nil {
		return Approver{}, Session{}, err
	}
	if now := r.now(); now.Sub(s.SeenAt) >= seenEvery {
		if err := r.saw(ctx, s.ID, now); err != nil {
			return Approver{}, Session{}, err
		}
		s.SeenAt = now
	}
	return a, s, nil
}

func (r *Registry) session(ctx context.Context, cookie, door string) (a Approver, s Session, err error) {
	if !wellFormed(cookie, cookieSecret) {
		return a, s, signedOut()
	}
	s, err = r.store.SessionByID(ctx, hashOf(cookie))
	if errors.Is(err, ErrNotFound) {
		return a, s, signedOut()
	}
	if err != nil {
		return a, s, fmt.Errorf("look up session: %w", err)
	}
	if s.Door == "" || s.Door != door {
		return a, s, &OtherDoorError{Session: s, Door: door}
	}
	if !r.now().Before(s.ExpiresAt) {
		return a, s, fmt.Errorf("%w: this session ended at %s; make a new sign-in link", ErrExpired, s.ExpiresAt.Format(time.RFC3339))
	}
	a, err = r.approverInUse(ctx, s.Approver)
	return a, s, err
}

// saw notes that a session was used. It reads the session again under the lock,
// so that one which ends at this moment is not brought back.
func (r *Registry) saw(ctx context.Context, id string, now time.Time) error {
	r.change.Lock()
	defer r.change.Unlock()
	s, err := r.store.SessionByID(ctx, id)
	if errors.Is(err, ErrNotFound) {
		return signedOut()
	}
	if err == nil && now.After(s.SeenAt) {
		s.SeenAt = now
		err = r.store.SaveSession(ctx, s)
	}
	if err != nil {
		return fmt.Errorf("note that a session is in use: %w", err)
	}
	return nil
}

// EndSession signs out. A cookie that is no session's is no error.
func (r *Registry) EndSession(ctx context.Context, cookie string) error {
	if !wellFormed(cookie, cookieSecret) {
		return nil
	}
	r.change.Lock()
	defer r.change.Unlock()
	if err := r.store.DeleteSession(ctx, hashOf(cookie)); err != nil {
		return fmt.Errorf("sign out: %w", err)
	}
	return nil
}

// approverInUse finds whom a link or session belongs to, as long as he may answer.
func (r *Registry) approverInUse(ctx context.Context, id string) (Approver, error) {
	a, err := r.findApprover(ctx, id)
	if errors.Is(err, ErrNotFound) {
		return Approver{}, fmt.Errorf("%w: it belongs to an approver who does not exist", ErrUnknownCredential)
	}
	if err != nil {
		return Approver{}, fmt.Errorf("look up approver: %w", err)
	}
	if a.Revoked() {
		return Approver{}, revokedApprover(a)
	}
	return a, nil
}

func signedOut() error {
	return fmt.Errorf("%w: nobody is signed in with this cookie; make a new sign-in link", ErrUnknownCredential)
}
