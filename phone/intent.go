package phone

import "errors"

// Intent is what "am start" and "am broadcast" take.
type Intent struct {
	Action     string
	Data       string // a URI
	Type       string
	Package    string
	Component  string // package/.Class
	Categories []string
	Flags      int
	Extras     map[string]string // values of any type, as text
}

// What goes wrong with packages and intents; errors say which.
var (
	// ErrNoActivity is that no app takes the intent.
	ErrNoActivity = errors.New("no activity takes the intent")
	// ErrNoPackage is that no such app is installed.
	ErrNoPackage = errors.New("not installed")
	// ErrSystemPackage is that the app belongs to the system and cannot go.
	ErrSystemPackage = errors.New("is part of the system")
	// ErrNoPermission is that the app did not ask for such a permission.
	ErrNoPermission = errors.New("has not requested the permission")
	// ErrDisabled is that the app is switched off.
	ErrDisabled = errors.New("is disabled")
)

// Start starts an activity.
func (p *Phone) Start(i Intent) error { return nil }

// Broadcast sends an intent to who listens. The keyboards for automation listen
// while they are the current one: ADB_INPUT_TEXT (extra msg), ADB_INPUT_B64
// (msg in Base64), ADB_INPUT_CODE and ADB_EDITOR_CODE (code), ADB_CLEAR_TEXT,
// ADB_KEYBOARD_INPUT_TEXT (text in Base64) and their like. Delivered is how
// many took it.
func (p *Phone) Broadcast(i Intent) (delivered int) { return 0 }
