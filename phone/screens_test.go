package phone

import (
	"maps"
	"slices"
	"testing"
)

// screenCase is a screen of an app in some state.
type screenCase struct {
	app, screen string
}

// allScreens are the screens and dialogs of all apps that can be in front.
func allScreens(t testing.TB) []screenCase {
	t.Helper()
	apps, err := builtinApps()
	if err != nil {
		t.Fatal(err)
	}
	var list []screenCase
	for _, a := range apps {
		for _, name := range slices.Sorted(maps.Keys(a.screens)) {
			if w := a.screens[name].window; w == "app" || w == "dialog" || w == "panel" {
				list = append(list, screenCase{a.pkg, name})
			}
		}
	}
	return list
}

// show opens a screen as it looks with something on it: rows are picked, and
// what it was started with is there.
func show(p *Phone, c screenCase) {
	p.mu.Lock()
	defer p.mu.Unlock()
	a := p.apps[c.app]
	a.installed = true
	for _, s := range a.def.screens {
		s.view.walk(func(n *nodeDef) {
			if rows := p.rowsOf(a, n.each); n.each != "" && len(rows) > 0 {
				for _, name := range picksIn(n) {
					a.picked[name] = rows[0]
				}
			}
		})
	}
	if c.screen == "shade" {
		p.pullShade()
		p.changed()
		return
	}
	p.open(p.front(), a, a.def.screens[c.screen], map[string]string{
		"package": "org.example.notes", "target": "org.example.notes", "permission": "android.permission.CAMERA",
	})
	p.changed()
}

func picksIn(n *nodeDef) []string {
	c := checker{picks: map[string]bool{}}
	n.walk(func(k *nodeDef) {
		for _, do := range k.handlers() {
			c.gather(do)
		}
	})
	return slices.Collect(maps.Keys(c.picks))
}

func TestThereAreAsManyScreensAsThereShouldBe(t *testing.T) {
	if n := len(allScreens(t)); n != 42 {
		t.Errorf("%d screens, 42 are expected", n)
	}
}
