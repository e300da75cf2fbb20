package client

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"syscall"
)

// ErrNotRunning says that nobody listens on the socket.
var ErrNotRunning = errors.New("no guard is running; start it with countersign up")

// ErrNotYours says that the socket belongs to somebody else.
var ErrNotYours = errors.New("the guard's socket may not be used by this user; run this as the user that it lets answer")

// ErrTooMuch says that an answer of the guard is larger than a client reads.
var ErrTooMuch = errors.New("the guard's answer is too large to be read")

// Problem is what the door says when it refuses.
type Problem struct {
	// Status is the HTTP status.
	Status int `json:"status"`
	// Title and Detail are for people; Code is for programs, such as
	// "already_decided".
	Title  string `json:"title"`
	Detail string `json:"detail"`
	Code   string `json:"code"`
	// State is that of the question which is in the way, empty where none is.
	State string `json:"state"`
}

// Error is the detail, else the title, on one line and without anything that
// steers a terminal.
func (p *Problem) Error() string {
	return spell(cmp.Or(p.Detail, p.Title, "the guard answered "+http.StatusText(p.Status)))
}

// Conflict reports whether the question had moved on before the answer came.
func (p *Problem) Conflict() bool { return p.Status == http.StatusConflict }

// problemOf is the problem that a response carries; a body that is none still
// says which status it came with.
func problemOf(status int, body []byte) *Problem {
	p := new(Problem)
	if err := json.Unmarshal(body, p); err != nil {
		p = new(Problem)
	}
	p.Status = status
	if p.Detail == "" && p.Title == "" {
		p.Title = fmt.Sprintf("the guard answered %d %s", status, http.StatusText(status))
	}
	return p
}

// dialError says what a connection that failed means to the owner.
func dialError(err error) error {
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ECONNREFUSED):
		return ErrNotRunning
	case errors.Is(err, fs.ErrPermission):
		return ErrNotYours
	}
	return fmt.Errorf("talk to the guard: %w", err)
}
