package screen

import "strings"

// A Dialog is the text that a target may answer to: that of the dialog, sheet
// or popup it stands on, else the free text of its window. Text inside other
// controls is theirs and not here.
type Dialog struct {
	// Title is the first text that is marked as a title, or the first of several.
	Title string
	// Message is the text after the title, or the only one; More is the rest,
	// in document order.
	Message string
	More    []string
	// Surface says that the text stands on a surface of its own, so that the
	// target is an answer to it.
	Surface bool
}

// maxFreeTexts bounds how many texts of a window are gathered on either side of
// a target: the nearest ones, since a question stands by its answer.
const maxFreeTexts = 200

// dialog gathers the text that a target may answer to.
func (s *Screen) dialog(node int32) Dialog {
	if surface := s.dialogSurface(node); surface >= 0 {
		d := s.freeTexts(surface, s.Nodes[surface].End, node)
		d.Surface = true
		return d
	}
	first, end := s.windowRange(node)
	return s.freeTexts(first, end, node)
}

// dialogSurface finds the surface that lies over something else and holds the
// node, -1 if there is none.
func (s *Screen) dialogSurface(node int32) int32 {
	root := node
	for p := node; p >= 0; p = s.Nodes[p].Parent {
		root = p
		if p != node && s.isDialogNode(&s.Nodes[p]) {
			return p
		}
	}
	if s.windowIsSmall(s.Nodes[root].Window) || s.hasDialogIDs(root) {
		return root
	}
	return -1
}

// isOnlyAnswer reports whether a dialog holds no other control that says anything.
func (s *Screen) isOnlyAnswer(node int32) bool {
	surface := s.dialogSurface(node)
	if surface < 0 {
		return false
	}
	for i := surface; i < s.Nodes[surface].End; i++ {
		if i != node && s.ownsTouch(i) && !s.holds(i, node) && !s.holds(node, i) && s.firstLabel(i) != "" {
			return false
		}
	}
	return true
}

// isDialogNode recognises the containers that platform and common toolkits use
// for dialogs, and those that are named so and leave part of the display free.
func (s *Screen) isDialogNode(n *Node) bool {
	class, id := classTail(n.Class), idTail(n.ResourceID)
	if strings.Contains(class, "Dialog") || strings.Contains(class, "BottomSheet") ||
		id == "parentPanel" || id == "design_bottom_sheet" {
		return true
	}
	named := strings.Contains(id, "dialog") || strings.Contains(id, "bottom_sheet") || strings.Contains(id, "bottomsheet")
	return named && (s.Height <= 0 || n.Bounds.Height()*10 < s.Height*9)
}

// hasDialogIDs recognises the platform's own dialogs, whose ids survive every
// theme and language.
func (s *Screen) hasDialogIDs(root int32) bool {
	for i := root; i < s.Nodes[root].End; i++ {
		switch s.Nodes[i].ResourceID {
		case "android:id/alertTitle", "android:id/button1":
			return true
		}
	}
	return false
}

// freeTexts gathers the texts of a range of nodes that stand in no control. A
// control that holds the target is a scrim or a card: its texts count.
func (s *Screen) freeTexts(first, end, node int32) Dialog {
	var texts []string
	title, before := -1, -1 // before is how many stand before the target
	for i := first; i < end && (before < 0 || len(texts) < before+maxFreeTexts); {
		n := &s.Nodes[i]
		if i >= node && before < 0 {
			before = len(texts)
		}
		if i == node || s.ownsTouch(i) && !s.holds(i, node) {
			i = n.End
			continue
		}
		if label := n.label(); label != "" && !isToggle(n) && !n.Flags.Has(Invisible) {
			if before < 0 && len(texts) == 2*maxFreeTexts {
				texts = append(texts[:0], texts[maxFreeTexts:]...)
				title -= maxFreeTexts
			}
			if isTitleID(n.ResourceID) && title < 0 {
				title = len(texts)
			}
			texts = append(texts, label)
		}
		i++
	}
	return dialogOf(texts, max(title, -1))
}

// dialogOf tells title, message and the rest apart.
func dialogOf(texts []string, title int) Dialog {
	var d Dialog
	if title < 0 && len(texts) > 1 {
		title = 0
	}
	for i, text := range texts {
		switch {
		case i == title:
			d.Title = text
		case d.Message == "":
			d.Message = text
		default:
			d.More = append(d.More, text)
		}
	}
	return d
}

func (s *Screen) holds(outer, inner int32) bool {
	return inner >= outer && inner < s.Nodes[outer].End
}

func isTitleID(id string) bool {
	tail := idTail(id)
	return tail == "alertTitle" || tail == "title" || strings.HasSuffix(tail, "_title")
}

// firstLabel is the first label in a subtree.
func (s *Screen) firstLabel(node int32) string {
	for i := node; i < s.Nodes[node].End; i++ {
		if label := s.Nodes[i].label(); label != "" {
			return label
		}
	}
	return ""
}

// controlCount counts the nodes in a subtree that take touches, up to a bound.
// Controls inside controls count once.
func (s *Screen) controlCount(node int32, bound int) int {
	count := 0
	for i := node + 1; i < s.Nodes[node].End && count < bound; {
		if s.ownsTouch(i) {
			count++
			i = s.Nodes[i].End
			continue
		}
		i++
	}
	return count
}

// idTail is the entry name of a resource id: what stands after the slash, or
// all of an id without a package (Compose test tags).
func idTail(id string) string { return id[strings.LastIndexByte(id, '/')+1:] }
