package command

import "testing"

// The inputs of the reports from the field that concern shell lines, with the
// names of the reports mapped to ours: type is a Press of text, purchase and pay
// are money, clear_data is delete, launch is none.

func TestReportTypingRunsCommands(t *testing.T) { // A03
	judged(t, 4, `
		uninstall uninstall    | input text hello;pm uninstall com.example.notes
		unknown   type         | input text 'a;b'
		device    power        | input text $(reboot)
		unknown   type         | input text hello%sworld`)
	if got := len(Shell("input text hello;pm uninstall com.example.notes")); got != 2 {
		t.Errorf("a chained line has %d effects, want one for each of its 2 commands", got)
	}
	if !has(Shell("input text $(reboot)"), "unknown", "substitution") {
		t.Error("text that a command computes is not marked as such")
	}
	typed := map[string]string{"input text 'a;b'": "a;b", "input text hello%sworld": "hello world"}
	for line, want := range typed {
		if e := Shell(line)[0]; e.Press == nil || e.Press.Kind != PressType || e.Press.Text != want {
			t.Errorf("%s: got %+v, want the text %q", line, e.Press, want)
		}
	}
}

func TestReportChainedAfterAllowed(t *testing.T) { // A05
	judged(t, 5, `
		none      read          | dumpsys battery
		uninstall uninstall     | dumpsys battery && pm uninstall com.example.notes
		settings  radio         | dumpsys battery; svc wifi disable
		unknown   pipe_to_shell | dumpsys battery | sh
		delete    redirect      | dumpsys battery > /sdcard/b.txt`)
	effects := Shell("dumpsys battery\npm clear com.example.notes")
	if e := effects[Worst(effects)]; e.Category.String() != "delete" || e.Code != "clear_data" {
		t.Errorf("a line break hides what follows: %+v", e)
	}
}

func TestReportManyNamesOfOneCall(t *testing.T) { // A07
	judged(t, 6, `
		call      call         | am start -a android.intent.action.CALL -d tel:+15550100
		money     payment_link | am start -d 'upi://pay?pa=shop@example&am=10'
		uninstall uninstall    | cmd activity start-activity -a android.intent.action.DELETE -d package:com.example.notes
		uninstall uninstall    | cmd package uninstall com.example.notes
		none      launch       | monkey -p com.example.reader 1
		unknown   random_input | monkey -p com.example.bank 500`)
}

// A gate turns adb's shortcuts into the lines they stand for; these are the
// lines of the report.
func TestReportShortcuts(t *testing.T) { // A09
	judged(t, 3, `
		uninstall uninstall | cmd package uninstall com.example.notes
		settings  radio     | cmd settings put global airplane_mode_on 1
		device    power     | reboot bootloader`)
	for _, line := range []string{"", " \t\n"} {
		if e := Shell(line)[0]; e.Code != "interactive_shell" || e.Category.String() != "unknown" {
			t.Errorf("Shell(%q) = %+v, want an interactive shell", line, e)
		}
	}
}

func TestReportBase64Typing(t *testing.T) { // A11
	judged(t, 3, `
		unknown type              | am broadcast -a ADB_INPUT_B64 --es msg dHJhbnNmZXIgNTAw
		unknown opaque            | am broadcast -a ADB_INPUT_B64 --es msg %%%%
		unknown unknown_broadcast | am broadcast -a com.example.UNKNOWN --es k v`)
	e := Shell("am broadcast -a ADB_INPUT_B64 --es msg dHJhbnNmZXIgNTAw")[0]
	if e.Press == nil || e.Press.Text != "transfer 500" || e.Object != "transfer 500" {
		t.Errorf("the card would not show what is typed: %+v", e)
	}
}

// What agents were seen to send, as they send it.
func TestAgentsOwnLines(t *testing.T) {
	judged(t, 26, `
		none       capture      | screencap -p /sdcard/tmp.png
		none       capture      | screencap -p
		none       capture      | uiautomator dump /dev/tty
		none       capture      | uiautomator dump && cat /sdcard/window_dump.xml
		none       read         | dumpsys window
		none       read         | dumpsys window | grep -E 'mCurrentFocus|mFocusedApp'
		none       launch       | monkey -p com.example.app -c android.intent.category.LAUNCHER 1
		permission input_method | ime set com.android.adbkeyboard/.AdbIME
		unknown    press        | 'input' 'tap' '3' '4'
		unknown    gesture      | input touchscreen swipe 100 900 100 200 300
		unknown    press        | input -d 0 swipe 5 5 5 5 150
		unknown    press        | input swipe 300 300 300 300 1000
		none       edit         | input keycombination 113 29 && input keyevent 67
		none       web_link     | am start -a android.intent.action.VIEW -d https://example.com/a?b=c
		none       launch       | am start -n com.example.app/.MainActivity
		none       launch       | am start -a android.intent.action.MAIN -c android.intent.category.HOME
		other      force_stop   | am force-stop com.example.app
		uninstall  uninstall    | pm uninstall --user 0 com.example.helper
		permission grant        | appops set com.android.shell android:mock_location allow
		bypass     accessibility | settings put global hidden_api_policy 1
		unknown    environment  | CLASSPATH=/data/local/tmp/s.jar nohup app_process / com.example.Server &
		unknown    opaque       | am instrument -w -e disableAnalytics true io.example.server.test/androidx.test.runner.AndroidJUnitRunner
		disclose   read_logs    | export ANDROID_LOG_TAGS=; exec logcat -v time
		none       capture      | content query --uri content://com.mobilerun.portal/state_full
		disclose   read_provider | content query --uri content://com.mobilerun.portal/auth_token
		unknown    type         | content insert --uri content://com.mobilerun.portal/keyboard/input --bind base64_text:s:aGVsbG8=`)
}
