package screen

// RowLabels are the labels of the row a node stands in: those of the nearest
// ancestor that is an element of a list or takes touches, without the node's
// own. They tell one Delete button from the next.
func (s *Screen) rowLabels(node int32) []string {
	row := int32(-1)
	for p, up := s.Nodes[node].Parent, 0; p >= 0 && up < maxAncestors; p, up = s.Nodes[p].Parent, up+1 {
		if s.Nodes[p].TakesTouch() || s.inList(p) {
			row = p
			break
		}
	}
	if row < 0 {
		return nil
	}
	var labels []string
	for i := row; i < s.Nodes[row].End && len(labels) < maxLabels; {
		if i == node {
			i = s.Nodes[i].End
			continue
		}
		if label := s.Nodes[i].label(); label != "" {
			labels = append(labels, label)
		}
		i++
	}
	return labels
}

// ordinal is the place of a node among those of its window that are the same
// in class, id and labels, in document order from 0.
func (s *Screen) ordinal(node int32) int {
	first, _ := s.windowRange(node)
	want, ordinal := &s.Nodes[node], 0
	for i := first; i < node; i++ {
		n := &s.Nodes[i]
		if n.Class == want.Class && n.ResourceID == want.ResourceID && n.Text == want.Text &&
			n.Description == want.Description && s.firstLabel(i) == s.firstLabel(node) {
			ordinal++
		}
	}
	return ordinal
}

// heading is the title of the page a node stands on: the first text in the top
// fifth of its window that is neither a control nor a field.
func (s *Screen) heading(node int32) string {
	first, end := s.windowRange(node)
	if first >= end {
		return ""
	}
	window := s.Nodes[first].Bounds
	fold := window.Top + int32(window.Height()/5)
	plain := ""
	for i := first; i < end; i++ {
		n := &s.Nodes[i]
		if n.Text == "" || n.Flags.Has(Password) || i == node || n.Bounds.Empty() || n.Bounds.Bottom > fold || isField(n) || isToggle(n) {
			continue
		}
		if isTitleID(n.ResourceID) || isNameID(n.ResourceID) {
			return n.Text
		}
		if plain == "" && !n.TakesTouch() {
			plain = n.Text
		}
	}
	return plain
}

func isNameID(id string) bool {
	switch idTail(id) {
	case "conversation_contact_name", "contact_name", "name", "conversation_title", "toolbar_title", "action_bar_title":
		return true
	}
	return false
}
