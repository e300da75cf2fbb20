package phone

import (
	"encoding/base64"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

// held is what the fields of the pad hold.
func held(p *Phone) string {
	return fmt.Sprintf("%s|%s", p.home.variables["words"], p.home.variables["next"])
}

func TestWhatKeysDo(t *testing.T) {
	keys := func(codes ...int) func(p *Phone) {
		return func(p *Phone) {
			for _, code := range codes {
				p.Key(code, false)
			}
		}
	}
	then := func(steps ...func(p *Phone)) func(p *Phone) {
		return func(p *Phone) {
			for _, do := range steps {
				do(p)
			}
		}
	}
	does := func(lines ...string) func(p *Phone) {
		return func(p *Phone) {
			for _, line := range lines {
				step(t, p, line)
			}
		}
	}
	cases := []struct {
		name    string
		do      func(p *Phone)
		effects []string
		held    string
	}{
		{"ENTER with nothing in focus", keys(keyEnter), nil, "|"},
		{"TAB and ENTER", keys(keyTab, keyEnter), []string{"tapped plain"}, "|"},
		{"TAB and SPACE", keys(keyTab, keySpace), []string{"tapped plain"}, "|"},
		{"down and the middle", keys(keyDown, keyDown, keyCenter), []string{"tapped both"}, "|"},
		{"down, up and the middle", keys(keyDown, keyDown, keyUp, keyCenter), []string{"tapped plain"}, "|"},
		{"focus passes over what is disabled", keys(keyTab, keyTab, keyTab, keyTab, keyEnter), nil, "|"},
		{"a line break typed at a button", then(keys(keyTab), func(p *Phone) { p.Type("\n") }), []string{"tapped plain"}, "|"},
		{"letters typed at a button", then(keys(keyTab), func(p *Phone) { p.Type("abc") }), nil, "|"},
		{"text without a field", func(p *Phone) { p.Type("abc") }, nil, "|"},
		{"text", does("tap #field", "type a b"), nil, "a b|"},
		{"text and ENTER", does("tap #field", "type hi", "key 66"), []string{"entered hi"}, "hi|"},
		{"text with a line break", does("tap #field", "type hi\n"), []string{"entered hi"}, "hi|"},
		{"keys for letters and digits", then(does("tap #field"), keys(29, 54, 7, 16, keySpace, 56, 145)), nil, "az09 .1|"},
		{"DEL", then(does("tap #field", "type abc"), keys(keyDelete)), nil, "ab|"},
		{"DEL in an empty field", then(does("tap #field"), keys(keyDelete)), nil, "|"},
		{"SHIFT with a letter", then(does("tap #field"), func(p *Phone) { p.Keys(keyShiftLeft, 30) }), nil, "B|"},
		{"select all and DEL", then(does("tap #field", "type abc"), func(p *Phone) { p.Keys(keyCtrlLeft, 29) }, keys(keyDelete)), nil, "|"},
		{"select all and type", then(does("tap #field", "type abc"), func(p *Phone) { p.Keys(keyCtrlLeft, 29) }, does("type x")), nil, "x|"},
		{"cut and paste", then(does("tap #field", "type abc"), func(p *Phone) { p.Keys(keyCtrlLeft, 52) }, does("tap #next"), keys(keyPaste)), nil, "|abc"},
		{"copy and paste", then(does("tap #field", "type abc"), keys(keyCopy, keyPaste)), nil, "abcabc|"},
		{"TAB to the next field", then(does("tap #field"), keys(keyTab), does("type x")), nil, "|x"},
		{"the IME's send", then(does("tap #field", "type x"), func(p *Phone) { p.EditorAction(4) }), []string{"entered x"}, "x|"},
		{"an IME action that the field has not", then(does("tap #field", "type x"), func(p *Phone) { p.EditorAction(3) }), nil, "x|"},
		{"the IME's next", then(does("tap #field"), func(p *Phone) { p.EditorAction(5) }, does("type x")), nil, "|x"},
		{"an IME action without a field", func(p *Phone) { p.EditorAction(4) }, nil, "|"},
		{"ENTER in a field that goes on, and has nowhere to go", does("tap #next", "type x", "key 66", "key 66"), nil, "|x"},
		{"five times POWER", keys(keyPower, keyPower, keyPower, keyPower, keyPower), []string{"called 112"}, "|"},
		{"four times POWER", keys(keyPower, keyPower, keyPower, keyPower), nil, "|"},
		{"a key that means nothing", keys(300, 0, -1), nil, "|"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			p, _ := newPad(t)
			c.do(p)
			if got := deeds(p); !slices.Equal(got, c.effects) || held(p) != c.held {
				t.Errorf("effects %q, want %q; held %s, want %s", got, c.effects, held(p), c.held)
			}
		})
	}
	if len(cases) != 29 {
		t.Errorf("%d cases, 29 are expected", len(cases))
	}
}

func TestFivePressesOfPowerOverALongTimeCallNobody(t *testing.T) {
	p, now := newPad(t)
	for range 5 {
		p.Key(keyPower, false)
		*now = now.Add(time.Second)
	}
	if got := deeds(p); got != nil {
		t.Errorf("effects %q", got)
	}
}

func TestKeysMoveBetweenApps(t *testing.T) {
	p := newPhone(t, Options{})
	front := func() string { pkg, _ := p.Focus(); return pkg }
	for i, c := range []struct {
		do   func()
		want string
	}{
		{func() {}, "com.android.launcher3"},
		{func() { step(t, p, "tap Notes") }, "org.example.notes"},
		{func() { p.Key(keyHome, false) }, "com.android.launcher3"},
		{func() { step(t, p, "tap Mail") }, "com.fsck.k9"},
		{func() { p.Key(keyAppSwitch, false) }, "com.android.launcher3"},
		{func() { p.Key(keyAppSwitch, false) }, "com.fsck.k9"},
		{func() { step(t, p, "tap Compose"); step(t, p, "tap #to"); p.Key(keyBack, false) }, "com.fsck.k9"}, // the keyboard goes
		{func() { p.Key(keyBack, false) }, "com.fsck.k9"},                                                   // the composer goes
		{func() { p.Key(keyBack, false) }, "com.android.launcher3"},
		{func() { p.Key(keyBack, false) }, "com.android.launcher3"},
		{func() { p.Key(keyCall, false) }, "com.android.dialer"},
	} {
		if c.do(); front() != c.want {
			t.Errorf("step %d: %s is in front, want %s", i, front(), c.want)
		}
	}
}

func TestTheKeyboardsOwnKeys(t *testing.T) {
	p := newPhone(t, Options{})
	_ = p.Start(Intent{Action: actionMain, Package: "com.android.messaging"})
	step(t, p, "tap Ines")
	step(t, p, "tap #compose_message_text")
	press := func(desc string) {
		t.Helper()
		nodes := p.AllNodes()
		i := slices.IndexFunc(nodes, func(n Node) bool {
			return n.Description == desc && strings.Contains(n.Package, "inputmethod")
		})
		if i < 0 {
			t.Fatalf("no key %q", desc)
		}
		p.Tap(middle(nodes[i]))
	}
	for _, key := range []string{"h", "i", "Space", "o", "Delete", "Send"} {
		press(key)
	}
	if got := happened(p); !slices.Equal(got, []string{"com.android.messaging sent object=sms to=Ines text=hi "}) {
		t.Errorf("effects %q", got)
	}
}

func TestBroadcastsType(t *testing.T) {
	b64 := func(s string) string { return base64.StdEncoding.EncodeToString([]byte(s)) }
	cases := []struct {
		ime    string
		intent Intent
		want   string
		took   int
	}{
		{"com.android.adbkeyboard/.AdbIME", Intent{Action: "ADB_INPUT_TEXT", Extras: map[string]string{"msg": "hé"}}, "ab hé", 1},
		{"com.android.adbkeyboard/.AdbIME", Intent{Action: "ADB_INPUT_B64", Extras: map[string]string{"msg": b64("日本")}}, "ab 日本", 1},
		{"com.android.adbkeyboard/.AdbIME", Intent{Action: "ADB_INPUT_B64", Extras: map[string]string{"msg": "%%%"}}, "ab ", 0},
		{"com.android.adbkeyboard/.AdbIME", Intent{Action: "ADB_INPUT_CHARS", Extras: map[string]string{"chars": "128568, 65"}}, "ab 😸A", 1},
		{"com.android.adbkeyboard/.AdbIME", Intent{Action: "ADB_INPUT_CODE", Extras: map[string]string{"code": "67"}}, "ab", 1},
		{"com.android.adbkeyboard/.AdbIME", Intent{Action: "ADB_CLEAR_TEXT"}, "", 1},
		{"com.android.adbkeyboard/.AdbIME", Intent{Action: "ADB_EDITOR_CODE", Extras: map[string]string{"code": "4"}}, "", 1},
		{"com.github.uiautomator/.AdbKeyboard", Intent{Action: "ADB_KEYBOARD_INPUT_TEXT", Extras: map[string]string{"text": b64("c")}}, "ab c", 1},
		{"com.github.uiautomator/.AdbKeyboard", Intent{Action: "ADB_KEYBOARD_SET_TEXT", Extras: map[string]string{"text": b64("c")}}, "c", 1},
		{"com.github.uiautomator/.AdbKeyboard", Intent{Action: "ADB_KEYBOARD_SMART_ENTER"}, "", 1},
		{"", Intent{Action: "ADB_INPUT_TEXT", Extras: map[string]string{"msg": "x"}}, "ab ", 0}, // not the current keyboard
		{"com.android.adbkeyboard/.AdbIME", Intent{Action: "org.example.ELSE"}, "ab ", 0},
	}
	for _, c := range cases {
		p := newPhone(t, Options{})
		if err := p.Install("com.github.uiautomator", nil); err != nil {
			t.Fatal(err)
		}
		if c.ime != "" && (p.SetIME(c.ime) || !p.EnableIME(c.ime, true) || !p.SetIME(c.ime)) {
			t.Fatalf("%s: an input method is chosen once it is enabled, not before", c.ime)
		}
		_ = p.Start(Intent{Action: actionMain, Package: "com.android.messaging"})
		step(t, p, "tap Ines")
		step(t, p, "tap #compose_message_text")
		step(t, p, "type ab ")
		if took := p.Broadcast(c.intent); took != c.took {
			t.Errorf("%v: %d took it, want %d", c.intent, took, c.took)
		}
		if got := p.apps["com.android.messaging"].variables["text"]; got != c.want {
			t.Errorf("%v: the field holds %q, want %q", c.intent, got, c.want)
		}
	}
	if len(cases) != 12 {
		t.Errorf("%d cases, 12 are expected", len(cases))
	}
}
