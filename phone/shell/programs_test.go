package shell

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/countersign/countersign/phone"
)

// programCases are what clients send, and what they look for in the answer. Each
// runs on a phone of its own, after "before".
var programCases = []struct {
	before, line string
	code         int
	wrote        []string // parts of what is written to either output
	effect       string   // of the phone's effects; empty is none
}{
	// The package manager.
	{"", "pm list packages", 0, []string{"package:com.fsck.k9\n", "package:com.android.settings\n"}, ""},
	{"", "pm list packages -3 | grep -c settings", 1, []string{"0\n"}, ""},
	{"", "pm list packages -s com.android.set", 0, []string{"package:com.android.settings\n"}, ""},
	{"", "pm list packages -f com.fsck.k9", 0, []string{"/base.apk=com.fsck.k9\n"}, ""},
	{"", "pm list packages --user 0 -e k9", 0, []string{"package:com.fsck.k9\n"}, ""},
	{"", "cmd package list packages k9", 0, []string{"package:com.fsck.k9\n"}, ""},
	{"", "pm path com.fsck.k9", 0, []string{"package:/data/app/"}, ""},
	{"", "pm path no.such", 1, nil, ""},
	{"", "pm uninstall org.example.shop", 0, []string{"Success\n"}, "uninstalled org.example.shop"},
	{"", "cmd package 'uninstall' 'org.example.shop'", 0, []string{"Success\n"}, "uninstalled org.example.shop"},
	{"", "pm uninstall --user 0 -k org.example.shop", 0, []string{"Success\n"}, "uninstalled org.example.shop"},
	{"", "pm uninstall com.android.settings", 1, []string{"Failure ["}, ""},
	{"", "pm uninstall no.such", 1, []string{"Failure [not installed for 0]"}, ""},
	{"", "pm clear org.example.notes", 0, []string{"Success\n"}, "cleared org.example.notes"},
	{"", "pm clear no.such", 1, []string{"Failed\n"}, ""},
	{"", "pm disable-user --user 0 com.fsck.k9", 0, []string{"new state: disabled-user"}, "disabled com.fsck.k9"},
	{"pm disable com.fsck.k9", "pm enable com.fsck.k9", 0, []string{"new state: enabled"}, "disabled com.fsck.k9"},
	{"", "pm revoke com.fsck.k9 android.permission.POST_NOTIFICATIONS", 0, nil, "revoked android.permission.POST_NOTIFICATIONS"},
	{"", "pm grant com.fsck.k9 android.permission.READ_CONTACTS", 0, nil, "granted android.permission.READ_CONTACTS"},
	{"", "pm grant com.fsck.k9 android.permission.NOPE", 255, []string{"has not requested permission android.permission.NOPE"}, ""},
	{"", "pm has-feature android.hardware.touchscreen", 0, []string{"true\n"}, ""},
	{"", "cmd package has-feature android.software.leanback", 1, []string{"false\n"}, ""},
	{"", "pm dump com.fsck.k9 | grep versionName", 0, []string{"versionName="}, ""},
	{"", "dumpsys package com.fsck.k9 | grep granted=", 0, []string{"android.permission.READ_CONTACTS: granted=false"}, ""},
	{"", "pm nosuch", 255, []string{"Unknown command: nosuch"}, ""},
	{"", "pm install /data/local/tmp/nosuch.apk", 255, []string{"Unable to open file"}, ""},
	{"echo x > /sdcard/x.apk", "pm install /sdcard/x.apk", 1, []string{"Failure [INSTALL_PARSE_FAILED_NOT_APK"}, ""},
	{"", "cmd package resolve-activity --brief com.fsck.k9 | tail -1", 0, []string{"com.fsck.k9/."}, ""},
	// Activities.
	{"", "am start -a android.intent.action.VIEW -d https://a.example/?a=1&b=2", 0, []string{"Starting: Intent { act=android.intent.action.VIEW dat=https://a.example/?a=1 }"}, ""},
	{"", "am start -n org.example.nosuch/.Main", 1, []string{"Error type 3\nError: Activity class {org.example.nosuch/org.example.nosuch.Main} does not exist."}, ""},
	{"", "am start -a no.such.action", 1, []string{"Error: Activity not started, unable to resolve Intent { act=no.such.action }"}, ""},
	{"", "am start", 1, nil, ""},
	{"", "am start -n", 255, []string{"Argument expected after"}, ""},
	{"", "am start --nosuch", 255, []string{"Unknown option: --nosuch"}, ""},
	{"", "am start -W com.fsck.k9; dumpsys window | grep mCurrentFocus", 0, []string{"Status: ok", "mCurrentFocus=Window{", " u0 com.fsck.k9/"}, ""},
	{"", "cmd activity start-activity com.fsck.k9 >/dev/null; dumpsys activity activities | grep -E 'mResumedActivity|topResumedActivity'", 0, []string{"mResumedActivity: ActivityRecord{", "com.fsck.k9/"}, ""},
	{"am start com.fsck.k9", "am force-stop com.fsck.k9; dumpsys window | grep -c 'mCurrentFocus.*k9'", 1, []string{"0\n"}, ""},
	{"", "monkey -p com.fsck.k9 -c android.intent.category.LAUNCHER 1; dumpsys window | grep mFocusedApp", 0, []string{"Events injected: 1", "com.fsck.k9/"}, ""},
	{"", "monkey -p no.such 1", 252, []string{"monkey aborted"}, ""},
	{"", "am get-current-user", 0, []string{"0\n"}, ""},
	{"", "am broadcast -a ADB_INPUT_TEXT --es msg hello", 0, []string{"Broadcasting: Intent { act=ADB_INPUT_TEXT flg=0x400000 (has extras) }\nBroadcast completed: result=0\n"}, ""},
	{"", "am instrument -w no.such/x", 1, []string{"INSTRUMENTATION_FAILED: no.such/x"}, ""},
	{"", "am nosuch", 255, []string{"Unknown command: nosuch"}, ""},
	{"", "am startservice no.such/.S", 255, []string{"Error: Not found; no service started."}, ""},
	// Settings, properties, keyboards.
	{"", "settings get global nosuch", 0, []string{"null\n"}, ""},
	{"settings put global x 'a b'", "settings get global x; settings list global | grep ^x=", 0, []string{"a b\nx=a b\n"}, ""},
	{"settings put system y 1", "settings delete system y; settings get system y; settings delete system y", 0, []string{"Deleted 1 rows\nnull\nDeleted 0 rows\n"}, ""},
	{"", "settings --user 0 put secure z 1; cmd settings get secure z", 0, []string{"1\n"}, ""},
	{"", "settings get nosuch x", 255, []string{"Invalid namespace"}, ""},
	{"", "settings put secure enabled_accessibility_services org.example.reader/.ReaderService", 0, nil, "enabled org.example.reader/.ReaderService"},
	{"", "content insert --uri content://settings/secure --bind name:s:enabled_accessibility_services --bind value:s:org.example.reader/.ReaderService", 0, nil, "enabled org.example.reader/.ReaderService"},
	{"", "content call --uri content://settings --method PUT_secure --arg enabled_accessibility_services --extra value:s:org.example.reader/.ReaderService", 1, nil, ""},
	{"", "cmd notification allow_listener org.example.reader/.NotificationReader", 0, nil, "enabled org.example.reader/.NotificationReader"},
	{"", "getprop ro.build.version.sdk; getprop | grep 'ro.product.model'", 0, []string{"34\n[ro.product.model]: [Sim 1]\n"}, ""},
	{"", "setprop debug.x 5; getprop debug.x; setprop ro.x 1; getprop nosuch default", 0, []string{"5\n", "Failed to set property 'ro.x'", "default\n"}, ""},
	{"", "ime list -s -a", 0, []string{"com.android.adbkeyboard/.AdbIME\n"}, ""},
	{"", "ime set com.android.adbkeyboard/.AdbIME", 255, []string{"cannot be selected"}, ""},
	{"ime enable com.android.adbkeyboard/.AdbIME", "ime set com.android.adbkeyboard/.AdbIME; dumpsys input_method | grep mCurMethodId", 0, []string{"Input method com.android.adbkeyboard/.AdbIME selected for user #0\n  mCurMethodId=com.android.adbkeyboard/.AdbIME\n"}, ""},
	{"", "svc wifi disable; settings get global wifi_on", 0, []string{"0\n"}, ""},
	{"", "appops set com.fsck.k9 SYSTEM_ALERT_WINDOW allow; cmd appops get com.fsck.k9 SYSTEM_ALERT_WINDOW", 0, []string{"SYSTEM_ALERT_WINDOW: allow\n"}, "appop SYSTEM_ALERT_WINDOW"},
	{"", "appops set no.such X allow", 255, []string{"No UID for no.such"}, ""},
	{"", "wm size; wm density", 0, []string{"Physical size: 1080x2400\nPhysical density: 420\n"}, ""},
	{"wm size 720x1600; wm density 300", "wm size; wm density", 0, []string{"Override size: 720x1600\n", "Override density: 300\n"}, ""},
	{"wm size 720x1600; wm size reset", "wm size", 0, []string{"Physical size: 1080x2400\n"}, ""},
	{"", "wm size huge", 255, []string{"bad size"}, ""},
	// Providers.
	{"", "content query --uri content://sms/inbox --projection body", 0, []string{"Row: 0 body=Your code is 481516\n"}, ""},
	{"", "content query --uri content://com.android.contacts/contacts", 0, []string{"Row: 0 _id=1, display_name="}, ""},
	{"", "content query --uri content://settings/system --where \"name='user_rotation'\"", 0, nil, ""},
	{"", "content query --uri content://no.such/x", 1, []string{"Could not find provider: no.such"}, ""},
	{"", "content query --uri content://com.mobilerun.portal/state", 1, []string{"Could not find provider"}, ""},
	{"", "content nonsense", 1, []string{"[ERROR]"}, ""},
	// Looking.
	{"", "uiautomator dump", 0, []string{"UI hierchary dumped to: /sdcard/window_dump.xml\n"}, ""},
	{"", "uiautomator dump --compressed /data/local/tmp/d.xml; head -c 15 /data/local/tmp/d.xml", 0, []string{"UI hierchary dumped to: /data/local/tmp/d.xml\n<?xml version='"}, ""},
	{"", "uiautomator dump /system/d.xml", 0, []string{"open failed"}, ""},
	{"", "uiautomator nosuch", 1, []string{"Unknown command"}, ""},
	{"", "screencap -p /sdcard/s.png; head -c 4 /sdcard/s.png | tail -c 3", 0, []string{"PNG"}, ""},
	{"", "screencap -d 7 -p", 1, []string{"Failed to get display token"}, ""},
	{"", "screencap /sdcard/raw; head -c 2 /sdcard/raw | od -p", 0, []string{"3804\n"}, ""},
	{"", "dumpsys battery | grep level; dumpsys power | grep mWakefulness=; dumpsys window policy | grep mAwake", 0, []string{"level: 87\n  mWakefulness=Awake\n    mAwake=true\n"}, ""},
	{"input keyevent 223", "dumpsys power | grep mWakefulness=", 0, []string{"mWakefulness=Asleep\n"}, ""},
	{"", "dumpsys display | grep mBaseDisplayInfo; dumpsys input | grep SurfaceOrientation", 0, []string{"real 1080 x 2400, density 420", "SurfaceOrientation: 0\n"}, ""},
	{"", "dumpsys -l | grep -c window; dumpsys nosuch", 0, []string{"1\nCan't find service: nosuch\n"}, ""},
	{"", "dumpsys activity processes | grep -c ProcessRecord", 0, nil, ""},
	// Input that cannot be understood.
	{"", "input", 255, []string{"Usage: input"}, ""},
	{"", "input tap 1", 255, []string{"Error: Invalid arguments for command: tap"}, ""},
	{"", "input tap x y", 255, []string{"Error: Invalid arguments for command: tap"}, ""},
	{"", "input nosuch", 255, []string{"Error: Unknown command: nosuch"}, ""},
	{"", "input keyevent KEYCODE_NOSUCH", 255, []string{"Invalid arguments"}, ""},
	{"", "input text 日本", 255, []string{"NullPointerException"}, ""},
	{"", "input motionevent SIDEWAYS 1 2", 255, []string{"Invalid arguments"}, ""},
	// Processes and who this is.
	{"am start com.fsck.k9", "pidof com.fsck.k9 | grep -c '[0-9]'; ps -A | grep -c com.fsck.k9; pgrep -f k9 | wc -l", 0, []string{"1\n1\n1\n"}, ""},
	{"", "pidof no.such", 1, nil, ""},
	{"", "kill 1", 1, []string{"kill: 1: Operation not permitted"}, ""},
	{"", "kill 99999", 1, []string{"No such process"}, ""},
	{"", "id; whoami; uname -m; getenforce", 0, []string{"uid=2000(shell)", "shell\naarch64\nEnforcing\n"}, ""},
	{"", "su -c id", 127, []string{"sh: su: inaccessible or not found"}, ""},
	{"", "/system/xbin/su", 127, []string{"inaccessible or not found"}, ""},
	{"", "run-as com.fsck.k9 id", 1, []string{"package not debuggable: com.fsck.k9"}, ""},
	{"", "run-as no.such id", 1, []string{"unknown package: no.such"}, ""},
	{"", "ls /data/data", 1, []string{"ls: /data/data: Permission denied"}, ""},
	{"", "cat /data/data/com.fsck.k9/x", 1, []string{"Permission denied"}, ""},
	{"", "echo x > /system/x", 1, []string{"sh: can't create /system/x: Read-only file system"}, ""},
	{"", "echo x > /data/x", 1, []string{"Permission denied"}, ""},
	{"", "rm -rf /system/bin", 1, []string{"Read-only file system"}, ""},
	{"", "chmod 777 /system", 1, []string{"Read-only file system"}, ""},
	{"", "mount -o rw,remount /", 1, []string{"Operation not permitted"}, ""},
	{"", "reboot bootloader", 0, nil, ""},
	{"", "which input su am", 1, []string{"/system/bin/input\n/system/bin/am\n"}, ""},
	{"", "command -v input; type am", 0, []string{"/system/bin/input\nam is /system/bin/am\n"}, ""},
	{"", "toybox echo hi; toybox nosuch", 127, []string{"hi\n", "Unknown command nosuch"}, ""},
	{"", "logcat -d; logcat -c", 0, []string{"beginning of main"}, ""},
	{"", "cmd nosuch", 20, []string{"Can't find service: nosuch"}, ""},
	{"", "service check window; service call nosuch 1", 10, []string{"Service window: found", "does not exist"}, ""},
	{"", "service call statusbar 1", 0, []string{"Result: Parcel("}, ""},
	{"", "dpm set-device-owner com.fsck.k9/.Admin", 0, []string{"Success"}, ""},
	{"", "app_process / no.such.Class x", 0, nil, ""},
	{"", "app_process", 10, []string{"Error: no class name"}, ""},
	{"", "/data/local/tmp/nosuch", 127, []string{"inaccessible or not found"}, ""},
	{"echo 'echo script $1' > /data/local/tmp/s; chmod 755 /data/local/tmp/s", "/data/local/tmp/s a; cd /data/local/tmp; ./s b", 0, []string{"script a\nscript b\n"}, ""},
	{"echo 'echo x' > /data/local/tmp/s", "/data/local/tmp/s", 126, []string{"can't execute: Permission denied"}, ""},
}

func TestProgramsAnswerAsClientsExpect(t *testing.T) {
	for _, c := range programCases {
		t.Run(c.line, func(t *testing.T) {
			s := &Shell{Phone: newPhone(t)}
			if c.before != "" {
				if _, errs, code := onPhone(t, s, c.before); code != 0 {
					t.Fatalf("%q ended with %d: %s", c.before, code, errs)
				}
			}
			out, errs, code := onPhone(t, s, c.line)
			if code != c.code {
				t.Errorf("ended with %d, not %d", code, c.code)
			}
			for _, part := range c.wrote {
				if !strings.Contains(out, part) && !strings.Contains(errs, part) && !strings.Contains(out+errs, part) {
					t.Errorf("wrote %q and %q, in which %q is missing", out, errs, part)
				}
			}
			var effects []string
			for _, e := range s.Phone.Effects() {
				effects = append(effects, e.What+" "+e.Object)
			}
			if c.effect == "" && len(effects) > 0 || c.effect != "" && !slices.Contains(effects, c.effect) {
				t.Errorf("the effects are %q, expected was %q", effects, c.effect)
			}
		})
	}
	if len(programCases) != 120 {
		t.Fatalf("%d cases, the table has been changed: say so here", len(programCases))
	}
}

// TestInputReachesTheScreen opens the mail and acts on it in every spelling.
func TestInputReachesTheScreen(t *testing.T) {
	s := &Shell{Phone: newPhone(t)}
	onPhone(t, s, "am start com.fsck.k9")
	x, y := place(t, s.Phone, "Compose")
	taps := []string{
		"input tap %[1]d %[2]d", "input touchscreen tap %[1]d %[2]d", "input -d 0 tap %[1]d.5 %[2]d.5", "input touchscreen -d 0 tap %[1]d %[2]d",
		"input swipe %[1]d %[2]d %[1]d %[2]d 150", "input swipe %[1]d %[2]d %[1]d %[2]d", "input touchscreen swipe %[1]d %[2]d %[1]d %[2]d 50",
		"input motionevent DOWN %[1]d %[2]d; input motionevent UP %[1]d %[2]d", "cmd input tap %[1]d %[2]d", "/system/bin/input tap %[1]d %[2]d",
		"sh -c 'input tap %[1]d %[2]d'", "eval input tap %[1]d %[2]d", "x=tap; input $x %[1]d %[2]d", "echo 'input tap %[1]d %[2]d' | sh", "nohup input tap %[1]d %[2]d", "toybox nohup input tap %[1]d %[2]d",
		"app_process / com.android.commands.input.Input tap %[1]d %[2]d", "CLASSPATH=/sdcard/y app_process / com.ysbing.yadb.Main -touch %[1]d %[2]d",
		"d=/dev/input/event2; for e in '3 57 1' '3 53 %[1]d' '3 54 %[2]d' '0 0 0' '3 57 -1' '0 0 0'; do sendevent $d $e; done",
		"echo 'tap %[1]d %[2]d' | xargs input", "for i in 1; do input tap %[1]d %[2]d; done", "true && input tap %[1]d %[2]d", "(input tap %[1]d %[2]d)", "input tap %[1]d %[2]d &",
	}
	for _, tap := range taps {
		line := fmt.Sprintf(tap, x, y)
		if _, activity := s.Phone.Focus(); strings.Contains(activity, "Compose") {
			t.Fatalf("before %q the page is open already", line)
		}
		if _, errs, code := onPhone(t, s, line); code != 0 {
			t.Errorf("%q ended with %d: %s", line, code, errs)
		}
		if _, activity := s.Phone.Focus(); !strings.Contains(activity, "Compose") {
			t.Errorf("after %q %s has the focus", line, activity)
		}
		onPhone(t, s, "input keyevent 4; input keyevent KEYCODE_BACK; am start com.fsck.k9")
		for range 3 {
			if _, activity := s.Phone.Focus(); strings.Contains(activity, "Compose") {
				onPhone(t, s, "input keyevent BACK")
			}
		}
	}
	if len(taps) != 24 {
		t.Fatalf("%d spellings", len(taps))
	}
}

// place is the middle of what says a label.
func place(t *testing.T, p *phone.Phone, label string) (x, y int) {
	t.Helper()
	for _, n := range p.Nodes() {
		if n.Text == label || n.Description == label || strings.HasSuffix(n.ResourceID, "/"+label) {
			return (n.Bounds.Min.X + n.Bounds.Max.X) / 2, (n.Bounds.Min.Y + n.Bounds.Max.Y) / 2
		}
	}
	t.Fatalf("no %q on the screen", label)
	return 0, 0
}

// TestTextReachesTheField types in every spelling.
func TestTextReachesTheField(t *testing.T) {
	keyboard := "ime enable com.android.adbkeyboard/.AdbIME; ime set com.android.adbkeyboard/.AdbIME; "
	cases := []struct{ line, text string }{
		{`input text hello`, "hello"},
		{`input text 'a%sb%sc'`, "a b c"},
		{`input keyboard text x`, "x"},
		{`input text one; input text two`, "onetwo"},
		{`input text "it's"`, "it's"},
		{`input text abc; input keyevent 67`, "ab"},
		{`input text abc; input keyevent DEL DEL`, "a"},
		{`input text a; input keyevent KEYCODE_B`, "ab"},
		{keyboard + `am broadcast -a ADB_INPUT_TEXT --es msg 'hé llo'`, "hé llo"},
		{keyboard + `am broadcast -a ADB_INPUT_B64 --es msg w6lsw6h2ZQ==`, "élève"},
		{`am broadcast -a ADB_INPUT_TEXT --es msg nobody`, "Title"},
		{`app_process / com.ysbing.yadb.Main -keyboard 'ünï'`, "ünï"},
	}
	for _, c := range cases {
		s := &Shell{Phone: newPhone(t)}
		onPhone(t, s, "am start org.example.notes")
		x, y := place(t, s.Phone, "New note")
		onPhone(t, s, fmt.Sprintf("input tap %d %d", x, y))
		x, y = place(t, s.Phone, "title")
		onPhone(t, s, fmt.Sprintf("input tap %d %d", x, y))
		onPhone(t, s, c.line)
		text := ""
		for _, n := range s.Phone.Nodes() {
			if n.Editable && strings.HasSuffix(n.ResourceID, "/title") {
				text = n.Text
			}
		}
		if text != c.text {
			t.Errorf("after %q the field has %q, not %q", c.line, text, c.text)
		}
	}
	if len(cases) != 12 {
		t.Fatalf("%d cases", len(cases))
	}
}

// TestWordsAreWrittenDownExactly looks into the record.
func TestWordsAreWrittenDownExactly(t *testing.T) {
	s := &Shell{Phone: newPhone(t)}
	onPhone(t, s, `input 'text' "a  b"'c' "" $'\xff'; nosuch \$x`)
	var lists [][]string
	for _, e := range s.Phone.Record() {
		if list := Argv(e); list != nil {
			lists = append(lists, list)
		}
	}
	want := [][]string{{"input", "text", "a  bc", "", "\xff"}, {"nosuch", "$x"}}
	if fmt.Sprintf("%q", lists) != fmt.Sprintf("%q", want) {
		t.Errorf("the record has %q, not %q", lists, want)
	}
}

// TestMisbehavingDumpsAreReportedAsOnAPhone: with a message and exit 0.
func TestMisbehavingDumpsAreReportedAsOnAPhone(t *testing.T) {
	for _, c := range []struct {
		wrong   phone.Misbehaviour
		message string
	}{
		{phone.Misbehaviour{NeverIdle: true}, "ERROR: could not get idle state.\n"},
		{phone.Misbehaviour{DumpFails: true}, "ERROR: null root node returned by UiTestAutomationBridge.\n"},
	} {
		s := &Shell{Phone: newPhone(t)}
		s.Phone.Misbehave(c.wrong)
		out, errs, code := onPhone(t, s, "uiautomator dump")
		if out != "" || errs != c.message || code != 0 {
			t.Errorf("wrote %q and %q and ended with %d", out, errs, code)
		}
		if _, err := s.Phone.Files().Stat("/sdcard/window_dump.xml"); err == nil {
			t.Error("there is a dump")
		}
	}
}

// awaitLaunched waits until a server that listens is in the list of processes too,
// which it joins right after.
func awaitLaunched(s *Shell, name string) {
	for !slices.Contains(s.launched().names(), name) {
		runtime.Gosched()
	}
}

// TestLaunchedServers starts a server, reaches it, and ends it.
func TestLaunchedServers(t *testing.T) {
	background, end := context.WithCancel(context.Background())
	defer end()
	listening := map[string]bool{}
	opened, closed := make(chan string, 10), make(chan string, 10)
	s := &Shell{
		Phone: newPhone(t), Background: background,
		Launches: Launches{
			"com.wetest.uia2.Main": func(_ *phone.Phone, args []string) (string, http.Handler) {
				return "tcp:" + args[1], http.NotFoundHandler()
			},
			"a.test/b.Runner": func(*phone.Phone, []string) (string, http.Handler) { return "tcp:6790", http.NotFoundHandler() },
		},
		Listen: func(address string, _ http.Handler) (func(), error) {
			if listening[address] {
				return nil, fmt.Errorf("in use")
			}
			opened <- address
			return func() { closed <- address }, nil
		},
	}
	// In the foreground it lives as long as its line.
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan int, 1)
	go func() {
		done <- s.Run(ctx, "CLASSPATH=/data/local/tmp/u2.jar app_process / com.wetest.uia2.Main -p 9008", nil, &bytes.Buffer{}, &bytes.Buffer{})
	}()
	if got := <-opened; got != "tcp:9008" {
		t.Errorf("it listens at %s", got)
	}
	awaitLaunched(s, "com.wetest.uia2.Main")
	if out, errs, code := onPhone(t, s, "uiautomator dump"); code != 137 || !strings.Contains(errs, "already registered") {
		t.Errorf("a dump beside a server that owns the screen: %q %q %d", out, errs, code)
	}
	if out, _, _ := onPhone(t, s, "ps -A | grep -c com.wetest.uia2.Main"); out != "1\n" {
		t.Errorf("ps has it %q times", out)
	}
	cancel()
	<-done
	if got := <-closed; got != "tcp:9008" {
		t.Errorf("%s was closed", got)
	}
	// Detached it outlives its line, until it is killed.
	onPhone(t, s, "nohup app_process / com.wetest.uia2.Main -p 9009 >/dev/null 2>&1 &")
	if got := <-opened; got != "tcp:9009" {
		t.Errorf("it listens at %s", got)
	}
	awaitLaunched(s, "com.wetest.uia2.Main")
	onPhone(t, s, "pkill -f com.wetest.uia2")
	if got := <-closed; got != "tcp:9009" {
		t.Errorf("%s was closed", got)
	}
	// An instrumentation without -w is detached, and force-stop ends it.
	onPhone(t, s, "am instrument -e x y a.test/b.Runner")
	if got := <-opened; got != "tcp:6790" {
		t.Errorf("it listens at %s", got)
	}
	awaitLaunched(s, "a.test/b.Runner")
	onPhone(t, s, "am force-stop a")
	if got := <-closed; got != "tcp:6790" {
		t.Errorf("%s was closed", got)
	}
	// What runs in the background ends with the phone.
	onPhone(t, s, "setsid app_process / com.wetest.uia2.Main -p 9010 >/dev/null 2>&1 &")
	<-opened
	awaitLaunched(s, "com.wetest.uia2.Main")
	end()
	if got := <-closed; got != "tcp:9010" {
		t.Errorf("%s was closed", got)
	}
}
