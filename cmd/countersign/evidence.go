package main

import (
	"strings"

	"github.com/countersign/countersign/decide"
	"github.com/countersign/countersign/risk"
	"github.com/countersign/countersign/screen"
)

// maxShown is how many characters of one text are shown in full.
const maxShown = 200

// marked shows a text with the words that a piece of evidence stands on between
// brackets: ⟦Send⟧ to Anna.
func marked(t *terminal, text string, e *risk.Evidence) string {
	runes := []rune(text)
	if e.Start < 0 || e.End > len(runes) || e.Start >= e.End || string(runes[e.Start:e.End]) != e.Match {
		return "⟦" + t.paint(bold, decide.Quote(e.Match, maxShown)) + "⟧"
	}
	return part(runes[:e.Start]) + "⟦" + t.paint(bold, part(runes[e.Start:e.End])) + "⟧" + part(runes[e.End:])
}

// part quotes a piece of a text and keeps a blank at its edge, which tells words
// apart.
func part(runes []rune) string {
	text := string(runes)
	quoted := decide.Quote(text, maxShown)
	if quoted != "" && strings.TrimLeft(text, " ") != text {
		quoted = " " + quoted
	}
	if strings.TrimRight(text, " ") != text {
		quoted += " "
	}
	return quoted
}

// evidenceSource says who recognised the words: the term, its language, the
// layer, and what it speaks for.
func evidenceSource(e *risk.Evidence) string {
	by := string(e.Layer)
	if e.Term != "" {
		by += " “" + decide.Quote(e.Term, 60) + "”"
	}
	if e.Language != "" {
		by += " (" + e.Language + ")"
	}
	return by + " → " + e.Category.String()
}

// signalText is the text of a target that a piece of evidence was found in.
func signalText(target *screen.Target, e *risk.Evidence) string {
	switch e.Signal {
	case risk.SignalText:
		return target.Text
	case risk.SignalDescription:
		return target.Description
	case risk.SignalHint:
		return target.Hint
	case risk.SignalResourceID:
		return target.ResourceID
	case risk.SignalAncestorID:
		return target.AncestorID
	case risk.SignalRow:
		return target.RowTitle
	case risk.SignalDialogTitle:
		return target.Dialog.Title
	case risk.SignalDialogMessage:
		return target.Dialog.Message
	case risk.SignalDescendant:
		for _, l := range target.Labels {
			if holds(l.Text, e) {
				return l.Text
			}
		}
	case risk.SignalChildID:
		for _, id := range target.ChildIDs {
			if holds(id, e) {
				return id
			}
		}
	}
	return e.Match
}

// holds reports whether the evidence's words stand where it says in the text.
func holds(text string, e *risk.Evidence) bool {
	runes := []rune(text)
	return e.Start >= 0 && e.Start <= e.End && e.End <= len(runes) && string(runes[e.Start:e.End]) == e.Match
}
