package automation

import (
	"encoding/base64"
	"fmt"
	"strings"
	"time"

	"github.com/countersign/countersign/phone"
)

// webRoutes are the routes below /session/:session. The first that fits is taken.
var webRoutes = []webRoute{
	{"GET", "source", (*uia2).source},
	{"GET", "screenshot", (*uia2).screenshot},
	{"GET", "orientation", (*uia2).orientation},
	{"POST", "orientation", (*uia2).turn},
	{"GET", "rotation", func(s *uia2, _ *webCall) (any, *webError) {
		return object{"x": 0, "y": 0, "z": 90 * s.phone.Rotation()}, nil
	}},
	{"POST", "rotation", (*uia2).rotate},
	{"GET", "timeouts", func(*uia2, *webCall) (any, *webError) { return object{"implicit": 0}, nil }},
	{"POST", "timeouts", nothing},
	{"GET", "window/rect", (*uia2).windowRect},
	{"GET", "window/:window/size", (*uia2).windowRect},
	{"POST", "element", (*uia2).findOne},
	{"POST", "elements", (*uia2).findAll},
	{"GET", "element/active", (*uia2).active},
	{"GET", "element/:element/text", onElement(func(_ *uia2, n phone.Node) (any, *webError) { return n.Text, nil })},
	{"GET", "element/:element/name", onElement(func(_ *uia2, n phone.Node) (any, *webError) { return orNull(n.Description), nil })},
	{"GET", "element/:element/rect", onElement(func(_ *uia2, n phone.Node) (any, *webError) { return rectOf(n), nil })},
	{"GET", "element/:element/size", onElement(func(_ *uia2, n phone.Node) (any, *webError) { return rectOf(n), nil })},
	{"GET", "element/:element/location", onElement(func(_ *uia2, n phone.Node) (any, *webError) { return rectOf(n), nil })},
	{"GET", "element/:element/displayed", onElement(func(*uia2, phone.Node) (any, *webError) { return true, nil })},
	{"GET", "element/:element/enabled", onElement(func(_ *uia2, n phone.Node) (any, *webError) { return n.Enabled, nil })},
	{"GET", "element/:element/selected", onElement(func(_ *uia2, n phone.Node) (any, *webError) { return n.Selected || n.Checked, nil })},
	{"GET", "element/:element/attribute/:name", (*uia2).attribute},
	{"GET", "element/:element/screenshot", onElement(func(s *uia2, _ phone.Node) (any, *webError) { return s.screenshot(nil) })},
	{"GET", "appium/element/:element/first_visible", onElement((*uia2).firstWithin)},
	{"POST", "appium/element/:element/scroll_to/:to", onElement(func(*uia2, phone.Node) (any, *webError) { return nil, nil })},
	{"POST", "gestures/scroll_to", (*uia2).scrollTo},
	{"POST", "element/:element/click", onElement(func(s *uia2, n phone.Node) (any, *webError) {
		s.phone.Tap(middle(n.Bounds))
		return nil, nil
	})},
	{"POST", "element/:element/clear", onElement(func(s *uia2, n phone.Node) (any, *webError) {
		s.phone.SetText(n, "")
		return nil, nil
	})},
	{"POST", "element/:element/value", (*uia2).sendKeys},
	{"POST", "keys", (*uia2).sendKeys},
	{"POST", "actions", (*uia2).actions},
	{"DELETE", "actions", nothing},
	{"POST", "back", func(s *uia2, _ *webCall) (any, *webError) { s.phone.Key(4, false); return nil, nil }},
	{"GET", "alert/text", (*uia2).alertText},
	{"POST", "alert/accept", alert("android:id/button1", "permission_allow")},
	{"POST", "alert/dismiss", alert("android:id/button2", "permission_deny")},
	{"GET", "appium/settings", (*uia2).getSettings},
	{"POST", "appium/settings", (*uia2).updateSettings},
	{"GET", "appium/device/info", (*uia2).deviceInfo},
	{"GET", "appium/device/battery_info", func(*uia2, *webCall) (any, *webError) { return object{"level": 0.8, "status": 3}, nil }},
	{"GET", "appium/device/display_density", func(s *uia2, _ *webCall) (any, *webError) { d, _ := s.phone.Density(); return d, nil }},
	{"GET", "appium/device/pixel_ratio", func(s *uia2, _ *webCall) (any, *webError) {
		d, _ := s.phone.Density()
		return float64(d) / 160, nil
	}},
	{"GET", "appium/device/system_bars", func(*uia2, *webCall) (any, *webError) { return object{"statusBar": 63}, nil }},
	{"POST", "appium/device/press_keycode", pressKey(false)},
	{"POST", "appium/device/long_press_keycode", pressKey(true)},
	{"POST", "appium/device/open_notifications", func(s *uia2, _ *webCall) (any, *webError) {
		s.phone.Note(phone.Event{Kind: "panel", Detail: "notifications"})
		return nil, nil
	}},
	{"POST", "appium/device/get_clipboard", func(s *uia2, _ *webCall) (any, *webError) {
		return base64.StdEncoding.EncodeToString([]byte(s.phone.Clipboard())), nil
	}},
	{"POST", "appium/device/set_clipboard", (*uia2).setClipboard},
	{"GET", "appium/device/declared_orientation", (*uia2).orientation},
	{"POST", "appium/reset_ax_cache", nothing},
	{"POST", "appium/list_windows", (*uia2).windows},
	{"POST", "appium/list_displays", func(*uia2, *webCall) (any, *webError) { return []object{{"id": 0, "isDefault": true}}, nil }},
	{"POST", "appium/gestures/click", gesture("offset", func(s *uia2, x, y int, _ object) { s.phone.Tap(x, y) })},
	{"POST", "appium/gestures/long_click", gesture("offset", longClick)},
	{"POST", "appium/gestures/double_click", gesture("offset", func(s *uia2, x, y int, _ object) { s.phone.Tap(x, y); s.phone.Tap(x, y) })},
	{"POST", "appium/gestures/drag", gesture("start", drag)},
	{"POST", "appium/gestures/pinch_close", gesture("offset", pinch)},
	{"POST", "appium/gestures/pinch_open", gesture("offset", pinch)},
	{"POST", "appium/gestures/swipe", areaGesture(false)},
	{"POST", "appium/gestures/scroll", areaGesture(true)},
	{"POST", "appium/gestures/fling", areaGesture(true)},
}

func nothing(*uia2, *webCall) (any, *webError) { return nil, nil }

// onElement is a route about the element that is its first open segment.
func onElement(do func(s *uia2, n phone.Node) (any, *webError)) func(*uia2, *webCall) (any, *webError) {
	return func(s *uia2, c *webCall) (any, *webError) {
		n, fault := s.element(c.args[0])
		if fault != nil {
			return nil, fault
		}
		return do(s, n)
	}
}

func rectOf(n phone.Node) object {
	return object{"x": n.Bounds.Min.X, "y": n.Bounds.Min.Y, "width": n.Bounds.Dx(), "height": n.Bounds.Dy()}
}

// attribute answers with a text, as the server does for truth values too.
func (s *uia2) attribute(c *webCall) (any, *webError) {
	n, fault := s.element(c.args[0])
	if fault != nil {
		return nil, fault
	}
	switch c.args[1] {
	case "text":
		return n.Text, nil
	case "content-desc", "contentDescription", "name":
		return orNull(n.Description), nil
	case "resource-id", "resourceId":
		return orNull(n.ResourceID), nil
	case "class", "className":
		return n.Class, nil
	case "package":
		return n.Package, nil
	case "hint":
		return orNull(n.Hint), nil
	case "bounds":
		b := n.Bounds
		return fmt.Sprintf("[%d,%d][%d,%d]", b.Min.X, b.Min.Y, b.Max.X, b.Max.Y), nil
	}
	flags := map[string]bool{
		"checkable": n.Checkable, "checked": n.Checked, "clickable": n.Clickable, "enabled": n.Enabled,
		"focusable": n.Focusable, "focused": n.Focused, "longClickable": n.LongClickable, "long-clickable": n.LongClickable,
		"password": n.Password, "scrollable": n.Scrollable, "selected": n.Selected, "displayed": true,
	}
	on, known := flags[c.args[1]]
	if !known {
		return nil, errBadArgument
	}
	return fmt.Sprint(on), nil
}

// sendKeys types into an element, or into the one that has the focus. A
// backslash and an n at the end press ENTER.
func (s *uia2) sendKeys(c *webCall) (any, *webError) {
	value, ok := c.body["text"].(string)
	if !ok {
		return nil, errBadArgument
	}
	value, enter := strings.CutSuffix(value, `\n`)
	n, fault := s.field(c)
	if fault != nil {
		return nil, fault
	}
	if c.body["replace"] != true {
		value = typed(n) + value
	}
	if !s.phone.SetText(n, value) {
		return nil, &webError{400, "invalid element state", "Cannot set the element to '" + value + "'. Did you interact with the correct element?"}
	}
	if enter {
		s.phone.Key(66, false)
	}
	return nil, nil
}

// field is the element of a call, or the one that has the focus.
func (s *uia2) field(c *webCall) (phone.Node, *webError) {
	if len(c.args) > 0 {
		return s.element(c.args[0])
	}
	for _, n := range s.phone.Nodes() {
		if n.Focused {
			return n, nil
		}
	}
	return phone.Node{}, errNoElement
}

func (s *uia2) active(*webCall) (any, *webError) {
	n, fault := s.field(&webCall{})
	if fault != nil {
		return nil, fault
	}
	return s.remember(n), nil
}

func pressKey(long bool) func(*uia2, *webCall) (any, *webError) {
	return func(s *uia2, c *webCall) (any, *webError) {
		code, ok := number(c.body["keycode"])
		if !ok {
			return nil, errBadArgument
		}
		s.phone.Key(code, long)
		return nil, nil
	}
}

func (s *uia2) windowRect(*webCall) (any, *webError) {
	width, height := s.phone.Size()
	return object{"x": 0, "y": 0, "width": width, "height": height}, nil
}

func (s *uia2) orientation(*webCall) (any, *webError) {
	if s.phone.Rotation()%2 == 1 {
		return "LANDSCAPE", nil
	}
	return "PORTRAIT", nil
}

func (s *uia2) turn(c *webCall) (any, *webError) {
	turns := map[any]int{"PORTRAIT": 0, "LANDSCAPE": 1}
	quarters, known := turns[c.body["orientation"]]
	if !known {
		return nil, errBadArgument
	}
	s.phone.SetRotation(quarters)
	return c.body["orientation"], nil
}

func (s *uia2) rotate(c *webCall) (any, *webError) {
	z, ok := number(c.body["z"])
	if !ok || z%90 != 0 || z < 0 || z >= 360 {
		return nil, errBadArgument
	}
	s.phone.SetRotation(z / 90)
	return object{"x": 0, "y": 0, "z": z}, nil
}

func (s *uia2) getSettings(*webCall) (any, *webError) {
	s.mu.Lock()
	defer s.mu.Unlock()
	copied := object{}
	for name, v := range s.settings {
		copied[name] = v
	}
	return copied, nil
}

func (s *uia2) updateSettings(c *webCall) (any, *webError) {
	changed, ok := c.body["settings"].(object)
	if !ok {
		return nil, errBadArgument
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for name, v := range changed {
		s.settings[name] = v
	}
	return nil, nil
}

func (s *uia2) deviceInfo(*webCall) (any, *webError) {
	width, height := s.phone.PhysicalSize()
	density, _ := s.phone.Density()
	return object{
		"androidId": "5f0c1a3e5f0c1a3e", "manufacturer": "Countersign", "model": s.phone.Model(), "brand": "countersign",
		"apiVersion": "34", "platformVersion": "14", "carrierName": "", "realDisplaySize": fmt.Sprintf("%dx%d", width, height),
		"displayDensity": density, "networks": []any{}, "locale": s.phone.Locale(), "timeZone": "UTC",
	}, nil
}

func (s *uia2) setClipboard(c *webCall) (any, *webError) {
	packed, _ := c.body["content"].(string)
	value, err := base64.StdEncoding.DecodeString(packed)
	if err != nil {
		return nil, errBadArgument
	}
	s.phone.SetClipboard(string(value))
	return nil, nil
}

func (s *uia2) windows(*webCall) (any, *webError) {
	list := []object{}
	for _, w := range s.phone.Windows() {
		list = append(list, object{"id": w.ID, "title": w.Title, "type": w.Kind, "isFocused": w.Focused, "layer": w.Layer})
	}
	return list, nil
}

// firstWithin is the first element within another.
func (s *uia2) firstWithin(n phone.Node) (any, *webError) {
	inside := within(s.phone.Nodes(), n)
	if len(inside) == 0 {
		return nil, errNoElement
	}
	return s.remember(inside[0]), nil
}

// pinch is noted: one finger is all that the phone has.
func pinch(s *uia2, x, y int, _ object) {
	s.phone.Note(phone.Event{Kind: "pinch", Detail: fmt.Sprintf("%d,%d", x, y)})
}

// scrollTo scrolls until what is looked for can be seen.
func (s *uia2) scrollTo(c *webCall) (any, *webError) {
	params, ok := c.body["params"].(object)
	if !ok {
		return nil, errBadArgument
	}
	found, fault := s.scrollUntil(func() ([]phone.Node, *webError) { return s.find(&webCall{body: params}) })
	if fault == nil && len(found) == 0 {
		fault = errNoElement
	}
	return nil, fault
}

// longClick holds a point for as long as is asked for.
func longClick(s *uia2, x, y int, body object) {
	d := longPress
	if ms, ok := number(body["duration"]); ok {
		d = time.Duration(ms) * time.Millisecond
	}
	s.phone.LongPress(x, y, d)
}

func drag(s *uia2, x, y int, body object) {
	end, _ := body["end"].(object)
	x2, okX := number(end["x"])
	y2, okY := number(end["y"])
	if okX && okY {
		s.phone.Swipe(x, y, x2, y2, longPress)
	}
}
