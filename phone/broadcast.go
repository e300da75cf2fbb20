package phone

import (
	"encoding/base64"
	"strconv"
	"strings"
	"unicode/utf8"
)

// heard is what a keyboard for automation does on a broadcast. It reports
// whether the intent had what it needs.
type heard func(p *Phone, i Intent) bool

// broadcasts are the actions that keyboards for automation listen to while they
// are the current input method: ADBKeyBoard, the ones of uiautomator2 and its
// like.
var broadcasts = map[string]heard{
	"ADB_INPUT_TEXT":               typed("msg"),
	"ADB_INPUT_B64":                typedBase64("msg"),
	"ADB_INPUT_CHARS":              typedChars,
	"ADB_INPUT_CODE":               keyed("code"),
	"ADB_EDITOR_CODE":              edited("code"),
	"ADB_CLEAR_TEXT":               cleared,
	"ADB_KEYBOARD_INPUT_TEXT":      typedBase64("text"),
	"ADB_KEYBOARD_SET_TEXT":        setBase64("text"),
	"ADB_KEYBOARD_CLEAR_TEXT":      cleared,
	"ADB_KEYBOARD_INPUT_KEYCODE":   keyed("code"),
	"ADB_KEYBOARD_EDITOR_CODE":     edited("code"),
	"ADB_KEYBOARD_SMART_ENTER":     smartEnter,
	"com.github.uiautomator.INPUT": typed("text"),
}

// automationBoards are the input methods that listen to them, by package.
var automationBoards = map[string]bool{
	"com.android.adbkeyboard": true, "com.github.uiautomator": true, "com.wetest.uia2": true,
	"com.mobilerun.portal": true, "com.droidrun.portal": true, "io.appium.settings": true,
}

// Broadcast sends an intent to who listens. The keyboards for automation listen
// while they are the current one: ADB_INPUT_TEXT (extra msg), ADB_INPUT_B64
// (msg in Base64), ADB_INPUT_CODE and ADB_EDITOR_CODE (code), ADB_CLEAR_TEXT,
// ADB_KEYBOARD_INPUT_TEXT (text in Base64) and their like. Delivered is how
// many took it.
func (p *Phone) Broadcast(i Intent) (delivered int) {
	p.lock()
	defer p.mu.Unlock()
	p.note(Event{Kind: "broadcast", Detail: i.String(), Data: i.Extras})
	defer p.changed()
	if do, ok := broadcasts[i.Action]; ok && automationBoards[p.imePackage()] && !p.asleep && do(p, i) {
		return 1
	}
	return 0
}

func typed(extra string) heard {
	return func(p *Phone, i Intent) bool {
		text, ok := i.Extras[extra]
		p.insert(text)
		return ok
	}
}

func typedBase64(extra string) heard {
	return func(p *Phone, i Intent) bool {
		text, ok := decoded(i.Extras[extra])
		if ok {
			p.insert(text)
		}
		return ok
	}
}

func setBase64(extra string) heard {
	return func(p *Phone, i Intent) bool {
		text, ok := decoded(i.Extras[extra])
		f := p.field()
		if ok && f != nil {
			p.setText(f, text)
		}
		return ok && f != nil
	}
}

func decoded(text string) (string, bool) {
	plain, err := base64.StdEncoding.DecodeString(strings.TrimSpace(text))
	return string(plain), err == nil && utf8.Valid(plain)
}

// typedChars types characters that are given by their numbers.
func typedChars(p *Phone, i Intent) bool {
	for part := range strings.SplitSeq(i.Extras["chars"], ",") {
		if n, err := strconv.Atoi(strings.TrimSpace(part)); err == nil {
			p.insert(string(rune(n)))
		}
	}
	return i.Extras["chars"] != ""
}

func keyed(extra string) heard {
	return func(p *Phone, i Intent) bool {
		code, err := strconv.Atoi(i.Extras[extra])
		if err == nil {
			p.key(code)
		}
		return err == nil
	}
}

func edited(extra string) heard {
	return func(p *Phone, i Intent) bool {
		code, err := strconv.Atoi(i.Extras[extra])
		if err == nil {
			p.editorAction(code)
		}
		return err == nil
	}
}

func cleared(p *Phone, _ Intent) bool {
	f := p.field()
	if f != nil {
		p.setText(f, "")
	}
	return f != nil
}

func smartEnter(p *Phone, _ Intent) bool {
	p.enterKey()
	return true
}
