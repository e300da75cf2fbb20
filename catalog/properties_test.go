package catalog

import (
	"strings"
	"testing"

	"github.com/countersign/countersign/risk"
	"pgregory.net/rapid"
)

// anyPackage draws ids of every sort: catalogued, near one, below one, words
// glued together, and plain rubbish.
func anyPackage(t *rapid.T) string {
	c := Default()
	known := c.apps.id(rapid.IntRange(0, c.apps.size()-1).Draw(t, "row"))
	switch rapid.IntRange(0, 6).Draw(t, "sort") {
	case 0:
		return known
	case 1:
		return known + "." + rapid.SampledFrom([]string{"beta", "debug", "fdroid", "foss", "chess", "pay"}).Draw(t, "suffix")
	case 2:
		return known + rapid.StringMatching(`[a-z]{1,6}`).Draw(t, "more")
	case 3:
		at := rapid.IntRange(0, len(known)-1).Draw(t, "at")
		return known[:at] + rapid.StringMatching(`[a-z.]?`).Draw(t, "edit") + known[at+1:]
	case 4:
		words := []string{"bank", "wallet", "game", "settings", "packageinstaller", "acme", "mail", "chess"}
		return "com." + strings.Join(rapid.SliceOfN(rapid.SampledFrom(words), 1, 3).Draw(t, "words"), rapid.SampledFrom([]string{".", "", "_"}).Draw(t, "glue"))
	case 5:
		return rapid.StringMatching(`[a-z]{2,3}(\.[a-z0-9_]{1,8}){1,3}`).Draw(t, "id")
	}
	return rapid.String().Draw(t, "rubbish")
}

func anyFacts(t *rapid.T, pkg string, observed bool) App {
	roles := []string{"android.app.role.SMS", "DIALER", "BROWSER", "HOME", "GALLERY", "CHESS", ""}
	permissions := []string{
		"android.permission.SEND_SMS", "android.permission.INTERNET", "android.permission.CALL_PHONE",
		"android.permission.INSTALL_PACKAGES", "android.permission.SYSTEM_ALERT_WINDOW", "x",
	}
	return App{
		Package: pkg, Observed: observed,
		Label:           rapid.SampledFrom([]string{"", "WhatsApp", "Chess", "Settings"}).Draw(t, "label"),
		Installer:       rapid.SampledFrom([]string{"", "com.android.vending", "org.fdroid.fdroid", "com.android.shell", "x"}).Draw(t, "installer"),
		Roles:           rapid.SliceOfN(rapid.SampledFrom(roles), 0, 2).Draw(t, "roles"),
		Permissions:     rapid.SliceOfN(rapid.SampledFrom(permissions), 0, 3).Draw(t, "permissions"),
		AndroidCategory: rapid.SampledFrom([]string{"", "game", "CATEGORY_NEWS", "0", "social", "accessibility", "9"}).Draw(t, "category"),
	}
}

func TestClaimedFactsNeverLower(t *testing.T) {
	c := Default()
	rapid.Check(t, func(t *rapid.T) {
		app := anyFacts(t, anyPackage(t), false)
		with, without := c.Tier(app), c.Tier(App{Package: app.Package})
		if with.Tier > without.Tier {
			t.Fatalf("%+v: %v with the claimed facts, %v without", app, with.Tier, without.Tier)
		}
	})
}

func TestLowNeedsAnEntryOrAnObservedFact(t *testing.T) {
	c := Default()
	rapid.Check(t, func(t *rapid.T) {
		app := anyFacts(t, anyPackage(t), rapid.Bool().Draw(t, "observed"))
		v := c.Tier(app)
		if v.Tier != risk.Low {
			return
		}
		_, known := c.Lookup(app.Package)
		if v.Why == WhyCatalogue && known || v.Why == WhyDevice && app.Observed && !known {
			return
		}
		t.Fatalf("%+v is LOW: %+v", app, v)
	})
}

func TestNearnessAndNamesOnlyRaise(t *testing.T) {
	c := Default()
	deaf := &Catalog{apps: c.apps} // no look-alikes
	rapid.Check(t, func(t *rapid.T) {
		app := anyFacts(t, anyPackage(t), rapid.Bool().Draw(t, "observed"))
		if with, without := c.Tier(app), deaf.Tier(app); with.Tier > without.Tier {
			t.Fatalf("%+v: %v with look-alikes, %v without", app, with.Tier, without.Tier)
		}
		for i := range voices {
			v, spoke := voices[i].speak(c, app)
			switch voices[i].why {
			case WhySystemSurface, WhyLookalike, WhyNamePattern:
				if spoke && v.Tier != risk.High {
					t.Fatalf("%+v: %v says %v", app, voices[i].why, v.Tier)
				}
			}
		}
	})
}

func TestAnExactOverrideWins(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		app := anyFacts(t, anyPackage(t), rapid.Bool().Draw(t, "observed"))
		tier := rapid.SampledFrom([]risk.Tier{risk.High, risk.Medium, risk.Low}).Draw(t, "tier")
		o, err := MakeOverrides(map[string]risk.Tier{app.Package: tier})
		if (err != nil) != (packageDefect(app.Package) != "") {
			t.Fatalf("%q: %v", app.Package, err)
		}
		if err != nil {
			return
		}
		if v := Default().WithOverrides(o).Tier(app); v.Tier != tier || v.Why != WhyOverride {
			t.Fatalf("%+v overridden to %v: %+v", app, tier, v)
		}
	})
}

func TestAPatternNeverLowersTheSystem(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		app := anyFacts(t, anyPackage(t), rapid.Bool().Draw(t, "observed"))
		at := strings.LastIndexByte(app.Package, '.')
		if at < 0 {
			return
		}
		o, err := MakeOverrides(map[string]risk.Tier{app.Package[:at] + ".*": risk.Low})
		if err != nil {
			return
		}
		before, after := Default().Tier(app), Default().WithOverrides(o).Tier(app)
		if before.Surface.System() && before.Why != WhyDevice && after.Tier != risk.High {
			t.Fatalf("%+v was %+v and is %+v", app, before, after)
		}
	})
}

func TestStricterIsStricter(t *testing.T) {
	c := Default()
	rapid.Check(t, func(t *rapid.T) {
		claimed := c.Tier(anyFacts(t, anyPackage(t), false))
		observed := c.Tier(anyFacts(t, anyPackage(t), true))
		got := Stricter(claimed, observed)
		if got.Tier != claimed.Tier.Stricter(observed.Tier) || got != claimed && got != observed {
			t.Fatalf("of %+v and %+v: %+v", claimed, observed, got)
		}
	})
}
