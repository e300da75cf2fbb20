package decide

import (
	"slices"

	"github.com/countersign/countersign/screen"
)

// A rendering is a decision with what stands around its control, gathered once
// for all that is rendered of it together: nothing of it is needed to decide.
type rendering struct {
	*Decision
	look screen.Surroundings
	// question is the text that the control answers: that of its dialog or of a
	// page that only asks, else the one that gave a generic yes its meaning.
	question []string
}

func (d *Decision) render() *rendering {
	r := &rendering{Decision: d}
	if !d.seenOnTree() {
		r.question = []string{d.target.Dialog.Title, d.target.Dialog.Message}
		return r
	}
	r.look = d.around().Look()
	r.question = r.look.Asked()
	if d.answered == "" || slices.Contains(r.question, d.answered) {
		return r
	}
	for n := range r.look.Texts(true) { // what nobody sees was answered by nobody
		if n.Text == d.answered || n.Description == d.answered {
			r.question = append(r.question, d.answered)
			break
		}
	}
	return r
}

// seenOnTree reports whether the control is a node of a tree.
func (d *Decision) seenOnTree() bool { return d.ui != nil && d.placed && d.target.Node >= 0 }
