package api_test

import (
	"context"
	"errors"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/countersign/countersign/approval"
	"github.com/countersign/countersign/decide"
	"github.com/countersign/countersign/gate/api/planner"
)

// routeCase is one request and what it is answered.
type routeCase struct {
	name    string
	change  func(*settings)
	request func(f *fixture) *http.Request
	status  int
	code    string // of a problem
}

// ask is a request with nothing special about it.
func ask(method, path, body string) func(*fixture) *http.Request {
	return func(f *fixture) *http.Request { return f.request(method, path, body) }
}

// with is a request with a header changed; an empty value takes it away.
func with(request func(*fixture) *http.Request, header, value string) func(*fixture) *http.Request {
	return func(f *fixture) *http.Request {
		req := request(f)
		req.Header.Del(header)
		if value != "" {
			req.Header.Set(header, value)
		}
		return req
	}
}

// about is a request about a question that was brought to a state.
func about(method, rest, body string, bring ...func(f *fixture, id string)) func(*fixture) *http.Request {
	return func(f *fixture) *http.Request {
		id := f.hold(sendTap)
		for _, b := range bring {
			b(f, id)
		}
		return f.request(method, "/v1/actions/"+id+rest, body)
	}
}

func approved(f *fixture, id string) { f.answer(id, true, "") }
func denied(f *fixture, id string)   { f.answer(id, false, "not now") }
func withdrawn(f *fixture, id string) {
	f.call("DELETE", "/v1/actions/"+id, "")
}
func redeemed(f *fixture, id string) {
	if a := f.call("POST", "/v1/actions/"+id+"/redeem", "{"+sendScreen+"}"); a.status != http.StatusOK {
		f.t.Fatalf("not redeemed: %d %s", a.status, a.raw)
	}
}
func lost(f *fixture, _ string)   { f.clock.move(16 * 60e9) }
func broken(f *fixture, _ string) { f.store.broken.Store(true) }
func frozen(f *fixture, _ string) { f.must(f.desk.Freeze(f.ctx, "owner", "")) }
func asBroken(request func(*fixture) *http.Request) func(*fixture) *http.Request {
	return func(f *fixture) *http.Request {
		req := request(f)
		f.store.broken.Store(true)
		return req
	}
}

// allowed is an action that needed no answer.
func allowed(method, rest, body string) func(*fixture) *http.Request {
	return func(f *fixture) *http.Request {
		a := f.call("POST", "/v1/actions", backPress)
		return f.request(method, "/v1/actions/"+a.body.ID+rest, body)
	}
}

// panicking is a decider that fails inside.
type panicking struct{}

func (panicking) Decide(*decide.Request) decide.Decision { panic("no decision") }

// scripted is a planner that answers the same each time.
type scripted struct {
	plan planner.Plan
	err  error
}

func (s scripted) Plan(context.Context, planner.Step) (planner.Plan, error) { return s.plan, s.err }

func planned(p planner.Plan, err error) func(*settings) {
	return func(s *settings) { s.gate.Planner = scripted{p, err} }
}

const (
	screenNow = "{" + sendScreen + "}"
	otherNow  = `{"screen":{"package":"com.whatsapp","tree":"<hierarchy><node class=\"android.widget.ImageButton\" content-desc=\"Pay\" clickable=\"true\" bounds=\"[900,2100][1000,2200]\"/></hierarchy>"}}`
	stepSend  = `{"task":"answer Anna","screen_description":"a chat","current_package":"com.whatsapp","proposed_action":{"kind":"tap","text":"Send"}}`
	stepBack  = `{"task":"go back","screen_description":"a chat","current_package":"com.whatsapp","proposed_action":{"kind":"back"}}`
	noAction  = `{"task":"answer Anna","screen_description":"a chat","current_package":"com.whatsapp"}`
)

var decideCases = []routeCase{
	{name: "decide: allow", request: ask("POST", "/v1/decide", backPress), status: 200},
	{name: "decide: charset", request: with(ask("POST", "/v1/decide", backPress), "Content-Type", "application/json; charset=utf-8"), status: 200},
	{name: "decide: confirm is no 202", request: ask("POST", "/v1/decide", sendTap), status: 200},
	{name: "decide: not JSON", request: ask("POST", "/v1/decide", "tap"), status: 400, code: "bad_request"},
	{name: "decide: ends early", request: ask("POST", "/v1/decide", `{"action":{"kind":"tap"`), status: 400, code: "bad_request"},
	{name: "decide: unknown field", request: ask("POST", "/v1/decide", `{"action":{"kind":"tap"},"approve":true}`), status: 400, code: "bad_request"},
	{name: "decide: twice", request: ask("POST", "/v1/decide", `{"action":{"kind":"tap"},"action":{"kind":"back"}}`), status: 400, code: "bad_request"},
	{name: "decide: wrong type", request: ask("POST", "/v1/decide", `{"action":{"kind":7}}`), status: 400, code: "bad_request"},
	{name: "decide: tree_path", request: ask("POST", "/v1/decide", `{"action":{"kind":"tap"},"screen":{"tree_path":"/etc/passwd"}}`), status: 400, code: "bad_request"},
	{name: "decide: no credential", request: with(ask("POST", "/v1/decide", backPress), "Authorization", ""), status: 401, code: "no_credential"},
	{name: "decide: unknown credential", request: with(ask("POST", "/v1/decide", backPress), "Authorization", "Bearer csa_nobody"), status: 401, code: "credential_unknown"},
	{name: "decide: other scheme", request: with(ask("POST", "/v1/decide", backPress), "Authorization", "Basic Y3NhXzpjc2Ff"), status: 401, code: "bad_credential"},
	{name: "decide: device of nobody's", request: ask("POST", "/v1/decide", `{"action":{"kind":"back"},"device":"other"}`), status: 403, code: "device_foreign"},
	{name: "decide: too large", change: func(s *settings) { s.gate.Limits.Body = 100 }, request: ask("POST", "/v1/decide", sendTap), status: 413, code: "body_too_large"},
	{name: "decide: form", request: with(ask("POST", "/v1/decide", backPress), "Content-Type", "text/plain"), status: 415, code: "content_type"},
	{name: "decide: no content type", request: with(ask("POST", "/v1/decide", backPress), "Content-Type", ""), status: 415, code: "content_type"},
	{name: "decide: latin", request: with(ask("POST", "/v1/decide", backPress), "Content-Type", "application/json; charset=latin1"), status: 415, code: "content_type"},
	{name: "decide: packed", request: with(ask("POST", "/v1/decide", backPress), "Content-Encoding", "gzip"), status: 415, code: "content_encoding"},
	{name: "decide: observed", request: ask("POST", "/v1/decide", `{"action":{"kind":"tap"},"screen":{"observed":true}}`), status: 422, code: "not_yours_to_say"},
	{name: "decide: now", request: ask("POST", "/v1/decide", `{"action":{"kind":"tap"},"now":"2026-05-01T00:00:00Z"}`), status: 422, code: "not_yours_to_say"},
	{name: "decide: agent", request: ask("POST", "/v1/decide", `{"action":{"kind":"tap"},"agent":"another"}`), status: 422, code: "not_yours_to_say"},
	{name: "decide: long id", request: ask("POST", "/v1/decide", `{"action":{"kind":"tap"},"id":"`+strings.Repeat("i", 201)+`"}`), status: 422, code: "too_long"},
	{name: "decide: line in the id", request: ask("POST", "/v1/decide", `{"action":{"kind":"tap"},"id":"a\u0000b"}`), status: 422, code: "bad_name"},
	{name: "decide: over the limit", change: func(s *settings) { s.gate.Limits.Burst = 1 }, status: 429, code: "too_many_decisions",
		request: func(f *fixture) *http.Request {
			f.call("POST", "/v1/decide", backPress)
			return f.request("POST", "/v1/decide", backPress)
		}},
	{name: "decide: a decider that fails", change: func(s *settings) { s.desk.Decider = panicking{} }, request: ask("POST", "/v1/decide", backPress), status: 500, code: "internal"},
	{name: "decide: no store", request: asBroken(ask("POST", "/v1/decide", backPress)), status: 503, code: "audit_unavailable"},
}

var actionCases = []routeCase{
	{name: "actions: allow", request: ask("POST", "/v1/actions", backPress), status: 200},
	{name: "actions: deny", request: ask("POST", "/v1/actions", bypass), status: 200},
	{name: "actions: nobody to ask", change: func(s *settings) { s.desk.Somebody = nil }, request: ask("POST", "/v1/actions", sendTap), status: 200},
	{name: "actions: held", request: ask("POST", "/v1/actions", sendTap), status: 202},
	{name: "actions: no kind", request: ask("POST", "/v1/actions", `{"action":{}}`), status: 400, code: "bad_request"},
	{name: "actions: no credential", request: with(ask("POST", "/v1/actions", sendTap), "Authorization", ""), status: 401, code: "no_credential"},
	{name: "actions: device", request: ask("POST", "/v1/actions", `{"action":{"kind":"back"},"device":"other"}`), status: 403, code: "device_foreign"},
	{name: "actions: several devices", change: func(s *settings) { s.devices = []string{"one", "two"} }, request: ask("POST", "/v1/actions", backPress), status: 403, code: "device_missing"},
	{name: "actions: key reused", status: 409, code: "key_reused", request: func(f *fixture) *http.Request {
		f.do(with(ask("POST", "/v1/actions", sendTap), "Idempotency-Key", "k")(f))
		return with(ask("POST", "/v1/actions", backPress), "Idempotency-Key", "k")(f)
	}},
	{name: "actions: too large", change: func(s *settings) { s.gate.Limits.Body = 10 }, request: ask("POST", "/v1/actions", backPress), status: 413, code: "body_too_large"},
	{name: "actions: form", request: with(ask("POST", "/v1/actions", backPress), "Content-Type", "application/x-www-form-urlencoded"), status: 415, code: "content_type"},
	{name: "actions: two keys", request: with(ask("POST", "/v1/actions", `{"action":{"kind":"back"},"idempotency_key":"a"}`), "Idempotency-Key", "b"), status: 422, code: "key_conflict"},
	{name: "actions: long key", request: with(ask("POST", "/v1/actions", backPress), "Idempotency-Key", strings.Repeat("k", 201)), status: 422, code: "too_long"},
	{name: "actions: too many open", change: func(s *settings) { s.desk.OpenPerAgent = 1 }, status: 429, code: "too_many_open",
		request: func(f *fixture) *http.Request {
			f.hold(sendTap)
			return f.request("POST", "/v1/actions", `{"action":{"kind":"tap"},"screen":{"package":"com.paypal.android.p2pmobile"},"target":{"text":"Pay"}}`)
		}},
	{name: "actions: a decider that fails", change: func(s *settings) { s.desk.Decider = panicking{} }, request: ask("POST", "/v1/actions", backPress), status: 500, code: "internal"},
	{name: "actions: no store", request: asBroken(ask("POST", "/v1/actions", backPress)), status: 503, code: "audit_unavailable"},
	{name: "actions: frozen", status: 200, request: func(f *fixture) *http.Request { frozen(f, ""); return f.request("POST", "/v1/actions", backPress) }},

	{name: "state: pending", request: about("GET", "", ""), status: 200},
	{name: "state: waited in vain", request: about("GET", "?wait=1ms", ""), status: 200},
	{name: "state: of what was allowed", request: allowed("GET", "?wait=1s", ""), status: 200},
	{name: "state: bad wait", request: about("GET", "?wait=soon", ""), status: 400, code: "bad_wait"},
	{name: "state: too long", request: about("GET", "?wait=61s", ""), status: 400, code: "bad_wait"},
	{name: "state: negative", request: about("GET", "?wait=-1s", ""), status: 400, code: "bad_wait"},
	{name: "state: two waits", request: about("GET", "?wait=1s&wait=2s", ""), status: 400, code: "bad_wait"},
	{name: "state: parameter", request: about("GET", "?timeout=1s", ""), status: 400, code: "bad_request"},
	{name: "state: no credential", request: with(about("GET", "", ""), "Authorization", ""), status: 401, code: "no_credential"},
	{name: "state: page", request: with(about("GET", "", ""), "Origin", "null"), status: 403, code: "origin_refused"},
	{name: "state: unknown", request: ask("GET", "/v1/actions/a_nothing", ""), status: 404, code: "not_found"},
	{name: "state: no store", request: about("GET", "", "", broken), status: 503, code: "audit_unavailable"},

	{name: "redeem", request: about("POST", "/redeem", screenNow, approved), status: 200},
	{name: "redeem: with the action", request: about("POST", "/redeem", `{"action":{"kind":"tap","x":950,"y":2150},`+sendScreen+`}`, approved), status: 200},
	{name: "redeem: unknown field", request: about("POST", "/redeem", `{"digest":"x"}`, approved), status: 400, code: "bad_request"},
	{name: "redeem: no kind", request: about("POST", "/redeem", `{"action":{"x":1}}`, approved), status: 400, code: "bad_request"},
	{name: "redeem: tree_path", request: about("POST", "/redeem", `{"screen":{"tree_path":"x"}}`, approved), status: 400, code: "bad_request"},
	{name: "redeem: no credential", request: with(about("POST", "/redeem", screenNow), "Authorization", ""), status: 401, code: "no_credential"},
	{name: "redeem: page", request: with(about("POST", "/redeem", screenNow), "Origin", "http://localhost"), status: 403, code: "origin_refused"},
	{name: "redeem: unknown", request: ask("POST", "/v1/actions/a_nothing/redeem", screenNow), status: 404, code: "not_found"},
	{name: "redeem: pending", request: about("POST", "/redeem", screenNow), status: 409, code: "not_approved"},
	{name: "redeem: denied", request: about("POST", "/redeem", screenNow, denied), status: 409, code: "denied"},
	{name: "redeem: twice", request: about("POST", "/redeem", screenNow, approved, redeemed), status: 409, code: "already_released"},
	{name: "redeem: changed", request: about("POST", "/redeem", otherNow, approved), status: 409, code: "screen_changed"},
	{name: "redeem: late", request: about("POST", "/redeem", screenNow, approved, lost), status: 409, code: "expired"},
	{name: "redeem: withdrawn", request: about("POST", "/redeem", screenNow, withdrawn), status: 409, code: approval.CodeWithdrawn},
	{name: "redeem: frozen", request: about("POST", "/redeem", screenNow, approved, frozen), status: 409, code: approval.CodeFrozen},
	{name: "redeem: what was allowed", request: allowed("POST", "/redeem", screenNow), status: 409, code: "no_question"},
	{name: "redeem: too large", change: func(s *settings) { s.gate.Limits.Body = int64(len(sendTap)) }, request: about("POST", "/redeem", "{"+strings.Repeat(" ", 2000)+"}", approved), status: 413, code: "body_too_large"},
	{name: "redeem: form", request: with(about("POST", "/redeem", screenNow), "Content-Type", "text/html"), status: 415, code: "content_type"},
	{name: "redeem: observed", request: about("POST", "/redeem", `{"screen":{"observed":true}}`, approved), status: 422, code: "not_yours_to_say"},
	{name: "redeem: no look", request: about("POST", "/redeem", `{}`, approved), status: 422, code: "no_look"},
	{name: "redeem: no store", request: about("POST", "/redeem", screenNow, approved, broken), status: 503, code: "audit_unavailable"},

	{name: "result", request: about("POST", "/result", `{"ok":true}`, approved, redeemed), status: 200},
	{name: "result: failed", request: about("POST", "/result", `{"ok":false,"note":"no such button"}`, approved, redeemed), status: 200},
	{name: "result: of what was allowed", request: allowed("POST", "/result", `{"ok":true}`), status: 200},
	{name: "result: no ok", request: about("POST", "/result", `{}`, approved, redeemed), status: 400, code: "bad_request"},
	{name: "result: list", request: about("POST", "/result", `[]`, approved, redeemed), status: 400, code: "bad_request"},
	{name: "result: capitals", request: about("POST", "/result", `{"OK":true}`, approved, redeemed), status: 400, code: "bad_request"},
	{name: "result: more", request: about("POST", "/result", `{"ok":true} {}`, approved, redeemed), status: 400, code: "bad_request"},
	{name: "result: no credential", request: with(about("POST", "/result", `{"ok":true}`), "Authorization", ""), status: 401, code: "no_credential"},
	{name: "result: page", request: with(about("POST", "/result", `{"ok":true}`), "Origin", ""), status: 409, code: "not_approved"},
	{name: "result: origin", request: with(about("POST", "/result", `{"ok":true}`), "Origin", "https://example.org"), status: 403, code: "origin_refused"},
	{name: "result: unknown", request: ask("POST", "/v1/actions/a_nothing/result", `{"ok":true}`), status: 404, code: "not_found"},
	{name: "result: late", request: about("POST", "/result", `{"ok":true}`, approved, redeemed, lost), status: 409, code: approval.CodeResultUnknown},
	{name: "result: of what was refused", status: 409, code: "not_released", request: func(f *fixture) *http.Request {
		return f.request("POST", "/v1/actions/"+f.call("POST", "/v1/actions", bypass).body.ID+"/result", `{"ok":true}`)
	}},
	{name: "result: too large", change: func(s *settings) { s.gate.Limits.Body = 1000 }, request: allowed("POST", "/result", `{"ok":true,"note":"`+strings.Repeat("n", 1000)+`"}`), status: 413, code: "body_too_large"},
	{name: "result: form", request: with(about("POST", "/result", `{"ok":true}`), "Content-Type", "text/html"), status: 415, code: "content_type"},
	{name: "result: long note", request: about("POST", "/result", `{"ok":true,"note":"`+strings.Repeat("n", 501)+`"}`, approved, redeemed), status: 422, code: "too_long"},
	{name: "result: no store", request: about("POST", "/result", `{"ok":true}`, approved, redeemed, broken), status: 503, code: "audit_unavailable"},

	{name: "withdraw", request: about("DELETE", "", ""), status: 200},
	{name: "withdraw: approved", request: about("DELETE", "", "", approved), status: 200},
	{name: "withdraw: no credential", request: with(about("DELETE", "", ""), "Authorization", ""), status: 401, code: "no_credential"},
	{name: "withdraw: page", request: with(about("DELETE", "", ""), "Origin", "x"), status: 403, code: "origin_refused"},
	{name: "withdraw: unknown", request: ask("DELETE", "/v1/actions/a_nothing", ""), status: 404, code: "not_found"},
	{name: "withdraw: twice", request: about("DELETE", "", "", withdrawn), status: 409, code: approval.CodeWithdrawn},
	{name: "withdraw: released", request: about("DELETE", "", "", approved, redeemed), status: 409, code: "already_released"},
	{name: "withdraw: what was allowed", request: allowed("DELETE", "", ""), status: 409, code: "no_question"},
	{name: "withdraw: no store", request: about("DELETE", "", "", broken), status: 503, code: "audit_unavailable"},
}

var otherCases = []routeCase{
	{name: "step: allow", request: ask("POST", "/v1/agent/step", stepBack), status: 200},
	{name: "step: held", request: ask("POST", "/v1/agent/step", stepSend), status: 202},
	{name: "step: unknown field", request: ask("POST", "/v1/agent/step", `{"task":"x","approved":true}`), status: 400, code: "bad_request"},
	{name: "step: no kind", request: ask("POST", "/v1/agent/step", `{"proposed_action":{"text":"Send"}}`), status: 400, code: "bad_request"},
	{name: "step: no credential", request: with(ask("POST", "/v1/agent/step", stepBack), "Authorization", ""), status: 401, code: "no_credential"},
	{name: "step: device", request: ask("POST", "/v1/agent/step", `{"device":"other","proposed_action":{"kind":"back"}}`), status: 403, code: "device_foreign"},
	{name: "step: key reused", status: 409, code: "key_reused", request: func(f *fixture) *http.Request {
		f.do(with(ask("POST", "/v1/agent/step", stepSend), "Idempotency-Key", "k")(f))
		return with(ask("POST", "/v1/agent/step", stepBack), "Idempotency-Key", "k")(f)
	}},
	{name: "step: too large", change: func(s *settings) { s.gate.Limits.Body = 10 }, request: ask("POST", "/v1/agent/step", stepBack), status: 413, code: "body_too_large"},
	{name: "step: form", request: with(ask("POST", "/v1/agent/step", stepBack), "Content-Type", "text/html"), status: 415, code: "content_type"},
	{name: "step: no planner", request: ask("POST", "/v1/agent/step", noAction), status: 422, code: "planner_missing"},
	{name: "step: no task", change: planned(planner.Plan{}, nil), request: ask("POST", "/v1/agent/step", `{"screen_description":"a chat"}`), status: 422, code: "task_missing"},
	{name: "step: two targets", request: ask("POST", "/v1/agent/step", `{"proposed_action":{"kind":"tap","text":"Send","target":{"text":"Cancel"}}}`), status: 422, code: "two_targets"},
	{name: "step: long session", request: ask("POST", "/v1/agent/step", `{"session":"`+strings.Repeat("s", 201)+`","proposed_action":{"kind":"back"}}`), status: 422, code: "too_long"},
	{name: "step: too many open", change: func(s *settings) { s.desk.OpenPerAgent = 1 }, status: 429, code: "too_many_open",
		request: func(f *fixture) *http.Request { f.hold(sendTap); return f.request("POST", "/v1/agent/step", stepSend) }},
	{name: "step: planner unreachable", change: planned(planner.Plan{}, planner.ErrUnreachable), request: ask("POST", "/v1/agent/step", noAction), status: 502, code: "planner_unreachable"},
	{name: "step: planner late", change: planned(planner.Plan{}, planner.ErrTimeout), request: ask("POST", "/v1/agent/step", noAction), status: 502, code: "planner_timeout"},
	{name: "step: planner key", change: planned(planner.Plan{}, planner.ErrCredential), request: ask("POST", "/v1/agent/step", noAction), status: 502, code: "planner_credential"},
	{name: "step: planner error", change: planned(planner.Plan{}, planner.ErrStatus), request: ask("POST", "/v1/agent/step", noAction), status: 502, code: "planner_error"},
	{name: "step: planner huge", change: planned(planner.Plan{}, planner.ErrTooLarge), request: ask("POST", "/v1/agent/step", noAction), status: 502, code: "planner_too_large"},
	{name: "step: planner declines", change: planned(planner.Plan{}, planner.ErrRefused), request: ask("POST", "/v1/agent/step", noAction), status: 502, code: "planner_declined"},
	{name: "step: planner babbles", change: planned(planner.Plan{}, planner.ErrNotJSON), request: ask("POST", "/v1/agent/step", noAction), status: 502, code: "planner_not_json"},
	{name: "step: planner invents", change: planned(planner.Plan{}, planner.ErrUnknownAction), request: ask("POST", "/v1/agent/step", noAction), status: 502, code: "planner_unknown_action"},
	{name: "step: planner fails", change: planned(planner.Plan{}, errors.New("no idea")), request: ask("POST", "/v1/agent/step", noAction), status: 502, code: "planner_failed"},
	{name: "step: a decider that fails", change: func(s *settings) { s.desk.Decider = panicking{} }, request: ask("POST", "/v1/agent/step", stepBack), status: 500, code: "internal"},
	{name: "step: no store", request: asBroken(ask("POST", "/v1/agent/step", stepBack)), status: 503, code: "audit_unavailable"},

	{name: "health", request: with(ask("GET", "/healthz", ""), "Authorization", ""), status: 200},
	{name: "health: page", request: with(ask("GET", "/healthz", ""), "Origin", "https://example.org"), status: 403, code: "origin_refused"},
	{name: "health: not well", change: func(s *settings) { s.gate.Health = func(context.Context) error { return errors.New("disk") } }, request: ask("GET", "/healthz", ""), status: 503},
	{name: "health: no store", request: asBroken(ask("GET", "/healthz", "")), status: 503},
	{name: "openapi", request: with(ask("GET", "/openapi.json", ""), "Authorization", ""), status: 200},
	{name: "openapi: page", request: with(ask("GET", "/openapi.json", ""), "Origin", "https://example.org"), status: 403, code: "origin_refused"},

	{name: "no such path", request: ask("GET", "/v1/approvals", ""), status: 404, code: "no_such_path"},
	{name: "root", request: ask("GET", "/", ""), status: 404, code: "no_such_path"},
	{name: "slash", request: ask("POST", "/v1/decide/", backPress), status: 404, code: "no_such_path"},
	{name: "dots", request: ask("POST", "/v1/./decide", backPress), status: 404, code: "no_such_path"},
	{name: "twice", request: ask("POST", "//v1/decide", backPress), status: 404, code: "no_such_path"},
	{name: "no answers here", request: about("POST", "/approve", `{"yes":true}`), status: 404, code: "no_such_path"},
	{name: "wrong method", request: ask("GET", "/v1/decide", ""), status: 405, code: "method_not_allowed"},
	{name: "wrong method on an id", request: about("PUT", "", `{}`), status: 405, code: "method_not_allowed"},
}

// unreached are statuses that only a fault in this package could give.
func unreached(operation string) bool {
	return strings.HasSuffix(operation, " 500") && !slices.Contains([]string{"POST /v1/decide 500", "POST /v1/actions 500", "POST /v1/agent/step 500"}, operation)
}

func TestEveryRouteAndStatus(t *testing.T) {
	cases := slices.Concat(decideCases, actionCases, otherCases)
	seen := map[string]int{}
	shared := newFixture(t)
	for _, tt := range cases {
		t.Run(tt.name, func(t *testing.T) {
			f := shared.as(t)
			if tt.change != nil {
				f = newFixture(t, tt.change)
			}
			a := f.do(tt.request(f))
			if a.status != tt.status || tt.code != "" && a.body.Code != tt.code {
				t.Errorf("%d %s, want %d %s: %s", a.status, a.body.Code, tt.status, tt.code, a.raw)
			}
			if (a.status == 401) != (a.header.Get("WWW-Authenticate") != "") {
				t.Errorf("WWW-Authenticate %q with %d", a.header.Get("WWW-Authenticate"), a.status)
			}
			if wait := a.header.Get("Retry-After"); (a.status == 202 || a.status == 429) != (wait != "") && a.status != 503 {
				t.Errorf("Retry-After %q with %d", wait, a.status)
			}
			if where := a.header.Get("Location"); (a.status == 202) != (where != "") {
				t.Errorf("Location %q with %d", where, a.status)
			}
			if (a.status == 405) != (a.header.Get("Allow") != "") {
				t.Errorf("Allow %q with %d", a.header.Get("Allow"), a.status)
			}
			for op, n := range f.doc.seen {
				seen[op] += n
			}
			f.store.broken.Store(false)
			f.must(f.desk.Unfreeze(f.ctx, "owner", ""))
		})
	}
	if len(cases) != 141 {
		t.Errorf("%d cases", len(cases))
	}
	waitsAreBounded(t, seen)
	for path, operations := range shared.doc.Paths {
		for method, op := range operations {
			for status := range op.Responses {
				if key := strings.ToUpper(method) + " " + path + " " + status; seen[key] == 0 && !unreached(key) {
					t.Errorf("%s is in the document and in no case", key)
				}
			}
		}
	}
	if len(seen) < 60 {
		t.Errorf("%d kinds of answers were seen: %v", len(seen), slices.Sorted(maps.Keys(seen)))
	}
}

// waitsAreBounded: 64 requests of one credential may wait, the next is refused.
func waitsAreBounded(t *testing.T, seen map[string]int) {
	f := newFixture(t)
	id := f.hold(sendTap)
	ctx, over := context.WithCancel(f.ctx)
	done := make(chan struct{})
	const waits = 64
	for range waits {
		go func() {
			defer func() { done <- struct{}{} }()
			for ctx.Err() == nil { // one that meets the request below has to try again
				req := f.request("GET", "/v1/actions/"+id+"?wait=60s", "").WithContext(ctx)
				if res, err := http.DefaultClient.Do(req); err == nil {
					res.Body.Close()
				}
			}
		}()
	}
	for { // until all of them wait
		a := f.call("GET", "/v1/actions/"+id+"?wait=1ms", "")
		if a.status == http.StatusTooManyRequests && a.body.Code == "too_many_waits" {
			break
		}
	}
	if a := f.call("GET", "/v1/actions/"+id, ""); a.status != http.StatusOK {
		t.Errorf("asking without waiting: %d %s", a.status, a.raw)
	}
	over()
	for range waits {
		<-done
	}
	if a, err := f.desk.View(f.ctx, id); err != nil || a.State != approval.Pending {
		t.Errorf("after all went away: %v, %v", a.State, err)
	}
	seen["GET /v1/actions/{id} "+strconv.Itoa(http.StatusTooManyRequests)]++
}
