package command

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// ParseIntent reads an intent in one of three forms: a JSON object with the
// fields of [Intent]; an intent: or android-app: link; or the arguments of
// "am start", with or without the command itself in front. A plain link is the
// intent to view it. Every error wraps [ErrIntent] and says what is wrong.
//
// What it refuses is ambiguous as well as malformed: an unknown or repeated
// JSON field, an argument that only a shell could complete.
func ParseIntent(s string) (Intent, error) {
	if len(s) > MaxLine {
		return Intent{}, fmt.Errorf("%w: %d bytes, at most %d are read", ErrIntent, len(s), MaxLine)
	}
	s = strings.TrimSpace(s)
	switch {
	case s == "":
		return Intent{}, fmt.Errorf("%w: it is empty", ErrIntent)
	case strings.HasPrefix(s, "{"):
		return intentFromJSON(s)
	case strings.HasPrefix(s, "-") || strings.ContainsAny(s, " \t\n"):
	case isIntentLink(s):
		return intentFromLink(s)
	case strings.Contains(s, ":"):
		return Intent{Action: actionView, Data: s}, nil
	}
	words, err := plainWords(s)
	if err != nil {
		return Intent{}, err
	}
	return intentFromCommand(words)
}

// intentFromCommand reads "[am [start]] arguments".
func intentFromCommand(words []string) (Intent, error) {
	if len(words) > 1 && (words[0] == "am" || words[0] == "cmd" && words[1] == "activity") {
		words = words[1:]
		if words[0] == "activity" {
			words = words[1:]
		}
		kind, ok := "", false
		if len(words) > 0 {
			kind, ok = intentCommands[words[0]]
		}
		if !ok {
			return Intent{}, fmt.Errorf("%w: am %s sends none; start, start-service and broadcast do", ErrIntent, strings.Join(words, " "))
		}
		i, err := intentFromArguments(words[1:])
		i.Kind = kind
		return i, err
	}
	return intentFromArguments(words)
}

// plainWords splits a line into words without running anything.
func plainWords(s string) ([]string, error) {
	if problem := unreadable(s); problem != "" {
		return nil, fmt.Errorf("%w: %s", ErrIntent, problem)
	}
	statements, _, err := parse(s)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrIntent, err)
	}
	if len(statements) != 1 {
		return nil, fmt.Errorf("%w: %d commands, one plain list of arguments is accepted", ErrIntent, len(statements))
	}
	stmt := statements[0]
	call, ok := stmt.Cmd.(*syntax.CallExpr)
	if !ok || len(stmt.Redirs) > 0 || len(call.Assigns) > 0 || stmt.Background || stmt.Negated {
		return nil, fmt.Errorf("%w: only one plain list of arguments is accepted", ErrIntent)
	}
	var words []string
	r := &reader{shared: &shared{}, script: s, spanEnd: -1}
	for _, part := range call.Args {
		w := r.word(part)
		if w.why != "" {
			return nil, fmt.Errorf("%w: %q is only known on the phone", ErrIntent, w.text)
		}
		words = append(words, w.text)
	}
	return words, nil
}

// intentFromJSON reads the object form. Names are exact, each may stand once,
// and the values of extras may be of any simple type.
func intentFromJSON(s string) (Intent, error) {
	fields, err := jsonFields([]byte(s))
	if err != nil {
		return Intent{}, err
	}
	var i Intent
	targets := map[string]any{"action": &i.Action, "data": &i.Data, "type": &i.Type,
		"component": &i.Component, "package": &i.Package, "categories": &i.Categories, "kind": &i.Kind}
	for name, raw := range fields {
		if name == "extras" {
			if i.Extras, err = jsonExtras(raw); err != nil {
				return Intent{}, err
			}
			continue
		}
		target, known := targets[name]
		if !known {
			return Intent{}, fmt.Errorf("%w: field %q is none of action, data, type, component, package, categories, extras, kind", ErrIntent, name)
		}
		if err := json.Unmarshal(raw, target); err != nil {
			return Intent{}, fmt.Errorf("%w: field %q: %w", ErrIntent, name, err)
		}
	}
	switch i.Kind {
	case "", KindActivity, KindService, KindBroadcast:
		return i, nil
	}
	return Intent{}, fmt.Errorf("%w: kind %q is none of activity, service, broadcast", ErrIntent, i.Kind)
}

// jsonFields takes an object apart and refuses a name that stands twice, since
// two readers of it could see two intents.
func jsonFields(raw []byte) (map[string]json.RawMessage, error) {
	d := json.NewDecoder(bytes.NewReader(raw))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return nil, fmt.Errorf("%w: not a JSON object", ErrIntent)
	}
	fields := map[string]json.RawMessage{}
	for d.More() {
		t, err := d.Token()
		if err != nil {
			return nil, fmt.Errorf("%w: %w", ErrIntent, err)
		}
		name, _ := t.(string)
		if _, twice := fields[name]; twice {
			return nil, fmt.Errorf("%w: field %q stands twice", ErrIntent, name)
		}
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			return nil, fmt.Errorf("%w: field %q: %w", ErrIntent, name, err)
		}
		fields[name] = value
	}
	if _, err := d.Token(); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrIntent, err)
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, fmt.Errorf("%w: more follows after the object", ErrIntent)
	}
	return fields, nil
}

func jsonExtras(raw json.RawMessage) (map[string]string, error) {
	if string(bytes.TrimSpace(raw)) == "null" {
		return nil, nil
	}
	fields, err := jsonFields(raw)
	if err != nil {
		return nil, fmt.Errorf("extras: %w", err)
	}
	extras := make(map[string]string, len(fields))
	for name, value := range fields {
		var text string
		if json.Unmarshal(value, &text) != nil {
			text = string(value) // a number, a boolean, a list: as written
		}
		extras[name] = text
	}
	return extras, nil
}
