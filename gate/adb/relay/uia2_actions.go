package relay

import (
	"github.com/countersign/countersign/risk"
)

// WebDriver's characters for the keys that are told apart here.
const (
	keyReturn rune = 0xe006
	keyEnter  rune = 0xe007
)

// w3cKeys are WebDriver's characters for keys, as Android's names.
var w3cKeys = map[rune]string{
	0xe003: "DEL", 0xe004: "TAB", keyReturn: "ENTER", keyEnter: "ENTER", 0xe00c: "ESCAPE", 0xe00d: "SPACE",
	0xe00e: "PAGE_UP", 0xe00f: "PAGE_DOWN", 0xe010: "MOVE_END", 0xe011: "MOVE_HOME", 0xe012: "DPAD_LEFT",
	0xe013: "DPAD_UP", 0xe014: "DPAD_RIGHT", 0xe015: "DPAD_DOWN", 0xe017: "FORWARD_DEL",
}

// w3cActions reads a chain of actions, which is judged as one.
func w3cActions(_ *Memory, c *w3cCall) meaning {
	sources, ok := c.body["actions"].([]any)
	if !ok {
		return meaning{}
	}
	var handles []string
	parsed := make([]inputSource, 0, len(sources))
	for _, v := range sources {
		s, ok := parseSource(v)
		if !ok {
			return meaning{}
		}
		for _, step := range s.steps {
			if step.element != "" {
				handles = append(handles, c.session+"/"+step.element)
			}
		}
		parsed = append(parsed, s)
	}
	build := func(things map[string]thing) []risk.Action { return playAll(parsed, c.session, things) }
	if len(handles) == 0 {
		return meaning{acts: build(nil)}
	}
	return meaning{handles: handles, build: build}
}

// inputSource is a pointer or a keyboard and what it does, step by step.
type inputSource struct {
	kind  string // pointer, key or none
	steps []inputStep
}

// inputStep is one step of a source.
type inputStep struct {
	kind     string // pointerMove, pointerDown, pointerUp, pointerCancel, keyDown, keyUp, pause
	x, y     int
	relative bool   // to where the pointer is
	element  string // from the middle of this element
	duration int    // milliseconds
	key      rune
}

func parseSource(v any) (s inputSource, ok bool) {
	o, _ := v.(object)
	s.kind, _ = o["type"].(string)
	if s.kind != "pointer" && s.kind != "key" && s.kind != "none" {
		return s, false
	}
	list, ok := o["actions"].([]any)
	if !ok {
		return s, false
	}
	for _, v := range list {
		step, ok := parseStep(s.kind, v)
		if !ok {
			return s, false
		}
		s.steps = append(s.steps, step)
	}
	return s, true
}

// parseStep reads a step; one that its source cannot do is none.
func parseStep(source string, v any) (s inputStep, ok bool) {
	o, _ := v.(object)
	s.kind, _ = o["type"].(string)
	if o["duration"] != nil {
		if s.duration, ok = whole(o["duration"]); !ok || s.duration < 0 {
			return s, false
		}
	}
	switch {
	case s.kind == "pause":
		return s, true
	case source == "pointer" && s.kind == "pointerMove":
		return s, s.parseMove(o)
	case source == "pointer" && (s.kind == "pointerDown" || s.kind == "pointerUp" || s.kind == "pointerCancel"):
		return s, true
	case source == "key" && (s.kind == "keyDown" || s.kind == "keyUp"):
		text, _ := o["value"].(string)
		runes := []rune(text)
		if len(runes) != 1 {
			return s, false
		}
		s.key = runes[0]
		return s, true
	}
	return s, false
}

func (s *inputStep) parseMove(o object) bool {
	x, okX := whole(o["x"])
	y, okY := whole(o["y"])
	s.x, s.y = x, y
	switch from := o["origin"].(type) {
	case nil:
		return okX && okY
	case string:
		s.relative = from == "pointer"
		return okX && okY && (s.relative || from == "viewport")
	default:
		id, ok := elementID(from)
		s.element = id
		return okX && okY && ok
	}
}

// playAll works out what the sources do, each by itself. It is nil where that
// cannot be told.
func playAll(sources []inputSource, session string, things map[string]thing) []risk.Action {
	acts := []risk.Action{}
	for _, s := range sources {
		var part []risk.Action
		ok := true
		switch s.kind {
		case "pointer":
			part, ok = playPointer(s.steps, session, things)
		case "key":
			part, ok = playKeys(s.steps)
		}
		if !ok {
			return nil
		}
		acts = append(acts, part...)
	}
	if len(acts) == 0 {
		return harmless() // pauses, and a pointer that touches nothing
	}
	return acts
}

// playPointer follows a finger. A finger that is still down at the end has
// pressed as well.
func playPointer(steps []inputStep, session string, things map[string]thing) (acts []risk.Action, ok bool) {
	x, y, down, ms := 0, 0, false, 0
	placed := false
	var track []int
	lift := func() {
		if down {
			acts = append(acts, stroke(track, ms)...)
		}
		down, track, ms = false, nil, 0
	}
	for _, s := range steps {
		ms += s.duration
		switch s.kind {
		case "pointerMove":
			switch {
			case s.element != "":
				t := things[session+"/"+s.element]
				if t.empty() {
					return nil, false
				}
				x, y = t.center()
				x, y = x+s.x, y+s.y
			case s.relative && placed:
				x, y = x+s.x, y+s.y
			case s.relative:
				return nil, false
			default:
				x, y = s.x, s.y
			}
			placed = true
			if down {
				track = append(track, x, y)
			}
		case "pointerDown":
			if !placed || down {
				return nil, false
			}
			down, track, ms = true, []int{x, y}, 0
		case "pointerUp", "pointerCancel":
			lift()
		}
	}
	lift()
	return acts, true
}

// stroke is what a finger did between down and up.
func stroke(track []int, ms int) []risk.Action {
	if len(track) == 2 {
		return []risk.Action{press(track[0], track[1], ms)}
	}
	return path(track, ms)
}

// playKeys follows a keyboard: characters become text, other keys are pressed.
// With a modifier other than shift held down, a key is a command of the app's,
// which is not known.
func playKeys(steps []inputStep) (acts []risk.Action, ok bool) {
	text := ""
	flush := func() {
		if text != "" {
			acts = append(acts, typing(text))
		}
		text = ""
	}
	for _, s := range steps {
		if s.kind != "keyDown" {
			continue
		}
		name, special := w3cKeys[s.key]
		switch {
		case special:
			flush()
			acts = append(acts, key(name))
		case s.key == 0xe008 || s.key == 0xe050: // shift
		case s.key >= 0xe000 && s.key <= 0xe05d:
			return nil, false
		default:
			text += string(s.key)
		}
	}
	flush()
	return acts, true
}
