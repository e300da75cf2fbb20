package phone

import (
	"errors"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"
)

// Intent is what "am start" and "am broadcast" take.
type Intent struct {
	Action     string
	Data       string // a URI
	Type       string
	Package    string
	Component  string // package/.Class
	Categories []string
	Flags      int
	Extras     map[string]string // values of any type, as text
}

// What goes wrong with packages and intents; errors say which.
var (
	// ErrNoActivity is that no app takes the intent.
	ErrNoActivity = errors.New("no activity takes the intent")
	// ErrNoPackage is that no such app is installed.
	ErrNoPackage = errors.New("not installed")
	// ErrSystemPackage is that the app belongs to the system and cannot go.
	ErrSystemPackage = errors.New("is part of the system")
	// ErrNoPermission is that the app did not ask for such a permission.
	ErrNoPermission = errors.New("has not requested the permission")
	// ErrDisabled is that the app is switched off.
	ErrDisabled = errors.New("is disabled")
)

// Names that Android gives to intents.
const (
	actionMain   = "android.intent.action.MAIN"
	actionView   = "android.intent.action.VIEW"
	categoryHome = "android.intent.category.HOME"
)

// Start starts an activity, in a task of its app's own.
func (p *Phone) Start(i Intent) error {
	p.lock()
	defer p.mu.Unlock()
	p.note(Event{Kind: "intent", Detail: i.String(), Data: i.Extras})
	defer p.changed()
	return p.startIntent(i, nil)
}

// String is the intent in one line, in the words of "am start".
func (i Intent) String() string {
	var b strings.Builder
	for _, part := range []struct{ flag, value string }{
		{"-a", i.Action}, {"-d", i.Data}, {"-t", i.Type}, {"-n", i.Component}, {"-p", i.Package},
		{"-c", strings.Join(i.Categories, " -c ")},
	} {
		if part.value != "" {
			fmt.Fprintf(&b, " %s %s", part.flag, part.value)
		}
	}
	return strings.TrimPrefix(b.String(), " ")
}

// set sets a part of the intent by its name, or else an extra.
func (i *Intent) set(name, value string) {
	switch name {
	case "action":
		i.Action = value
	case "data":
		i.Data = value
	case "type":
		i.Type = value
	case "package":
		i.Package = value
	case "component":
		i.Component = value
	default:
		i.Extras[name] = value
	}
}

// startIntent starts an activity on a task, or on one of its own where from is
// nil.
func (p *Phone) startIntent(i Intent, from *task) error {
	switch {
	case i.Component != "":
		return p.startComponent(i, from)
	case i.Action == actionMain && slices.Contains(i.Categories, categoryHome):
		p.goHome()
		return nil
	case i.Action == actionMain && i.Package != "", i.Action == "" && i.Package != "" && i.Data == "":
		return p.launch(i.Package)
	}
	takers := p.takers(i)
	switch {
	case len(takers) == 0:
		return fmt.Errorf("intent %s: %w", i, ErrNoActivity)
	case len(takers) > 1 && p.choose(i, takers, from):
		return nil
	}
	f := takers[0].def.filter(i)
	p.deliver(i, takers[0], f.screen, f.do, from)
	return nil
}

// takers are the apps that take an intent, by name.
func (p *Phone) takers(i Intent) []*appState {
	var list []*appState
	for _, pkg := range slices.Sorted(maps.Keys(p.apps)) {
		a := p.apps[pkg]
		if a.installed && a.enabled && (i.Package == "" || i.Package == pkg) && a.def.filter(i) != nil {
			list = append(list, a)
		}
	}
	return list
}

// filter is the first of an app's filters that takes an intent, or nil.
func (a *app) filter(i Intent) *intentFilter {
	for j := range a.intents {
		if a.intents[j].takes(i) {
			return &a.intents[j]
		}
	}
	return nil
}

// choose asks which of several apps shall take an intent. It reports false on a
// phone that has nobody to ask that.
func (p *Phone) choose(i Intent, takers []*appState, from *task) bool {
	for _, pkg := range slices.Sorted(maps.Keys(p.apps)) {
		a := p.apps[pkg]
		if s := a.def.screens["choose"]; s != nil && a.installed && a.def.system {
			p.choice, p.choices = i, takers
			p.deliver(Intent{Action: i.Action, Data: i.Data, Type: i.Type}, a, "choose", nil, from)
			return true
		}
	}
	return false
}

// chosen gives the intent that was asked about to an app.
func (p *Phone) chosen(s *scope, pkg string) {
	t := p.taskOf(s.screen)
	p.leave(func(a *activity) bool { return a == s.screen })
	i := p.choice
	i.Package = pkg
	_ = p.startIntent(i, t)
}

// takes reports whether a filter takes an intent.
func (f intentFilter) takes(i Intent) bool {
	scheme, _, _ := strings.Cut(i.Data, ":")
	action := i.Action
	if action == "" {
		action = actionView
	}
	return (f.action == "" || f.action == action) && (f.scheme == "" || strings.EqualFold(f.scheme, scheme) && i.Data != "") &&
		(f.typ == "" || f.typ == i.Type)
}

// startComponent starts the activity that the intent names.
func (p *Phone) startComponent(i Intent, from *task) error {
	pkg, class, _ := strings.Cut(i.Component, "/")
	a, err := p.app(pkg)
	if err != nil {
		return fmt.Errorf("intent %s: %w", i, ErrNoActivity)
	}
	if !a.enabled {
		return fmt.Errorf("package %s: %w", pkg, ErrDisabled)
	}
	class = strings.TrimPrefix(class, pkg)
	if main := a.def.screens[a.def.main]; main != nil && main.activity == class {
		if i.Data == "" {
			return p.launch(pkg)
		}
		p.deliver(i, a, a.def.main, nil, from)
		return nil
	}
	for _, f := range a.def.intents {
		if s := a.def.screens[f.screen]; s != nil && s.activity == class && (f.takes(i) || i.Action == "") {
			p.deliver(i, a, f.screen, f.do, from)
			return nil
		}
	}
	for _, name := range slices.Sorted(maps.Keys(a.def.screens)) {
		if s := a.def.screens[name]; s.activity == class && s.window != "keyboard" && s.window != "system" {
			p.deliver(i, a, name, nil, from)
			return nil
		}
	}
	return fmt.Errorf("intent %s: %w", i, ErrNoActivity)
}

// deliver does what an app does with an intent, and opens the screen it leads to.
func (p *Phone) deliver(i Intent, a *appState, screen string, do []action, from *task) {
	p.shade = nil
	extras := i.values()
	p.do(do, &scope{phone: p, app: a, screen: &activity{app: a, extras: extras}}, nil)
	def := a.def.screens[screen]
	if def == nil {
		return
	}
	t := from
	if t == nil && p.toFront(a.def.pkg) {
		t = p.front()
	}
	if t == nil || !slices.Contains(p.tasks, t) {
		t = &task{}
		p.tasks = append(p.tasks, t)
	}
	if n := len(t.stack); n > 0 && t.top().def == def && t.top().app == a {
		t.stack = t.stack[:n-1] // the same screen again takes the place of the one there
	}
	p.open(t, a, def, extras)
}

// values are what a screen knows of the intent that started it: its extras and
// the query of its data by the last word of their names, in lower case; action,
// data and type; and target, the data without scheme and query.
func (i Intent) values() map[string]string {
	values := map[string]string{}
	put := func(name, value string) {
		name = strings.ToLower(name[strings.LastIndexByte(name, '.')+1:])
		values[name] = value
	}
	for _, name := range slices.Sorted(maps.Keys(i.Extras)) {
		put(name, i.Extras[name])
	}
	_, rest, _ := strings.Cut(i.Data, ":")
	target, query, _ := strings.Cut(strings.TrimPrefix(rest, "//"), "?")
	if parsed, err := url.ParseQuery(query); err == nil {
		for _, name := range slices.Sorted(maps.Keys(parsed)) {
			put(name, parsed.Get(name))
		}
	}
	if plain, err := url.PathUnescape(target); err == nil {
		target = plain
	}
	values["target"], values["data"] = target, i.Data
	values["action"], values["type"] = i.Action, i.Type
	return values
}

// launch does what a tap on an app's icon does.
func (p *Phone) launch(pkg string) error {
	a, err := p.app(pkg)
	switch {
	case err != nil:
		return err
	case !a.enabled:
		return fmt.Errorf("package %s: %w", pkg, ErrDisabled)
	case a == p.home:
		p.goHome()
		return nil
	case a.def.main == "":
		return fmt.Errorf("package %s has no screen: %w", pkg, ErrNoActivity)
	}
	if !p.toFront(pkg) {
		t := &task{}
		p.tasks = append(p.tasks, t)
		p.open(t, a, a.def.screens[a.def.main], nil)
	}
	return nil
}
