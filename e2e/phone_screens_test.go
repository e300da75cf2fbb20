package e2e

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/countersign/countersign"
	"github.com/countersign/countersign/phone"
	"github.com/countersign/countersign/screen"
)

// The screens of the simulated phone's apps say the same in six languages, so the
// guard has to judge every control on them alike: what is asked about in one
// language is asked about in all.

// walkDepth is how many controls are pressed one after the other from an app's
// first screen, and walkScreens how many screens of an app are looked at.
const (
	walkDepth   = 4
	walkScreens = 30
)

// typedOnScreens is what the walk puts into fields: a number is taken by all.
const typedOnScreens = "5550"

// backKey is KEYCODE_BACK.
const backKey = 4

// A phoneStep is one press on the way to a screen: of which node, in document
// order, and whether it is held, or typed into.
type phoneStep struct {
	node int
	how  string // "tap", "long", "type"
}

// A phoneWalk is how a screen is reached.
type phoneWalk struct {
	start phone.Intent
	app   string
	steps []phoneStep
}

func (w phoneWalk) String() string {
	parts := []string{cmp.Or(w.app, w.start.String())}
	for _, s := range w.steps {
		parts = append(parts, fmt.Sprint(s.how, " ", s.node))
	}
	return strings.Join(parts, ", ")
}

// then is the walk with one step more.
func (w phoneWalk) then(s phoneStep) phoneWalk {
	w.steps = append(slices.Clone(w.steps), s)
	return w
}

// shown is what a phone shows, as the guard sees it.
type shown struct {
	pkg, tree string
	ui        *screen.Screen
}

func look(t *testing.T, p *phone.Phone) shown {
	t.Helper()
	tree, err := p.Dump(phone.DumpOptions{})
	if err != nil {
		t.Fatal(err)
	}
	ui, err := screen.Read(string(tree), screen.Limits{})
	if err != nil {
		t.Fatalf("%v: %s", err, tree)
	}
	pkg, _ := p.Focus()
	return shown{pkg, string(tree), ui}
}

// signature tells one screen from another by what no language changes.
func (s shown) signature() string {
	var b strings.Builder
	for i := range s.ui.Nodes {
		n := &s.ui.Nodes[i]
		fmt.Fprintln(&b, n.Package, n.Class, n.ResourceID, n.Flags)
	}
	return b.String()
}

// take takes a step on a phone. It reports false where the node is not there.
func (s phoneStep) take(t *testing.T, p *phone.Phone) bool {
	t.Helper()
	now := look(t, p)
	if s.node >= len(now.ui.Nodes) {
		return false
	}
	x, y := now.ui.Nodes[s.node].Bounds.Center()
	switch s.how {
	case "long":
		p.LongPress(x, y, time.Second)
	case "type":
		p.Tap(x, y)
		p.Type(typedOnScreens)
		if slices.ContainsFunc(p.Windows(), func(w phone.Window) bool { return w.Kind == "keyboard" }) {
			p.Key(backKey, false) // puts the keyboard away
		}
	default:
		p.Tap(x, y)
	}
	return true
}

// reach leads a phone of a language to a screen.
func (w phoneWalk) reach(t *testing.T, locale string) *phone.Phone {
	t.Helper()
	p, err := phone.New(phone.Options{Locale: locale})
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Start(w.start); err != nil {
		t.Fatalf("%s: %v", w, err)
	}
	for _, s := range w.steps {
		if !s.take(t, p) {
			t.Fatalf("%s: %s: node %d is not there", locale, w, s.node)
		}
	}
	return p
}

// steps are the presses that a screen offers.
func (s shown) steps() (steps []phoneStep) {
	for i := range s.ui.Nodes {
		n := &s.ui.Nodes[i]
		if n.Bounds.Empty() || n.Flags.Has(screen.Disabled) {
			continue
		}
		switch {
		case n.Flags.Has(screen.Editable) || strings.HasSuffix(n.Class, "EditText"):
			steps = append(steps, phoneStep{i, "type"})
		case n.Flags.Has(screen.Clickable):
			steps = append(steps, phoneStep{i, "tap"})
		}
		if n.Flags.Has(screen.LongClickable) {
			steps = append(steps, phoneStep{i, "long"})
		}
	}
	return steps
}

// walks finds the ways to the screens of all apps, on a phone that speaks English.
func walks(t *testing.T) (all []phoneWalk) {
	t.Helper()
	p, err := phone.New(phone.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var open []phoneWalk
	for _, app := range p.Packages() {
		if app.Activity != "" {
			open = append(open, phoneWalk{app: app.Name, start: phone.Intent{Action: "android.intent.action.MAIN", Component: app.Name + "/" + app.Activity}})
		}
	}
	for _, i := range []phone.Intent{
		{Action: "android.content.pm.action.REQUEST_PERMISSIONS", Extras: map[string]string{"package": "org.example.notes", "permission": "android.permission.CAMERA"}},
		{Action: "android.intent.action.DELETE", Data: "package:org.example.notes"},
		{Action: "android.intent.action.SEND", Type: "text/plain", Extras: map[string]string{"android.intent.extra.TEXT": "hello"}},
		{Action: "android.intent.action.SENDTO", Data: "smsto:5550100"},
		{Action: "android.intent.action.DIAL", Data: "tel:5550100"},
	} {
		open = append(open, phoneWalk{start: i})
	}
	seen, of := map[string]bool{}, map[string]int{}
	for len(open) > 0 {
		w := open[0]
		open = open[1:]
		name := w.start.String()
		if of[name] >= walkScreens {
			continue
		}
		now := look(t, w.reach(t, "en"))
		if sig := now.signature(); seen[sig] {
			continue
		} else {
			seen[sig] = true
		}
		of[name]++
		all = append(all, w)
		if len(w.steps) < walkDepth {
			for _, s := range now.steps() {
				open = append(open, w.then(s))
			}
		}
	}
	return all
}

// A phoneCase is one way of acting on one node.
type phoneCase struct {
	node int
	how  string
}

func (s shown) cases() (cases []phoneCase) {
	for i := range s.ui.Nodes {
		n := &s.ui.Nodes[i]
		if n.Bounds.Empty() {
			continue
		}
		if n.TakesTouch() || n.Text != "" || n.Description != "" {
			cases = append(cases, phoneCase{i, "tap"}, phoneCase{i, "hold"}, phoneCase{i, "swipe"})
		}
		if n.Flags.Has(screen.Focused) && n.Flags.Has(screen.Editable) {
			cases = append(cases, phoneCase{i, "enter"})
		}
	}
	return cases
}

// request is what the guard is asked about the case.
func (c phoneCase) request(s shown) *countersign.Request {
	b := s.ui.Nodes[c.node].Bounds
	x, y := b.Center()
	a := countersign.Action{Kind: countersign.Tap, X: &x, Y: &y}
	switch c.how {
	case "hold":
		a.Kind, a.DurationMS = countersign.LongPress, 1000
	case "swipe":
		from, to := int(b.Left)+2, int(b.Right)-2
		a.Kind, a.X, a.X2, a.Y2 = countersign.Swipe, &from, &to, &y
	case "enter":
		a = countersign.Action{Kind: countersign.PressKey, Key: "ENTER"}
	}
	return &countersign.Request{Action: a, Screen: &countersign.Screen{Package: s.pkg, Tree: s.tree}}
}

func TestTheScreensOfThePhoneAreJudgedAlikeInAllLanguages(t *testing.T) {
	guard, err := countersign.New(countersign.Options{})
	if err != nil {
		t.Fatal(err)
	}
	all, judged, asked := walks(t), 0, 0
	notSeen, reported := maps.Clone(knownDifferences), map[string]bool{}
	for _, w := range all {
		screens := map[string]shown{}
		for _, locale := range phone.Languages {
			screens[locale] = look(t, w.reach(t, locale))
			if len(screens[locale].ui.Nodes) != len(screens["en"].ui.Nodes) {
				t.Fatalf("%s: another screen in %s than in English", w, locale)
			}
		}
		for _, c := range screens["en"].cases() {
			verdicts := map[string][]string{}
			for _, locale := range phone.Languages {
				s := screens[locale]
				d := guard.Decide(c.request(s))
				v := fmt.Sprint(d.Outcome, " ", d.Category)
				verdicts[v] = append(verdicts[v], locale)
				judged++
				if d.Outcome != countersign.Allow {
					asked++
				}
			}
			if len(verdicts) == 1 {
				continue
			}
			var parts []string
			for _, v := range slices.Sorted(maps.Keys(verdicts)) {
				parts = append(parts, v+" in "+strings.Join(verdicts[v], ", "))
			}
			n := &screens["en"].ui.Nodes[c.node]
			key := fmt.Sprintf("%s %q: %s", screens["en"].pkg, cmp.Or(n.Text, n.Description, n.ResourceID), strings.Join(parts, "; "))
			if _, known := knownDifferences[key]; known {
				delete(notSeen, key)
			} else if !reported[key] {
				t.Errorf("%s (after %s)", key, w)
			}
			reported[key] = true
		}
	}
	if len(all) < 80 || judged < 10000 || asked < 1500 {
		t.Errorf("%d screens, %d judged, %d asked about or refused", len(all), judged, asked)
	}
	for key := range notSeen {
		t.Errorf("listed as a difference and none: %s", key)
	}
}

// knownDifferences are controls that are judged otherwise in some language, with
// the reason.
var knownDifferences = map[string]string{
	`org.example.board "": allow none in ja; confirm publish in en, de, fr, es, tr`:                                               "公開 alone is what is public as well, in Chinese above all",
	`org.example.board "Publish": allow none in ja; confirm publish in en, de, fr, es, tr`:                                        "the same",
	`org.example.notes "Shopping": allow none in en, de, fr, ja, tr; confirm money in es`:                                         "the Spanish title of the note is the verb: Compra",
	`org.example.notes "“Shopping” cannot be brought back.": allow none in en, de, fr, ja, tr; confirm money in es`:               "the same title in a sentence on a dialog, which takes no touch",
	`com.android.settings "": ` + servicesPage:                                                                                    servicesReason,
	`com.android.settings "Page Reader": ` + servicesPage:                                                                         servicesReason,
	`com.android.settings "Page Reader notifications": ` + servicesPage:                                                           servicesReason,
	`com.android.settings "android:id/switch_widget": ` + servicesPage:                                                            servicesReason,
	`com.android.settings "Uninstall": confirm delete in tr; confirm uninstall in en, de, fr, es, ja`:                             "Kaldır removes whatever stands around it; the dialog that follows names the app",
	`com.fsck.k9 "Rent for December": allow none in de, fr, es, ja, tr; confirm money in en`:                                      "a title that takes no touch and begins with a verb: Rent",
	`com.fsck.k9 "Please transfer the rent by Friday.": allow none in en, es, ja; confirm message in tr; confirm money in de, fr`: "text that takes no touch and holds a command",
	`com.fsck.k9 "Reply": allow none in en, de, fr, es, tr; confirm message in ja`:                                                "返信 alone is the button that sends as well",
	`org.example.shop "Remove": confirm delete in en, de, es, ja, tr; confirm money in fr`:                                        "Retirer takes money out as well, and money is the graver reading",
}

const (
	servicesPage   = "allow none in en, fr, es; deny bypass in de, ja, tr"
	servicesReason = "the page is called what the services are called in three languages; what lets one in is the dialog that follows, and that is refused in all"
)
