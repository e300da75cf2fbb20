package identity

import (
	"fmt"
	"strings"
)

// maxName is the length of the longest name.
const maxName = 64

// Ids begin with these, so that a name is never taken for an id.
const (
	agentID    = "agt_"
	approverID = "apr_"
)

// reserved are names that the record, a command or a card uses for something
// that is not a person or a program. They are compared without case and without
// - _ and dots.
var reserved = func() map[string]bool {
	words := strings.Fields(`
		policy countersign nobody agent agents approver approvers
		allow confirm deny allowed confirmed denied approved pending parked released releasing
		failed failure expired expiry timeout cancelled canceled void revoked nochannel conflict
		layer layers rule rules grant grants linked linkedapproval sticky stickydenial denial preset presets default
		model llm llmflagged flat keyword keywordguard context contextawareguard both none null nil unknown
		observe observer freeze frozen unattended setup automatic auto ticket tickets
		guard daemon system service gate api adb mcp webdriver inbox webhook push channel ledger store
		anonymous anyone everyone everybody all any somebody someone`)
	set := make(map[string]bool, len(words))
	for _, w := range words {
		set[w] = true
	}
	return set
}()

// CheckName says what is wrong with a name for an agent or an approver. Good are
// 1 to 64 ASCII letters, digits, hyphens, underscores and dots, beginning with a
// letter or digit, as long as the record cannot take the name for a mechanism, an
// id or a credential. The error wraps ErrBadName and says what is accepted.
func CheckName(name string) error {
	switch folded := foldName(name); {
	case name == "":
		return badName("it is empty")
	case len(name) > maxName:
		return badName("it is too long")
	case !isAlnum(name[0]) || strings.ContainsFunc(name, strange):
		return badName("")
	case reserved[bareName(folded)]:
		return fmt.Errorf("%w: %q is reserved, because the record uses it for something that is not a person or a program; choose another", ErrBadName, name)
	case hasAnyPrefix(folded, agentID, approverID):
		return fmt.Errorf("%w: %q looks like an id; choose a name that does not begin with %s or %s", ErrBadName, name, agentID, approverID)
	case hasAnyPrefix(folded, agentToken, approverToken, ticketSecret, cookieSecret):
		// The name may be a secret that was put in the wrong place, so it is not repeated.
		return fmt.Errorf("%w: it looks like a credential; choose a name that does not begin with %s or %s", ErrBadName, agentToken, approverToken)
	}
	return nil
}

func badName(what string) error {
	const accepted = "1 to 64 letters a to z, digits, - _ and dots are accepted, beginning with a letter or digit"
	if what == "" {
		return fmt.Errorf("%w: %s", ErrBadName, accepted)
	}
	return fmt.Errorf("%w: %s; %s", ErrBadName, what, accepted)
}

// foldName is the form in which names are compared.
func foldName(name string) string { return strings.ToLower(name) }

// bareName is a folded name without what only separates.
func bareName(folded string) string {
	return strings.NewReplacer("-", "", "_", "", ".", "").Replace(folded)
}

func isAlnum(b byte) bool {
	return 'a' <= b && b <= 'z' || 'A' <= b && b <= 'Z' || '0' <= b && b <= '9'
}

// strange reports a character that no name has.
func strange(r rune) bool {
	return r >= 0x80 || !isAlnum(byte(r)) && r != '-' && r != '_' && r != '.'
}

func hasAnyPrefix(s string, prefixes ...string) bool {
	for _, p := range prefixes {
		if strings.HasPrefix(s, p) {
			return true
		}
	}
	return false
}

// maxDevice is the length of the longest device id, maxDevices the number that
// one agent may name.
const (
	maxDevice  = 128
	maxDevices = 256
)

// checkDevices wants ids as adb and WebDriver give them: printable, no blanks.
func checkDevices(devices []string) error {
	if len(devices) > maxDevices {
		return fmt.Errorf("%w: %d ids, and one agent may have %d", ErrBadDevice, len(devices), maxDevices)
	}
	seen := make(map[string]bool, len(devices))
	for i, id := range devices {
		if id == "" || len(id) > maxDevice || strings.ContainsFunc(id, func(r rune) bool { return r <= ' ' || r > '~' }) {
			return fmt.Errorf("%w: number %d; 1 to %d printable ASCII characters without blanks are accepted, as \"adb devices\" prints them", ErrBadDevice, i+1, maxDevice)
		}
		if seen[id] {
			return fmt.Errorf("%w: %q is there twice", ErrBadDevice, id)
		}
		seen[id] = true
	}
	return nil
}
