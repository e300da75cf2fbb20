package decide

import (
	"github.com/countersign/countersign/catalog"
	"github.com/countersign/countersign/risk"
	"github.com/countersign/countersign/screen"
)

// look reads the screen and works out which app is in front. A screen that
// cannot be read leaves ui with its Problem set.
func (j *judgement) look() {
	s := j.req.Screen
	if s == nil {
		return
	}
	switch {
	case s.Parsed != nil:
		j.ui = s.Parsed
	case s.Tree != "":
		// The error is not lost: a screen that failed carries its Problem.
		j.ui, _ = screen.Read(s.Tree, j.decider.Limits)
	default:
		return
	}
	if (s.Width > 0 && j.ui.Width == 0) || (s.Height > 0 && j.ui.Height == 0) {
		sized := *j.ui
		sized.Width, sized.Height = s.Width, s.Height
		j.ui = &sized
	}
}

// hasTree reports whether a tree was given, readable or not.
func (j *judgement) hasTree() bool { return j.ui != nil }

// aim finds the node an action names and gathers its signals. It returns why
// the target cannot be seen, or nothing.
func (j *judgement) aim(hit screen.Hit) Code {
	if hit.Node >= 0 {
		j.target = j.ui.Target(hit.Node)
		j.placed = true
	}
	if hit.Reason != "" {
		return Code(hit.Reason)
	}
	return ""
}

// hit resolves the place of an action on the tree.
func (j *judgement) hit(a *risk.Action) screen.Hit {
	switch {
	case a.Node != nil:
		return j.ui.ByIndex(*a.Node)
	case a.Selector != nil:
		return j.ui.Select(*a.Selector)
	case a.X != nil && a.Y != nil:
		x, y := *a.X, *a.Y
		if a.Space != nil {
			x, y, _ = j.ui.ToDevice(x, y, a.Space[0], a.Space[1])
		}
		return j.ui.At(x, y)
	}
	return screen.Hit{Node: -1, Reason: screen.NoTarget}
}

// claim takes the target as the caller describes it.
func (j *judgement) claim(c *Target) {
	j.target = screen.Target{
		Node: -1, Text: c.Text, Description: c.ContentDesc, ResourceID: c.ResourceID,
		Class: c.Class, Hint: c.Hint, Role: c.Role,
		Bounds: screen.Rect{
			Left: int32(c.Bounds[0]), Top: int32(c.Bounds[1]),
			Right: int32(c.Bounds[2]), Bottom: int32(c.Bounds[3]),
		},
		Dialog: screen.Dialog{
			Title: c.DialogTitle, Message: c.DialogMessage,
			Surface: c.DialogTitle != "" || c.DialogMessage != "",
		},
	}
	t := &j.target
	for _, label := range c.Descendants {
		t.Labels = append(t.Labels, screen.Label{Text: label})
	}
	if c.Clickable == nil || *c.Clickable {
		t.Flags |= screen.Clickable
	}
	if c.Enabled != nil && !*c.Enabled {
		t.Flags |= screen.Disabled
	}
	for flag, on := range map[screen.Flags]bool{screen.Focused: c.Focused, screen.Password: c.Password, screen.Checked: c.Checked} {
		if on {
			t.Flags |= flag
		}
	}
	if c.Password {
		t.Text = "" // a typed secret is never a label
	}
	if t.Role == risk.View {
		t.Role = screen.RoleOfClass(c.Class, firstOf(c.Text, c.ContentDesc), len(t.Labels), t.Dialog.Surface)
	}
	j.placed = true
}

// appFacts is what the catalogue is asked about a package.
func (j *judgement) appFacts(pkg string, observed bool) catalog.App {
	app := catalog.App{Package: pkg, Observed: observed}
	if a := j.req.App; a != nil {
		app.Observed = false // what the caller says of an app may only raise its tier
		app.Installer, app.Roles = a.Installer, a.Roles
		app.Permissions, app.AndroidCategory = a.Permissions, a.AndroidCategory
	}
	return app
}

// rank works out the app the action lands in and its tier. The package of the
// node under the finger is nearer to the truth than the one the caller names;
// when they differ the stricter tier counts and the difference is evidence.
func (j *judgement) rank() {
	cat := j.decider.Catalog
	if cat == nil {
		cat = catalog.Default()
	}
	var claimed, seen string
	if j.req.Screen != nil {
		claimed = j.req.Screen.Package
	}
	if j.placed {
		seen = j.target.Package
	}
	if seen == "" && j.ui != nil {
		seen = frontPackage(j.ui)
	}
	switch {
	case seen == "" || seen == claimed:
		j.pkg = claimed
		j.app = cat.Tier(j.appFacts(claimed, j.observed()))
	case claimed == "":
		j.pkg = seen
		j.app = cat.Tier(j.appFacts(seen, j.observed()))
	default:
		j.pkg = seen
		j.app = catalog.Stricter(cat.Tier(j.appFacts(claimed, false)), cat.Tier(j.appFacts(seen, j.observed())))
		j.noteRule(risk.None, risk.SignalApp, claimed, "package_differs")
	}
	if tier, ok := j.decider.Policy.TierOverride(j.pkg); ok {
		j.app = catalog.Overridden(j.app, tier)
	}
}

// frontPackage is the package of the focused window.
func frontPackage(ui *screen.Screen) string {
	for w := len(ui.Windows) - 1; w >= 0; w-- {
		if ui.Windows[w].Focused {
			return ui.Windows[w].Package
		}
	}
	for w := len(ui.Windows) - 1; w >= 0; w-- {
		if ui.Windows[w].Kind == screen.AppWindow {
			return ui.Windows[w].Package
		}
	}
	return ""
}
