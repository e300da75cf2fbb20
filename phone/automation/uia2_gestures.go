package automation

import (
	"image"
	"strings"
	"time"

	"github.com/countersign/countersign/phone"
)

// origin is the element that a gesture is about; given is false where there is
// none.
func (s *uia2) origin(body object) (n phone.Node, given bool, fault *webError) {
	o, given := body["origin"].(object)
	if !given {
		return n, false, nil
	}
	id, _ := o["element-6066-11e4-a52e-4f735466cecf"].(string)
	if id == "" {
		id, _ = o["ELEMENT"].(string)
	}
	n, fault = s.element(id)
	return n, true, fault
}

// gesture is a route that acts at a point: an offset on the screen, or from the
// corner of an element, or its middle.
func gesture(offset string, do func(s *uia2, x, y int, body object)) func(*uia2, *webCall) (any, *webError) {
	return func(s *uia2, c *webCall) (any, *webError) {
		n, hasOrigin, fault := s.origin(c.body)
		if fault != nil {
			return nil, fault
		}
		o, hasOffset := c.body[offset].(object)
		x, okX := number(o["x"])
		y, okY := number(o["y"])
		switch {
		case hasOffset && !(okX && okY), !hasOffset && !hasOrigin:
			return nil, errBadArgument
		case !hasOffset:
			x, y = middle(n.Bounds)
		case hasOrigin:
			x, y = n.Bounds.Min.X+x, n.Bounds.Min.Y+y
		}
		do(s, x, y, c.body)
		return nil, nil
	}
}

// areaGesture swipes over an element or an area; to scroll down a finger goes up.
// A scroll answers whether there is more to see.
func areaGesture(scroll bool) func(*uia2, *webCall) (any, *webError) {
	return func(s *uia2, c *webCall) (any, *webError) {
		n, given, fault := s.origin(c.body)
		if fault != nil {
			return nil, fault
		}
		b := n.Bounds
		if !given {
			a, _ := c.body["area"].(object)
			left, ok1 := number(a["left"])
			top, ok2 := number(a["top"])
			width, ok3 := number(a["width"])
			height, ok4 := number(a["height"])
			if !(ok1 && ok2 && ok3 && ok4) {
				return nil, errBadArgument
			}
			b = image.Rect(left, top, left+width, top+height)
		}
		direction, _ := c.body["direction"].(string)
		if scroll {
			direction = map[string]string{"up": "down", "down": "up", "left": "right", "right": "left"}[direction]
		}
		part, ok := c.body["percent"].(float64)
		if !ok {
			part = 1
		}
		from, to, ok := swipeOver(b, direction, part)
		if !ok {
			return nil, errBadArgument
		}
		s.phone.Swipe(from.X, from.Y, to.X, to.Y, 100*time.Millisecond)
		if scroll {
			return true, nil
		}
		return nil, nil
	}
}

// actions plays a chain of W3C actions, one source after the other.
func (s *uia2) actions(c *webCall) (any, *webError) {
	sources, ok := c.body["actions"].([]any)
	if !ok {
		return nil, errBadArgument
	}
	for _, v := range sources {
		source, _ := v.(object)
		steps, _ := source["actions"].([]any)
		var fault *webError
		switch source["type"] {
		case "pointer":
			fault = s.playPointer(steps)
		case "key":
			fault = s.playKeys(steps)
		case "none":
		default:
			fault = errBadArgument
		}
		if fault != nil {
			return nil, fault
		}
	}
	return nil, nil
}

// finger is a pointer that is moved about.
type finger struct {
	at    image.Point
	down  bool
	track []image.Point
	held  time.Duration
}

func (s *uia2) playPointer(steps []any) *webError {
	var f finger
	for _, v := range steps {
		step, _ := v.(object)
		if ms, ok := number(step["duration"]); ok {
			f.held += time.Duration(ms) * time.Millisecond
		}
		switch step["type"] {
		case "pointerMove":
			if fault := s.moveFinger(&f, step); fault != nil {
				return fault
			}
		case "pointerDown":
			f.down, f.track, f.held = true, []image.Point{f.at}, 0
		case "pointerUp":
			s.lift(&f)
		case "pause", "pointerCancel":
		default:
			return errBadArgument
		}
	}
	s.lift(&f)
	return nil
}

func (s *uia2) moveFinger(f *finger, step object) *webError {
	x, okX := number(step["x"])
	y, okY := number(step["y"])
	if !okX || !okY {
		return errBadArgument
	}
	to := image.Pt(x, y)
	switch from := step["origin"].(type) {
	case string:
		if from == "pointer" {
			to = to.Add(f.at)
		}
	case object:
		n, _, fault := s.origin(object{"origin": from})
		if fault != nil {
			return fault
		}
		x, y := middle(n.Bounds)
		to = to.Add(image.Pt(x, y))
	}
	f.at = to
	if f.down {
		f.track = append(f.track, to)
	}
	return nil
}

// lift takes the finger up: what it did reaches the phone.
func (s *uia2) lift(f *finger) {
	if !f.down {
		return
	}
	f.down = false
	first, last := f.track[0], f.track[len(f.track)-1]
	switch len(f.track) {
	case 1:
		hold(s.phone, first.X, first.Y, f.held)
	case 2:
		s.phone.Swipe(first.X, first.Y, last.X, last.Y, f.held)
	default:
		s.phone.Motion(phone.Down, first.X, first.Y)
		for _, p := range f.track[1:] {
			s.phone.Motion(phone.Move, p.X, p.Y)
		}
		s.phone.Motion(phone.Up, last.X, last.Y)
	}
}

// webKeys are WebDriver's characters for keys, as Android's key codes.
var webKeys = map[string]int{"\ue003": 67, "\ue004": 61, "\ue006": 66, "\ue007": 66, "\ue00c": 111, "\ue00d": 62}

func (s *uia2) playKeys(steps []any) *webError {
	for _, v := range steps {
		step, _ := v.(object)
		value, _ := step["value"].(string)
		switch code, special := webKeys[value]; {
		case step["type"] == "pause", step["type"] == "keyUp":
		case step["type"] != "keyDown" || value == "":
			return errBadArgument
		case special:
			s.phone.Key(code, false)
		default:
			s.phone.Type(value)
		}
	}
	return nil
}

// alertText is what a dialog says.
func (s *uia2) alertText(*webCall) (any, *webError) {
	buttons := s.alertButtons()
	if len(buttons) == 0 {
		return nil, errNoAlert
	}
	var lines []string
	for _, n := range s.phone.Nodes() {
		if n.Text != "" && !strings.HasSuffix(n.Class, "Button") {
			lines = append(lines, n.Text)
		}
	}
	return strings.Join(lines, "\n"), nil
}

func (s *uia2) alertButtons() []phone.Node {
	var list []phone.Node
	for _, n := range s.phone.Nodes() {
		if strings.HasPrefix(n.ResourceID, "android:id/button") || strings.Contains(n.ResourceID, ":id/permission_") && strings.HasSuffix(n.ResourceID, "_button") {
			list = append(list, n)
		}
	}
	return list
}

// alert presses a button of a dialog: the one with the label that is given, else
// the one with the id of Android's dialogs or of the permission controller's.
func alert(id, permission string) func(*uia2, *webCall) (any, *webError) {
	return func(s *uia2, c *webCall) (any, *webError) {
		label, given := c.body["buttonLabel"].(string)
		buttons := s.alertButtons()
		for _, n := range buttons {
			fits := n.ResourceID == id || strings.HasPrefix(shortID(n.ResourceID), permission) || len(buttons) == 1
			if given && n.Text == label || !given && fits {
				s.phone.Tap(middle(n.Bounds))
				return nil, nil
			}
		}
		return nil, errNoAlert
	}
}
