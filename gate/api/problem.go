package api

import (
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"strconv"
	"time"

	"github.com/countersign/countersign/decide"
	"github.com/countersign/countersign/redact"
)

// Problem is an error as the agent gets it: problem details (RFC 9457).
type Problem struct {
	// Type is "about:blank" where the status says all, else a stable URN.
	Type   string `json:"type"`
	Title  string `json:"title"`
	Status int    `json:"status"`
	// Detail says what was wrong and what to do next.
	Detail string `json:"detail"`
	// Code is a stable word for programs, such as "key_reused".
	Code string `json:"code"`
	// Approval is the question that is in the way, where there is one.
	Approval *Question `json:"approval,omitempty"`

	retryAfter time.Duration
	allow      string // the methods that are accepted, of a 405
	challenge  string // the WWW-Authenticate header, of a 401
}

// Error is the status, code and detail.
func (p *Problem) Error() string { return fmt.Sprintf("%d %s: %s", p.Status, p.Code, p.Detail) }

// maxDetail is the length of the longest detail in runes.
const maxDetail = 600

// problem makes a Problem. The detail may hold words of the request: they are
// made harmless and secrets are taken out when it is written.
func problem(status int, code, format string, args ...any) *Problem {
	return &Problem{
		Type: "urn:countersign:problem:" + code, Title: http.StatusText(status),
		Status: status, Code: code, Detail: fmt.Sprintf(format, args...),
	}
}

// plain makes a Problem that the status explains.
func plain(status int, code, format string, args ...any) *Problem {
	p := problem(status, code, format, args...)
	p.Type = "about:blank"
	return p
}

// after sets how long to wait before the next attempt.
func (p *Problem) after(d time.Duration) *Problem {
	p.retryAfter = d
	return p
}

// clean is the detail as it may leave the process.
func (p *Problem) clean() string { return decide.Quote(redact.Text(p.Detail), maxDetail) }

func (p *Problem) write(w http.ResponseWriter) {
	out := *p
	out.Detail = p.clean()
	h := w.Header()
	if p.retryAfter > 0 {
		h.Set("Retry-After", seconds(p.retryAfter))
	}
	if p.allow != "" {
		h.Set("Allow", p.allow)
	}
	if p.challenge != "" {
		h.Set("WWW-Authenticate", p.challenge)
	}
	doc, err := json.Marshal(&out)
	if err != nil {
		doc = []byte(`{"type":"about:blank","title":"Internal Server Error","status":500,"detail":"","code":"internal"}`)
	}
	writeDoc(w, p.Status, "application/problem+json", doc)
}

// seconds is a duration for Retry-After: whole seconds, rounded up, at least 1.
func seconds(d time.Duration) string {
	return strconv.Itoa(max(1, int(math.Ceil(d.Seconds()))))
}

// writeDoc writes one JSON document as the whole answer.
func writeDoc(w http.ResponseWriter, status int, contentType string, doc []byte) {
	h := w.Header()
	h["Content-Type"] = []string{contentType}
	h["Cache-Control"] = noStore
	h["X-Content-Type-Options"] = noSniff
	h["Content-Length"] = []string{strconv.Itoa(len(doc))}
	w.WriteHeader(status)
	w.Write(doc) // an agent that is gone gets no answer
}

var noStore, noSniff = []string{"no-store"}, []string{"nosniff"}
