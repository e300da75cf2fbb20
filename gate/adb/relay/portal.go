package relay

import (
	"encoding/base64"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/countersign/countersign/risk"
)

// portal is the accessibility service of droidrun and Mobilerun. It answers one
// request on a connection, and takes the same calls over HTTP, its content
// provider and a WebSocket. Its paths are those of SocketServer and
// ActionDispatcher in droidrun/droidrun-portal.
var portal = &server{name: Portal, read: readPortal, deny: denyPortal}

// portalPaths are what it shows to GET.
var portalPaths = map[string]route{
	"/ping": readsOnly("ping"), "/a11y_tree": readsOnly("tree"), "/a11y_tree_full": readsOnly("tree"),
	"/state": readsOnly("state"), "/state_full": readsOnly("state"), "/phone_state": readsOnly("phone state"),
	"/version": readsOnly("version"), "/packages": readsOnly("packages"), "/screenshot": readsOnly("screenshot"),
}

// portalCalls are what it does on POST, by the name after the slash. Left out on
// purpose, and so unknown: files, triggers, installing, streaming, and its port.
var portalCalls = map[string]func(form map[string]any) meaning{
	"tap": portalTap, "swipe": portalSwipe, "global": portalGlobal,
	"app": portalApp, "app/stop": portalStop, "app/deep-link": portalLink,
	"keyboard/input": portalInput, "input": portalInput, "keyboard/key": portalKey, "key": portalKey,
	"keyboard/clear": portalDoes(typing("")), "clear": portalDoes(typing("")),
	"clipboard/get": portalDoes(shell("cmd clipboard get-text")), "clipboard/set": portalDoes(harmless()...),
	"overlay_offset": portalDoes(harmless()...), "overlay/offset": portalDoes(harmless()...),
	"overlay/set-visible": portalDoes(harmless()...),
	"overlay/visible":     portalReads, "overlay/is-visible": portalReads, "screenshot": portalReads,
	"packages": portalReads, "state": portalReads, "version": portalReads, "time": portalReads,
}

func readPortal(m *Memory, r *request) meaning {
	if token := r.value("authorization"); token != "" {
		m.setToken(token)
	}
	switch r.method {
	case "GET":
		path, known := portalPaths[r.path()]
		if !known || !plainQuery(r.query()) {
			return meaning{describe: "unknown path"}
		}
		return path(m, r)
	case "POST":
		name := strings.TrimPrefix(strings.TrimPrefix(r.target, "/action"), "/")
		call, known := portalCalls[name]
		form, ok := portalForm(r.body)
		if !known || !ok {
			return meaning{describe: clip(name, 60)}
		}
		mean := call(form)
		mean.describe = name
		return mean
	}
	return meaning{describe: "unknown method"}
}

// plainQuery reports whether a query is empty or has plain words only.
func plainQuery(q string) bool {
	return q == "" || strings.Trim(q[1:], "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789=&._-") == ""
}

// portalForm reads a body as the Portal does: an object of plain values, or a
// form. What it would take for something else is refused.
func portalForm(body []byte) (map[string]any, bool) {
	text := strings.TrimSpace(string(body))
	switch {
	case text == "":
		return map[string]any{}, true
	case !utf8.ValidString(text):
		return nil, false
	case strings.HasPrefix(text, "{"):
		return plainObject(body)
	}
	form := map[string]any{}
	for _, pair := range strings.Split(string(body), "&") {
		name, value, found := strings.Cut(pair, "=")
		name, err := url.PathUnescape(name)
		value, err2 := url.PathUnescape(value)
		if _, twice := form[name]; !found || twice || err != nil || err2 != nil {
			return nil, false
		}
		form[name] = value
	}
	return form, true
}

// plainObject reads an object whose values are texts, numbers or truth values.
func plainObject(body []byte) (map[string]any, bool) {
	o, ok := asObject(body)
	for _, v := range o {
		switch v.(type) {
		case object, []any, nil:
			return nil, false
		}
	}
	return o, ok
}

// formNumber is a number, as a number or written as a text.
func formNumber(v any) (int, bool) {
	if text, ok := v.(string); ok {
		n, err := strconv.Atoi(text)
		return n, err == nil && n > -1e9 && n < 1e9
	}
	return whole(v)
}

func formNumbers(form map[string]any, names ...string) ([]int, bool) {
	out := make([]int, len(names))
	for i, name := range names {
		n, ok := formNumber(form[name])
		if !ok {
			return nil, false
		}
		out[i] = n
	}
	return out, true
}

func portalReads(map[string]any) meaning { return meaning{reads: true} }

func portalDoes(acts ...risk.Action) func(map[string]any) meaning {
	return func(map[string]any) meaning { return meaning{acts: acts} }
}

func portalTap(form map[string]any) meaning {
	at, ok := formNumbers(form, "x", "y")
	if !ok {
		return meaning{}
	}
	return meaning{acts: []risk.Action{tap(at[0], at[1])}}
}

// portalSwipeMS is how long the Portal swipes where nobody says.
const portalSwipeMS = 300

func portalSwipe(form map[string]any) meaning {
	at, ok := formNumbers(form, "startX", "startY", "endX", "endY")
	ms := portalSwipeMS
	if form["duration"] != nil && ok {
		ms, ok = formNumber(form["duration"])
	}
	if !ok {
		return meaning{}
	}
	return meaning{acts: []risk.Action{swipe(at[0], at[1], at[2], at[3], ms)}}
}

// globalActions are those of AccessibilityService by number. Splitting the screen
// is left out, and so is what later versions have added.
var globalActions = map[int]risk.Action{
	1: {Kind: risk.Back}, 2: {Kind: risk.Home}, 3: key("APP_SWITCH"),
	4: shell("cmd statusbar expand-notifications"), 5: shell("cmd statusbar expand-settings"),
	6: {Kind: risk.PressKey, Key: "POWER", DurationMS: holdMS}, // the dialog that switches the phone off
	8: key("SLEEP"), 9: {Kind: risk.Screenshot},
}

func portalGlobal(form map[string]any) meaning {
	n, ok := formNumber(form["action"])
	act, known := globalActions[n]
	if !ok || !known {
		return meaning{}
	}
	return meaning{acts: []risk.Action{act}}
}

// appName is the package that a call names, under either of its names.
func appName(form map[string]any) (string, bool) {
	pkg, _ := form["package"].(string)
	if pkg == "" {
		pkg, _ = form["packageName"].(string)
	}
	return pkg, pkg != "" && strings.Trim(pkg, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._") == ""
}

func portalApp(form map[string]any) meaning {
	pkg, ok := appName(form)
	if !ok {
		return meaning{}
	}
	line := "monkey -p " + pkg + " -c android.intent.category.LAUNCHER 1"
	if activity, _ := form["activity"].(string); activity != "" && activity != "null" {
		line = "am start -n " + quoted(pkg+"/"+activity)
	}
	if stop := form["stopBeforeLaunch"]; stop != nil && stop != false && stop != "false" {
		line = "am force-stop " + pkg + " && " + line
	}
	return meaning{acts: []risk.Action{shell(line)}}
}

func portalStop(form map[string]any) meaning {
	pkg, ok := appName(form)
	if !ok {
		return meaning{}
	}
	return meaning{acts: []risk.Action{shell("am force-stop " + pkg)}}
}

func portalLink(form map[string]any) meaning {
	link, _ := form["deepLink"].(string)
	if strings.TrimSpace(link) == "" {
		return meaning{}
	}
	line := "am start"
	action := "android.intent.action.VIEW"
	if given, _ := form["action"].(string); strings.TrimSpace(given) != "" && given != "null" {
		action = given
	}
	line += " -a " + quoted(action) + " -d " + quoted(link)
	if pkg, ok := appName(form); ok {
		line += " -p " + pkg
	}
	return meaning{acts: []risk.Action{shell(line)}}
}

// portalInput types a text that comes in Base64.
func portalInput(form map[string]any) meaning {
	packed, ok := form["base64_text"].(string)
	text, err := base64.StdEncoding.DecodeString(strings.NewReplacer("\n", "", "\r", "", " ", "").Replace(packed))
	if !ok || err != nil || !utf8.Valid(text) {
		return meaning{}
	}
	return meaning{acts: []risk.Action{typing(string(text))}}
}

func portalKey(form map[string]any) meaning {
	code, ok := formNumber(form["key_code"])
	if !ok {
		return meaning{}
	}
	return meaning{acts: []risk.Action{keyCode(code)}}
}

// denyPortal says no with a status that droidrun takes for a failure: it then
// tries the content provider, where the same verdict waits.
func denyPortal(_ *request, why string) reply {
	return document(403, object{"status": "error", "error": why})
}

// errPortalState says that the Portal's answer has no tree.
var errPortalState = fmt.Errorf("%w: the Portal's state has no tree", ErrNoSource)
