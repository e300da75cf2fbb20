package command

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/countersign/countersign/risk"
)

// redirect judges a redirection: writing to a file may overwrite it, reading
// from one may hand it to the agent. It also sets what the command reads.
func (r *reader) redirect(d *syntax.Redirect) {
	start, end := int(d.Pos().Offset()), int(d.Word.End().Offset())
	c := &call{r: r, verb: "redirect", start: start, end: end}
	switch d.Op {
	case syntax.Hdoc, syntax.DashHdoc:
		r.in = feed{piped: true}
		if d.Hdoc != nil {
			body := r.word(d.Hdoc)
			r.in.script, r.in.written = body.text, body.why == ""
		} else {
			r.in.written = true
		}
		return
	case syntax.WordHdoc:
		w := r.word(d.Word)
		r.in = feed{piped: true, script: w.text, written: w.fixed()}
		return
	}
	w := r.word(d.Word)
	if d.N != nil && strings.Trim(d.N.Value, "0123456789") != "" {
		c.unknown(codeSyntax, "redirect", w.text)
	}
	if w.why != "" {
		c.unknown(w.why, "redirect", w.text)
	}
	switch d.Op {
	case syntax.DplOut, syntax.DplIn: // another descriptor; a file only in other shells
		if strings.Trim(w.text, "0123456789-p") == "" {
			return
		}
		c.writes(w, false)
	case syntax.RdrIn:
		r.in = feed{piped: true}
		c.reads(w)
	case syntax.RdrInOut:
		r.in = feed{piped: true}
		c.reads(w)
		c.writes(w, true)
	case syntax.AppOut, syntax.AppAll:
		c.writes(w, true)
	default:
		c.writes(w, false)
	}
}

// writes judges a redirection's target. A file that is only added to keeps what
// it has; any other may be overwritten.
func (c *call) writes(w word, adds bool) {
	kind := placeOf(w)
	if kind == console {
		return
	}
	e := writeEffect(kind, w.text, adds)
	if e.Code == codeWriteFile || e.Code == codeStageFile {
		e.Code = codeRedirect
	}
	e.Term = "redirect"
	c.add(e)
}

// reads judges a redirection's source.
func (c *call) reads(w word) {
	if c.r.readable(w) {
		return
	}
	c.is(risk.Disclose, codeReadFile, "redirect", w.text)
}
