package inbox

import (
	"bytes"
	"embed"
	"fmt"
	"html/template"
	"strings"
	"time"

	"github.com/countersign/countersign/hold"
)

//go:embed pages/*.html
var files embed.FS

//go:embed style.css
var style string

//go:embed inbox.js
var pageScript string

//go:embed passkey.js
var passkeyScript string

// script is what every page carries, without its indentation: nothing on a page
// is a character that cannot be seen.
var script = strings.ReplaceAll(pageScript+passkeyScript, "\t", "")

// pages are the templates, by the names of their files.
var pages = template.Must(template.New("").Funcs(template.FuncMap{
	"style":  func() template.CSS { return template.CSS(style) },
	"script": func() template.JS { return template.JS(script) },
}).ParseFS(files, "pages/*.html"))

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
	// Waiting is how many questions wait for an answer, Newest when the newest of
	// them was asked, Seen the version of the list that says so.
	Waiting int
	Newest  time.Time
	Seen    string
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

// FormLabel is the name of the form that says of a decision that it was wrong.
func FormLabel(id string) string { return "label/" + id }

// The pages that the header leads to.
const (
	hereList    = "list"
	hereHistory = "history"
	hereActions = "actions"
	hereGrants  = "grants"
)

// frame is a Frame as the templates print it.
type frame struct {
	// Page is the kind of page, for the script; Here the place in the header that
	// it belongs to.
	Page, Here, Title, Approver, Level, LevelWhy, Version, Policy string

	Frozen                string
	Observe               bool
	Waiting               int
	Seen                  string
	Now, Newest           int64 // milliseconds
	CSRFFreeze, CSRFLeave string
	// Refresh is after how many seconds the page loads again without the script; 0
	// for never.
	Refresh int
}

func (f *Frame) view(page, here, title string) frame {
	v := frame{
		Page: page, Here: here, Title: title,
		Approver: spell(f.Approver), Level: spell(f.Level), LevelWhy: spell(f.LevelWhy),
		Version: spell(f.Version), Policy: spell(f.Policy), Observe: f.Observe,
		Waiting: f.Waiting, Seen: f.Seen, Now: f.Now.UnixMilli(), Newest: millis(f.Newest),
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

// millis is a time for the script, 0 for none.
func millis(t time.Time) int64 {
	if t.IsZero() {
		return 0
	}
	return t.UnixMilli()
}

// draw executes a template.
func draw(name string, data any) ([]byte, error) {
	var b bytes.Buffer
	if err := pages.ExecuteTemplate(&b, name, data); err != nil {
		return nil, fmt.Errorf("inbox: draw %s: %w", name, err)
	}
	return b.Bytes(), nil
}

// outside is a page for whoever is not signed in.
type outside struct {
	Title, Text, Ticket, Problem, Again string
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
	return draw("sign.html", outside{Title: "Sign in", Ticket: s.Ticket, Problem: spell(s.Problem), Again: s.Again})
}

// Message draws a page that only says something, to whoever asks.
func Message(title, text string) ([]byte, error) {
	return draw("message.html", outside{Title: spell(title), Text: spell(text)})
}

// Problem draws a page that says what went wrong, to somebody who is signed in.
func Problem(f Frame, title, text string) ([]byte, error) {
	return draw("problem.html", struct {
		frame
		Text string
	}{f.view("problem", "", spell(title)), spell(text)})
}
