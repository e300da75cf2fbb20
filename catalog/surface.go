package catalog

import (
	"bytes"
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

// surfaceWord is a word by which vendors name a system surface.
type surfaceWord struct {
	word string
	// whole asks for a segment that is exactly the word; otherwise the word may
	// stand inside a segment, since vendors glue their own name to it.
	whole   bool
	surface Surface
	kind    string
}

// surfaceWords are compounds that hardly anything else is called, and the bare
// words "settings" and "systemui" where they are a whole segment. A wrong hit
// only makes the guard ask more.
var surfaceWords = []surfaceWord{
	{"permissioncontroller", false, PermissionController, "permission controller"},
	{"permissionmanager", false, PermissionController, "permission controller"},
	{"securitypermission", false, PermissionController, "permission controller"},
	{"packageinstaller", false, PackageInstaller, "package installer"},
	{"settings", true, Settings, "settings"},
	{"setting", true, Settings, "settings"},
	{"systemsettings", false, Settings, "settings"},
	{"phonesettings", false, Settings, "settings"},
	{"devicesettings", false, Settings, "settings"},
	{"carsettings", false, Settings, "settings"},
	{"tvsettings", false, Settings, "settings"},
	{"securitycenter", false, SecurityCentre, "security centre"},
	{"securitycentre", false, SecurityCentre, "security centre"},
	{"securitymanager", false, SecurityCentre, "security centre"},
	{"safecenter", false, SecurityCentre, "security centre"},
	{"systemmanager", false, SecurityCentre, "security centre"},
	{"phonemanager", false, SecurityCentre, "security centre"},
	{"phonemaster", false, SecurityCentre, "security centre"},
	{"mobilemanager", false, SecurityCentre, "security centre"},
	{"systemui", true, SystemUI, "system interface"},
	{"vpndialogs", false, Consent, "system consent"},
	{"managedprovisioning", false, Consent, "system consent"},
	{"setupwizard", false, Consent, "system consent"},
	{"credentialmanager", false, Consent, "system consent"},
	{"companiondevicemanager", false, Consent, "system consent"},
	{"certinstaller", false, Consent, "system consent"},
	{"backupconfirm", false, Consent, "system consent"},
	{"devicelockcontroller", false, Consent, "system consent"},
}

// systemSurfaceVoice recognises system surfaces that a vendor renamed. The
// first segment ("com") says nothing and is not searched.
func systemSurfaceVoice(_ *Catalog, app App) (Verdict, bool) {
	var buf [maxPackage]byte
	id := afterFirstSegment(fold(&buf, app.Package))
	for i := range surfaceWords {
		w := &surfaceWords[i]
		if w.whole && !hasSegment(id, w.word) || !w.whole && !contains(id, w.word) {
			continue
		}
		return Verdict{Tier: risk.High, Why: WhySystemSurface, Kind: w.kind, Surface: w.surface}, true
	}
	return Verdict{}, false
}

func afterFirstSegment(id []byte) []byte {
	if dot := bytes.IndexByte(id, '.'); dot >= 0 {
		return id[dot+1:]
	}
	return nil
}

// contains reports whether word stands anywhere in id. Words never hold a dot,
// so a hit is always inside one segment.
func contains(id []byte, word string) bool {
	return len(id) >= len(word) && bytes.Contains(id, []byte(word))
}

// hasSegment reports whether one of the parts of id between dots or underscores
// is exactly word.
func hasSegment(id []byte, word string) bool {
	for len(id) >= len(word) {
		end := bytes.IndexAny(id, "._")
		if end < 0 {
			end = len(id)
		}
		if string(id[:end]) == word {
			return true
		}
		if end == len(id) {
			return false
		}
		id = id[end+1:]
	}
	return false
}
