package relay

import (
	"context"
	"fmt"
	"strings"

	"github.com/countersign/countersign/risk"
)

// uia2 is Appium's server on the phone, in the versions since 5: W3C WebDriver
// over Netty. Its routes are those of AppiumServlet in
// appium/appium-uiautomator2-server 10.6.6, and a few that WebDriver has besides.
var uia2 = &server{
	name: UIA2, chunked: true, read: readUIA2, look: lookUIA2, deny: denyUIA2, stale: staleUIA2,
	absent: func(_ *request, a *absent) reply { return reply{a.answer.status, contentJSON, a.answer.body} },
}

// w3cCall is one call with what its path names.
type w3cCall struct {
	session string
	args    []string // the segments that a pattern leaves open
	body    object
}

// w3cRoute is a path and what it means. A segment that begins with a colon stands
// for any.
type w3cRoute struct {
	method, pattern string
	read            func(m *Memory, c *w3cCall) meaning
}

// uia2Routes are the known routes below /session/:session, by method and number
// of segments.
var uia2Routes = func() map[string][]w3cRoute {
	byShape := map[string][]w3cRoute{}
	for _, list := range [][]w3cRoute{uia2Reads, uia2Acts} {
		for _, r := range list {
			shape := shapeOf(r.method, strings.Split(r.pattern, "/"))
			byShape[shape] = append(byShape[shape], r)
		}
	}
	return byShape
}()

func shapeOf(method string, segments []string) string {
	return fmt.Sprint(method, len(segments))
}

func readUIA2(m *Memory, r *request) meaning {
	// The server drops one slash at the end, which a client sends for a session.
	target := strings.TrimSuffix(r.target, "/")
	segments := strings.Split(strings.TrimPrefix(target, "/"), "/")
	for _, s := range segments {
		if !plainSegment(s) {
			return meaning{describe: "unknown path"}
		}
	}
	body, ok := w3cBody(r)
	if !ok {
		return meaning{describe: "call that cannot be read"}
	}
	switch {
	case r.method == "GET" && (target == "/status" || target == "/sessions" || target == "/appium/device/apps"):
		return meaning{reads: true, describe: segments[len(segments)-1]}
	case r.method == "POST" && target == "/session":
		return meaning{acts: harmless(), describe: "new session", keep: keepSession}
	case segments[0] != "session" || len(segments) < 2:
		return meaning{describe: "unknown path"}
	case len(segments) == 2:
		return wholeSession(r.method, segments[1])
	}
	return readRoute(m, r.method, segments[2:], &w3cCall{session: segments[1], body: body})
}

// plainSegment reports whether a segment of a path says what it is: nothing is
// escaped, empty, or a way up.
func plainSegment(s string) bool {
	for i := 0; i < len(s); i++ {
		c := s[i]
		if !('a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || strings.IndexByte("-_.", c) >= 0) {
			return false
		}
	}
	return s != "" && s != "." && s != ".."
}

// w3cBody reads the object that a call carries; one without a body is empty.
func w3cBody(r *request) (object, bool) {
	if len(r.body) == 0 {
		return object{}, true
	}
	if !plainText(r) {
		return nil, false
	}
	return asObject(r.body)
}

// wholeSession is a call on a session itself.
func wholeSession(method, id string) meaning {
	switch method {
	case "GET":
		return meaning{reads: true, describe: "session"}
	case "DELETE":
		return meaning{acts: harmless(), describe: "end of the session", keep: func(m *Memory, a *answer) {
			if a.status == 200 {
				m.endSession(id)
			}
		}}
	}
	return meaning{describe: "unknown path"}
}

// readRoute finds the route of a call.
func readRoute(m *Memory, method string, segments []string, c *w3cCall) meaning {
	for _, route := range uia2Routes[shapeOf(method, segments)] {
		if args, ok := matches(route.pattern, segments); ok {
			c.args = args
			if !c.oneElement(route.pattern) {
				return meaning{}
			}
			m.setSession(c.session)
			mean := route.read(m, c)
			if mean.describe == "" {
				mean.describe = strings.Join(segments, "/")
			}
			return mean
		}
	}
	return meaning{describe: "unknown path"}
}

// elementNames are where a body may name an element beside the path.
var elementNames = []string{"element", "elementId", "id", elementKeys[0], elementKeys[1]}

// oneElement reports whether a body that names an element means that of the path:
// some versions of the server take the one, some the other.
func (c *w3cCall) oneElement(pattern string) bool {
	if !strings.HasPrefix(pattern, "element/:") && pattern != "keys" {
		return true
	}
	for _, name := range elementNames {
		if v := c.body[name]; v != nil && (len(c.args) == 0 || v != c.args[0]) {
			return false
		}
	}
	return true
}

func matches(pattern string, segments []string) (args []string, ok bool) {
	for i, p := range strings.Split(pattern, "/") {
		switch {
		case strings.HasPrefix(p, ":"):
			args = append(args, segments[i])
		case p != segments[i]:
			return nil, false
		}
	}
	return args, true
}

// keepSession remembers the session that was made.
func keepSession(m *Memory, a *answer) {
	o, _ := asObject(a.body)
	value, _ := o["value"].(object)
	for _, v := range []any{value["sessionId"], o["sessionId"]} {
		if id, ok := v.(string); ok && a.status == 200 && plainSegment(id) {
			m.setSession(id)
			return
		}
	}
}

// w3cValue is the value of an answer that succeeded.
func w3cValue(a *answer) any {
	if a.status != 200 {
		return nil
	}
	o, _ := asObject(a.body)
	return o["value"]
}

// elementKeys are the names that an element's id has in a document: WebDriver's
// and the older one.
var elementKeys = []string{"element-6066-11e4-a52e-4f735466cecf", "ELEMENT"}

// elementID is the id of a reference to an element. It is false where there is
// none, or two that differ: of which the server would take one.
func elementID(v any) (string, bool) {
	o, _ := v.(object)
	found := ""
	for _, name := range elementKeys {
		given, has := o[name]
		if !has || given == nil {
			continue
		}
		id, ok := given.(string)
		if !ok || !plainSegment(id) || found != "" && found != id {
			return "", false
		}
		found = id
	}
	return found, found != ""
}

// keepFound remembers how elements were found.
func keepFound(how string) func(*Memory, *answer) {
	return func(m *Memory, a *answer) {
		value := w3cValue(a)
		list, several := value.([]any)
		if !several {
			list = []any{value}
		}
		var ids []string
		for _, v := range list {
			if id, ok := elementID(v); ok {
				ids = append(ids, id)
			}
		}
		m.remember(ids, how)
	}
}

// lookUIA2 asks the server where an element is now and what it says. handle is
// the session and the element, with a slash between.
func lookUIA2(ctx context.Context, a *asker, _ *Memory, handle string) (t thing, err error) {
	session, id, _ := strings.Cut(handle, "/")
	base := "/session/" + session + "/element/" + id
	rect, err := a.ask(ctx, "GET", base+"/rect", nil)
	if err != nil {
		return thing{}, err
	}
	value, ok := w3cValue(&rect).(object)
	if !ok {
		return thing{}, noElement(rect)
	}
	if t, ok = thingOfRect(value); !ok {
		return thing{}, fmt.Errorf("the server on the phone did not say where the element is")
	}
	for _, part := range []struct {
		path string
		to   *string
	}{{"/text", &t.text}, {"/attribute/content-desc", &t.description}, {"/attribute/resource-id", &t.id}} {
		got, err := a.ask(ctx, "GET", base+part.path, nil)
		if err != nil {
			return thing{}, err
		}
		*part.to, _ = w3cValue(&got).(string) // none, where the element has no such attribute
	}
	return t, nil
}

// noElement is the server's word that there is no such element, or that it could
// not say.
func noElement(a answer) error {
	o, _ := asObject(a.body)
	value, _ := o["value"].(object)
	switch value["error"] {
	case "stale element reference", "no such element", "invalid session id":
		return &absent{answer: a}
	}
	return fmt.Errorf("the server on the phone did not say where the element is: status %d", a.status)
}

func thingOfRect(rect object) (t thing, ok bool) {
	x, okX := whole(rect["x"])
	y, okY := whole(rect["y"])
	width, okWidth := whole(rect["width"])
	height, okHeight := whole(rect["height"])
	return thing{left: x, top: y, right: x + width, bottom: y + height}, okX && okY && okWidth && okHeight
}

// onElement is a call on an element of the session.
func onElement(c *w3cCall, id string, build func(thing) []risk.Action) meaning {
	handle := c.session + "/" + id
	return meaning{handles: []string{handle}, build: func(things map[string]thing) []risk.Action {
		if t := things[handle]; !t.empty() {
			return build(t)
		}
		return nil
	}}
}

// denyUIA2 says no as a WebDriver error. webdriverio sends the call again some
// times whatever the status is; the verdict stays.
func denyUIA2(r *request, why string) reply { return w3cError(500, "unknown error", why) }

// staleUIA2 says that an element has to be found again, which clients do not
// take for a reason to repeat the call.
func staleUIA2(r *request, why string) reply { return w3cError(404, "stale element reference", why) }

func w3cError(status int, code, why string) reply {
	return document(status, object{"value": object{"error": code, "message": why, "stacktrace": ""}})
}
