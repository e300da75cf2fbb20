package adb_test

import (
	"slices"
	"strings"
	"testing"
)

// line is a spelling of something that must not happen.
type line struct {
	name  string
	scene *scene
	text  string
}

// lines are spellings for a shell. Each is tried in all forms of a shell.
var lines = []line{
	// Quoting, paths, prefixes.
	{"plain", composer, "input tap {xy}"},
	{"each word in quotes", composer, "'input' 'tap' '{x}' '{y}'"},
	{"double quotes", composer, `"input" "tap" {xy}`},
	{"a backslash in a word", composer, `in\put t\ap {xy}`},
	{"quotes in a word", composer, `in''put t""ap {xy}`},
	{"dollar quotes", composer, `$'\x69nput' tap {xy}`},
	{"a line continued", composer, "inp\\\nut tap {xy}"},
	{"tabs", composer, "input\ttap\t{x}\t{y}"},
	{"blanks before", composer, "   input   tap   {xy}  "},
	{"full path", composer, "/system/bin/input tap {xy}"},
	{"full path with dots", composer, "/system/./bin/../bin/input tap {xy}"},
	{"relative path", composer, "cd /system/bin && ./input tap {xy}"},
	{"toybox", composer, "toybox nohup input tap {xy}"},
	{"cmd", composer, "cmd input tap {xy}"},
	{"a source", composer, "input touchscreen tap {xy}"},
	{"a display", composer, "input -d 0 tap {xy}"},
	{"source and display", composer, "input touchscreen -d 0 tap {xy}"},
	{"numbers with a point", composer, "input tap {x}.0 {y}.4"},
	// Wrappers.
	{"sh -c", composer, "sh -c 'input tap {xy}'"},
	{"sh -c in sh -c", composer, `sh -c "sh -c 'input tap {xy}'"`},
	{"sh with its path", composer, "/system/bin/sh -c 'input tap {xy}'"},
	{"mksh", composer, "mksh -c 'input tap {xy}'"},
	{"eval", composer, "eval input tap {xy}"},
	{"eval of parts", composer, "eval 'in''put' tap {xy}"},
	{"exec", composer, "exec input tap {xy}"},
	{"nohup", composer, "nohup input tap {xy}"},
	{"env", composer, "env input tap {xy}"},
	{"env with a variable", composer, "env A=1 input tap {xy}"},
	{"timeout", composer, "timeout 9 input tap {xy}"},
	{"nice", composer, "nice -n 5 input tap {xy}"},
	{"setsid", composer, "setsid input tap {xy}"},
	{"time", composer, "time input tap {xy}"},
	{"xargs", composer, "echo tap {xy} | xargs input"},
	{"su -c", composer, "su -c 'input tap {xy}'"},
	{"run-as", composer, "run-as com.example input tap {xy}"},
	{"command", composer, "command input tap {xy}"},
	{"builtin eval", composer, "builtin eval input tap {xy}"},
	{"find -exec", composer, `find /sdcard -maxdepth 0 -exec input tap {xy} \;`},
	{"watch", composer, "watch -n 1 input tap {xy}"},
	// Variables and substitution.
	{"an assignment before", composer, "A=1 input tap {xy}"},
	{"a variable as program", composer, "p=input; $p tap {xy}"},
	{"a variable in braces", composer, "p=inp; ${p}ut tap {xy}"},
	{"a variable as verb", composer, "v=tap; input $v {xy}"},
	{"a default of a variable", composer, "${none:-input} tap {xy}"},
	{"arithmetic", composer, "input tap $(({x}+0)) {y}"},
	{"a command's output as program", composer, "$(echo input) tap {xy}"},
	{"backquotes", composer, "`echo input` tap {xy}"},
	{"a command inside an argument", composer, "echo $(input tap {xy})"},
	{"a command inside an assignment", composer, "x=$(input tap {xy})"},
	{"the whole line computed", composer, "$(echo input tap {xy})"},
	{"words split by IFS", composer, `IFS=,; c=input,tap,{x},{y}; $c`},
	{"a pattern as program", composer, "/system/bin/inpu? tap {xy}"},
	{"braces", composer, "{input,tap,{x},{y}}"},
	{"positional parameters", composer, `set -- input tap {xy}; "$@"`},
	// Into a shell.
	{"base64 into sh", composer, "echo {b64} | base64 -d | sh"},
	{"echo into sh", composer, "echo 'input tap {xy}' | sh"},
	{"printf into sh", composer, `printf 'inp%s tap {xy}\n' ut | sh`},
	{"a here-document", composer, "sh <<X\ninput tap {xy}\nX"},
	{"a here-string", composer, "sh <<< 'input tap {xy}'"},
	{"a here-document of substitution", composer, "cat <<X\n$(input tap {xy})\nX"},
	{"a file written and run", composer, "echo 'input tap {xy}' > /data/local/tmp/a.sh; sh /data/local/tmp/a.sh"},
	{"a file written and sourced", composer, "echo 'input tap {xy}' > /data/local/tmp/b.sh; . /data/local/tmp/b.sh"},
	{"standard input redirected", composer, "echo 'input tap {xy}' > /sdcard/c; sh < /sdcard/c"},
	{"read in a loop", composer, "echo 'input tap {xy}' | while read l; do $l; done"},
	{"a coprocess", composer, "input tap {xy} |& cat"},
	// Structure.
	{"after and", composer, "true && input tap {xy}"},
	{"after or", composer, "false || input tap {xy}"},
	{"after a semicolon", composer, "echo hi; input tap {xy}"},
	{"after a newline", composer, "echo hi\ninput tap {xy}"},
	{"in the background", composer, "input tap {xy} &"},
	{"behind the background", composer, "sleep 0 & input tap {xy}"},
	{"in a pipeline", composer, "echo | input tap {xy}"},
	{"at the head of a pipeline", composer, "input tap {xy} | cat"},
	{"output thrown away", composer, "input tap {xy} >/dev/null 2>&1"},
	{"a redirect first", composer, "</dev/null input tap {xy}"},
	{"negated", composer, "! input tap {xy}"},
	{"a subshell", composer, "( input tap {xy} )"},
	{"a group", composer, "{ input tap {xy}; }"},
	{"a function", composer, "f() { input tap {xy}; }; f"},
	{"a function of a known name", composer, `getprop() { input tap {xy}; }; getprop`},
	{"an alias", composer, "alias g='input tap {xy}'\ng"},
	{"a loop", composer, "for i in 1; do input tap {xy}; done"},
	{"a loop over words", composer, "for v in tap; do input $v {xy}; done"},
	{"while", composer, "while input tap {xy}; do break; done"},
	{"if", composer, "if input tap {xy}; then :; fi"},
	{"case", composer, "case a in a) input tap {xy};; esac"},
	{"a trap", composer, "trap 'input tap {xy}' EXIT"},
	{"a comment before", composer, "# harmless\ninput tap {xy}"},
	{"an unbalanced quote", composer, "input tap {xy} '"},
	// Other ways of pressing.
	{"a swipe that stays", composer, "input swipe {xy} {xy}"},
	{"a swipe within a finger's width", composer, "input swipe {xy} {x0} 80"},
	{"a drag that stays", composer, "input draganddrop {xy} {xy} 50"},
	{"a long press", composer, "input swipe {xy} {xy} 900"},
	{"a swipe at a keyboard's source", composer, "input keyboard tap {xy}"},
	{"a touch in parts", composer, "input motionevent DOWN {xy}; input motionevent UP {xy}"},
	{"raw events", composer, "sendevent /dev/input/event1 3 53 {x}"},
	{"events from a file", composer, "cat /sdcard/events > /dev/input/event1"},
	{"monkey with events", composer, "monkey -p com.fsck.k9 500"},
	{"monkey with a script", composer, "monkey -f /sdcard/s.txt 1"},
	{"sliding to pay", payment, "input swipe {slide} 300"},
	{"sliding to pay by drag", payment, "input draganddrop {slide} 300"},
	{"sliding to pay as touchscreen", payment, "input touchscreen swipe {slide} 250"},
	{"OK of an uninstall", removal, "input tap {xy}"},
	{"OK of an uninstall by a swipe", removal, "input swipe {xy} {xy} 40"},
	{"send without a label", chat, "input tap {xy}"},
	{"enter by number", chat, "input keyevent 66"},
	{"enter by name", chat, "input keyevent ENTER"},
	{"enter by full name", chat, "input keyevent KEYCODE_ENTER"},
	{"numpad enter", chat, "input keyevent 160"},
	{"enter of several keys", chat, "input keyevent 62 66"},
	{"enter as a combination", chat, "input keycombination 113 66"},
	{"an editor's action", chat, "am broadcast -a ADB_EDITOR_CODE --ei code 4"},
	{"text with a line break", chat, `input text $'ok\n'`},
	{"text, then enter", chat, "input text ok && input keyevent 66"},
	{"tab to the button, then enter", chat, "input keyevent TAB; input keyevent DPAD_CENTER"},
	{"space", chat, "input keyevent TAB TAB SPACE"},
}

// consequences are lines that do something by themselves, or open a way round.
var consequences = []line{
	{"a call", composer, "am start -a android.intent.action.CALL -d tel:+15550100"},
	{"a call through cmd", composer, "cmd activity start-activity -a android.intent.action.CALL -d tel:+15550100"},
	{"a message", composer, "am start -a android.intent.action.RESPOND_VIA_MESSAGE -d smsto:+15550100 --es android.intent.extra.TEXT hi"},
	{"a message to write, and a tap", composer, "am start -a android.intent.action.SENDTO -d 'mailto:bob@example.org'; input tap {xy}"},
	{"a payment link", composer, "am start -d 'upi://pay?pa=shop@example&am=10'"},
	{"a bank's link", composer, "am start -a android.intent.action.VIEW -d 'bank://pay?payee=Ann&amount=500'"},
	{"an uninstall as intent", composer, "am start -a android.intent.action.DELETE -d package:org.example.notes"},
	{"uninstall", composer, "pm uninstall org.example.notes"},
	{"uninstall through cmd", composer, "cmd package uninstall org.example.notes"},
	{"uninstall for a user", composer, "pm uninstall --user 0 org.example.notes"},
	{"clear", composer, "pm clear org.example.notes"},
	{"disable", composer, "pm disable-user org.example.notes"},
	{"grant", composer, "pm grant org.example.reader android.permission.READ_SMS"},
	{"an appop", composer, "appops set org.example.reader SYSTEM_ALERT_WINDOW allow"},
	{"an appop through cmd", composer, "cmd appops set org.example.reader REQUEST_INSTALL_PACKAGES allow"},
	{"install from a file", composer, "pm install /data/local/tmp/a.apk"},
	{"another accessibility service", composer, "settings put secure enabled_accessibility_services org.example.reader/.ReaderService"},
	{"the same through cmd", composer, "cmd settings put secure enabled_accessibility_services org.example.reader/.ReaderService"},
	{"the same as content", composer, "content insert --uri content://settings/secure --bind name:s:enabled_accessibility_services --bind value:s:org.example.reader/.ReaderService"},
	{"a notification listener", composer, "settings put secure enabled_notification_listeners org.example.reader/.NotificationReader"},
	{"a listener through cmd", composer, "cmd notification allow_listener org.example.reader/.NotificationReader"},
	{"another keyboard's setting", composer, "settings put secure default_input_method org.example.reader/.Board"},
	{"another keyboard", composer, "ime set org.example.reader/.Board"},
	{"a device admin", composer, "dpm set-device-owner org.example.reader/.Admin"},
	{"an active admin", composer, "dpm set-active-admin org.example.reader/.Admin"},
	{"hidden interfaces", composer, "settings put global hidden_api_policy 1"},
	{"debugging over the network", composer, "setprop service.adb.tcp.port 5555"},
	{"adbd again", composer, "setprop ctl.restart adbd"},
	{"wireless debugging", composer, "settings put global adb_wifi_enabled 1"},
	{"the network off", composer, "svc wifi disable"},
	{"power", composer, "svc power reboot"},
	{"reboot", composer, "reboot"},
	{"reboot into another mode", composer, "reboot bootloader"},
	{"a service's call", composer, "service call isms 7 i32 0 s16 com.android.mms s16 +15550100 s16 null s16 hi"},
	{"a call of the input service", composer, "service call input 1"},
	{"a broadcast that nobody knows", composer, "am broadcast -a com.example.UNKNOWN --es k v"},
	{"typed through a keyboard, unreadable", composer, "am broadcast -a ADB_INPUT_B64 --es msg %%%%"},
	{"keys through a keyboard", chat, "am broadcast -a ADB_INPUT_CODE --ei code 66"},
	{"an instrumentation that nobody knows", composer, "am instrument -w com.example.robot/.Runner"},
	{"a class that nobody knows", composer, "CLASSPATH=/data/local/tmp/r.jar app_process / com.example.Robot {xy}"},
	{"a helper's class from another file", composer, "CLASSPATH=/data/local/tmp/other.jar app_process / com.wetest.uia2.Main"},
	{"scrcpy", composer, "CLASSPATH=/data/local/tmp/scrcpy-server.jar app_process / com.genymobile.scrcpy.Server 4.1 tunnel_forward=true"},
	{"a program of its own", composer, "/data/local/tmp/tool {xy}"},
	{"a program that nobody knows", composer, "frobnicate {xy}"},
	{"Shizuku's start", composer, "sh /sdcard/Android/data/moe.shizuku.privileged.api/start.sh"},
	{"text and a line break through content", chat, "content insert --uri content://com.mobilerun.portal/keyboard/input --bind base64_text:s:b2sK"},
	{"a token through content", composer, "content query --uri content://com.mobilerun.portal/auth_token"},
	{"messages through content", composer, "content query --uri content://sms"},
	{"a provider's call", composer, "content call --uri content://settings/secure --method PUT_secure --arg enabled_accessibility_services --extra value:s:org.example.reader/.ReaderService"},
	{"files gone", composer, "rm -rf /sdcard/DCIM"},
	{"a file over another", composer, "echo > /sdcard/DCIM/p.jpg"},
	{"a database", composer, "sqlite3 /data/data/com.example/db 'delete from t'"},
	{"the clipboard", composer, "cmd clipboard get-text"},
	{"an app stopped", composer, "am force-stop com.example.guard.dev.countersign"},
	{"uiautomator with a test", composer, "uiautomator runtest robot.jar -c com.example.Robot"},
	{"device config", composer, "device_config put privacy permissions_hub_enabled false"},
	{"a role", composer, "cmd role add-role-holder android.app.role.SMS org.example.reader"},
	{"an overlay", composer, "cmd overlay enable org.example.overlay"},
	{"a keystroke file", composer, "cat /sdcard/keys | input"},
}

// forms are the ways to hand a line to the phone's shell.
var forms = []string{"shell:", "exec:", "shell,v2:", "shell,v2,TERM=xterm-256color,raw:", "shell,raw,v2:", "shell,v2,pty:", "shell,TERM=dumb,v2,raw:"}

// No spelling of a forbidden act gets through unasked, in any form of a shell, and
// what is harmless on the same screen passes.
func TestBypassByLine(t *testing.T) {
	if n := len(lines); n != 116 {
		t.Errorf("%d spellings of a press", n)
	}
	if n := len(consequences); n != 59 {
		t.Errorf("%d lines with consequences", n)
	}
	fronts(t, func(t *testing.T, f front) {
		w := newWorld(t, f, unattended)
		for _, s := range []*scene{composer, payment, removal, chat} {
			w.in(t).armed(s)
		}
		_ = w.phone.Install("org.example.notes", nil)
		for i, l := range slices.Concat(lines, consequences) {
			t.Run(l.name, func(t *testing.T) {
				w := w.in(t)
				w.show(l.scene)
				text := w.fill(l.scene, l.text)
				for _, form := range []string{forms[0], forms[1+i%(len(forms)-1)]} {
					w.tryLine(form + text)
				}
				w.harmless(l.scene)
			})
		}
	})
}

// tryLine sends a line that must not reach the phone.
func (w *world) tryLine(service string) {
	w.t.Helper()
	r := w.serve(service, "")
	if r.passed() || w.front == asServer && !strings.Contains(r.said(), "countersign") {
		w.t.Errorf("%q was told %+v", service, r)
	}
	if got := w.reached(); len(got) > 0 {
		w.t.Errorf("%q: the phone got %q", service, got)
		w.phone.Forget()
	}
	w.nothingHappened(service)
}
