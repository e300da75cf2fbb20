package decide

import (
	"slices"

	"github.com/countersign/countersign/lexicon"
	"github.com/countersign/countersign/risk"
)

// swipesAway judges a sideways swipe across most of a row of a list: in apps that
// keep messages or notes it deletes or archives the row, and hardly ever does the
// screen say so before. What is there for that is what counts: the kind of the
// app, or a control of the page that deletes or archives, or offers to take that
// back, as it does after the first row has gone. Lists that are turned like pages
// or scroll sideways, and the lines of a conversation, which answer or show the
// time when they are drawn aside, are let be.
func (j *judgement) swipesAway(across int) {
	row, ok := j.around().Row()
	if j.category != risk.None || !ok || across*2 < row.Width() || j.around().Scrolls(true) || j.inConversation() {
		return
	}
	switch {
	case keepsRows(j.app.Kind):
		j.category = risk.Delete
		j.noteRule(risk.Delete, risk.SignalApp, j.pkg, "row_swiped_away")
	default:
		if undo := j.takesBack(); undo != "" {
			j.category = risk.Delete
			j.noteRule(risk.Delete, risk.SignalPlace, undo, "row_swiped_away")
		}
	}
}

// keepsRows tells the kinds of apps, by the catalogue, whose rows are swiped away.
func keepsRows(kind string) bool {
	switch kind {
	case "email", "SMS", "messaging", "notes":
		return true
	}
	return false
}

// inConversation reports a page with a field in which a message is written: its
// rows are what was said.
func (j *judgement) inConversation() bool {
	for i := range j.target.Form.Fields {
		if f := &j.target.Form.Fields[i]; !looksUp(f) && j.isCompose(f.Hint, f.ID) {
			return true
		}
	}
	return false
}

// maxUndoRead bounds how many texts of a page are read for what takes back.
const maxUndoRead = 60

// takesBack is what the page says of rows that went before: that one was deleted
// or archived, beside a button that undoes it.
func (j *judgement) takesBack() string {
	look := j.around().Look()
	said, undo, read := "", false, 0
	for n, inControl := range look.Texts(false) {
		if read++; read > maxUndoRead {
			break
		}
		text := n.Text
		switch {
		case text == "" || !isShort(text):
		case inControl || n.TakesTouch():
			undo = undo || namesAny(text, "", undoWords)
		default:
			if r := j.understand(lexicon.Query{Text: text, Signal: risk.SignalText}); namesDeletion(&r) || namesAny(text, "", archivedWords) {
				said = text
			}
		}
	}
	if !undo {
		return ""
	}
	return said
}

// namesDeletion reports whether a text speaks of deleting, done or not.
func namesDeletion(r *lexicon.Reading) bool {
	return r.Topic == risk.Delete || slices.ContainsFunc(r.Hits[:r.N], func(h lexicon.Hit) bool { return h.Category == risk.Delete })
}
