package phone

// The namespaces of settings.
const (
	System = "system"
	Secure = "secure"
	Global = "global"
)

// SetSetting writes a setting, as "settings put" does. What the phone takes
// from settings takes hold at once: default_input_method, user_rotation,
// enabled_accessibility_services, enabled_notification_listeners.
func (p *Phone) SetSetting(namespace, key, value string) {}

// DeleteSetting removes a setting and reports whether it was there.
func (p *Phone) DeleteSetting(namespace, key string) bool { return false }

// Setting reads a setting; false when it is not set.
func (p *Phone) Setting(namespace, key string) (string, bool) { return "", false }

// Settings is a copy of a namespace.
func (p *Phone) Settings(namespace string) map[string]string { return nil }

// IME is an input method.
type IME struct {
	ID      string // package/.Class
	Enabled bool
	Current bool
}

// IMEs are the input methods that are installed.
func (p *Phone) IMEs() []IME { return nil }

// EnableIME allows an input method to be chosen, or no longer. It reports
// whether there is such a one.
func (p *Phone) EnableIME(id string, enabled bool) bool { return false }

// SetIME makes an input method the current one. It reports false when there is
// no such one or it is not enabled.
func (p *Phone) SetIME(id string) bool { return false }
