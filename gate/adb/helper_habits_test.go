package adb_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/countersign/countersign/command"
	"github.com/countersign/countersign/gate/adb"
	"github.com/countersign/countersign/risk"
)

const (
	dexPath  = "/data/local/tmp/mobilecli.dex"
	dexTmp   = "/data/local/tmp/mobilecli.dex.tmp"
	notePath = "/data/local/tmp/mock_apps.json"
	noteText = `["io.appium.settings"]`

	hiddenOpen  = "settings put global hidden_api_policy_pre_p_apps 1;settings put global hidden_api_policy_p_apps 1;settings put global hidden_api_policy 1"
	hiddenClose = "settings delete global hidden_api_policy_pre_p_apps;settings delete global hidden_api_policy_p_apps;settings delete global hidden_api_policy"
	endDex      = "pkill -f '[D]eviceServer'; pkill -f '[U]iDumpServer'; pkill -f 'com.mobilenext.[d]evicekit'; appops set com.android.shell android:mock_location default; true"
	readLog     = `export ANDROID_LOG_TAGS="''"; exec logcat '-v' 'threadtime'`
)

// letIn are the usual helpers as set-up lets them in, each with its name as its
// file's content, and the log of all apps for those that read it.
func letIn(s *settings) {
	hurried(s)
	for _, h := range adb.UsualHelpers() {
		h.SHA256 = sha(h.Package + h.Class)
		h.May |= h.OnRequest()
		s.gate.Helpers = append(s.gate.Helpers, h)
	}
}

// installAll puts the usual helpers onto the phone, unchanged.
func (p *device) installAll() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, h := range adb.UsualHelpers() {
		file := h.Path
		if h.Package != "" {
			file = "/data/app/" + h.Package + "/base.apk"
			p.files["path "+h.Package] = "package:" + file
		}
		p.files["sha256 "+file] = sha(h.Package + h.Class)
	}
}

// set changes what the phone says of a file.
func (p *device) set(key, value string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.files[key] = value
}

// habits are the lines that pass once the usual helpers are let in.
var habits = []string{
	"am force-stop com.github.uiautomator",
	"am force-stop io.appium.uiautomator2.server",
	"am force-stop io.appium.uiautomator2.server.test",
	"dumpsys activity services io.appium.settings",
	"dumpsys activity services io.appium.settings/.recorder.RecorderService",
	"appops set io.appium.settings android:mock_location allow",
	"appops set io.appium.settings android:mock_location deny",
	hiddenOpen, hiddenClose, endDex, readLog,
}

// What a helper's client does with it passes once it is let in, as it was sent, and
// nobody is asked; without that it does not.
func TestHabits(t *testing.T) {
	f, bare, named := newFixture(t, letIn), newFixture(t, hurried), newFixture(t, hurried, func(s *settings) { s.gate.Helpers = adb.UsualHelpers() })
	for _, x := range []*fixture{f, bare, named} {
		x.phone.installAll()
	}
	for _, line := range habits {
		if !slices.ContainsFunc(command.Shell(line), func(e command.Effect) bool { return e.Category != risk.None }) {
			t.Errorf("%q is harmless anyway", line)
		}
		for _, service := range []string{"shell:" + line, "shell,v2,TERM=xterm,raw:" + line, "exec:" + line} {
			was := len(f.phone.record())
			if r := f.serve(service, ""); !r.passed() {
				t.Errorf("%q: %q", service, r.said())
			}
			if got := f.phone.record()[was:]; !slices.Equal(got, []string{service}) {
				t.Errorf("%q: the phone got %q", service, got)
			}
		}
		if r := bare.serve("shell:"+line, ""); r.passed() {
			t.Errorf("%q passed without set-up", line)
		}
		if r := named.serve("shell:"+line, ""); r.passed() {
			t.Errorf("%q passed for helpers that are known by name only", line)
		}
	}
	if len(habits) != 11 {
		t.Errorf("%d lines", len(habits))
	}
	if got := slices.Concat(bare.phone.record(), named.phone.record()); len(got) > 0 {
		t.Errorf("without set-up the phone got %q", got)
	}
}

// Every act has to be let in by itself.
func TestHabitsLeftOut(t *testing.T) {
	f := newFixture(t, letIn, func(s *settings) {
		for i := range s.gate.Helpers {
			s.gate.Helpers[i].May = 0
		}
	})
	f.phone.installAll()
	for _, line := range habits {
		if r := f.serve("shell:"+line, ""); r.passed() {
			t.Errorf("%q passed though no act was let in", line)
		}
	}
	f = newFixture(t, hurried, func(s *settings) {
		for _, h := range adb.UsualHelpers() {
			h.SHA256 = sha(h.Package + h.Class)
			s.gate.Helpers = append(s.gate.Helpers, h)
		}
	})
	f.phone.installAll()
	if r := f.serve("shell:"+readLog, ""); r.passed() {
		t.Error("the log of all apps passed though nobody let it in")
	}
}

// A helper that was changed, or is gone, is a stranger in everything.
func TestHabitsOfAStranger(t *testing.T) {
	for _, gone := range []bool{false, true} {
		f := newFixture(t, letIn)
		f.phone.installAll()
		for _, h := range adb.UsualHelpers() {
			if gone {
				f.phone.set("path "+h.Package, "")
				f.phone.set("sha256 "+h.Path, "sha256sum: No such file or directory")
			} else {
				f.phone.set("sha256 /data/app/"+h.Package+"/base.apk", sha("evil"))
				f.phone.set("sha256 "+h.Path, sha("evil"))
			}
		}
		for _, line := range habits {
			if r := f.serve("shell:"+line, ""); r.passed() {
				t.Errorf("gone %t: %q passed", gone, line)
			}
		}
	}
}

// Nothing that looks like a habit passes: another spelling, more words, more
// commands, another app, another operation, other values.
func TestHabitsMisspelled(t *testing.T) {
	const stop, services, place, note = "am force-stop io.appium.settings", "dumpsys activity services io.appium.settings",
		"appops set io.appium.settings android:mock_location", "cat " + notePath
	lines := []string{
		// ending apps
		stop, "am force-stop com.example.bank", "am force-stop com.mobilerun.portal", "am force-stop io.appium.uiautomator2.server com.example.bank",
		"am force-stop io.appium.uiautomator2.server; reboot", "am force-stop io.appium.uiautomator2.server\nreboot", "am force-stop io.appium.uiautomator2.server && pm clear com.example.bank",
		"am force-stop io.appium.uiautomator2.server | sh", "am force-stop $(echo io.appium.uiautomator2.server)", "am force-stop io.appium.uiautomator2.serve*",
		"am force-stop --user all io.appium.uiautomator2.server", "am  force-stop io.appium.uiautomator2.server", "am force-stop io.appium.uiautomator2.server ",
		" am force-stop io.appium.uiautomator2.server", "'am' force-stop io.appium.uiautomator2.server", "AM force-stop io.appium.uiautomator2.server",
		"am force-stop io.appium.uiautomator2.server > /sdcard/a", "am force-stop io.appium.uiautomator2.server\x0b", "am force-stop io.appium.uiautomator2.server.evil",
		"cmd activity force-stop com.example.bank", "PATH=/data/local/tmp am force-stop io.appium.uiautomator2.server",
		"function am { reboot; }; am force-stop io.appium.uiautomator2.server", "am stop-app io.appium.uiautomator2.server", "pm clear io.appium.uiautomator2.server", "pm uninstall io.appium.uiautomator2.server",
		// services
		"dumpsys activity services", "dumpsys activity services com.example.bank", services + " com.example.bank", services + "; dumpsys notification",
		"dumpsys activity provider io.appium.settings", "dumpsys activity service io.appium.settings/.NLService", services + "/.NLService", services + "\ndumpsys notification", "dumpsys activity -p io.appium.settings services",
		// operations
		place + " ignore", place + " allow allow", "appops set io.appium.settings android:mock_location", "appops set com.example.bank android:mock_location allow",
		"appops set io.appium.settings PROJECT_MEDIA allow", "appops set io.appium.settings android:system_alert_window allow", "appops set --uid io.appium.settings android:mock_location allow",
		"appops set com.android.shell android:mock_location allow", place + " allow; appops set io.appium.settings SYSTEM_ALERT_WINDOW allow", "cmd appops set io.appium.settings android:mock_location allow",
		"appops set com.android.shell android:mock_location default", "cmd notification allow_listener io.appium.settings/.NLService",
		// hidden interfaces
		"settings put global hidden_api_policy 1", "settings put global hidden_api_policy 0", strings.ReplaceAll(hiddenOpen, " 1", " 0"), strings.ReplaceAll(hiddenOpen, " 1", " 2"),
		"settings put global hidden_api_blacklist_exemptions '*'", hiddenOpen + ";settings put global hidden_api_blacklist_exemptions '*'", hiddenOpen + ";settings put secure enabled_accessibility_services com.evil/.A",
		hiddenOpen + "\n", strings.Replace(hiddenOpen, ";", " ;", 1), strings.Replace(hiddenClose, "delete", "put", 1), "settings delete global adb_enabled;" + hiddenClose,
		// programs
		"pkill -f '[D]eviceServer'; pkill -f '.'; pkill -f 'com.mobilenext.[d]evicekit'; appops set com.android.shell android:mock_location default; true",
		strings.Replace(endDex, "default", "allow", 1), endDex + "; reboot", strings.Replace(endDex, "true", "reboot", 1), strings.Replace(endDex, "'[D]", "\"$(reboot)[D]", 1),
		// the note, the log
		note + " /sdcard/DCIM/a.jpg", "cat /data/local/tmp/../../../sdcard/Download/a.pdf", note + "; cat /sdcard/DCIM/a.jpg", "cat < " + notePath + " /sdcard/DCIM/a.jpg",
		"logcat", "logcat -c", readLog + " -f /sdcard/log", readLog + "; reboot", strings.Replace(readLog, "threadtime", "threadtime' '-b' 'all", 1), `export ANDROID_LOG_TAGS="$(reboot)"; exec logcat '-v' 'threadtime'`,
	}
	f := newFixture(t, letIn)
	f.phone.installAll()
	for _, line := range lines {
		if r := f.serve("shell:"+line, ""); r.passed() {
			t.Errorf("%q passed", line)
		}
	}
	if got := f.phone.record(); len(got) > 0 {
		t.Errorf("the phone got %q", got)
	}
	if len(lines) != 72 {
		t.Errorf("%d lines", len(lines))
	}
}
