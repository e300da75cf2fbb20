package adb

import (
	"strings"
	"time"
)

// UsualPatience is how long the usual clients wait for a service before they give
// up, less a margin: 15 seconds where a library with a budget asks (shells without
// a terminal type, as only the adb program sends one, and streams), else for ever.
func UsualPatience(service string) time.Duration {
	if strings.HasPrefix(service, "shell,") && strings.Contains(service, "TERM=") {
		return 0
	}
	return 15 * time.Second
}
