package phone

import (
	"maps"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// actionForms are the actions and how each is written.
var actionForms = map[string]actionForm{
	"back":      {},                                                                           // leave the screen or dialog
	"home":      {},                                                                           // to the launcher
	"close":     {},                                                                           // leave all screens of the app
	"recents":   {},                                                                           // to the app before
	"hide":      {},                                                                           // the keyboard
	"backspace": {},                                                                           // the last character of the field
	"action":    {},                                                                           // the field's IME action
	"go":        {operand: isName},                                                            // open a screen
	"replace":   {operand: isName},                                                            // open a screen in place of this one
	"root":      {operand: isName},                                                            // open a screen as the only one
	"dialog":    {operand: isName},                                                            // open a dialog
	"focus":     {operand: isName},                                                            // focus the field of a variable
	"pick":      {operand: isName},                                                            // remember the row by a name
	"remove":    {operand: isName},                                                            // delete the row that was picked
	"toggle":    {operand: isName},                                                            // turn a variable on or off
	"toast":     {operand: isText},                                                            // a message that goes away
	"type":      {operand: isText},                                                            // into the field with the focus
	"copy":      {operand: isText},                                                            // to the clipboard
	"choose":    {operand: isText},                                                            // the app that takes what was shared
	"uninstall": {operand: isText},                                                            // a package
	"clear":     {operand: isText},                                                            // a package's data
	"stop":      {operand: isText},                                                            // a package
	"launch":    {operand: isText},                                                            // a package
	"ask":       {operand: isText},                                                            // for a permission
	"set":       {operand: isMapping},                                                         // variables
	"add":       {operand: isMapping, needs: []string{"list"}},                                // a row
	"start":     {operand: isMapping},                                                         // an intent
	"effect":    {operand: isMapping, takes: effectFields, needs: []string{"what"}},           // in the world
	"grant":     {operand: isMapping, takes: grantFields, needs: grantFields},                 // a permission, or take it
	"setting":   {operand: isMapping, takes: settingFields, needs: settingFields},             // write a setting
	"service":   {operand: isMapping, takes: serviceFields, needs: serviceFields},             // switch a service
	"if":        {operand: isCondition, takes: []string{"do", "else"}, needs: []string{"do"}}, // only when
	"each":      {operand: isName, takes: []string{"do"}, needs: []string{"do"}},              // for every row of a list
}

var (
	effectFields  = []string{"what", "object", "to", "amount", "text", "app"}
	grantFields   = []string{"package", "permission", "granted"}
	settingFields = []string{"name", "value"}
	serviceFields = []string{"kind", "name", "on"}
)

// actionForm is how an action is written: its operand, the keys of a mapping
// (none is any), and those it cannot do without.
type actionForm struct {
	operand      operand
	takes, needs []string
}

type operand uint8

const (
	isWord      operand = iota // the action stands alone
	isName                     // of a screen, a variable, a row, a list
	isText                     // a template
	isMapping                  // of templates
	isCondition                // and further keys beside it
)

// actions reads a list of actions, or one that stands alone.
func (r *reader) actions(n *yaml.Node) []action {
	if n.Kind != yaml.SequenceNode {
		return []action{r.action(n)}
	}
	list := []action{}
	for _, item := range n.Content {
		list = append(list, r.action(item))
	}
	return list
}

func (r *reader) action(n *yaml.Node) action {
	a := action{line: n.Line}
	if n.Kind == yaml.ScalarNode {
		a.kind = n.Value
		if form, ok := actionForms[a.kind]; !ok || form.operand != isWord {
			r.fault(n, "no action %q that stands alone; actions are %s", a.kind, actionNames())
		}
		return a
	}
	if n.Kind != yaml.MappingNode || len(n.Content) < 2 {
		r.fault(n, "an action is a word such as back, or a mapping such as go: inbox")
		return a
	}
	key, value := n.Content[0], n.Content[1]
	a.kind = key.Value
	form, ok := actionForms[a.kind]
	if !ok || form.operand == isWord {
		r.fault(key, "no action %q with something behind it; actions are %s", a.kind, actionNames())
		return a
	}
	switch form.operand {
	case isName:
		a.name = r.word(value, a.kind)
	case isText:
		a.text = r.template(value, a.kind)
	case isMapping:
		a.fields = r.templates(value, a.kind)
		r.formed(value, &a, form)
	case isCondition:
		a.when = r.condition(value)
	}
	r.branches(n, &a, form)
	return a
}

// formed complains of a mapping's keys that are too many or missing.
func (r *reader) formed(n *yaml.Node, a *action, form actionForm) {
	for _, key := range slices.Sorted(maps.Keys(a.fields)) {
		if form.takes != nil && !slices.Contains(form.takes, key) {
			r.fault(n, "%s has no key %q; it takes %s", a.kind, key, strings.Join(form.takes, ", "))
		}
	}
	for _, key := range form.needs {
		if _, ok := a.fields[key]; !ok {
			r.fault(n, "%s needs %s", a.kind, key)
		}
	}
}

// branches reads what stands beside the first key: do and else.
func (r *reader) branches(n *yaml.Node, a *action, form actionForm) {
	branched := form.operand == isCondition || a.kind == "each"
	for i := 2; i+1 < len(n.Content); i += 2 {
		key := n.Content[i]
		if !branched || !slices.Contains(form.takes, key.Value) {
			r.fault(key, "%q cannot stand beside %s: an action is one key", key.Value, a.kind)
			continue
		}
		if key.Value == "do" {
			a.then = r.actions(n.Content[i+1])
		} else {
			a.other = r.actions(n.Content[i+1])
		}
	}
	if branched && a.then == nil {
		r.fault(n, "%s needs do", a.kind)
	}
}

func actionNames() string {
	return strings.Join(slices.Sorted(maps.Keys(actionForms)), ", ")
}
