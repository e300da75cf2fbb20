package adb_test

import (
	"strings"
	"testing"

	"github.com/countersign/countersign/approval"
)

// What becomes of a service while nobody answers.
const (
	passes = "passes"  // it reaches the phone as it came, and nobody is asked
	asks   = "asks"    // a person is asked, and nothing reaches the phone
	never  = "refused" // it is refused without asking
)

// serviceCases are spellings of services, on a screen with Send at 950, 2150 and
// Open at 150, 350.
var serviceCases = []struct{ service, want string }{
	// Presses, in every spelling.
	{"shell:input tap 950 2150", asks},
	{"shell:input tap 150 350", passes},
	{"shell:'input' 'tap' '950' '2150'", asks},
	{"shell:in\"pu\"t t\\ap 950 2150", asks},
	{"shell:/system/bin/input tap 950 2150", asks},
	{"shell:input touchscreen tap 950 2150", asks},
	{"shell:input -d 0 tap 950 2150", asks},
	{"shell:input touchscreen -d 0 swipe 950 2150 950 2150 150", asks},
	{"shell:input swipe 950 2150 951 2151", asks},
	{"shell:input motionevent DOWN 950 2150", asks},
	{"shell:input motionevent UP 950 2150", asks},
	{"shell:cmd input tap 950 2150", asks},
	{"shell:sh -c 'input tap 950 2150'", asks},
	{"shell:eval input tap 950 2150", asks},
	{"shell:nohup input tap 950 2150 &", asks},
	{"shell:X=1 input tap 950 2150", asks},
	{"shell:toybox timeout 5 input tap 950 2150", asks},
	{"shell:echo x; input tap 950 2150", asks},
	{"shell:echo input tap 950 2150 | sh", asks},
	{"shell:$(echo input) tap 950 2150", asks},
	{"shell:for i in 1; do input tap 950 2150; done", asks},
	{"shell:sleep 60; input tap 150 350", asks}, // where it lands then nobody knows
	{"shell:trap 'input tap 150 350' EXIT; sleep 60", asks},
	{"shell:input tap 150 350 < /data/local/tmp/fifo", asks},
	{"shell:watch -n 60 input tap 150 350", asks},
	{"shell:X=$(sleep 60) input tap 150 350", asks},
	{"shell:input text 'watch <this>'", passes},
	{"shell:input tap 150 350; input tap 950 2150", asks},
	{"shell:monkey -p com.whatsapp 500", asks},
	{"shell:sendevent /dev/input/event1 3 57 1", asks},
	{"shell,v2:input tap 950 2150", asks},
	{"shell,v2,raw:input tap 950 2150", asks},
	{"shell,v2,TERM=xterm-256color,raw:input tap 950 2150", asks},
	{"shell,v2,pty:input tap 950 2150", asks},
	{"shell,v2,TERM=xterm,raw:input tap 150 350", passes},
	{"shell,raw:input tap 950 2150", asks},
	{"exec:input tap 950 2150", asks},
	{"exec:'input' 'tap' '950' '2150'", asks},
	{"abb_exec:input\x00tap\x00950\x002150", asks},
	{"abb:input\x00tap\x00950\x002150", asks},
	{"abb_exec:input\x00tap\x00150\x00350", passes},
	// Commands.
	{"shell:cmd package uninstall com.whatsapp", asks},
	{"shell,v2,TERM=xterm:cmd package 'uninstall' 'com.whatsapp'", asks},
	{"abb_exec:package\x00uninstall\x00com.whatsapp", asks},
	{"abb_exec:package\x00install\x00-S\x004096", asks},
	{"abb_exec:settings\x00put\x00secure\x00enabled_accessibility_services\x00com.evil/.S", never},
	{"abb_exec:settings\x00get\x00secure\x00android_id", passes},
	{"abb_exec:clipboard\x00get", asks},
	{"abb_exec:x'; reboot; '\x00y", asks},
	{"shell:settings put secure enabled_accessibility_services com.evil/.S", never},
	{"shell:am start -a android.intent.action.CALL -d tel:112", asks},
	{"shell:am start -n com.whatsapp/.Main", passes},
	{"shell:reboot", asks},
	{"shell:su -c id", never},
	{"shell:app_process / com.evil.Main", asks},
	{"shell:CLASSPATH=/data/local/tmp/u2.jar app_process / com.wetest.uia2.Main", asks}, // nobody let it in
	{"shell:CLASSPATH=/data/local/tmp/s.jar app_process / com.genymobile.scrcpy.Server 3.1", never},
	{"shell:sh /data/local/tmp/x.sh", asks},
	{"shell:cat /sdcard/DCIM/a.jpg", asks},
	{"shell:content query --uri content://sms", asks},
	{"shell:export ANDROID_LOG_TAGS=''; exec logcat", asks},
	// Looking.
	{"shell:getprop ro.product.model", passes},
	{"shell,v2,TERM=xterm,raw:wm size", passes},
	{"exec:screencap '-p'", passes},
	{"exec:uiautomator 'dump' '/dev/tty'", passes},
	{"shell:dumpsys window", passes},
	{"framebuffer:", passes},
	// Shells that wait for lines.
	{"shell,v2,pty:", never},
	{"shell,v2,TERM=xterm-256color,pty:", never},
	{"shell,v2:", never},
	// Ways round the guard.
	{"tcpip:5555", never},
	{"usb:", never},
	{"root:", never},
	{"unroot:", never},
	{"remount:", never},
	{"remount:-R", never},
	{"disable-verity:", never},
	{"enable-verity:", never},
	{"reboot:bootloader", never},
	{"reboot:sideload", never},
	{"reboot:", asks},
	{"backup:-all", never},
	{"restore:", never},
	{"sideload:4096", never},
	{"sideload-host:4096:4096", never},
	{"dev:/dev/input/event1", never},
	{"jdwp:1234", never},
	{"track-jdwp:", never},
	// Connections.
	{"tcp:5555", never},
	{"tcp:80:example.com", never},
	{"tcp:x", never},
	{"localabstract:scrcpy_1234", never},
	{"localabstract:webview_devtools_remote_99", never},
	{"localabstract:chrome_devtools_remote", never},
	{"reverse:list-forward", passes},
	{"reverse:killforward-all", passes},
	{"reverse:forward:localabstract:scrcpy_1;tcp:27183", never},
	{"reverse:forward:tcp:8081;tcp:8081", asks},
	// Not known.
	{"", never},
	{"shell", never},
	{"shellx:input tap 1 2", never},
	{"shell,v3:input tap 1 2", never},
	{"shell:input tap 1\x00 2", never},
	{"Shell:ls", never},
	{"host:kill", never},
	{"sync:x", never},
	{"abb_exec:", never},
	{"mdns:", never},
	{"framebuffer:1", never},
	{"spin:", never},
}

func TestServices(t *testing.T) {
	f := newFixture(t, hurried)
	for _, c := range serviceCases {
		// Each on its own: what was asked before is withdrawn, and nothing is under way.
		f.phone.show(page(button("Send", 900, 2100), button("Open", 100, 300)), "Window{1a2b3c u0 com.whatsapp/com.whatsapp.Conversation}")
		was := len(f.phone.record())
		r := f.serve(c.service, "")
		reached := f.phone.record()[was:]
		got := passes
		switch {
		case r.passed():
			if len(reached) != 1 || reached[0] != c.service {
				t.Errorf("%q passes, and the phone got %q", c.service, reached)
			}
		case strings.Contains(r.said(), "not answered yet"):
			got = asks
			q := f.question()
			if _, err := f.desk.Withdraw(f.ctx, "agent", q.ID, approval.CodeWithdrawn); err != nil {
				t.Fatal(err)
			}
		default:
			got = never
		}
		if got != c.want {
			t.Errorf("%q %s, not %s: %q, %v", c.service, got, c.want, r.said(), r.err)
		}
		if got != passes && len(reached) > 0 {
			t.Errorf("%q %s, and yet the phone got %q", c.service, got, reached)
		}
		f.checkRefusal(c.service, &r)
	}
	if n := len(serviceCases); n != 110 {
		t.Errorf("%d cases", n)
	}
}

// checkRefusal holds the form of a refusal against what clients understand.
func (f *fixture) checkRefusal(service string, r *result) {
	f.t.Helper()
	if r.passed() {
		return
	}
	v2 := strings.HasPrefix(service, "shell,v2")
	if v2 && (r.refused != "" || r.exit != 126 || r.errOut == "") || !v2 && r.refused == "" {
		f.t.Errorf("%q is refused with %q, exit %d, stderr %q", service, r.refused, r.exit, r.errOut)
	}
	if !strings.HasPrefix(r.said(), "countersign: ") {
		f.t.Errorf("%q is refused without a name: %q", service, r.said())
	}
	for _, told := range []string{"keyword", "term", "matched"} {
		if strings.Contains(strings.ToLower(r.said()), told+" ") {
			f.t.Errorf("%q tells the agent too much: %q", service, r.said())
		}
	}
}
