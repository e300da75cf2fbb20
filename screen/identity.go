package screen

import (
	"slices"
	"strings"
)

// What tells one control from the next when the screen is looked at again: the
// row it stands in, its place among equals, the page, the question and the
// choices around it. Nothing here counts that nobody can see, that belongs to
// the status bar or an advertisement, or that a list shows which the control is
// not in: those change while a person reads.

// seen reports whether a node can be seen on the display.
func (s *Screen) seen(n *Node) bool {
	return !n.Flags.Has(Invisible) && !n.Bounds.Empty() && n.Bounds.Right > 0 && n.Bounds.Bottom > 0 &&
		(s.Width <= 0 || int(n.Bounds.Left) < s.Width) && (s.Height <= 0 || int(n.Bounds.Top) < s.Height)
}

// foreign reports whether a subtree that does not hold a node is no part of its
// page: the status bar inside an app's tree, an advertisement.
func (s *Screen) foreign(i, node int32) bool {
	n := &s.Nodes[i]
	switch {
	case s.Nodes[node].Package != systemUI && (n.Package == systemUI || strings.HasPrefix(n.ResourceID, systemUI+":")):
		return true
	}
	return isAdvert(n)
}

// listRow is the element of the nearest list around a node that the node is in,
// where it spans most of the display and is no taller than a row is. It is false
// where something else that scrolls is around the list: pages that are turned
// look so.
func (s *Screen) listRow(node int32) (Rect, bool) {
	row := node
	for list := s.Nodes[node].Parent; list >= 0; row, list = list, s.Nodes[list].Parent {
		if !s.isList(list) {
			continue
		}
		b := s.Nodes[row].Bounds
		for p := s.Nodes[list].Parent; p >= 0; p = s.Nodes[p].Parent {
			if s.Nodes[p].Flags.Has(Scrollable) {
				return b, false
			}
		}
		return b, s.wide(b) && b.Height()*2 <= b.Width()
	}
	return Rect{}, false
}

// isList reports whether a node holds rows: by its class, or because it scrolls
// and several of its children can be pressed. A page that scrolls is no list.
func (s *Screen) isList(i int32) bool {
	n := &s.Nodes[i]
	if isListClass(n.Class) {
		return true
	}
	rows := 0
	if n.Flags.Has(Scrollable) && !isWebView(n.Class) && !strings.HasSuffix(n.Class, "ScrollView") {
		for k, looked := i+1, 0; k < n.End && rows < 3 && looked < maxRowsLooked; k, looked = s.Nodes[k].End, looked+1 {
			if s.ownsTouch(k) {
				rows++
			}
		}
	}
	return rows >= 3
}

// maxRowsLooked is how many children are looked at to tell a list by its rows.
const maxRowsLooked = 32

// isListClass recognises the containers of rows.
func isListClass(class string) bool {
	class = classTail(class)
	return strings.HasSuffix(class, "ListView") || strings.HasSuffix(class, "RecyclerView") ||
		strings.HasSuffix(class, "GridView") || class == "List"
}

// isAdvert recognises the containers that advertising kits put on a page.
func isAdvert(n *Node) bool {
	if strings.HasSuffix(n.Class, "AdView") || strings.HasSuffix(n.Class, "BannerAd") {
		return true
	}
	id := idTail(n.ResourceID)
	if !holdsAd(id) {
		return false
	}
	id = strings.ToLower(id)
	return id == "ad" || id == "ads" || strings.HasPrefix(id, "ad_") || strings.HasPrefix(id, "ads_") ||
		strings.HasSuffix(id, "_ad") || strings.Contains(id, "_ad_") || strings.Contains(id, "advert") || strings.Contains(id, "adview")
}

// holdsAd reports whether the letters stand in an id at all, large or small:
// most have none, and every node is looked at.
func holdsAd(id string) bool {
	for i := 1; i < len(id); i++ {
		if id[i]|0x20 == 'd' && id[i-1]|0x20 == 'a' {
			return true
		}
	}
	return false
}

// fleeting reports whether a text is one that changes by itself: a time of day
// or of play, a share of a hundred, a count of up to three digits.
func fleeting(text string) bool {
	text = strings.TrimSpace(text)
	digits, colons, i := 0, 0, 0
	for ; i < len(text) && (text[i] >= '0' && text[i] <= '9' || text[i] == ':' || text[i] == '.'); i++ {
		switch text[i] {
		case ':':
			colons++
		case '.':
		default:
			digits++
		}
	}
	if digits == 0 || i > len("00:00:00") {
		return false
	}
	switch rest := strings.TrimSpace(text[i:]); {
	case colons > 0:
		return rest == "" || strings.EqualFold(rest, "am") || strings.EqualFold(rest, "pm")
	default:
		return rest == "%" || digits <= 3 && (rest == "" || rest == "+")
	}
}

// row is the element that a node stands in and that is repeated or pressed as a
// whole, -1 for none: an element of a list, what stands beside others that hold
// a control of the same kind, a control around it that is no page.
func (s *Screen) row(node int32) int32 {
	first, _ := s.windowRange(node)
	page := s.Nodes[first].Bounds.area()
	for c, up := node, 0; up < maxAncestors && s.Nodes[c].Parent >= 0; c, up = s.Nodes[c].Parent, up+1 {
		p, n := s.Nodes[c].Parent, &s.Nodes[c]
		several := c > p+1 || n.End < s.Nodes[p].End
		switch {
		case several && s.isList(p):
			return c
		case c == node || n.Bounds.area()*20 > page*17:
		case n.TakesTouch() && n.Bounds.area()*2 < page, several && s.hasTwin(c, node):
			return c
		}
	}
	return -1
}

func (r Rect) area() int { return r.Width() * r.Height() }

// hasTwin reports whether a sibling of an ancestor holds a control like the node.
func (s *Screen) hasTwin(c, node int32) bool {
	p, says := s.Nodes[c].Parent, s.firstLabel(node)
	for i := p + 1; i < s.Nodes[p].End; i++ {
		if i == c {
			i = s.Nodes[c].End - 1
			continue
		}
		if s.alike(i, node, says) {
			return true
		}
	}
	return false
}

// alike reports whether a node is the same as another in class, id and labels;
// says is the first label of the other.
func (s *Screen) alike(i, node int32, says string) bool {
	n, want := &s.Nodes[i], &s.Nodes[node]
	return n.Class == want.Class && n.ResourceID == want.ResourceID && n.Text == want.Text &&
		n.Description == want.Description && n.TakesTouch() == want.TakesTouch() && s.seen(n) && s.firstLabel(i) == says
}

// rowLabels are the labels of the row a node stands in, without the node's own.
func (s *Screen) rowLabels(node int32) []string {
	row := s.row(node)
	if row < 0 || row == node {
		return nil
	}
	var labels []string
	for i := row; i < s.Nodes[row].End && len(labels) < maxLabels; {
		if i == node {
			i = s.Nodes[i].End
			continue
		}
		if label := s.Nodes[i].label(); label != "" && s.seen(&s.Nodes[i]) {
			labels = append(labels, label)
		}
		i++
	}
	return labels
}

// maxAlike is how many controls that look the same are told apart by their rows;
// of more, the place among all of them counts.
const maxAlike = 32

// ordinal is the place of a node among those of its window that are the same in
// class, id and labels and stand in rows that say the same, in document order
// from 0.
func (s *Screen) ordinal(node int32) int {
	first, _ := s.windowRange(node)
	ordinal, compared, says := 0, 0, s.firstLabel(node)
	var row []string
	for i := first; i < node; i++ {
		if !s.alike(i, node, says) {
			continue
		}
		if compared == 0 {
			row = s.rowLabels(node)
		}
		if compared++; compared > maxAlike || slices.Equal(row, s.rowLabels(i)) {
			ordinal++
		}
	}
	return ordinal
}

// beneath is the first node of the app's own window that a node's dialog lies
// over, -1 where there is none.
func (s *Screen) beneath(node int32) int32 {
	w := s.Nodes[node].Window
	if !s.windowIsSmall(w) {
		return -1
	}
	for i := w - 1; i >= 0; i-- {
		b := &s.Windows[i]
		if b.Kind == AppWindow && b.First < b.End && b.Display == s.Windows[w].Display && b.Package == s.Windows[w].Package {
			return b.First
		}
	}
	return -1
}

// inTitleBar reports whether a node stands in a bar or header of its page.
func (s *Screen) inTitleBar(n *Node) bool {
	for p, up := n.Parent, 0; p >= 0 && up < 4; p, up = s.Nodes[p].Parent, up+1 {
		name := strings.ToLower(classTail(s.Nodes[p].Class) + " " + idTail(s.Nodes[p].ResourceID))
		for _, bar := range [...]string{"toolbar", "action_bar", "actionbar", "app_bar", "appbar", "header", "title_bar", "titlebar"} {
			if strings.Contains(name, bar) {
				return true
			}
		}
	}
	return false
}

// isNameID reports whether an id is that of the name of the other side.
func isNameID(id string) bool {
	tail := idTail(id)
	switch tail {
	case "name", "toolbar_title", "action_bar_title":
		return true
	}
	for _, part := range [...]string{"contact_name", "conversation_title", "conversation_name", "recipient", "payee", "beneficiary"} {
		if strings.Contains(tail, part) {
			return true
		}
	}
	return false
}
