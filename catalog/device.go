package catalog

import (
	"strings"

	"github.com/countersign/countersign/risk"
)

// deviceVoice is what the phone says of the app. Roles and permissions can
// raise it whoever reports them. Only observed facts are believed when they
// say anything less: a claimed role of "browser" must not shield an app from
// the voices that come after.
func (c *Catalog) deviceVoice(app App) (Verdict, bool) {
	if v, ok := highRole(app.Roles); ok {
		return v, true
	}
	if v, ok := highPermission(app.Permissions); ok {
		return v, true
	}
	if !app.Observed {
		return Verdict{}, false
	}
	if v, ok := mediumRole(app.Roles); ok {
		return v, true
	}
	return c.harmlessCategory(app)
}

// deviceFact is a role or permission and what it makes of its holder.
type deviceFact struct {
	name    string
	kind    string
	surface Surface
	said    string
}

var highRoles = []deviceFact{
	{"SMS", "SMS", SMS, "holds the SMS role"},
	{"DIALER", "phone", Dialer, "holds the dialer role"},
	{"CALL_REDIRECTION", "phone", NoSurface, "holds the call redirection role"},
	{"CALL_SCREENING", "phone", NoSurface, "holds the call screening role"},
	{"EMERGENCY", "phone", NoSurface, "holds the emergency role"},
	{"WALLET", "payments", NoSurface, "holds the wallet role"},
	{"ASSISTANT", "assistant", NoSurface, "holds the assistant role"},
	{"DEVICE_POLICY_MANAGEMENT", "device admin", DeviceAdmin, "holds the device policy role"},
	{"SYSTEM_SUPERVISION", "device admin", DeviceAdmin, "holds the supervision role"},
	{"SUPERVISION", "device admin", DeviceAdmin, "holds the supervision role"},
}

var mediumRoles = []deviceFact{
	{"BROWSER", "browser", Browser, "holds the browser role"},
	{"HOME", "launcher", Launcher, "holds the home role"},
	{"GALLERY", "gallery", NoSurface, "holds the gallery role"},
}

func highRole(roles []string) (Verdict, bool)   { return heldRole(roles, highRoles, risk.High) }
func mediumRole(roles []string) (Verdict, bool) { return heldRole(roles, mediumRoles, risk.Medium) }

func heldRole(held []string, known []deviceFact, tier risk.Tier) (Verdict, bool) {
	for _, role := range held {
		role = role[strings.LastIndexByte(role, '.')+1:]
		for i := range known {
			if strings.EqualFold(role, known[i].name) {
				return known[i].verdict(tier), true
			}
		}
	}
	return Verdict{}, false
}

func (f *deviceFact) verdict(tier risk.Tier) Verdict {
	return Verdict{Tier: tier, Why: WhyDevice, Kind: f.kind, Surface: f.surface, detail: f.said}
}

// highPermissions are those that make a HIGH app by themselves: messages and
// calls in the owner's name, and power over other apps. CALL_PHONE is not among
// them, since every taxi and pizza app declares it.
var highPermissions = map[string]deviceFact{
	"android.permission.SEND_SMS":                  {kind: "messaging", said: "declares SEND_SMS"},
	"android.permission.READ_SMS":                  {kind: "messaging", said: "declares READ_SMS"},
	"android.permission.RECEIVE_SMS":               {kind: "messaging", said: "declares RECEIVE_SMS"},
	"android.permission.WRITE_SMS":                 {kind: "messaging", said: "declares WRITE_SMS"},
	"android.permission.MANAGE_OWN_CALLS":          {kind: "calls", said: "declares MANAGE_OWN_CALLS"},
	"android.permission.CALL_PRIVILEGED":           {kind: "phone", said: "declares CALL_PRIVILEGED"},
	"android.permission.MODIFY_PHONE_STATE":        {kind: "phone", said: "declares MODIFY_PHONE_STATE"},
	"android.permission.INSTALL_PACKAGES":          {kind: "installer", said: "declares INSTALL_PACKAGES"},
	"android.permission.DELETE_PACKAGES":           {kind: "installer", said: "declares DELETE_PACKAGES"},
	"android.permission.GRANT_RUNTIME_PERMISSIONS": {kind: "permission controller", surface: PermissionController, said: "declares GRANT_RUNTIME_PERMISSIONS"},
	"android.permission.MANAGE_ROLE_HOLDERS":       {kind: "permission controller", surface: PermissionController, said: "declares MANAGE_ROLE_HOLDERS"},
	"android.permission.WRITE_SECURE_SETTINGS":     {kind: "settings", said: "declares WRITE_SECURE_SETTINGS"},
	"android.permission.MANAGE_DEVICE_ADMINS":      {kind: "device admin", said: "declares MANAGE_DEVICE_ADMINS"},
	"android.permission.MASTER_CLEAR":              {kind: "system", said: "declares MASTER_CLEAR"},
	"android.permission.REBOOT":                    {kind: "system", said: "declares REBOOT"},
	"android.permission.CONTROL_VPN":               {kind: "system", said: "declares CONTROL_VPN"},
	"moe.shizuku.manager.permission.API_V23":       {kind: "root tool", said: "asks Shizuku for adb rights"},
	"android.permission.ACCESS_SUPERUSER":          {kind: "root tool", said: "asks for root"},
}

func highPermission(declared []string) (Verdict, bool) {
	for _, p := range declared {
		if f, ok := highPermissions[p]; ok {
			return f.verdict(risk.High), true
		}
	}
	return Verdict{}, false
}

// doubtfulPermissions do not make an app HIGH, but an app that declares one is
// not what its harmless category says.
var doubtfulPermissions = map[string]bool{
	"android.permission.CALL_PHONE":                         true,
	"android.permission.READ_CALL_LOG":                      true,
	"android.permission.WRITE_CALL_LOG":                     true,
	"android.permission.READ_CONTACTS":                      true,
	"android.permission.WRITE_CONTACTS":                     true,
	"android.permission.REQUEST_INSTALL_PACKAGES":           true,
	"android.permission.REQUEST_DELETE_PACKAGES":            true,
	"android.permission.SYSTEM_ALERT_WINDOW":                true,
	"android.permission.MANAGE_EXTERNAL_STORAGE":            true,
	"android.permission.QUERY_ALL_PACKAGES":                 true,
	"android.permission.WRITE_SETTINGS":                     true,
	"android.permission.BIND_ACCESSIBILITY_SERVICE":         true,
	"android.permission.BIND_NOTIFICATION_LISTENER_SERVICE": true,
	"android.permission.BIND_DEVICE_ADMIN":                  true,
	"android.permission.BIND_VPN_SERVICE":                   true,
}

// harmlessCategories are Android's app categories that make an unknown app LOW,
// by name and by number. Social, productivity, image and accessibility apps
// are not among them.
var harmlessCategories = []struct{ name, number, kind, said string }{
	{"game", "0", "game", "is a game, from a known store"},
	{"audio", "1", "media", "is an audio app, from a known store"},
	{"video", "2", "media", "is a video app, from a known store"},
	{"news", "5", "news", "is a news app, from a known store"},
	{"maps", "6", "maps", "is a maps app, from a known store"},
}

// harmlessCategory lowers an observed app of a harmless category. The category
// is what the app's own manifest says, so a store must stand behind it: an app
// that came from a file, by adb or by nobody knows whom stays MEDIUM.
func (c *Catalog) harmlessCategory(app App) (Verdict, bool) {
	category := app.AndroidCategory
	if len(category) > len("category_") && strings.EqualFold(category[:len("category_")], "category_") {
		category = category[len("category_"):]
	}
	for i := range harmlessCategories {
		h := &harmlessCategories[i]
		if !strings.EqualFold(category, h.name) && category != h.number {
			continue
		}
		if !c.fromStore(app.Installer) || packageDefect(app.Package) != "" {
			return Verdict{}, false
		}
		for _, p := range app.Permissions {
			if doubtfulPermissions[p] {
				return Verdict{}, false
			}
		}
		return Verdict{Tier: risk.Low, Why: WhyDevice, Kind: h.kind, detail: h.said}, true
	}
	return Verdict{}, false
}

func (c *Catalog) fromStore(installer string) bool {
	row, ok := c.apps.find(installer)
	return ok && c.apps.class(row).surface == Store
}
