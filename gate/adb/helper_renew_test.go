package adb_test

import (
	"strings"
	"testing"
)

const dexMain = "com.mobilenext.mobilecli.DeviceServer"

// renewing is a phone with the usual helpers let in, and a client that sends files.
func renewing(t *testing.T) (*fixture, *files) {
	f := newFixture(t, letIn)
	f.phone.installAll()
	return f, f.files()
}

const (
	moveDex  = "shell:mv -f " + dexTmp + " " + dexPath
	startDex = "shell:CLASSPATH=" + dexPath + " nohup app_process / " + dexMain + " >/dev/null 2>&1 &"
)

// A helper's client may send its file again under the name that it has until it is
// whole, and move it: what it sent has the known hash, and what lies there has it.
func TestRenewed(t *testing.T) {
	f, x := renewing(t)
	f.phone.set("sha256 "+dexPath, sha("an older version"))
	if r := f.serve(startDex, ""); r.passed() {
		t.Error("an older version was started")
	}
	if err := x.push(dexTmp, dexMain); err != nil {
		t.Fatalf("its own file under another name: %v", err)
	}
	f.phone.set("sha256 "+dexTmp, sha(dexMain))
	if r := f.serve(moveDex, ""); !r.passed() {
		t.Fatalf("the move: %q", r.said())
	}
	if r := f.serve(startDex, ""); r.passed() {
		t.Error("it was started though the phone says that the move changed nothing")
	}
	f.phone.set("sha256 "+dexPath, sha(dexMain))
	if r := f.serve(startDex, ""); !r.passed() {
		t.Errorf("the start: %q", r.said())
	}
	if r := f.serve(moveDex, ""); r.passed() {
		t.Error("a second move passed, of what nobody sent")
	}
	x.quit()
}

// What was not sent through this gate as it is now is not moved into its place.
func TestRenewedByAnother(t *testing.T) {
	for name, prepare := range map[string]func(*fixture, *files){
		"nobody sent it": func(f *fixture, _ *files) { f.phone.set("sha256 "+dexTmp, sha(dexMain)) },
		"another one was sent": func(f *fixture, x *files) {
			if err := x.push(dexTmp, "evil"); !strings.Contains(told(err), "not answered yet") {
				f.t.Errorf("another file under the name: %v", err)
			}
			f.phone.set("sha256 "+dexTmp, sha(dexMain))
		},
		"it was changed on the phone": func(f *fixture, x *files) {
			f.must(x.push(dexTmp, dexMain))
			f.phone.set("sha256 "+dexTmp, sha("evil"))
		},
		"it is gone": func(f *fixture, x *files) {
			f.must(x.push(dexTmp, dexMain))
			f.phone.set("sha256 "+dexTmp, "sha256sum: No such file or directory")
		},
		"it was sent to where it is moved": func(f *fixture, x *files) { f.must(x.push(dexPath, dexMain)) },
	} {
		f, x := renewing(t)
		prepare(f, x)
		if r := f.serve(moveDex, ""); r.passed() {
			t.Errorf("%s, and the move passed", name)
		}
		x.quit()
	}
}

// A yes to another line that may change the file makes it unknown.
func TestRenewedAfterAnotherLine(t *testing.T) {
	f := newFixture(t, letIn, func(s *settings) { s.gate.Patience = nil })
	f.phone.installAll()
	x := f.files()
	f.must(x.push(dexTmp, dexMain))
	f.phone.set("sha256 "+dexTmp, sha(dexMain))
	c := f.begin("shell:chmod 777 "+dexTmp, "")
	f.answer(f.question(), true)
	if r := c.wait(); !r.passed() {
		t.Fatalf("what was approved: %q", r.said())
	}
	c = f.begin(moveDex, "")
	f.answer(f.question(), false)
	if r := c.wait(); r.passed() {
		t.Error("the move passed")
	}
	x.quit()
}

// Only the one line moves it, and only to the one place.
func TestRenewedElsewhere(t *testing.T) {
	lines := []string{
		"mv " + dexTmp + " " + dexPath, "mv -f " + dexPath + " " + dexTmp, "mv -f " + dexTmp + " /data/local/tmp/u2.jar", "mv -f " + dexTmp + " /sdcard/mobilecli.dex",
		"mv -f /data/local/tmp/x.dex.tmp " + dexPath, "mv -f " + dexTmp + " " + dexPath + "; reboot", "mv -f " + dexTmp + " " + dexPath + " /sdcard", "mv -f '" + dexTmp + "' " + dexPath,
		"mv -fv " + dexTmp + " " + dexPath, "mv -f -T " + dexTmp + " " + dexPath, "mv -f " + dexTmp + " " + dexPath + "/", "mv -f /data/local/tmp/../tmp/mobilecli.dex.tmp " + dexPath,
		"cp " + dexTmp + " " + dexPath, "ln -s " + dexTmp + " " + dexPath, "cat " + dexTmp + " > " + dexPath, "mv -f " + dexTmp + " " + dexPath + " && rm -rf /sdcard/DCIM",
		"mv -f /data/local/tmp/mobilecli.dex.* " + dexPath, "sh -c 'mv -f " + dexTmp + " " + dexPath + "'", "mv -f " + dexTmp + "\n" + dexPath, "mv -f " + dexTmp + " $HOME/mobilecli.dex",
	}
	f, x := renewing(t)
	f.must(x.push(dexTmp, dexMain))
	f.phone.set("sha256 "+dexTmp, sha(dexMain))
	was := len(f.phone.record())
	for _, line := range lines {
		if r := f.serve("shell:"+line, ""); r.passed() {
			t.Errorf("%q passed", line)
		}
	}
	if got := f.phone.record()[was:]; len(got) > 0 {
		t.Errorf("the phone got %q", got)
	}
	if len(lines) != 20 {
		t.Errorf("%d lines", len(lines))
	}
	x.quit()
}

// The same bytes pass under the names of the helper's own only, and the helper's
// names for its own bytes only; so does a note.
func TestRenewedUnderAnotherName(t *testing.T) {
	pushes := []struct{ path, text string }{
		{dexTmp, dexMain + " "}, {dexTmp, ""}, {dexTmp, "com.ysbing.yadb.Main"}, {dexTmp + ".tmp", dexMain}, {"/data/local/tmp/x", dexMain}, {"/sdcard/mobilecli.dex", dexMain},
		{"/data/local/tmp/u2.jar.tmp", "com.wetest.uia2.Main"}, {"/data/local/tmp/x/../mobilecli.dex.tmp", dexMain}, {"/data/local/tmp/x/../mobilecli.dex", dexMain},
		{"/data/local/tmp//mobilecli.dex.tmp", dexMain}, {notePath, `["com.evil"]`}, {notePath, noteText + "\n"}, {notePath + ".tmp", noteText}, {"/sdcard/mock_apps.json", noteText},
	}
	_, x := renewing(t)
	for _, p := range pushes {
		if err := x.push(p.path, p.text); err == nil {
			t.Errorf("%q passed to %s", p.text, p.path)
		}
	}
	if len(pushes) != 14 {
		t.Errorf("%d files", len(pushes))
	}
	if err := x.push(notePath, noteText); err != nil {
		t.Errorf("a note as it always is: %v", err)
	}
	x.quit()
}
