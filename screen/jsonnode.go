package screen

import (
	"strings"
)

// nodeObject reads a node with its children. Its place in document order is
// that of its opening bracket, wherever its fields stand.
func (r *jsonReader) nodeObject(parent, window int32) error {
	s := r.screen
	if len(s.Nodes) >= r.limits.Nodes {
		return &LimitError{"nodes", r.limits.Nodes}
	}
	index := int32(len(s.Nodes))
	s.Nodes = append(s.Nodes, Node{Parent: parent})
	if parent >= 0 {
		s.Nodes[index].Depth = s.Nodes[parent].Depth + 1
	} else {
		r.layout.addRoot(index, window)
	}
	var rest looseFields
	if err := r.fields(nodeFields, func(field jsonField) error {
		if field == fieldChildren {
			return r.nodes(index, window)
		}
		return r.nodeField(&s.Nodes[index], field, &rest)
	}); err != nil {
		return err
	}
	n := &s.Nodes[index]
	rest.complete(n)
	n.noteEditable()
	n.End = int32(len(s.Nodes))
	return nil
}

// looseFields are the short names that agents use. They count where the proper
// field is empty.
type looseFields struct {
	label, class, id string
	showsHint        bool
}

func (l *looseFields) complete(n *Node) {
	if n.Text == "" {
		n.Text = l.label
	}
	if n.Class == "" {
		n.Class = l.class
	}
	if n.ResourceID == "" {
		n.ResourceID = l.id
	}
	if l.showsHint && n.Hint == "" {
		n.Hint = n.Text
	}
}

// nodeField reads the value of one field.
func (r *jsonReader) nodeField(n *Node, field jsonField, loose *looseFields) (err error) {
	switch field {
	case attrText:
		n.Text, err = r.string()
	case attrDescription:
		n.Description, err = r.string()
	case attrResourceID:
		n.ResourceID, err = r.string()
	case attrClass:
		n.Class, err = r.string()
	case attrPackage:
		n.Package, err = r.string()
	case attrHint:
		n.Hint, err = r.string()
	case fieldLabel:
		loose.label, err = r.string()
	case fieldType:
		loose.class, err = r.string()
	case fieldID:
		if r.peek() != '"' {
			return r.skip() // a number of the agent's own
		}
		loose.id, err = r.string()
	case attrBounds:
		n.Bounds, err = r.rect()
	case attrDrawingOrder:
		n.DrawingOrder, err = r.number()
	case attrInputType:
		var inputType int32
		inputType, err = r.number()
		n.noteInputType(inputType)
	case fieldIMEOptions:
		var options int32
		options, err = r.number()
		const actionMask = 0xff
		n.Flags |= imeActionFlags[options&actionMask]
	case fieldIMEAction:
		err = r.imeAction(n)
	default:
		err = r.nodeFlag(n, field, loose)
	}
	return err
}

func (r *jsonReader) nodeFlag(n *Node, field jsonField, loose *looseFields) error {
	value, err := r.bool()
	switch field {
	case attrEnabled:
		n.setIf(!value, Disabled)
	case attrVisible, attrDisplayed:
		n.setIf(!value, Invisible)
	case attrShowingHint:
		loose.showsHint = value
	default:
		n.setIf(value, flagOf[field])
	}
	return err
}

// imeActionFlags has the actions of android.view.inputmethod.EditorInfo that
// make the keyboard's key do something.
var imeActionFlags = map[int32]Flags{2: IMEGo, 3: IMESearch, 4: IMESend, 6: IMEGo}

// imeActions are the same by name. The others only move the focus.
var imeActions = map[string]Flags{
	"go": IMEGo, "search": IMESearch, "send": IMESend, "done": IMEGo,
	"none": 0, "next": 0, "previous": 0, "unspecified": 0, "default": 0,
}

// imeAction reads the name of an IME action, such as "send", "actionSend" or
// "IME_ACTION_SEND".
func (r *jsonReader) imeAction(n *Node) error {
	name, err := r.string()
	if err != nil {
		return err
	}
	bare := strings.TrimPrefix(strings.TrimPrefix(foldName(name), "ime"), "action")
	flags, ok := imeActions[bare]
	if !ok && bare != "" {
		return r.problem(quoted(name) + " is not one of none, go, search, send, next, done, previous")
	}
	n.Flags |= flags
	return nil
}

func (r *jsonReader) windowKind() (WindowKind, error) {
	name := ""
	if n, ok := r.whole(); ok {
		if n > 0 && int(n) < len(windowTypes) {
			name = windowTypes[n]
		}
	} else {
		var err error
		if name, err = r.string(); err != nil {
			return AppWindow, err
		}
	}
	kind, ok := windowKindNamed(name)
	if !ok {
		return AppWindow, r.problem(quoted(name) + " is not one of application, input_method, system, " +
			"accessibility_overlay, split_screen_divider, magnification_overlay")
	}
	return kind, nil
}

func (r *jsonReader) string() (string, error) {
	if r.peek() != '"' {
		return "", r.problem("is not a text")
	}
	return r.text("a text")
}

// bool also takes the words as texts, as XML attributes have them.
func (r *jsonReader) bool() (bool, error) {
	switch {
	case r.word("true"), r.word(`"true"`):
		return true, nil
	case r.word("false"), r.word(`"false"`):
		return false, nil
	}
	return false, r.problem("is neither true nor false")
}

func (r *jsonReader) number() (int32, error) {
	n, ok := r.whole()
	if !ok {
		return 0, r.problem("is not a whole number")
	}
	return n, nil
}

// count is a number that is not negative.
func (r *jsonReader) count() (int, error) {
	n, ok := r.whole()
	if !ok || n < 0 {
		return 0, r.problem("is not a whole number from 0 up")
	}
	return int(n), nil
}

// rect reads bounds as [left, top, right, bottom], as {"left": ...} or as the
// text that uiautomator writes.
func (r *jsonReader) rect() (Rect, error) {
	const shape = "is not a rectangle: [left, top, right, bottom] in whole pixels"
	switch r.peek() {
	case '[':
		var sides [4]int32
		count := 0
		err := r.each('[', ']', "an array", func(i int) (err error) {
			if count++; count > len(sides) {
				return r.problem(shape)
			}
			sides[i], err = r.number()
			return err
		})
		if err == nil && count != len(sides) {
			err = r.problem(shape)
		}
		return Rect{sides[0], sides[1], sides[2], sides[3]}, err
	case '{':
		return r.rectObject(shape)
	case '"':
		text, err := r.string()
		rect, ok := parseBounds(text)
		if err == nil && !ok {
			err = r.problem(shape)
		}
		return rect, err
	}
	return Rect{}, r.problem(shape)
}

var rectFields = newFieldTable([]namedField{
	{"left", rectLeft}, {"top", rectTop}, {"right", rectRight}, {"bottom", rectBottom},
})

const (
	rectLeft jsonField = iota
	rectTop
	rectRight
	rectBottom
)

func (r *jsonReader) rectObject(shape string) (Rect, error) {
	var sides [4]int32
	given := 0
	err := r.fields(rectFields, func(side jsonField) (err error) {
		given++
		sides[side], err = r.number()
		return err
	})
	if err == nil && given != len(sides) {
		err = r.problem(shape)
	}
	return Rect{sides[0], sides[1], sides[2], sides[3]}, err
}
