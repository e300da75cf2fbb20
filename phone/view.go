package phone

import (
	"image"
	"strconv"
	"strings"
)

// view is a node on the screen: what its data says, filled in and laid out.
type view struct {
	def    *nodeDef
	screen *activity
	row    *row
	parent *view
	kids   []*view
	// key names the node as long as its screen is open.
	key string

	class, id, text, desc, hint string
	pkg                         string

	full   image.Rectangle // all of it
	bounds image.Rectangle // what can be seen of it

	clickable, longClickable, checkable, checked, enabled bool
	focusable, focused, scrollable, password, selected    bool
	editable                                              bool
	showsHint                                             bool
	// percent is how far a slider is.
	percent int
	// content is how tall what scrolls is inside.
	content int
}

// builder makes the views of one screen.
type builder struct {
	phone  *Phone
	screen *activity
	made   *int // views so far
}

// maxViews is how many a screen has at most: lists within lists within lists
// would soon be without end.
const maxViews = 5000

func newBuilder(p *Phone, act *activity) builder { return builder{p, act, new(int)} }

func (b builder) scope(r *row) *scope {
	return &scope{phone: b.phone, app: b.screen.app, screen: b.screen, row: r}
}

// build makes the view of a node and of all in it, nil where it is not shown.
func (b builder) build(d *nodeDef, r *row, key string, enabled bool) *view {
	s := b.scope(r)
	if *b.made++; *b.made > maxViews || !d.shown.holds(s) {
		return nil
	}
	v := &view{
		def: d, screen: b.screen, row: r, key: key, class: d.class, id: d.id,
		pkg: b.screen.def.pkgOfNodes, text: s.fill(d.text), desc: s.fill(d.desc), hint: s.fill(d.hint),
		enabled: enabled && d.enabled.holds(s),
	}
	b.state(v, s)
	for i, kid := range d.kids {
		b.buildKid(v, kid, r, key+"."+strconv.Itoa(i))
	}
	return v
}

// buildKid makes one view of a child, or one for each row of its list.
func (b builder) buildKid(parent *view, d *nodeDef, r *row, key string) {
	add := func(kid *view) {
		if kid != nil {
			kid.parent = parent
			parent.kids = append(parent.kids, kid)
		}
	}
	if d.each == "" {
		add(b.build(d, r, key, parent.enabled))
		return
	}
	for _, each := range b.phone.rowsOf(b.screen.app, d.each) {
		add(b.build(d, each, key+"["+each.id+"]", parent.enabled))
	}
}

// state sets what a node is by its class, its actions, its variable and what
// its data says against that.
func (b builder) state(v *view, s *scope) {
	d, class := v.def, tail(v.class)
	v.editable = strings.HasSuffix(class, "EditText")
	toggle := strings.HasSuffix(class, "Switch") || strings.HasSuffix(class, "CheckBox") || strings.HasSuffix(class, "RadioButton")
	v.clickable = len(d.tap) > 0 || v.editable || toggle || strings.HasSuffix(class, "Button")
	v.longClickable = len(d.long) > 0 || v.editable
	v.checkable = toggle
	v.focusable = v.clickable || v.longClickable || d.slide != nil || class == "WebView" || class == "SeekBar"
	v.password = d.password
	for name, on := range d.flags {
		switch name {
		case "clickable":
			v.clickable = on
		case "long-clickable":
			v.longClickable = on
		case "checkable":
			v.checkable = on
		case "focusable":
			v.focusable = on
		case "selected":
			v.selected = on
		}
	}
	v.checked = d.checked != nil && d.checked.holds(s)
	v.selected = v.selected || d.chosen != nil && d.chosen.holds(s)
	v.focused = v.screen.focus == v.key
	b.hold(v, s)
}

// hold takes the value of a node's variable.
func (b builder) hold(v *view, s *scope) {
	if v.def.bound == "" {
		return
	}
	value := s.app.variables[v.def.bound]
	switch {
	case v.editable && value == "":
		v.text, v.showsHint = v.hint, v.hint != ""
	case v.editable && v.password:
		v.text = strings.Repeat("•", len([]rune(value)))
	case v.editable:
		v.text = value
	case v.checkable:
		v.checked = value == "true"
	default:
		v.percent, _ = strconv.Atoi(value)
	}
}

// tail is a class name without its package.
func tail(class string) string { return class[strings.LastIndexByte(class, '.')+1:] }

// walk calls for a view and all that are in it, in document order, as long as
// do says so.
func (v *view) walk(do func(*view) bool) bool {
	if !do(v) {
		return false
	}
	for _, k := range v.kids {
		if !k.walk(do) {
			return false
		}
	}
	return true
}

// seen reports whether any of it can be seen.
func (v *view) seen() bool { return !v.bounds.Empty() }
