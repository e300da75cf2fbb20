package answer

import (
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net/http"
	"strings"
	"time"

	"github.com/countersign/countersign/channel/inbox"
	"github.com/countersign/countersign/identity"
	"github.com/countersign/countersign/identity/passkey"
)

// caller is who a request comes from.
type caller struct {
	identity.Approver
	// how is the way an answer of theirs comes, for the record.
	how string
	// cookie is the secret of the session, empty with a token; door is where it
	// counts, since when it began, page where it is.
	cookie, door string
	since        time.Time
	page         passkey.Page
}

// The ways an answer comes.
const (
	howWeb      = "web"
	howTerminal = "terminal"
	howProgram  = "api"
	howPasskey  = "passkey"
)

// formAPI names the CSRF token of changes that come to the JSON API with a
// cookie.
const formAPI = inbox.FormAPI

// caller says who is at the door. Where there is a token the cookie does not
// count, so a wrong token is never saved by a right cookie.
func (h *handler) caller(r *http.Request) (caller, error) {
	if values := r.Header.Values("Authorization"); len(values) > 0 {
		return h.byToken(r, values)
	}
	if h.o.Socket {
		return caller{}, unauthorized("no_credential", "send an approver's credential: Authorization: Bearer csp_...")
	}
	cookie := identity.ReadCookie(r, h.tls(r))
	if cookie == "" {
		return caller{}, unauthorized("no_credential", "nobody is signed in; run countersign sign-in in your own terminal, or send an approver's credential: Authorization: Bearer csp_...")
	}
	a, session, err := h.registry.Session(r.Context(), cookie, h.doorOf(r))
	if err != nil {
		h.noteOtherDoor(r, err)
		return caller{}, credentialProblem(err)
	}
	return caller{Approver: a, how: howWeb, cookie: cookie, door: session.Door, since: session.CreatedAt, page: h.pageOf(r)}, nil
}

func (h *handler) byToken(r *http.Request, values []string) (caller, error) {
	scheme, token, _ := strings.Cut(values[0], " ")
	if len(values) > 1 || !strings.EqualFold(scheme, "Bearer") {
		return caller{}, unauthorized("bad_credential", "one Authorization header with the scheme Bearer is accepted")
	}
	a, err := h.registry.Approver(r.Context(), strings.TrimSpace(token))
	if err != nil {
		return caller{}, credentialProblem(err)
	}
	how := howProgram
	switch said := r.Header.Values("Countersign-How"); {
	case len(said) == 0:
	case len(said) == 1 && (said[0] == howTerminal || said[0] == howProgram):
		how = said[0]
	default:
		return caller{}, problem(http.StatusBadRequest, "bad_how", "the header Countersign-How is %s or %s, once", howTerminal, howProgram)
	}
	return caller{Approver: a, how: how}, nil
}

func unauthorized(code, detail string) *Problem {
	p := problem(http.StatusUnauthorized, code, "%s", detail)
	p.challenge = true
	return p
}

// credentialProblem is why a credential does not open this door. An error of the
// store stays one.
func credentialProblem(err error) error {
	switch {
	case errors.Is(err, identity.ErrWrongDoor):
		return problem(http.StatusForbidden, "agents_cannot_answer", "agents cannot answer; this door takes an approver's credential, which an agent must not have")
	case errors.Is(err, identity.ErrRevoked):
		return unauthorized("credential_revoked", err.Error())
	case errors.Is(err, identity.ErrExpired):
		return unauthorized("session_expired", err.Error())
	case errors.Is(err, identity.ErrUnknownCredential):
		return unauthorized("credential_unknown", err.Error())
	}
	return err
}

// call is one request to the JSON API by somebody who may make it.
type call struct {
	caller
	w http.ResponseWriter
	r *http.Request
}

// methods are what a path of the JSON API does, by method. An error that is
// returned becomes the answer.
type methods map[string]func(*call) error

// api serves a path of the JSON API.
func (h *handler) api(path string, m methods) {
	h.mux.HandleFunc(path, func(w http.ResponseWriter, r *http.Request) {
		if err := h.serveAPI(w, r, m); err != nil {
			h.fail(w, r, err)
		}
	})
}

func (h *handler) serveAPI(w http.ResponseWriter, r *http.Request, m methods) error {
	method := methodOf(r)
	serve, ok := m[method]
	switch {
	case m == nil:
		return problem(http.StatusNotFound, "not_found", "there is nothing at this address")
	case !ok:
		return wrongMethod(allowed(m))
	}
	who, err := h.caller(r)
	if err != nil {
		return err
	}
	if method != http.MethodGet {
		if kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type")); kind != "application/json" {
			return problem(http.StatusUnsupportedMediaType, "content_type", "the body must be JSON, and the Content-Type header must say application/json")
		}
		if who.cookie != "" && !h.registry.CheckCSRF(who.cookie, formAPI, r.Header.Get("Countersign-CSRF")) {
			return wrongForm()
		}
	}
	return serve(&call{who, w, r})
}

func wrongMethod(allow string) *Problem {
	p := problem(http.StatusMethodNotAllowed, "method", "this address takes %s; reading never has an effect here", allow)
	p.allow = allow
	return p
}

// wrongForm refuses a change without the token of a page that we drew.
func wrongForm() *Problem {
	return problem(http.StatusForbidden, "csrf", "this was not sent by a page of this session, or the page is from an earlier one; load the page again and answer there")
}

// fail answers with an error, and logs what the answer does not tell.
func (h *handler) fail(w http.ResponseWriter, r *http.Request, err error) {
	p, told := problemOf(err)
	if !told && r.Context().Err() == nil {
		h.o.Log.Error("a request of an approver failed", "method", r.Method, "path", r.URL.Path, "error", err.Error())
	}
	h.refuse(w, r, p)
}

// maxBody is the size of the largest body, in bytes.
const maxBody = 64 << 10

// body reads the JSON object that came with a call, strictly.
func (c *call) body(into any) error {
	dec := json.NewDecoder(c.r.Body)
	dec.DisallowUnknownFields()
	err := dec.Decode(into)
	if err == nil {
		if _, extra := dec.Token(); extra != io.EOF {
			err = errors.New("something follows the JSON object")
		}
	}
	var large *http.MaxBytesError
	switch {
	case errors.As(err, &large):
		return problem(http.StatusRequestEntityTooLarge, "too_large", "the body has more than %d bytes", large.Limit)
	case errors.Is(err, io.EOF):
		return problem(http.StatusBadRequest, "bad_body", "the body is empty; send a JSON object, {} where nothing is to be said")
	case err != nil:
		return problem(http.StatusBadRequest, "bad_body", "the body cannot be read: %v", err)
	}
	return nil
}
