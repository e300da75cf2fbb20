package catalog

import (
	"slices"
	"strings"
	"testing"

	"github.com/countersign/countersign/risk"
)

func TestTheTableIsWhole(t *testing.T) {
	c := Default()
	asOf, packages := c.About()
	if asOf != "2026-11-30" || packages != 10169 {
		t.Errorf("About() = %q, %d packages", asOf, packages)
	}
	var tiers [3]int
	vague, kinds := 0, map[string]int{}
	for row := range c.apps.size() {
		e := c.apps.entry(row)
		if again, ok := c.Lookup(e.Package); !ok || again != e {
			t.Errorf("Lookup(%q) = %+v, %v", e.Package, again, ok)
		}
		tiers[e.Tier]++
		kinds[e.Kind]++
		if e.Vague {
			vague++
			if e.Tier != risk.Medium {
				t.Errorf("%s is vague and %v", e.Package, e.Tier)
			}
		}
		if e.Surface.System() && e.Tier != risk.High {
			t.Errorf("%s is a %v and only %v", e.Package, e.Surface, e.Tier)
		}
	}
	if want := [3]int{2105, 3398, 4666}; tiers != want {
		t.Errorf("HIGH, MEDIUM, LOW are %v, want %v", tiers, want)
	}
	if vague != 1483 || len(kinds) < 60 || len(kinds) > 100 {
		t.Errorf("%d vague rows, %d kinds", vague, len(kinds))
	}
	if len(packedApps) > 250_000 {
		t.Errorf("the table takes %d bytes of the binary", len(packedApps))
	}
}

func TestLookupIsExactAndCaseSensitive(t *testing.T) {
	c := Default()
	for _, pkg := range []string{"", "com", "com.WhatsApp", "com.whatsapp.", "com.whatsapp.x", " com.whatsapp", strings.Repeat("a.", 300)} {
		if e, ok := c.Lookup(pkg); ok {
			t.Errorf("Lookup(%q) found %+v", pkg, e)
		}
	}
	if _, ok := c.Lookup("com.VCB"); !ok {
		t.Error("com.VCB is a bank and not known")
	}
	if v := c.Tier(App{Package: "com.vcb"}); v.Why != WhyLookalike || v.LookalikeOf != "com.VCB" {
		t.Errorf("com.vcb is another id: %+v", v)
	}
}

// wanted is a case of TestTier: what an unobserved app with only a package is.
type wanted struct {
	pkg     string
	tier    risk.Tier
	why     Why
	kind    string
	surface Surface
	reason  string
}

var pitfalls = []wanted{
	// prefixes that are not at a dot, or are at a dot and another app
	{"com.google.android.gm", risk.High, WhyCatalogue, "email", NoSurface, "catalogue: email"},
	{"com.google.android.gms", risk.High, WhyCatalogue, "system consent", Consent, "catalogue: system consent"},
	{"com.google.android.gmx", risk.High, WhyLookalike, "email", NoSurface, ""},
	{"com.whatsapp", risk.High, WhyCatalogue, "messaging", NoSurface, "catalogue: messaging"},
	{"com.whatsapp.w4b", risk.High, WhyCatalogue, "messaging", NoSurface, "catalogue: messaging"},
	{"com.whatsappclone", risk.High, WhyLookalike, "messaging", NoSurface, "look-alike of com.whatsapp"},
	{"com.whatsappclone.chess", risk.High, WhyLookalike, "messaging", NoSurface, "look-alike of com.whatsapp"},
	{"com.facebook.lite", risk.Medium, WhyCatalogue, "social network", NoSurface, "catalogue: social network"},
	{"com.facebook.mlite", risk.High, WhyCatalogue, "messaging", NoSurface, "catalogue: messaging"},
	{"com.td", risk.High, WhyCatalogue, "banking", NoSurface, "catalogue: banking"},
	{"com.tdx", risk.Medium, WhyDefault, "", NoSurface, "unknown package: MEDIUM"},
	{"com.td.flights", risk.High, WhyCatalogue, "banking", NoSurface, "catalogue: banking, as com.td"},
	{"org.telegram.messenger", risk.High, WhyCatalogue, "messaging", NoSurface, ""},
	{"org.telegram.messenger.web", risk.High, WhyCatalogue, "messaging", NoSurface, ""},
	{"org.telegram.messenger.beta", risk.High, WhyCatalogue, "messaging", NoSurface, ""},
	// squats
	{"org.telegram.messengez", risk.High, WhyLookalike, "messaging", NoSurface, "look-alike of org.telegram.messenger"},
	{"com.whatsapq", risk.High, WhyLookalike, "messaging", NoSurface, "look-alike of com.whatsapp"},
	{"com.WhatsApp", risk.High, WhyLookalike, "messaging", NoSurface, "look-alike of com.whatsapp"},
	{"com.wh\u0430ts\u0430pp", risk.High, WhyLookalike, "messaging", NoSurface, "look-alike of com.whatsapp"}, // Cyrillic а
	{" com.whatsapp", risk.High, WhyLookalike, "messaging", NoSurface, "look-alike of com.whatsapp"},
	{"com.phonepe.app.spoof", risk.High, WhyCatalogue, "banking", NoSurface, "catalogue: banking, as com.phonepe.app"},
	// words mislead, but only upwards: an encyclopedia and a download manager
	{"com.voyagegroup.kotobank", risk.High, WhyNamePattern, "", NoSurface, ""},
	{"com.dv.adm.pay", risk.High, WhyNamePattern, "", NoSurface, ""},
	// forks and builds inherit, but never LOW
	{"com.x8bit.bitwarden.nightly", risk.High, WhyCatalogue, "password manager", NoSurface, "catalogue: password manager, as com.x8bit.bitwarden"},
	{"com.spotify.music.debug", risk.Medium, WhyCatalogue, "media", NoSurface, "catalogue: media, as com.spotify.music"},
	{"com.spotify.music.foss.debug", risk.Medium, WhyCatalogue, "media", NoSurface, "catalogue: media, as com.spotify.music"},
	{"com.spotify.music.games", risk.Medium, WhyDefault, "", NoSurface, "unknown package: MEDIUM"},
	{"com.android.chrome.beta", risk.Medium, WhyCatalogue, "browser", Browser, "catalogue: browser, as com.android.chrome"},
	// the system under names nobody has listed
	{"com.acme.permissioncontroller", risk.High, WhySystemSurface, "permission controller", PermissionController, "system surface: permission controller"},
	{"com.acme.os.AcmePackageInstaller", risk.High, WhySystemSurface, "package installer", PackageInstaller, "system surface: package installer"},
	{"com.acme.settings", risk.High, WhySystemSurface, "settings", Settings, "system surface: settings"},
	{"com.acme.setting.tablet", risk.High, WhySystemSurface, "settings", Settings, "system surface: settings"},
	{"com.acme.securitycenter", risk.High, WhySystemSurface, "security centre", SecurityCentre, ""},
	{"com.acme.quicksettingsfun", risk.Medium, WhyDefault, "", NoSurface, "unknown package: MEDIUM"},
	{"android", risk.High, WhyCatalogue, "system", ShareSheet, "catalogue: system"},
	// words that do tell
	{"hr.acme.mobilebanking", risk.High, WhyNamePattern, "banking", NoSurface, `name pattern: "bank" in the package id`},
	{"com.acme.dialer", risk.High, WhyNamePattern, "phone", Dialer, `name pattern: "dialer" in the package id`},
	{"com.acme.mail", risk.High, WhyNamePattern, "email", NoSurface, ""},
	{"com.acme.snailmail", risk.Medium, WhyDefault, "", NoSurface, ""},
	// nothing to go by
	{"com.acme.unheardof", risk.Medium, WhyDefault, "", NoSurface, "unknown package: MEDIUM"},
	{"", risk.Medium, WhyDefault, "", NoSurface, "no package: MEDIUM"},
	{"com.acme game", risk.Medium, WhyDefault, "", NoSurface, "malformed package: MEDIUM"},
	{"com.acme\x00.game", risk.Medium, WhyDefault, "", NoSurface, "malformed package: MEDIUM"},
	{"com..acme", risk.Medium, WhyDefault, "", NoSurface, "malformed package: MEDIUM"},
	{".com.acme", risk.Medium, WhyDefault, "", NoSurface, "malformed package: MEDIUM"},
	{"com.acme.", risk.Medium, WhyDefault, "", NoSurface, "malformed package: MEDIUM"},
	{"com.spotify.music ", risk.Medium, WhyDefault, "", NoSurface, "malformed package: MEDIUM"},
	{"com.\u0455potify.music", risk.Medium, WhyDefault, "", NoSurface, "malformed package: MEDIUM"},
	{"com/acme", risk.Medium, WhyDefault, "", NoSurface, "malformed package: MEDIUM"},
	{strings.Repeat("com.whatsapp.", 40), risk.Medium, WhyDefault, "", NoSurface, "malformed package: MEDIUM"},
}

func TestPitfalls(t *testing.T) {
	c, ran := Default(), 0
	for _, w := range pitfalls {
		ran++
		v := c.Tier(App{Package: w.pkg})
		if v.Tier != w.tier || v.Why != w.why || v.Surface != w.surface ||
			w.kind != "" && v.Kind != w.kind || w.reason != "" && v.Reason() != w.reason {
			t.Errorf("%q: %v by %v (%q), kind %q, surface %v; want %+v", w.pkg, v.Tier, v.Why, v.Reason(), v.Kind, v.Surface, w)
		}
		if !v.Claimed {
			t.Errorf("%q: the verdict forgets that the package is claimed", w.pkg)
		}
		if v.LookalikeOf != "" && v.Name != "" {
			t.Errorf("%q: a look-alike is shown as %q", w.pkg, v.Name)
		}
	}
	if ran != 50 {
		t.Errorf("%d cases ran", ran)
	}
}

// oemVariants are the parts of the system under their vendors' names.
const oemVariants = `
phone: com.android.dialer com.google.android.dialer com.samsung.android.dialer com.samsung.android.incallui
	com.android.incallui com.oneplus.dialer com.asus.dialer com.motorola.dialer com.sonymobile.android.dialer com.tct.dialer
contacts: com.android.contacts com.hihonor.contacts com.huawei.contacts
SMS: com.android.mms com.android.messaging com.google.android.apps.messaging com.samsung.android.messaging com.oneplus.mms
	com.transsion.smartmessage com.zui.mms com.sonyericsson.android.conversations
package installer: com.android.packageinstaller com.google.android.packageinstaller com.samsung.android.packageinstaller
	com.miui.packageinstaller com.miui.global.packageinstaller
permission controller: com.android.permissioncontroller com.google.android.permissioncontroller
	com.huawei.permissioncontroller com.coloros.securitypermission com.oplus.securitypermission
settings: com.android.settings com.sonyericsson.settings com.vivo.setting.android
security centre: com.miui.securitycenter com.huawei.systemmanager com.hihonor.systemmanager com.coloros.safecenter
	com.oplus.safecenter com.coloros.phonemanager com.iqoo.secure com.transsion.phonemanager
store: com.android.vending com.sec.android.app.samsungapps com.xiaomi.mipicks com.xiaomi.market com.huawei.appmarket
	com.hihonor.appmarket com.heytap.market com.oppo.market com.bbk.appstore com.vivo.appstore com.transsnet.store
system consent: com.android.vpndialogs com.android.providers.media.module com.google.android.gms com.android.companiondevicemanager
`

func TestEveryVendorsSystemIsHigh(t *testing.T) {
	c, ran, kind := Default(), 0, ""
	for _, line := range strings.Split(strings.TrimSpace(oemVariants), "\n") {
		if head, rest, found := strings.Cut(line, ": "); found {
			kind, line = head, rest
		}
		for _, pkg := range strings.Fields(line) {
			ran++
			v := c.Tier(App{Package: pkg})
			if v.Tier != risk.High || v.Kind != kind || v.Surface == NoSurface || v.Name == "" {
				t.Errorf("%s: %v, kind %q, surface %v, name %q; want HIGH and %q", pkg, v.Tier, v.Kind, v.Surface, v.Name, kind)
			}
		}
	}
	if ran != 57 {
		t.Errorf("%d packages ran", ran)
	}
}

func TestGalleriesAreMedium(t *testing.T) {
	for _, pkg := range []string{
		"com.sec.android.gallery3d", "com.miui.gallery", "com.android.gallery3d", "com.coloros.gallery3d",
		"com.huawei.photos", "com.google.android.apps.photos",
	} {
		if v := Default().Tier(App{Package: pkg}); v.Tier != risk.Medium || v.Why != WhyCatalogue {
			t.Errorf("%s: %v by %v", pkg, v.Tier, v.Why)
		}
	}
}

func TestKeyboardsLaunchersAndToolsHaveTheirSurface(t *testing.T) {
	for pkg, want := range map[string]Surface{
		"com.google.android.inputmethod.latin":  Keyboard,
		"com.samsung.android.honeyboard":        Keyboard,
		"com.sec.android.app.launcher":          Launcher,
		"com.google.android.apps.nexuslauncher": Launcher,
		"com.miui.home":                         Launcher,
		"com.android.chrome":                    Browser,
		"com.termux":                            Terminal,
		"com.topjohnwu.magisk":                  RootManager,
		"moe.shizuku.privileged.api":            RootManager,
		"com.anydesk.anydeskandroid":            RemoteAccess,
		"com.google.android.apps.work.clouddpc": DeviceAdmin,
		"com.android.systemui":                  SystemUI,
		"com.android.intentresolver":            ShareSheet,
	} {
		if v := Default().Tier(App{Package: pkg}); v.Surface != want {
			t.Errorf("%s: surface %v, want %v", pkg, v.Surface, want)
		}
	}
}

func TestStricter(t *testing.T) {
	c := Default()
	bank := c.Tier(App{Package: "com.td"})
	game := c.Tier(App{Package: "com.spotify.music", Observed: true})
	if got := Stricter(bank, game); got != bank {
		t.Errorf("claimed bank, observed player: %+v", got)
	}
	if got := Stricter(c.Tier(App{Package: "com.spotify.music"}), c.Tier(App{Package: "com.td", Observed: true})); got.Tier != risk.High || got.Claimed {
		t.Errorf("claimed player, observed bank: %+v", got)
	}
	if got := Stricter(game, game); got != game {
		t.Errorf("equal: %+v", got)
	}
}

func TestZeroCatalogKnowsNothingAndLowersNothing(t *testing.T) {
	var c Catalog
	if v := c.Tier(App{Package: "com.spotify.music", Observed: true}); v.Tier != risk.Medium || v.Why != WhyDefault {
		t.Errorf("%+v", v)
	}
	if v := c.Tier(App{Package: "com.android.settings"}); v.Tier != risk.High || v.Why != WhySystemSurface {
		t.Errorf("%+v", v)
	}
	if _, ok := c.Lookup("com.whatsapp"); ok {
		t.Error("found in nothing")
	}
	if _, n := c.About(); n != 0 {
		t.Error("counts in nothing")
	}
}

func TestExplainAgreesWithTier(t *testing.T) {
	c, ran := Default(), 0
	for _, w := range pitfalls {
		ran++
		app := App{Package: w.pkg, Roles: []string{"android.app.role.SMS"}}
		e := c.Explain(app)
		if e.Verdict != c.Tier(app) {
			t.Errorf("%q: explained as %+v", w.pkg, e.Verdict)
		}
		decides := 0
		for i, step := range e.Steps {
			if step.Said == "" {
				t.Errorf("%q: step %v says nothing", w.pkg, step.Why)
			}
			if !step.Decides {
				continue
			}
			decides++
			if step.Why != e.Verdict.Why || step.Said != e.Verdict.Reason() || step.Tier != e.Verdict.Tier {
				t.Errorf("%q: step %+v decides, the verdict is %+v", w.pkg, step, e.Verdict)
			}
			for _, before := range e.Steps[:i] {
				if before.Spoke && before.Why != WhyCatalogue { // a vague entry yields to the device
					t.Errorf("%q: %v decides over %v", w.pkg, step.Why, before.Why)
				}
			}
		}
		if decides != 1 || len(e.Steps) != 7 {
			t.Errorf("%q: %d of %d steps decide", w.pkg, decides, len(e.Steps))
		}
	}
	if ran != len(pitfalls) || ran == 0 {
		t.Errorf("%d cases ran", ran)
	}
}

func TestExplainReadsLikeAnAnswer(t *testing.T) {
	o, err := MakeOverrides(map[string]risk.Tier{"com.whatsapp": risk.Medium})
	if err != nil {
		t.Fatal(err)
	}
	var said []string
	for _, step := range Default().WithOverrides(o).Explain(App{Package: "com.whatsapp"}).Steps {
		said = append(said, step.Why.String()+": "+step.Said)
	}
	want := []string{
		"override: user override",
		"catalogue: catalogue: messaging",
		"system_surface: not named like a part of the system",
		"lookalike: not like the id or name of a HIGH app",
		"device: the device says nothing that changes the tier",
		"name_pattern: no telling word in the package id",
		"default: unknown package: MEDIUM",
	}
	if !slices.Equal(said, want) {
		t.Errorf("said %q", said)
	}
}
