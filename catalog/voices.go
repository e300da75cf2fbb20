package catalog

import (
	"strings"

	"github.com/countersign/countersign/risk"
)

// voice is one source of an opinion about an app. It is silent when it does
// not know.
type voice struct {
	why   Why
	speak func(*Catalog, App) (Verdict, bool)
}

// voices are in the order of precedence.
var voices = [...]voice{
	{WhyOverride, (*Catalog).overrideVoice},
	{WhyCatalogue, (*Catalog).catalogueVoice},
	{WhySystemSurface, systemSurfaceVoice},
	{WhyLookalike, (*Catalog).lookalikeVoice},
	{WhyDevice, (*Catalog).deviceVoice},
	{WhyNamePattern, namePatternVoice},
}

// Tier says what the app is. It never fails: what cannot be known is MEDIUM or
// stricter. For a catalogued package it does not allocate.
func (c *Catalog) Tier(app App) Verdict {
	for i := range voices {
		if v, ok := voices[i].speak(c, app); ok {
			v.Claimed = !app.Observed
			return v
		}
	}
	return Verdict{Tier: risk.Medium, Claimed: !app.Observed, detail: packageDefect(app.Package)}
}

// Explanation lists what every voice has to say about an app.
type Explanation struct {
	Verdict Verdict
	// Steps are in the order of precedence, the default last.
	Steps []Step
}

// Step is one voice's say.
type Step struct {
	Why Why
	// Spoke is false for a voice that knows nothing of the app; Tier then means nothing.
	Spoke bool
	Tier  risk.Tier
	// Said is what the voice says, in the form of [Verdict.Reason], or why it is silent.
	Said string
	// Decides marks the one voice that had the last word.
	Decides bool
}

var silences = [...]string{
	WhyOverride:      "the user set no tier for this package",
	WhyCatalogue:     "not in the catalogue",
	WhySystemSurface: "not named like a part of the system",
	WhyLookalike:     "not like the id or name of a HIGH app",
	WhyDevice:        "the device says nothing that changes the tier",
	WhyNamePattern:   "no telling word in the package id",
}

// Explain says what each voice would say about the app, and which one decides.
// Its Verdict is that of [Catalog.Tier].
func (c *Catalog) Explain(app App) Explanation {
	e := Explanation{Verdict: c.Tier(app), Steps: make([]Step, 0, len(voices)+1)}
	for i := range voices {
		step := Step{Why: voices[i].why, Said: silences[voices[i].why]}
		if v, ok := voices[i].speak(c, app); ok {
			step.Spoke, step.Tier, step.Said = true, v.Tier, v.Reason()
			if v.Why != step.Why {
				step.Tier, step.Said = risk.Medium, "filed under nothing narrow, so the device is believed"
			}
		}
		step.Decides = step.Spoke && step.Why == e.Verdict.Why
		e.Steps = append(e.Steps, step)
	}
	last := Verdict{Tier: risk.Medium, detail: packageDefect(app.Package)}
	e.Steps = append(e.Steps, Step{
		Why: WhyDefault, Spoke: true, Tier: last.Tier, Said: last.Reason(),
		Decides: e.Verdict.Why == WhyDefault,
	})
	return e
}

// overrideVoice is the user's own word. A wildcard does not reach the system's
// own surfaces: whoever wants settings LOW has to name the package.
func (c *Catalog) overrideVoice(app App) (Verdict, bool) {
	tier, exact, ok := c.overrides.find(app.Package)
	if !ok {
		return Verdict{}, false
	}
	known, found := c.catalogueVoice(app)
	if !exact && tier != risk.High {
		if !found {
			known, found = systemSurfaceVoice(c, app)
		}
		if found && known.Surface.System() {
			return Verdict{}, false
		}
	}
	if !found {
		known = Verdict{}
	}
	return Overridden(known, tier), true
}

// catalogueVoice is the table: the exact package, a build of a known package,
// or a package below a HIGH one.
func (c *Catalog) catalogueVoice(app App) (Verdict, bool) {
	if row, ok := c.apps.find(app.Package); ok {
		v := c.apps.verdict(row)
		if c.apps.class(row).vague {
			// The table knows the name but files the app under nothing narrow, so
			// the phone's word counts where it is stricter.
			if d, ok := c.deviceVoice(app); ok && d.Tier.Stricter(v.Tier) != v.Tier {
				d.Name = v.Name
				return d, true
			}
		}
		return v, true
	}
	if packageDefect(app.Package) != "" {
		return Verdict{}, false
	}
	if row, ok := c.buildOf(app.Package); ok {
		v := c.apps.verdict(row)
		v.Tier = v.Tier.Stricter(risk.Medium)
		v.Base = c.apps.id(row)
		return v, true
	}
	if row, ok := c.highAncestor(app.Package); ok {
		v := c.apps.verdict(row)
		v.Name, v.Base = "", c.apps.id(row)
		return v, true
	}
	return Verdict{}, false
}

// buildSuffixes are last segments that name a build, edition or shop of the
// same app, which inherits the app's tier, though never LOW.
var buildSuffixes = map[string]bool{
	"alpha": true, "beta": true, "canary": true, "daily": true, "debug": true, "dev": true,
	"devel": true, "internal": true, "legacy": true, "nightly": true, "preview": true,
	"rc": true, "release": true, "snapshot": true, "staging": true, "test": true,
	"fdroid": true, "floss": true, "foss": true, "free": true, "github": true, "libre": true,
	"nogoogle": true, "oss": true, "open": true, "ose": true, "web": true,
	"amazon": true, "huawei": true, "samsung": true, "xiaomi": true, "gplay": true,
	"play": true, "playstore": true, "google": true,
	"go": true, "lite": true, "plus": true, "premium": true, "pro": true,
}

// buildOf finds the known package that pkg is a build of: pkg without up to two
// build suffixes ("org.example.app.foss.debug").
func (c *Catalog) buildOf(pkg string) (row int, ok bool) {
	for range 2 {
		dot := strings.LastIndexByte(pkg, '.')
		if dot < 0 || !buildSuffixes[pkg[dot+1:]] {
			return 0, false
		}
		pkg = pkg[:dot]
		if row, ok := c.apps.find(pkg); ok {
			return row, true
		}
	}
	return 0, false
}

// highAncestor finds the nearest HIGH package that pkg stands below at a dot. A
// lower package says nothing of what stands below it: the same vendor's next
// app may be anything.
func (c *Catalog) highAncestor(pkg string) (row int, ok bool) {
	for dot := strings.LastIndexByte(pkg, '.'); dot > 0; dot = strings.LastIndexByte(pkg, '.') {
		pkg = pkg[:dot]
		if row, ok := c.apps.find(pkg); ok && c.apps.class(row).tier == risk.High {
			return row, true
		}
	}
	return 0, false
}
