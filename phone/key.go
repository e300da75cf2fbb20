package phone

import (
	"fmt"
	"strings"
)

// Android's key codes that the phone knows beyond letters and digits.
const (
	keyHome, keyBack, keyCall, keyEndCall = 3, 4, 5, 6
	keyUp, keyDown, keyLeft, keyRight     = 19, 20, 21, 22
	keyCenter, keyPower                   = 23, 26
	keyShiftLeft, keyShiftRight           = 59, 60
	keyTab, keySpace, keyEnter, keyDelete = 61, 62, 66, 67
	keyNotification, keyEscape            = 83, 111
	keyForwardDelete                      = 112
	keyCtrlLeft, keyCtrlRight             = 113, 114
	keyNumpadEnter, keyAppSwitch          = 160, 187
	keySleep, keyWakeup                   = 223, 224
	keyCut, keyCopy, keyPaste             = 277, 278, 279
)

// typedKeys are the keys that type something else than a letter or a digit.
var typedKeys = map[int]string{
	17: "*", 18: "#", 55: ",", 56: ".", keySpace: " ", 68: "`", 69: "-", 70: "=", 71: "[", 72: "]",
	73: `\`, 74: ";", 75: "'", 76: "/", 77: "@", 81: "+",
}

// Key presses a key by its Android key code; long holds it.
func (p *Phone) Key(code int, long bool) {
	p.lock()
	defer p.mu.Unlock()
	held := ""
	if long {
		held = " long"
	}
	p.note(Event{Kind: "key", Detail: fmt.Sprint(code, held)})
	p.key(code)
}

// Keys presses several keys together, as "input keycombination" does: SHIFT
// with a letter types a capital, CTRL with A, C, X and V selects all, copies,
// cuts and pastes. Other combinations are the keys one after the other.
func (p *Phone) Keys(codes ...int) {
	p.lock()
	defer p.mu.Unlock()
	p.note(Event{Kind: "keys", Detail: strings.Trim(fmt.Sprint(codes), "[]")})
	if len(codes) == 2 && !p.asleep {
		letter := letterOf(codes[1])
		switch codes[0] {
		case keyCtrlLeft, keyCtrlRight:
			p.edit(letter)
			return
		case keyShiftLeft, keyShiftRight:
			if letter != "" {
				p.insert(strings.ToUpper(letter))
				return
			}
		}
	}
	for _, code := range codes {
		p.key(code)
	}
}

func letterOf(code int) string {
	if code >= 29 && code <= 54 {
		return string(rune('a' + code - 29))
	}
	return ""
}

// key is one press of a key.
func (p *Phone) key(code int) {
	p.toast = ""
	defer p.changed()
	switch code {
	case keyPower, keySleep, keyWakeup:
		p.powerKey(code)
		return
	}
	if p.asleep {
		return
	}
	switch code {
	case keyHome:
		p.goHome()
	case keyBack, keyEscape:
		p.goBack()
	case keyCall:
		p.callKey()
	case keyAppSwitch:
		p.recents()
	case keyNotification:
		p.pullShade()
	case keyTab, keyDown, keyRight:
		p.moveFocus(1)
	case keyUp, keyLeft:
		p.moveFocus(-1)
	case keyEnter, keyNumpadEnter:
		p.enterKey()
	case keyCenter:
		if f := p.field(); f != nil {
			f.screen.keyboard = true
			return
		}
		p.pressFocused()
	case keyDelete, keyForwardDelete:
		p.erase()
	case keyCut, keyCopy, keyPaste:
		p.edit(map[int]string{keyCut: "x", keyCopy: "c", keyPaste: "v"}[code])
	default:
		p.typeKey(code)
	}
}

// typeKey types the character of a key, if it has one.
func (p *Phone) typeKey(code int) {
	switch letter := letterOf(code); {
	case letter != "":
		p.insert(letter)
	case code >= 7 && code <= 16:
		p.insert(string(rune('0' + code - 7)))
	case code >= 144 && code <= 153: // the number pad
		p.insert(string(rune('0' + code - 144)))
	default:
		p.insert(typedKeys[code])
	}
}

// edit is what CTRL with a letter does in a field.
func (p *Phone) edit(letter string) {
	defer p.changed()
	f := p.field()
	if f == nil {
		return
	}
	text := f.screen.app.variables[f.def.bound]
	switch letter {
	case "a":
		f.screen.all = true
	case "c", "x":
		if f.def.password {
			return
		}
		p.clipboard = text
		if letter == "x" {
			f.screen.app.variables[f.def.bound], f.screen.all = "", false
		}
	case "v":
		p.insert(p.clipboard)
	}
}

// moveFocus moves the focus to the next node that takes it, in the order of the
// document, and round at the end.
func (p *Phone) moveFocus(by int) {
	w := p.active()
	var ring []*view
	at := -1
	w.root.walk(func(v *view) bool {
		if v.focusable && v.enabled && v.seen() {
			if v.key == w.screen.focus {
				at = len(ring)
			}
			ring = append(ring, v)
		}
		return true
	})
	if len(ring) == 0 {
		return
	}
	if at < 0 && by < 0 {
		at = 0
	}
	next := ring[(at+by+len(ring))%len(ring)]
	w.screen.focus, w.screen.ime, w.screen.all = next.key, next.def.ime, false
}

// powerKey puts the screen out and on. Five presses in a row call for help.
func (p *Phone) powerKey(code int) {
	switch code {
	case keySleep:
		p.asleep = true
		return
	case keyWakeup:
		p.asleep = false
		return
	}
	p.asleep = !p.asleep
	const inARow, within = 5, 3000
	now := p.options.Now().UnixMilli()
	p.powerPresses = append(p.powerPresses, now)
	if n := len(p.powerPresses); n >= inARow && now-p.powerPresses[n-inARow] <= within {
		p.powerPresses = nil
		p.happen(Effect{App: "com.android.systemui", What: "called", Recipient: "112"})
	}
}

// callKey opens the dialler, or calls the number that it shows.
func (p *Phone) callKey() {
	const callButton = "android.intent.action.CALL_BUTTON"
	_ = p.startIntent(Intent{Action: callButton}, nil)
}

// goBack closes the keyboard, else the dialog or screen in front. What has to
// be answered stays, and so does the launcher.
func (p *Phone) goBack() {
	top := p.top()
	switch {
	case top == p.shade:
		p.shade = nil
	case p.board() != nil:
		top.keyboard = false
	case top.def.fixed, len(p.front().stack) == 1 && p.front().root() == p.home.def.pkg:
	default:
		p.leave(func(a *activity) bool { return a == top })
	}
}

// recents goes to the task before the one in front.
func (p *Phone) recents() {
	if n := len(p.tasks); n > 1 {
		p.toFront(p.tasks[n-2].root())
	}
}
