package answer

import (
	"context"
	"encoding/json"
	"errors"
	"net"
	"net/http"
	"time"

	"github.com/countersign/countersign/channel/inbox"
	"github.com/countersign/countersign/identity"
	"github.com/countersign/countersign/identity/passkey"
)

// freshSession is how long after signing in a passkey may be added. A session
// that somebody found open later must not be made into a key of theirs.
const freshSession = 10 * time.Minute

// pageOf is the page that a request comes from, as passkeys are bound to it.
func (h *handler) pageOf(r *http.Request) passkey.Page {
	host, _, err := net.SplitHostPort(r.Host)
	if err != nil {
		host = r.Host // no port: that of the scheme
	}
	return passkey.Page{Host: host, Origin: h.origin(r)}
}

// aboutApproving is what an answer with a passkey is for: one question, as it was
// shown.
func aboutApproving(id, digest string) string { return id + "\x00" + digest + "\x00approve" }

// inPerson takes the passkey that came with a yes, and wants one where the owner
// does. It returns the way the answer came.
func (h *handler) inPerson(ctx context.Context, who caller, id string, s *said) (how string, err error) {
	if len(s.Passkey) > 0 {
		if err := h.takesPasskeys(who); err != nil {
			return "", err
		}
		if _, err := h.o.Passkeys.Check(ctx, who.Approver, who.page, aboutApproving(id, s.Digest), s.Passkey); err != nil {
			return "", passkeyProblem(err)
		}
		return howPasskey, nil
	}
	if !h.o.PasskeyCritical {
		return who.how, nil
	}
	a, err := h.desk.View(ctx, id)
	if err != nil {
		return "", err
	}
	if a.Card.Critical {
		return "", problem(http.StatusForbidden, "passkey_required", "a critical question is approved with a passkey here; open it on the web page")
	}
	return who.how, nil
}

// takesPasskeys says why a caller cannot use a passkey.
func (h *handler) takesPasskeys(who caller) error {
	switch {
	case h.o.Passkeys == nil:
		return problem(http.StatusNotFound, "no_passkeys", "this door takes no passkeys")
	case who.cookie == "":
		return problem(http.StatusForbidden, "session_only", "passkeys are used on the web page, not with a token")
	}
	return nil
}

// passkeyProblem is why a passkey does not count. An error of the store stays one.
func passkeyProblem(err error) error {
	for _, p := range []struct {
		is     error
		status int
		code   string
	}{
		{passkey.ErrNone, http.StatusConflict, "passkey_none"},
		{passkey.ErrStale, http.StatusConflict, "passkey_stale"},
		{passkey.ErrBad, http.StatusForbidden, "passkey_bad"},
		{passkey.ErrMany, http.StatusConflict, "passkey_many"},
		{identity.ErrBadName, http.StatusBadRequest, "bad_name"},
		{identity.ErrNotFound, http.StatusNotFound, "not_found"},
	} {
		if errors.Is(err, p.is) {
			return problem(p.status, p.code, "%v", err)
		}
	}
	return err
}

// askPasskey begins an answer with a passkey.
func (h *handler) askPasskey(c *call) error {
	var s struct {
		Digest string `json:"digest"`
	}
	if err := c.body(&s); err != nil {
		return err
	}
	if err := h.takesPasskeys(c.caller); err != nil {
		return err
	}
	a, err := h.desk.View(c.r.Context(), c.r.PathValue("id"))
	if err != nil {
		return err
	}
	options, err := h.o.Passkeys.Ask(c.r.Context(), c.Approver, c.page, aboutApproving(a.ID, s.Digest))
	if err != nil {
		return passkeyProblem(err)
	}
	return writeJSON(c.w, http.StatusOK, json.RawMessage(options))
}

// mayAdd says why a caller cannot add a passkey now.
func (h *handler) mayAdd(c *call) error {
	if err := h.takesPasskeys(c.caller); err != nil {
		return err
	}
	if h.desk.Now().Sub(c.since) > freshSession {
		return problem(http.StatusForbidden, "session_old", "a passkey is added within ten minutes of signing in; sign in again with: countersign sign-in")
	}
	return nil
}

// beginPasskey begins adding one.
func (h *handler) beginPasskey(c *call) error {
	if err := c.body(&struct{}{}); err != nil {
		return err
	}
	if err := h.mayAdd(c); err != nil {
		return err
	}
	options, err := h.o.Passkeys.Begin(c.r.Context(), c.Approver, c.page)
	if err != nil {
		return passkeyProblem(err)
	}
	return writeJSON(c.w, http.StatusOK, json.RawMessage(options))
}

// addPasskey ends it. One that could not be recorded is forgotten again.
func (h *handler) addPasskey(c *call) error {
	var s struct {
		Name   string          `json:"name"`
		Answer json.RawMessage `json:"answer"`
	}
	if err := c.body(&s); err != nil {
		return err
	}
	if err := h.mayAdd(c); err != nil {
		return err
	}
	p, err := h.o.Passkeys.Add(c.r.Context(), c.Approver, c.page, s.Name, s.Answer)
	if err != nil {
		return passkeyProblem(err)
	}
	if err := h.recordCredential(c, "passkey of approver "+c.Name, "added "+p.Name+" for "+p.Host); err != nil {
		if again := h.o.Passkeys.Remove(c.r.Context(), c.ID, p.ID); again != nil {
			h.o.Log.Error("a passkey was added, not recorded, and could not be removed", "approver", c.ID, "error", again.Error())
		}
		return err
	}
	return writeJSON(c.w, http.StatusCreated, map[string]string{"name": p.Name})
}

// passkeysPage shows the passkeys of whoever is signed in.
func (h *handler) passkeysPage(c *call) error {
	if err := h.takesPasskeys(c.caller); err != nil {
		return err
	}
	f, err := h.frame(c)
	if err != nil {
		return err
	}
	all, err := h.o.Passkeys.List(c.r.Context(), c.ID)
	if err != nil {
		return err
	}
	page, err := inbox.Passkeys(f, all, inbox.PasskeysHere{Host: c.page.Host, Fresh: h.mayAdd(c) == nil, Required: h.o.PasskeyCritical})
	h.send(c.w, http.StatusOK, page, err)
	return nil
}

// removePasskeyPage forgets one. Whatever asks for a passkey goes on asking.
func (h *handler) removePasskeyPage(c *call) error {
	id := c.r.PathValue("id")
	if err := h.formOf(c, inbox.FormPasskey(id)); err != nil {
		return err
	}
	if err := h.takesPasskeys(c.caller); err != nil {
		return err
	}
	if err := h.o.Passkeys.Remove(c.r.Context(), c.ID, id); err != nil {
		return passkeyProblem(err)
	}
	if err := h.recordCredential(c, "passkey of approver "+c.Name, "removed"); err != nil {
		return h.notRecorded("the passkey", err)
	}
	http.Redirect(c.w, c.r, "/passkeys", http.StatusSeeOther)
	return nil
}
