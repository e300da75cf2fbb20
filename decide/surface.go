package decide

import (
	"bytes"
	"cmp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

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
	for i := range j.ui.Nodes {
		if namesHost(j.ui.Nodes[i].Text, self.Hosts) || namesHost(j.ui.Nodes[i].Description, self.Hosts) {
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
	a := j.action
	if !j.addressesGuard(a.Shell) && !j.addressesGuard(a.Intent) && !j.addressesGuard(a.Text) && !j.addressesGuard(a.Tool) {
		return false
	}
	j.look()
	j.rank()
	j.category, j.offScreen = risk.Bypass, true
	j.noteRule(risk.Bypass, risk.SignalCommand, "", "guards_own_surface")
	return true
}

// addressesGuard reports whether a text holds a host of the guard's, spelled in
// any way that a shell or a browser takes for the same.
func (j *judgement) addressesGuard(text string) bool {
	hosts := j.decider.Self.Hosts
	return len(hosts) > 0 && (namesHost(text, hosts) || spelledOtherwise(text) && namesHost(asAddress(text), hosts))
}

// spelledOtherwise reports whether asAddress may make something else of a text.
func spelledOtherwise(text string) bool {
	for i := range len(text) {
		switch c := text[i]; {
		case c >= utf8.RuneSelf, c < ' ', c == '%', c == '"', c == '\'', c == '\\':
			return true
		}
	}
	return false
}

// asAddress is a text with its addresses as a browser reads them: without tabs and
// line ends, with what is percent-encoded decoded (URL Standard, 4.4 and 3.5), and
// letters, digits and dots of other forms as plain ones (UTS 46, 4). The quotes
// that a shell would take away are taken away.
func asAddress(text string) string {
	var b []byte
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		if c, ok := percentDecoded(text[i:]); ok {
			b, i = append(b, c), i+len("%00")
			continue
		}
		i += size
		b = appendPlain(b, r)
	}
	if !utf8.Valid(b) || !bytes.ContainsFunc(b, func(r rune) bool { return r >= utf8.RuneSelf }) {
		return string(b)
	}
	// What was percent-encoded may be such a letter as well.
	plain := make([]byte, 0, len(b))
	for len(b) > 0 {
		r, size := utf8.DecodeRune(b)
		plain, b = appendPlain(plain, r), b[size:]
	}
	return string(plain)
}

// percentDecoded is the byte that a text begins with, percent-encoded.
func percentDecoded(text string) (c byte, ok bool) {
	if len(text) < len("%00") || text[0] != '%' {
		return 0, false
	}
	n, err := strconv.ParseUint(text[1:3], 16, 8)
	return byte(n), err == nil
}

// appendPlain appends a letter of an address, in the form that browsers give it.
func appendPlain(b []byte, r rune) []byte {
	switch {
	case r < ' ', r == '"', r == '\'', r == '\\':
		return b
	case r < utf8.RuneSelf:
		return append(b, byte(r))
	case r == '。', r == '｡', r == '．': // they end a part of a name as a dot does
		return append(b, '.')
	case r >= 0x370 && r < 0x1680, r > 0x3002 && r < 0x3200, r >= 0x3400 && r < 0xa640, r >= 0xac00 && r < 0xd800:
		return utf8.AppendRune(b, r) // scripts in which no letter stands for a plain one
	}
	return lexicon.Fold(b, string(r))
}

// namesHost reports whether a text holds one of the hosts, in large letters or
// small ones, as names are. It allocates nothing: every node of a tree is looked
// at.
func namesHost(text string, hosts []string) bool {
	for _, host := range hosts {
		for i := 0; host != "" && i+len(host) <= len(text); i++ {
			if (text[i]|0x20) == (host[0]|0x20) && strings.EqualFold(text[i:i+len(host)], host) {
				return true
			}
		}
	}
	return false
}

// bySurface gives a word the meaning of the system surface it stands on, and a
// generic yes likewise where the dialog's own words gave it none.
func (j *judgement) bySurface() {
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
