package phone

import "errors"

// DumpOptions are those of "uiautomator dump".
type DumpOptions struct {
	// Compressed leaves out the nodes that mean nothing by themselves.
	Compressed bool
	// Windows writes all windows of all displays (--windows), rather than the
	// one that has the focus.
	Windows bool
}

// Why there is no dump. The shell prints the messages as the phone does; it
// knows which of them end with exit 0.
var (
	// ErrNotIdle is what uiautomator says when the screen never rests.
	ErrNotIdle = errors.New("ERROR: could not get idle state.")
	// ErrNullRoot is what it says when nothing has the focus, and exits with 0.
	ErrNullRoot = errors.New("ERROR: null root node returned by UiTestAutomationBridge.")
)

// Dump is the screen as uiautomator writes it.
func (p *Phone) Dump(o DumpOptions) ([]byte, error) { return nil, ErrNullRoot }
