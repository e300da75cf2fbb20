package command

import "github.com/countersign/countersign/risk"

// keyRows says what each key does; the keys of a row are "code NAME" pairs.
// The characters are in characterKeys. A key that is in neither is not known,
// and asks.
var keyRows = []struct {
	effect KeyEffect
	keys   string
}{
	// They press the focused control, or submit the focused field: only the
	// screen can tell. A game pad's buttons fall back to DPAD_CENTER in apps
	// that do not read pads.
	{KeyEffect{Screen: true, Code: codePress}, `
		23 DPAD_CENTER 66 ENTER 160 NUMPAD_ENTER
		96 BUTTON_A 97 BUTTON_B 98 BUTTON_C 99 BUTTON_X 100 BUTTON_Y 101 BUTTON_Z
		102 BUTTON_L1 103 BUTTON_R1 104 BUTTON_L2 105 BUTTON_R2 106 BUTTON_THUMBL
		107 BUTTON_THUMBR 108 BUTTON_START 109 BUTTON_SELECT 110 BUTTON_MODE
		188 BUTTON_1 189 BUTTON_2 190 BUTTON_3 191 BUTTON_4 192 BUTTON_5 193 BUTTON_6
		194 BUTTON_7 195 BUTTON_8 196 BUTTON_9 197 BUTTON_10 198 BUTTON_11 199 BUTTON_12
		200 BUTTON_13 201 BUTTON_14 202 BUTTON_15 203 BUTTON_16`},

	// Space presses a focused button and types in a field.
	{KeyEffect{Screen: true, Text: " ", Code: codePress}, `62 SPACE`},

	// Pasting types a text that is not seen here.
	{KeyEffect{Screen: true, Code: codeType}, `279 PASTE`},

	// They move focus, scroll, go back, or open a screen: what comes next is
	// judged when it comes.
	{KeyEffect{Category: risk.None, Held: risk.None, Code: codeNavigate}, `
		1 SOFT_LEFT 2 SOFT_RIGHT 3 HOME 4 BACK 19 DPAD_UP 20 DPAD_DOWN 21 DPAD_LEFT 22 DPAD_RIGHT
		61 TAB 64 EXPLORER 65 ENVELOPE 80 FOCUS 82 MENU 83 NOTIFICATION 84 SEARCH 92 PAGE_UP
		93 PAGE_DOWN 111 ESCAPE 125 FORWARD 165 INFO 168 ZOOM_IN 169 ZOOM_OUT 171 WINDOW
		176 SETTINGS 187 APP_SWITCH 207 CONTACTS 208 CALENDAR 209 MUSIC 210 CALCULATOR
		219 ASSIST 231 VOICE_ASSIST 259 HELP 260 NAVIGATE_PREVIOUS 261 NAVIGATE_NEXT
		262 NAVIGATE_IN 263 NAVIGATE_OUT 268 DPAD_UP_LEFT 269 DPAD_DOWN_LEFT
		270 DPAD_UP_RIGHT 271 DPAD_DOWN_RIGHT 280 SYSTEM_NAVIGATION_UP
		281 SYSTEM_NAVIGATION_DOWN 282 SYSTEM_NAVIGATION_LEFT 283 SYSTEM_NAVIGATION_RIGHT
		284 ALL_APPS 285 REFRESH 312 RECENT_APPS 317 EMOJI_PICKER`},

	// They edit the focused field, or set how the next key is read.
	{KeyEffect{Category: risk.None, Held: risk.None, Code: codeEdit}, `
		28 CLEAR 57 ALT_LEFT 58 ALT_RIGHT 59 SHIFT_LEFT 60 SHIFT_RIGHT 63 SYM 67 DEL 78 NUM
		94 PICTSYMBOLS 95 SWITCH_CHARSET 112 FORWARD_DEL 113 CTRL_LEFT 114 CTRL_RIGHT
		115 CAPS_LOCK 116 SCROLL_LOCK 117 META_LEFT 118 META_RIGHT 119 FUNCTION 122 MOVE_HOME
		123 MOVE_END 124 INSERT 143 NUM_LOCK 204 LANGUAGE_SWITCH 211 ZENKAKU_HANKAKU 212 EISU
		213 MUHENKAN 214 HENKAN 215 KATAKANA_HIRAGANA 218 KANA 277 CUT 278 COPY`},

	// Sound, light and playback: comfort, not consequence.
	{KeyEffect{Category: risk.None, Held: risk.None, Code: codePreference}, `
		24 VOLUME_UP 25 VOLUME_DOWN 91 MUTE 164 VOLUME_MUTE 205 MANNER_MODE
		85 MEDIA_PLAY_PAUSE 86 MEDIA_STOP 87 MEDIA_NEXT 88 MEDIA_PREVIOUS 89 MEDIA_REWIND
		90 MEDIA_FAST_FORWARD 126 MEDIA_PLAY 127 MEDIA_PAUSE 128 MEDIA_CLOSE 129 MEDIA_EJECT
		166 CHANNEL_UP 167 CHANNEL_DOWN 175 CAPTIONS 220 BRIGHTNESS_DOWN 221 BRIGHTNESS_UP
		222 MEDIA_AUDIO_TRACK 226 MEDIA_TOP_MENU 272 MEDIA_SKIP_FORWARD 273 MEDIA_SKIP_BACKWARD
		274 MEDIA_STEP_FORWARD 275 MEDIA_STEP_BACKWARD 305 KEYBOARD_BACKLIGHT_DOWN
		306 KEYBOARD_BACKLIGHT_UP 307 KEYBOARD_BACKLIGHT_TOGGLE`},

	// The screen goes off or on, and comes back as it was.
	{KeyEffect{Category: risk.None, Held: risk.None, Code: codeNavigate}, `
		223 SLEEP 224 WAKEUP 276 SOFT_SLEEP`},

	// A picture of the screen is looking at the screen.
	{KeyEffect{Category: risk.None, Held: risk.None, Code: codeCapture}, `120 SYSRQ 318 SCREENSHOT`},

	// Once, the screen goes off or on. Held, the phone restarts; five times, it
	// calls the emergency services.
	{KeyEffect{Category: risk.None, Held: risk.Device, Code: codeNavigate}, `26 POWER`},

	// A box beside the phone is switched off, which may be all there is to see.
	{KeyEffect{Category: risk.Device, Held: risk.Device, Code: codePower}, `
		177 TV_POWER 179 STB_POWER 181 AVR_POWER`},

	// CALL dials what stands in the dialler, and the last number if nothing
	// does. A headset's button answers, and redials when it is held.
	{KeyEffect{Category: risk.Call, Held: risk.Call, Code: codeCall}, `5 CALL 79 HEADSETHOOK`},

	// It ends a call that somebody is in.
	{KeyEffect{Category: risk.Other, Held: risk.Device, Code: codeOtherEffect}, `6 ENDCALL`},

	// They take a picture or start a recording in a camera that is open.
	{KeyEffect{Category: risk.Other, Held: risk.Other, Code: codeRecord}, `27 CAMERA 130 MEDIA_RECORD`},

	// It starts pairing with a device nearby.
	{KeyEffect{Category: risk.Permission, Held: risk.Permission, Code: codeGrant}, `225 PAIRING`},
}

// characterKeys are the keys that type a character, besides letters and digits.
var characterKeys = map[int]struct{ name, text string }{
	17: {"STAR", "*"}, 18: {"POUND", "#"}, 55: {"COMMA", ","}, 56: {"PERIOD", "."},
	68: {"GRAVE", "`"}, 69: {"MINUS", "-"}, 70: {"EQUALS", "="}, 71: {"LEFT_BRACKET", "["},
	72: {"RIGHT_BRACKET", "]"}, 73: {"BACKSLASH", `\`}, 74: {"SEMICOLON", ";"},
	75: {"APOSTROPHE", "'"}, 76: {"SLASH", "/"}, 77: {"AT", "@"}, 81: {"PLUS", "+"},
	154: {"NUMPAD_DIVIDE", "/"}, 155: {"NUMPAD_MULTIPLY", "*"}, 156: {"NUMPAD_SUBTRACT", "-"},
	157: {"NUMPAD_ADD", "+"}, 158: {"NUMPAD_DOT", "."}, 159: {"NUMPAD_COMMA", ","},
	161: {"NUMPAD_EQUALS", "="}, 162: {"NUMPAD_LEFT_PAREN", "("}, 163: {"NUMPAD_RIGHT_PAREN", ")"},
	216: {"YEN", "¥"}, 217: {"RO", `\`},
}
