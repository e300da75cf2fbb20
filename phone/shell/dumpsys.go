package shell

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/countersign/countersign/phone"
)

// dumpsysPrograms describe the system's services.
var dumpsysPrograms = map[string]program{"dumpsys": dumpsys}

// services write what "dumpsys NAME" does, in the forms that clients look for.
var services = map[string]func(r *run, args []string) int{
	"window": dumpWindow, "activity": dumpActivity, "input_method": dumpInputMethod, "package": dumpPackage,
	"battery": func(r *run, _ []string) int {
		r.printf("Current Battery Service state:\n  AC powered: false\n  USB powered: true\n  Wireless powered: false\n  status: 2\n  health: 2\n  present: true\n  level: 87\n  scale: 100\n  voltage: 4210\n  temperature: 251\n  technology: Li-ion\n")
		return 0
	},
	"power": func(r *run, _ []string) int {
		state, display := "Asleep", "OFF"
		if r.phone().Awake() {
			state, display = "Awake", "ON"
		}
		r.printf("POWER MANAGER (dumpsys power)\n\nPower Manager State:\n  mWakefulness=%s\n  mWakefulnessChanging=false\n  mHoldingDisplaySuspendBlocker=%t\nDisplay Power: state=%s\n", state, r.phone().Awake(), display)
		return 0
	},
	"display": dumpDisplay,
	"input": func(r *run, _ []string) int {
		w, h := r.phone().Size()
		r.printf("INPUT MANAGER (dumpsys input)\n\nInput Reader State:\n  Device 2: touchscreen\n    Viewport INTERNAL: displayId=0, uniqueId=local:0, port=0, orientation=%d, logicalFrame=[0, 0, %d, %d]\n      SurfaceWidth: %dpx\n      SurfaceHeight: %dpx\n      SurfaceOrientation: %d\n",
			r.phone().Rotation(), w, h, w, h, r.phone().Rotation())
		return 0
	},
	"appops": func(r *run, _ []string) int { r.printf("Current AppOps Service state:\n"); return 0 },
	"meminfo": func(r *run, args []string) int {
		r.printf("Applications Memory Usage (in Kilobytes):\nTotal RAM: 7,812,356K (status normal)\n")
		return 0
	},
	"cpuinfo": func(r *run, _ []string) int { r.printf("Load: 1.0 / 1.0 / 1.0\n"); return 0 },
	"notification": func(r *run, _ []string) int {
		r.printf("Current Notification Manager state:\n  Notification List:\n")
		return 0
	},
	"wifi":       func(r *run, _ []string) int { r.printf("Wi-Fi is enabled\n"); return 0 },
	"deviceidle": func(r *run, _ []string) int { r.printf("  mScreenOn=true\n"); return 0 },
	"telephony.registry": func(r *run, _ []string) int {
		r.printf("last known state:\n  mCallState=0\n  mServiceState=0\n")
		return 0
	},
	"SurfaceFlinger": func(r *run, _ []string) int {
		w, h := r.phone().PhysicalSize()
		r.printf("Display 0 (HWC display 0): activeMode=%dx%d@60.00Hz\n", w, h)
		return 0
	},
	"accessibility": func(r *run, _ []string) int {
		enabled, _ := r.phone().Setting(phone.Secure, "enabled_accessibility_services")
		r.printf("ACCESSIBILITY MANAGER (dumpsys accessibility)\n\nUser state[\n     Enabled services:{%s}\n]\n", enabled)
		return 0
	},
	"usagestats": noted, "alarm": noted, "jobscheduler": noted, "connectivity": noted, "location": noted, "audio": noted,
	"media_session": noted, "gfxinfo": noted, "statusbar": noted, "user": noted, "device_policy": noted, "clipboard": noted,
	"account": noted, "procstats": noted, "batterystats": noted, "diskstats": noted, "iphonesubinfo": noted,
}

func dumpsys(r *run) int {
	args := r.args[1:]
	for len(args) > 0 && strings.HasPrefix(args[0], "-") {
		if args[0] == "-l" {
			r.printf("Currently running services:\n")
			for _, name := range slices.Sorted(maps.Keys(services)) {
				r.printf("  %s\n", name)
			}
			return 0
		}
		if (args[0] == "-t" || args[0] == "-T" || args[0] == "--priority") && len(args) > 1 {
			args = args[1:]
		}
		args = args[1:]
	}
	if len(args) == 0 {
		for _, name := range slices.Sorted(maps.Keys(services)) {
			r.printf("DUMP OF SERVICE %s:\n", name)
			services[name](r, nil)
		}
		return 0
	}
	service, ok := services[args[0]]
	if !ok {
		r.complain("Can't find service: %s", args[0])
		return 0
	}
	return service(r, args[1:])
}

// handle is the number that stands for a window or an activity.
func handle(name string) string { return fmt.Sprintf("%07x", pidOf(name)*1103) }

// component is a package and its activity as dumpsys writes them: the package is
// left out where the class begins with it.
func component(pkg, activity string) string { return pkg + "/" + activity }

// windowName is a window as "dumpsys window" calls it.
func windowName(w phone.Window) string {
	name := w.Title
	switch w.Kind {
	case "keyboard":
		name = "InputMethod"
	case "app", "dialog":
		if w.Activity != "" {
			name = component(w.Package, w.Activity)
		}
	}
	if name == "" {
		name = w.Package
	}
	return fmt.Sprintf("Window{%s u0 %s}", handle(name), name)
}

func dumpWindow(r *run, args []string) int {
	p := r.phone()
	pkg, activity := p.Focus()
	windows := p.Windows()
	what := ""
	if len(args) > 0 {
		what = args[0]
	}
	if what != "displays" && what != "policy" {
		r.printf("WINDOW MANAGER WINDOWS (dumpsys window windows)\n")
		for i, w := range windows {
			r.printf("  Window #%d %s:\n    mDisplayId=0 mSession=Session{%s}\n    mOwnerUid=10%03d package=%s appop=NONE\n", i, windowName(w), handle(w.Package), pidOf(w.Package)%1000, w.Package)
			r.printf("    mAttrs={(0,0)(fillxfill) ty=%s fl=%s}\n", windowType(w), map[bool]string{true: "SECURE", false: "LAYOUT_IN_SCREEN"}[w.Secure])
			r.printf("    mFrame=[%d,%d][%d,%d]\n    isOnScreen=true\n    isVisible=true\n", w.Bounds.Min.X, w.Bounds.Min.Y, w.Bounds.Max.X, w.Bounds.Max.Y)
		}
	}
	if what == "" || what == "policy" {
		r.printf("WINDOW MANAGER POLICY STATE (dumpsys window policy)\n    mAwake=%t\n    showing=false\n    mDreamingLockscreen=false\n    isStatusBarKeyguard=false\n", p.Awake())
	}
	if what != "policy" {
		w, h := p.Size()
		nw, nh := p.PhysicalSize()
		now, physical := p.Density()
		r.printf("WINDOW MANAGER DISPLAY CONTENTS (dumpsys window displays)\n  Display: mDisplayId=0\n    init=%dx%d %ddpi cur=%dx%d %ddpi app=%dx%d\n    mRotation=%d mCurrentRotation=ROTATION_%d\n",
			nw, nh, physical, w, h, now, w, h, p.Rotation(), 90*p.Rotation())
	}
	focused := fmt.Sprintf("Window{%s u0 %s}", handle(pkg), component(pkg, activity))
	for _, w := range windows {
		if w.Focused {
			focused = windowName(w)
			break
		}
	}
	if pkg == "" {
		focused = "null"
	}
	r.printf("  mCurrentFocus=%s\n  mFocusedApp=%s\n", focused, record(pkg, activity))
	return 0
}

func windowType(w phone.Window) string {
	switch w.Kind {
	case "keyboard":
		return "INPUT_METHOD"
	case "system":
		return "STATUS_BAR"
	case "overlay":
		return "APPLICATION_OVERLAY"
	case "dialog":
		return "APPLICATION"
	}
	return "BASE_APPLICATION"
}

// record is an activity as "dumpsys activity" calls it.
func record(pkg, activity string) string {
	if pkg == "" {
		return "null"
	}
	return fmt.Sprintf("ActivityRecord{%s u0 %s t12}", handle(pkg+activity), component(pkg, activity))
}

func dumpActivity(r *run, args []string) int {
	p := r.phone()
	pkg, activity := p.Focus()
	what := "activities"
	if len(args) > 0 {
		what = args[0]
	}
	switch what {
	case "services":
		r.printf("ACTIVITY MANAGER SERVICES (dumpsys activity services)\n  User 0 active services:\n")
		return 0
	case "broadcasts", "intents", "providers", "permissions", "oom", "lru":
		r.printf("ACTIVITY MANAGER %s (dumpsys activity %s)\n", strings.ToUpper(what), what)
		return 0
	case "processes", "p":
		r.printf("ACTIVITY MANAGER RUNNING PROCESSES (dumpsys activity processes)\n")
		for _, name := range p.Running() {
			r.printf("  *APP* UID 10%03d ProcessRecord{%s %d:%s/u0a%d}\n", pidOf(name)%1000, handle(name), pidOf(name), name, pidOf(name)%1000)
		}
		return 0
	}
	r.printf("ACTIVITY MANAGER ACTIVITIES (dumpsys activity activities)\nDisplay #0 (activities from top to bottom):\n")
	r.printf("  * Task{%s #12 type=standard A=10123:%s U=0 visible=true mode=fullscreen translucent=false sz=1}\n", handle("task"+pkg), pkg)
	r.printf("    mResumedActivity: %s\n    * Hist  #0: %s\n      packageName=%s processName=%s\n", record(pkg, activity), record(pkg, activity), pkg, pkg)
	r.printf("  mFocusedApp=%s\n  topResumedActivity=%s\n  ResumedActivity: %s\n", record(pkg, activity), record(pkg, activity), record(pkg, activity))
	if what == "top" {
		r.printf("TASK %s id=12\n  ACTIVITY %s %s pid=%d\n", pkg, component(pkg, activity), handle(pkg+activity), pidOf(pkg))
	}
	return 0
}

func dumpInputMethod(r *run, _ []string) int {
	p := r.phone()
	current := "null"
	for _, i := range p.IMEs() {
		if i.Current {
			current = i.ID
		}
	}
	shown := slices.ContainsFunc(p.Windows(), func(w phone.Window) bool { return w.Kind == "keyboard" })
	r.printf("Current Input Method Manager state:\n  Input Methods: mMethodMapUpdateCount=1\n")
	for i, m := range p.IMEs() {
		r.printf("  InputMethod #%d:\n    mId=%s\n", i, m.ID)
	}
	r.printf("  mCurMethodId=%s\n  mCurId=%s\n  mInputShown=%t mShowRequested=%t\n  mInputMethod=%s\n", current, current, shown, shown, current)
	return 0
}

func dumpDisplay(r *run, _ []string) int {
	w, h := r.phone().Size()
	_, density := r.phone().Density()
	r.printf("DISPLAY MANAGER (dumpsys display)\n  mBaseDisplayInfo=DisplayInfo{\"Built-in Screen\", displayId 0, real %d x %d, density %d}\n  mOverrideDisplayInfo=DisplayInfo{\"Built-in Screen\", displayId 0, app %d x %d, rotation %d, density %d}\n  mScreenState=ON\n    mCurrentOrientation=%d\n",
		w, h, density, w, h, r.phone().Rotation(), density, r.phone().Rotation())
	return 0
}

// dumpPackage is "dumpsys package NAME" and "pm dump NAME".
func dumpPackage(r *run, args []string) int {
	name := ""
	for _, a := range args {
		if !strings.HasPrefix(a, "-") {
			name = a
		}
	}
	r.printf("Packages:\n")
	for _, p := range r.phone().Packages() {
		if name != "" && p.Name != name && name != "packages" {
			continue
		}
		version := p.Version
		if version == "" {
			version = "1.0"
		}
		r.printf("  Package [%s] (%s):\n    userId=10%03d\n    codePath=%s\n    versionCode=1 minSdk=24 targetSdk=34\n    versionName=%s\n", p.Name, handle(p.Name), pidOf(p.Name)%1000, p.APK, version)
		r.printf("    flags=[ %sHAS_CODE ]\n    requested permissions:\n", map[bool]string{true: "SYSTEM ", false: ""}[p.System])
		names := slices.Sorted(maps.Keys(p.Permissions))
		for _, permission := range names {
			r.printf("      %s\n", permission)
		}
		r.printf("    User 0: installed=true hidden=false stopped=false enabled=%d\n      runtime permissions:\n", map[bool]int{true: 0, false: 3}[p.Enabled])
		for _, permission := range names {
			r.printf("        %s: granted=%t\n", permission, p.Permissions[permission])
		}
	}
	return 0
}
