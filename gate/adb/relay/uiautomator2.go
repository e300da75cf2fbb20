package relay

import (
	"context"
	"fmt"
	"strings"

	"github.com/countersign/countersign/risk"
)

// uiautomator2 is openatx's server: JSON-RPC 2.0 over NanoHTTPD. Its calls are
// those of AutomatorService in openatx/android-uiautomator-server.
var uiautomator2 = &server{
	name: UIAutomator2, read: readUIAutomator2, look: lookUIAutomator2, deny: denyUIAutomator2,
	absent: func(r *request, a *absent) reply { return rpcErrors(r, a.fault) },
	bodies: func(path string) bool { return path == rpcPath },
}

const rpcPath = "/jsonrpc/0"

// uiautomator2Paths are its other paths. "/stop" ends the server and is left out.
var uiautomator2Paths = map[string]route{
	"/ping": readsOnly("ping"), "/version": readsOnly("version"), "/info": readsOnly("info"),
	"/screenshot": readsOnly("screenshot"), "/screenshot/0": readsOnly("screenshot"),
	"/0/screenshot": readsOnly("screenshot"), "/dump/hierarchy": readsOnly("dump"),
}

// readsOnly is a path that shows something.
func readsOnly(describe string) route {
	return func(*Memory, *request) meaning { return meaning{reads: true, describe: describe} }
}

func readUIAutomator2(m *Memory, r *request) meaning {
	if path, known := uiautomator2Paths[r.path()]; known && r.method == "GET" {
		return path(m, r)
	}
	// A query is not accepted with a call: old servers read the call from there.
	if r.target != rpcPath || r.method != "POST" || !plainText(r) {
		return meaning{describe: "unknown path"}
	}
	v, err := parseJSON(r.body)
	if err != nil {
		return meaning{describe: "call that cannot be read"}
	}
	if batch, several := v.([]any); several {
		return readBatch(batch)
	}
	return readRPC(v)
}

// plainText reports whether a body is what it seems to be: not packed, not a
// form, not in another encoding.
func plainText(r *request) bool {
	if r.value("content-encoding") != "" {
		return false
	}
	kind, parameters, _ := strings.Cut(strings.ToLower(r.value("content-type")), ";")
	switch strings.TrimSpace(kind) {
	case "", "application/json", "text/plain", "application/json-rpc", "text/json":
	default:
		return false
	}
	_, charset, given := strings.Cut(parameters, "charset=")
	switch strings.Trim(charset, " \"") {
	case "utf-8", "utf8", "us-ascii":
		return true
	}
	return !given && !strings.Contains(parameters, "charset")
}

// maxBatch bounds how many calls come in one request.
const maxBatch = 32

// readBatch reads several calls, which are judged as one.
func readBatch(batch []any) meaning {
	all := meaning{reads: len(batch) > 0 && len(batch) <= maxBatch}
	names := make([]string, 0, len(batch))
	unknown := !all.reads
	var builds []func(map[string]thing) []risk.Action
	for _, v := range batch[:min(len(batch), maxBatch)] {
		one := readRPC(v)
		names = append(names, one.describe)
		all.handles = append(all.handles, one.handles...)
		if one.reads {
			continue
		}
		all.reads = false
		unknown = unknown || one.acts == nil && one.build == nil
		builds = append(builds, func(things map[string]thing) []risk.Action {
			if one.build != nil {
				return one.build(things)
			}
			return one.acts
		})
	}
	all.describe = "batch of " + strings.Join(names, ", ")
	if unknown || all.reads {
		all.handles = nil
		return all
	}
	all.build = func(things map[string]thing) []risk.Action { return concat(builds, things) }
	if len(all.handles) == 0 {
		all.acts = all.build(nil)
	}
	return all
}

// concat builds all parts; one that is not known makes the whole unknown.
func concat(builds []func(map[string]thing) []risk.Action, things map[string]thing) []risk.Action {
	var acts []risk.Action
	for _, build := range builds {
		part := build(things)
		if part == nil {
			return nil
		}
		acts = append(acts, part...)
	}
	return acts
}

// readRPC reads one call.
func readRPC(v any) meaning {
	o, _ := v.(object)
	method, named := o["method"].(string)
	if !named {
		return meaning{describe: "call without a method"}
	}
	describe := clip(method, 60)
	params, ok := o["params"].([]any)
	if empty, isObject := o["params"].(object); o["params"] == nil || isObject && len(empty) == 0 {
		ok = true // clients leave them out, or send {} for none
	}
	call, known := rpcMethods[method]
	if !ok || !known {
		return meaning{describe: describe}
	}
	m := call(params)
	m.describe = describe
	return m
}

// clip cuts a text of the agent's to what fits a line.
func clip(s string, n int) string {
	if r := []rune(s); len(r) > n {
		return string(r[:n]) + "…"
	}
	return s
}

// refusedCode is the code of our errors, in the range that JSON-RPC leaves to
// servers; the server's own are -32000 to -32003.
const refusedCode = -32040

// denyUIAutomator2 says no with status 200: any other makes the client restart its
// server and send the call again.
func denyUIAutomator2(r *request, why string) reply {
	return rpcErrors(r, object{
		"code": refusedCode, "message": why,
		"data": object{"exceptionTypeName": "countersign.Refused", "message": why},
	})
}

// rpcErrors answers each call of a request with the same error.
func rpcErrors(r *request, fault any) reply {
	if r.path() != rpcPath {
		o, _ := fault.(object)
		why, _ := o["message"].(string)
		return refusal(403, why)
	}
	v, err := parseJSON(r.body)
	if err != nil {
		v = nil // an error for a call without an id
	}
	batch, several := v.([]any)
	if !several {
		return document(200, rpcError(v, fault))
	}
	all := make([]any, 0, len(batch))
	for _, one := range batch {
		all = append(all, rpcError(one, fault))
	}
	return document(200, all)
}

func rpcError(call, fault any) object {
	o, _ := call.(object)
	return object{"jsonrpc": "2.0", "id": o["id"], "error": fault}
}

// lookUIAutomator2 asks the server what a selector finds now.
func lookUIAutomator2(ctx context.Context, a *asker, _ *Memory, selector string) (thing, error) {
	body := []byte(`{"jsonrpc":"2.0","id":1,"method":"objInfo","params":[` + selector + `]}`)
	got, err := a.ask(ctx, "POST", rpcPath, body)
	if err != nil {
		return thing{}, err
	}
	o, ok := asObject(got.body)
	if fault, failed := o["error"]; ok && failed {
		return thing{}, &absent{answer: got, fault: fault}
	}
	info, ok := o["result"].(object)
	if !ok {
		return thing{}, fmt.Errorf("the server on the phone did not say what a selector finds: status %d", got.status)
	}
	return thingOfInfo(info)
}

// thingOfInfo reads what objInfo says.
func thingOfInfo(info object) (t thing, err error) {
	bounds, ok := info["visibleBounds"].(object)
	if !ok {
		bounds, ok = info["bounds"].(object)
	}
	for _, edge := range []struct {
		name string
		to   *int
	}{{"left", &t.left}, {"top", &t.top}, {"right", &t.right}, {"bottom", &t.bottom}} {
		n, isNumber := whole(bounds[edge.name])
		*edge.to, ok = n, ok && isNumber
	}
	if !ok {
		return thing{}, fmt.Errorf("the server on the phone did not say where the control is")
	}
	t.text, _ = info["text"].(string)
	t.description, _ = info["contentDescription"].(string)
	t.id, _ = info["resourceName"].(string)
	t.class, _ = info["className"].(string)
	return t, nil
}
