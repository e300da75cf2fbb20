package relay

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/countersign/countersign/risk"
)

// rpcMethods are the calls of uiautomator2's server that are known. What is not
// here is unknown. Left out on purpose: watchers that press something later
// (register..., runWatchers) and whatever writes a file.
var rpcMethods = map[string]func(params []any) meaning{
	"ping": reading, "deviceInfo": reading, "dumpAllWindowHierarchy": reading,
	"dumpWindowHierarchyWithSelector": reading, "objInfo": reading, "objInfoOfAllInstances": reading,
	"exist": reading, "count": reading, "waitForExists": reading, "waitUntilGone": reading,
	"waitForIdle": reading, "waitForWindowUpdate": reading, "getText": reading, "getLastToast": reading,
	"getLastTraversedText": reading, "isScreenOn": reading, "hasWatcher": reading,
	"hasAnyWatchersTriggered": reading, "hasWatcherTriggered": reading, "getWatchers": reading,
	"getConfigurator": reading, "getUiObject": reading, "getChild": reading, "getFromParent": reading,
	"childByInstance": reading, "childByText": childBy, "childByDescription": childBy,
	"dumpWindowHierarchy": dumping, "takeScreenshot": picturing,

	"click": clicking(0), "longClick": clicking(holdMS), "clickAndWaitForNewWindow": clicking(0),
	"swipe": swiping, "drag": swiping, "swipePoints": swipingPoints, "dragTo": draggingTo,
	"gesture": twoFingers, "pinchIn": pinching(true), "pinchOut": pinching(false),
	"injectInputEvent": injecting, "pressKey": pressingKey, "pressKeyCode": pressingKeyCode,
	"setText": settingText, "clearTextField": settingText,
	"flingForward": scrolling(true), "flingBackward": scrolling(false), "flingToBeginning": scrolling(false),
	"flingToEnd": scrolling(true), "scrollForward": scrolling(true), "scrollBackward": scrolling(false),
	"scrollToBeginning": scrolling(false), "scrollToEnd": scrolling(true), "scrollTo": scrolling(true),

	"getClipboard": line("cmd clipboard get-text"), "pasteClipboard": acting(key("PASTE")),
	"openNotification":  line("cmd statusbar expand-notifications"),
	"openQuickSettings": line("cmd statusbar expand-settings"),
	"wakeUp":            acting(key("WAKEUP")), "sleep": acting(key("SLEEP")),
	"freezeRotation": line("settings put system accelerometer_rotation 0"),
	"setOrientation": line("settings put system user_rotation 0"),
	"setClipboard":   acting(harmless()...), "makeToast": acting(harmless()...),
	"clearLastToast": acting(harmless()...), "clearLastTraversedText": acting(harmless()...),
	"setConfigurator": acting(harmless()...), "removeWatcher": acting(harmless()...),
	"resetWatcherTriggers": acting(harmless()...), "removeUiObject": acting(harmless()...),
}

func reading([]any) meaning { return meaning{reads: true} }

func acting(acts ...risk.Action) func([]any) meaning {
	return func([]any) meaning { return meaning{acts: acts} }
}

func line(l string) func([]any) meaning { return acting(shell(l)) }

// dumping reads the screen, unless it is told to write it to a file.
func dumping(p []any) meaning {
	if len(p) > 1 {
		if _, named := p[1].(string); named {
			return meaning{}
		}
	}
	return meaning{reads: true}
}

// picturing takes a screenshot, unless it is told to write it to a file.
func picturing(p []any) meaning {
	if len(p) > 0 {
		if _, named := p[0].(string); named {
			return meaning{}
		}
	}
	return meaning{reads: true}
}

// childBy looks for a child, and scrolls for it where it is told to.
func childBy(p []any) meaning {
	if len(p) > 3 && p[3] != false {
		return meaning{acts: []risk.Action{{Kind: risk.Scroll}}}
	}
	return meaning{reads: true}
}

// numbers reads the first n parameters as whole numbers.
func numbers(p []any, n int) ([]int, bool) {
	if len(p) < n {
		return nil, false
	}
	out := make([]int, n)
	for i := range out {
		v, ok := whole(p[i])
		if !ok {
			return nil, false
		}
		out[i] = v
	}
	return out, true
}

// selected is a call on what a selector finds.
func selected(selector any, build func(thing) []risk.Action) meaning {
	text, err := json.Marshal(selector)
	if _, isObject := selector.(object); !isObject || err != nil {
		return meaning{}
	}
	handle := string(text)
	return meaning{handles: []string{handle}, build: func(things map[string]thing) []risk.Action {
		t := things[handle]
		if t.empty() {
			return nil
		}
		return build(t)
	}}
}

// cornerInset is how far from a corner UiObject.clickTopLeft presses.
const cornerInset = 5

// clicking presses a point, or what a selector finds in its middle or a corner.
func clicking(ms int) func([]any) meaning {
	return func(p []any) meaning {
		if at, ok := numbers(p, 2); ok {
			long := ms
			if held, ok := numbers(p, 3); ok {
				long = held[2]
			} else if len(p) > 2 {
				return meaning{}
			}
			return meaning{acts: []risk.Action{press(at[0], at[1], long)}}
		}
		if len(p) == 0 {
			return meaning{}
		}
		corner := ""
		if len(p) > 1 {
			corner, _ = p[1].(string)
		}
		return selected(p[0], func(t thing) []risk.Action {
			x, y := t.center()
			switch strings.ToLower(corner) {
			case "tl", "topleft":
				x, y = t.left+cornerInset, t.top+cornerInset
			case "br", "bottomright":
				x, y = t.right-cornerInset, t.bottom-cornerInset
			}
			return []risk.Action{press(x, y, ms)}
		})
	}
}

// stepMS is how long a step of a swipe takes in UiAutomator.
const stepMS = 5

// swiping goes from a point to another, or over what a selector finds.
func swiping(p []any) meaning {
	if at, ok := numbers(p, 5); ok {
		return meaning{acts: []risk.Action{swipe(at[0], at[1], at[2], at[3], stepMS*at[4])}}
	}
	if len(p) < 3 {
		return meaning{}
	}
	direction, _ := p[1].(string)
	return selected(p[0], func(t thing) []risk.Action {
		return across(t, strings.ToLower(direction), 1)
	})
}

// across swipes over an area in a direction, over a part of its length.
func across(t thing, direction string, part float64) []risk.Action {
	x, y := t.center()
	dx, dy := int(float64(t.right-t.left)*part), int(float64(t.bottom-t.top)*part)
	switch direction {
	case "up":
		return []risk.Action{swipe(x, t.bottom-1, x, t.bottom-1-dy, 0)}
	case "down":
		return []risk.Action{swipe(x, t.top, x, t.top+dy, 0)}
	case "left":
		return []risk.Action{swipe(t.right-1, y, t.right-1-dx, y, 0)}
	case "right":
		return []risk.Action{swipe(t.left, y, t.left+dx, y, 0)}
	}
	return nil
}

// swipingPoints goes through several points.
func swipingPoints(p []any) meaning {
	if len(p) != 2 {
		return meaning{}
	}
	list, _ := p[0].([]any)
	at, ok := numbers(list, len(list))
	steps, timed := whole(p[1])
	if !ok || !timed || len(at) < 4 || len(at)%2 != 0 {
		return meaning{}
	}
	return meaning{acts: path(at, steps*stepMS)}
}

// path is a finger that goes through points without being lifted, x and y in
// turn. With more than two it is written as the parts of one touch: what it does
// depends on where it begins and where it ends.
func path(at []int, ms int) []risk.Action {
	if len(at) == 4 {
		return []risk.Action{swipe(at[0], at[1], at[2], at[3], ms)}
	}
	last := len(at) - 2
	parts := make([]string, 0, len(at)/2+1)
	for i := 0; i < len(at); i += 2 {
		phase := "MOVE"
		if i == 0 {
			phase = "DOWN"
		}
		parts = append(parts, fmt.Sprintf("input motionevent %s %d %d", phase, at[i], at[i+1]))
	}
	parts = append(parts, fmt.Sprintf("input motionevent UP %d %d", at[last], at[last+1]))
	return []risk.Action{shell(strings.Join(parts, " && "))}
}

// draggingTo drags what a selector finds to a point or to another control.
func draggingTo(p []any) meaning {
	if len(p) < 3 {
		return meaning{}
	}
	if to, ok := numbers(p[1:], 2); ok {
		return selected(p[0], func(t thing) []risk.Action {
			x, y := t.center()
			return []risk.Action{swipe(x, y, to[0], to[1], holdMS)}
		})
	}
	from := selected(p[0], func(t thing) []risk.Action { return nil })
	to := selected(p[1], func(t thing) []risk.Action { return nil })
	if from.handles == nil || to.handles == nil {
		return meaning{}
	}
	a, b := from.handles[0], to.handles[0]
	return meaning{handles: []string{a, b}, build: func(things map[string]thing) []risk.Action {
		if things[a].empty() || things[b].empty() {
			return nil
		}
		x, y := things[a].center()
		x2, y2 := things[b].center()
		return []risk.Action{swipe(x, y, x2, y2, holdMS)}
	}}
}

// twoFingers is a gesture whose points are given.
func twoFingers(p []any) meaning {
	if len(p) < 6 {
		return meaning{}
	}
	var at [4][2]int
	for i := range at {
		o, _ := p[i+1].(object)
		x, okX := whole(o["x"])
		y, okY := whole(o["y"])
		if !okX || !okY {
			return meaning{}
		}
		at[i] = [2]int{x, y}
	}
	return meaning{acts: []risk.Action{
		swipe(at[0][0], at[0][1], at[2][0], at[2][1], 0), swipe(at[1][0], at[1][1], at[3][0], at[3][1], 0),
	}}
}

// pinching moves two fingers towards each other or apart.
func pinching(together bool) func([]any) meaning {
	return func(p []any) meaning {
		if len(p) == 0 {
			return meaning{}
		}
		return selected(p[0], func(t thing) []risk.Action { return pinch(t, together) })
	}
}

// pinch is a pinch over an area, on its horizontal middle line.
func pinch(t thing, together bool) []risk.Action {
	x, y := t.center()
	left, right := swipe(x, y, t.left, y, 0), swipe(x, y, t.right-1, y, 0)
	if together {
		left, right = swipe(t.left, y, x, y, 0), swipe(t.right-1, y, x, y, 0)
	}
	return []risk.Action{left, right}
}

// scrolling scrolls what a selector finds by swiping over it.
func scrolling(forward bool) func([]any) meaning {
	return func(p []any) meaning {
		if len(p) == 0 {
			return meaning{}
		}
		vertical := true
		for _, v := range p[1:] {
			if b, isBool := v.(bool); isBool {
				vertical = b
				break
			}
		}
		direction := map[[2]bool]string{
			{true, true}: "up", {true, false}: "down", {false, true}: "left", {false, false}: "right",
		}[[2]bool{vertical, forward}]
		return selected(p[0], func(t thing) []risk.Action { return across(t, direction, 0.8) })
	}
}

// injecting is a raw event: the actions of android.view.MotionEvent.
func injecting(p []any) meaning {
	at, ok := numbers(p, 3)
	if !ok {
		return meaning{}
	}
	a := risk.Action{Kind: risk.MotionEvent, X: &at[1], Y: &at[2]}
	switch at[0] {
	case 0, 1: // ACTION_DOWN, ACTION_UP
	case 2: // ACTION_MOVE
		a.Kind = risk.Scroll
	case 3: // ACTION_CANCEL
		return meaning{acts: harmless()}
	default:
		return meaning{}
	}
	return meaning{acts: []risk.Action{a}}
}

// keyNames are the names of pressKey that are not Android's own.
var keyNames = map[string]string{
	"left": "DPAD_LEFT", "right": "DPAD_RIGHT", "up": "DPAD_UP", "down": "DPAD_DOWN", "center": "DPAD_CENTER",
	"delete": "DEL", "del": "DEL", "recent": "APP_SWITCH",
}

func pressingKey(p []any) meaning {
	if len(p) != 1 {
		return meaning{}
	}
	name, ok := p[0].(string)
	switch {
	case !ok || name == "":
		return meaning{}
	case name == "home":
		return meaning{acts: []risk.Action{{Kind: risk.Home}}}
	case name == "back":
		return meaning{acts: []risk.Action{{Kind: risk.Back}}}
	case keyNames[name] != "":
		name = keyNames[name]
	}
	return meaning{acts: []risk.Action{key(strings.ToUpper(name))}}
}

func pressingKeyCode(p []any) meaning {
	code, ok := numbers(p, 1)
	if !ok {
		return meaning{}
	}
	if meta, given := numbers(p, 2); len(p) > 1 && (!given || !plainMeta(meta[1])) {
		return meaning{}
	}
	return meaning{acts: []risk.Action{keyCode(code[0])}}
}

// plainMeta reports whether a meta state is that of typing: shift, caps lock, num
// lock. With another key held down it is a command of the app's.
func plainMeta(state int) bool {
	const shift, lefts, rights, caps, num = 0x1, 0x40, 0x80, 0x100000, 0x200000
	return state&^(shift|lefts|rights|caps|num) == 0
}

// settingText replaces the text of a field.
func settingText(p []any) meaning {
	if len(p) == 0 {
		return meaning{}
	}
	text := ""
	if len(p) > 1 {
		var ok bool
		if text, ok = p[1].(string); !ok {
			return meaning{}
		}
	}
	return selected(p[0], func(t thing) []risk.Action { return []risk.Action{typingAt(t, text)} })
}

// typingAt types into a field that is named.
func typingAt(t thing, text string) risk.Action {
	x, y := t.center()
	a := typing(text)
	a.X, a.Y = &x, &y
	return a
}
