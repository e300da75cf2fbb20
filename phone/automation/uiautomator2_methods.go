package automation

import (
	"image"
	"time"

	"github.com/countersign/countersign/phone"
)

// u2Method is a method of the server.
type u2Method func(s *u2, params []any) (result any, fault *rpcError)

// u2Methods are the methods by name. Several are overloaded: what they do depends
// on their parameters.
var u2Methods = map[string]u2Method{
	"ping":                  func(*u2, []any) (any, *rpcError) { return "pong", nil },
	"deviceInfo":            (*u2).deviceInfo,
	"dumpWindowHierarchy":   (*u2).dump,
	"takeScreenshot":        (*u2).picture,
	"isScreenOn":            func(s *u2, _ []any) (any, *rpcError) { return s.phone.Awake(), nil },
	"waitForIdle":           func(*u2, []any) (any, *rpcError) { return nil, nil },
	"waitForWindowUpdate":   func(*u2, []any) (any, *rpcError) { return false, nil },
	"getLastToast":          func(*u2, []any) (any, *rpcError) { return nil, nil },
	"clearLastToast":        func(*u2, []any) (any, *rpcError) { return nil, nil },
	"exist":                 (*u2).exist,
	"waitForExists":         (*u2).exist,
	"waitUntilGone":         (*u2).gone,
	"count":                 (*u2).count,
	"objInfo":               onNode(func(s *u2, n phone.Node) any { return objectInfo(s.phone.Nodes(), n) }),
	"objInfoOfAllInstances": (*u2).allInfo,
	"getText":               onNode(func(_ *u2, n phone.Node) any { return n.Text }),

	"click": (*u2).click,
	"longClick": onNode(func(s *u2, n phone.Node) any {
		x, y := middle(n.Bounds)
		s.phone.LongPress(x, y, longPress)
		return true
	}),
	"clickAndWaitForNewWindow": (*u2).click,
	"swipe":                    (*u2).swipe,
	"drag":                     (*u2).swipe,
	"swipePoints":              (*u2).swipePoints,
	"dragTo":                   (*u2).dragTo,
	"injectInputEvent":         (*u2).inject,
	"pressKey":                 (*u2).pressKey,
	"pressKeyCode":             (*u2).pressKeyCode,
	"setText":                  (*u2).setText,
	"clearTextField":           onNode(func(s *u2, n phone.Node) any { s.phone.SetText(n, ""); return nil }),
	"scrollForward":            scrolls("up"), "scrollBackward": scrolls("down"),
	"flingForward": scrolls("up"), "flingBackward": scrolls("down"),
	"scrollTo": scrolls("up"),

	"setClipboard":     (*u2).setClipboard,
	"getClipboard":     func(s *u2, _ []any) (any, *rpcError) { return s.phone.Clipboard(), nil },
	"pasteClipboard":   func(s *u2, _ []any) (any, *rpcError) { s.phone.Key(279, false); return true, nil },
	"openNotification": func(s *u2, _ []any) (any, *rpcError) { s.noted("notifications"); return true, nil },
	"openQuickSettings": func(s *u2, _ []any) (any, *rpcError) {
		s.noted("quick settings")
		return true, nil
	},
	"wakeUp": func(s *u2, _ []any) (any, *rpcError) { s.phone.Key(224, false); return nil, nil },
	"sleep":  func(s *u2, _ []any) (any, *rpcError) { s.phone.Key(223, false); return nil, nil },
	"freezeRotation": func(s *u2, _ []any) (any, *rpcError) {
		s.phone.SetSetting(phone.System, "accelerometer_rotation", "0")
		return nil, nil
	},
	"setOrientation": (*u2).setOrientation,
}

// longPress is how long UiAutomator holds a long click: longer than the phone's
// own time of 500 ms.
const longPress = 600 * time.Millisecond

func (s *u2) noted(what string) { s.phone.Note(phone.Event{Kind: "panel", Detail: what}) }

// find finds the nodes of the selector that is the first parameter.
func (s *u2) find(params []any) (found []phone.Node, selector object, ok bool) {
	if len(params) == 0 {
		return nil, nil, false
	}
	selector, ok = params[0].(object)
	return selectAll(s.phone.Nodes(), selector), selector, ok
}

// onNode is a method on the first node that a selector finds.
func onNode(do func(s *u2, n phone.Node) any) u2Method {
	return func(s *u2, params []any) (any, *rpcError) {
		found, selector, ok := s.find(params)
		switch {
		case !ok:
			return nil, errBadParams
		case len(found) == 0:
			return nil, notFound(selector)
		}
		return do(s, found[0]), nil
	}
}

func (s *u2) exist(params []any) (any, *rpcError) {
	found, _, ok := s.find(params)
	if !ok {
		return nil, errBadParams
	}
	return len(found) > 0, nil
}

func (s *u2) gone(params []any) (any, *rpcError) {
	found, _, ok := s.find(params)
	if !ok {
		return nil, errBadParams
	}
	return len(found) == 0, nil
}

func (s *u2) count(params []any) (any, *rpcError) {
	found, _, ok := s.find(params)
	if !ok {
		return nil, errBadParams
	}
	return len(found), nil
}

func (s *u2) allInfo(params []any) (any, *rpcError) {
	found, _, ok := s.find(params)
	if !ok {
		return nil, errBadParams
	}
	list := make([]object, 0, len(found))
	nodes := s.phone.Nodes()
	for _, n := range found {
		list = append(list, objectInfo(nodes, n))
	}
	return list, nil
}

// whole reads the first n parameters as numbers.
func whole(params []any, n int) ([]int, bool) {
	if len(params) < n {
		return nil, false
	}
	out := make([]int, n)
	for i := range out {
		v, ok := number(params[i])
		if !ok {
			return nil, false
		}
		out[i] = v
	}
	return out, true
}

// click is click(x, y), click(x, y, milliseconds), click(selector) and
// click(selector, corner).
func (s *u2) click(params []any) (any, *rpcError) {
	if at, ok := whole(params, 3); ok {
		hold(s.phone, at[0], at[1], time.Duration(at[2])*time.Millisecond)
		return true, nil
	}
	if at, ok := whole(params, 2); ok {
		s.phone.Tap(at[0], at[1])
		return true, nil
	}
	return onNode(func(s *u2, n phone.Node) any {
		x, y := middle(n.Bounds)
		if len(params) > 1 {
			switch params[1] {
			case "tl", "topleft":
				x, y = n.Bounds.Min.X+5, n.Bounds.Min.Y+5
			case "br", "bottomright":
				x, y = n.Bounds.Max.X-5, n.Bounds.Max.Y-5
			}
		}
		s.phone.Tap(x, y)
		return true
	})(s, params)
}

// stepTime is how long a step of a swipe takes.
const stepTime = 5 * time.Millisecond

// swipe is swipe(x, y, x2, y2, steps) and swipe(selector, direction, steps).
func (s *u2) swipe(params []any) (any, *rpcError) {
	if at, ok := whole(params, 5); ok {
		s.phone.Swipe(at[0], at[1], at[2], at[3], time.Duration(at[4])*stepTime)
		return true, nil
	}
	if len(params) < 2 {
		return nil, errBadParams
	}
	direction, _ := params[1].(string)
	return onNode(func(s *u2, n phone.Node) any { return s.swipeOver(n.Bounds, direction, 1) })(s, params)
}

func (s *u2) swipeOver(b image.Rectangle, direction string, part float64) bool {
	from, to, ok := swipeOver(b, direction, part)
	if ok {
		s.phone.Swipe(from.X, from.Y, to.X, to.Y, 50*time.Millisecond)
	}
	return ok
}

func scrolls(direction string) u2Method {
	return onNode(func(s *u2, n phone.Node) any { return s.swipeOver(n.Bounds, direction, 0.8) })
}

// swipePoints goes through points without lifting the finger.
func (s *u2) swipePoints(params []any) (any, *rpcError) {
	if len(params) != 2 {
		return nil, errBadParams
	}
	list, _ := params[0].([]any)
	at, ok := whole(list, len(list))
	if !ok || len(at) < 4 || len(at)%2 != 0 {
		return nil, errBadParams
	}
	s.phone.Motion(phone.Down, at[0], at[1])
	for i := 2; i < len(at); i += 2 {
		s.phone.Motion(phone.Move, at[i], at[i+1])
	}
	s.phone.Motion(phone.Up, at[len(at)-2], at[len(at)-1])
	return true, nil
}

// dragTo drags what a selector finds to a point, or to what another finds.
func (s *u2) dragTo(params []any) (any, *rpcError) {
	if len(params) < 3 {
		return nil, errBadParams
	}
	to, ok := whole(params[1:], 2)
	if !ok {
		found, selector, ok := s.find(params[1:])
		switch {
		case !ok:
			return nil, errBadParams
		case len(found) == 0:
			return nil, notFound(selector)
		}
		x, y := middle(found[0].Bounds)
		to = []int{x, y}
	}
	return onNode(func(s *u2, n phone.Node) any {
		x, y := middle(n.Bounds)
		s.phone.Swipe(x, y, to[0], to[1], longPress)
		return true
	})(s, params)
}

// inject is a raw event, by the actions of android.view.MotionEvent.
func (s *u2) inject(params []any) (any, *rpcError) {
	at, ok := whole(params, 3)
	if !ok {
		return nil, errBadParams
	}
	kinds := []string{phone.Down, phone.Up, phone.Move, phone.Cancel}
	if at[0] < 0 || at[0] >= len(kinds) {
		return false, nil
	}
	s.phone.Motion(kinds[at[0]], at[1], at[2])
	return true, nil
}

// keyCodes are the keys of pressKey by name.
var keyCodes = map[string]int{
	"home": 3, "back": 4, "left": 21, "right": 22, "up": 19, "down": 20, "center": 23, "menu": 82, "search": 84,
	"enter": 66, "delete": 67, "del": 67, "recent": 187, "volume_up": 24, "volume_down": 25, "volume_mute": 164,
	"camera": 27, "power": 26,
}

func (s *u2) pressKey(params []any) (any, *rpcError) {
	if len(params) != 1 {
		return nil, errBadParams
	}
	name, _ := params[0].(string)
	code, known := keyCodes[name]
	if known {
		s.phone.Key(code, false)
	}
	return known, nil
}

func (s *u2) pressKeyCode(params []any) (any, *rpcError) {
	code, ok := whole(params, 1)
	if !ok {
		return nil, errBadParams
	}
	s.phone.Key(code[0], false)
	return true, nil
}

func (s *u2) setText(params []any) (any, *rpcError) {
	if len(params) != 2 {
		return nil, errBadParams
	}
	value, ok := params[1].(string)
	if !ok {
		return nil, errBadParams
	}
	return onNode(func(s *u2, n phone.Node) any { return s.phone.SetText(n, value) })(s, params)
}

func (s *u2) setClipboard(params []any) (any, *rpcError) {
	if len(params) != 2 {
		return nil, errBadParams
	}
	value, ok := params[1].(string)
	if !ok {
		return nil, errBadParams
	}
	s.phone.SetClipboard(value)
	return nil, nil
}

func (s *u2) setOrientation(params []any) (any, *rpcError) {
	if len(params) != 1 {
		return nil, errBadParams
	}
	name, _ := params[0].(string)
	quarters := map[string]int{"natural": 0, "n": 0, "left": 1, "l": 1, "upsidedown": 2, "u": 2, "right": 3, "r": 3}
	turn, known := quarters[name]
	if !known {
		return nil, javaError(-32001, "java.lang.IllegalArgumentException", "unknown orientation")
	}
	s.phone.SetRotation(turn)
	return nil, nil
}
