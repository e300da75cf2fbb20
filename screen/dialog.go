package screen

import "strings"

// A Dialog is the text a target answers to: the question above two buttons, or
// the heading of the panel that a button closes.
type Dialog struct {
	Title   string
	Message string
	// Surface says that the text stands on a surface of its own (a dialog, a
	// sheet, a popup, a page with nothing else on it), so that the target is an
	// answer to it. Otherwise it is the heading of the panel around the target.
	Surface bool
	// Page says that the surface is a whole page with hardly anything on it.
	Page bool
	// Buttons are the labels of the other controls on the surface.
	Buttons []string
}

// Present reports whether there is any text.
func (d *Dialog) Present() bool { return d.Title != "" || d.Message != "" }

const (
	maxDialogTexts   = 8
	maxDialogButtons = 6
	// A page with so few things on it is one question.
	sparseControls = 4
	sparseLabels   = 12
	// A panel with more controls than this is a page, and its text no heading.
	panelControls = 4
)

// dialog finds the text that a target answers to.
func (s *Screen) dialog(node int32) Dialog {
	if surface := s.dialogSurface(node); surface >= 0 {
		d := s.textsOf(surface, node)
		d.Surface = true
		d.Page = !s.overlaid(surface)
		return d
	}
	return s.panel(node)
}

// overlaid reports whether a surface lies over something else.
func (s *Screen) overlaid(surface int32) bool {
	return isDialogNode(&s.Nodes[surface]) || s.windowIsSmall(s.Nodes[surface].Window) || s.hasDialogIDs(surface)
}

// dialogSurface finds the ancestor that is a surface of its own, -1 if none.
func (s *Screen) dialogSurface(node int32) int32 {
	root := node
	for p := node; p >= 0; p = s.Nodes[p].Parent {
		root = p
		if p != node && isDialogNode(&s.Nodes[p]) {
			return p
		}
	}
	if s.windowIsSmall(s.Nodes[root].Window) || s.hasDialogIDs(root) || s.sparse(root) {
		return root
	}
	return -1
}

// isDialogNode recognises the containers that platform and common toolkits use.
func isDialogNode(n *Node) bool {
	class := classTail(n.Class)
	if strings.Contains(class, "Dialog") || strings.Contains(class, "BottomSheet") {
		return true
	}
	id := idTail(n.ResourceID)
	return id == "parentPanel" || id == "design_bottom_sheet" ||
		strings.Contains(id, "dialog") || strings.Contains(id, "bottom_sheet")
}

// hasDialogIDs recognises the platform's own dialogs, whose ids survive every
// theme and language: alertTitle, message, button1 to button3.
func (s *Screen) hasDialogIDs(root int32) bool {
	for i := root; i < s.Nodes[root].End; i++ {
		switch s.Nodes[i].ResourceID {
		case "android:id/alertTitle", "android:id/button1":
			return true
		}
	}
	return false
}

// sparse reports whether a page holds one text at least and hardly anything
// else, as full-screen questions do.
func (s *Screen) sparse(root int32) bool {
	controls, texts, labels := 0, 0, 0
	for i := root; i < s.Nodes[root].End; i++ {
		n := &s.Nodes[i]
		if n.Flags.Has(Scrollable) && n.End-i > 40 {
			return false
		}
		labelled := n.label() != ""
		if labelled {
			labels++
		}
		switch {
		case n.Flags.Has(Editable) || strings.HasSuffix(n.Class, "EditText"):
			return false // a form, not a question
		case n.TakesTouch() && !n.Bounds.Empty():
			controls++
		case labelled:
			texts++
		}
		if controls > sparseControls || labels > sparseLabels {
			return false
		}
	}
	return texts > 0
}

// textsOf gathers title, message and the other controls of a surface.
func (s *Screen) textsOf(surface, node int32) Dialog {
	var d Dialog
	var texts [maxDialogTexts]string
	count, title := 0, -1
	for i := surface; i < s.Nodes[surface].End; {
		n := &s.Nodes[i]
		if s.ownsTouch(i) {
			if label := s.firstLabel(i); label != "" && i != node && len(d.Buttons) < maxDialogButtons {
				d.Buttons = append(d.Buttons, label)
			}
			// A clickable scrim or card may hold the whole dialog: look inside.
			if !s.holds(i, node) {
				i = n.End
				continue
			}
		}
		if label := n.label(); label != "" && i != node && count < maxDialogTexts && !isToggle(n) {
			if isTitleID(n.ResourceID) && title < 0 {
				title = count
			}
			texts[count] = label
			count++
		}
		i++
	}
	if title < 0 && count > 1 {
		title = 0
	}
	for i, text := range texts[:count] {
		switch {
		case i == title:
			d.Title = text
		case d.Message == "":
			d.Message = text
		default:
			d.Message += "\n" + text
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

// panel finds the heading of the smallest group around the target that has
// text and no more controls than a panel has.
func (s *Screen) panel(node int32) Dialog {
	for p, up := s.Nodes[node].Parent, 0; p >= 0 && up < maxAncestors; p, up = s.Nodes[p].Parent, up+1 {
		if s.controlCount(p, panelControls+1) > panelControls {
			return Dialog{}
		}
		if d := s.textsOf(p, node); d.Present() {
			return d
		}
	}
	return Dialog{}
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
