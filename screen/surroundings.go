package screen

import (
	"iter"
	"strconv"
	"strings"
)

// Surroundings are what stands around a control and can be seen, gathered in one
// walk over its window. The status bar and advertisements inside the app's tree
// are no part of them. They are read-only, and safe for concurrent use; of the
// zero value nothing is known.
type Surroundings struct {
	screen *Screen
	node   int32
	said   []spot // what says something
	ticks  []spot // what can be ticked
	// onDialog says that the control stands on a dialog, onlyAsks that its page
	// does nothing but ask: it has no field to fill in, no list of controls, and
	// hardly more than the answers.
	onDialog, onlyAsks bool
}

// A spot is a node and where it stands.
type spot struct {
	node int32
	// listed says that it is in a list that the control is not in, or in another
	// row; inControl that it is in another control; near that it is on the dialog
	// where the control stands on one.
	listed, inControl, near bool
}

// maxAnswers is how many controls a page has at most that does nothing but ask.
const maxAnswers = 3

// surroundings walks over the window of a node, and passes over what the node
// itself says unless that is asked for.
func (s *Screen) surroundings(node int32, own bool) Surroundings {
	a := Surroundings{screen: s, node: node}
	first, end := s.windowRange(node)
	surface, surfaceEnd := s.dialogSurface(node), end
	if a.onDialog = surface >= 0; a.onDialog {
		surfaceEnd = s.Nodes[surface].End
	}
	answers, fills, chooses := 1, false, false
	listed, control := first, first // where the list and the control end that the walk is in
	for i := first; i < end; {
		n := &s.Nodes[i]
		around := s.holds(i, node)
		if i == node && !own || !around && s.foreign(i, node) {
			i = n.End
			continue
		}
		seen, list := s.seen(n), s.isList(i)
		chooses = chooses || list && seen && s.controlCount(i, 3) > 2
		if !around {
			if i >= listed && (list || n.Parent >= 0 && s.holds(n.Parent, node) && s.isList(n.Parent)) {
				listed = n.End
			}
			if s.ownsTouch(i) {
				control = max(control, n.End)
				if seen {
					answers++
				}
			}
		}
		if seen {
			fills = fills || isField(n)
			a.note(i, spot{node: i, listed: i < listed, inControl: i < control, near: !a.onDialog || i >= surface && i < surfaceEnd})
		}
		i++
	}
	a.onlyAsks = answers <= maxAnswers && !fills && !chooses
	return a
}

func (a *Surroundings) note(i int32, at spot) {
	n := &a.screen.Nodes[i]
	if n.label() != "" {
		a.said = append(a.said, at)
	}
	if isToggle(n) {
		a.ticks = append(a.ticks, at)
	}
}

// Heading is the title of the page: the text that stands highest in the upper
// half of the control's window and in no control, field or list.
func (a *Surroundings) Heading() string {
	if a.screen == nil {
		return ""
	}
	first, _ := a.screen.windowRange(a.node)
	window := a.screen.Nodes[first].Bounds
	half := window.Top + int32(window.Height()/2)
	var top *Node
	for _, at := range a.said {
		n := &a.screen.Nodes[at.node]
		if !at.listed && !at.inControl && mayBeTitle(n) && n.Bounds.Top < half && (top == nil || n.Bounds.Top < top.Bounds.Top-sameHeight) {
			top = n
		}
	}
	if top == nil {
		return ""
	}
	return top.Text
}

// sameHeight is by how many pixels two texts may differ in height and count as
// standing side by side: layouts move by a few while they settle.
const sameHeight = 8

// Named are the texts of the page that an id marks as the name of the other side
// or as the title in a bar. One in a list counts where it is the only one there:
// a list of people names nobody.
func (a *Surroundings) Named() []string {
	var texts []string
	var inList string
	listed := 0
	for _, at := range a.said {
		n := &a.screen.Nodes[at.node]
		switch {
		case !mayBeTitle(n):
		case isNameID(n.ResourceID) && at.listed:
			inList = n.Text
			listed++
		case isNameID(n.ResourceID), !at.listed && !at.inControl && isTitleID(n.ResourceID) && a.screen.inTitleBar(n):
			texts = append(texts, n.Text)
		}
	}
	if listed == 1 {
		texts = append(texts, inList)
	}
	return texts
}

// mayBeTitle reports whether a node says something that may be a title.
func mayBeTitle(n *Node) bool {
	return n.Text != "" && !n.Flags.Has(Password) && !isField(n) && !isToggle(n) && !fleeting(n.Text)
}

// Texts yields what is said on the page, or on the dialog where the control
// stands on one, in document order, and whether each stands in another control.
// The control's own words are left out, and on a page what is listed, unless
// listed is set.
func (a *Surroundings) Texts(listed bool) iter.Seq2[*Node, bool] {
	return func(yield func(*Node, bool) bool) {
		for _, at := range a.said {
			if at.near && (a.onDialog || listed || !at.listed) && !yield(&a.screen.Nodes[at.node], at.inControl) {
				return
			}
		}
	}
}

// Asked are the texts of the question that the control may be the answer to:
// those of its dialog, or of a page that only asks, that stand in no other
// control. On a page that does more no question is told from the rest.
func (a *Surroundings) Asked() []string {
	if !a.onDialog && !a.onlyAsks {
		return nil
	}
	var texts []string
	for n, inControl := range a.Texts(true) {
		if !inControl && !isField(n) && !isToggle(n) && (a.onDialog || !fleeting(n.label())) {
			texts = append(texts, n.label())
		}
	}
	return texts
}

// ListTitle is the first text of the list that the control is in, where that
// stands in a row without controls: the name above what can be done with it.
func (a *Surroundings) ListTitle() string {
	if a.screen == nil {
		return ""
	}
	s := a.screen
	list := s.Nodes[a.node].Parent
	for list >= 0 && !s.isList(list) {
		list = s.Nodes[list].Parent
	}
	if list < 0 {
		return ""
	}
	for row := list + 1; row <= a.node && !s.holds(row, a.node); row = s.Nodes[row].End {
		for i := row; i < s.Nodes[row].End; i++ {
			n := &s.Nodes[i]
			if n.Text == "" || !s.seen(n) || n.Flags.Has(Password) || fleeting(n.Text) {
				continue
			}
			if s.ownsTouch(row) || s.controlCount(row, 1) > 0 {
				return ""
			}
			return n.Text
		}
	}
	return ""
}

// maxTicks is how many things that are ticked are named; the rest is counted.
const maxTicks = 32

// Choices are what is ticked around the control, on its dialog where it stands
// on one: by the labels of the row and its own, else by its place among what can
// be ticked.
func (a *Surroundings) Choices() []string {
	var ticked []string
	place, more := 0, 0
	for _, at := range a.ticks {
		if !at.near || !a.onDialog && at.listed {
			continue
		}
		place++
		switch {
		case !a.screen.Nodes[at.node].Flags.Has(Checked):
		case len(ticked) == maxTicks:
			more++
		default:
			ticked = append(ticked, a.screen.tickLabel(at.node, place))
		}
	}
	if more > 0 {
		ticked = append(ticked, strconv.Itoa(more)+" more")
	}
	return ticked
}

// tickLabel names something that is ticked.
func (s *Screen) tickLabel(i int32, place int) string {
	var words []string
	if row := s.rowLabels(i); len(row) > 0 {
		words = append(words, row[0])
	}
	if label := s.firstLabel(i); label != "" {
		words = append(words, label)
	}
	if len(words) == 0 {
		return "no. " + strconv.Itoa(place)
	}
	return strings.Join(words, ": ")
}

// Beneath are those of the page that the control's dialog lies over, where that
// has a window of its own and the app's other window is known; else the zero
// value.
func (a *Surroundings) Beneath() Surroundings {
	if a.screen == nil {
		return Surroundings{}
	}
	first := a.screen.beneath(a.node)
	if first < 0 {
		return Surroundings{}
	}
	return a.screen.surroundings(first, true)
}
