package command

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// A word is one argument, as the phone's shell would hand it over.
type word struct {
	// text is the word after quote removal. Where a part is only known on the
	// phone, that part stands here as it was written.
	text string
	// why is empty for a word that is wholly known, and otherwise the code of
	// what it depends on: a substitution, a variable, arithmetic.
	why string
	// glob says that unquoted wildcards or braces may turn the word into others.
	glob bool
	// bare says that the unknown part is unquoted: it may vanish, or become
	// several words.
	bare       bool
	start, end int // bytes of the script it stands in
}

// fixed reports whether the word is what it reads.
func (w word) fixed() bool { return w.why == "" && !w.glob }

// link reports whether the wildcard is most likely the question mark of an
// unquoted link. Such a link names no file, so the shell leaves it as it is.
func (w word) link() bool { return strings.Contains(w.text, "://") }

// word reads a word, and judges the commands that stand inside it.
func (r *reader) word(w *syntax.Word) word {
	if w == nil || len(w.Parts) == 0 {
		return word{}
	}
	out := word{start: int(w.Pos().Offset()), end: int(w.End().Offset())}
	var text strings.Builder
	for i, part := range w.Parts {
		if lit, ok := part.(*syntax.Lit); ok && i == 0 && strings.HasPrefix(lit.Value, "~") {
			out.unknown(codeVariable, false)
		}
		r.wordPart(part, false, &out, &text)
	}
	out.text = text.String()
	if out.text == "[" || out.text == "]" { // the command, not a pattern
		out.glob = false
	}
	return out
}

// unknown notes that a part of the word is known on the phone only. The first
// reason stays: the commands inside are judged on their own.
func (w *word) unknown(why string, bare bool) {
	if w.why == "" || why == codeSubstitution {
		w.why = why
	}
	w.bare = w.bare || bare
}

func (r *reader) wordPart(part syntax.WordPart, quoted bool, w *word, text *strings.Builder) {
	switch p := part.(type) {
	case *syntax.Lit:
		r.literal(p.Value, quoted, w, text)
	case *syntax.SglQuoted:
		// $'...' has escapes of its own; without a backslash it is plain.
		if p.Dollar && strings.Contains(p.Value, `\`) {
			w.unknown(codeSubstitution, false)
		}
		text.WriteString(p.Value)
	case *syntax.DblQuoted:
		if p.Dollar {
			w.unknown(codeSubstitution, false)
		}
		for _, inner := range p.Parts {
			r.wordPart(inner, true, w, text)
		}
	case *syntax.ParamExp:
		w.unknown(codeVariable, !quoted)
		r.inside(p)
		text.WriteString(r.source(p))
	case *syntax.CmdSubst:
		w.unknown(codeSubstitution, !quoted)
		r.inner(p.Stmts)
		text.WriteString(r.source(p))
	case *syntax.ArithmExp:
		w.unknown(codeArithmetic, false)
		r.arithmetic(p.X, p)
		text.WriteString(r.source(p))
	case *syntax.ExtGlob:
		w.glob = true
		// The pattern comes as raw text, so a command in it is not parsed.
		if strings.ContainsAny(p.Pattern.Value, "$`") {
			w.unknown(codeSubstitution, !quoted)
			r.salvage(p.Pattern.Value)
		}
		text.WriteString(r.source(p))
	case *syntax.ProcSubst:
		w.unknown(codeSubstitution, !quoted)
		r.inner(p.Stmts)
		text.WriteString(r.source(p))
	default:
		w.unknown(codeSyntax, !quoted)
		text.WriteString(r.source(p))
	}
}

// literal copies an unquoted or double-quoted piece without its backslashes,
// and notes wildcards and braces that no backslash holds back.
func (r *reader) literal(s string, quoted bool, w *word, text *strings.Builder) {
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c == '\\' && i+1 < len(s) && (!quoted || strings.IndexByte("$`\"\\", s[i+1]) >= 0) {
			i++
			text.WriteByte(s[i])
			continue
		}
		if !quoted && strings.IndexByte("*?[{", c) >= 0 {
			w.glob = true
		}
		text.WriteByte(c)
	}
}

// source returns a node as it was written.
func (r *reader) source(n syntax.Node) string {
	start, end := int(n.Pos().Offset()), int(n.End().Offset())
	if start < 0 || end > len(r.script) || start > end {
		return ""
	}
	return r.script[start:end]
}

// static returns the text of an unquoted word without any special character,
// and judges nothing. It is for names and numbers.
func static(w *syntax.Word) (string, bool) {
	lit := w.Lit()
	return lit, lit != "" && !strings.ContainsAny(lit, `\*?[{~`)
}

// plain returns the text of a word that is known before anything runs, and
// judges nothing: literals, in quotes or not.
func plain(w *syntax.Word) (string, bool) {
	var text strings.Builder
	parts := w.Parts
	if len(parts) == 1 {
		if q, ok := parts[0].(*syntax.DblQuoted); ok && !q.Dollar {
			parts = q.Parts
		}
	}
	for _, part := range parts {
		switch p := part.(type) {
		case *syntax.Lit:
			if strings.ContainsAny(p.Value, `\*?[{~`) {
				return "", false
			}
			text.WriteString(p.Value)
		case *syntax.SglQuoted:
			if p.Dollar || strings.Contains(p.Value, `\`) {
				return "", false
			}
			text.WriteString(p.Value)
		default:
			return "", false
		}
	}
	return text.String(), true
}
