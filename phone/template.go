package phone

import (
	"fmt"
	"regexp"
	"strings"
)

// template is a text of an app's data: words, "@key" for a string in the
// phone's language, and {places} that are filled in.
//
//	@confirm_delete      a string, with the places that stand in it
//	{amount} EUR         a variable
//	{row.title}          a column of the row that the node belongs to
//	{mail.from}          the same of a row that was picked
//	{intent.data}        what the screen was started with
//	{secure.bluetooth}   a setting
//	{field.ime}          the IME action of the field with the focus
//	{row.package|label}  what the package is called
type template string

// literal is a template that says just what a text says.
func literal(text string) template { return template("\x00" + text) }

// places finds the {places} of a template.
var places = regexp.MustCompile(`\{([a-z][a-z0-9_.]*)(\|label)?\}`)

// anyBraces finds what looks like a place and may not be one.
var anyBraces = regexp.MustCompile(`\{[^{}]*\}?|\}`)

// key is the key of the string that a template names, if it names one.
func (t template) key() (string, bool) {
	if len(t) > 1 && t[0] == '@' {
		return string(t[1:]), true
	}
	return "", false
}

// names are the names of a text's places.
func names(text string) []string {
	var list []string
	for _, m := range places.FindAllStringSubmatch(text, -1) {
		list = append(list, m[1])
	}
	return list
}

// misplaced is the first thing in braces that is no place, or empty.
func misplaced(text string) string {
	for _, b := range anyBraces.FindAllString(text, -1) {
		if !places.MatchString(b) {
			return b
		}
	}
	return ""
}

// condition is what has to hold: "name", "!name", "name=value", "name!=value".
type condition struct {
	name  string
	value string
	equal bool // compare with value
	not   bool
}

var conditionShape = regexp.MustCompile(`^(!?)([a-z][a-z0-9_.]*)(?:(!?=)(.*))?$`)

func parseCondition(text string) (*condition, error) {
	m := conditionShape.FindStringSubmatch(text)
	if m == nil || m[1] != "" && m[3] != "" {
		return nil, fmt.Errorf("a condition is name, !name, name=value or name!=value, not %q", text)
	}
	return &condition{name: m[2], value: m[4], equal: m[3] != "", not: m[1] != "" || m[3] == "!="}, nil
}

// holds reports whether the condition is met. No condition is.
func (c *condition) holds(s *scope) bool {
	if c == nil {
		return true
	}
	value := s.value(c.name)
	if c.equal {
		return (value == c.value) != c.not
	}
	return (value != "" && value != "false") != c.not
}

// scope is where names get their values from.
type scope struct {
	phone  *Phone
	app    *appState
	screen *activity // what is in intent.*; may be nil
	row    *row      // what is in row.*; may be nil
}

// fill is a template in the language of its app, with its places filled in.
func (s *scope) fill(t template) string {
	text := string(t)
	if plain, ok := strings.CutPrefix(text, "\x00"); ok {
		return plain
	}
	if key, ok := t.key(); ok {
		text = s.app.say(key, s.phone.options.Locale)
	}
	if !strings.Contains(text, "{") {
		return text
	}
	return s.fillPlaces(text)
}

// maxText is how long a text may become, in bytes: one that takes itself in
// twice would soon have no end.
const maxText = 64 << 10

func (s *scope) fillPlaces(text string) string {
	filled := places.ReplaceAllStringFunc(text, func(place string) string {
		m := places.FindStringSubmatch(place)
		value := s.value(m[1])
		if m[2] != "" {
			value = s.phone.labelOf(value)
		}
		return value
	})
	if len(filled) > maxText {
		return strings.ToValidUTF8(filled[:maxText], "")
	}
	return filled
}

// value is what a name stands for; what is not set is empty.
func (s *scope) value(name string) string {
	first, rest, dotted := strings.Cut(name, ".")
	if !dotted {
		return s.app.variables[name]
	}
	switch first {
	case "row":
		return s.column(s.row, rest)
	case "intent":
		if s.screen == nil {
			return ""
		}
		return s.screen.extras[rest]
	case "field":
		return s.phone.top().ime
	case System, Secure, Global:
		return s.phone.settings[first][rest]
	}
	return s.column(s.app.picked[first], rest)
}

func (s *scope) column(r *row, name string) string {
	if r == nil {
		return ""
	}
	return r.fields[name]
}

// say is a string in a language.
func (a *appState) say(key, locale string) string {
	words := a.def.strings[key]
	language, _, _ := strings.Cut(strings.ReplaceAll(locale, "_", "-"), "-")
	if a.def.language != "" {
		language = a.def.language
	}
	if text, ok := words[language]; ok {
		return text
	}
	return words["en"]
}
