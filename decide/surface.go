package decide

import (
	"cmp"
	"slices"
	"strings"

	"github.com/countersign/countersign/catalog"
	"github.com/countersign/countersign/lexicon"
	"github.com/countersign/countersign/risk"
	"github.com/countersign/countersign/screen"
)

// ownSurface recognises the guard's own app, page and notification: whatever
// an agent does there is bypass.
func (j *judgement) ownSurface() bool {
	self, t := &j.decider.Self, &j.target
	own := t.Package != "" && slices.Contains(self.Packages, t.Package) ||
		j.pkg != "" && slices.Contains(self.Packages, j.pkg) ||
		j.namesGuard()
	if own {
		j.category = risk.Bypass
		j.noteRule(risk.Bypass, risk.SignalApp, cmp.Or(t.Package, j.pkg), "guards_own_surface")
	}
	return own
}

// namesGuard reports whether a title of the guard's stands on the target or on
// what it is part of, or a host of the guard's anywhere on the screen: an
// address is not part of the page it is the address of.
func (j *judgement) namesGuard() bool {
	self, t := &j.decider.Self, &j.target
	for _, text := range [...]string{t.WindowTitle, t.Text, t.Description, t.Dialog.Title, t.Dialog.Message} {
		if containsAny(text, self.Titles) {
			return true
		}
	}
	for i := range t.Labels {
		if containsAny(t.Labels[i].Text, self.Titles) {
			return true
		}
	}
	if j.ui == nil || t.Node < 0 {
		return false
	}
	for p := j.ui.Nodes[t.Node].Parent; p >= 0; p = j.ui.Nodes[p].Parent {
		if containsAny(j.ui.Nodes[p].Text, self.Titles) || containsAny(j.ui.Nodes[p].Description, self.Titles) {
			return true
		}
	}
	return j.showsGuard()
}

// showsGuard reports whether a host of the guard's stands anywhere on the screen.
// A field may hold an address as somebody typed it, before a browser has read it.
func (j *judgement) showsGuard() bool {
	self := &j.decider.Self
	for i := range j.ui.Nodes {
		n := &j.ui.Nodes[i]
		if self.named(n.Text) || self.named(n.Description) || n.Flags.Has(screen.Editable) && self.addressed(n.Text) {
			return true
		}
	}
	return false
}

func containsAny(text string, parts []string) bool {
	for _, part := range parts {
		if part != "" && strings.Contains(text, part) {
			return true
		}
	}
	return false
}

// opensGuard recognises an action that itself names a host of the guard's: a
// line, a link or an intent that opens its page, and its address typed. Such a
// name is not known by chance.
func (j *judgement) opensGuard() bool {
	a, self := j.action, &j.decider.Self
	if !self.addressed(a.Shell) && !self.addressed(a.Intent) && !self.addressed(a.Text) && !self.addressed(a.Tool) {
		return false
	}
	j.look()
	j.rank()
	j.category, j.offScreen = risk.Bypass, true
	j.noteRule(risk.Bypass, risk.SignalCommand, "", "guards_own_surface")
	return true
}

// bySurface gives a word the meaning of the system surface it stands on, and a
// generic yes likewise where the dialog's own words gave it none.
func (j *judgement) bySurface() {
	if j.allowsWayRound() {
		j.category = risk.Bypass
		j.noteRule(risk.Bypass, risk.SignalResourceID, j.target.ResourceID, "way_round_by_id")
		return
	}
	// On a part of the system "Restart" restarts the phone, elsewhere a game.
	if j.category == risk.None && j.topic == risk.Device && j.surface.System() && !j.refuses && (j.isButton() || j.surface == catalog.SystemUI) {
		j.category = risk.Device
		j.noteRule(risk.Device, risk.SignalApp, j.pkg, "system_surface")
		return
	}
	if j.category == risk.None && !j.refuses && j.isButton() && j.updatesApp() {
		j.category = risk.Install
		j.noteRule(risk.Install, risk.SignalApp, j.pkg, "system_surface")
		return
	}
	if !j.affirms || j.category != risk.None {
		return
	}
	var c risk.Category
	switch j.surface {
	case catalog.PermissionController, catalog.Consent:
		c = risk.Permission
	case catalog.PackageInstaller:
		c = risk.Install
	default:
		return
	}
	j.category = c
	j.appAsks = true
	j.noteRule(c, risk.SignalApp, j.pkg, "system_surface")
}

// allowsWayRound recognises the button by which the system itself lets a service
// watch and act, or an app administer the device, whatever language it speaks.
func (j *judgement) allowsWayRound() bool {
	t := &j.target
	if !j.surface.System() && t.Package != "android" {
		return false // an app may call a button of its own so
	}
	return slices.Contains(wayRoundIDs[:], t.ResourceID[strings.LastIndexByte(t.ResourceID, '/')+1:])
}

// wayRoundIDs are the entry names of those buttons in Android: of the warning of
// an accessibility service (in the Settings app, and since Android 15 in the
// framework), and of the page that activates a device administrator.
var wayRoundIDs = [...]string{
	"permission_enable_allow_button", "accessibility_permission_enable_allow_button", "admin_action_button",
}

// updatesApp reports a button of a store or an installer that updates software.
func (j *judgement) updatesApp() bool {
	switch j.surface {
	case catalog.Store, catalog.PackageInstaller:
	default:
		return false
	}
	label := labelOf(&j.target)
	return label != "" && isShort(label) && namesAny(label, "", updateWords)
}

// launches recognises the icons of a launcher: they open the app they name,
// whatever its name says. What a launcher itself does (uninstall, remove) is
// left as it is.
func (j *judgement) launches() {
	if j.surface != catalog.Launcher || j.target.Node < 0 || j.target.Dialog.Surface {
		return
	}
	switch j.category {
	case risk.Money, risk.Message, risk.Call, risk.Publish, risk.Share, risk.Credential, risk.Submit, risk.Account:
		j.suppress("launcher_icon")
	}
}

// grantsBySwitch recognises the switches that give an app access: those of the
// permission screens, and in the settings those about keyboards and access.
// Only switching on grants.
func (j *judgement) grantsBySwitch(r *lexicon.Reading) bool {
	t := &j.target
	if t.Role != risk.Switch || t.Flags.Has(screen.Checked) {
		return false
	}
	switch j.surface {
	case catalog.PermissionController, catalog.PackageInstaller, catalog.Consent:
		return true
	case catalog.Settings:
		return r.Topic == risk.Permission || r.Category == risk.Permission ||
			namesAny(t.RowTitle, "", keyboardWords) || namesAny(j.around().Heading(), "", keyboardWords)
	}
	return false
}

// systemOverlay reports whether a surface stands over whatever app is in front.
func systemOverlay(s catalog.Surface, w screen.WindowKind) bool {
	if w != screen.AppWindow {
		return true
	}
	switch s {
	case catalog.PermissionController, catalog.PackageInstaller, catalog.SystemUI, catalog.Consent, catalog.Keyboard:
		return true
	}
	return false
}
