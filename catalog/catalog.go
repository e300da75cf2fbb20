// Package catalog knows what an app is: how much it can hurt its owner, what it
// is for, and which part of the system it stands for.
package catalog

import "github.com/countersign/countersign/risk"

// Catalog answers what an app is.
type Catalog struct{}

// Default returns the catalogue with the embedded table.
func Default() *Catalog { return &Catalog{} }

// App is what is known of an app.
type App struct {
	Package string
	// Observed says that these facts are ours; else they are claimed.
	Observed           bool
	Label              string
	Installer          string
	Roles, Permissions []string
	AndroidCategory    string
}

// Entry is a row of the catalogue.
type Entry struct {
	Package, Name, Kind string
	Tier                risk.Tier
	Surface             Surface
}

// Why names the voice that decided a tier.
type Why uint8

// The voices.
const (
	WhyDefault Why = iota
	WhyOverride
	WhyCatalogue
	WhySystemSurface
	WhyLookalike
	WhyDevice
	WhyNamePattern
)

// Surface is the part of the system that a package stands for.
type Surface uint8

// The surfaces.
const (
	NoSurface Surface = iota
	PermissionController
	PackageInstaller
	Settings
	SystemUI
	Consent
	Dialer
	SMS
	Store
	Launcher
	Keyboard
	Browser
	Terminal
	RootManager
	RemoteControl
	DeviceAdmin
)

// Verdict is what the catalogue says of an app.
type Verdict struct {
	Tier        risk.Tier
	Why         Why
	Name        string
	Kind        string
	LookalikeOf string
	Surface     Surface
	Claimed     bool
}

// Reason renders the verdict.
func (v Verdict) Reason() string { return "" }

// Stricter merges what is said of a claimed and an observed app.
func Stricter(claimed, observed Verdict) Verdict { return observed }

// Overrides are the user's own tiers.
type Overrides struct{}

// Tier says what the app is.
func (c *Catalog) Tier(app App) Verdict {
	return Verdict{Tier: risk.Medium, Claimed: !app.Observed}
}

// WithOverrides returns a copy that asks o first.
func (c *Catalog) WithOverrides(o Overrides) *Catalog { return c }

// Lookup finds the entry of exactly this package.
func (c *Catalog) Lookup(pkg string) (Entry, bool) { return Entry{}, false }

// Explanation lists what each voice said.
type Explanation struct {
	Verdict Verdict
	Steps   []Step
}

// Step is one voice.
type Step struct {
	Why   Why
	Spoke bool
	Tier  risk.Tier
	Said  string
	// Decides is true for the one that had the last word.
	Decides bool
}

// Explain says what each voice would say, in the order of precedence.
func (c *Catalog) Explain(app App) Explanation { return Explanation{Verdict: c.Tier(app)} }
