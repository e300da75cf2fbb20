package decide

import (
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
	self := &j.decider.Self
	t := &j.target
	own := slices.Contains(self.Packages, t.Package) && t.Package != "" ||
		slices.Contains(self.Packages, j.pkg) && j.pkg != "" ||
		containsAny(t.WindowTitle, self.Titles) ||
		containsAny(t.Text, self.Titles) || containsAny(t.Description, self.Titles)
	for i := 0; !own && i < len(t.Labels); i++ {
		own = containsAny(t.Labels[i].Text, self.Titles)
	}
	if !own && j.ui != nil && len(self.Hosts) > 0 {
		for i := range j.ui.Nodes {
			n := &j.ui.Nodes[i]
			if containsAny(n.Text, self.Hosts) || containsAny(n.Description, self.Hosts) {
				own = true
				break
			}
		}
	}
	if own {
		j.category = risk.Bypass
		j.noteRule(risk.Bypass, risk.SignalApp, firstOf(t.Package, j.pkg), "guards_own_surface")
	}
	return own
}

func containsAny(text string, parts []string) bool {
	for _, part := range parts {
		if part != "" && strings.Contains(text, part) {
			return true
		}
	}
	return false
}

// bySurface gives a word the meaning of the system surface it stands on, and a
// generic yes likewise where the dialog's own words gave it none.
func (j *judgement) bySurface() {
	// On a part of the system "Restart" restarts the phone, elsewhere a game.
	if j.category == risk.None && j.topic == risk.Device && j.app.Surface.System() && !j.refuses && j.isButton() {
		j.category = risk.Device
		j.noteRule(risk.Device, risk.SignalApp, j.pkg, "system_surface")
		return
	}
	if !j.affirms || j.category != risk.None {
		return
	}
	var c risk.Category
	switch j.app.Surface {
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

// launches recognises the icons of a launcher: they open the app they name,
// whatever its name says. What a launcher itself does (uninstall, remove) is
// left as it is.
func (j *judgement) launches() {
	if j.app.Surface != catalog.Launcher || j.target.Dialog.Surface {
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
	switch j.app.Surface {
	case catalog.PermissionController, catalog.PackageInstaller, catalog.Consent:
		return true
	case catalog.Settings:
		return r.Topic == risk.Permission || r.Category == risk.Permission ||
			namesAny(t.RowTitle, "", keyboardWords) || j.ui != nil && t.Node >= 0 && namesAny(j.ui.Heading(t.Node), "", keyboardWords)
	}
	return false
}

// keyboardWords name keyboards, folded as lexicon.Fold does: switching one on
// lets it see what is typed.
var keyboardWords = []string{
	"keyboard", "input method", "键盘", "鍵盤", "输入法", "輸入法", "キーボード", "키보드", "입력 방법", "клавиатур",
	"клавіатур", "teclado", "tastatur", "clavier", "tastier", "toetsenbord", "klawiatur", "klavye",
	"tangentbord", "ban phim", "bàn phím", "papan ketik", "لوحة المفاتيح", "صفحه كليد", "מקלדת", "कीबोर्ड", "แป้นพิมพ์", "billentyu", "billentyű", "klavesnic", "klávesnic",
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
