package screen

import (
	"strings"
)

// nodeAttribute names the attributes of a node that mean something to us.
type nodeAttribute uint8

const (
	attrUnknown nodeAttribute = iota
	attrText
	attrDescription
	attrResourceID
	attrClass
	attrPackage
	attrHint
	attrBounds
	attrDrawingOrder
	attrInputType
	attrShowingHint
	attrEnabled
	attrVisible
	attrDisplayed
	attrClickable // from here on plain flags
	attrLongClickable
	attrCheckable
	attrChecked
	attrFocusable
	attrFocused
	attrScrollable
	attrPassword
	attrSelected
	attrEditable
	attrMultiLine
	attrDismissable
	attrCount
)

// flagOf has the flag that a true value sets.
var flagOf = [attrCount]Flags{
	attrClickable: Clickable, attrLongClickable: LongClickable, attrCheckable: Checkable,
	attrChecked: Checked, attrFocusable: Focusable, attrFocused: Focused,
	attrScrollable: Scrollable, attrPassword: Password, attrSelected: Selected,
	attrEditable: Editable, attrMultiLine: MultiLine, attrDismissable: Dismissable,
}

// nodeAttributeOf knows the names of uiautomator, Appium and the tools around
// uiautomator. A switch is many times faster than a map here, and this is the
// innermost loop of reading a dump.
func nodeAttributeOf(name string) nodeAttribute {
	switch name {
	case "text":
		return attrText
	case "resource-id":
		return attrResourceID
	case "class":
		return attrClass
	case "package":
		return attrPackage
	case "content-desc":
		return attrDescription
	case "checkable":
		return attrCheckable
	case "checked":
		return attrChecked
	case "clickable":
		return attrClickable
	case "enabled":
		return attrEnabled
	case "focusable":
		return attrFocusable
	case "focused":
		return attrFocused
	case "scrollable":
		return attrScrollable
	case "long-clickable":
		return attrLongClickable
	case "password":
		return attrPassword
	case "selected":
		return attrSelected
	case "bounds":
		return attrBounds
	case "visible-to-user":
		return attrVisible
	case "displayed":
		return attrDisplayed
	case "drawing-order":
		return attrDrawingOrder
	case "hint":
		return attrHint
	case "showing-hint":
		return attrShowingHint
	case "input-type":
		return attrInputType
	case "editable":
		return attrEditable
	case "multiline":
		return attrMultiLine
	case "dismissable":
		return attrDismissable
	}
	return attrUnknown
}

// nodeAttributes reads the attributes of a node up to the end of its tag. An
// attribute that is given twice counts the first time.
func (r *treeReader) nodeAttributes(n *Node) (markup, error) {
	seen, showsHint := uint32(0), false
	for {
		kind, name, value, err := r.attribute()
		if err != nil {
			return cutShort, err
		}
		if kind != attribute {
			if showsHint && n.Hint == "" {
				n.Hint = n.Text
			}
			return kind, nil
		}
		attr := nodeAttributeOf(name)
		if attr == attrUnknown {
			continue
		}
		if seen&(1<<attr) != 0 {
			r.repairs++
			continue
		}
		seen |= 1 << attr
		switch attr {
		case attrText:
			n.Text = r.clean(value)
		case attrDescription:
			n.Description = r.clean(value)
		case attrResourceID:
			n.ResourceID = r.clean(value)
		case attrClass:
			n.Class = r.clean(value)
		case attrPackage:
			n.Package = r.clean(value)
		case attrHint:
			n.Hint = r.clean(value)
		case attrBounds:
			if n.Bounds, err = r.bounds(value); err != nil {
				return cutShort, err
			}
		case attrShowingHint:
			showsHint = r.is("true", value)
		case attrDrawingOrder:
			n.DrawingOrder, _ = r.number(value)
		case attrInputType:
			if inputType, ok := r.number(value); ok {
				n.noteInputType(inputType)
			}
		case attrEnabled:
			n.setIf(r.is("false", value), Disabled)
		case attrVisible, attrDisplayed:
			n.setIf(r.is("false", value), Invisible)
		default:
			n.setIf(r.is("true", value), flagOf[attr])
		}
	}
}

func (n *Node) setIf(set bool, f Flags) {
	if set {
		n.Flags |= f
	}
}

// is reports whether an attribute says want, in any case. Whatever is neither
// "true" nor "false" is the attribute's usual state.
func (s *scanner) is(want, value string) bool {
	switch value {
	case "true", "false":
		return value == want
	case "":
		return false
	}
	return strings.EqualFold(want, s.clean(value))
}

// number reads a whole number.
func (s *scanner) number(value string) (int32, bool) { return parseInt(s.clean(value)) }

// bounds reads the rectangle of a node or window. One that cannot be read is an
// error: a node whose place is not known may be the one under the finger.
func (s *scanner) bounds(value string) (Rect, error) {
	if rect, ok := parseBounds(value); ok {
		return rect, nil
	}
	if rect, ok := parseBounds(s.clean(value)); ok {
		return rect, nil
	}
	return Rect{}, s.fail(s.pos-len(value)-1, "bounds "+quoted(value), "[left,top][right,bottom] in pixels")
}

// noteEditable marks the text fields: uiautomator has no attribute for them.
func (n *Node) noteEditable() {
	if strings.HasSuffix(n.Class, "EditText") || strings.HasSuffix(n.Class, "AutoCompleteTextView") {
		n.Flags |= Editable
	}
}

// noteInputType reads android.text.InputType, which only text fields have.
func (n *Node) noteInputType(inputType int32) {
	const (
		classMask, classText, classNumber = 0xf, 1, 2
		variationMask                     = 0xff0
		textPassword                      = 0x80
		textVisiblePassword               = 0x90
		textWebPassword                   = 0xe0
		numberPassword                    = 0x10
		multiLine, imeMultiLine           = 0x20000, 0x40000
	)
	class, variation := inputType&classMask, inputType&variationMask
	n.setIf(inputType != 0, Editable)
	n.setIf(class == classText && inputType&(multiLine|imeMultiLine) != 0, MultiLine)
	n.setIf(class == classText && (variation == textPassword || variation == textVisiblePassword || variation == textWebPassword), Password)
	n.setIf(class == classNumber && variation == numberPassword, Password)
}
