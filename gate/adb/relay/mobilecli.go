package relay

import (
	"strings"

	"github.com/countersign/countersign/risk"
)

// mobilecli is the DeviceServer of mobilecli, which mobile-mcp starts: JSON-RPC
// 2.0 in one request on a connection. It reads nothing of a request's head but the
// length, so method and path mean nothing. Its calls are those of DeviceServer in
// mobile-next/mobilecli.
var mobilecli = &server{name: Mobilecli, read: readMobilecli, deny: denyMobilecli}

// mobilecliTarget reports whether a service is one that mobilecli's server listens
// on: others answer as it does.
func mobilecliTarget(target string) bool {
	return strings.HasPrefix(target, "localabstract:mobilecli") || strings.HasPrefix(target, "localabstract:devicekit")
}

// mobilecliCalls are its methods. Left out on purpose, and so unknown: where the
// phone says that it is.
var mobilecliCalls = map[string]func(params object) meaning{
	"device.version": mobilecliReads, "device.apps.list": mobilecliReads,
	"device.dump.ui": mobilecliReads, "device.screenshot": mobilecliReads,
	"device.io.tap": mobilecliTap, "device.io.longpress": mobilecliLongPress, "device.io.swipe": mobilecliSwipe,
	"device.io.gesture": mobilecliGesture, "device.io.button": mobilecliButton, "device.io.keys": mobilecliKeys,
	"device.io.text": mobilecliText, "device.io.keyboard.hide": mobilecliDoes(risk.Action{Kind: risk.Back}),
	"device.clipboard.get": mobilecliDoes(shell("cmd clipboard get-text")),
	"device.clipboard.set": mobilecliDoes(harmless()...), "device.clipboard.clear": mobilecliDoes(harmless()...),
}

func readMobilecli(_ *Memory, r *request) meaning {
	if len(r.body) == 0 {
		return meaning{reads: true, describe: "empty call"} // answered with an error
	}
	o, ok := asObject(r.body)
	if _, given := o["method"]; ok && !given {
		return meaning{reads: true, describe: "call without a method"} // the same: it asks whether it is there
	}
	method, named := o["method"].(string)
	params, listed := o["params"].(object)
	if !ok || !named || !listed && o["params"] != nil {
		return meaning{describe: "call that cannot be read"}
	}
	call, known := mobilecliCalls[method]
	if !known {
		return meaning{describe: clip(method, 60)}
	}
	m := call(params)
	m.describe = method
	return m
}

func mobilecliReads(object) meaning { return meaning{reads: true} }

func mobilecliDoes(acts ...risk.Action) func(object) meaning {
	return func(object) meaning { return meaning{acts: acts} }
}

// wholes are the numbers of a call by name.
func wholes(params object, names ...string) ([]int, bool) {
	out := make([]int, len(names))
	for i, name := range names {
		n, ok := whole(params[name])
		if !ok {
			return nil, false
		}
		out[i] = n
	}
	return out, true
}

// wholeOr is a number that may be left out.
func wholeOr(v any, usual int) (int, bool) {
	if v == nil {
		return usual, true
	}
	return whole(v)
}

func mobilecliTap(params object) meaning {
	at, ok := wholes(params, "x", "y")
	if !ok {
		return meaning{}
	}
	return meaning{acts: []risk.Action{tap(at[0], at[1])}}
}

func mobilecliLongPress(params object) meaning {
	at, ok := wholes(params, "x", "y")
	ms, timed := wholeOr(params["duration"], holdMS)
	if !ok || !timed {
		return meaning{}
	}
	return meaning{acts: []risk.Action{press(at[0], at[1], ms)}}
}

func mobilecliSwipe(params object) meaning {
	at, ok := wholes(params, "x1", "y1", "x2", "y2")
	ms, timed := wholeOr(params["duration"], 1000)
	if !ok || !timed {
		return meaning{}
	}
	return meaning{acts: []risk.Action{swipe(at[0], at[1], at[2], at[3], ms)}}
}

// mobilecliGesture follows fingers by their number: each is pressed, moved and
// released, with durations in seconds.
func mobilecliGesture(params object) meaning {
	list, _ := params["actions"].([]any)
	tracks, ms, order := map[int][]int{}, map[int]int{}, []int(nil)
	for _, v := range list {
		o, _ := v.(object)
		finger, ok := wholeOr(o["button"], 0)
		x, okX := wholeOr(o["x"], 0)
		y, okY := wholeOr(o["y"], 0)
		seconds, timed := decimal(o["duration"])
		if !ok || !okX || !okY || o["duration"] != nil && !timed {
			return meaning{}
		}
		ms[finger] += int(seconds * 1000)
		switch track := tracks[finger]; {
		case o["type"] == "press" && track == nil:
			tracks[finger], order = []int{x, y}, append(order, finger)
		case o["type"] == "move" && track != nil:
			tracks[finger] = append(track, x, y)
		case o["type"] == "release" && track != nil:
		default:
			return meaning{}
		}
	}
	var acts []risk.Action
	for _, finger := range order {
		acts = append(acts, stroke(tracks[finger], ms[finger])...)
	}
	return meaning{acts: acts}
}

func mobilecliButton(params object) meaning {
	name, ok := params["button"].(string)
	if !ok || name == "" {
		return meaning{}
	}
	return meaning{acts: []risk.Action{key(name)}}
}

// mobilecliKeys presses keys one after the other, some with others held down.
func mobilecliKeys(params object) meaning {
	list, _ := params["keys"].([]any)
	var acts []risk.Action
	for _, v := range list {
		o, _ := v.(object)
		name, ok := o["keycode"].(string)
		held, listed := o["modifiers"].([]any)
		if !ok || name == "" || !listed && o["modifiers"] != nil {
			return meaning{}
		}
		if len(held) == 0 {
			acts = append(acts, key(name))
			continue
		}
		line := "input keycombination"
		for _, m := range held {
			modifier, ok := m.(string)
			if !ok || modifier == "" {
				return meaning{}
			}
			line += " " + quoted(modifier)
		}
		acts = append(acts, shell(line+" "+quoted(name)))
	}
	return meaning{acts: acts}
}

func mobilecliText(params object) meaning {
	text, ok := params["text"].(string)
	if !ok {
		return meaning{}
	}
	return meaning{acts: []risk.Action{typing(text)}}
}

// denyMobilecli says no with an error of JSON-RPC: its client then tries commands,
// where the same verdict waits.
func denyMobilecli(r *request, why string) reply {
	o, _ := asObject(r.body)
	return document(200, rpcError(o, object{"code": refusedCode, "message": why}))
}
