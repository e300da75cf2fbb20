package phone

import (
	"image"
	"slices"
)

// window is a window of the screen with what is in it.
type window struct {
	screen  *activity
	kind    string
	title   string
	layer   int
	bounds  image.Rectangle
	root    *view
	focused bool
	secure  bool
	// modal takes every touch in an area, its task's part of the display, that no
	// window over it takes.
	modal bool
	area  image.Rectangle
	// covered is not shown to accessibility: a modal window is over it.
	covered bool
}

// Heights of the bars and the keyboard, in dp.
const (
	statusHeight     = 24
	navigationHeight = 48
	keyboardHeight   = 240
)

// changed says that the screen has to be built anew before it is looked at.
func (p *Phone) changed() { p.windows = nil }

// frame is the windows of the screen, the topmost last.
func (p *Phone) frame() []*window {
	if p.windows != nil {
		return p.windows
	}
	var all []*window
	area := p.display()
	board := p.board()
	if other := p.otherHalf(); other != nil {
		upper, lower := area, area
		upper.Max.Y = area.Min.Y + area.Dy()/2
		lower.Min.Y = upper.Max.Y
		all = append(p.taskWindows(p.beside, lower, board), p.taskWindows(other, upper, board)...)
	} else {
		all = p.taskWindows(p.front(), area, board)
	}
	if board != nil {
		all = append(all, board)
	}
	if p.shade != nil {
		w := p.appWindow(p.shade, area, p.free(area))
		w.modal, w.area = true, area
		all = append(all, w)
	}
	p.giveFocus(all)
	all = append(all, p.barWindows(area)...)
	for i, w := range all {
		w.layer = i
		for _, below := range all[:i] {
			below.covered = below.covered || w.modal && below.area.In(w.area)
		}
	}
	p.windows = all
	return all
}

// otherHalf is the task above the one beside it on a split screen, nil where
// the screen is not split.
func (p *Phone) otherHalf() *task {
	if !slices.Contains(p.tasks, p.beside) {
		return nil
	}
	for i := len(p.tasks) - 1; i >= 0; i-- {
		if p.tasks[i] != p.beside {
			return p.tasks[i]
		}
	}
	return nil
}

// giveFocus gives the focus to the topmost window of the task in front.
func (p *Phone) giveFocus(all []*window) {
	top := p.top()
	for _, w := range all {
		w.focused = w.screen == top
	}
}

// taskWindows are the windows of the topmost screens of a task, down to the
// first that fills its part of the display.
func (p *Phone) taskWindows(t *task, area image.Rectangle, board *window) []*window {
	first := len(t.stack) - 1
	for first > 0 && t.stack[first].def.window == "dialog" {
		first--
	}
	var list []*window
	for _, act := range t.stack[first:] {
		free := p.free(area)
		if board != nil && act == t.top() {
			free.Max.Y = min(free.Max.Y, max(free.Min.Y, board.bounds.Min.Y))
		}
		if act.def.window == "dialog" {
			list = append(list, p.dialogWindow(act, free))
		} else {
			list = append(list, p.appWindow(act, area, free))
		}
		list[len(list)-1].area = area
	}
	return list
}

// free is the part of an area between the bars.
func (p *Phone) free(area image.Rectangle) image.Rectangle {
	screen := p.display()
	screen.Min.Y += p.dp(statusHeight)
	screen.Max.Y = max(screen.Min.Y, screen.Max.Y-p.dp(navigationHeight))
	return area.Intersect(screen)
}

// appWindow fills an area; its content lies between the bars and over the
// keyboard.
func (p *Phone) appWindow(act *activity, area, free image.Rectangle) *window {
	part := func(class, id, key string, r image.Rectangle, kids ...*view) *view {
		v := &view{
			def: &nodeDef{class: classes[class]}, screen: act, key: key, class: classes[class], id: id,
			pkg: act.def.pkgOfNodes, full: r, bounds: r, enabled: true, kids: kids,
		}
		for _, k := range kids {
			k.parent = v
		}
		return v
	}
	view := p.layOut(act, free)
	content := part("FrameLayout", "android:id/content", "content", free, view...)
	column := part("LinearLayout", "", "column", area, content)
	root := part("FrameLayout", "", "root", area, column)
	screen, whole := p.display(), p.free(p.display())
	for _, bar := range []struct {
		id string
		r  image.Rectangle
	}{
		{"android:id/statusBarBackground", image.Rect(screen.Min.X, screen.Min.Y, screen.Max.X, whole.Min.Y)},
		{"android:id/navigationBarBackground", image.Rect(screen.Min.X, whole.Max.Y, screen.Max.X, screen.Max.Y)},
	} {
		if r := bar.r.Intersect(area); !r.Empty() {
			back := part("View", bar.id, bar.id, r)
			back.parent = root
			root.kids = append(root.kids, back)
		}
	}
	return p.newWindow(act, area, root)
}

// dialogWindow is as wide as a dialog is, as tall as it needs, and in the middle.
func (p *Phone) dialogWindow(act *activity, free image.Rectangle) *window {
	width := max(0, min(free.Dx()-2*p.dp(24), p.dp(560)))
	b := newBuilder(p, act)
	l := layouter{p.dp, act.scroll}
	inside := b.build(act.def.view, nil, "0", true)
	root := &view{
		def: &nodeDef{layout: "frame"}, screen: act, key: "root", class: classes["FrameLayout"],
		pkg: act.def.pkgOfNodes, enabled: true,
	}
	height := 0
	if inside != nil {
		inside.parent, root.kids = root, []*view{inside}
		height = min(l.height(inside, width), free.Dy())
	}
	r := image.Rect(0, 0, width, height).Add(image.Pt(free.Min.X+(free.Dx()-width)/2, free.Min.Y+(free.Dy()-height)/2))
	l.place(root, r, r)
	w := p.newWindow(act, r, root)
	w.modal = true
	return w
}

// layOut builds a screen and lays it out; nothing where there is nothing.
func (p *Phone) layOut(act *activity, r image.Rectangle) []*view {
	v := newBuilder(p, act).build(act.def.view, nil, "0", true)
	if v == nil {
		return nil
	}
	l := layouter{p.dp, act.scroll}
	l.place(v, r, r)
	return []*view{v}
}

func (p *Phone) newWindow(act *activity, r image.Rectangle, root *view) *window {
	s := &scope{phone: p, app: act.app, screen: act}
	w := &window{
		screen: act, kind: act.def.window, title: s.fill(act.def.title), bounds: r, root: root,
		secure: act.def.secure || p.wrong.SecureScreen,
	}
	if w.title == "" {
		w.title = s.fill(act.app.def.label)
	}
	return w
}

// barWindows are the status bar and the navigation bar.
func (p *Phone) barWindows(area image.Rectangle) []*window {
	free := p.free(area)
	var list []*window
	for _, act := range p.bars {
		r := image.Rect(area.Min.X, area.Min.Y, area.Max.X, free.Min.Y)
		if act.def.name == "navigation" {
			r = image.Rect(area.Min.X, free.Max.Y, area.Max.X, area.Max.Y)
		}
		if views := p.layOut(act, r); len(views) == 1 {
			list = append(list, p.newWindow(act, r, views[0]))
		}
	}
	return list
}

// board is the window of the keyboard where one is up: a field has the focus,
// and the input method that is chosen draws keys.
func (p *Phone) board() *window {
	top := p.top()
	act := p.boards[p.imePackage()]
	if !top.keyboard || act == nil || !act.app.installed {
		return nil
	}
	free := p.free(p.display())
	r := free
	r.Min.Y = max(r.Min.Y, r.Max.Y-min(p.dp(keyboardHeight), free.Dy()/2))
	views := p.layOut(act, r)
	if len(views) == 0 {
		return nil
	}
	w := p.newWindow(act, r, views[0])
	w.title = "InputMethod"
	return w
}

// active is the window that has the focus.
func (p *Phone) active() *window {
	all := p.frame()
	i := slices.IndexFunc(all, func(w *window) bool { return w.focused })
	return all[i]
}
