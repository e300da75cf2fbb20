package catalog

import (
	"fmt"

	"github.com/countersign/countersign/risk"
)

// App is what is known of an app. Only Package is usually there; the other
// facts help where the catalogue does not know the package.
type App struct {
	Package string
	// Observed says that we read all of these facts ourselves. Otherwise they are
	// claimed by the agent, and may raise a tier but never lower it.
	Observed bool
	// Label is the name that the launcher or the window shows.
	Label string
	// Installer is the package that installed the app.
	Installer string
	// Roles are the roles that the app holds, such as "android.app.role.SMS" or "SMS".
	Roles []string
	// Permissions are the permissions that the app declares, such as
	// "android.permission.SEND_SMS".
	Permissions []string
	// AndroidCategory is the app's category as Android knows it: a name such as
	// "game" or "CATEGORY_GAME", or its number.
	AndroidCategory string
}

// Why names the voice that decided a tier.
type Why uint8

// The voices, see the package comment. The zero value is WhyDefault: nobody spoke.
const (
	WhyDefault Why = iota
	WhyOverride
	WhyCatalogue
	WhySystemSurface
	WhyLookalike
	WhyDevice
	WhyNamePattern
)

var whyNames = [...]string{
	WhyDefault: "default", WhyOverride: "override", WhyCatalogue: "catalogue",
	WhySystemSurface: "system_surface", WhyLookalike: "lookalike",
	WhyDevice: "device", WhyNamePattern: "name_pattern",
}

// String returns the wire name, such as "system_surface".
func (w Why) String() string {
	if int(w) < len(whyNames) {
		return whyNames[w]
	}
	return fmt.Sprintf("why(%d)", uint8(w))
}

// MarshalText writes the wire name.
func (w Why) MarshalText() ([]byte, error) { return []byte(w.String()), nil }

// Verdict is what the catalogue says of an app. It is a plain value; the zero
// Verdict is HIGH.
type Verdict struct {
	Tier risk.Tier
	// Why is the voice that decided.
	Why Why
	// Name is the app's own name, or empty. A look-alike has none: it must not be
	// shown under the name it borrows.
	Name string
	// Kind is what the app is for, such as "messaging" or "banking", or empty.
	Kind string
	// Base is the catalogued package that this one is a build of or stands below,
	// where the verdict is inherited.
	Base string
	// LookalikeOf is the HIGH package that this one could be mistaken for.
	LookalikeOf string
	Surface     Surface
	// Claimed says that the app's facts, its package included, are the agent's word.
	Claimed bool

	// detail is the fact, word or defect that decided: always a constant or a part
	// of the table, so that keeping it costs nothing.
	detail string
}

// Reason says in a few words what decided, such as "catalogue: messaging",
// "user override" or "unknown package: MEDIUM".
func (v Verdict) Reason() string {
	switch v.Why {
	case WhyOverride:
		return "user override"
	case WhyCatalogue:
		if v.Base != "" {
			return "catalogue: " + v.Kind + ", as " + v.Base
		}
		return "catalogue: " + v.Kind
	case WhySystemSurface:
		return "system surface: " + v.Kind
	case WhyLookalike:
		return "look-alike of " + v.LookalikeOf
	case WhyDevice:
		return "device: " + v.detail
	case WhyNamePattern:
		return fmt.Sprintf("name pattern: %q in the package id", v.detail)
	}
	if v.detail == "" {
		return "unknown package: " + v.Tier.String()
	}
	return v.detail + ": " + v.Tier.String()
}

// Stricter merges what is said of the app that the agent claims with what is
// said of the app that was observed: the stricter tier counts, and the observed
// one where both are equally strict.
func Stricter(claimed, observed Verdict) Verdict {
	if claimed.Tier.Stricter(observed.Tier) != observed.Tier {
		return claimed
	}
	return observed
}

// Overridden returns v with a tier that the user set, wherever it is written
// down. What the app is for stays.
func Overridden(v Verdict, tier risk.Tier) Verdict {
	v.Tier, v.Why, v.detail = tier, WhyOverride, ""
	return v
}
