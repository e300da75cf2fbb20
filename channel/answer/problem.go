package answer

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"

	"github.com/countersign/countersign/approval"
	"github.com/countersign/countersign/decide"
	"github.com/countersign/countersign/hold"
	"github.com/countersign/countersign/identity"
)

// Problem is an error as an approver's program gets it: problem details
// (RFC 9457).
type Problem struct {
	Type   string `json:"type"`
	Title  string `json:"title"`
	Status int    `json:"status"`
	// Detail says what was wrong and what to do next.
	Detail string `json:"detail"`
	// Code is a stable word for programs, such as "already_decided".
	Code string `json:"code"`
	// State is that of the question that is in the way, empty where none is.
	State string `json:"state,omitempty"`

	allow     string // the methods that are accepted, of a 405
	challenge bool   // whether to ask for a token, of a 401
}

// Error is the status, code and detail.
func (p *Problem) Error() string { return fmt.Sprintf("%d %s: %s", p.Status, p.Code, p.Detail) }

// maxDetail is the length of the longest detail in runes.
const maxDetail = 1000

func problem(status int, code, format string, args ...any) *Problem {
	return &Problem{
		Type: "urn:countersign:problem:" + code, Title: http.StatusText(status), Status: status, Code: code,
		Detail: decide.Quote(fmt.Sprintf(format, args...), maxDetail),
	}
}

func (p *Problem) headers(w http.ResponseWriter) {
	if p.allow != "" {
		w.Header().Set("Allow", p.allow)
	}
	if p.challenge {
		w.Header().Set("WWW-Authenticate", `Bearer realm="countersign"`)
	}
}

func (p *Problem) write(w http.ResponseWriter) {
	p.headers(w)
	doc, err := json.Marshal(p)
	if err != nil {
		doc = []byte(`{"type":"about:blank","title":"Internal Server Error","status":500,"detail":"","code":"internal"}`)
	}
	writeDoc(w, p.Status, "application/problem+json", doc)
}

// writeJSON writes one JSON document as the whole answer.
func writeJSON(w http.ResponseWriter, status int, body any) error {
	doc, err := json.Marshal(body)
	if err != nil {
		return fmt.Errorf("answer: write the answer: %w", err)
	}
	writeDoc(w, status, "application/json", doc)
	return nil
}

func writeDoc(w http.ResponseWriter, status int, contentType string, doc []byte) {
	w.Header().Set("Content-Type", contentType)
	w.Header().Set("Content-Length", strconv.Itoa(len(doc)))
	w.WriteHeader(status)
	w.Write(doc) // whoever is gone gets no answer
}

// problemOf is what an error means to whoever asked. ok is false for one that
// tells them nothing and belongs in the log.
func problemOf(err error) (p *Problem, ok bool) {
	var known *Problem
	var conflict *approval.Conflict
	switch {
	case errors.As(err, &known):
		return known, true
	case grantProblem(err) != nil:
		return grantProblem(err), true
	case errors.As(err, &conflict):
		return conflictOf(conflict), true
	case errors.Is(err, hold.ErrDigest):
		return problem(http.StatusConflict, "digest_mismatch", "%v", hold.ErrDigest), true
	case errors.Is(err, hold.ErrNote):
		return problem(http.StatusBadRequest, "note_too_long", "%v", hold.ErrNote), true
	case errors.Is(err, hold.ErrUnavailable), errors.Is(err, hold.ErrClosed):
		return problem(http.StatusServiceUnavailable, "unavailable", "the record cannot be written or read at the moment, so nothing was done; look at the guard's log"), false
	case errors.Is(err, hold.ErrNotFound):
		return problem(http.StatusNotFound, "not_found", "there is no question of this id"), true
	case errors.Is(err, identity.ErrNotFound):
		return problem(http.StatusNotFound, "not_found", "%v", err), true
	case errors.Is(err, identity.ErrBadName):
		return problem(http.StatusBadRequest, "bad_name", "%v", err), true
	case errors.Is(err, identity.ErrBadDevice):
		return problem(http.StatusBadRequest, "bad_device", "%v", err), true
	case errors.Is(err, identity.ErrNameTaken):
		return problem(http.StatusConflict, "name_taken", "%v", err), true
	case errors.Is(err, identity.ErrRevoked):
		return problem(http.StatusConflict, "revoked", "%v", err), true
	}
	return problem(http.StatusInternalServerError, "internal", "the guard failed on this request; look at its log"), false
}

// conflictOf tells apart an answer that came after somebody else's, one that
// came after the question's time, and one to a question that was taken away.
func conflictOf(c *approval.Conflict) *Problem {
	code := "already_decided"
	switch c.State {
	case approval.Pending, approval.None:
		code = "not_answered"
	case approval.Expired:
		code = "expired"
	case approval.Cancelled, approval.NoChannel:
		code = "withdrawn"
	case approval.Revoked:
		code = "revoked"
	}
	p := problem(http.StatusConflict, code, "%v", c)
	p.State = c.State.String()
	return p
}
