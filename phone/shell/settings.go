package shell

import (
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/countersign/countersign/phone"
)

// settingsPrograms read and change what the phone is set to.
var settingsPrograms = map[string]program{
	"settings": settings, "getprop": getprop, "setprop": setprop, "ime": ime, "svc": svc, "appops": appops,
}

// withoutUser leaves out --user N and its short forms.
func withoutUser(args []string) []string {
	var rest []string
	for i := 0; i < len(args); i++ {
		switch {
		case (args[i] == "--user" || args[i] == "-u") && i+1 < len(args):
			i++
		case strings.HasPrefix(args[i], "--user="):
		default:
			rest = append(rest, args[i])
		}
	}
	return rest
}

var namespaces = []string{phone.System, phone.Secure, phone.Global}

func settings(r *run) int {
	args := withoutUser(r.args[1:])
	if len(args) < 2 {
		r.complain("Settings provider (settings) commands:")
		return failed
	}
	verb, space := args[0], strings.ToLower(args[1])
	if !slices.Contains(namespaces, space) {
		r.complain("Invalid namespace '%s'", args[1])
		return failed
	}
	p, words := r.phone(), args[2:]
	switch {
	case verb == "list":
		all := p.Settings(space)
		for _, key := range slices.Sorted(maps.Keys(all)) {
			r.printf("%s=%s\n", key, all[key])
		}
	case verb == "get" && len(words) > 0:
		value, ok := p.Setting(space, words[0])
		if !ok {
			value = "null"
		}
		r.printf("%s\n", value)
	case verb == "put" && len(words) > 1:
		p.SetSetting(space, words[0], words[1])
	case verb == "delete" && len(words) > 0:
		n := 0
		if p.DeleteSetting(space, words[0]) {
			n = 1
		}
		r.printf("Deleted %d rows\n", n)
	case verb == "reset":
		p.Note(phone.Event{Kind: "setting", Detail: "reset " + space})
	default:
		r.complain("Bad arguments")
		return failed
	}
	return 0
}

// properties are those that agents and adb servers read.
func properties(p *phone.Phone) map[string]string {
	locale := map[string]string{"en": "en-US", "de": "de-DE", "fr": "fr-FR", "es": "es-ES", "ja": "ja-JP", "tr": "tr-TR"}[p.Locale()]
	if locale == "" {
		locale = p.Locale()
	}
	return map[string]string{
		"ro.product.model": p.Model(), "ro.product.name": Product(p), "ro.product.device": Product(p),
		"ro.product.brand": "Countersign", "ro.product.manufacturer": "Countersign", "ro.serialno": p.Serial(), "ro.boot.serialno": p.Serial(),
		"ro.build.version.sdk": "34", "ro.build.version.release": "14", "ro.build.version.codename": "REL",
		"ro.build.version.incremental": "1", "ro.build.id": "SIM1.260101.001", "ro.build.display.id": "SIM1.260101.001",
		"ro.build.type": "user", "ro.build.tags": "release-keys", "ro.build.characteristics": "nosdcard",
		"ro.build.fingerprint": "countersign/" + Product(p) + "/" + Product(p) + ":14/SIM1.260101.001/1:user/release-keys",
		"ro.product.cpu.abi":   "arm64-v8a", "ro.product.cpu.abilist": "arm64-v8a,armeabi-v7a,armeabi", "ro.hardware": "simulated",
		"ro.sf.lcd_density": "420", "ro.secure": "1", "ro.debuggable": "0", "ro.adb.secure": "1",
		"sys.boot_completed": "1", "dev.bootcomplete": "1", "init.svc.bootanim": "stopped", "init.svc.adbd": "running",
		"persist.sys.locale": locale, "persist.sys.timezone": "UTC", "gsm.sim.state": "READY", "gsm.operator.alpha": "Simulated",
		"sys.usb.state": "adb", "sys.usb.config": "adb", "service.adb.tcp.port": "5555", "ro.crypto.state": "encrypted",
	}
}

// Product is the model as the banner and the properties have it: without
// blanks.
func Product(p *phone.Phone) string { return strings.ToLower(strings.ReplaceAll(p.Model(), " ", "_")) }

// assigned are the properties that were set on a phone.
type assigned struct {
	mu     sync.Mutex
	values map[string]string
}

func (a *assigned) put(key, value string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.values == nil {
		a.values = map[string]string{}
	}
	a.values[key] = value
}

func (a *assigned) all() map[string]string {
	a.mu.Lock()
	defer a.mu.Unlock()
	return maps.Clone(a.values)
}

func getprop(r *run) int {
	known := properties(r.phone())
	for key, value := range r.line.shell.set.all() {
		known[key] = value
	}
	_, words := options(r.args[1:], "")
	if len(words) == 0 {
		for _, key := range slices.Sorted(maps.Keys(known)) {
			r.printf("[%s]: [%s]\n", key, known[key])
		}
		return 0
	}
	value, ok := known[words[0]]
	if !ok && len(words) > 1 {
		value = words[1]
	}
	r.printf("%s\n", value)
	return 0
}

func setprop(r *run) int {
	if len(r.args) != 3 {
		return r.fail("Need 2 arguments")
	}
	key, value := r.args[1], r.args[2]
	if strings.HasPrefix(key, "ro.") || strings.HasPrefix(key, "persist.sys.usb") || strings.HasPrefix(key, "service.adb") || strings.HasPrefix(key, "ctl.") {
		r.complain("Failed to set property '%s' to '%s'.\nSee dmesg for error reason.", key, value)
		return 1
	}
	r.line.shell.set.put(key, value)
	return 0
}

func ime(r *run) int {
	args := withoutUser(r.args[1:])
	if len(args) == 0 {
		r.complain("ime <command>:")
		return failed
	}
	p := r.phone()
	if args[0] == "list" {
		r.listIMEs(args[1:])
		return 0
	}
	if args[0] == "reset" {
		r.printf("Reset current and enabled IMEs for user #0\n")
		return 0
	}
	if len(args) < 2 {
		r.complain("Error: no input method ID specified")
		return failed
	}
	id := args[1]
	switch args[0] {
	case "enable", "disable":
		on := args[0] == "enable"
		if !p.EnableIME(id, on) {
			r.complain("Unknown input method %s cannot be %sd for user #0", id, args[0])
			return failed
		}
		r.printf("Input method %s: now %sd for user #0\n", id, args[0])
	case "set":
		if !p.SetIME(id) {
			r.complain("Unknown input method %s cannot be selected for user #0", id)
			return failed
		}
		r.printf("Input method %s selected for user #0\n", id)
	default:
		r.complain("Unknown command: %s", args[0])
		return failed
	}
	return 0
}

func (r *run) listIMEs(args []string) {
	all, short := slices.Contains(args, "-a"), slices.Contains(args, "-s")
	for _, i := range r.phone().IMEs() {
		if !all && !i.Enabled {
			continue
		}
		if short {
			r.printf("%s\n", i.ID)
			continue
		}
		pkg, class, _ := strings.Cut(i.ID, "/")
		r.printf("%s:\n  mId=%s mSettingsActivityName=null mIsVrOnly=false\n  packageName=%s\n  name=%s\n", i.ID, i.ID, pkg, class)
	}
}

// switches are the settings behind "svc NAME enable".
var switches = map[string]string{
	"wifi": "wifi_on", "data": "mobile_data", "bluetooth": "bluetooth_on", "nfc": "nfc_on", "power": "stay_on_while_plugged_in",
}

func svc(r *run) int {
	args := r.args[1:]
	if len(args) < 2 {
		r.complain("Available commands:\n    help\n    power\n    data\n    wifi\n    usb\n    nfc\n    bluetooth\n    system-server")
		return 0
	}
	key, known := switches[args[0]]
	switch {
	case known && args[0] != "power" && (args[1] == "enable" || args[1] == "disable"):
		r.phone().SetSetting(phone.Global, key, map[bool]string{true: "1", false: "0"}[args[1] == "enable"])
	case args[0] == "power" && args[1] == "stayon" && len(args) > 2:
		r.phone().SetSetting(phone.Global, key, args[2])
	case args[0] == "power" && (args[1] == "reboot" || args[1] == "shutdown"):
		r.phone().Note(phone.Event{Kind: "reboot", Detail: strings.Join(args[1:], " ")})
	}
	return 0
}

// appops is "appops set|get|reset|query-op [--user N] PACKAGE OP [MODE]".
func appops(r *run) int {
	args := withoutUser(r.args[1:])
	var words []string
	for _, a := range args {
		if a != "--uid" {
			words = append(words, a)
		}
	}
	if len(words) < 2 {
		r.complain("AppOps service (appops) commands:")
		return failed
	}
	switch {
	case words[0] == "set" && len(words) > 3:
		if err := r.phone().SetAppOp(words[1], words[2], words[3]); err != nil {
			r.complain("Error: No UID for %s in user 0", words[1])
			return failed
		}
	case words[0] == "get" && len(words) > 2:
		mode := r.phone().AppOp(words[1], words[2])
		if mode == "default" {
			r.printf("No operations.\nDefault mode: %s\n", mode)
		} else {
			r.printf("%s: %s\n", words[2], mode)
		}
	case words[0] == "get":
		r.printf("No operations.\n")
	case words[0] == "reset", words[0] == "query-op", words[0] == "write-settings", words[0] == "read-settings":
	default:
		r.complain("Error: Unknown or incomplete command: %s", strings.Join(words, " "))
		return failed
	}
	return 0
}
