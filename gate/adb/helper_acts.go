package adb

import (
	"encoding/json"
	"fmt"
	"strings"
)

// Acts are what the client of a helper does with it besides starting it: each is a
// few lines in one spelling, about the helper's own app, file or program. The owner
// lets them in with the helper, and is shown them. The zero value is none.
type Acts uint16

const (
	// ActRenew puts the helper's own file onto the phone again: the same bytes, first
	// under the name that the file has until it is whole.
	ActRenew Acts = 1 << iota
	// ActEnd ends the helper's own app or program.
	ActEnd
	// ActServices looks which services of the helper's own app run.
	ActServices
	// ActPlace lets the helper's own app say where the phone is, and takes that back.
	ActPlace
	// ActNote keeps a file of the helper's client on the phone, whose content is known.
	ActNote
	// ActHidden opens to all apps the interfaces that Android hides from them, and
	// closes them again. That is no way to the screen: they are hidden so that apps do
	// not break when they change, and every permission is still asked for
	// (https://developer.android.com/guide/app-compatibility/restrictions-non-sdk-interfaces).
	ActHidden
	// ActLog reads what all apps write into the phone's log. Set-up leaves it out
	// unless the owner asks for it.
	ActLog
)

// actNames are the acts by their name in files, in the order of their values, and
// what they are called to a person.
var actNames = []struct{ name, says string }{
	{"renew", "put its own file onto the phone again, unchanged"},
	{"end", "end its own app or program"},
	{"services", "look whether its own services run"},
	{"place", "let its own app say where the phone is, and take that back"},
	{"note", "keep a list of its own in a file"},
	{"hidden_interfaces", "open Android's hidden interfaces to all apps, and close them again"},
	{"log", "read the log of all apps"},
}

// each calls f for every act that is among them.
func (a Acts) each(f func(name, says string)) {
	for i, n := range actNames {
		if a&(1<<i) != 0 {
			f(n.name, n.says)
		}
	}
}

// String are their names, separated by commas; empty for none.
func (a Acts) String() string {
	var names []string
	a.each(func(name, _ string) { names = append(names, name) })
	return strings.Join(names, ",")
}

// Says words each for a person, to follow "may".
func (a Acts) Says() (says []string) {
	a.each(func(_, words string) { says = append(says, words) })
	return says
}

// MarshalJSON writes them as a list of names.
func (a Acts) MarshalJSON() ([]byte, error) {
	names := []string{}
	a.each(func(name, _ string) { names = append(names, name) })
	return json.Marshal(names)
}

// UnmarshalJSON reads a list of names. A name that is not known is an error.
func (a *Acts) UnmarshalJSON(data []byte) error {
	var names []string
	if err := json.Unmarshal(data, &names); err != nil {
		return fmt.Errorf("the acts of a helper are a list of names: %w", err)
	}
	*a = 0
	for _, name := range names {
		act := actNamed(name)
		if act == 0 {
			return fmt.Errorf("no act of a helper is called %q; there are: %s", name, (Acts(1)<<len(actNames) - 1).String())
		}
		*a |= act
	}
	return nil
}

// actNamed is the act of a name, 0 for none.
func actNamed(name string) Acts {
	for i, n := range actNames {
		if n.name == name {
			return 1 << i
		}
	}
	return 0
}
