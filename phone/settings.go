package phone

import (
	"maps"
	"slices"
	"strconv"
	"strings"
)

// The namespaces of settings.
const (
	System = "system"
	Secure = "secure"
	Global = "global"
)

// Keys of settings that the phone acts on.
const (
	keyIME       = "default_input_method"
	keyIMEs      = "enabled_input_methods"
	keyServices  = "enabled_accessibility_services"
	keyListeners = "enabled_notification_listeners"
)

// serviceKeys are the settings that list what is switched on, by kind.
var serviceKeys = map[string]string{"accessibility": keyServices, "notification": keyListeners}

// firstSettings are the settings of a phone that is new.
func firstSettings() map[string]map[string]string {
	const board = "com.google.android.inputmethod.latin/.LatinIME"
	return map[string]map[string]string{
		System: {"accelerometer_rotation": "0", "user_rotation": "0", "screen_brightness": "120", "screen_off_timeout": "60000"},
		Secure: {
			keyIME: board, keyIMEs: board, keyServices: "", keyListeners: "", "accessibility_enabled": "0",
			"android_id": "c0ffee0000000001", "install_non_market_apps": "0", "location_mode": "3",
		},
		Global: {
			"adb_enabled": "1", "development_settings_enabled": "1", "airplane_mode_on": "0", "wifi_on": "1",
			"bluetooth_on": "1", "verifier_verify_adb_installs": "1", "window_animation_scale": "1.0", "device_name": "Sim 1",
		},
	}
}

// weighty are the settings whose change is an effect by itself: they open the
// phone to others or cut it off.
var weighty = []string{
	Global + ".adb_enabled", Global + ".adb_wifi_enabled", Global + ".airplane_mode_on", Global + ".development_settings_enabled",
	Global + ".http_proxy", Global + ".package_verifier_enable", Global + ".private_dns_specifier",
	Global + ".verifier_verify_adb_installs", Secure + ".install_non_market_apps", Secure + ".location_mode",
	Secure + ".lock_screen_lock_after_timeout", Secure + ".lockscreen.disabled",
}

// SetSetting writes a setting, as "settings put" does. What the phone takes
// from settings takes hold at once: default_input_method, user_rotation,
// enabled_accessibility_services, enabled_notification_listeners.
func (p *Phone) SetSetting(namespace, key, value string) {
	p.lock()
	defer p.mu.Unlock()
	p.noteThat("setting", "%s %s=%s", namespace, key, value)
	p.setSetting(shellPackage, namespace, key, value)
}

func (p *Phone) setSetting(by, namespace, key, value string) {
	defer p.changed()
	if p.settings[namespace] == nil {
		return
	}
	before := p.settings[namespace][key]
	p.settings[namespace][key] = value
	switch {
	case namespace == System && key == "user_rotation":
		quarters, _ := strconv.Atoi(value)
		p.rotation = quarters & 3
	case namespace == Secure && (key == keyServices || key == keyListeners):
		p.servicesChanged(by, before, value)
	case before != value && slices.Contains(weighty, namespace+"."+key):
		p.happen(Effect{App: by, What: "set", Object: namespace + "." + key, Text: value})
	}
}

// servicesChanged makes effects of what was switched on and off.
func (p *Phone) servicesChanged(by, before, after string) {
	was, is := components(before), components(after)
	for _, s := range is {
		if !slices.Contains(was, s) {
			p.happen(Effect{App: by, What: "enabled", Object: s})
		}
	}
	for _, s := range was {
		if !slices.Contains(is, s) {
			p.happen(Effect{App: by, What: "disabled", Object: s})
		}
	}
}

// components are the parts of a list of components in a setting.
func components(list string) []string {
	return strings.FieldsFunc(list, func(r rune) bool { return r == ':' })
}

// switchService switches a service of an app on or off.
func (p *Phone) switchService(by, kind, name string, on bool) {
	key := serviceKeys[kind]
	list := slices.DeleteFunc(components(p.settings[Secure][key]), func(s string) bool { return s == name })
	if on {
		list = append(list, name)
	}
	p.setSetting(by, Secure, key, strings.Join(list, ":"))
	if kind == "accessibility" {
		p.settings[Secure]["accessibility_enabled"] = map[bool]string{true: "1", false: "0"}[len(list) > 0]
	}
}

// serviceRows are the services of the installed apps, for a screen of settings.
func (p *Phone) serviceRows() []*row {
	var rows []*row
	for _, a := range p.byLabel() {
		for _, s := range a.def.services {
			name := a.def.pkg + "/" + s.class
			on := slices.Contains(components(p.settings[Secure][serviceKeys[s.kind]]), name)
			rows = append(rows, &row{"phone.services", name, map[string]string{
				"package": a.def.pkg, "name": name, "kind": s.kind, "on": strconv.FormatBool(on),
				"label": (&scope{phone: p, app: a}).fill(s.label),
			}})
		}
	}
	return rows
}

// DeleteSetting removes a setting and reports whether it was there.
func (p *Phone) DeleteSetting(namespace, key string) bool {
	p.lock()
	defer p.mu.Unlock()
	p.noteThat("setting", "%s delete %s", namespace, key)
	_, there := p.settings[namespace][key]
	if there {
		p.setSetting(shellPackage, namespace, key, "")
		delete(p.settings[namespace], key)
	}
	return there
}

// Setting reads a setting; false when it is not set.
func (p *Phone) Setting(namespace, key string) (string, bool) {
	p.lock()
	defer p.mu.Unlock()
	value, ok := p.settings[namespace][key]
	return value, ok
}

// Settings is a copy of a namespace.
func (p *Phone) Settings(namespace string) map[string]string {
	p.lock()
	defer p.mu.Unlock()
	return maps.Clone(p.settings[namespace])
}
