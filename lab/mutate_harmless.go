package lab

import (
	"regexp"
	"strings"

	"github.com/countersign/countersign/screen"
)

// The kinds of change that do not matter: the screen lives on while a person
// reads the question.
const (
	changeClock     = "clock"
	changeBattery   = "battery and notifications"
	changeProgress  = "progress"
	changeCounter   = "counter elsewhere"
	changeScroll    = "other content scrolled"
	changeRowMore   = "rows added elsewhere"
	changeRowLess   = "row removed elsewhere"
	changeRowText   = "text of another row"
	changeOrder     = "others re-ordered"
	changeJitter    = "a few pixels"
	changeFocus     = "focus elsewhere"
	changeKeyboard  = "keyboard closed"
	changeAdvert    = "advertisement"
	changeInvisible = "invisible nodes"
)

// harmlessChanges are all changes of a scene that do not matter.
func (s *scene) harmlessChanges() []mutant {
	var list []mutant
	list = append(list, s.statusBar()...)
	list = append(list, s.progress()...)
	list = append(list, s.counters()...)
	list = append(list, s.lists()...)
	list = append(list, s.order()...)
	list = append(list, s.jitter()...)
	list = append(list, s.focus()...)
	list = append(list, s.keyboard()...)
	list = append(list, s.adverts()...)
	return append(list, s.invisible()...)
}

// change changes texts of one tree, which is the same before but for those.
func (s *scene) change(kind string, base *page, id int, is string) mutant {
	m := mutant{kind: kind, base: base, fresh: base.copy(), lands: s.target}
	e := m.fresh.find(id)
	m.was, m.is = e.text(), is
	e.say(is)
	return m
}

var (
	clockText    = regexp.MustCompile(`^\s*\d{1,2}:\d\d(\s*[AaPp]\.?[Mm]\.?)?\s*$`)
	progressText = regexp.MustCompile(`^\s*(\d{1,3}(\.\d)?\s*%|\d{1,2}:\d\d(:\d\d)?)\s*$`)
	counterText  = regexp.MustCompile(`^\s*\d{1,3}\+?\s*$`)
	batteryText  = regexp.MustCompile(`(?i)battery|percent|notification|signal|充電|電池|电量`)
)

// statusBar lets the clock go on and the battery go down: in the status bar as
// it stands there, in one of its own window, and in one inside the app's tree.
func (s *scene) statusBar() []mutant {
	var list []mutant
	s.page.top.walk(func(e *element) bool {
		bar := e.Package == statusBarPackage || strings.HasPrefix(e.ResourceID, statusBarPackage)
		switch {
		case !bar || s.control.root().Package == statusBarPackage || !s.apart(e):
		case clockText.MatchString(e.text()) && len(list) < 2:
			list = append(list, s.change(changeClock, s.page, e.id, otherSum(e.text())))
		case batteryText.MatchString(e.text()) && len(list) < 6:
			list = append(list, s.change(changeBattery, s.page, e.id, otherSum(e.text())+" more"))
		}
		return true
	})
	w := int32(s.page.width)
	for _, inside := range []bool{false, true} {
		if inside && s.dialog != nil {
			continue // a status bar stands in no dialog
		}
		base := s.page.copy()
		up := &base.top
		if inside {
			up = base.find(s.control.root().id)
		}
		strip := screen.Rect{Right: w, Bottom: 50}
		clock := plain(statusBarPackage, "TextView", "9:59", screen.Rect{Left: 20, Top: 5, Right: 120, Bottom: 45})
		clock.ResourceID, clock.Description = statusBarPackage+":id/clock", "9:59"
		battery := plain(statusBarPackage, "LinearLayout", "", screen.Rect{Left: w - 120, Top: 5, Right: w - 20, Bottom: 45})
		battery.ResourceID, battery.Description = statusBarPackage+":id/battery", "Battery 81 percent."
		bar := base.add(up, 0, plain(statusBarPackage, "FrameLayout", "", strip), clock, battery)
		list = append(list, s.change(changeClock, base, bar.kids[0].id, "10:00"), s.change(changeBattery, base, bar.kids[1].id, "Battery 80 percent."))
	}
	return list
}

// progress moves on what plays or loads.
func (s *scene) progress() []mutant {
	var list []mutant
	for _, e := range s.visible {
		bar := strings.HasSuffix(e.Class, "ProgressBar") || strings.HasSuffix(e.Class, "SeekBar")
		if s.apart(e) && (bar && e.text() != "" || progressText.MatchString(e.text())) && len(list) < 3 {
			list = append(list, s.change(changeProgress, s.page, e.id, nudged(e.text())))
		}
	}
	for _, first := range []bool{false, true} {
		if base, at := s.with(first, 40, func(pkg string, b screen.Rect) []screen.Node {
			bar := plain(pkg, "ProgressBar", "45.0", b)
			bar.ResourceID = pkg + ":id/progress"
			return []screen.Node{bar, plain(pkg, "TextView", "45 %", screen.Rect{Left: b.Left, Top: b.Top, Right: b.Left + 100, Bottom: b.Bottom})}
		}); at != nil {
			list = append(list, s.change(changeProgress, base, at.kids[0].id, "46.0"), s.change(changeProgress, base, at.kids[1].id, "46 %"))
		}
	}
	return list
}

// with is the page with a container of other things added to the control's
// window, first or last in the document, and that container; nil where there is
// no room for it outside the dialog.
func (s *scene) with(first bool, height int32, inside func(pkg string, b screen.Rect) []screen.Node) (*page, *element) {
	b, ok := s.band(height)
	if !ok || s.dialog != nil {
		return nil, nil
	}
	base, pkg := s.page.copy(), s.control.Package
	root := base.find(s.control.root().id)
	place := len(root.kids)
	if first {
		place = 0
	}
	return base, base.add(root, place, plain(pkg, "FrameLayout", "", b), inside(pkg, b)...)
}

// counters count up what is unread somewhere else.
func (s *scene) counters() []mutant {
	var list []mutant
	for _, e := range s.visible {
		if s.apart(e) && counterText.MatchString(e.text()) && len(list) < 3 {
			list = append(list, s.change(changeCounter, s.page, e.id, nudged(e.text())))
		}
	}
	for _, first := range []bool{false, true} {
		if base, at := s.with(first, 60, func(pkg string, b screen.Rect) []screen.Node {
			tab := plain(pkg, "FrameLayout", "", screen.Rect{Left: b.Left, Top: b.Top, Right: b.Right / 3, Bottom: b.Bottom})
			tab.Description, tab.Flags = "Inbox, 3 unread", screen.Clickable
			badge := plain(pkg, "TextView", "3", screen.Rect{Left: b.Right / 4, Top: b.Top, Right: b.Right / 3, Bottom: b.Top + 20})
			badge.ResourceID = pkg + ":id/badge"
			return []screen.Node{tab, badge}
		}); at != nil {
			list = append(list, s.change(changeCounter, base, at.kids[0].id, "Inbox, 4 unread"), s.change(changeCounter, base, at.kids[1].id, "4"))
		}
	}
	return list
}

// lists scroll what is listed elsewhere, and let rows come and go there.
func (s *scene) lists() []mutant {
	var list []mutant
	for _, e := range s.visible {
		if (isList(e) || e.Flags.Has(screen.Scrollable)) && s.apart(e) && len(list) < 8 {
			list = append(list, s.listChanges(s.page, e)...)
		}
	}
	for _, first := range []bool{false, true} {
		if base, at := s.with(first, 120, func(string, screen.Rect) []screen.Node { return nil }); at != nil {
			at.Class, at.Flags = "androidx.recyclerview.widget.RecyclerView", screen.Scrollable
			for i, text := range []string{"Lena: see you at 8", "Group of nine", "Old letters"} {
				b := at.Bounds
				b.Top, b.Bottom = b.Top+int32(i)*40, b.Top+int32(i)*40+40
				row := plain(at.Package, "LinearLayout", "", b)
				row.Flags = screen.Clickable
				base.add(at, i, row, plain(at.Package, "TextView", text, b))
			}
			list = append(list, s.listChanges(base, at)...)
		}
	}
	return append(list, s.ownList()...)
}

func (s *scene) listChanges(base *page, at *element) []mutant {
	var list []mutant
	on := func(kind string, change func(p *page, at *element)) {
		m := mutant{kind: kind, base: base, fresh: base.copy(), lands: s.target}
		change(m.fresh, m.fresh.find(at.id))
		list = append(list, m)
	}
	on(changeScroll, func(_ *page, at *element) {
		for _, kid := range at.kids {
			kid.shift(0, -17)
		}
	})
	if len(at.kids) < 2 || !isList(at) {
		return list // what stands on a page that scrolls is no row
	}
	on(changeRowMore, func(p *page, at *element) {
		for _, e := range p.twin(at.kids[len(at.kids)-1]).all() {
			if e.text() != "" {
				e.say("One more " + e.text())
			}
		}
	})
	on(changeRowMore, func(p *page, at *element) {
		c := p.twin(at.kids[0])
		at.kids[0], at.kids[1] = at.kids[1], at.kids[0]
		for _, e := range c.all() {
			if e.text() != "" {
				e.say("A new " + e.text())
			}
		}
	})
	on(changeRowLess, func(_ *page, at *element) { at.kids[0].drop() })
	on(changeRowText, func(_ *page, at *element) {
		for _, e := range at.kids[0].all() {
			if e.text() != "" {
				e.say(otherText)
				break
			}
		}
	})
	return list
}

// ownList lets rows come and go, and change, in the list that the control's row
// is part of.
func (s *scene) ownList() []mutant {
	row := s.row
	if row == nil || s.dialog != nil {
		return nil
	}
	var list []mutant
	place, rows := row.place(), row.up.kids
	for i, sibling := range rows {
		if i == place || s.holdsFact(sibling) || len(list) >= 4 || !holdsTwin(sibling, s.control) {
			continue
		}
		list = append(list, s.mutate(changeRowLess, false, func(p *page) { p.find(sibling.id).drop() }))
		list = append(list, s.mutate(changeRowMore, false, func(p *page) {
			for _, e := range p.twin(p.find(sibling.id)).all() {
				if e.text() != "" {
					e.say("One more " + e.text())
				}
				e.Bounds = screen.Rect{Top: int32(s.page.height) - 2, Bottom: int32(s.page.height) - 1, Right: 1}
			}
		}))
	}
	return list
}

// order swaps two neighbours that are apart from the action, in the document
// and on the display.
func (s *scene) order() []mutant {
	var list []mutant
	for _, e := range s.visible {
		if len(list) == 3 {
			break
		}
		i := e.place()
		if i+1 >= len(e.up.kids) || !s.apart(e) || !s.apart(e.up.kids[i+1]) || e.up.kids[i+1].Bounds.Empty() {
			continue
		}
		list = append(list, s.mutate(changeOrder, false, func(p *page) {
			kids := p.find(e.id).up.kids
			dx, dy := centre(kids[i].Bounds, kids[i+1].Bounds)
			kids[i].shift(dx, dy)
			kids[i+1].shift(-dx, -dy)
			kids[i], kids[i+1] = kids[i+1], kids[i]
		}))
	}
	return list
}

// jitter moves everything by a few pixels, together and each by itself.
func (s *scene) jitter() []mutant {
	var list []mutant
	for _, d := range [][2]int32{{0, 3}, {0, -4}, {2, 0}} {
		list = append(list, s.mutate(changeJitter, false, func(p *page) {
			for _, kid := range p.find(s.target).root().kids {
				kid.shift(d[0], d[1])
			}
		}))
	}
	return append(list, s.mutate(changeJitter, false, func(p *page) {
		for i, e := range p.find(s.target).root().all() {
			if !e.Bounds.Empty() && e.up.up != nil {
				e.Bounds.Top += int32(i % 3)
				e.Bounds.Bottom += int32(i % 3)
			}
		}
	}))
}

// focus moves the focus to something else that can have it.
func (s *scene) focus() []mutant {
	var list []mutant
	if overApps(s.control.root()) {
		return nil // the focus stays in the app
	}
	for _, e := range s.visible {
		if len(list) == 2 {
			break
		}
		if e.id == s.target || !e.takesTouch() || e.Flags.Has(screen.Focused) {
			continue
		}
		list = append(list, s.mutate(changeFocus, false, func(p *page) {
			for _, x := range p.top.all() {
				x.Flags &^= screen.Focused
			}
			p.find(e.id).Flags |= screen.Focused
		}))
	}
	return list
}

// keyboard is the app with a keyboard over its lower part, which closes.
func (s *scene) keyboard() []mutant {
	b := screen.Rect{Left: 0, Top: int32(s.page.height) * 6 / 10, Right: int32(s.page.width), Bottom: int32(s.page.height)}
	_, y := s.control.Bounds.Center()
	if int32(y) >= b.Top {
		return nil
	}
	const pkg = "com.google.android.inputmethod.latin"
	base := s.page.copy()
	key := plain(pkg, "FrameLayout", "", screen.Rect{Left: b.Left, Top: b.Top + 100, Right: 100, Bottom: b.Bottom})
	key.Description, key.Flags = "q", screen.Clickable
	base.add(&base.top, 0, plain(pkg, "FrameLayout", "", b), key)
	return []mutant{{kind: changeKeyboard, base: base, fresh: s.page.copy(), lands: s.target}}
}

// adverts change what is advertised on the page: in a container that is named
// so, on a card that can be pressed, and as bare texts.
func (s *scene) adverts() []mutant {
	var list []mutant
	for _, kind := range []string{"named", "card", "bare"} {
		for _, first := range []bool{false, true} {
			base, at := s.with(first, 80, func(pkg string, b screen.Rect) []screen.Node {
				return []screen.Node{plain(pkg, "TextView", "Shoes for the summer", b), plain(pkg, "TextView", "Only 19.99 €", b)}
			})
			if at == nil || kind == "bare" && (first || at.Bounds.Top < s.control.Bounds.Top) {
				continue // a bare text above the control is part of the page to anybody
			}
			switch kind {
			case "named":
				at.Class, at.ResourceID = "com.google.android.gms.ads.AdView", at.Package+":id/ad_view"
			case "card":
				at.Flags |= screen.Clickable
				at.Description = "Sponsored"
			}
			m := s.change(changeAdvert, base, at.kids[0].id, "Fly to Rome tonight")
			m.fresh.find(at.kids[1].id).say("from 79.00 €")
			list = append(list, m)
		}
	}
	return list
}

// invisible adds what nobody can see: hidden, without an area, off the display.
func (s *scene) invisible() []mutant {
	var list []mutant
	for _, first := range []bool{false, true} {
		for _, how := range []string{"hidden", "no area", "beside the display"} {
			if how == "beside the display" && !s.page.sized {
				continue
			}
			m := s.mutate(changeInvisible, false, func(p *page) {
				t := p.find(s.target)
				root := t.root()
				n := plain(t.Package, "TextView", "Nobody sees 500 €", root.Bounds)
				switch how {
				case "hidden":
					n.Flags |= screen.Invisible
				case "no area":
					n.Bounds = screen.Rect{Left: 10, Top: 10, Right: 10, Bottom: 10}
				default:
					n.Bounds = screen.Rect{Left: int32(p.width) + 10, Top: 10, Right: int32(p.width) + 200, Bottom: 60}
				}
				place := len(root.kids)
				if first {
					place = 0
				}
				p.add(root, place, n)
			})
			list = append(list, m)
		}
	}
	return list
}
