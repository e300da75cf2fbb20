package shell

import (
	"slices"
	"strconv"
	"strings"

	"github.com/countersign/countersign/phone"
)

// systemPrograms reach services and devices directly.
var systemPrograms = map[string]program{
	"cmd": cmd, "service": service, "sendevent": sendevent, "getevent": getevent, "bmgr": noteOnly, "device_config": noteOnly, "dpm": dpm,
	"telecom": noteOnly, "media": noteOnly, "locksettings": noteOnly, "bu": noteOnly, "content_capture": noteOnly, "uinput": noteOnly, "hid": noteOnly,
}

// noteOnly are programs that are written down as they were called and do no
// more.
func noteOnly(*run) int { return 0 }

// commandOf are the services of cmd that are programs by another name.
var commandOf = map[string]string{
	"package": "pm", "activity": "am", "input": "input", "settings": "settings", "window": "wm", "appops": "appops",
	"input_method": "ime", "content": "content", "testharness": "true", "device_policy": "dpm",
}

// notedServices take words that are written down.
var notedServices = []string{
	"uimode", "wallpaper", "connectivity", "wifi", "phone", "role", "jobscheduler", "deviceidle", "lock_settings", "battery", "thermalservice",
	"overlay", "shortcut", "accessibility", "bluetooth_manager", "media_session", "companiondevice", "user", "location", "permissionmgr", "autofill",
	"webviewupdate", "netpolicy", "power", "display", "notification", "statusbar", "vibrator_manager", "alarm", "usb", "launcherapps",
}

func cmd(r *run) int {
	if len(r.args) < 2 {
		r.complain("cmd: No service specified; use -l to list all services")
		return 20
	}
	name, args := r.args[1], r.args[2:]
	if name == "-l" {
		all := slices.Clone(notedServices)
		for service := range commandOf {
			all = append(all, service)
		}
		slices.Sort(all)
		r.printf("Currently running services:\n  %s\n", strings.Join(all, "\n  "))
		return 0
	}
	if program, ok := commandOf[name]; ok {
		return r.become(append([]string{program}, args...))
	}
	if !slices.Contains(notedServices, name) {
		r.complain("cmd: Can't find service: %s", name)
		return 20
	}
	return r.serviceCommand(name, args)
}

// serviceCommand is a command of a service that the phone has something for.
func (r *run) serviceCommand(name string, args []string) int {
	p, words := r.phone(), append(slices.Clone(args), "", "")
	detail := strings.Join(append([]string{name}, args...), " ")
	switch {
	case name == "statusbar" && words[0] == "expand-notifications":
		w, h := p.Size()
		p.Swipe(w/2, 0, w/2, h/2, 0)
	case name == "statusbar" && words[0] == "collapse":
		p.Key(4, false)
	case name == "notification" && (words[0] == "allow_listener" || words[0] == "disallow_listener"):
		p.SetSetting(phone.Secure, "enabled_notification_listeners", map[bool]string{true: words[1], false: ""}[words[0] == "allow_listener"])
	case name == "uimode" && words[0] == "night" && words[1] != "":
		p.SetSetting(phone.Secure, "ui_night_mode", map[string]string{"yes": "2", "no": "1"}[words[1]])
	case name == "connectivity" && words[0] == "airplane-mode" && words[1] != "":
		p.SetSetting(phone.Global, "airplane_mode_on", map[string]string{"enable": "1", "disable": "0"}[words[1]])
	case name == "wifi" && words[0] == "set-wifi-enabled":
		p.SetSetting(phone.Global, "wifi_on", map[string]string{"enabled": "1", "disabled": "0"}[words[1]])
	case name == "overlay" && words[0] == "list":
		r.printf("com.android.systemui\n[ ] com.android.internal.systemui.navbar.threebutton\n")
	}
	p.Note(phone.Event{Kind: "command", Detail: detail})
	return 0
}

// service is "service list|check|call NAME CODE ...": a call is a transaction
// of which only the numbers are known, so it is written down and answered with
// an empty parcel.
func service(r *run) int {
	if len(r.args) < 2 {
		r.complain("service: No command specified")
		return 10
	}
	switch r.args[1] {
	case "list":
		names := programServices()
		r.printf("Found %d services:\n", len(names))
		for i, name := range names {
			r.printf("%d\t%s: [android.os.I%s]\n", i, name, name)
		}
	case "check":
		name := last(r.args)
		r.printf("Service %s: %s\n", name, map[bool]string{true: "found", false: "not found"}[slices.Contains(programServices(), name)])
	case "call":
		if len(r.args) < 4 {
			r.complain("service: No code specified for call")
			return 10
		}
		if !slices.Contains(programServices(), r.args[2]) {
			r.complain("service: Service %s does not exist", r.args[2])
			return 10
		}
		r.phone().Note(phone.Event{Kind: "servicecall", Detail: strings.Join(r.args[2:], " ")})
		r.printf("Result: Parcel(00000000    '....')\n")
	default:
		r.complain("service: Unknown command %s", r.args[1])
		return 10
	}
	return 0
}

// programServices are all services there are.
func programServices() []string {
	names := append(slices.Clone(notedServices), "iphonesubinfo", "isms", "telecom", "clipboard", "SurfaceFlinger")
	for name := range commandOf {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// dpm is the device policy manager, which makes administrators.
func dpm(r *run) int {
	words := withoutUser(r.args[1:])
	if len(words) < 2 {
		r.complain("usage: dpm [subcommand] [options]")
		return failed
	}
	r.phone().Note(phone.Event{Kind: "admin", Detail: strings.Join(words, " ")})
	r.printf("Success: %s %s\n", words[0], words[1])
	return 0
}

// sendevent writes an event to the touch panel. The panel has the pixels of the
// display; a tap is what lies between its tracking ids, or between press and
// release of BTN_TOUCH.
func sendevent(r *run) int {
	if len(r.args) != 5 {
		r.complain("use: sendevent DEVICE TYPE CODE VALUE")
		return 1
	}
	if !strings.HasPrefix(r.args[1], "/dev/input/event") {
		return r.fail("%s: No such file or directory", r.args[1])
	}
	var numbers [3]int
	for i := range numbers {
		n, err := strconv.ParseInt(r.args[2+i], 0, 64)
		if err != nil {
			return r.fail("not integer: %s", r.args[2+i])
		}
		numbers[i] = int(int32(n))
	}
	r.line.shell.panel.event(r.phone(), numbers[0], numbers[1], numbers[2])
	return 0
}

func getevent(r *run) int {
	given, _ := options(r.args[1:], "cSr")
	w, h := r.phone().PhysicalSize()
	r.printf("add device 1: /dev/input/event2\n  name:     \"touchscreen\"\n")
	if has(given, 'p') || has(given, 'l') || has(given, 'i') {
		r.printf("  events:\n    KEY (0001): BTN_TOUCH\n    ABS (0003): ABS_MT_POSITION_X     : value 0, min 0, max %d, fuzz 0, flat 0, resolution 0\n                ABS_MT_POSITION_Y     : value 0, min 0, max %d, fuzz 0, flat 0, resolution 0\n", w-1, h-1)
		if has(given, 'p') || has(given, 'i') {
			return 0
		}
	}
	return r.linger()
}
