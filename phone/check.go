package phone

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// phoneLists are the lists that the phone itself keeps, with their columns.
var phoneLists = map[string][]string{
	"phone.launchable": {"package", "label"},
	"phone.packages":   {"package", "label", "version"},
	"phone.targets":    {"package", "label"}, // that an intent may go to
	"phone.services":   {"package", "label", "name", "kind", "on"},
}

// checker looks whether all that the parts of an app name is there.
type checker struct {
	*reader
	app   *app
	picks map[string]bool
}

func (c *checker) check(root *yaml.Node) {
	a := c.app
	c.picks = map[string]bool{}
	for s := range c.screensByName() {
		c.gather(s.enter)
		s.view.walk(func(n *nodeDef) {
			for _, do := range n.handlers() {
				c.gather(do)
			}
		})
	}
	if a.main != "" {
		c.screen(c.lines["main"], "main", a.main)
	}
	c.text(c.lines["label"], a.label, nil)
	for _, name := range slices.Sorted(maps.Keys(a.variables)) {
		if strings.Contains(name, ".") || slices.Contains([]string{"row", "intent", "field", System, Secure, Global}, name) || a.lists[name] != nil {
			c.wrong(c.lines["variables "+name], "variable %q: the name is taken or has a dot", name)
		}
		c.text(c.lines["variables "+name], a.variables[name], nil)
	}
	for _, name := range slices.Sorted(maps.Keys(a.lists)) {
		for _, row := range a.lists[name].rows {
			for _, column := range slices.Sorted(maps.Keys(row)) {
				c.text(c.lines["a row of "+name+" "+column], row[column], nil)
			}
		}
	}
	for s := range c.screensByName() {
		c.text(s.view.line, s.title, nil)
		c.actions(s.enter, nil)
		c.node(s.view, nil)
	}
	for i, f := range a.intents {
		if f.screen != "" {
			c.screen(c.lines[fmt.Sprint("intent ", i)], "an intent", f.screen)
		}
		c.actions(f.do, nil)
	}
	for _, s := range a.services {
		c.text(root.Line, s.label, nil)
	}
}

func (c *checker) screensByName() func(func(*screenDef) bool) {
	return func(yield func(*screenDef) bool) {
		for _, name := range slices.Sorted(maps.Keys(c.app.screens)) {
			if !yield(c.app.screens[name]) {
				return
			}
		}
	}
}

func (c *checker) wrong(line int, format string, args ...any) {
	c.fault(&yaml.Node{Line: line}, format, args...)
}

// gather collects the names by which rows are picked.
func (c *checker) gather(do []action) {
	for _, a := range do {
		if a.kind == "pick" {
			c.picks[a.name] = true
		}
		c.gather(a.then)
		c.gather(a.other)
	}
}

// columns are those of a list, nil where there is no such list.
func (c *checker) columns(line int, list string) map[string]bool {
	if l, ok := c.app.lists[list]; ok {
		return l.columns
	}
	if names, ok := phoneLists[list]; ok {
		columns := map[string]bool{}
		for _, n := range names {
			columns[n] = true
		}
		return columns
	}
	c.wrong(line, "no list %q", list)
	return map[string]bool{}
}

// node checks a node; row has the columns of the row it belongs to.
func (c *checker) node(n *nodeDef, row map[string]bool) {
	if n.each != "" {
		row = c.columns(n.line, n.each)
	}
	for _, t := range []template{n.text, n.desc, n.hint} {
		c.text(n.line, t, row)
	}
	for _, cond := range []*condition{n.shown, n.enabled, n.checked, n.chosen} {
		if cond != nil {
			c.place(n.line, cond.name, row)
		}
	}
	field := strings.HasSuffix(n.class, "EditText")
	switch {
	case n.bound != "" && !c.hasVariable(n.bound):
		c.wrong(n.line, "no variable %q", n.bound)
	case field && n.bound == "":
		c.wrong(n.line, "a field needs var: the variable that it holds")
	case !field && (n.ime != "" || n.lines || n.password || n.length > 0 || n.enter != nil || n.full != nil || n.hint != ""):
		c.wrong(n.line, "only an EditText has hint, ime, multiline, password, length, enter or full")
	case n.slide != nil && n.bound == "":
		c.wrong(n.line, "what slides needs var: the variable with how far it is, in percent")
	case len(n.full) > 0 && n.length == 0:
		c.wrong(n.line, "a field that acts when it is full needs a length")
	}
	for _, do := range n.handlers() {
		c.actions(do, row)
	}
	for _, k := range n.kids {
		c.node(k, row)
	}
}

func (c *checker) actions(do []action, row map[string]bool) {
	for _, a := range do {
		c.action(a, row)
	}
}

func (c *checker) action(a action, row map[string]bool) {
	switch a.kind {
	case "go", "replace", "root", "dialog":
		c.screen(a.line, a.kind, a.name)
	case "focus", "toggle":
		if !c.hasVariable(a.name) {
			c.wrong(a.line, "%s: no variable %q", a.kind, a.name)
		}
	case "set":
		for _, name := range slices.Sorted(maps.Keys(a.fields)) {
			if !c.hasVariable(name) {
				c.wrong(a.line, "set: no variable %q", name)
			}
		}
	case "remove":
		if a.name != "row" && !c.picks[a.name] {
			c.wrong(a.line, "remove: nothing picks %q; it is that or row", a.name)
		}
	case "add":
		columns := c.columns(a.line, string(a.fields["list"]))
		for _, name := range slices.Sorted(maps.Keys(a.fields)) {
			if name != "list" && !columns[name] {
				c.wrong(a.line, "add: the list has no column %q", name)
			}
		}
	case "each":
		row = c.columns(a.line, a.name)
	case "pick":
		if row == nil {
			c.wrong(a.line, "pick: there is no row here")
		}
	}
	if a.when != nil {
		c.place(a.line, a.when.name, row)
	}
	c.text(a.line, a.text, row)
	for _, name := range slices.Sorted(maps.Keys(a.fields)) {
		c.text(a.line, a.fields[name], row)
	}
	c.actions(a.then, row)
	c.actions(a.other, row)
}

func (c *checker) screen(line int, what, name string) {
	if c.app.screens[name] == nil {
		c.wrong(line, "%s: no screen %q; there are %s", what, name,
			strings.Join(slices.Sorted(maps.Keys(c.app.screens)), ", "))
	}
}

// text checks a template's string, and its places in each language.
func (c *checker) text(line int, t template, row map[string]bool) {
	key, isKey := t.key()
	if !isKey {
		for _, name := range names(string(t)) {
			c.place(line, name, row)
		}
		return
	}
	words, ok := c.app.strings[key]
	if !ok {
		c.wrong(line, "no string %q", key)
		return
	}
	var first []string
	for i, lang := range slices.Sorted(maps.Keys(words)) {
		found := slices.Sorted(slices.Values(names(words[lang])))
		if i == 0 {
			first = found
		} else if !slices.Equal(found, first) {
			c.wrong(cmp.Or(c.lines["string "+key], line), "string %s has other places in %q than in the rest", key, lang)
		}
	}
	for _, name := range first {
		c.place(line, name, row)
	}
}

// place checks that a name stands for something.
func (c *checker) place(line int, name string, row map[string]bool) {
	first, rest, dotted := strings.Cut(name, ".")
	problem := ""
	switch {
	case !dotted:
		if !c.hasVariable(name) {
			problem = fmt.Sprintf("no variable %q", name)
		}
	case first == "row":
		if row == nil {
			problem = fmt.Sprintf("%q: there is no row here", name)
		} else if !row[rest] {
			problem = fmt.Sprintf("%q: the list has no column %q", name, rest)
		}
	case first == "intent", name == "field.ime", first == System, first == Secure, first == Global, c.picks[first]:
	default:
		problem = fmt.Sprintf("%q: no row is picked as %q", name, first)
	}
	if problem != "" {
		c.wrong(line, "%s", problem)
	}
}

func (c *checker) hasVariable(name string) bool {
	_, ok := c.app.variables[name]
	return ok
}

// walk calls for a node and all that are in it.
func (n *nodeDef) walk(do func(*nodeDef)) {
	do(n)
	for _, k := range n.kids {
		k.walk(do)
	}
}

// handlers are all that a node may do.
func (n *nodeDef) handlers() [][]action {
	return [][]action{n.tap, n.long, n.swipe, n.slide, n.enter, n.full}
}
