package phone

import (
	"slices"
	"strings"
)

// maxActions is how many actions one touch, key or intent may lead to: data that
// goes round in circles stops there.
const maxActions = 500

// do does what a touch, a key or an intent does, one action after the other. v
// is the node that it came from, or nil.
func (p *Phone) do(list []action, s *scope, v *view) {
	if p.deep == 0 {
		p.actions = 0
	}
	p.deep++
	defer func() { p.deep-- }()
	for i := range list {
		if p.actions++; p.actions > maxActions {
			return
		}
		p.doOne(&list[i], s, v)
		p.changed()
	}
}

func (p *Phone) doOne(a *action, s *scope, v *view) {
	switch a.kind {
	case "if":
		if a.when.holds(s) {
			p.do(a.then, s, v)
		} else {
			p.do(a.other, s, v)
		}
	case "each":
		for _, r := range slices.Clone(p.rowsOf(s.app, a.name)) {
			p.do(a.then, &scope{phone: p, app: s.app, screen: s.screen, row: r}, v)
		}
	case "set", "toggle", "add", "remove", "pick":
		p.change(a, s)
	case "go", "replace", "root", "dialog", "back", "home", "close", "recents", "launch", "start", "choose":
		p.move(a, s)
	case "focus", "hide", "type", "backspace", "action", "copy", "toast":
		p.write(a, s)
	default:
		p.affect(a, s)
	}
}

// change changes an app's own data.
func (p *Phone) change(a *action, s *scope) {
	switch a.kind {
	case "set":
		filled := map[string]string{}
		for name, t := range a.fields {
			filled[name] = s.fill(t)
		}
		for name, value := range filled {
			s.app.variables[name] = value
		}
	case "toggle":
		s.app.variables[a.name] = not(s.app.variables[a.name])
	case "add":
		cells := map[string]template{}
		for column, t := range a.fields {
			if column != "list" {
				cells[column] = t
			}
		}
		s.app.add(s, string(a.fields["list"]), cells)
	case "remove":
		r := s.app.picked[a.name]
		if a.name == "row" {
			r = s.row
		}
		if r != nil {
			s.app.remove(r)
		}
	case "pick":
		s.app.picked[a.name] = s.row
	}
}

// move goes to another screen.
func (p *Phone) move(a *action, s *scope) {
	if p.moveHome(a.kind, s) {
		return
	}
	t := p.taskOf(s.screen)
	target := s.app.def.screens[a.name]
	switch a.kind {
	case "replace":
		p.open(t, s.app, target, nil)
		t.stack = slices.DeleteFunc(t.stack, func(o *activity) bool { return o == s.screen })
	case "root":
		old := slices.Clone(t.stack)
		p.open(t, s.app, target, nil)
		t.stack = slices.DeleteFunc(t.stack, func(o *activity) bool { return o.app == s.app && slices.Contains(old, o) })
	case "go", "dialog":
		p.open(t, s.app, target, nil)
	case "choose":
		p.chosen(s, s.fill(a.text))
	case "launch":
		_ = p.launch(s.fill(a.text))
	case "start":
		i := Intent{Extras: map[string]string{}}
		for key, value := range a.fields {
			i.set(key, s.fill(value))
		}
		_ = p.startIntent(i, t)
	}
}

// moveHome does the moves that lead out of a screen.
func (p *Phone) moveHome(kind string, s *scope) bool {
	switch kind {
	case "back":
		if p.isFixture(s.screen) {
			p.goBack()
			return true
		}
		p.leave(func(o *activity) bool { return o == s.screen })
	case "home":
		p.goHome()
	case "recents":
		p.recents()
	case "close":
		p.leave(func(o *activity) bool { return o.app == s.app })
	default:
		return false
	}
	return true
}

// isFixture reports whether a screen belongs to no task: a bar, the shade, a
// keyboard.
func (p *Phone) isFixture(act *activity) bool {
	return act != nil && (act == p.shade || slices.Contains(p.bars, act) || p.boards[act.app.def.pkg] == act)
}

// taskOf is the task that a screen stands in, else the one in front.
func (p *Phone) taskOf(act *activity) *task {
	for _, t := range p.tasks {
		if slices.Contains(t.stack, act) {
			return t
		}
	}
	return p.front()
}

// write changes fields, the keyboard and what is shown for a moment.
func (p *Phone) write(a *action, s *scope) {
	switch a.kind {
	case "focus":
		p.changed()
		p.active().root.walk(func(v *view) bool {
			if v.editable && v.def.bound == a.name {
				p.focusOn(v)
				return false
			}
			return true
		})
	case "hide":
		p.top().keyboard = false
	case "type":
		p.insert(s.fill(a.text))
	case "backspace":
		p.erase()
	case "action":
		if f := p.field(); f != nil && f.def.lines && f.def.enter == nil {
			p.put(f, "\n")
		} else if f != nil {
			p.imeAction(f)
		}
	case "copy":
		p.clipboard = s.fill(a.text)
	case "toast":
		p.toast = s.fill(a.text)
	}
}

// affect does what has consequences outside of the app.
func (p *Phone) affect(a *action, s *scope) {
	value := func(name string) string { return s.fill(a.fields[name]) }
	switch a.kind {
	case "effect":
		by := value("app")
		if by == "" {
			by = s.app.def.pkg
		}
		p.happen(Effect{
			App: by, What: value("what"), Object: value("object"),
			Recipient: value("to"), Amount: value("amount"), Text: value("text"),
		})
	case "grant":
		_ = p.grant(s.app.def.pkg, value("package"), value("permission"), value("granted") == "true")
	case "setting":
		namespace, key, _ := strings.Cut(value("name"), ".")
		p.setSetting(s.app.def.pkg, namespace, key, value("value"))
	case "service":
		p.switchService(s.app.def.pkg, value("kind"), value("name"), value("on") == "true")
	case "uninstall":
		_ = p.uninstall(s.app.def.pkg, s.fill(a.text))
	case "clear":
		_ = p.clear(s.app.def.pkg, s.fill(a.text))
	case "stop":
		p.stop(s.fill(a.text))
	case "ask":
		p.askFor(s, s.fill(a.text))
	}
}

// askFor shows the system's question for a permission, unless the app has it.
func (p *Phone) askFor(s *scope, permission string) {
	if s.app.permissions[permission] {
		return
	}
	const request = "android.content.pm.action.REQUEST_PERMISSIONS"
	_ = p.startIntent(Intent{Action: request, Extras: map[string]string{
		"package": s.app.def.pkg, "permission": permission,
	}}, p.taskOf(s.screen))
}
