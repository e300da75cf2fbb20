package catalog

import (
	"testing"

	"github.com/countersign/countersign/risk"
)

const unknown = "com.acme.unheardof"

// deviceCase says what facts make of an unknown app when they are claimed and
// when they are observed.
type deviceCase struct {
	name              string
	app               App
	claimed, observed risk.Tier
	why               Why // when observed
	surface           Surface
}

var deviceCases = []deviceCase{
	{"nothing", App{}, risk.Medium, risk.Medium, WhyDefault, NoSurface},
	{"SMS role", App{Roles: []string{"android.app.role.SMS"}}, risk.High, risk.High, WhyDevice, SMS},
	{"dialer role, short", App{Roles: []string{"dialer"}}, risk.High, risk.High, WhyDevice, Dialer},
	{"browser role", App{Roles: []string{"android.app.role.BROWSER"}}, risk.Medium, risk.Medium, WhyDevice, Browser},
	{"home role", App{Roles: []string{"HOME"}}, risk.Medium, risk.Medium, WhyDevice, Launcher},
	{"unknown role", App{Roles: []string{"android.app.role.CHESS", ""}}, risk.Medium, risk.Medium, WhyDefault, NoSurface},
	{"sends SMS", App{Permissions: []string{"android.permission.INTERNET", "android.permission.SEND_SMS"}}, risk.High, risk.High, WhyDevice, NoSurface},
	{"calls", App{Permissions: []string{"android.permission.MANAGE_OWN_CALLS"}}, risk.High, risk.High, WhyDevice, NoSurface},
	{"grants permissions", App{Permissions: []string{"android.permission.GRANT_RUNTIME_PERMISSIONS"}}, risk.High, risk.High, WhyDevice, PermissionController},
	{"phone number of a pizzeria", App{Permissions: []string{"android.permission.CALL_PHONE"}}, risk.Medium, risk.Medium, WhyDefault, NoSurface},
	{"game from a store", App{AndroidCategory: "game", Installer: "com.android.vending"}, risk.Medium, risk.Low, WhyDevice, NoSurface},
	{"game from a store, constant", App{AndroidCategory: "CATEGORY_GAME", Installer: "org.fdroid.fdroid"}, risk.Medium, risk.Low, WhyDevice, NoSurface},
	{"game from a store, number", App{AndroidCategory: "0", Installer: "com.sec.android.app.samsungapps"}, risk.Medium, risk.Low, WhyDevice, NoSurface},
	{"maps from a store", App{AndroidCategory: "maps", Installer: "com.android.vending"}, risk.Medium, risk.Low, WhyDevice, NoSurface},
	{"game from a file", App{AndroidCategory: "game", Installer: "com.google.android.packageinstaller"}, risk.Medium, risk.Medium, WhyDefault, NoSurface},
	{"game from adb", App{AndroidCategory: "game", Installer: "com.android.shell"}, risk.Medium, risk.Medium, WhyDefault, NoSurface},
	{"game from nowhere", App{AndroidCategory: "game"}, risk.Medium, risk.Medium, WhyDefault, NoSurface},
	{"game from a made-up store", App{AndroidCategory: "game", Installer: "com.acme.appstore"}, risk.Medium, risk.Medium, WhyDefault, NoSurface},
	{"game that installs", App{AndroidCategory: "game", Installer: "com.android.vending", Permissions: []string{"android.permission.REQUEST_INSTALL_PACKAGES"}}, risk.Medium, risk.Medium, WhyDefault, NoSurface},
	{"game that sends SMS", App{AndroidCategory: "game", Installer: "com.android.vending", Permissions: []string{"android.permission.SEND_SMS"}}, risk.High, risk.High, WhyDevice, NoSurface},
	{"social from a store", App{AndroidCategory: "social", Installer: "com.android.vending"}, risk.Medium, risk.Medium, WhyDefault, NoSurface},
	{"productivity from a store", App{AndroidCategory: "7", Installer: "com.android.vending"}, risk.Medium, risk.Medium, WhyDefault, NoSurface},
	{"category nobody knows", App{AndroidCategory: "category_", Installer: "com.android.vending"}, risk.Medium, risk.Medium, WhyDefault, NoSurface},
	{"game whose id says bank", App{Package: "com.acme.bloodbank", AndroidCategory: "game", Installer: "com.android.vending"}, risk.High, risk.Low, WhyDevice, NoSurface},
	{"game that passes for a messenger", App{Package: "com.whatsappclone", AndroidCategory: "game", Installer: "com.android.vending"}, risk.High, risk.High, WhyLookalike, NoSurface},
	{"game that is called settings", App{Package: "com.acme.settings", AndroidCategory: "game", Installer: "com.android.vending"}, risk.High, risk.High, WhySystemSurface, Settings},
	{"catalogued player with the SMS role", App{Package: "com.spotify.music", Roles: []string{"SMS"}}, risk.Low, risk.Low, WhyCatalogue, NoSurface},
	{"catalogued browser, said to be a game", App{Package: "com.android.chrome", AndroidCategory: "game", Installer: "com.android.vending"}, risk.Medium, risk.Medium, WhyCatalogue, Browser},
	{"malformed game", App{Package: "com.acme game", AndroidCategory: "game", Installer: "com.android.vending"}, risk.Medium, risk.Medium, WhyDefault, NoSurface},
	{"no package, SMS role", App{Package: "", Roles: []string{"SMS"}}, risk.High, risk.High, WhyDevice, SMS},
}

func TestDeviceFacts(t *testing.T) {
	c, ran := Default(), 0
	for _, d := range deviceCases {
		ran++
		if d.app.Package == "" && d.name != "no package, SMS role" {
			d.app.Package = unknown
		}
		if v := c.Tier(d.app); v.Tier != d.claimed {
			t.Errorf("%s: claimed: %v by %v, want %v", d.name, v.Tier, v.Why, d.claimed)
		}
		d.app.Observed = true
		v := c.Tier(d.app)
		if v.Tier != d.observed || v.Why != d.why || v.Surface != d.surface || v.Claimed {
			t.Errorf("%s: observed: %+v, want %v by %v, %v", d.name, v, d.observed, d.why, d.surface)
		}
	}
	if ran != 30 {
		t.Errorf("%d cases ran", ran)
	}
}

// TestVagueEntriesYieldToTheDevice: the table knows the app's name but not what
// it is for, so a stricter word from the phone counts.
func TestVagueEntriesYieldToTheDevice(t *testing.T) {
	c, ran := Default(), 0
	for row := range c.apps.size() {
		e := c.apps.entry(row)
		if !e.Vague {
			continue
		}
		ran++
		v := c.Tier(App{Package: e.Package, Roles: []string{"SMS"}})
		if v.Tier != risk.High || v.Why != WhyDevice || v.Name != e.Name {
			t.Errorf("%s with the SMS role: %+v", e.Package, v)
		}
		game := App{Package: e.Package, Observed: true, AndroidCategory: "game", Installer: "com.android.vending"}
		if v := c.Tier(game); v.Tier != risk.Medium || v.Why != WhyCatalogue {
			t.Errorf("%s as a game: %+v", e.Package, v)
		}
	}
	if ran != 1483 {
		t.Errorf("%d vague entries", ran)
	}
}
