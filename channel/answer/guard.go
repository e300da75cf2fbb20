package answer

import (
	"context"
	"errors"
	"net/http"
	"unicode/utf8"

	"github.com/countersign/countersign/approval"
	"github.com/countersign/countersign/channel/notice"
	"github.com/countersign/countersign/decide"
	"github.com/countersign/countersign/hold"
	"github.com/countersign/countersign/ledger"
)

// standing is how the guard stands.
type standing struct {
	Level    string       `json:"level"`
	LevelWhy string       `json:"level_why"`
	Version  string       `json:"version"`
	Frozen   bool         `json:"frozen"`
	Freeze   *hold.Freeze `json:"freeze,omitempty"`
	Observe  bool         `json:"observe"`
	Approver string       `json:"approver"`
	// Open counts the questions that wait for an answer.
	Open   int    `json:"open"`
	Policy string `json:"policy"`
	// Record is empty while the record can be written and read, else why not.
	Record string `json:"record"`
	// Inbox is where the pages are, empty for nowhere; Remote the same for other
	// devices.
	Inbox  string `json:"inbox,omitempty"`
	Remote string `json:"remote,omitempty"`
	// ADBServer and ADBDevice are where the ADB gate is an adb server and where a
	// guarded phone, each empty for not at all.
	ADBServer string `json:"adb_server,omitempty"`
	ADBDevice string `json:"adb_device,omitempty"`
	// Channels are how the channels stand that tell people of questions.
	Channels []notice.State `json:"channels"`
	// NeedsChannel says that the policy counts nobody as there without one.
	NeedsChannel bool `json:"needs_channel"`
	// CSRF is what a session's changes carry in the header Countersign-CSRF;
	// there is none with a token.
	CSRF string `json:"csrf,omitempty"`
}

func (h *handler) status(c *call) error {
	s := standing{
		Level: h.o.Level, LevelWhy: h.o.LevelWhy, Version: h.o.Version, Observe: h.o.Observe,
		Approver: c.Name, Policy: h.o.Policy(), CSRF: h.registry.CSRF(c.cookie, formAPI),
		Inbox: h.o.InboxURL, Remote: h.o.RemoteURL, Channels: h.channels(),
		NeedsChannel: h.o.NeedsChannel != nil && h.o.NeedsChannel(),
	}
	if h.o.ADB != nil {
		s.ADBServer, s.ADBDevice = h.o.ADB()
	}
	if h.o.Health != nil {
		if err := h.o.Health(c.r.Context()); err != nil {
			s.Record = decide.Quote(err.Error(), maxDetail)
		}
	}
	freeze, err := h.desk.Frozen(c.r.Context())
	if err != nil {
		return err
	}
	if freeze.Frozen {
		s.Frozen, s.Freeze = true, &freeze
	}
	open, err := h.all(c.r.Context(), []approval.State{approval.Pending})
	if err != nil {
		return err
	}
	s.Open = len(open)
	return writeJSON(c.w, http.StatusOK, s)
}

func (h *handler) freeze(c *call) error { return h.stopOrGo(c, h.desk.Freeze) }

func (h *handler) unfreeze(c *call) error { return h.stopOrGo(c, h.desk.Unfreeze) }

func (h *handler) stopOrGo(c *call, do func(ctx context.Context, by, note string) error) error {
	var s struct {
		Note string `json:"note"`
	}
	if err := c.body(&s); err != nil {
		return err
	}
	if err := checkNote(s.Note); err != nil {
		return err
	}
	if err := do(c.r.Context(), c.Name, s.Note); err != nil {
		return err
	}
	freeze, err := h.desk.Frozen(c.r.Context())
	if err != nil {
		return err
	}
	return writeJSON(c.w, http.StatusOK, freeze)
}

func checkNote(note string) error {
	if utf8.RuneCountInString(note) > hold.MaxNote || !utf8.ValidString(note) {
		return hold.ErrNote
	}
	return nil
}

// reload reads the policy again, and records that whether it worked or not.
func (h *handler) reload(c *call) error {
	if err := c.body(&struct{}{}); err != nil {
		return err
	}
	if h.o.Reload == nil {
		return problem(http.StatusNotImplemented, "no_reload", "this guard has no policy file to read again; start it anew")
	}
	name, failed := h.o.Reload(c.r.Context())
	row := ledger.Change{By: c.Name, What: "policy", Detail: "read again: " + name}
	if failed != nil {
		row.Detail = "could not be read again, the old policy stays: " + failed.Error()
	}
	recorded := h.desk.Record(c.r.Context(), ledger.Entry{Kind: ledger.KindPolicy, Body: row})
	switch {
	case failed != nil:
		if recorded != nil {
			h.o.Log.Error("a policy that could not be read was not recorded", "error", recorded.Error())
		}
		return problem(http.StatusUnprocessableEntity, "policy_rejected", "the old policy stays: %v", failed)
	case recorded != nil:
		h.o.Log.Error("a new policy is in force and was not recorded", "policy", name, "error", recorded.Error())
		return problem(http.StatusServiceUnavailable, "not_recorded", "policy %s is in force, but that could not be recorded; look at the guard's log", name)
	}
	return writeJSON(c.w, http.StatusOK, map[string]string{"policy": name})
}

// recordCredential writes a row about a change of who may ask or answer.
func (h *handler) recordCredential(c *call, what, detail string) error {
	err := h.desk.Record(c.r.Context(), ledger.Entry{
		Kind: ledger.KindCredential, Body: ledger.Change{By: c.Name, What: what, Detail: detail},
	})
	if err != nil {
		return errors.Join(hold.ErrUnavailable, err)
	}
	return nil
}
