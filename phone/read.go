package phone

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// commonStrings is the file with the words that all apps share.
const commonStrings = "strings.yaml"

// readApps reads all apps of a folder. The error joins an [AppError] for each
// complaint.
func readApps(from fs.FS) ([]*app, error) {
	names, err := fs.Glob(from, "*.yaml")
	if err != nil {
		return nil, fmt.Errorf("phone: list the apps: %w", err)
	}
	common := map[string]map[string]string{}
	var apps []*app
	var faults []error
	for _, name := range names {
		data, err := fs.ReadFile(from, name)
		if err != nil {
			return nil, fmt.Errorf("phone: read an app: %w", err)
		}
		if name == commonStrings {
			r := &reader{file: name, lines: map[string]int{}}
			if root := r.open(data); root != nil {
				common = r.strings(root, "")
			}
			faults = append(faults, r.faults...)
		}
	}
	for _, name := range names {
		if name == commonStrings {
			continue
		}
		data, err := fs.ReadFile(from, name)
		if err != nil {
			return nil, fmt.Errorf("phone: read an app: %w", err)
		}
		a, err := readApp(name, data, common)
		if err != nil {
			faults = append(faults, err)
			continue
		}
		if twin := slices.IndexFunc(apps, func(b *app) bool { return b.pkg == a.pkg }); twin >= 0 {
			faults = append(faults, &AppError{name, 0, "package " + a.pkg + " is in " + apps[twin].file + " already"})
		}
		apps = append(apps, a)
	}
	if len(apps) == 0 && len(faults) == 0 {
		faults = append(faults, &AppError{".", 0, "no app: a phone needs a launcher at least"})
	}
	return apps, errors.Join(faults...)
}

// readApp reads the file of one app. common are the strings it shares with all
// others.
func readApp(file string, data []byte, common map[string]map[string]string) (*app, error) {
	r := &reader{file: file, lines: map[string]int{}}
	root := r.open(data)
	if root == nil {
		return nil, errors.Join(r.faults...)
	}
	a := &app{
		file: file, version: "1.0", strings: map[string]map[string]string{},
		variables: map[string]template{}, lists: map[string]*listDef{}, screens: map[string]*screenDef{},
	}
	r.app(a, root)
	for key, words := range common {
		if _, own := a.strings[key]; !own {
			a.strings[key] = words
		}
	}
	c := checker{reader: r, app: a}
	if len(r.faults) == 0 {
		c.check(root)
	}
	if len(r.faults) > 0 {
		return nil, errors.Join(r.faults...)
	}
	return a, nil
}

var packageName = regexp.MustCompile(`^[a-zA-Z][a-zA-Z0-9_]*(\.[a-zA-Z][a-zA-Z0-9_]*)+$`)

// app reads the keys of a file: package and language first, since the rest is
// read by them.
func (r *reader) app(a *app, root *yaml.Node) {
	for key, value := range r.entries(root, "an app") {
		switch key.Value {
		case "label", "main":
			r.lines[key.Value] = key.Line
		case "package":
			if a.pkg = r.word(value, "package"); !packageName.MatchString(a.pkg) {
				r.fault(value, "package %q is no package name such as org.example.notes", a.pkg)
			}
		case "language":
			a.language = r.word(value, "language")
		}
	}
	if a.pkg == "" {
		r.fault(root, "the app has no package")
		return
	}
	done := func(*yaml.Node) {}
	r.fields(root, "an app",
		field{"package", done},
		field{"language", done},
		field{"label", func(n *yaml.Node) { a.label = r.template(n, "label") }},
		field{"version", func(n *yaml.Node) { a.version = r.word(n, "version") }},
		field{"system", func(n *yaml.Node) { a.system = r.yes(n, "system") }},
		field{"hidden", func(n *yaml.Node) { a.hidden = r.yes(n, "hidden") }},
		field{"home", func(n *yaml.Node) { a.home = r.yes(n, "home") }},
		field{"uninstalled", func(n *yaml.Node) { a.uninstalled = r.yes(n, "uninstalled") }},
		field{"main", func(n *yaml.Node) { a.main = r.word(n, "main") }},
		field{"permissions", func(n *yaml.Node) { r.permissions(a, n) }},
		field{"strings", func(n *yaml.Node) { a.strings = r.strings(n, a.language) }},
		field{"variables", func(n *yaml.Node) { a.variables = r.templates(n, "variables") }},
		field{"lists", func(n *yaml.Node) { r.lists(a, n) }},
		field{"screens", func(n *yaml.Node) { r.screens(a, n) }},
		field{"dialogs", func(n *yaml.Node) { r.dialogs(a, n) }},
		field{"intents", func(n *yaml.Node) { r.intents(a, n) }},
		field{"services", func(n *yaml.Node) { r.services(a, n) }},
		field{"keyboards", func(n *yaml.Node) { a.keyboards = r.words(n, "keyboards") }},
	)
	if a.label == "" {
		r.fault(root, "the app has no label")
	}
}

// permissions are a mapping from a permission to whether the app has it.
func (r *reader) permissions(a *app, n *yaml.Node) {
	for key, value := range r.entries(n, "permissions") {
		granted := r.oneOf(value, key.Value, "granted", "denied") == "granted"
		a.permissions = append(a.permissions, permission{key.Value, granted})
	}
}

// strings are a mapping from a key to its words in each language, or in the one
// language that the app speaks.
func (r *reader) strings(n *yaml.Node, language string) map[string]map[string]string {
	all := map[string]map[string]string{}
	for key, value := range r.entries(n, "strings") {
		words := map[string]string{}
		all[key.Value], r.lines["string "+key.Value] = words, key.Line
		if language != "" {
			words[language] = r.phrase(value, key.Value)
			continue
		}
		for lang, text := range r.entries(value, "string "+key.Value) {
			if !slices.Contains(Languages, lang.Value) {
				r.fault(lang, "string %s: no language %q; there are %s", key.Value, lang.Value, strings.Join(Languages, ", "))
				continue
			}
			words[lang.Value] = r.phrase(text, key.Value+"."+lang.Value)
		}
		for _, lang := range Languages {
			if words[lang] == "" && value.Kind == yaml.MappingNode {
				r.fault(value, "string %s says nothing in %q", key.Value, lang)
			}
		}
	}
	return all
}

// phrase is the text of a string: it may have places but be no string itself.
func (r *reader) phrase(n *yaml.Node, what string) string {
	t := r.template(n, what)
	if _, ok := t.key(); ok {
		r.fault(n, "%s: a string cannot name another", what)
	}
	return string(t)
}

func (r *reader) template(n *yaml.Node, what string) template {
	text := r.word(n, what)
	if b := misplaced(text); b != "" {
		r.fault(n, "%s: %q is no place such as {amount} or {row.title}", what, b)
	}
	return template(text)
}

func (r *reader) templates(n *yaml.Node, what string) map[string]template {
	all := map[string]template{}
	for key, value := range r.entries(n, what) {
		all[key.Value] = r.template(value, key.Value)
		r.lines[what+" "+key.Value] = key.Line
	}
	return all
}

func (r *reader) words(n *yaml.Node, what string) []string {
	var list []string
	for _, item := range r.items(n, what) {
		list = append(list, r.word(item, what))
	}
	return list
}

func (r *reader) lists(a *app, n *yaml.Node) {
	for key, value := range r.entries(n, "lists") {
		l := &listDef{columns: map[string]bool{}}
		r.lines["list "+key.Value] = key.Line
		for _, item := range r.items(value, "list "+key.Value) {
			cells := r.templates(item, "a row of "+key.Value)
			for column := range cells {
				l.columns[column] = true
			}
			l.rows = append(l.rows, cells)
		}
		a.lists[key.Value] = l
	}
}

func (r *reader) intents(a *app, n *yaml.Node) {
	for _, item := range r.items(n, "intents") {
		var f intentFilter
		r.fields(item, "an intent",
			field{"action", func(n *yaml.Node) { f.action = r.word(n, "action") }},
			field{"scheme", func(n *yaml.Node) { f.scheme = r.word(n, "scheme") }},
			field{"type", func(n *yaml.Node) { f.typ = r.word(n, "type") }},
			field{"screen", func(n *yaml.Node) { f.screen = r.word(n, "screen") }},
			field{"do", func(n *yaml.Node) { f.do = r.actions(n) }},
		)
		r.lines[fmt.Sprint("intent ", len(a.intents))] = item.Line
		if f.action == "" && f.scheme == "" || f.screen == "" && len(f.do) == 0 {
			r.fault(item, "an intent needs an action or a scheme, and a screen or something to do")
		}
		a.intents = append(a.intents, f)
	}
}

func (r *reader) services(a *app, n *yaml.Node) {
	for _, item := range r.items(n, "services") {
		var s serviceDef
		r.fields(item, "a service",
			field{"kind", func(n *yaml.Node) { s.kind = r.oneOf(n, "kind", "accessibility", "notification") }},
			field{"class", func(n *yaml.Node) { s.class = r.word(n, "class") }},
			field{"label", func(n *yaml.Node) { s.label = r.template(n, "label") }},
		)
		if s.kind == "" || s.class == "" || path.Clean(s.class) != s.class {
			r.fault(item, "a service needs kind, class and label")
		}
		a.services = append(a.services, s)
	}
}
