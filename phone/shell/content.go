package shell

import (
	"encoding/base64"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/countersign/countersign/phone"
)

// contentPrograms ask content providers.
var contentPrograms = map[string]program{"content": content}

// request is what "content" was asked.
type request struct {
	verb, uri, where, method, arg string
	projection                    []string
	binds                         map[string]string
}

// parseRequest reads the words of content. Bindings are name:type:value; what
// follows the second colon is the value, with all its colons.
func parseRequest(args []string) (request, bool) {
	q := request{binds: map[string]string{}}
	if len(args) == 0 {
		return q, false
	}
	q.verb = args[0]
	args = withoutUser(args[1:])
	for ; len(args) > 1; args = args[2:] {
		value := args[1]
		switch args[0] {
		case "--uri":
			q.uri = value
		case "--where":
			q.where = value
		case "--projection":
			q.projection = strings.Split(value, ":")
		case "--method":
			q.method = value
		case "--arg":
			q.arg = value
		case "--bind", "--extra":
			parts := strings.SplitN(value, ":", 3)
			if len(parts) < 3 {
				return q, false
			}
			q.binds[parts[0]] = parts[2]
		case "--sort", "--extras":
		default:
			return q, false
		}
	}
	return q, len(args) == 0 && strings.HasPrefix(q.uri, "content://")
}

func content(r *run) int {
	q, ok := parseRequest(r.args[1:])
	if !ok {
		r.complain("[ERROR] Unsupported argument or missing --uri\nusage: adb shell content [subcommand] [options]")
		return 1
	}
	authority, path, _ := strings.Cut(strings.TrimPrefix(q.uri, "content://"), "/")
	switch {
	case authority == "settings":
		return r.contentSettings(q, path)
	case authority == "com.mobilerun.portal" || authority == "com.droidrun.portal":
		return r.contentPortal(q, strings.Trim(path, "/"))
	}
	table, known := contentTables[authority+"/"+strings.Trim(path, "/")]
	switch {
	case !known:
		r.complain("Error while accessing provider:%s\njava.lang.IllegalStateException: Could not find provider: %s", authority, authority)
		return 1
	case q.verb == "query":
		return r.rows(table, q)
	case q.verb == "insert" || q.verb == "update" || q.verb == "delete" || q.verb == "call":
		return 0 // written down with its words; the simulation has no such tables to change
	case q.verb == "read":
		return 0
	}
	r.complain("[ERROR] Unsupported command: %s", q.verb)
	return 1
}

// contentTables are what a phone has that is nobody else's business.
var contentTables = map[string][]map[string]string{
	"sms":       messages,
	"sms/inbox": messages,
	"sms/sent":  {},
	"com.android.contacts/contacts": {
		{"_id": "1", "display_name": "Ayşe Yılmaz"}, {"_id": "2", "display_name": "Max Weber"}, {"_id": "3", "display_name": "Marie Petit"},
	},
	"com.android.contacts/data/phones": numbers,
	"contacts/phones":                  numbers,
	"call_log/calls":                   {{"_id": "1", "number": "+15550102", "type": "1", "duration": "42"}},
	"media/external/images/media":      {{"_id": "1", "_display_name": "IMG_0001.jpg", "_data": "/storage/emulated/0/DCIM/IMG_0001.jpg"}},
	"com.android.calendar/events":      {{"_id": "1", "title": "Dentist", "dtstart": "1796119200000"}},
	"telephony/carriers/preferapn":     {{"_id": "1", "name": "Simulated", "apn": "internet"}},
}

var messages = []map[string]string{
	{"_id": "1", "address": "+15550101", "body": "Your code is 481516", "read": "0"},
	{"_id": "2", "address": "+15550102", "body": "See you at eight", "read": "1"},
}

var numbers = []map[string]string{
	{"_id": "1", "display_name": "Max Weber", "number": "+15550102"}, {"_id": "2", "display_name": "Marie Petit", "number": "+15550103"},
}

// rows prints a table as content does.
func (r *run) rows(table []map[string]string, q request) int {
	if len(table) == 0 {
		r.printf("No result found.\n")
		return 0
	}
	for i, row := range table {
		columns := q.projection
		if columns == nil {
			columns = slices.Sorted(maps.Keys(row))
		}
		var cells []string
		for _, c := range columns {
			value, ok := row[c]
			if !ok {
				value = "NULL"
			}
			cells = append(cells, c+"="+value)
		}
		r.printf("Row: %d %s\n", i, strings.Join(cells, ", "))
	}
	return 0
}

// contentSettings is the other way to the settings.
func (r *run) contentSettings(q request, path string) int {
	space, key, _ := strings.Cut(strings.Trim(path, "/"), "/")
	if !slices.Contains(namespaces, space) {
		return r.fail("Unsupported Uri: %s", q.uri)
	}
	if key == "" {
		key = q.binds["name"]
	}
	switch q.verb {
	case "query":
		var table []map[string]string
		all := r.phone().Settings(space)
		for i, name := range slices.Sorted(maps.Keys(all)) {
			if (key == "" || name == key) && (q.where == "" || strings.Contains(q.where, "'"+name+"'")) {
				table = append(table, map[string]string{"_id": strconv.Itoa(i + 1), "name": name, "value": all[name]})
			}
		}
		return r.rows(table, q)
	case "insert", "update":
		if key == "" && q.verb == "update" {
			_, rest, _ := strings.Cut(q.where, "'")
			key, _, _ = strings.Cut(rest, "'")
		}
		r.phone().SetSetting(space, key, q.binds["value"])
	case "delete":
		r.phone().DeleteSetting(space, key)
	case "call":
		switch verb, target, _ := strings.Cut(strings.ToLower(q.method), "_"); verb {
		case "get":
			value, _ := r.phone().Setting(target, q.arg)
			r.printf("Result: Bundle[{value=%s}]\n", value)
		case "put":
			r.phone().SetSetting(target, q.arg, q.binds["value"])
		}
	}
	return 0
}

// contentPortal is the provider of the Portal app: the screen by query, typing
// by insert. Without the app there is no such provider.
func (r *run) contentPortal(q request, path string) int {
	authority, _, _ := strings.Cut(strings.TrimPrefix(q.uri, "content://"), "/")
	if _, ok := r.phone().Package(authority); !ok {
		r.complain("Error while accessing provider:%s\njava.lang.IllegalStateException: Could not find provider: %s", authority, authority)
		return 1
	}
	if q.verb == "insert" {
		return r.portalInsert(q, path)
	}
	var answer any
	switch path {
	case "version":
		answer = "0.4.7"
	case "ping":
		answer = "pong"
	case "auth_token":
		answer = "5b0f7a52-simulated"
	case "packages":
		answer = r.phone().Packages()
	case "phone_state":
		answer = portalState(r.phone())
	case "a11y_tree":
		answer = portalTree(r.phone())
	case "state", "state_full":
		answer = map[string]any{"a11y_tree": portalTree(r.phone()), "phone_state": portalState(r.phone())}
	default:
		r.printf("Row: 0 result={\"status\":\"error\",\"error\":\"Unknown endpoint: %s\"}\n", path)
		return 0
	}
	inner, ok := answer.(string)
	if !ok {
		text, err := json.Marshal(answer)
		if err != nil {
			return 1
		}
		inner = string(text)
	}
	outer, _ := json.Marshal(map[string]string{"status": "success", "result": inner, "data": inner})
	r.printf("Row: 0 result=%s\n", outer)
	return 0
}

// portalInsert types a text, which comes in Base64, or presses a key.
func (r *run) portalInsert(q request, path string) int {
	switch path {
	case "keyboard/input":
		text, err := base64.StdEncoding.DecodeString(q.binds["base64_text"])
		if err != nil {
			r.complain("Error while accessing provider: %v", err)
			return 1
		}
		if q.binds["clear"] != "false" && q.binds["clear"] != "" {
			r.clearField()
		}
		r.phone().Type(string(text))
	case "keyboard/clear":
		r.clearField()
	case "keyboard/key":
		if code, err := strconv.Atoi(q.binds["key_code"]); err == nil {
			r.phone().Key(code, false)
		}
	}
	return 0
}

// clearField empties the field that has the focus.
func (r *run) clearField() {
	for _, n := range r.phone().Nodes() {
		if n.Focused && n.Editable {
			r.phone().SetText(n, "")
			return
		}
	}
}

func portalState(p *phone.Phone) map[string]any {
	pkg, activity := p.Focus()
	label := ""
	if app, ok := p.Package(pkg); ok {
		label = app.Label
	}
	shown := slices.ContainsFunc(p.Windows(), func(w phone.Window) bool { return w.Kind == "keyboard" })
	return map[string]any{"currentApp": label, "packageName": pkg, "activityName": activity, "keyboardVisible": shown}
}

// portalTree is a flat list with an index for each node that says something.
func portalTree(p *phone.Phone) []map[string]any {
	tree := []map[string]any{}
	for _, n := range p.Nodes() {
		text := n.Text
		if text == "" {
			text = n.Description
		}
		if text == "" && !n.Clickable {
			continue
		}
		b := n.Bounds
		tree = append(tree, map[string]any{
			"index": len(tree) + 1, "resourceId": n.ResourceID, "className": n.Class, "text": text,
			"bounds":   strings.Join([]string{strconv.Itoa(b.Min.X), strconv.Itoa(b.Min.Y), strconv.Itoa(b.Max.X), strconv.Itoa(b.Max.Y)}, ", "),
			"children": []any{},
		})
	}
	return tree
}
