package decide

import (
	"cmp"
	"math"

	"github.com/countersign/countersign/catalog"
	"github.com/countersign/countersign/risk"
	"github.com/countersign/countersign/screen"
)

// look reads the screen and works out which app is in front. A screen that
// cannot be read leaves ui with its Problem set.
func (j *judgement) look() {
	s := j.req.Screen
	if s == nil || j.ui != nil {
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
	width, height, display := j.ui.Width, j.ui.Height, j.ui.Display
	if width == 0 {
		width = max(s.Width, 0)
	}
	if height == 0 {
		height = max(s.Height, 0)
	}
	if s.Display != 0 && j.ui.HasDisplay(s.Display) {
		display = s.Display
	}
	if width != j.ui.Width || height != j.ui.Height || display != j.ui.Display {
		sized := *j.ui
		sized.Width, sized.Height, sized.Display = width, height, display
		j.ui = &sized
	}
}

// hasTree reports whether a tree was given, readable or not.
func (j *judgement) hasTree() bool { return j.ui != nil }

// aim finds the node an action names and gathers its signals. It returns why
// the target cannot be seen, or nothing.
func (j *judgement) aim(hit screen.Hit) Code {
	if hit.Node >= 0 {
		j.take(j.ui.Target(hit.Node))
	}
	if hit.Reason != "" {
		return Code(hit.Reason)
	}
	return ""
}

// take makes a control the target.
func (j *judgement) take(t screen.Target) {
	j.target, j.placed, j.dialogRead = t, true, false
	j.named = threeLabels{t.Text, t.Description, t.ResourceID}
}

// around is what stands around the target, as far as a tree shows it.
func (j *judgement) around() screen.Around { return j.ui.Around(j.target.Node) }

// hit resolves the place of an action on the tree.
func (j *judgement) hit(a *risk.Action) screen.Hit {
	switch {
	case a.Node != nil:
		return j.ui.ByIndex(*a.Node)
	case a.Selector != nil:
		hit, _ := j.ui.Select(*a.Selector)
		return hit
	case a.X != nil && a.Y != nil:
		if x, y, ok := j.point(a, a.X, a.Y); ok {
			return j.ui.At(x, y)
		}
	}
	return screen.Hit{Node: -1, Reason: screen.NoTarget}
}

// point is a point of an action in device pixels. It is false where there is
// none, or where it cannot be told which.
func (j *judgement) point(a *risk.Action, px, py *int) (x, y int, ok bool) {
	if px == nil || py == nil {
		return 0, 0, false
	}
	x, y = *px, *py
	if a.Space == nil {
		return x, y, max(x, y) <= math.MaxInt32 && min(x, y) >= math.MinInt32
	}
	if j.ui == nil {
		return nominalDisplay.ToDevice(x, y, a.Space[0], a.Space[1])
	}
	return j.ui.ToDevice(x, y, a.Space[0], a.Space[1])
}

// nominalDisplay stands for a display whose size nobody said, where only
// distances count.
var nominalDisplay = screen.Screen{Width: 1080, Height: 2400}

// others finds the nodes that a touch may land on beside the one that was
// found: what lies under an overlay that may let touches through, what lies
// over a node that was named, what a selector means to other clients.
func (j *judgement) others() (hits [2]screen.Hit, n int) {
	add := func(hit screen.Hit, ok bool) {
		if ok {
			hits[n] = hit
			n++
		}
	}
	a, node := j.action, j.target.Node
	switch {
	case a.Node != nil:
		add(j.ui.Over(node))
	case a.Selector != nil:
		add(j.ui.Over(node))
		_, touchable := j.ui.Select(*a.Selector)
		add(screen.Hit{Node: touchable}, touchable >= 0)
	default:
		if x, y, ok := j.point(a, a.X, a.Y); ok {
			add(j.ui.Beneath(node, x, y))
		}
	}
	return hits, n
}

// display is the display that the screen is of.
func (j *judgement) display() int {
	switch {
	case j.req.Screen != nil && j.req.Screen.Display != 0:
		return j.req.Screen.Display
	case j.ui != nil:
		return j.ui.Display
	}
	return 0
}

// claim takes the target as the caller describes it.
func (j *judgement) claim(c *Target) {
	t := screen.Target{
		Node: -1, Text: c.Text, Description: c.ContentDesc, ResourceID: c.ResourceID,
		Class: c.Class, Hint: c.Hint, Role: c.Role,
		Bounds: screen.Rect{Left: pixel(c.Bounds[0]), Top: pixel(c.Bounds[1]), Right: pixel(c.Bounds[2]), Bottom: pixel(c.Bounds[3])},
		Dialog: screen.Dialog{
			Title: c.DialogTitle, Message: c.DialogMessage,
			Surface: c.DialogTitle != "" || c.DialogMessage != "",
		},
	}
	for _, label := range c.Descendants {
		t.Labels = append(t.Labels, screen.Label{Text: label})
	}
	for _, flag := range [...]struct {
		flag screen.Flags
		on   bool
	}{
		{screen.Clickable, c.Clickable == nil || *c.Clickable}, {screen.Disabled, c.Enabled != nil && !*c.Enabled},
		{screen.Focused, c.Focused}, {screen.Password, c.Password}, {screen.Checked, c.Checked},
	} {
		if flag.on {
			t.Flags |= flag.flag
		}
	}
	t.HideSecret()
	if t.Role == risk.View {
		t.Role = screen.RoleOfClass(c.Class, cmp.Or(t.Text, t.Description), len(t.Labels), t.Dialog.Surface)
	}
	j.take(t)
}

// pixel is a coordinate that somebody claims, as a tree would have it.
func pixel(n int) int32 { return int32(min(max(n, math.MinInt32), math.MaxInt32)) }

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
	var claimed, seen string
	if j.req.Screen != nil {
		claimed = j.req.Screen.Package
	}
	if j.placed {
		seen = j.target.Package
		if j.target.WindowKind == screen.KeyboardWindow && j.ui != nil {
			seen = frontPackage(j.ui) // a key acts on the app it types into
		}
	}
	if seen == "" && j.ui != nil {
		seen = frontPackage(j.ui)
	}
	j.pkg = cmp.Or(seen, claimed)
	j.app = j.verdictOn(j.pkg, j.observed())
	j.surface = j.app.Surface
	if seen != "" && claimed != "" && seen != claimed {
		j.app = catalog.Stricter(j.verdictOn(claimed, false), j.app)
		j.noteRule(risk.None, risk.SignalApp, claimed, "package_differs")
	}
}

// verdictOn is what the catalogue and the owner say of a package.
func (j *judgement) verdictOn(pkg string, observed bool) catalog.Verdict {
	cat := j.decider.Catalog
	if cat == nil {
		cat = catalog.Default()
	}
	v := cat.Tier(j.appFacts(pkg, observed))
	if tier, ok := j.decider.Policy.TierOverride(pkg); ok {
		v = catalog.Overridden(v, tier)
	}
	return v
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
