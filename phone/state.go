package phone

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
)

// appState is an app on the phone: its data and what has become of it.
type appState struct {
	def       *app
	installed bool
	enabled   bool

	variables   map[string]string
	lists       map[string][]*row
	picked      map[string]*row
	permissions map[string]bool
	ops         map[string]string
	rows        int // made so far, for their names
}

// row is a row of a list.
type row struct {
	list, id string
	fields   map[string]string
}

// activity is a screen that was opened.
type activity struct {
	id     int
	app    *appState
	def    *screenDef
	extras map[string]string // what it was started with: intent.*
	scroll map[string]int    // in pixels, by the key of what scrolls

	focus    string // the key of the node with the input focus
	keyboard bool   // the keyboard is up for it
	ime      string // the IME action of the focused field
	all      bool   // the text of the focused field is selected
}

// task is a pile of activities, the first one its root.
type task struct {
	stack []*activity
}

func (t *task) top() *activity { return t.stack[len(t.stack)-1] }

// root is the package that the task belongs to.
func (t *task) root() string { return t.stack[0].app.def.pkg }

func newAppState(p *Phone, def *app) *appState {
	a := &appState{def: def, installed: !def.uninstalled, enabled: true}
	a.reset(p)
	return a
}

// reset gives an app the data that it begins with.
func (a *appState) reset(p *Phone) {
	a.variables, a.picked = map[string]string{}, map[string]*row{}
	a.lists = map[string][]*row{}
	a.permissions, a.ops = map[string]bool{}, map[string]string{}
	s := &scope{phone: p, app: a}
	for _, name := range slices.Sorted(maps.Keys(a.def.variables)) {
		a.variables[name] = s.fill(a.def.variables[name])
	}
	for name, l := range a.def.lists {
		for _, cells := range l.rows {
			a.add(s, name, cells)
		}
	}
	for _, perm := range a.def.permissions {
		a.permissions[perm.name] = perm.granted
	}
}

// add puts a row at the end of a list.
func (a *appState) add(s *scope, list string, cells map[string]template) {
	a.rows++
	r := &row{list: list, id: "r" + strconv.Itoa(a.rows), fields: map[string]string{}}
	for column, t := range cells {
		r.fields[column] = s.fill(t)
	}
	a.lists[list] = append(a.lists[list], r)
}

// remove takes a row out of its list; it stays readable where it was picked.
func (a *appState) remove(r *row) bool {
	before := len(a.lists[r.list])
	a.lists[r.list] = slices.DeleteFunc(slices.Clone(a.lists[r.list]), func(o *row) bool { return o.id == r.id })
	return len(a.lists[r.list]) < before
}

// rowsOf are the rows of one of the app's lists or one that the phone keeps.
func (p *Phone) rowsOf(a *appState, list string) []*row {
	switch list {
	case "phone.launchable", "phone.packages":
		var rows []*row
		for _, other := range p.byLabel() {
			if list == "phone.launchable" && (other.def.hidden || other.def.main == "" || !other.enabled) {
				continue
			}
			rows = append(rows, &row{list, other.def.pkg, map[string]string{
				"package": other.def.pkg, "label": p.labelOf(other.def.pkg), "version": other.def.version,
			}})
		}
		return rows
	case "phone.services":
		return p.serviceRows()
	case "phone.targets":
		var rows []*row
		for _, taker := range p.choices {
			pkg := taker.def.pkg
			rows = append(rows, &row{list, pkg, map[string]string{"package": pkg, "label": p.labelOf(pkg)}})
		}
		return rows
	}
	return a.lists[list]
}

// byLabel are the installed apps in the order of a launcher.
func (p *Phone) byLabel() []*appState {
	var list []*appState
	for _, a := range p.apps {
		if a.installed {
			list = append(list, a)
		}
	}
	slices.SortFunc(list, func(a, b *appState) int {
		return compareAll(p.labelOf(a.def.pkg), p.labelOf(b.def.pkg), a.def.pkg, b.def.pkg)
	})
	return list
}

// labelOf is what a package is called on the phone; its name where it is not
// installed.
func (p *Phone) labelOf(pkg string) string {
	a, ok := p.apps[pkg]
	if !ok {
		return pkg
	}
	return (&scope{phone: p, app: a}).fill(a.def.label)
}

// app finds an installed app.
func (p *Phone) app(pkg string) (*appState, error) {
	if a, ok := p.apps[pkg]; ok && a.installed {
		return a, nil
	}
	return nil, fmt.Errorf("package %s: %w", pkg, ErrNoPackage)
}

// front is the task that takes keys.
func (p *Phone) front() *task { return p.tasks[len(p.tasks)-1] }

// open puts a new activity on a task.
func (p *Phone) open(t *task, a *appState, def *screenDef, extras map[string]string) *activity {
	p.opened++
	act := &activity{id: p.opened, app: a, def: def, extras: extras, scroll: map[string]int{}}
	t.stack = append(t.stack, act)
	p.do(def.enter, &scope{phone: p, app: a, screen: act}, nil)
	return act
}

// leave takes an activity off its task, wherever it is. A task without
// activities ends, and home comes to the front when it was there.
func (p *Phone) leave(gone func(*activity) bool) {
	for _, t := range p.tasks {
		t.stack = slices.DeleteFunc(t.stack, gone)
	}
	p.tasks = slices.DeleteFunc(p.tasks, func(t *task) bool { return len(t.stack) == 0 })
	if len(p.tasks) == 0 {
		p.goHome()
	}
}

// top is the screen that takes keys: the shade, or the last one of the task in
// front.
func (p *Phone) top() *activity {
	if p.shade != nil {
		return p.shade
	}
	return p.front().top()
}

// pullShade pulls the notifications down over what is in front. They stay there
// until something else comes to the front.
func (p *Phone) pullShade() {
	for _, bar := range p.bars {
		if def := bar.app.def.screens["shade"]; def != nil && def.window == "panel" && p.shade == nil {
			p.shade = p.fixture(bar.app, def)
		}
	}
}

// goHome brings the launcher to the front, with nothing over it.
func (p *Phone) goHome() {
	p.shade = nil
	home := p.home
	for i, t := range p.tasks {
		if t.root() == home.def.pkg {
			t.stack = t.stack[:1]
			p.tasks = append(slices.Delete(p.tasks, i, i+1), t)
			return
		}
	}
	t := &task{}
	p.tasks = append(p.tasks, t)
	p.open(t, home, home.def.screens[home.def.main], nil)
}

// toFront brings the task of a package to the front, if it has one.
func (p *Phone) toFront(pkg string) bool {
	p.shade = nil
	for i, t := range p.tasks {
		if t.root() == pkg {
			p.tasks = append(slices.Delete(p.tasks, i, i+1), t)
			return true
		}
	}
	return false
}
