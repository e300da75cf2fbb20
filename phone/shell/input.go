package shell

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/countersign/countersign/phone"
)

// inputPrograms put touches, keys and text into the phone.
var inputPrograms = map[string]program{"input": input}

// sources are the words for a source that may stand before a command
// (InputShellCommand.java). They change nothing here.
var sources = []string{
	"keyboard", "mouse", "joystick", "touchnavigation", "touchpad", "trackball", "dpad", "stylus", "gamepad",
	"touchscreen", "rotaryencoder",
}

// inputUsage is the beginning of what the real one prints.
const inputUsage = "Usage: input [<source>] [-d DISPLAY_ID] <command> [<arg>...]"

// failed is the exit code of Java's commands that end with -1.
const failed = 255

func input(r *run) int {
	args, display := r.args[1:], "0"
	if len(args) > 0 && slices.Contains(sources, args[0]) {
		args = args[1:]
	}
	if len(args) > 1 && args[0] == "-d" {
		display, args = args[1], args[2:]
	}
	if len(args) == 0 {
		r.complain("%s", inputUsage)
		return failed
	}
	command, ok := inputCommands[args[0]]
	if !ok {
		r.complain("Error: Unknown command: %s\n%s", args[0], inputUsage)
		return failed
	}
	if display != "0" && display != "DEFAULT_DISPLAY" && display != "-1" && display != "INVALID_DISPLAY" {
		return 0 // a display that is not there takes no input, and nobody says so
	}
	if !command(r, args[1:]) {
		r.complain("Error: Invalid arguments for command: %s\n%s", args[0], inputUsage)
		return failed
	}
	return r.exit
}

// inputCommands report whether their arguments could be understood.
var inputCommands = map[string]func(r *run, args []string) bool{
	"tap":            inputTap,
	"swipe":          inputSwipe,
	"draganddrop":    inputDrag,
	"text":           inputText,
	"keyevent":       inputKeys,
	"keycombination": inputCombination,
	"motionevent":    inputMotion,
	"press":          func(r *run, _ []string) bool { r.phone().Key(23, false); return true }, // a trackball's press is DPAD_CENTER
	"roll": func(r *run, args []string) bool {
		at, ok := pixels(args, 2)
		if ok {
			r.phone().Note(phone.Event{Kind: "roll", Detail: join(at)})
		}
		return ok
	},
	"scroll": inputScroll,
}

// pixels reads at least n coordinates. They are floats, as Java reads them.
func pixels(args []string, n int) ([]int, bool) {
	if len(args) < n {
		return nil, false
	}
	at := make([]int, n)
	for i := range at {
		f, err := strconv.ParseFloat(strings.TrimSpace(args[i]), 64)
		if err != nil || math.IsNaN(f) || math.Abs(f) > 1<<30 {
			return nil, false
		}
		at[i] = int(math.Floor(f))
	}
	return at, true
}

func join(at []int) string {
	words := make([]string, len(at))
	for i, n := range at {
		words[i] = strconv.Itoa(n)
	}
	return strings.Join(words, ",")
}

func inputTap(r *run, args []string) bool {
	at, ok := pixels(args, 2)
	if ok {
		r.phone().Tap(at[0], at[1])
	}
	return ok
}

// milliseconds is the duration after the coordinates, which may be missing.
func milliseconds(args []string, usual time.Duration) (time.Duration, bool) {
	if len(args) == 0 {
		return usual, true
	}
	n, err := strconv.Atoi(args[0])
	if err != nil {
		return 0, false
	}
	if n < 0 {
		return usual, true
	}
	return time.Duration(n) * time.Millisecond, true
}

func inputSwipe(r *run, args []string) bool {
	at, ok := pixels(args, 4)
	if !ok {
		return false
	}
	d, ok := milliseconds(args[4:], 300*time.Millisecond)
	if ok {
		r.phone().Swipe(at[0], at[1], at[2], at[3], d)
	}
	return ok
}

// inputDrag holds first, for as long as a long press takes, and moves then.
func inputDrag(r *run, args []string) bool {
	at, ok := pixels(args, 4)
	if !ok {
		return false
	}
	d, ok := milliseconds(args[4:], 300*time.Millisecond)
	if ok {
		r.phone().Swipe(at[0], at[1], at[2], at[3], d+500*time.Millisecond)
	}
	return ok
}

// inputText types its first word; %s is a blank. What the key map of a
// keyboard does not have makes the real one fail before it types anything.
func inputText(r *run, args []string) bool {
	if len(args) == 0 {
		return false
	}
	text := strings.ReplaceAll(args[0], "%s", " ")
	if strings.IndexFunc(text, func(c rune) bool { return c > unicode.MaxASCII }) >= 0 {
		r.complain("\nException occurred while executing 'text':\njava.lang.NullPointerException: Attempt to get length of null array")
		r.exit = failed
		return true
	}
	r.phone().Type(text)
	return true
}

func inputKeys(r *run, args []string) bool {
	long, double := false, false
	for len(args) > 0 && strings.HasPrefix(args[0], "--") {
		switch args[0] {
		case "--longpress":
			long = true
		case "--doubletap":
			double = true
		case "--async":
		case "--duration", "--delay":
			if len(args) < 2 {
				return false
			}
			ms, err := strconv.Atoi(args[1])
			if err != nil {
				return false
			}
			long = long || args[0] == "--duration" && ms >= 500
			args = args[1:]
		default:
			return false
		}
		args = args[1:]
	}
	codes, ok := keyCodes(args)
	if !ok {
		return false
	}
	for _, code := range codes {
		r.phone().Key(code, long)
		if double {
			r.phone().Key(code, long)
		}
	}
	return true
}

func keyCodes(args []string) ([]int, bool) {
	if len(args) == 0 {
		return nil, false
	}
	codes := make([]int, len(args))
	for i, a := range args {
		code, ok := KeyCode(a)
		if !ok {
			return nil, false
		}
		codes[i] = code
	}
	return codes, true
}

func inputCombination(r *run, args []string) bool {
	for len(args) > 1 && args[0] == "-t" {
		args = args[2:]
	}
	codes, ok := keyCodes(args)
	if !ok || len(codes) < 2 {
		return false
	}
	r.phone().Keys(codes...)
	return true
}

func inputMotion(r *run, args []string) bool {
	if len(args) == 0 {
		return false
	}
	kind := strings.ToUpper(args[0])
	if !slices.Contains([]string{phone.Down, phone.Move, phone.Up, phone.Cancel}, kind) {
		return false
	}
	at, ok := pixels(args[1:], 2)
	switch {
	case kind == phone.Cancel && !ok:
		at = []int{0, 0}
	case !ok:
		return false
	}
	r.phone().Motion(kind, at[0], at[1])
	return true
}

// inputScroll turns a wheel: "scroll X Y --axis VSCROLL,-1".
func inputScroll(r *run, args []string) bool {
	at, ok := pixels(args, 2)
	if !ok {
		return slices.Contains(args, "--axis")
	}
	for i, a := range args {
		if a != "--axis" || i+1 == len(args) {
			continue
		}
		axis, value, _ := strings.Cut(args[i+1], ",")
		by, err := strconv.ParseFloat(value, 64)
		if err != nil {
			return false
		}
		if axis == "VSCROLL" || axis == "SCROLL" {
			r.phone().Swipe(at[0], at[1], at[0], at[1]+int(by*200), 300*time.Millisecond)
		}
	}
	return true
}
