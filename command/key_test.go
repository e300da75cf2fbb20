package command

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/countersign/countersign/risk"
)

func TestKey(t *testing.T) {
	cases := []struct {
		key            string
		name           string
		screen         bool
		category, held risk.Category
	}{
		{"66", "ENTER", true, risk.Unknown, risk.Unknown},
		{"ENTER", "ENTER", true, risk.Unknown, risk.Unknown},
		{"KEYCODE_ENTER", "ENTER", true, risk.Unknown, risk.Unknown},
		{"keycode_enter", "ENTER", true, risk.Unknown, risk.Unknown},
		{"23", "DPAD_CENTER", true, risk.Unknown, risk.Unknown},
		{"62", "SPACE", true, risk.Unknown, risk.Unknown},
		{"160", "NUMPAD_ENTER", true, risk.Unknown, risk.Unknown},
		{"96", "BUTTON_A", true, risk.Unknown, risk.Unknown},
		{"279", "PASTE", true, risk.Unknown, risk.Unknown},
		{"KEYCODE_A", "A", true, risk.Unknown, risk.Unknown},
		{"KEYCODE_5", "5", true, risk.Unknown, risk.Unknown},
		{"5", "CALL", false, risk.Call, risk.Call},
		{"CALL", "CALL", false, risk.Call, risk.Call},
		{"79", "HEADSETHOOK", false, risk.Call, risk.Call},
		{"26", "POWER", false, risk.None, risk.Device},
		{"3", "HOME", false, risk.None, risk.None},
		{"4", "BACK", false, risk.None, risk.None},
		{"24", "VOLUME_UP", false, risk.None, risk.None},
		{"67", "DEL", false, risk.None, risk.None},
		{"187", "APP_SWITCH", false, risk.None, risk.None},
		{"225", "PAIRING", false, risk.Permission, risk.Permission},
		{"9999", "", false, risk.Unknown, risk.Unknown},
		{"-1", "", false, risk.Unknown, risk.Unknown},
		{"", "", false, risk.Unknown, risk.Unknown},
		{"KEYCODE_", "", false, risk.Unknown, risk.Unknown},
		{"066", "", false, risk.Unknown, risk.Unknown},
	}
	for _, c := range cases {
		k := Key(c.key)
		if k.Name != c.name || k.Screen != c.screen || k.Category != c.category || k.Held != c.held || k.Code == "" {
			t.Errorf("Key(%q) = %+v, want %+v", c.key, k, c)
		}
	}
	if len(cases) != 26 {
		t.Errorf("ran %d cases, want 26", len(cases))
	}
}

// A key goes to the screen, or says what it does, or is not known: never two
// of these at once, and never silently none.
func TestKeyTable(t *testing.T) {
	known := 0
	for code := range 400 {
		k := Key(strconv.Itoa(code))
		if k.Name == "" {
			if k != (KeyEffect{Code: codeUnknownKey}) {
				t.Errorf("key %d has no name but says %+v", code, k)
			}
			continue
		}
		known++
		if Key("KEYCODE_"+k.Name) != k && k.Name != "STAR" {
			t.Errorf("key %d is called %s, which is another key", code, k.Name)
		}
		if k.Screen && k.Category != risk.Unknown {
			t.Errorf("key %s is for the screen to judge, but is %s", k.Name, k.Category)
		}
	}
	if known != 232 {
		t.Errorf("%d keys are known, want 232", known)
	}
}

func TestPressDetails(t *testing.T) {
	cases := map[string]Press{
		"input tap 540.9 2100":                     {Kind: PressTap, X: 540, Y: 2100},
		"input -d 2 tap 5 6":                       {Kind: PressTap, X: 5, Y: 6, Display: 2},
		"input swipe 1 2 3 400 500":                {Kind: PressSwipe, X: 1, Y: 2, X2: 3, Y2: 400, Duration: 500e6},
		"input swipe 1 2 3 4 900":                  {Kind: PressTap, X: 1, Y: 2, X2: 3, Y2: 4, Duration: 900e6},
		"input draganddrop 1 2 3 4":                {Kind: PressDrag, X: 1, Y: 2, X2: 3, Y2: 4},
		"input motionevent UP 1 2":                 {Kind: PressUp, X: 1, Y: 2},
		"input keyevent --longpress 66":            {Kind: PressKey, Key: "ENTER", Long: true},
		"input keyevent 62":                        {Kind: PressKey, Key: "SPACE", Text: " "},
		"input keyevent KEYCODE_B":                 {Kind: PressType, Text: "b"},
		"input press":                              {Kind: PressKey, Key: "DPAD_CENTER"},
		"input keycombination 113 50":              {Kind: PressKey, Key: "PASTE"},
		"input text 'a%sb\n'":                      {Kind: PressType, Text: "a b\n"},
		"am broadcast -a ADB_EDITOR_CODE":          {Kind: PressKey, Key: "ENTER"},
		"am broadcast -a ADB_INPUT_TEXT -e msg hi": {Kind: PressType, Text: "hi"},
	}
	for line, want := range cases {
		effects := Shell(line)
		if len(effects) != 1 || effects[0].Press == nil || *effects[0].Press != want {
			t.Errorf("%s: got %+v, want %+v", line, effects, want)
			continue
		}
		if effects[0].Category != risk.Unknown {
			t.Errorf("%s: a press is %s before anybody looked at the screen", line, effects[0].Category)
		}
	}
	if len(cases) != 14 {
		t.Errorf("ran %d cases, want 14", len(cases))
	}
}

// A field is emptied by a hundred presses of the same two keys, which say no more
// than one of each; what else is pressed among them stays.
func TestKeysThatEdit(t *testing.T) {
	line := "input keyevent " + strings.Repeat("67 112 ", 100) + "66 67 26 26"
	var got []string
	for _, e := range Shell(line) {
		got = append(got, e.Term)
	}
	if want := []string{"key DEL", "key FORWARD_DEL", "key ENTER", "key POWER", "key POWER"}; !slices.Equal(got, want) {
		t.Errorf("the parts are %q, not %q", got, want)
	}
}
