package answer

import (
	"context"
	"encoding/json"
	"errors"
	"mime"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/countersign/countersign/approval"
	"github.com/countersign/countersign/channel/inbox"
	"github.com/countersign/countersign/hold"
	"github.com/countersign/countersign/identity"
	"github.com/countersign/countersign/ledger"
)

// pages are what a path of the web page does, by method.
type pages map[string]func(*call) error

// page serves a path of the web page, to somebody who is signed in.
func (h *handler) page(path string, m pages) {
	h.mux.HandleFunc(path, func(w http.ResponseWriter, r *http.Request) {
		serve, ok := m[methodOf(r)]
		if !ok {
			h.fail(w, r, wrongMethod(allowed(m)))
			return
		}
		who, err := h.caller(r)
		if err == nil && who.cookie == "" {
			err = unauthorized("no_session", "the pages take a session, not a token; run countersign sign-in")
		}
		if err != nil {
			h.failPage(w, r, err)
			return
		}
		c := &call{who, w, r}
		if methodOf(r) != http.MethodGet {
			err = readForm(r)
		}
		if err == nil {
			err = serve(c)
		}
		if err != nil {
			h.failInside(c, err)
		}
	})
}

// readForm wants an ordinary form.
func readForm(r *http.Request) error {
	if kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type")); kind != "application/x-www-form-urlencoded" {
		return problem(http.StatusUnsupportedMediaType, "content_type", "the pages take ordinary forms")
	}
	if err := r.ParseForm(); err != nil {
		return problem(http.StatusBadRequest, "bad_body", "the form cannot be read")
	}
	return nil
}

// failPage is fail, but shows who is not signed in how to do it.
func (h *handler) failPage(w http.ResponseWriter, r *http.Request, err error) {
	p, _ := problemOf(err)
	if p.Status != http.StatusUnauthorized {
		h.fail(w, r, err)
		return
	}
	s := inbox.Sign{}
	if methodOf(r) == http.MethodGet {
		s.Again = (&url.URL{Path: r.URL.Path}).EscapedPath()
	}
	if p.Code != "no_credential" {
		s.Problem = p.Detail
	}
	p.headers(w)
	page, err := inbox.SignIn(s)
	h.send(w, p.Status, page, err)
}

// failInside tells somebody who is signed in what went wrong, on a page that has
// the button to stop everything like all others.
func (h *handler) failInside(c *call, err error) {
	p, told := problemOf(err)
	f, failed := h.frame(c)
	if failed != nil || p.Status == http.StatusUnauthorized {
		h.failPage(c.w, c.r, err)
		return
	}
	if !told && c.r.Context().Err() == nil {
		h.o.Log.Error("a page of an approver failed", "method", c.r.Method, "path", c.r.URL.Path, "error", err.Error())
	}
	p.headers(c.w)
	page, err := inbox.Problem(f, p.Title, p.Detail)
	h.send(c.w, p.Status, page, err)
}

// send writes a page.
func (h *handler) send(w http.ResponseWriter, status int, page []byte, err error) {
	if err != nil {
		h.o.Log.Error("a page could not be drawn", "error", err.Error())
		http.Error(w, "the page could not be drawn; look at the guard's log", http.StatusInternalServerError)
		return
	}
	writeDoc(w, status, "text/html; charset=utf-8", page)
}

// frame is what stands around a page.
func (h *handler) frame(c *call) (inbox.Frame, error) {
	s, err := h.sight(c.r.Context())
	if err != nil {
		return inbox.Frame{}, err
	}
	freeze, err := h.desk.Frozen(c.r.Context())
	return inbox.Frame{
		Approver: c.Name, Level: h.o.Level, LevelWhy: h.o.LevelWhy, Version: h.o.Version, Policy: h.o.Policy(),
		Freeze: freeze, Observe: h.o.Observe, Now: h.desk.Now(),
		Waiting: s.drawn.Waiting, Newest: s.drawn.Newest, Seen: s.drawn.Version,
		CSRF: func(form string) string { return h.registry.CSRF(c.cookie, form) },
	}, err
}

// listPage shows the questions; the part of it that changes, for the script.
func (h *handler) listPage(c *call) error {
	query := c.r.URL.Query()
	whole := query.Get("show") == "all"
	if query.Get("part") == "list" {
		b, err := h.drawn(c.r.Context(), whole)
		if err != nil {
			return err
		}
		page, err := b.Part()
		h.send(c.w, http.StatusOK, page, err)
		return nil
	}
	f, err := h.frame(c)
	if err != nil {
		return err
	}
	b, err := h.drawn(c.r.Context(), whole)
	if err != nil {
		return err
	}
	page, err := inbox.List(f, b)
	h.send(c.w, http.StatusOK, page, err)
	return nil
}

// cardPage shows one question; where it stands alone, for the script.
func (h *handler) cardPage(c *call) error {
	if c.r.URL.Query().Get("part") != "state" {
		return h.card(c, http.StatusOK, "")
	}
	a, err := h.desk.View(c.r.Context(), c.r.PathValue("id"))
	if err != nil {
		return err
	}
	page, err := inbox.State(inbox.Frame{Now: h.desk.Now()}, a)
	h.send(c.w, http.StatusOK, page, err)
	return nil
}

func (h *handler) card(c *call, status int, notice string) error {
	f, err := h.frame(c)
	if err != nil {
		return err
	}
	a, err := h.desk.View(c.r.Context(), c.r.PathValue("id"))
	if err != nil {
		return err
	}
	q := inbox.Question{Approval: a, Notice: notice, Type: h.o.whatToType(&a.Card), Passkey: h.o.PasskeyCritical && a.Card.Critical}
	if a.State.Open() {
		q.Picture = h.desk.Picture(a.ID, inbox.Alt(&a), false)
	}
	if g, ok := h.desk.Offer(a); ok {
		q.Offer = &g
	}
	if q.Last, err = h.lastLike(c.r.Context(), &a); err != nil {
		return err
	}
	q.Compared = a.State == approval.Pending && a.Similar != ""
	if q.Label, err = h.labelOf(c.r.Context(), a.ID); err != nil {
		return err
	}
	page, err := inbox.Card(f, q)
	h.send(c.w, status, page, err)
	return nil
}

// comparedFor is how long back the last question of a kind is looked for.
const comparedFor = 90 * 24 * time.Hour

// lastLike is the question of the same kind that was settled last, for one that
// waits; nil for none.
func (h *handler) lastLike(ctx context.Context, a *approval.Approval) (*approval.Approval, error) {
	if a.State != approval.Pending || a.Similar == "" {
		return nil, nil
	}
	last, err := h.desk.Views(ctx, hold.Query{
		States: settledStates, Agent: a.Agent, Similar: a.Similar, Since: h.desk.Now().Add(-comparedFor), Limit: 1,
	})
	if err != nil || len(last) == 0 {
		return nil, err
	}
	return &last[0], nil
}

// answerPage takes the answer of a card's forms. What went wrong is said on the
// card itself, since what to do about it is to read it again.
func (h *handler) answerPage(c *call) error {
	id := c.r.PathValue("id")
	if err := h.formOf(c, inbox.FormAnswer(id)); err != nil {
		return err
	}
	err := h.answerForm(c, id)
	if err == nil {
		http.Redirect(c.w, c.r, "/approvals/"+url.PathEscape(id), http.StatusSeeOther)
		return nil
	}
	p, told := problemOf(err)
	if !told || p.Status == http.StatusNotFound {
		return err
	}
	return h.card(c, p.Status, "Your answer was not taken: "+p.Detail+".")
}

func (h *handler) answerForm(c *call, id string) error {
	form, ctx := c.r.PostForm, c.r.Context()
	s := said{Digest: form.Get("digest"), Note: strings.TrimSpace(form.Get("note"))}
	switch form.Get("answer") {
	case "approve", "grant":
		a, err := h.desk.View(ctx, id)
		if err != nil {
			return err
		}
		if err := h.deliberate(&a.Card, form); err != nil {
			return err
		}
		if form.Get("answer") == "grant" {
			if s.Grant, err = termsOf(form); err != nil {
				return err
			}
		}
		if given := form.Get("passkey"); given != "" {
			s.Passkey = json.RawMessage(given)
		}
		_, err = h.give(ctx, c.caller, id, s, true)
		return err
	case "deny":
		_, err := h.give(ctx, c.caller, id, s, false)
		return err
	case "revoke":
		_, err := h.takeBack(ctx, c.caller, id, s)
		return err
	}
	return problem(http.StatusBadRequest, "bad_answer", "the answer is neither approve, grant, deny nor revoke")
}

// deliberate wants the act that approving takes besides pressing the button: the
// amount or the app typed where the amount is above the limit, else, for what is
// critical, the word or a button that was held, which sends it.
func (h *handler) deliberate(card *approval.Card, form url.Values) error {
	switch {
	case h.o.toType(card):
		return h.o.checkTyped(card, form.Get("typed"))
	case card.Critical && !strings.EqualFold(strings.TrimSpace(form.Get("sure")), "yes"):
		return problem(http.StatusBadRequest, "not_sure", "a critical question is approved by holding the button, or by typing “yes” beside it")
	}
	return nil
}

// formOf checks that a form is one that this session was given.
func (h *handler) formOf(c *call, form string) error {
	if len(c.r.PostForm["csrf"]) != 1 || !h.registry.CheckCSRF(c.cookie, form, c.r.PostForm.Get("csrf")) {
		return wrongForm()
	}
	return nil
}

func (h *handler) freezePage(c *call) error {
	return h.stopOrGoPage(c, inbox.FormFreeze, h.desk.Freeze)
}

func (h *handler) unfreezePage(c *call) error {
	return h.stopOrGoPage(c, inbox.FormUnfreeze, h.desk.Unfreeze)
}

func (h *handler) stopOrGoPage(c *call, form string, do func(ctx context.Context, by, note string) error) error {
	if err := h.formOf(c, form); err != nil {
		return err
	}
	note := strings.TrimSpace(c.r.PostForm.Get("note"))
	if err := checkNote(note); err != nil {
		return err
	}
	if err := do(c.r.Context(), c.Name, note); err != nil {
		return err
	}
	http.Redirect(c.w, c.r, "/", http.StatusSeeOther)
	return nil
}

func (h *handler) signOutPage(c *call) error {
	if err := h.formOf(c, inbox.FormSignOut); err != nil {
		return err
	}
	if err := h.registry.EndSession(c.r.Context(), c.cookie); err != nil {
		return err
	}
	h.streams.end(c.cookie)
	http.SetCookie(c.w, identity.NoCookie(h.tls(c.r)))
	http.Redirect(c.w, c.r, "/", http.StatusSeeOther)
	return nil
}

// signIn shows the button of a sign-in link, and takes the link when the button
// is pressed. Showing it uses nothing up: programs that preview links read them.
func (h *handler) signIn(w http.ResponseWriter, r *http.Request) {
	var err error
	switch methodOf(r) {
	case http.MethodGet:
		page, drawn := inbox.SignIn(inbox.Sign{Ticket: r.URL.Query().Get("ticket")})
		h.send(w, http.StatusOK, page, drawn)
	case http.MethodPost:
		err = h.takeLink(w, r)
	default:
		err = wrongMethod("GET, POST")
	}
	if err != nil {
		h.failPage(w, r, err)
	}
}

func (h *handler) takeLink(w http.ResponseWriter, r *http.Request) error {
	if r.Header.Get("Origin") == "" {
		// Without a cookie the door lets this pass, but a browser always sends it.
		return problem(http.StatusForbidden, identity.ErrOriginMissing.Code, "the button of a sign-in link is pressed in a browser, which says where it comes from")
	}
	if err := readForm(r); err != nil {
		return err
	}
	a, cookie, session, err := h.registry.TakeTicket(r.Context(), r.PostForm.Get("ticket"), h.doorOf(r))
	if err != nil {
		return credentialProblem(err)
	}
	err = h.desk.Record(r.Context(), ledger.Entry{Kind: ledger.KindCredential, Body: ledger.Change{
		By: a.Name, What: "session of approver " + a.Name, Detail: "began by " + session.How,
	}})
	if err != nil {
		return errors.Join(err, h.registry.EndSession(r.Context(), cookie))
	}
	http.SetCookie(w, identity.SessionCookie(cookie, session.ExpiresAt, h.tls(r)))
	http.Redirect(w, r, "/", http.StatusSeeOther)
	return nil
}
