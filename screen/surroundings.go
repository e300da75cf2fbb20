package screen

import (
	"iter"
	"strconv"
	"strings"
)

// texts yields the nodes that say something on the page or dialog a node stands
// on, in document order, and whether each stands in another control. The node's
// own are left out, and where it is asked for what is listed on a page.
func (s *Screen) texts(node int32, listed bool) iter.Seq2[int32, bool] {
	return func(yield func(int32, bool) bool) {
		first, end := s.windowRange(node)
		surface := s.dialogSurface(node)
		if surface >= 0 {
			first, end = surface, s.Nodes[surface].End
		}
		control := int32(-1) // where the control ends that the walk is in
		for i := first; i < end; {
			n := &s.Nodes[i]
			if i == node || s.foreign(i, node) || surface < 0 && !listed && s.listed(i, node) {
				i = n.End
				continue
			}
			if i >= control && s.ownsTouch(i) && !s.holds(i, node) {
				control = n.End
			}
			if s.seen(n) && n.label() != "" && !yield(i, i < control) {
				return
			}
			i++
		}
	}
}

// maxAnswers is how many controls a page has at most that does nothing but ask.
const maxAnswers = 3

// onlyAsks reports whether the page of a node does nothing but ask: it has no
// field to fill in, no list of controls, and hardly more than the answers.
func (s *Screen) onlyAsks(node int32) bool {
	first, end := s.windowRange(node)
	answers := 1
	for i := first; i < end; {
		n := &s.Nodes[i]
		if i == node || s.foreign(i, node) {
			i = n.End
			continue
		}
		switch {
		case !s.seen(n):
		case isField(n), s.isList(i) && s.controlCount(i, 3) > 2:
			return false
		case s.ownsTouch(i) && !s.holds(i, node):
			answers++
		}
		i++
	}
	return answers <= maxAnswers
}

// asked are the texts of the question that a node may be the answer to: those
// of its dialog, or of a page that only asks, that stand in no other control.
// On a page that does more there is no question that is told from the rest.
func (s *Screen) asked(node int32) []string {
	surface := s.dialogSurface(node) >= 0
	if !surface && !s.onlyAsks(node) {
		return nil
	}
	var texts []string
	for i, inControl := range s.texts(node, true) {
		n := &s.Nodes[i]
		if !inControl && !isField(n) && !isToggle(n) && (surface || !fleeting(n.label())) {
			texts = append(texts, n.label())
		}
	}
	return texts
}

// listTitle is the first text of the list that a node is in, where that stands in
// a row without controls: the name above what can be done with it.
func (s *Screen) listTitle(node int32) string {
	list := s.Nodes[node].Parent
	for list >= 0 && !s.isList(list) {
		list = s.Nodes[list].Parent
	}
	if list < 0 {
		return ""
	}
	for row := list + 1; row <= node && !s.holds(row, node); row = s.Nodes[row].End {
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

// choices are what is ticked around a node, by the labels of its row and its
// own, else by its place among what can be ticked. The node's own state is none
// of them.
func (s *Screen) choices(node int32) []string {
	var ticked []string
	first, end := s.windowRange(node)
	surface := s.dialogSurface(node)
	if surface >= 0 {
		first, end = surface, s.Nodes[surface].End
	}
	place, more := 0, 0
	for i := first; i < end; {
		n := &s.Nodes[i]
		if i == node || s.foreign(i, node) || surface < 0 && s.listed(i, node) {
			i = n.End
			continue
		}
		if isToggle(n) && s.seen(n) {
			place++
			switch {
			case !n.Flags.Has(Checked):
			case len(ticked) == maxTicks:
				more++
			default:
				ticked = append(ticked, s.tickLabel(i, place))
			}
		}
		i++
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
