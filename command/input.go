package command

import (
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/countersign/countersign/risk"
)

// tapSlop is how far apart, in pixels, the ends of a swipe may lie for Android
// to take it as a press: 8 density-independent pixels, on a dense screen.
const tapSlop = 32

// inputSources are the devices that input can pretend to be. Which one it is
// does not change what lands on the screen.
var inputSources = map[string]bool{
	"keyboard": true, "dpad": true, "gamepad": true, "touchscreen": true, "mouse": true,
	"stylus": true, "trackball": true, "touchpad": true, "touchnavigation": true,
	"joystick": true, "rotaryencoder": true,
}

// inputCommands are the ways to act on the screen.
var inputCommands = map[string]func(c *call, display int){
	"text":           inputText,           // types, and presses ENTER for a line break
	"keyevent":       inputKeys,           // one key after the other
	"keycombination": inputKeyCombination, // keys held together
	"tap":            inputTap,
	"swipe":          inputSwipe, // with equal ends it is a tap or a long press
	"draganddrop":    inputSwipe,
	"motionevent":    inputMotion, // one phase of a touch
	"press":          inputPress,  // the trackball's button: presses the focused control
	"roll":           inputScroll, // the trackball: moves the focus
	"scroll":         inputScroll, // the wheel
}

// input judges "input [SOURCE] [-d DISPLAY] COMMAND ...".
func input(c *call) {
	display := 0
	for i := 0; i < len(c.args); i++ {
		a := c.arg(i)
		switch {
		case inputSources[a]:
		case a == "-d" || a == "--display":
			n, err := strconv.Atoi(c.arg(i + 1))
			if err != nil {
				c.unknown(codeBadArguments, c.verb, c.rest(0))
				return
			}
			display = max(n, 0) // -1 stands for whichever has the focus
			i++
		case strings.HasPrefix(a, "-d") && len(a) > 2:
			n, err := strconv.Atoi(a[2:])
			if err != nil {
				c.unknown(codeBadArguments, c.verb, c.rest(0))
				return
			}
			display = max(n, 0)
		default:
			judge, known := inputCommands[a]
			if !known {
				c.unknown(codeUnknownCommand, c.verb+" "+a, c.rest(0))
				return
			}
			judge(c.shift(c.verb+" "+a, i+1), display)
			return
		}
	}
	c.none(codeRead, c.verb)
}

// press adds what has to be judged on the screen.
func (c *call) press(p Press) {
	code := codePress
	switch p.Kind {
	case PressType:
		code = codeType
	case PressSwipe, PressDrag, PressMove:
		code = codeGesture
	}
	c.add(Effect{Code: code, Press: &p, Term: c.verb, Object: p.Text})
}

// inputText types a text in which %s stands for a space.
func inputText(c *call, display int) {
	if len(c.args) == 0 {
		c.none(codeRead, c.verb)
		return
	}
	c.press(Press{Kind: PressType, Display: display, Text: strings.ReplaceAll(c.rest(0), "%s", " ")})
}

func inputTap(c *call, display int) {
	at, ok := c.numbers(2)
	if !ok {
		return
	}
	c.press(Press{Kind: PressTap, X: at[0], Y: at[1], Display: display})
}

func inputSwipe(c *call, display int) {
	n := 4
	if len(c.args) > 4 {
		n = 5
	}
	at, ok := c.numbers(n)
	if !ok {
		return
	}
	p := Press{Kind: PressSwipe, X: at[0], Y: at[1], X2: at[2], Y2: at[3], Display: display}
	if n == 5 {
		p.Duration = time.Duration(max(at[4], 0)) * time.Millisecond
	}
	switch {
	case strings.HasSuffix(c.verb, "draganddrop"):
		p.Kind = PressDrag
	case math.Hypot(float64(p.X2-p.X), float64(p.Y2-p.Y)) <= tapSlop:
		p.Kind = PressTap
	}
	c.press(p)
}

// inputMotion is one phase of a touch. The finger acts where it goes up, but
// where it went down is where the target is.
func inputMotion(c *call, display int) {
	kinds := map[string]PressKind{"DOWN": PressDown, "MOVE": PressMove, "UP": PressUp}
	phase := strings.ToUpper(c.arg(0))
	if phase == "CANCEL" {
		c.none(codeNavigate, c.verb)
		return
	}
	kind, known := kinds[phase]
	if !known {
		c.unknown(codeBadArguments, c.verb, c.rest(0))
		return
	}
	at, ok := c.shift(c.verb, 1).numbers(2)
	if !ok {
		return
	}
	c.press(Press{Kind: kind, X: at[0], Y: at[1], Display: display})
}

func inputPress(c *call, display int) {
	c.press(Press{Kind: PressKey, Key: "DPAD_CENTER", Display: display})
}

func inputScroll(c *call, _ int) { c.none(codeNavigate, c.verb) }

// numbers reads the first n arguments as pixels or milliseconds. It answers
// for itself when they are not.
func (c *call) numbers(n int) ([]int, bool) {
	out := make([]int, 0, n)
	for i := range n {
		v, err := strconv.ParseFloat(c.arg(i), 64)
		if i >= len(c.args) || c.args[i].why != "" || err != nil || math.IsNaN(v) || math.Abs(v) > 1e6 {
			c.unknown(codeBadArguments, c.verb, c.rest(0))
			return nil, false
		}
		out = append(out, int(math.Floor(v)))
	}
	return out, true
}

// inputKeys presses keys one after the other.
func inputKeys(c *call, display int) {
	keys, long := c.keyNames()
	if len(keys) == 0 {
		c.none(codeRead, c.verb)
		return
	}
	edits := map[string]bool{}
	for _, name := range keys {
		e := Key(name).press(long)
		if e.Code == codeEdit { // a client that empties a field presses it a hundred times
			if edits[e.Term] {
				continue
			}
			edits[e.Term] = true
		}
		if e.Press != nil {
			e.Press.Display = display
		}
		if e.Code == codeUnknownKey {
			e.Object = name
		}
		if e.Term == "key POWER" && c.r.loops > 0 { // nobody knows how often
			e.Category, e.Code = risk.Device, codeEmergency
		}
		c.add(e)
	}
}

// keyNames takes the keys of a key command apart from its options.
func (c *call) keyNames() (keys []string, long bool) {
	options, keys := split(c.texts(), "--duration", "--delay", "-t")
	_, held := options["--longpress"]
	_, twice := options["--doubletap"]
	_, timed := options["--duration"]
	return keys, held || twice || timed
}

// inputKeyCombination presses keys together. With CTRL it edits; with the
// power key it restarts; both volume keys switch an accessibility service on.
func inputKeyCombination(c *call, display int) {
	keys, _ := c.keyNames()
	held := map[string]bool{}
	var last KeyEffect
	for _, name := range keys {
		last = Key(name)
		if last.Name == "" {
			c.unknown(codeUnknownKey, c.verb, name)
			return
		}
		held[last.Name] = true
	}
	ctrl := held["CTRL_LEFT"] || held["CTRL_RIGHT"]
	switch {
	case len(keys) == 0:
		c.none(codeRead, c.verb)
	case held["POWER"]:
		c.is(risk.Device, codePower, c.verb, c.rest(0))
	case held["VOLUME_UP"] && held["VOLUME_DOWN"]:
		c.is(risk.Bypass, codeAccessibility, c.verb, c.rest(0))
	case ctrl && len(keys) == 2 && strings.Contains("ACXYZ", last.Name):
		c.none(codeEdit, c.verb)
	case ctrl && len(keys) == 2 && last.Name == "V":
		c.press(Press{Kind: PressKey, Key: "PASTE", Display: display})
	case last.Name == "ENTER" || last.Name == "NUMPAD_ENTER":
		c.press(Press{Kind: PressKey, Key: last.Name, Display: display})
	case !last.Screen && last.Category == risk.None && onlyShift(held, last.Name):
		c.none(codeNavigate, c.verb)
	default: // an app's own shortcut
		c.unknown(codeUnknownKey, c.verb, c.rest(0))
	}
}

// onlyShift reports whether nothing but SHIFT is held with a key.
func onlyShift(held map[string]bool, key string) bool {
	for name := range held {
		if name != key && name != "SHIFT_LEFT" && name != "SHIFT_RIGHT" {
			return false
		}
	}
	return true
}
