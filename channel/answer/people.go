package answer

import (
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/countersign/countersign/identity"
)

// agent is a program that may ask, without its secret.
type agent struct {
	ID        string    `json:"id"`
	Name      string    `json:"name"`
	Devices   []string  `json:"devices"`
	Gate      bool      `json:"gate,omitempty"`
	CreatedAt time.Time `json:"created_at,omitzero"`
	CreatedBy string    `json:"created_by,omitempty"`
	RevokedAt time.Time `json:"revoked_at,omitzero"`
}

func agentOf(a identity.Agent) agent {
	return agent{a.ID, a.Name, append([]string{}, a.Devices...), a.Gate, a.CreatedAt, a.CreatedBy, a.RevokedAt}
}

// person is an approver without the secret.
type person struct {
	ID        string    `json:"id"`
	Name      string    `json:"name"`
	CreatedAt time.Time `json:"created_at,omitzero"`
	RevokedAt time.Time `json:"revoked_at,omitzero"`
}

func personOf(a identity.Approver) person { return person{a.ID, a.Name, a.CreatedAt, a.RevokedAt} }

func (h *handler) agents(c *call) error {
	all, err := h.registry.Agents(c.r.Context())
	if err != nil {
		return err
	}
	list := make([]agent, len(all))
	for i := range all {
		list[i] = agentOf(all[i])
	}
	return writeJSON(c.w, http.StatusOK, map[string]any{"agents": list})
}

// addAgent adds an agent. One that could not be recorded is withdrawn again.
func (h *handler) addAgent(c *call) error {
	var s struct {
		Name    string   `json:"name"`
		Devices []string `json:"devices"`
		Gate    bool     `json:"gate"`
	}
	if err := c.body(&s); err != nil {
		return err
	}
	add, what := h.registry.AddAgent, "added "
	if s.Gate {
		add, what = h.registry.AddGate, "added as a gate "
	}
	a, token, err := add(c.r.Context(), s.Name, s.Devices, c.Name)
	if err != nil {
		return err
	}
	detail := what + a.ID + ", devices: " + strings.Join(a.Devices, ", ")
	if err := h.recordCredential(c, "agent "+a.Name, detail); err != nil {
		if _, again := h.registry.RevokeAgent(c.r.Context(), a.ID); again != nil {
			h.o.Log.Error("an agent was added, not recorded, and could not be withdrawn", "agent", a.ID, "error", again.Error())
		}
		return err
	}
	return writeJSON(c.w, http.StatusCreated, map[string]any{"agent": agentOf(a), "token": token})
}

func (h *handler) revokeAgent(c *call) error {
	a, err := h.registry.RevokeAgent(c.r.Context(), c.r.PathValue("name"))
	if err != nil {
		return err
	}
	if err := h.recordCredential(c, "agent "+a.Name, "revoked "+a.ID); err != nil {
		return h.notRecorded(a.String(), err)
	}
	return writeJSON(c.w, http.StatusOK, map[string]any{"agent": agentOf(a)})
}

func (h *handler) approvers(c *call) error {
	all, err := h.registry.Approvers(c.r.Context())
	if err != nil {
		return err
	}
	list := make([]person, len(all))
	for i := range all {
		list[i] = personOf(all[i])
	}
	return writeJSON(c.w, http.StatusOK, map[string]any{"approvers": list})
}

// addApprover adds a person. One who could not be recorded is withdrawn again.
func (h *handler) addApprover(c *call) error {
	var s struct {
		Name string `json:"name"`
	}
	if err := c.body(&s); err != nil {
		return err
	}
	a, token, err := h.registry.AddApprover(c.r.Context(), s.Name)
	if err != nil {
		return err
	}
	if err := h.recordCredential(c, "approver "+a.Name, "added "+a.ID); err != nil {
		if _, again := h.registry.RevokeApprover(c.r.Context(), a.ID); again != nil {
			h.o.Log.Error("an approver was added, not recorded, and could not be withdrawn", "approver", a.ID, "error", again.Error())
		}
		return err
	}
	return writeJSON(c.w, http.StatusCreated, map[string]any{"approver": personOf(a), "token": token})
}

// revokeApprover withdraws a person's credential, but not that of the last one,
// after whom nobody could answer or add anybody.
func (h *handler) revokeApprover(c *call) error {
	name := c.r.PathValue("name")
	all, err := h.registry.Approvers(c.r.Context())
	if err != nil {
		return err
	}
	others := 0
	for i := range all {
		if !all[i].Revoked() && all[i].ID != name && !strings.EqualFold(all[i].Name, name) {
			others++
		}
	}
	if others == 0 {
		return problem(http.StatusConflict, "last_approver", "this is the only approver, and without one nobody could answer; add another first")
	}
	a, err := h.registry.RevokeApprover(c.r.Context(), name)
	if err != nil {
		return err
	}
	if err := h.recordCredential(c, "approver "+a.Name, "revoked "+a.ID); err != nil {
		return h.notRecorded(a.String(), err)
	}
	return writeJSON(c.w, http.StatusOK, map[string]any{"approver": personOf(a)})
}

// notRecorded says that somebody was revoked and the record does not know it. A
// revocation is not undone for that.
func (h *handler) notRecorded(who string, err error) error {
	h.o.Log.Error("a revocation could not be recorded", "who", who, "error", err.Error())
	return problem(http.StatusServiceUnavailable, "not_recorded", "%s is revoked, but that could not be recorded; look at the guard's log", who)
}

// link is the answer to a request for a sign-in link.
type link struct {
	Ticket    string    `json:"ticket"`
	ExpiresAt time.Time `json:"expires_at"`
	// URL is where a browser opens it, empty where there is no inbox.
	URL string `json:"url"`
	// RemoteURL is where a browser of another device opens it, empty where there
	// is no inbox for those.
	RemoteURL string `json:"remote_url,omitempty"`
	// RemoteFingerprint is the SHA-256 of its certificate, where no authority
	// vouches for it.
	RemoteFingerprint string `json:"remote_fingerprint,omitempty"`
}

// signInLink makes a link that signs a browser in. Only the owner's own terminal
// may print one, so it is made on the unix socket alone. Who made a link for
// whom is recorded before it is handed out.
func (h *handler) signInLink(c *call) error {
	if !h.o.Socket {
		return problem(http.StatusForbidden, "socket_only", "sign-in links are made on the guard's unix socket only; run countersign sign-in in your own terminal")
	}
	var s struct {
		Approver string `json:"approver"`
	}
	if err := c.body(&s); err != nil {
		return err
	}
	if s.Approver == "" {
		s.Approver = c.ID
	}
	ticket, expires, err := h.registry.SignInTicket(c.r.Context(), s.Approver)
	if err != nil {
		return err
	}
	what := "sign-in link of " + c.Name
	if s.Approver != c.ID {
		what = "sign-in link of approver " + s.Approver
	}
	if err := h.recordCredential(c, what, fmt.Sprintf("made, works until %s", expires.Format(time.RFC3339))); err != nil {
		return err
	}
	l := link{Ticket: ticket, ExpiresAt: expires}
	if h.o.InboxURL != "" {
		l.URL = h.o.InboxURL + "/sign-in?ticket=" + ticket
	}
	if h.o.RemoteURL != "" {
		l.RemoteURL, l.RemoteFingerprint = h.o.RemoteURL+"/sign-in?ticket="+ticket, h.o.RemoteFingerprint
	}
	return writeJSON(c.w, http.StatusOK, l)
}
