package command

import (
	"encoding/base64"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/countersign/countersign/risk"
)

// A typedText says how a helper keyboard takes its text.
type typedText struct {
	extra  string // the extra that holds it
	base64 bool
	codes  bool // a list of Unicode code points
}

// keyboardTexts are the broadcasts with which agents type what "input text"
// cannot. The text is decoded, because a human has to see it.
var keyboardTexts = map[string]typedText{
	"ADB_INPUT_TEXT":          {extra: "msg"},
	"ADB_INPUT_B64":           {extra: "msg", base64: true},
	"ADB_INPUT_CHARS":         {extra: "chars", codes: true},
	"ADB_KEYBOARD_INPUT_TEXT": {extra: "text", base64: true},
	"ADB_KEYBOARD_SET_TEXT":   {extra: "text", base64: true},
}

// keyboardKeys are the broadcasts that press a key, and the extra that says
// which. Without an extra it is the field's own send key.
var keyboardKeys = map[string]string{
	"ADB_INPUT_CODE":             "code",
	"ADB_KEYBOARD_INPUT_KEYCODE": "code",
	"ADB_EDITOR_CODE":            "",
	"ADB_KEYBOARD_EDITOR_CODE":   "",
	"ADB_KEYBOARD_SMART_ENTER":   "",
}

// broadcasts are the other broadcasts that are known.
var broadcasts = map[string]rule{
	// A helper keyboard edits the field, or shows and hides itself.
	"ADB_CLEAR_TEXT":          {risk.None, codeEdit, false},
	"ADB_KEYBOARD_CLEAR_TEXT": {risk.None, codeEdit, false},
	"ADB_KEYBOARD_HIDE":       {risk.None, codeNavigate, false},
	"ADB_KEYBOARD_SHOW":       {risk.None, codeNavigate, false},
	// What stands in the clipboard may be a password.
	"ADB_KEYBOARD_GET_CLIPBOARD":       {risk.Disclose, codeReadService, false},
	"io.appium.settings.clipboard.get": {risk.Disclose, codeReadService, false},
	"devicekit.clipboard.get":          {risk.Disclose, codeReadService, false},
	"clipper.get":                      {risk.Disclose, codeReadService, false},
	// It only becomes an action when it is pasted.
	"devicekit.clipboard.set":   {risk.None, codeEdit, false},
	"devicekit.clipboard.clear": {risk.None, codeEdit, false},
	"clipper.set":               {risk.None, codeEdit, false},
	// A test helper's switches.
	"io.appium.settings.animation":       {risk.None, codePreference, false},
	"io.appium.settings.wifi":            {risk.Settings, codeRadio, false},
	"io.appium.settings.data_connection": {risk.Settings, codeRadio, false},
	"io.appium.settings.bluetooth":       {risk.Settings, codeRadio, false},
	"io.appium.settings.locale":          {risk.Settings, codeSetting, false},
	"io.appium.settings.notifications":   {risk.Disclose, codeReadService, false},
	"io.appium.settings.sms.list":        {risk.Disclose, codeReadService, false},
	"io.appium.settings.location":        {risk.Disclose, codeReadService, false},
	// The system closes its dialogs, or looks for new media.
	"android.intent.action.CLOSE_SYSTEM_DIALOGS":    {risk.None, codeNavigate, false},
	"android.intent.action.MEDIA_SCANNER_SCAN_FILE": {risk.None, codePreference, false},
	"com.android.systemui.demo":                     {risk.None, codePreference, false},
	// They wipe or restart the phone.
	"android.intent.action.MASTER_CLEAR":                  {risk.Device, codeWipe, false},
	"android.intent.action.FACTORY_RESET":                 {risk.Device, codeWipe, false},
	"com.android.internal.intent.action.REQUEST_SHUTDOWN": {risk.Device, codePower, false},
	"android.intent.action.ACTION_REQUEST_SHUTDOWN":       {risk.Device, codePower, false},
	"android.intent.action.ACTION_SHUTDOWN":               {risk.Device, codePower, false},
	"android.intent.action.REBOOT":                        {risk.Device, codePower, false},
	"android.intent.action.AIRPLANE_MODE":                 {risk.Settings, codeRadio, false},
	"android.provider.Telephony.SECRET_CODE":              {risk.Unknown, codeServiceCode, false},
	// A message that nobody sent turns up in the messages.
	"android.provider.Telephony.SMS_DELIVER":  {risk.Other, codeOtherEffect, false},
	"android.provider.Telephony.SMS_RECEIVED": {risk.Other, codeOtherEffect, false},
}

// broadcast judges a broadcast. What apps do on hearing one that is not known
// is not known either.
func (i Intent) broadcast() Effect {
	if text, ok := keyboardTexts[i.Action]; ok {
		return i.typed(text)
	}
	if extra, ok := keyboardKeys[i.Action]; ok {
		return i.pressed(extra)
	}
	if r, ok := broadcasts[i.Action]; ok {
		e := Effect{Category: r.category, Code: r.code, Object: i.summary(), Term: i.Action}
		if text, ok := decode(i.Extras["text"]); ok && strings.HasSuffix(i.Action, ".set") {
			e.Object = text
		}
		return e
	}
	return Effect{Code: codeUnknownBroadcast, Object: i.summary(), Term: "broadcast"}
}

// typed returns the text that a helper keyboard would type.
func (i Intent) typed(how typedText) Effect {
	raw, present := i.Extras[how.extra]
	text, ok := raw, present
	switch {
	case how.base64:
		text, ok = decode(raw)
	case how.codes:
		text, ok = fromCodes(raw)
	}
	if !ok {
		return Effect{Code: codeOpaque, Object: raw, Term: i.Action}
	}
	return Effect{Code: codeType, Press: &Press{Kind: PressType, Text: text}, Object: text, Term: i.Action}
}

// pressed returns the key that a helper keyboard would press.
func (i Intent) pressed(extra string) Effect {
	if extra == "" {
		return Effect{Code: codeSubmit, Press: &Press{Kind: PressKey, Key: "ENTER"}, Term: i.Action}
	}
	e := Key(i.Extras[extra]).press(false)
	e.Term = i.Action
	return e
}

// decode reads base64, padded or not. With anything else in it, what the
// keyboard would type is a guess.
func decode(s string) (string, bool) {
	for _, encoding := range []*base64.Encoding{base64.StdEncoding, base64.RawStdEncoding} {
		if raw, err := encoding.DecodeString(s); err == nil && len(raw) > 0 && utf8.Valid(raw) {
			return string(raw), true
		}
	}
	return "", false
}

// fromCodes reads a comma-separated list of code points.
func fromCodes(s string) (string, bool) {
	var text strings.Builder
	for field := range strings.SplitSeq(s, ",") {
		n, err := strconv.ParseUint(strings.TrimSpace(field), 10, 32)
		if err != nil || n > utf8.MaxRune || !utf8.ValidRune(rune(n)) {
			return "", false
		}
		text.WriteRune(rune(n))
	}
	return text.String(), text.Len() > 0
}
