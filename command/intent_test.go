package command

import (
	"errors"
	"strings"
	"testing"

	"github.com/countersign/countersign/risk"
)

func TestIntentLines(t *testing.T) {
	judged(t, 52, `
		call      call          | am start -a android.intent.action.CALL -d tel:+15550100
		call      call          | am start -aandroid.intent.action.CALL -dtel:+15550100
		call      call          | am start -W -S --user 0 -a android.intent.action.CALL -d tel:+15550100
		call      call          | am start-activity -a android.intent.action.CALL_BUTTON
		call      call          | am start -a android.intent.action.CALL -d tel:$number
		device    emergency_call | am start -a android.intent.action.CALL -d tel:112
		device    emergency_call | am start -a android.intent.action.CALL -d tel:9%31%31
		none      compose       | am start -a android.intent.action.DIAL -d tel:+15550100
		none      compose       | am start -a android.intent.action.VIEW -d tel:+15550100
		unknown   service_code  | am start -a android.intent.action.DIAL -d 'tel:*%2306%23'
		none      compose       | am start -a android.intent.action.SENDTO -d smsto:+15550100 --es sms_body hi
		none      compose       | am start -a android.intent.action.SEND -t text/plain --es android.intent.extra.TEXT hi
		share     share         | am start -a android.intent.action.SEND -t text/plain -p com.example.chat --es android.intent.extra.TEXT hi
		share     share         | am start -a android.intent.action.VIEW -d content://media/1 -n com.example.app/.View --grant-read-uri-permission
		share     share         | am start -a android.intent.action.VIEW -d content://media/1 -f 0x1
		message   send          | am start -a android.intent.action.RESPOND_VIA_MESSAGE -d smsto:+15550100
		money     payment_link  | am start -d 'upi://pay?pa=shop@example&am=10'
		money     payment_link  | am start 'upi://pay?pa=shop@example&am=10'
		money     payment_link  | am start -a android.intent.action.VIEW -d bitcoin:1BoatSLRHtKNngkdXEeobR76b53LETtpyT
		uninstall uninstall     | am start -a android.intent.action.DELETE -d package:com.example.app
		uninstall uninstall     | am start -a android.intent.action.UNINSTALL_PACKAGE -d package:com.example.app
		install   install       | am start -a android.intent.action.VIEW -d file:///sdcard/a.apk -t application/vnd.android.package-archive
		install   install       | am start -a android.intent.action.INSTALL_PACKAGE -d content://x/1
		install   install       | am start -a android.intent.action.VIEW -d file:///sdcard/a%2Eapk
		none      navigate      | am start -a android.intent.action.VIEW -d market://details?id=com.example.app
		none      web_link      | am start -a android.intent.action.VIEW -d https://example.com
		none      launch        | am start -n com.example.app/.Main
		none      launch        | am start com.example.app/.Main
		none      launch        | am start com.example.app
		none      launch        | am start -a android.intent.action.MAIN -c android.intent.category.APP_EMAIL
		unknown   unknown_extras | am start -n com.example.app/.Pay --es amount 100
		unknown   unknown_scheme | am start -n com.example.app/.Pay -d exampleapp://pay
		unknown   unknown_action | am start -a com.example.app.PAY
		none      navigate      | am start -a android.settings.WIFI_SETTINGS
		settings  settings_panel | am start -a android.settings.ACCESSIBILITY_SETTINGS
		settings  settings_panel | am start -a android.settings.FROBNICATE
		settings  settings_panel | am start -n com.android.settings/.DevelopmentSettings
		none      launch        | am start -n com.android.settings/.Settings
		bypass    device_admin  | am start -a android.app.action.ADD_DEVICE_ADMIN
		permission default_app  | am start -a android.telecom.action.CHANGE_DEFAULT_DIALER
		call      call          | am start 'intent:+15550100#Intent;scheme=tel;action=android.intent.action.CALL;end'
		unknown   bad_intent    | am start 'intent:+15550100#Intent;scheme=tel'
		unknown   bad_intent    | am start -a android.intent.action.VIEW 'intent:5#Intent;scheme=tel;action=android.intent.action.CALL;end'
		unknown   bad_intent    | am start --frobnicate
		call      call          | am start -a android.intent.action.MAIN --selector -a android.intent.action.CALL
		unknown   bad_intent    | am start -a android.intent.action.MAIN --selector -c android.intent.category.APP_EMAIL
		unknown   bad_intent    | am start -a android.intent.action.VIEW -d https://example.com/a b c
		unknown   variable      | am start -a $action
		unknown   unknown_service | am startservice -n com.example.app/.Service
		other     force_stop    | am stopservice -n com.example.app/.Service
		device    wipe          | am broadcast -a android.intent.action.MASTER_CLEAR
		none      read          | am to-uri -a android.intent.action.CALL`)
}

func TestBroadcasts(t *testing.T) {
	judged(t, 17, `
		unknown  type          | am broadcast -a ADB_INPUT_TEXT --es msg 'hello world'
		unknown  type          | am broadcast -a ADB_INPUT_B64 --es msg aGVsbG8=
		unknown  type          | am broadcast -a ADB_INPUT_B64 --es msg aGVsbG8
		unknown  type          | am broadcast -p com.example.ime -a ADB_KEYBOARD_INPUT_TEXT --es text aGVsbG8=
		unknown  type          | am broadcast -a ADB_INPUT_CHARS --eia chars '104,105'
		unknown  opaque        | am broadcast -a ADB_INPUT_CHARS --eia chars '104,x'
		unknown  opaque        | am broadcast -a ADB_INPUT_B64 --es text aGVsbG8=
		unknown  opaque        | am broadcast -a ADB_INPUT_TEXT
		unknown  ime_action    | am broadcast -a ADB_EDITOR_CODE --ei code 4
		unknown  ime_action    | am broadcast -a ADB_KEYBOARD_SMART_ENTER
		unknown  press         | am broadcast -a ADB_INPUT_CODE --ei code 66
		none     edit          | am broadcast -a ADB_CLEAR_TEXT
		disclose read_service  | am broadcast -a ADB_KEYBOARD_GET_CLIPBOARD
		none     edit          | am broadcast -a devicekit.clipboard.set -e encoding base64 -e text aGk=
		settings radio         | am broadcast -a io.appium.settings.wifi --es setstatus disable
		none     navigate      | am broadcast -a android.intent.action.CLOSE_SYSTEM_DIALOGS
		unknown  unknown_broadcast | am broadcast -a android.intent.action.BOOT_COMPLETED`)
}

// Three ways to write one intent are one intent.
func TestParseIntentForms(t *testing.T) {
	for _, s := range []string{
		`{"action": "android.intent.action.CALL", "data": "tel:+15550100"}`,
		`-a android.intent.action.CALL -d tel:+15550100`,
		`-a "android.intent.action.CALL" -d 'tel:+15550100'`,
		`am start -a android.intent.action.CALL -d tel:+15550100`,
		`cmd activity start-activity -d tel:+15550100 -a android.intent.action.CALL`,
		`intent:+15550100#Intent;scheme=tel;action=android.intent.action.CALL;end`,
		`tel:+15550100#Intent;action=android.intent.action.CALL;end`,
	} {
		i, err := ParseIntent(s)
		if err != nil || i.Action != "android.intent.action.CALL" || i.Data != "tel:+15550100" {
			t.Errorf("ParseIntent(%q) = %+v, %v", s, i, err)
			continue
		}
		if e := i.Effect(); e.Category != risk.Call || e.Object != "tel:+15550100" {
			t.Errorf("%s: effect %+v", s, e)
		}
	}
}

func TestParseIntentFields(t *testing.T) {
	i, err := ParseIntent(`{"action":"a","data":"b","type":"c","component":"p/.C","package":"p",
		"categories":["x","y"],"extras":{"s":"t","n":5,"b":true},"kind":"broadcast"}`)
	if err != nil {
		t.Fatal(err)
	}
	if i.Type != "c" || i.Component != "p/.C" || len(i.Categories) != 2 || i.Kind != KindBroadcast ||
		i.Extras["s"] != "t" || i.Extras["n"] != "5" || i.Extras["b"] != "true" {
		t.Errorf("got %+v", i)
	}
	i, err = ParseIntent("am broadcast -a ADB_INPUT_TEXT --es msg 'a b' --ez x true -c cat -n p/.C -t text/plain")
	if err != nil || i.Extras["msg"] != "a b" || i.Extras["x"] != "true" || i.Categories[0] != "cat" || i.Kind != KindBroadcast {
		t.Errorf("got %+v, %v", i, err)
	}
	i, err = ParseIntent("android-app://com.example.app/https/example.com/a#Intent;S.k=v%20w;end")
	if err != nil || i.Package != "com.example.app" || i.Data != "https://example.com/a" || i.Extras["k"] != "v w" {
		t.Errorf("got %+v, %v", i, err)
	}
	i, err = ParseIntent("https://example.com/a b")
	if err == nil {
		t.Errorf("a link with a space is taken as %+v", i)
	}
}

// A refusal says what is wrong, and is one kind of error.
func TestParseIntentRefuses(t *testing.T) {
	cases := map[string]string{
		"":                                 "empty",
		`{"action":"a","action":"b"}`:      "twice",
		`{"Action":"a"}`:                   `"Action"`,
		`{"kind":"frobnicate"}`:            "frobnicate",
		`{"action":5}`:                     "action",
		`{"extras":{"a":1,"a":2}}`:         "twice",
		`{"action":"a"} x`:                 "more",
		`{"action":"a"`:                    "",
		"-a":                               "no value",
		"--es a":                           "no value",
		"--frobnicate":                     "--frobnicate",
		"-f x":                             "number",
		"-a $x":                            "$x",
		"-a x; reboot":                     "plain list",
		"-a x > /sdcard/a":                 "plain list",
		"-a 'x":                            "",
		"am force-stop x":                  "force-stop",
		"intent:#Intent;frobnicate=1;end":  "frobnicate",
		"intent:#Intent;action=a":          "end",
		"-a a intent:#Intent;action=b;end": "",
		strings.Repeat("x", MaxLine+1):     "bytes",
	}
	for s, part := range cases {
		i, err := ParseIntent(s)
		if !errors.Is(err, ErrIntent) || !strings.Contains(err.Error(), part) {
			t.Errorf("ParseIntent(%.40q) = %+v, %v; want an error that wraps ErrIntent and says %q", s, i, err, part)
		}
	}
	if len(cases) != 21 {
		t.Errorf("ran %d cases, want 21", len(cases))
	}
}

// An intent that says nothing is not known; neither is one with a kind of its own.
func TestIntentZero(t *testing.T) {
	for _, i := range []Intent{{}, {Kind: "frobnicate"}, {Kind: KindBroadcast}, {Kind: KindService}} {
		if e := i.Effect(); e.Category != risk.Unknown {
			t.Errorf("%+v: got %s %s", i, e.Category, e.Code)
		}
	}
}
