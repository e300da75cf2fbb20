package risk

import "fmt"

// Category is the consequence of an action: what the tap itself would do.
// The zero value is Unknown.
type Category uint8

// The categories, in the order in which the stricter reading wins when two
// readings of one label are equally good (see Category.Weight).
const (
	Unknown       Category = iota // cannot be seen: no tree, opaque WebView, nothing under the finger
	None                          // navigates, opens, selects, scrolls, types, dismisses
	Money                         // pays, orders, buys, subscribes, transfers, trades, bids, tips
	Message                       // sends to a person or group
	Call                          // starts a call
	Publish                       // makes something visible to others
	Share                         // hands content to the chosen person or app, invites
	Delete                        // destroys, bins, clears, discards, overwrites
	Install                       // adds software
	Uninstall                     // removes software
	Permission                    // grants access, a role, a default, a pairing
	Account                       // creates, links, deletes an account; password, recovery; terms
	Credential                    // submits a typed secret, signs in
	SignOut                       // ends a session
	CancelService                 // cancels a subscription, order, booking
	BlockReport                   // blocks, reports, bans, mutes a person
	Submit                        // sends a form whose kind is not known
	Settings                      // changes a security-relevant setting
	Device                        // reset, wipe, reboot, power off, emergency call
	Disclose                      // hands private data to the agent
	Bypass                        // opens a way round the guard
	Other                         // an effect outside the screen that fits no row

	// Affirmative and Dismissal are answers of the lexicon on a bare label (OK,
	// Cancel); they take their category from what is around them and are never
	// the category of a decision.
	Affirmative
	Dismissal

	categoryCount = iota
)

var categoryNames = [categoryCount]string{
	Unknown: "unknown", None: "none", Money: "money", Message: "message", Call: "call",
	Publish: "publish", Share: "share", Delete: "delete", Install: "install",
	Uninstall: "uninstall", Permission: "permission", Account: "account",
	Credential: "credential", SignOut: "sign_out", CancelService: "cancel_service",
	BlockReport: "block_report", Submit: "submit", Settings: "settings", Device: "device",
	Disclose: "disclose", Bypass: "bypass", Other: "other",
	Affirmative: "affirmative", Dismissal: "dismissal",
}

// Categories returns every category a decision can have, in the order of their
// definition. Affirmative and Dismissal are not among them.
func Categories() []Category {
	all := make([]Category, 0, Affirmative)
	for c := Unknown; c < Affirmative; c++ {
		all = append(all, c)
	}
	return all
}

// String returns the wire name, such as "sign_out".
func (c Category) String() string {
	if int(c) < len(categoryNames) {
		return categoryNames[c]
	}
	return fmt.Sprintf("category(%d)", uint8(c))
}

// ParseCategory reads a wire name. It reports false for any other word.
func ParseCategory(name string) (Category, bool) {
	for c, n := range categoryNames {
		if n == name {
			return Category(c), true
		}
	}
	return Unknown, false
}

// MarshalText writes the wire name.
func (c Category) MarshalText() ([]byte, error) { return []byte(c.String()), nil }

// UnmarshalText reads a wire name; the error names the words that are accepted.
func (c *Category) UnmarshalText(text []byte) error {
	parsed, ok := ParseCategory(string(text))
	if !ok {
		return wordError("category", string(text), categoryNames[:])
	}
	*c = parsed
	return nil
}

// Risky reports whether the category is a consequence at all: everything but
// None, Affirmative and Dismissal. Unknown is risky.
func (c Category) Risky() bool {
	return c != None && c != Affirmative && c != Dismissal
}

// weights orders categories by how bad a mistake is; see Weight. What a harmless
// app may do unasked stands below what is asked about in every app.
var weights = [categoryCount]uint8{
	None: 0, Dismissal: 0, Affirmative: 1, Other: 10, Unknown: 11, Submit: 20, Share: 30,
	BlockReport: 31, SignOut: 32, Message: 40, Delete: 44, Settings: 45, Disclose: 46, Publish: 50,
	CancelService: 52, Credential: 54, Call: 56, Install: 58, Uninstall: 60,
	Permission: 64, Account: 70, Money: 80, Device: 90, Bypass: 100,
}

// Weight orders categories by how bad a mistake is, so that of two readings
// that are equally good the stricter can win. Only the order means anything.
func (c Category) Weight() int {
	if int(c) < len(weights) {
		return int(weights[c])
	}
	return 255
}
