package main

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/countersign/countersign"
	"github.com/countersign/countersign/decide"
	"github.com/countersign/countersign/risk"
	"github.com/countersign/countersign/screen"
)

// A terminal this wide has a column each for evidence and reason; one narrower
// than usual has the category among the reasons.
const (
	wideTerminal   = 120
	narrowTerminal = 80
)

// printTable lists every control.
func (e *explanation) printTable(t *terminal) error {
	if len(e.targets) == 0 {
		_, err := fmt.Fprintln(t.out, "nothing on this screen takes a touch")
		return err
	}
	first := &e.targets[0].decision
	about := tierAndWhy(&first.App, first.Tier) + "; policy " + first.Policy
	if _, err := fmt.Fprintf(t.out, "%s\n%s\n\n", t.paint(bold, strings.Join(fold(appName(first), t.width), "\n")),
		strings.Join(fold(about, t.width), "\n")); err != nil {
		return err
	}
	tb := e.columns(t.width)
	window, several := int32(-1), e.severalWindows()
	for i := range e.targets {
		j := &e.targets[i]
		if w := e.ui.Nodes[j.node].Window; several && w != window {
			window = w
			tb.rows = append(tb.rows, row{section: e.windowTitle(w)})
		}
		tb.rows = append(tb.rows, j.row(t.width))
	}
	if err := tb.write(t, t.out); err != nil {
		return err
	}
	_, err := fmt.Fprintf(t.out, "\n%s\n", e.count())
	return err
}

// columns are those of the table in a terminal of this width.
func (e *explanation) columns(width int) table {
	switch {
	case width >= wideTerminal:
		return table{
			heads:  []string{"node", "verdict", "category", "tier", "control", "evidence", "reason"},
			limits: []int{6, 10, 14, 6, width / 5, width / 4, 0},
		}
	case width < narrowTerminal:
		return table{heads: []string{"node", "verdict", "control", "why"}, limits: []int{6, 10, width / 3, 0}}
	}
	return table{
		heads:  []string{"node", "verdict", "category", "tier", "control", "why"},
		limits: []int{6, 10, 14, 6, max(18, width/4), 0},
	}
}

// severalWindows reports whether the controls stand in more than one window.
func (e *explanation) severalWindows() bool {
	for i := range e.targets {
		if e.ui.Nodes[e.targets[i].node].Window != e.ui.Nodes[e.targets[0].node].Window {
			return true
		}
	}
	return false
}

// windowTitle names a window where there are several.
func (e *explanation) windowTitle(index int32) string {
	w := &e.ui.Windows[index]
	kind := [...]string{
		screen.AppWindow: "window", screen.SystemWindow: "system window",
		screen.KeyboardWindow: "keyboard", screen.OverlayWindow: "overlay",
	}[w.Kind]
	title := kind + " " + strconv.Itoa(int(index)+1) + " of " + strconv.Itoa(len(e.ui.Windows)) + ": " + decide.Quote(w.Package, 80)
	if w.Title != "" {
		title += " “" + decide.Quote(w.Title, 60) + "”"
	}
	if w.Focused {
		title += ", in front"
	}
	return title
}

// row is one control in the table.
func (j *judged) row(width int) row {
	d := &j.decision
	word, how := explainWords.of(d)
	category := d.Category.String()
	if d.Topic.Risky() && d.Category == risk.None {
		category += " (" + d.Topic.String() + ")"
	}
	evidence, reason := j.shortEvidence(), j.shortReason()
	r := row{
		cells: []string{strconv.Itoa(int(j.node)), word, category, d.Tier.String(), j.control()},
		inks:  []ink{dim, how, plain, plain, plain, plain, plain},
	}
	switch {
	case width >= wideTerminal:
		r.cells = append(r.cells, evidence, reason)
	case width < narrowTerminal:
		r.cells = []string{r.cells[0], word, r.cells[4], lines(category, evidence, reason)}
	default:
		r.cells = append(r.cells, lines(evidence, reason))
	}
	r.inks = r.inks[:len(r.cells)]
	if d.Outcome == countersign.Allow && evidence == "" {
		r.inks[len(r.inks)-1] = dim
	}
	return r
}

// lines are the texts that are not empty, each on its own line.
func lines(texts ...string) string {
	return strings.Join(slices.DeleteFunc(texts, func(s string) bool { return s == "" }), "\n")
}

// control says what the control is and reads.
func (j *judged) control() string {
	role := words(j.target.Role.String())
	switch label := j.label(); {
	case label != "":
		return role + " “" + label + "”"
	case j.target.ResourceID != "":
		return role + " #" + decide.Quote(idTail(j.target.ResourceID), 40)
	}
	return role + ", no label"
}

// label is what the control says, never what is typed into a password field.
func (j *judged) label() string {
	if j.target.Flags.Has(screen.Password) {
		return decide.Quote(j.target.Hint, 60)
	}
	return decide.Quote(j.decision.Label(), 60)
}

func idTail(id string) string { return id[strings.LastIndexByte(id, '/')+1:] }

// shortEvidence is the strongest piece of evidence for the category.
func (j *judged) shortEvidence() string {
	all := j.decision.Evidence()
	for i := range all {
		if all[i].Category != j.decision.Category || !all[i].Category.Risky() {
			continue
		}
		return briefly(&all[i])
	}
	if len(all) > 0 && j.decision.Topic.Risky() {
		return briefly(&all[0])
	}
	return ""
}

// briefly is a piece of evidence in a few words.
func briefly(e *risk.Evidence) string {
	text := words(string(e.Signal))
	if e.Match != "" && e.Layer != risk.LayerStructure {
		text += " “" + decide.Quote(e.Match, 40) + "”"
	} else if e.Term != "" {
		text += ": " + words(e.Term)
	}
	if e.Language != "" {
		text += " (" + e.Language + ")"
	}
	return text
}

// shortReason is the decision's reason; where a control plainly does nothing,
// less than a sentence.
func (j *judged) shortReason() string {
	d := &j.decision
	if d.Category == risk.None && d.Topic == risk.None && d.Delta == risk.DeltaNone && d.Outcome == countersign.Allow {
		return "opens, selects or moves on"
	}
	return d.Reason()
}

// count sums the verdicts up.
func (e *explanation) count() string {
	var allowed, asked, critical, denied int
	for i := range e.targets {
		switch d := &e.targets[i].decision; {
		case d.Outcome == countersign.Allow:
			allowed++
		case d.Outcome == countersign.Confirm && d.Critical:
			critical++
		case d.Outcome == countersign.Confirm:
			asked++
		default:
			denied++
		}
	}
	return fmt.Sprintf("%d controls: %d allow, %d confirm, %d critical, %d deny", len(e.targets), allowed, asked, critical, denied)
}
