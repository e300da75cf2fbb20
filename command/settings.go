package command

import (
	"path"
	"strings"

	"github.com/countersign/countersign/risk"
)

// settingKeys are the keys of the settings tables whose change is more, or
// less, than a change of a security setting. A key that is in neither this
// table nor comfortKeys is taken as a security setting.
var settingKeys = map[string]rule{
	// Ways round the guard: services that see and press everything, and doors
	// to the phone beside the guarded one.
	"enabled_accessibility_services":                   {risk.Bypass, codeAccessibility, false},
	"accessibility_enabled":                            {risk.Bypass, codeAccessibility, false},
	"accessibility_shortcut_target_service":            {risk.Bypass, codeAccessibility, false},
	"accessibility_button_targets":                     {risk.Bypass, codeAccessibility, false},
	"accessibility_button_target_component":            {risk.Bypass, codeAccessibility, false},
	"touch_exploration_granted_accessibility_services": {risk.Bypass, codeAccessibility, false},
	"touch_exploration_enabled":                        {risk.Bypass, codeAccessibility, false},
	"enabled_notification_listeners":                   {risk.Bypass, codeAccessibility, false},
	"enabled_notification_assistant":                   {risk.Bypass, codeAccessibility, false},
	"enabled_notification_policy_access_packages":      {risk.Bypass, codeAccessibility, false},
	"adb_enabled":                     {risk.Bypass, codeNetworkADB, false},
	"adb_wifi_enabled":                {risk.Bypass, codeNetworkADB, false},
	"adb_allowed_connection_time":     {risk.Bypass, codeNetworkADB, false},
	"adb_authorization_timeout":       {risk.Bypass, codeNetworkADB, false},
	"hidden_api_policy":               {risk.Bypass, codeAccessibility, false},
	"hidden_api_policy_pre_p_apps":    {risk.Bypass, codeAccessibility, false},
	"hidden_api_policy_p_apps":        {risk.Bypass, codeAccessibility, false},
	"hidden_api_blacklist_exemptions": {risk.Bypass, codeAccessibility, false},
	// Who types, who assists, who answers messages and fills in passwords.
	"default_input_method":          {risk.Permission, codeInputMethod, false},
	"enabled_input_methods":         {risk.Permission, codeInputMethod, false},
	"selected_input_method_subtype": {risk.Permission, codeInputMethod, false},
	"selected_spell_checker":        {risk.Permission, codeInputMethod, false},
	"assistant":                     {risk.Permission, codeDefaultApp, false},
	"voice_interaction_service":     {risk.Permission, codeDefaultApp, false},
	"voice_recognition_service":     {risk.Permission, codeDefaultApp, false},
	"autofill_service":              {risk.Permission, codeDefaultApp, false},
	"credential_service":            {risk.Permission, codeDefaultApp, false},
	"credential_service_primary":    {risk.Permission, codeDefaultApp, false},
	"sms_default_application":       {risk.Permission, codeDefaultApp, false},
	"dialer_default_application":    {risk.Permission, codeDefaultApp, false},
	"nfc_payment_default_component": {risk.Permission, codeDefaultApp, false},
	"default_print_service":         {risk.Permission, codeDefaultApp, false},
	// The lock.
	"lockscreen.disabled":            {risk.Settings, codeLock, false},
	"lock_screen_lock_after_timeout": {risk.Settings, codeLock, false},
	"lockscreen.password_type":       {risk.Settings, codeLock, false},
	"lock_pattern_autolock":          {risk.Settings, codeLock, false},
	"trust_agents_initialized":       {risk.Settings, codeLock, false},
	// The networks.
	"airplane_mode_on":       {risk.Settings, codeRadio, false},
	"airplane_mode_radios":   {risk.Settings, codeRadio, false},
	"wifi_on":                {risk.Settings, codeRadio, false},
	"bluetooth_on":           {risk.Settings, codeRadio, false},
	"mobile_data":            {risk.Settings, codeRadio, false},
	"data_roaming":           {risk.Settings, codeRadio, false},
	"http_proxy":             {risk.Settings, codeRadio, false},
	"global_http_proxy_host": {risk.Settings, codeRadio, false},
	"private_dns_mode":       {risk.Settings, codeRadio, false},
	"private_dns_specifier":  {risk.Settings, codeRadio, false},
	"always_on_vpn_app":      {risk.Settings, codeRadio, false},
}

// comfortKeys change how the phone looks, sounds and rests, and nothing else:
// what a slider in the quick settings does.
var comfortKeys = wordSet(`screen_brightness screen_brightness_mode screen_brightness_float
	screen_off_timeout accelerometer_rotation user_rotation font_scale ui_night_mode
	window_animation_scale transition_animation_scale animator_duration_scale
	show_touches pointer_location pointer_speed stay_on_while_plugged_in
	haptic_feedback_enabled vibrate_when_ringing dtmf_tone sound_effects_enabled
	volume_music volume_ring volume_alarm volume_notification volume_system volume_voice
	ringtone notification_sound alarm_alert time_12_24 date_format
	long_press_timeout policy_control immersive_mode_confirmations show_ime_with_hard_keyboard
	screensaver_enabled charging_sounds_enabled low_power_trigger_level zen_mode heads_up_notifications_enabled
	display_density_forced night_display_activated night_display_color_temperature
	accessibility_captioning_enabled high_text_contrast_enabled`)

// settings judges "settings VERB NAMESPACE KEY VALUE".
func settings(c *call) {
	_, operands := split(c.texts(), "--user")
	if len(operands) == 0 {
		c.none(codeRead, c.verb)
		return
	}
	term := c.verb + " " + operands[0]
	switch operands[0] {
	case "get", "list", "help":
		c.none(codeRead, term)
	case "put", "delete":
		if len(operands) < 3 {
			c.unknown(codeBadArguments, term, c.rest(0))
			return
		}
		c.setting(term, operands[2], join(operands[1:]))
	case "reset": // back to what the maker chose, the locks included
		c.is(risk.Settings, codeSetting, term, join(operands[1:]))
	default:
		c.unknown(codeUnknownCommand, term, c.rest(0))
	}
}

// setting adds what changing one key does. Wildcards in a key may become any
// key that fits, so the worst one counts.
func (c *call) setting(term, key, object string) {
	r, known := settingKeys[key]
	if strings.ContainsAny(key, "*?[") {
		for name, candidate := range settingKeys {
			if fits, err := path.Match(key, name); fits && err == nil && (!known || Severity(candidate.category) > Severity(r.category)) {
				r, known = candidate, true
			}
		}
	}
	switch {
	case known:
		c.is(r.category, r.code, term, object)
	case comfortKeys[key]:
		c.is(risk.None, codePreference, term, object)
	default:
		c.is(risk.Settings, codeSetting, term, object)
	}
}

// properties are the system properties that are more than a setting. Those
// that end in a dot are prefixes.
var properties = []struct {
	name string
	rule rule
}{
	{"service.adb.tcp.port", rule{risk.Bypass, codeNetworkADB, false}},
	{"persist.adb.tcp.port", rule{risk.Bypass, codeNetworkADB, false}},
	{"service.adb.", rule{risk.Bypass, codeNetworkADB, false}},
	{"persist.adb.", rule{risk.Bypass, codeNetworkADB, false}},
	{"ro.adb.", rule{risk.Bypass, codeNetworkADB, false}},
	{"sys.powerctl", rule{risk.Device, codePower, false}},
	{"sys.usb.", rule{risk.Settings, codeRadio, false}},
	{"persist.sys.usb.", rule{risk.Settings, codeRadio, false}},
	{"ctl.", rule{risk.Device, codePower, false}},    // starts and stops the system's own services
	{"wrap.", rule{risk.Unknown, codeOpaque, false}}, // a program to run an app with
	{"debug.layout", rule{risk.None, codePreference, false}},
	{"debug.hwui.", rule{risk.None, codePreference, false}},
	{"log.tag.", rule{risk.None, codePreference, false}},
}

// setprop sets a system property. One that is not known may do anything.
func setprop(c *call) {
	for _, p := range properties {
		if c.arg(0) == p.name || strings.HasSuffix(p.name, ".") && strings.HasPrefix(c.arg(0), p.name) {
			c.is(p.rule.category, p.rule.code, c.verb, c.rest(0))
			return
		}
	}
	c.unknown(codeUnknownSetting, c.verb, c.rest(0))
}
