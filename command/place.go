package command

import (
	"path"
	"strings"

	"github.com/countersign/countersign/risk"
)

// A place is what a path means for reading and writing. The zero value is
// somebody's data, and so is a path that cannot be told.
type place uint8

const (
	private  place = iota // shared storage, app data, or not known
	public                // facts about the device that every app may read
	staging               // the shell user's own folder
	console               // the terminal, or nothing
	rawInput              // the input devices themselves
	hardware              // devices, and the kernel's switches
	keys                  // which computers may use adb without asking
	system                // the system's programs and state
)

// places are the prefixes of the places, the longer before the shorter.
var places = []struct {
	prefix string
	place  place
}{
	{"/dev/null", console},
	{"/dev/zero", console},
	{"/dev/tty", console},
	{"/dev/stdout", console},
	{"/dev/stderr", console},
	{"/dev/input", rawInput}, // writing is a touch that nobody decoded; reading is a key logger
	{"/dev/uinput", rawInput},
	{"/dev/uhid", rawInput},
	{"/dev", hardware},
	{"/proc/sysrq-trigger", hardware}, // one letter reboots
	{"/proc/cpuinfo", public},
	{"/proc/meminfo", public},
	{"/proc/version", public},
	{"/proc/uptime", public},
	{"/proc/loadavg", public},
	{"/proc/stat", public},
	{"/proc/filesystems", public},
	{"/proc/partitions", public},
	{"/proc", private}, // environments, command lines and open files of processes
	{"/sys/class/power_supply", public},
	{"/sys/class/thermal", public},
	{"/sys/devices/system/cpu", public},
	{"/sys", hardware},
	{"/system", public},
	{"/vendor", public},
	{"/product", public},
	{"/system_ext", public},
	{"/apex", public},
	{"/odm", public},
	{"/data/local/tmp", staging},
	{"/data/misc/adb", keys},
	{"/adb_keys", keys},
	{"/data/adb", system}, // modules that run as root
	{"/data/system", system},
	{"/data/misc", system},
	{"/data/local", system},
	{"/metadata", system},
	{"/init", system},
	{"/etc", public},
}

// placeOf tells what a path means. Dots are resolved first. A path with an
// unknown part is judged by what it is known to begin with, unless dots could
// lead it out again.
func placeOf(w word) place {
	p := w.text
	if w.why != "" {
		return private
	}
	if w.glob {
		if strings.Contains(p, "..") {
			return private
		}
		cut := strings.IndexAny(p, "*?[{(")
		if cut < 0 {
			return private
		}
		p = p[:strings.LastIndexByte(p[:cut], '/')+1]
	}
	if !strings.HasPrefix(p, "/") {
		return private
	}
	p = path.Clean(p)
	for _, entry := range places {
		if p == entry.prefix || strings.HasPrefix(p, entry.prefix+"/") {
			return entry.place
		}
	}
	return private
}

// sharedRoots are the names that the shared storage goes by.
var sharedRoots = []string{
	"/sdcard", "/storage/emulated/0", "/storage/self/primary", "/mnt/sdcard",
	"/mnt/user/0/primary", "/data/media/0",
}

// shared returns a path in shared storage relative to its root.
func sharedPath(p string) (string, bool) {
	p = path.Clean(p)
	for _, root := range sharedRoots {
		if rest, ok := strings.CutPrefix(p, root+"/"); ok {
			return rest, true
		}
	}
	return "", false
}

// onEveryPhone reports whether a folder is there on every phone: the shell user's
// own, the shared storage, and what these stand in.
func onEveryPhone(p string) bool {
	if !strings.HasPrefix(p, "/") {
		return false
	}
	above := strings.TrimSuffix(path.Clean(p), "/") + "/"
	for _, folder := range append([]string{"/data/local/tmp"}, sharedRoots...) {
		if strings.HasPrefix(folder+"/", above) {
			return true
		}
	}
	return false
}

// readable reports whether reading a file gives away nothing: facts about the
// device, the shell's own folder, and what was just captured of the screen.
func (r *reader) readable(w word) bool {
	switch placeOf(w) {
	case public, staging, console:
		return true
	}
	return w.fixed() && r.isCapture(w.text)
}

// isCapture reports whether a file is a picture or a tree of the screen: one
// that this line saved, or the file that uiautomator writes by itself.
func (r *reader) isCapture(p string) bool {
	if r.captured[path.Clean(p)] {
		return true
	}
	rest, shared := sharedPath(p)
	return shared && rest == "window_dump.xml"
}

// capture notes that the line saves the screen to a file, and reports whether
// that is all it does: a file deeper in shared storage may be somebody's own,
// and saving there overwrites it. Where sure is false the file may also stay what
// it was, and reading it is reading that.
func (r *reader) capture(w word, sure bool) bool {
	kind := placeOf(w)
	rest, shared := sharedPath(w.text)
	switch {
	case kind == console:
		return true
	case !w.fixed():
		return false
	case kind == staging:
	case shared && !strings.Contains(rest, "/"):
	default:
		return false
	}
	file := path.Clean(w.text)
	if r.captured == nil {
		r.captured = map[string]bool{}
	}
	if was, known := r.captured[file]; was || !known { // once in doubt, always
		r.captured[file] = sure
	}
	return true
}

// writeEffect is what writing to a place does. Adding to a file, or making a
// new one, keeps what was there; anything else may overwrite it.
func writeEffect(kind place, object string, adds bool) Effect {
	e := Effect{Object: object}
	switch kind {
	case staging:
		e.Category, e.Code = risk.Other, codeStageFile
	case rawInput:
		e.Category, e.Code = risk.Unknown, codeRawInput
	case hardware:
		e.Category, e.Code = risk.Device, codePower
	case keys:
		e.Category, e.Code = risk.Bypass, codeNetworkADB
	case system, public:
		// Only root can, and what is put there runs with the system's rights.
		e.Category, e.Code = risk.Bypass, codeRoot
	case console:
		e.Category, e.Code = risk.None, codeShell
	default:
		e.Category, e.Code = risk.Delete, codeWriteFile
		if adds {
			e.Category = risk.Other
		}
	}
	return e
}
