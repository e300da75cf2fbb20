package inbox

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"net/http"
	"time"

	"github.com/countersign/countersign/hold"
)

//go:embed pages/*.html
var files embed.FS

//go:embed style.css
var style string

// pages are the templates, by the names of their files.
var pages = template.Must(template.New("").Funcs(template.FuncMap{
	"style": func() template.CSS { return template.CSS(style) },
}).ParseFS(files, "pages/*.html"))

// policy is the content policy: the one style sheet, forms to ourselves, and
// nothing else.
var policy = func() string {
	sum := sha256.Sum256([]byte(style))
	return "default-src 'none'; style-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) +
		"'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
}()

// Protect sets the headers that every answer of the approvers' door carries, a
// page or not.
//
// The referrer policy is same-origin and not no-referrer: under no-referrer
// browsers send "Origin: null" with a form, which the door refuses, and to other
// sites both send nothing.
func Protect(h http.Header) {
	h.Set("Content-Security-Policy", policy)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("X-Frame-Options", "DENY")
	h.Set("Referrer-Policy", "same-origin")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Cache-Control", "no-store")
}

// Frame is what stands around every page of somebody who is signed in.
type Frame struct {
	// Approver is who is signed in.
	Approver string
	// Level and LevelWhy say against whom the guard holds.
	Level, LevelWhy string
	Version, Policy string
	Freeze          hold.Freeze
	// Observe says that nothing is held.
	Observe bool
	// Now is the time that deadlines are counted from.
	Now time.Time
	// CSRF makes the token of the form with a name. It must not be nil.
	CSRF func(form string) string
}

// The names of the forms that are about no single question, for Frame.CSRF.
const (
	FormFreeze   = "freeze"
	FormUnfreeze = "unfreeze"
	FormSignOut  = "sign-out"
)

// FormAnswer is the name of the form that answers a question.
func FormAnswer(id string) string { return "answer/" + id }

// frame is a Frame as the templates print it.
type frame struct {
	Title, Approver, Level, LevelWhy, Version, Policy string

	Frozen                string
	Observe               bool
	CSRFFreeze, CSRFLeave string
	// Refresh is after how many seconds the page loads again; 0 for never.
	Refresh int
}

func (f *Frame) view(title string) frame {
	v := frame{
		Title: title, Approver: spell(f.Approver), Level: spell(f.Level), LevelWhy: spell(f.LevelWhy),
		Version: spell(f.Version), Policy: spell(f.Policy), Observe: f.Observe,
		CSRFLeave: f.CSRF(FormSignOut), CSRFFreeze: f.CSRF(FormFreeze),
	}
	if f.Freeze.Frozen {
		v.CSRFFreeze = f.CSRF(FormUnfreeze)
		v.Frozen = "Everything is frozen by " + spell(f.Freeze.By) + " since " + clock(f.Freeze.At) + "; no action goes ahead."
		if f.Freeze.Note != "" {
			v.Frozen += " Note: " + spell(f.Freeze.Note)
		}
	}
	return v
}

// draw executes a template.
func draw(name string, data any) ([]byte, error) {
	var b bytes.Buffer
	if err := pages.ExecuteTemplate(&b, name, data); err != nil {
		return nil, fmt.Errorf("inbox: draw %s: %w", name, err)
	}
	return b.Bytes(), nil
}

// Sign is a page about signing in.
type Sign struct {
	// Ticket is the secret of a sign-in link; with it the page has the button
	// that uses it.
	Ticket string
	// Problem says why the last attempt failed, empty if there was none.
	Problem string
	// Again is the path that was asked for, empty for none.
	Again string
}

// SignIn draws a page for somebody who is not signed in.
func SignIn(s Sign) ([]byte, error) {
	s.Problem = spell(s.Problem)
	return draw("sign.html", s)
}

// Message draws a page that only says something, to whoever asks.
func Message(title, text string) ([]byte, error) {
	return draw("message.html", struct{ Title, Text string }{spell(title), spell(text)})
}
