package adb

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"slices"

	"github.com/countersign/countersign/risk"
)

// habit is a line that is an act of a helper's, in the only spelling that counts:
// it is compared byte by byte, so that no shell reads more into it, and what is
// spelled otherwise is judged like any other line.
type habit struct {
	line string
	acts Acts // all of them have to be let in
	// moved is the file that the line moves into the helper's place; empty for none.
	moved string
}

// reading are the acts that change nothing.
const reading = ActServices | ActLog

// habits are the lines of a helper that its owner let in, by what was let in of it.
func (h *Helper) habits() []habit {
	var all []habit
	if h.Package != quote(h.Package) && h.Package != "" || h.Path != quote(h.Path) && h.Path != "" {
		return nil // a shell would read more into the name
	}
	if h.Package != "" {
		all = []habit{
			{line: "am force-stop " + h.Package, acts: ActEnd},
			{line: "dumpsys activity services " + h.Package, acts: ActServices},
			{line: "appops set " + h.Package + " android:mock_location allow", acts: ActPlace},
			{line: "appops set " + h.Package + " android:mock_location deny", acts: ActPlace},
		}
	}
	if h.Path != "" {
		all = append(all, habit{line: "mv -f " + h.unfinished() + " " + h.Path, acts: ActRenew, moved: h.unfinished()})
	}
	all = append(all, ownLines[h.key()]...)
	return slices.DeleteFunc(all, func(l habit) bool { return l.acts&h.May != l.acts })
}

// ownLines are the lines of single helpers beside those that any has, by package or
// class, as their clients send them: mobilecli 1.0.9, appium-uiautomator2-driver
// 8.7.0 with appium-adb.
var ownLines = map[string][]habit{
	"com.mobilenext.mobilecli.DeviceServer": {{
		line: "pkill -f '[D]eviceServer'; pkill -f '[U]iDumpServer'; pkill -f 'com.mobilenext.[d]evicekit'; appops set com.android.shell android:mock_location default; true",
		acts: ActEnd | ActPlace,
	}},
	"io.appium.settings": {
		{line: "dumpsys activity services io.appium.settings/.recorder.RecorderService", acts: ActServices},
	},
	"io.appium.uiautomator2.server": {
		{line: "settings put global hidden_api_policy_pre_p_apps 1;settings put global hidden_api_policy_p_apps 1;settings put global hidden_api_policy 1", acts: ActHidden},
		{line: "settings delete global hidden_api_policy_pre_p_apps;settings delete global hidden_api_policy_p_apps;settings delete global hidden_api_policy", acts: ActHidden},
		{line: `export ANDROID_LOG_TAGS="''"; exec logcat '-v' 'threadtime'`, acts: ActLog},
	},
}

// note is a file of a helper's client on the phone.
type note struct{ file, content string }

// notes are the files of helpers' clients, by package: Appium's list of the apps
// that may say where the phone is (appium-android-driver, geolocation).
var notes = map[string]note{
	"io.appium.settings": {"/data/local/tmp/mock_apps.json", `["io.appium.settings"]`},
}

// hash is the SHA-256 of what the note holds, in hex.
func (n note) hash() string {
	sum := sha256.Sum256([]byte(n.content))
	return hex.EncodeToString(sum[:])
}

// key is what single helpers are listed by.
func (h *Helper) key() string { return h.Package + h.Class }

// OnRequest are the acts that the client of a helper has and that set-up leaves out
// unless the owner asks for them, since they are not about the helper alone.
func (h Helper) OnRequest() (acts Acts) {
	for _, l := range ownLines[h.key()] {
		acts |= l.acts & ActLog
	}
	return acts
}

// ofHelper is the way of a line: its own, or, where the line is a habit of a
// helper's that is what its owner let in, one on which it passes. What is read
// queues behind nobody; else the helper is looked at when the turn has come.
func (s *serving) ofHelper(ctx context.Context, line string, w way) way {
	h, l, ok := s.habitOf(line)
	switch {
	case !ok || w.reads:
	case l.acts&^reading == 0:
		if s.holds(ctx, &h, &l) {
			w = s.actWay(true, act{action: risk.Action{Kind: risk.Screenshot, Text: h.Name + ": " + line}})
		}
	default:
		judged := w.plan
		w.plan = func(ctx context.Context) (act, error) {
			if !s.holds(ctx, &h, &l) {
				return judged(ctx)
			}
			a := act{action: risk.Action{Kind: risk.Launch, Text: h.Name + ": " + line}}
			if l.moved != "" {
				a.passed = func(*viewed) { s.movedLocked(l.moved, h.Path) }
			}
			return a, nil
		}
	}
	return w
}

// habitOf is the helper that a line is a habit of, as its owner let it in.
func (d *Device) habitOf(line string) (Helper, habit, bool) {
	for _, h := range d.gate.options.Helpers {
		if h.SHA256 == "" {
			continue
		}
		for _, l := range h.habits() {
			if l.line == line {
				return h, l, true
			}
		}
	}
	return Helper{}, habit{}, false
}

// holds reports whether everything that a habit touches is what is known.
func (d *Device) holds(ctx context.Context, h *Helper, l *habit) bool {
	if l.moved != "" { // its old file may be gone, or be another version
		return d.pushed(l.moved) == h.SHA256 && d.check(ctx, l.moved, h.SHA256)
	}
	return d.still(ctx, h)
}

// unfinished is the name that the helper's file has until it is whole on the phone.
func (h *Helper) unfinished() string { return h.Path + ".tmp" }

// ownContent is what a file that is sent to a path would be, if it has the hash that
// is returned with it: the helper's own, or a note of its client's. An empty hash is
// a path that is no helper's.
func (d *Device) ownContent(file string) (what, hash string) {
	for _, h := range d.gate.options.Helpers {
		switch n := notes[h.key()]; {
		case h.SHA256 == "":
		case h.Path != "" && file == h.Path, h.May&ActRenew != 0 && file == h.unfinished():
			return h.Name + ": its own file, unchanged", h.SHA256
		case h.May&ActNote != 0 && n.file != "" && file == n.file:
			return h.Name + ": its own note, as it always is", n.hash()
		}
	}
	return "", ""
}
