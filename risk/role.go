package risk

import "fmt"

// Role is what kind of control a target is. It decides how a risky word on it
// is read: on a button a verb is an action, in the middle of a row it is content.
// The zero value is View, a node of no recognised kind.
type Role uint8

// The roles.
const (
	View Role = iota
	Button
	IconButton
	MenuItem
	Tab
	Row
	TextField
	Switch
	Checkbox
	DialogButton
	Key
	Slider
	Link
	roleCount = iota
)

var roleNames = [roleCount]string{
	View: "view", Button: "button", IconButton: "icon_button", MenuItem: "menu_item", Tab: "tab",
	Row: "row", TextField: "text_field", Switch: "switch", Checkbox: "checkbox",
	DialogButton: "dialog_button", Key: "key", Slider: "slider", Link: "link",
}

// String returns the wire name, such as "icon_button".
func (r Role) String() string {
	if int(r) < len(roleNames) {
		return roleNames[r]
	}
	return fmt.Sprintf("role(%d)", uint8(r))
}

// ParseRole reads a wire name. It reports false for any other word.
func ParseRole(name string) (Role, bool) {
	for r, n := range roleNames {
		if n == name {
			return Role(r), true
		}
	}
	return View, false
}

// MarshalText writes the wire name.
func (r Role) MarshalText() ([]byte, error) { return []byte(r.String()), nil }

// UnmarshalText reads a wire name; the empty string is View.
func (r *Role) UnmarshalText(text []byte) error {
	if len(text) == 0 {
		*r = View
		return nil
	}
	parsed, ok := ParseRole(string(text))
	if !ok {
		return wordError("role", string(text), roleNames[:])
	}
	*r = parsed
	return nil
}
