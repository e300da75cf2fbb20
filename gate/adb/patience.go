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
//
// Who has the adb program ask, a person or a library that ends it after a while
// (appium-adb: 20 seconds), no service tells. Such a one shows it by giving up, and
// the gate keeps that in mind for the next time it asks for the same.
func UsualPatience(service string) time.Duration {
	s := parseService(service)
	if s.kind == kindStream || s.kind == kindShell && s.v2 && !strings.Contains(strings.TrimSuffix(service, s.line), "TERM=") {
		return budget
	}
	return 0
}

// What is remembered of clients that gave up: so many, and none that went before a
// person could have answered.
const (
	maxGivenUp   = 64
	leastGivenUp = 5 * time.Second
)

// gaveUp notes that the client has hung up while it was waiting. The next one that
// asks for the same is told "not answered yet" before its patience ends too, so that
// its question stays open and an answer that comes later is not lost.
func (s *serving) gaveUp() {
	waited := s.gate.options.Now().Sub(s.asked)
	if s.asked.IsZero() || waited < leastGivenUp {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.givenUp == nil || len(s.givenUp) >= maxGivenUp {
		s.givenUp = map[string]time.Duration{}
	}
	s.givenUp[s.raw] = waited
}

// waits is how long the client waits, as far as its service and those before it
// tell, less a margin; 0 is for ever.
func (s *serving) waits() time.Duration {
	usual := s.gate.options.Patience(s.raw)
	s.mu.Lock()
	defer s.mu.Unlock()
	shown := s.givenUp[s.raw] / 4 * 3
	if usual == 0 || shown > 0 && shown < usual {
		return max(shown, 0)
	}
	return usual
}
