package adb_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/countersign/countersign/gate/adb"
)

// withHelpers is what set-up would have let in.
func withHelpers(s *settings) {
	s.gate.Helpers = []adb.Helper{
		{Name: "uiautomator2", Class: "com.wetest.uia2.Main", Path: "/data/local/tmp/u2.jar", SHA256: sha("u2")},
		{Name: "yadb", Class: "com.ysbing.yadb.Main", Path: "/data/local/tmp/yadb", SHA256: sha("yadb")},
		{Name: "scrcpy", Class: "com.genymobile.scrcpy.Server", Path: "/data/local/tmp/scrcpy-server.jar", SHA256: sha("scrcpy")},
		{Name: "Appium", Package: "io.appium.uiautomator2.server.test", SHA256: sha("appium")},
		{Name: "ADB Keyboard", Package: "com.android.adbkeyboard", SHA256: sha("keyboard")},
		{Name: "no hash", Package: "com.example.nohash"},
	}
}

// install puts the helpers on the phone, unchanged.
func (p *device) install() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for file, text := range map[string]string{
		"/data/local/tmp/u2.jar": "u2", "/data/local/tmp/yadb": "yadb", "/data/local/tmp/scrcpy-server.jar": "scrcpy",
		"/data/app/a/base.apk": "appium", "/data/app/k/base.apk": "keyboard",
	} {
		p.files["sha256 "+file] = sha(text)
	}
	p.files["path io.appium.uiautomator2.server.test"] = "package:/data/app/a/base.apk"
	p.files["path com.android.adbkeyboard"] = "package:/data/app/k/base.apk"
	p.files["keyboard"] = "com.google.android.inputmethod.latin/com.android.inputmethod.latin.LatinIME"
}

func TestHelpers(t *testing.T) {
	const u2 = "shell:CLASSPATH=/data/local/tmp/u2.jar app_process / com.wetest.uia2.Main -p 9008"
	cases := []struct {
		service string
		want    string
	}{
		{u2, passes},
		{"shell:CLASSPATH=/data/local/tmp/u2.jar nohup app_process / com.wetest.uia2.Main >/dev/null 2>&1 &", passes},
		{"shell:CLASSPATH=/data/local/tmp/other.jar app_process / com.wetest.uia2.Main", asks},
		{"shell:CLASSPATH=/data/local/tmp/u2.jar:/data/local/tmp/o.jar app_process / com.wetest.uia2.Main", asks},
		{"shell:CLASSPATH=/data/local/tmp/u2.jar app_process / com.wetest.uia2.Main; reboot", asks},
		{"shell:CLASSPATH=/data/local/tmp/u2.jar LD_PRELOAD=/x app_process / com.wetest.uia2.Main", asks},
		{"shell:CLASSPATH=/data/local/tmp/u2.jar app_process / com.evil.Main", asks},
		{"shell:CLASSPATH=/data/local/tmp/u2.jar app_process -Xagent:x / com.wetest.uia2.Main", asks},
		{"shell,v2,TERM=xterm,raw:am instrument -w -e disableAnalytics true io.appium.uiautomator2.server.test/androidx.test.runner.AndroidJUnitRunner", passes},
		{"shell:am instrument -w com.evil.test/androidx.test.runner.AndroidJUnitRunner", asks},
		{"shell:am instrument -w com.example.nohash/androidx.test.runner.AndroidJUnitRunner", asks},
		{"shell:CLASSPATH=/data/local/tmp/scrcpy-server.jar app_process / com.genymobile.scrcpy.Server 3.1 control=false", passes},
		{"shell:CLASSPATH=/data/local/tmp/scrcpy-server.jar app_process / com.genymobile.scrcpy.Server 3.1 control=true", never},
		{"shell:ime enable com.android.adbkeyboard/.AdbIME", passes},
		{"shell:ime set com.evil.keyboard/.IME", asks},
		{"shell:ime set com.google.android.inputmethod.latin/com.android.inputmethod.latin.LatinIME", asks}, // nothing to put back yet
		{"shell:ime set com.android.adbkeyboard/.AdbIME", passes},
		{"shell:ime set com.google.android.inputmethod.latin/com.android.inputmethod.latin.LatinIME", passes},
		{"shell:app_process -Djava.class.path=/data/local/tmp/yadb /data/local/tmp com.ysbing.yadb.Main -keyboard hello", passes},
		{"shell:app_process -Djava.class.path=/data/local/tmp/yadb /data/local/tmp com.ysbing.yadb.Main -touch 150 350", passes},
		{"shell:app_process -Djava.class.path=/data/local/tmp/yadb /data/local/tmp com.ysbing.yadb.Main -touch 950 2150", asks},
		{"shell:app_process -Djava.class.path=/data/local/tmp/yadb /data/local/tmp com.ysbing.yadb.Main -layout", passes},
		{"shell:app_process -Djava.class.path=/data/local/tmp/yadb /data/local/tmp com.ysbing.yadb.Main -readClipboard", asks},
	}
	f := newFixture(t, withHelpers, hurried)
	f.phone.install()
	f.twoButtons()
	f.startU2()
	for _, c := range cases {
		was := len(f.phone.record())
		r := f.serve(c.service, "")
		got := never
		switch {
		case r.passed():
			got = passes
		case strings.Contains(r.said(), "not answered yet"):
			got = asks
		}
		reached := slices.DeleteFunc(f.phone.record()[was:], func(s string) bool { return s == "tcp:9008" }) // it is asked for the screen
		if got != c.want || (got == passes) != slices.Equal(reached, []string{c.service}) {
			t.Errorf("%q %s, not %s: %q; the phone got %q", c.service, got, c.want, r.said(), reached)
		}
	}
	if len(cases) != 23 {
		t.Errorf("%d cases", len(cases))
	}
	f.phone.mu.Lock()
	f.phone.files["sha256 /data/local/tmp/u2.jar"] = sha("something else")
	f.phone.mu.Unlock()
	f.device = f.gate.Device(f.phone) // the same one
	fresh := newFixture(t, withHelpers, hurried)
	fresh.phone = f.phone
	fresh.device = fresh.gate.Device(f.phone)
	if r := fresh.serve(u2, ""); r.passed() {
		t.Error("a helper that was changed passed")
	}
}

// A helper's own file may be pushed again; another one under its name makes it
// unknown.
func TestHelperPushed(t *testing.T) {
	f := newFixture(t, withHelpers, hurried)
	f.phone.install()
	x := f.files()
	if err := x.push("/data/local/tmp/u2.jar", "u2"); err != nil {
		t.Errorf("the same again: %v", err)
	}
	if f.phone.files["/data/local/tmp/u2.jar"] != "u2" {
		t.Error("it did not arrive")
	}
	if err := x.push("/data/local/tmp/u2.jar", "evil"); !strings.Contains(told(err), "not answered yet") {
		t.Errorf("another one: %v", err)
	}
	if f.phone.files["/data/local/tmp/u2.jar"] != "u2" {
		t.Error("another one arrived")
	}
	x.quit()
}

// The usual helpers carry no hash, so that none of them is let in by its name.
func TestUsualHelpers(t *testing.T) {
	seen := map[adb.Helper]bool{}
	for _, h := range adb.UsualHelpers() {
		if h.SHA256 != "" || h.Name == "" || (h.Class == "") == (h.Package == "") || (h.Class == "") != (h.Path == "") || seen[h] {
			t.Errorf("%+v", h)
		}
		seen[h] = true
	}
	f := newFixture(t, hurried, func(s *settings) { s.gate.Helpers = adb.UsualHelpers() })
	f.phone.install()
	if r := f.serve("shell:CLASSPATH=/data/local/tmp/u2.jar app_process / com.wetest.uia2.Main", ""); r.passed() {
		t.Error("a helper without a hash passed")
	}
}
