package command

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/countersign/countersign/risk"
)

// steering are the variables that change what later words of the line run, or
// how they are read: where programs and classes are found, what is loaded into
// them, how words are split, what a shell runs at its start.
var steering = map[string]bool{
	"PATH": true, "IFS": true, "ENV": true, "BASH_ENV": true, "SHELL": true, "CLASSPATH": true,
	"BOOTCLASSPATH": true, "LD_PRELOAD": true, "LD_LIBRARY_PATH": true, "ANDROID_ROOT": true,
	"PS1": true, "PS2": true, "PS4": true, "FPATH": true, "POSIXLY_CORRECT": true, "EXECSHELL": true,
	"HOME": true, "CDPATH": true, "TMOUT": true, "EDITOR": true, "VISUAL": true, "PWD": true,
}

// assign judges an assignment and the commands in its value.
func (r *reader) assign(a *syntax.Assign) {
	if a.Value != nil {
		r.word(a.Value)
	}
	if a.Array != nil {
		r.inside(a.Array)
	}
	if a.Index != nil {
		r.arithmetic(a.Index, a)
	}
	if a.Name != nil {
		r.assigned(a.Name.Value, a)
	}
}

// assigned judges that a variable gets a value.
func (r *reader) assigned(name string, at syntax.Node) {
	if steers(name) {
		r.unknownAt(at, codeEnvironment, "assignment")
	}
}

func steers(name string) bool {
	return steering[name] || strings.HasPrefix(name, "LD_")
}

// declare judges export, typeset, readonly and their like.
func (r *reader) declare(d *syntax.DeclClause) {
	first := len(r.effects)
	for _, a := range d.Args {
		switch {
		case a.Name != nil: // "export PATH" hands on what was assigned before
			r.assign(a)
		case a.Value != nil:
			// An option, or a word that may turn out to be an assignment. -n makes
			// one name stand for another, which hides what is assigned.
			w := r.word(a.Value)
			if !w.fixed() || evaluates(w.text) || strings.HasPrefix(w.text, "-") && strings.ContainsAny(w.text, "nf") {
				r.unknownAt(a, codeEnvironment, d.Variant.Value)
			}
		}
	}
	if d.Variant.Value == "nameref" {
		r.unknownAt(d, codeEnvironment, d.Variant.Value)
	}
	if len(r.effects) == first {
		r.add(Effect{Category: risk.None, Code: codeShell, Term: d.Variant.Value,
			Start: int(d.Pos().Offset()), End: int(d.End().Offset())})
	}
}

// evaluates reports whether a text could run a command if the shell evaluates
// it a second time, as it does with numbers, indexes and variable names.
func evaluates(text string) bool {
	return strings.ContainsAny(text, "[`") || strings.Contains(text, "$(") || strings.Contains(text, "${")
}
