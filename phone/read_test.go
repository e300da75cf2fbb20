package phone

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/countersign/countersign/screen"
)

// whole is an app that can be read; cases change a line of it.
const whole = `package: org.example.a
label: "@name"
home: true
main: one
strings:
  name: {en: Name, de: Name, fr: Nom, es: Nombre, ja: 名前, tr: Ad}
variables: {v: ""}
lists: {rows: [{a: x}]}
intents:
  - {action: org.example.GO, screen: one}
screens:
  one:
    view:
      column:
        - {class: EditText, var: v, ime: done}
        - {each: rows, class: Button, text: "{row.a}", tap: [pick: r, go: one]}
`

func TestWhatIsWrongWithAnAppIsSaid(t *testing.T) {
	cases := []struct {
		old, new string
		line     int
		says     string
	}{
		{"package: org.example.a", "package: a", 1, `package "a" is no package name`},
		{"package: org.example.a\n", "", 1, "the app has no package"},
		{"label: \"@name\"\n", "", 1, "the app has no label"},
		{"home: true", "home: perhaps", 3, `home cannot be "perhaps"; it is one of true, false`},
		{"home: true", "hom: true", 3, `an app has no key "hom"; it takes package,`},
		{"main: one", "main: two", 4, `main: no screen "two"; there are one`},
		{"main: one", "main: one\nmain: one", 5, `an app has "main" twice`},
		{"main: one", "main: [one]", 4, "main has to be a single value"},
		{"main: one", "main: &m one", 4, "anchors and aliases are not accepted"},
		{"main: one", "main: !!str one", 4, "tags such as !!str are not accepted"},
		{", tr: Ad", "", 6, `string name says nothing in "tr"`},
		{"tr: Ad", "it: Nome", 6, `no language "it"; there are en, de`},
		{"ja: 名前", "ja: \"{v}\"", 6, `string name has other places in "ja" than in the rest`},
		{"en: Name", "en: \"@name\"", 6, "a string cannot name another"},
		{"en: Name", "en: \"{Name}\"", 6, `"{Name}" is no place such as {amount}`},
		{"\"@name\"", "\"@nome\"", 2, `no string "nome"`},
		{"variables: {v: \"\"}", "variables: {v: \"\", row: x}", 7, `variable "row": the name is taken`},
		{"variables: {v: \"\"}", "variables: {v: \"{w}\"}", 7, `no variable "w"`},
		{"lists: {rows: [{a: x}]}", "lists: {rows: {a: x}}", 8, "list rows has to be a list"},
		{"action: org.example.GO, screen: one", "screen: one", 10, "an intent needs an action or a scheme"},
		{"action: org.example.GO, screen: one", "action: A, screen: two", 10, `an intent: no screen "two"`},
		{"class: EditText, var: v, ime: done", "class: EditText", 15, "a field needs var"},
		{"class: EditText, var: v, ime: done", "class: EditText, var: w", 15, `no variable "w"`},
		{"class: EditText, var: v, ime: done", "class: EditText, var: v, ime: fly", 15, `ime cannot be "fly"; it is one of none, go`},
		{"class: EditText, var: v, ime: done", "class: Button, ime: done", 15, "only an EditText has hint, ime"},
		{"class: EditText, var: v, ime: done", "class: Buton", 15, `no class "Buton"`},
		{"class: EditText, var: v, ime: done", "flags: [bright]", 15, `no flag "bright"; there are clickable`},
		{"class: EditText, var: v, ime: done", "height: 0", 15, `height has to be a whole number from 1 to 2000, not "0"`},
		{"class: EditText, var: v, ime: done", "slide: [back]", 15, "what slides needs var"},
		{"class: EditText, var: v, ime: done", "if: v = 1", 15, "a condition is name, !name, name=value"},
		{"class: EditText, var: v, ime: done", "if: w", 15, `no variable "w"`},
		{"class: EditText, var: v, ime: done", "row: [], column: []", 15, "a node is a row or a column, not both"},
		{"each: rows", "each: row", 16, `no list "row"`},
		{"{row.a}", "{row.b}", 16, `"row.b": the list has no column "b"`},
		{"{row.a}", "{s.a}", 16, `"s.a": no row is picked as "s"`},
		{"each: rows, ", "", 16, `there is no row here`},
		{"go: one", "go: two", 16, `go: no screen "two"`},
		{"go: one", "goto: one", 16, `no action "goto" with something behind it; actions are action, add`},
		{"go: one", "back: one", 16, `no action "back" with something behind it`},
		{"go: one]", "gone]", 16, `no action "gone" that stands alone`},
		{"go: one]", "set: {w: x}]", 16, `set: no variable "w"`},
		{"go: one]", "effect: {object: x}]", 16, "effect needs what"},
		{"go: one]", "effect: {what: x, who: y}]", 16, `effect has no key "who"; it takes what, object`},
		{"go: one]", "add: {list: rows, b: x}]", 16, `add: the list has no column "b"`},
		{"go: one]", "remove: q]", 16, `remove: nothing picks "q"`},
		{"go: one]", "{if: v}]", 16, "if needs do"},
		{"go: one]", "{go: one, home: x}]", 16, `"home" cannot stand beside go`},
		{"view:", "vue:", 13, `a screen has no key "vue"`},
		{"screens:", "dialogs: {d: {title: x}}\nscreens:", 11, "dialog d has nothing to press"},
		{"screens:", "dialogs: {one: {buttons: [{text: x}]}}\nscreens:", 13, `"one" is a dialog already`},
		{"column:", "column: []\ndialogs: {one: {buttons: [{text: x}]}}\nignored:", 15, `"one" is a screen already`},
		{"package: org", "- package: org", 0, "no YAML"},
		{whole, "words", 0, "the file has to be one mapping"},
		{whole, "", 0, "the file has to be one mapping"},
		{whole, strings.Repeat("# long\n", 40000), 0, "an app has at most"},
		{whole, strings.Repeat("[", 60) + strings.Repeat("]", 60), 0, "the file has to be one mapping"},
		{"{v: \"\"}", strings.Repeat("[", 60) + strings.Repeat("]", 60), 7, "nested more than 48 deep"},
	}
	for _, c := range cases {
		text := strings.Replace(whole, c.old, c.new, 1)
		if text == whole {
			t.Errorf("%q does not stand in the app", c.old)
			continue
		}
		_, err := New(Options{Apps: fstest.MapFS{"a.yaml": {Data: []byte(text)}}})
		var first *AppError
		if !errors.As(err, &first) {
			t.Errorf("%q: error %v", c.new, err)
			continue
		}
		found := slices.ContainsFunc(complaints(err), func(e *AppError) bool {
			return e.File == "a.yaml" && e.Line == c.line && strings.Contains(e.Problem, c.says)
		})
		if !found {
			t.Errorf("%q: want line %d: %s\ngot %v", c.new, c.line, c.says, err)
		}
	}
	if len(cases) != 57 {
		t.Errorf("%d cases, 57 are expected", len(cases))
	}
	if _, err := New(Options{Apps: fstest.MapFS{"a.yaml": {Data: []byte(whole)}}}); err != nil {
		t.Errorf("the app as it is: %v", err)
	}
}

// complaints are all that an error is made of.
func complaints(err error) []*AppError {
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		var list []*AppError
		for _, e := range joined.Unwrap() {
			list = append(list, complaints(e)...)
		}
		return list
	}
	var one *AppError
	if errors.As(err, &one) {
		return []*AppError{one}
	}
	return nil
}

func TestAPhoneNeedsALauncherAndEachAppOnce(t *testing.T) {
	a := &fstest.MapFile{Data: []byte(whole)}
	for _, c := range []struct {
		apps fstest.MapFS
		says string
	}{
		{fstest.MapFS{}, "no app: a phone needs a launcher"},
		{fstest.MapFS{"a.yaml": a, "b.yaml": a}, "b.yaml: package org.example.a is in a.yaml already"},
		{fstest.MapFS{"a.yaml": {Data: []byte(strings.Replace(whole, "home: true", "home: false", 1))}}, "no app says home: true"},
		{fstest.MapFS{"a.yaml": {Data: []byte(strings.Replace(whole, "main: one\n", "", 1))}}, "one app says home: true, and that has a main screen"},
		{fstest.MapFS{"a.yaml": a, "strings.yaml": {Data: []byte("ok: {en: OK}")}}, `strings.yaml:1: string ok says nothing in "de"`},
	} {
		if _, err := New(Options{Apps: c.apps}); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("error %v, want %s", err, c.says)
		}
	}
}

// FuzzApps: whatever a file says, it is refused with complaints that name it
// and a line that it has, or the phone shows it and its dump can be read.
func FuzzApps(f *testing.F) {
	f.Add([]byte(whole))
	f.Add([]byte(pad))
	f.Add([]byte("package: a.b\nlabel: x\nhome: true\nmain: m\nscreens: {m: {view: {text: x, width: all}}}"))
	f.Add([]byte("package: a.b\nlabel: x\nhome: true\nmain: m\nscreens: {m: {bar: {title: t, up: true}, enter: [go: m], view: {frame: [{at: bottom right}]}}}"))
	f.Add([]byte("package: a.b\n0:\r\r\rA:"))
	f.Fuzz(func(t *testing.T, data []byte) {
		lines := 2 // YAML ends lines with more than line feeds
		for _, end := range []string{"\n", "\r", "\u0085", "\u2028", "\u2029"} {
			lines += strings.Count(string(data), end)
		}
		p, err := New(Options{Apps: fstest.MapFS{"a.yaml": {Data: data}}})
		if err != nil {
			said := complaints(err)
			for _, e := range said {
				if e.File != "a.yaml" || e.Line < 0 || e.Line > lines || e.Problem == "" {
					t.Errorf("complaint %+v", e)
				}
			}
			if len(said) == 0 && !strings.Contains(err.Error(), "home: true") {
				t.Errorf("error without a complaint: %v", err)
			}
			return
		}
		dump, err := p.Dump(DumpOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if s, err := screen.Read(dump, screen.Limits{}); err != nil || s.Truncated || len(s.Nodes) != len(p.Nodes()) {
			t.Errorf("%s cannot be read: %v", dump, err)
		}
	})
}
