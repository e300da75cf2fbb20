package lab

import (
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/countersign/countersign/risk"
	"github.com/countersign/countersign/screen"
)

// A scene is a page on which an action is held, and what a person would say
// stands on it: which text names the other side, which sums there are, what is
// the row, what the question. It looks at the tree with rules of its own, and at
// nothing that a decision found, so that what the guard overlooks is counted
// against it.
type scene struct {
	page     *page
	target   int      // the id of the control
	control  *element // the control
	category risk.Category

	visible []*element // what can be seen of the control's window
	dialog  *element   // what holds the question that it answers, nil for none
	row     *element   // what holds it and is repeated, nil for none

	question []*element // the texts of the dialog
	inRow    []*element // the labels in the row beside the control's own
	names    []*element // the other side, or the page
	sums     []*element // sums of money that the action is about
	drafts   []*element // fields whose text leaves with it
}

func newScene(p *page, target int, c risk.Category) *scene {
	s := &scene{page: p, target: target, control: p.find(target), category: c}
	for _, e := range s.control.root().all() {
		if e.shown() && p.onDisplay(e) && e.Package != statusBarPackage {
			s.visible = append(s.visible, e)
		}
	}
	s.dialog = s.findDialog()
	s.row = s.findRow()
	s.question = s.textsIn(s.dialog)
	s.inRow = s.findInRow()
	s.names = s.findNames()
	s.sums = s.findSums()
	s.drafts = s.findDrafts()
	return s
}

const statusBarPackage = "com.android.systemui"

// findDialog finds what holds the question: what is named after a dialog or a
// sheet, a window that leaves part of the display free, the platform's own
// questions, and a page with nothing on it but some text and its answers.
func (s *scene) findDialog() *element {
	for e := s.control.up; e.up != nil; e = e.up {
		if dialogName.MatchString(e.Class) || dialogName.MatchString(tail(e.ResourceID)) {
			return e
		}
	}
	root := s.control.root()
	if area(root.Bounds)*10 < s.page.width*s.page.height*8 {
		return root
	}
	controls, texts, fields := 0, 0, 0
	for _, e := range s.visible {
		switch {
		case questionIDs[e.ResourceID]:
			return root
		case e.Flags.Has(screen.Editable):
			fields++
		case e.takesTouch():
			controls++
		case e.text() != "":
			texts++
		}
	}
	if controls <= 3 && texts >= 1 && texts <= 6 && fields == 0 {
		return root
	}
	return nil
}

var (
	dialogName  = regexp.MustCompile(`(?i)dialog|bottom_?sheet|parentPanel|popup_?window`)
	questionIDs = map[string]bool{"android:id/alertTitle": true, "android:id/button1": true, "android:id/message": true}
)

func tail(id string) string { return id[strings.LastIndexByte(id, '/')+1:] }

func area(b screen.Rect) int { return b.Width() * b.Height() }

// textsIn are the texts that stand in an element and in no control.
func (s *scene) textsIn(dialog *element) []*element {
	if dialog == nil {
		return nil
	}
	var texts []*element
	for _, e := range dialog.all() {
		if e.text() != "" && e.shown() && !s.insideControl(e) && !e.Flags.Has(screen.Editable) && e.Package != statusBarPackage {
			texts = append(texts, e)
		}
	}
	return texts
}

// insideControl reports whether an element is a control or stands in one that
// does not hold the target as well.
func (s *scene) insideControl(e *element) bool {
	for ; e != nil && e.up != nil; e = e.up {
		if e == s.control || e.takesTouch() && !e.holds(s.control) {
			return true
		}
	}
	return false
}

// findRow finds what holds the control and is repeated: an element of a list, or
// what stands beside others that hold a control that says the same.
func (s *scene) findRow() *element {
	for e := s.control; e.up != nil && e.up.up != nil; e = e.up {
		if isList(e.up) && len(e.up.kids) > 1 {
			return e
		}
		for _, sibling := range e.up.kids {
			if sibling != e && e != s.control && holdsTwin(sibling, s.control) {
				return e
			}
		}
	}
	return nil
}

// holdsTwin reports whether a control of the same kind that says the same stands
// in an element.
func holdsTwin(e, t *element) bool {
	return !e.walk(func(x *element) bool { return !x.alike(t) || x.says() != t.says() })
}

// alike reports whether an element is of the same kind as another.
func (e *element) alike(t *element) bool {
	return e.Class == t.Class && e.ResourceID == t.ResourceID && e.takesTouch() == t.takesTouch()
}

// says is the first text in an element.
func (e *element) says() string {
	first := ""
	e.walk(func(x *element) bool { first = x.text(); return first == "" })
	return first
}

func (s *scene) findInRow() []*element {
	if s.row == nil || s.row == s.control {
		return nil
	}
	var texts []*element
	for _, e := range s.row.all() {
		if e.text() != "" && e.shown() && !s.control.holds(e) && !e.Flags.Has(screen.Editable) {
			texts = append(texts, e)
		}
	}
	return texts
}

// isList reports whether an element holds rows: by its class, or as the lists of
// toolkits do that draw everything themselves.
func isList(e *element) bool {
	class := e.Class[strings.LastIndexByte(e.Class, '.')+1:]
	lazy := class == "View" && e.Flags.Has(screen.Scrollable) && len(e.kids) >= 3
	return lazy || strings.HasSuffix(class, "RecyclerView") || strings.HasSuffix(class, "ListView") || strings.HasSuffix(class, "GridView")
}

// listAround is the nearest list or scrolling part that holds an element.
func listAround(e *element) *element {
	for e = e.up; e != nil && e.up != nil; e = e.up {
		if isList(e) || e.Flags.Has(screen.Scrollable) {
			return e
		}
	}
	return nil
}

// findNames finds the texts that name the other side, or else the page: what an
// id says is one, else the title, else the topmost text that is in no control.
func (s *scene) findNames() []*element {
	var named, titled []*element
	var top *element
	for _, e := range s.visible {
		name := e.Text // a description names a picture or a button
		if name == "" || s.control.holds(e) || slices.Contains(s.question, e) || fleeting.MatchString(name) || e.Flags.Has(screen.Editable) && e.Text == e.Hint {
			continue
		}
		id, list := tail(e.ResourceID), listAround(e)
		switch {
		case recipientID.MatchString(id):
			named = append(named, e)
		case e.Flags.Has(screen.Editable) || s.insideControl(e) || list != nil && !list.holds(s.control):
		case titleID.MatchString(id):
			titled = append(titled, e)
		case utf8.RuneCountInString(name) > 60 || int(e.Bounds.Top) > s.page.height/4:
		case top == nil || e.Bounds.Top < top.Bounds.Top:
			top = e
		}
	}
	switch {
	case len(named) > 0:
		return named[:min(2, len(named))]
	case len(titled) > 0:
		return titled[:1]
	case top != nil && s.dialog == nil:
		return []*element{top}
	}
	return nil
}

var (
	recipientID = regexp.MustCompile(`(?i)recipient|payee|beneficiary|contact_?name|conversation_?(title|name)|peer_?name|^to$|_to$|chat_?title`)
	titleID     = regexp.MustCompile(`(?i)(^|_)title$|toolbar_title|action_bar_title|entity_header_title|^name$|user_?name$|alertTitle`)
	// fleeting is what changes by itself: a time, a share, a small count.
	fleeting = regexp.MustCompile(`^\s*(\d{1,2}:\d\d(:\d\d)?(\s*[AaPp]\.?[Mm]\.?)?|\d{1,3}(\.\d)?\s*%|\d{1,3}\+?)\s*$`)
	sum      = regexp.MustCompile(`(?:[$€£¥₹₩₽฿₺]|\b(?:USD|EUR|GBP|CHF|JPY|INR|PLN|BRL|RUB|CZK|SEK|NOK|DKK|kr|zł|Rs\.?|R\$))\s?\d|\d\s?(?:[$€£¥₹₩₽฿₺円元원]|(?:USD|EUR|GBP|CHF|JPY|INR|PLN|BRL|RUB|CZK|SEK|NOK|DKK|kr|zł|руб|Kč|lei|Ft)\b)`)
)

// findSums finds the texts with a sum of money: on the control, in its dialog, in
// its row, and for a payment those of the page that stand in no other control
// and in no list.
func (s *scene) findSums() []*element {
	var found []*element
	for _, e := range s.visible {
		if !sum.MatchString(e.text()) || e.Flags.Has(screen.Editable) && e.Text == e.Hint {
			continue
		}
		near := s.control.holds(e) || s.row != nil && s.row.holds(e) || s.dialog != nil && s.dialog.holds(e)
		if near || s.category == risk.Money && s.dialog == nil && !s.insideControl(e) && listAround(e) == nil {
			found = append(found, e)
		}
	}
	return found
}

func (s *scene) findDrafts() []*element {
	switch s.category {
	case risk.Message, risk.Publish, risk.Share, risk.Submit, risk.Money, risk.Call, risk.Account, risk.Credential, risk.Other:
	default:
		return nil
	}
	var found []*element
	for _, e := range s.visible {
		if e.Flags.Has(screen.Editable) && !e.Flags.Has(screen.Password) && e != s.control &&
			e.Text != "" && e.Text != e.Hint && (e.Hint != "" || e.Text != e.Description) {
			found = append(found, e)
		}
	}
	return found
}

// ownLabels are what the control says: itself, and what stands inside it and in
// no control of its own.
func (s *scene) ownLabels() []*element {
	var found []*element
	for _, e := range s.control.all() {
		inner := false
		for up := e; up != s.control; up = up.up {
			inner = inner || up.Flags&(screen.Clickable|screen.LongClickable|screen.Editable) != 0
		}
		if !inner && e.text() != "" && !e.Flags.Has(screen.Invisible) {
			found = append(found, e)
		}
	}
	return found
}

// apart reports whether an element belongs to nothing that the action is about:
// it is not the control, nor in its row or dialog, and names no one and no sum.
func (s *scene) apart(e *element) bool {
	for _, part := range []*element{s.control, s.row, s.dialog} {
		if part != nil && (part.holds(e) || e.holds(part)) {
			return false
		}
	}
	return !s.holdsFact(e)
}

// holdsFact reports whether something in an element names the other side, a sum
// or a draft.
func (s *scene) holdsFact(e *element) bool {
	for _, facts := range [][]*element{s.names, s.sums, s.drafts} {
		if slices.ContainsFunc(facts, e.holds) {
			return true
		}
	}
	return false
}
