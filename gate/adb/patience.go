package adb

import (
	"strings"
	"time"
)

// budget is less than what clients with one allow: uiautomator2's ten seconds are
// nominal and last longer, appium-adb waits 20, others a minute.
const budget = 15 * time.Second

// UsualPatience is how long the client of a service waits before it gives up, less
// a margin: 15 seconds for a call to a server on the phone and for a library's
// shell, 0, for ever, where the adb program or one that waits like it asks. A shell
// is the adb program's where it says what terminal there is, or is of version 1.
func UsualPatience(service string) time.Duration {
	s := parseService(service)
	if s.kind == kindStream || s.kind == kindShell && s.v2 && !strings.Contains(strings.TrimSuffix(service, s.line), "TERM=") {
		return budget
	}
	return 0
}
