package relay

import (
	"strconv"
	"strings"

	"github.com/countersign/countersign/risk"
)

// holdMS is how long Android takes a touch for before it is a long press.
const holdMS = 500

// slop is how far apart two touches may lie to be the same place: Android's touch
// slop of 8 density-independent pixels, on a dense screen.
const slop = 32

// harmless is what does nothing that anybody has to know of: a setting of the
// server itself, a session. It is decided as none and recorded.
func harmless() []risk.Action { return []risk.Action{{Kind: risk.Wait}} }

func tap(x, y int) risk.Action {
	return risk.Action{Kind: risk.Tap, X: &x, Y: &y}
}

// press is a touch of some length.
func press(x, y, ms int) risk.Action {
	a := tap(x, y)
	if ms >= holdMS {
		a.Kind = risk.LongPress
	}
	a.DurationMS = max(ms, 0)
	return a
}

// swipe is a finger that goes from one point to another; with equal ends it is
// the press that Android makes of it.
func swipe(x, y, x2, y2, ms int) risk.Action {
	if near(x, x2) && near(y, y2) {
		return press(x, y, ms)
	}
	return risk.Action{Kind: risk.Swipe, X: &x, Y: &y, X2: &x2, Y2: &y2, DurationMS: max(ms, 0)}
}

func near(a, b int) bool { return a-b <= slop && b-a <= slop }

func key(name string) risk.Action { return risk.Action{Kind: risk.PressKey, Key: name} }

func keyCode(code int) risk.Action { return key(strconv.Itoa(code)) }

func typing(text string) risk.Action { return risk.Action{Kind: risk.TypeText, Text: text} }

func shell(line string) risk.Action { return risk.Action{Kind: risk.ShellLine, Shell: line} }

// compose makes one action of the acts of a call, so that one answer is to all of
// it. It is nil where there is none or they cannot be put into one.
func compose(acts []risk.Action) *risk.Action {
	switch {
	case len(acts) == 0:
		return nil
	case len(acts) == 1:
		return &acts[0]
	case len(acts) == 2 && samePlace(&acts[0], &acts[1]):
		double := acts[0]
		double.Kind = risk.DoubleTap
		return &double
	}
	parts := make([]string, 0, len(acts))
	for i := range acts {
		part, ok := spell(&acts[i])
		if !ok {
			return nil
		}
		parts = append(parts, part)
	}
	line := shell(strings.Join(parts, " && "))
	return &line
}

func samePlace(a, b *risk.Action) bool {
	return a.Kind == risk.Tap && b.Kind == risk.Tap && a.X != nil && b.X != nil && near(*a.X, *b.X) && near(*a.Y, *b.Y)
}

// spell writes an act as the shell command that does the same. It is false for
// what no command does, such as a press of what a selector finds.
func spell(a *risk.Action) (string, bool) {
	at := func(points ...*int) (string, bool) {
		words := make([]string, len(points))
		for i, p := range points {
			if p == nil {
				return "", false
			}
			words[i] = strconv.Itoa(*p)
		}
		return strings.Join(words, " "), true
	}
	switch a.Kind {
	case risk.Tap:
		points, ok := at(a.X, a.Y)
		return "input tap " + points, ok
	case risk.LongPress:
		points, ok := at(a.X, a.Y, a.X, a.Y)
		return "input swipe " + points + " " + strconv.Itoa(max(a.DurationMS, holdMS)), ok
	case risk.Swipe:
		points, ok := at(a.X, a.Y, a.X2, a.Y2)
		return "input swipe " + points + " " + strconv.Itoa(a.DurationMS), ok
	case risk.PressKey:
		if a.DurationMS >= holdMS {
			return "input keyevent --longpress " + quoted(a.Key), true
		}
		return "input keyevent " + quoted(a.Key), true
	case risk.Back:
		return "input keyevent BACK", true
	case risk.TypeText:
		return spellText(a)
	case risk.ShellLine:
		return a.Shell, true
	case risk.Wait:
		return "sleep 0", true
	}
	return "", false
}

// spellText writes typed text; %s, which "input text" takes for a space, is
// typed in two parts.
func spellText(a *risk.Action) (string, bool) {
	if a.Selector != nil || a.Node != nil {
		return "", false
	}
	var parts []string
	if a.X != nil && a.Y != nil {
		focus := tap(*a.X, *a.Y)
		part, _ := spell(&focus)
		parts = append(parts, part)
	}
	text := a.Text
	for {
		i := strings.Index(text, "%s")
		if i < 0 {
			break
		}
		parts = append(parts, "input text "+quoted(text[:i+1]))
		text = text[i+1:]
	}
	return strings.Join(append(parts, "input text "+quoted(text)), " && "), true
}

// quoted is a word of a shell line.
func quoted(word string) string {
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
