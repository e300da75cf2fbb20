package catalog

import (
	"fmt"

	"github.com/countersign/countersign/risk"
)

// Surface is the part of the system that a package stands for. The zero value
// is NoSurface, an ordinary app.
type Surface uint8

// The surfaces.
const (
	NoSurface Surface = iota

	// The system's own: whoever taps there changes the phone.
	PermissionController // permission prompts and the permission screens of settings
	PackageInstaller     // install, update and uninstall prompts
	Settings             // the system's settings, under any vendor's name
	SecurityCentre       // a vendor's "phone manager": permissions, cleaning, app lock
	SystemUI             // notifications, quick settings, volume and power dialogs
	Consent              // VPN, credential, pairing, certificate, media-delete and set-up prompts
	ShareSheet           // the chooser

	// Apps that hold a part of the phone's work.
	Dialer
	Contacts
	SMS
	Store
	Launcher
	Keyboard
	Browser

	// Apps that open a way round the guard.
	Terminal     // a shell on the device
	RootManager  // grants root or adb rights, or changes other apps' code
	RemoteAccess // somebody else's hands on the device
	DeviceAdmin  // device policy, work profiles, find-my-device

	surfaceCount = iota
)

var surfaceNames = [surfaceCount]string{
	NoSurface: "none", PermissionController: "permission_controller",
	PackageInstaller: "package_installer", Settings: "settings",
	SecurityCentre: "security_centre", SystemUI: "system_ui", Consent: "consent",
	ShareSheet: "share_sheet", Dialer: "dialer", Contacts: "contacts", SMS: "sms",
	Store: "store", Launcher: "launcher", Keyboard: "keyboard", Browser: "browser",
	Terminal: "terminal", RootManager: "root_manager", RemoteAccess: "remote_access",
	DeviceAdmin: "device_admin",
}

// String returns the wire name, such as "package_installer".
func (s Surface) String() string {
	if int(s) < len(surfaceNames) {
		return surfaceNames[s]
	}
	return fmt.Sprintf("surface(%d)", uint8(s))
}

// MarshalText writes the wire name.
func (s Surface) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// System reports whether the surface is the system's own, whose taps change the
// phone itself. Such a package is HIGH whatever vendor renamed it.
func (s Surface) System() bool { return s >= PermissionController && s <= Consent }

func parseSurface(name string) (Surface, bool) {
	for s, n := range surfaceNames {
		if n == name {
			return Surface(s), true
		}
	}
	return NoSurface, false
}

// surfacePatterns are compounds that hardly anything else is called, by which
// vendors name the system's own surfaces, and the bare words "settings" and
// "systemui" where they are a whole segment. A wrong hit only makes the guard ask
// more.
var surfacePatterns = newPatternSet([]pattern{
	{"permissioncontroller", inside, "permission controller", PermissionController},
	{"permissionmanager", inside, "permission controller", PermissionController},
	{"securitypermission", inside, "permission controller", PermissionController},
	{"packageinstaller", inside, "package installer", PackageInstaller},
	{"settings", whole, "settings", Settings},
	{"setting", whole, "settings", Settings},
	{"systemsettings", inside, "settings", Settings},
	{"phonesettings", inside, "settings", Settings},
	{"devicesettings", inside, "settings", Settings},
	{"carsettings", inside, "settings", Settings},
	{"tvsettings", inside, "settings", Settings},
	{"securitycenter", inside, "security centre", SecurityCentre},
	{"securitycentre", inside, "security centre", SecurityCentre},
	{"securitymanager", inside, "security centre", SecurityCentre},
	{"safecenter", inside, "security centre", SecurityCentre},
	{"systemmanager", inside, "security centre", SecurityCentre},
	{"phonemanager", inside, "security centre", SecurityCentre},
	{"phonemaster", inside, "security centre", SecurityCentre},
	{"mobilemanager", inside, "security centre", SecurityCentre},
	{"systemui", whole, "system interface", SystemUI},
	{"vpndialogs", inside, "system consent", Consent},
	{"managedprovisioning", inside, "system consent", Consent},
	{"setupwizard", inside, "system consent", Consent},
	{"credentialmanager", inside, "system consent", Consent},
	{"companiondevicemanager", inside, "system consent", Consent},
	{"certinstaller", inside, "system consent", Consent},
	{"backupconfirm", inside, "system consent", Consent},
	{"devicelockcontroller", inside, "system consent", Consent},
})

// systemSurfaceVoice recognises system surfaces that a vendor renamed.
func systemSurfaceVoice(_ *Catalog, app App) (Verdict, bool) {
	p, ok := surfacePatterns.find(app.Package)
	if !ok {
		return Verdict{}, false
	}
	return Verdict{Tier: risk.High, Why: WhySystemSurface, Kind: p.kind, Surface: p.surface}, true
}
