package relay

import (
	"github.com/countersign/countersign/risk"
)

// origin is the element that a gesture is about; given is false where there is
// none, ok where it cannot be read.
func origin(body object) (id string, given, ok bool) {
	v := body["origin"]
	if v == nil {
		return "", false, true
	}
	id, ok = elementID(v)
	return id, true, ok
}

// pointOf reads {"x": 1, "y": 2}; given is false where there is none.
func pointOf(v any) (x, y int, given, ok bool) {
	if v == nil {
		return 0, 0, false, true
	}
	o, _ := v.(object)
	x, okX := whole(o["x"])
	y, okY := whole(o["y"])
	return x, y, true, okX && okY
}

// at calls build with the point of a gesture: an offset on the screen, or from
// the corner of an element, or its middle.
func at(c *w3cCall, offset string, build func(x, y int) []risk.Action) meaning {
	id, hasOrigin, ok := origin(c.body)
	x, y, hasOffset, okOffset := pointOf(c.body[offset])
	switch {
	case !ok || !okOffset || !hasOrigin && !hasOffset:
		return meaning{}
	case !hasOrigin:
		return meaning{acts: build(x, y)}
	}
	return onElement(c, id, func(t thing) []risk.Action {
		if hasOffset {
			return build(t.left+x, t.top+y)
		}
		return build(t.center())
	})
}

func clickGesture(usual int) func(*Memory, *w3cCall) meaning {
	return func(_ *Memory, c *w3cCall) meaning {
		ms := usual
		if given, ok := whole(c.body["duration"]); ok && usual > 0 {
			ms = given
		} else if c.body["duration"] != nil && usual > 0 {
			return meaning{}
		}
		return at(c, "offset", func(x, y int) []risk.Action { return []risk.Action{press(x, y, ms)} })
	}
}

func doubleClickGesture(_ *Memory, c *w3cCall) meaning {
	return at(c, "offset", func(x, y int) []risk.Action {
		return []risk.Action{{Kind: risk.DoubleTap, X: &x, Y: &y}}
	})
}

func dragGesture(_ *Memory, c *w3cCall) meaning {
	x2, y2, given, ok := pointOf(c.body["end"])
	if !given || !ok {
		return meaning{}
	}
	return at(c, "start", func(x, y int) []risk.Action { return []risk.Action{swipe(x, y, x2, y2, holdMS)} })
}

// areaGesture is a gesture over an element or over an area of the screen.
func areaGesture(build func(t thing, body object) []risk.Action) func(*Memory, *w3cCall) meaning {
	return func(_ *Memory, c *w3cCall) meaning {
		id, given, ok := origin(c.body)
		switch area := c.body["area"]; {
		case !ok:
			return meaning{}
		case given:
			return onElement(c, id, func(t thing) []risk.Action { return build(t, c.body) })
		default:
			o, _ := area.(object)
			t, ok := thingOfArea(o)
			if !ok || t.empty() {
				return meaning{}
			}
			return meaning{acts: build(t, c.body)}
		}
	}
}

func thingOfArea(o object) (t thing, ok bool) {
	return thingOfRect(object{"x": o["left"], "y": o["top"], "width": o["width"], "height": o["height"]})
}

// share is the part of an area that a gesture goes over, from 0 to 1.
func share(body object) float64 {
	if part, ok := decimal(body["percent"]); ok && part > 0 && part <= 1 {
		return part
	}
	return 1
}

func swipeOver(t thing, body object) []risk.Action {
	direction, _ := body["direction"].(string)
	return across(t, direction, share(body))
}

// scrollOver swipes the other way round: to scroll down a finger goes up.
func scrollOver(t thing, body object) []risk.Action {
	direction, _ := body["direction"].(string)
	opposite := map[string]string{"up": "down", "down": "up", "left": "right", "right": "left"}
	return across(t, opposite[direction], share(body))
}

func pinchOver(together bool) func(thing, object) []risk.Action {
	return func(t thing, _ object) []risk.Action { return pinch(t, together) }
}

// scrollTo scrolls until something is found.
func scrollTo(_ *Memory, c *w3cCall) meaning {
	params, _ := c.body["params"].(object)
	for _, o := range []object{c.body, params} {
		if selector, ok := o["selector"].(string); ok {
			if known, _ := selectorCalls(selector); !known {
				return meaning{}
			}
		}
	}
	return meaning{acts: []risk.Action{{Kind: risk.Scroll}}}
}

// execute reads the extensions that Appium's clients know as "mobile: ...". The
// server on the phone has none of its own, but what drives it may.
func execute(m *Memory, c *w3cCall) meaning {
	script, _ := c.body["script"].(string)
	list, _ := c.body["args"].([]any)
	args, ok := object{}, len(list) == 0
	if len(list) == 1 {
		args, ok = list[0].(object)
	}
	read, known := mobile[script]
	if !ok || !known {
		return meaning{describe: clip(script, 60)}
	}
	one := read(m, &w3cCall{session: c.session, body: args})
	one.describe = script
	return one
}

// mobile are the extensions, by their name.
var mobile = map[string]func(*Memory, *w3cCall) meaning{
	"mobile: shell":              mobileShell,
	"mobile: deepLink":           mobileLink,
	"mobile: type":               sendKeys,
	"mobile: pressKey":           pressKeyCode(0),
	"mobile: clickGesture":       gestureArgs(clickGesture(0), "offset", "x", "y"),
	"mobile: longClickGesture":   gestureArgs(clickGesture(holdMS), "offset", "x", "y"),
	"mobile: doubleClickGesture": gestureArgs(doubleClickGesture, "offset", "x", "y"),
	"mobile: dragGesture":        gestureArgs(dragGesture, "start", "startX", "startY"),
	"mobile: swipeGesture":       gestureArgs(areaGesture(swipeOver), "", "", ""),
	"mobile: scrollGesture":      gestureArgs(areaGesture(scrollOver), "", "", ""),
	"mobile: flingGesture":       gestureArgs(areaGesture(scrollOver), "", "", ""),
	"mobile: pinchCloseGesture":  gestureArgs(areaGesture(pinchOver(true)), "", "", ""),
	"mobile: pinchOpenGesture":   gestureArgs(areaGesture(pinchOver(false)), "", "", ""),
}

// gestureArgs turns the arguments of an extension into the body of a gesture.
func gestureArgs(read func(*Memory, *w3cCall) meaning, name, x, y string) func(*Memory, *w3cCall) meaning {
	return func(m *Memory, c *w3cCall) meaning {
		a := c.body
		body := object{"direction": a["direction"], "percent": a["percent"], "duration": a["duration"], "area": a}
		if a["elementId"] != nil {
			body["origin"] = object{"ELEMENT": a["elementId"]}
		}
		if a[x] != nil || a[y] != nil {
			body[name] = object{"x": a[x], "y": a[y]}
		}
		if a["endX"] != nil {
			body["end"] = object{"x": a["endX"], "y": a["endY"]}
		}
		return read(m, &w3cCall{session: c.session, body: body})
	}
}

func mobileShell(_ *Memory, c *w3cCall) meaning {
	line, ok := c.body["command"].(string)
	if !ok {
		return meaning{}
	}
	args, listed := c.body["args"].([]any)
	if !listed && c.body["args"] != nil {
		args = []any{c.body["args"]}
	}
	for _, v := range args {
		word, ok := v.(string)
		if !ok {
			return meaning{}
		}
		line += " " + word // as the driver joins them, unquoted
	}
	return meaning{acts: []risk.Action{shell(line)}}
}

func mobileLink(_ *Memory, c *w3cCall) meaning {
	url, ok := c.body["url"].(string)
	if !ok || url == "" {
		return meaning{}
	}
	return meaning{acts: []risk.Action{{Kind: risk.OpenLink, Intent: url}}}
}
