package command

import (
	"fmt"
	"net/url"
	"strings"
)

// isIntentLink reports whether a link is an intent in disguise.
func isIntentLink(s string) bool {
	lower := strings.ToLower(s)
	return strings.HasPrefix(lower, "intent:") || strings.HasPrefix(lower, "android-app:") || strings.Contains(s, "#Intent;")
}

// intentFromLink reads "intent:DATA#Intent;key=value;...;end" and
// "android-app://PACKAGE/SCHEME/HOST/...#Intent;...;end".
func intentFromLink(s string) (Intent, error) {
	body, fragment, found := strings.Cut(s, "#Intent;")
	i := Intent{Action: actionView}
	scheme := ""
	if found {
		fields, _, closed := strings.Cut(fragment, ";end")
		if !closed && fragment != "end" {
			return Intent{}, fmt.Errorf("%w: the link has no ;end", ErrIntent)
		}
		for field := range strings.SplitSeq(fields, ";") {
			if field == "" || field == "end" {
				continue
			}
			if err := i.linkField(field, &scheme); err != nil {
				return Intent{}, err
			}
		}
	}
	if rest, ok := cutPrefixFold(body, "android-app://"); ok {
		return i.appLink(rest)
	}
	rest, ok := cutPrefixFold(body, "intent:")
	if !ok {
		rest = body
	}
	switch {
	case scheme != "":
		i.Data = scheme + ":" + rest
	case rest != "":
		i.Data = rest
	}
	if i.Data == "" && i.Action == actionView && (i.Component != "" || i.Package != "") {
		i.Action = "" // nothing to view: it starts the app
	}
	return i, nil
}

// linkField reads one "key=value" of a link.
func (i *Intent) linkField(field string, scheme *string) error {
	if field == "SEL" { // what follows decides who gets it
		i.hidden = true
		return nil
	}
	key, raw, ok := strings.Cut(field, "=")
	value, err := url.PathUnescape(raw)
	if !ok || err != nil {
		return fmt.Errorf("%w: link field %q is not key=value", ErrIntent, field)
	}
	switch key {
	case "action":
		i.Action = value
	case "category":
		i.Categories = append(i.Categories, value)
	case "type":
		i.Type = value
	case "component":
		i.Component = value
	case "package":
		i.Package = value
	case "scheme":
		*scheme = value
	case "launchFlags", "sourceBounds", "identifier":
	default:
		name, ok := cutExtra(key)
		if !ok {
			return fmt.Errorf("%w: link field %q is not known", ErrIntent, key)
		}
		if i.Extras == nil {
			i.Extras = map[string]string{}
		}
		i.Extras[name] = value
	}
	return nil
}

// cutExtra returns the name of an extra: its key has the type in front of it.
func cutExtra(key string) (string, bool) {
	if len(key) < 3 || key[1] != '.' || !strings.Contains("SBbcdfils", key[:1]) {
		return "", false
	}
	name, err := url.PathUnescape(key[2:])
	return name, err == nil
}

// appLink reads what follows "android-app://".
func (i Intent) appLink(rest string) (Intent, error) {
	parts := strings.SplitN(rest, "/", 3)
	i.Package = parts[0]
	switch {
	case i.Package == "":
		return Intent{}, fmt.Errorf("%w: the link names no package", ErrIntent)
	case len(parts) == 1 || parts[1] == "":
		if i.Action == actionView {
			i.Action = actionMain
		}
	case len(parts) == 2:
		i.Data = parts[1] + ":"
	default:
		i.Data = parts[1] + "://" + parts[2]
	}
	return i, nil
}

// cutPrefixFold cuts a prefix in any case, as schemes are.
func cutPrefixFold(s, prefix string) (string, bool) {
	if len(s) < len(prefix) || !strings.EqualFold(s[:len(prefix)], prefix) {
		return s, false
	}
	return s[len(prefix):], true
}
