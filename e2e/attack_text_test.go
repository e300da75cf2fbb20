package e2e

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

// steering is text that steers a terminal, turns text round, hides, or becomes
// markup, as far as JSON can carry it. The rest, bytes that are no UTF-8, is sent
// as it is in ways of its own.
var steeringWords = strings.Join([]string{
	"\x1b[2J\x1b[H\x1b[31m", "\x1b]0;title\x07", "\x1b]52;c;ZXZpbA==\x07", "\x1b]8;;http://attacker.example\x1b\\link\x1b]8;;\x1b\\", "\x1bP1$r0m\x1b\\",
	"\u009b2J", "\u009d52;c;ZXZpbA==\u009c", "\u0090", "\x07\b\x7f\x00", "line\r\nnext\rover\vdown\f\u0085\u2028\u2029",
	"\u202eevil\u202c\u2066\u2067\u2068\u2069\u200e\u200f\u061c", "a\u200bb\u2060\ufeff\u00ad\u180e", strings.Repeat("\u00a0", 300),
	`<zz-tag onload=zz>&lt;zz-tag&gt;"><zz-tag zz-attr='`, "**bold** [link](javascript:zz) `code`", "\U000e0041\U000e0042",
}, "|")

// harm says what in an output could steer a terminal or deceive a reader.
func harm(where, out string) string {
	if !utf8.ValidString(out) {
		return where + " has bytes that are no UTF-8"
	}
	for i, r := range out {
		bad := unicode.IsControl(r) && r != '\n' || unicode.Is(unicode.Bidi_Control, r) || r == 0x200b || r == 0x2028 || r == 0x2029 || r == 0xfeff || r >= 0xe0000 && r < 0xe0080
		if bad {
			return fmt.Sprintf("%s has U+%04X: %q", where, r, out[max(0, i-40):min(len(out), i+40)])
		}
	}
	return ""
}

var ownMarkup = regexp.MustCompile(`(?i)<zz|<[^>]*\szz-attr|<a [^>]*javascript`)

// shown is the harm in whatever people see of a question: what commands print,
// and every page of the inbox that it comes to stand on.
func (h *house) shown(id string) string {
	h.t.Helper()
	outputs := [][2]string{
		{"approvals list", h.command("approvals", "list", "--state", "all")}, {"log", h.command("log", "-n", "10")},
		{"the guard's standard error", h.p.said()},
	}
	if id != "" {
		outputs = append(outputs, [2]string{"log show", h.command("log", "show", id)})
		if _, err := h.owner.Get(context.Background(), id); err == nil {
			outputs = append(outputs, [2]string{"approvals show", h.command("approvals", "show", id)})
		}
	}
	for _, o := range outputs {
		if got := harm(o[0], o[1]); got != "" {
			return got
		}
	}
	return h.onPages(id)
}

// onPages is the harm on the pages: those that the header leads to, and those of
// a question or an action.
func (h *house) onPages(id string) string {
	h.t.Helper()
	m, err := readMarkup(h.page("/"))
	if err != nil {
		return "the list: " + err.Error()
	}
	paths := []string{"/?part=list", "/history?days=all", "/actions?outcome=all"}
	for _, to := range m.leads {
		if path, _, _ := strings.Cut(to, "?"); path == to && strings.Count(to, "/") == 1 && strings.HasPrefix(to, "/") {
			paths = append(paths, to)
		}
	}
	if len(paths) < 3+4 {
		return fmt.Sprintf("the list leads only to %q", m.leads)
	}
	if id != "" {
		at := "/approvals/" + url.PathEscape(id)
		paths = append(paths, at, at+"?part=state", at+"/record", at+"/screen", at+"/screen?near")
	}
	for _, path := range paths {
		resp := h.do("GET", path, "")
		body, err := io.ReadAll(resp.Body)
		switch kind := resp.Header.Get("Content-Type"); {
		case err != nil || resp.StatusCode >= 500:
			return fmt.Sprintf("%s: %s, %v", path, resp.Status, err)
		case strings.HasPrefix(kind, "text/html"):
			if got := unharmed(h.t, path, string(body)); got != "" {
				return got
			}
		case kind == "image/svg+xml":
			if got := pictured(path, string(body)); got != "" {
				return got
			}
		default:
			return fmt.Sprintf("%s is %q", path, kind)
		}
	}
	return ""
}

// request sends a body and says what is wrong with the answer or with what is
// shown afterwards.
func (h *house) request(path string, body []byte) string {
	h.t.Helper()
	_, answer := h.agent.post(path, body)
	var v struct{ ID string }
	if err := json.Unmarshal(answer, &v); err != nil {
		return fmt.Sprintf("the answer is no JSON: %v in %q", err, answer)
	}
	got := h.shown(v.ID)
	if v.ID != "" { // room for the next question
		h.agent.call("DELETE", "/v1/actions/"+v.ID, nil)
	}
	return got
}

func steeringText(t *testing.T) []way {
	h := openHouse(t, "--cooldown", "1ns")
	var ways []way
	for _, f := range []struct {
		name string
		path []string
	}{
		{"text", []string{"target", "text"}}, {"content_desc", []string{"target", "content_desc"}}, {"resource_id", []string{"target", "resource_id"}},
		{"class", []string{"target", "class"}}, {"hint", []string{"target", "hint"}}, {"role", []string{"target", "role"}},
		{"dialog_title", []string{"target", "dialog_title"}}, {"dialog_message", []string{"target", "dialog_message"}}, {"descendants", []string{"target", "descendants"}},
		{"package", []string{"screen", "package"}}, {"activity", []string{"screen", "activity"}}, {"tree", []string{"screen", "tree"}}, {"captured_at", []string{"screen", "captured_at"}},
		{"task", []string{"task"}}, {"llm.reason", []string{"llm", "reason"}}, {"session", []string{"session"}}, {"device", []string{"device"}}, {"id", []string{"id"}},
		{"idempotency_key", []string{"idempotency_key"}}, {"locale", []string{"locale"}}, {"installer", []string{"app", "installer"}},
		{"kind", []string{"action", "kind"}}, {"typed text", []string{"action", "text"}}, {"shell", []string{"action", "shell"}}, {"intent", []string{"action", "intent"}},
		{"key", []string{"action", "key"}}, {"tool", []string{"action", "tool"}},
	} {
		ways = append(ways, way{f.name, func() string {
			return h.request("/v1/actions", []byte(toJSON(hostileRequest(f.name, f.path))))
		}})
	}
	return append(ways, h.otherTexts()...)
}

// hostileRequest is a request with the hostile text in one field.
func hostileRequest(name string, path []string) map[string]any {
	m := tap("com.whatsapp", "Send "+name)
	m["llm"] = map[string]any{"requires_confirmation": true}
	kinds := map[string]string{"typed text": "type", "shell": "shell", "intent": "intent", "key": "key", "tool": "tool"}
	if kind := kinds[name]; kind != "" {
		m["action"] = map[string]any{"kind": kind}
	}
	text := any("Send " + steeringWords)
	switch name {
	case "session", "id", "idempotency_key", "role", "key":
		text = "x" + string([]rune(steeringWords)[:150])
	case "descendants":
		text = []string{steeringWords, steeringWords}
	case "tree":
		clean := strings.Map(func(r rune) rune {
			if r < ' ' || r == '<' || r == '"' || r == '&' {
				return -1
			}
			return r
		}, steeringWords)
		m["action"] = map[string]any{"kind": "tap", "x": 5, "y": 5}
		text = `<hierarchy><node text="Send ` + clean + ` &lt;zz-tag&gt; &#x1b;[2J &#x9b;2J" clickable="true" bounds="[0,0][9,9]"/></hierarchy>`
	}
	part := m
	for _, p := range path[:len(path)-1] {
		if _, ok := part[p].(map[string]any); !ok {
			part[p] = map[string]any{}
		}
		part = part[p].(map[string]any)
	}
	part[path[len(path)-1]] = text
	return m
}

func (h *house) otherTexts() []way {
	raw := "\xff\xfe\xc0\xae\xed\xa0\x80\x9b2J\xf4\x90\x80\x80"
	deny := func() string {
		v := h.agent.propose(tap("com.whatsapp", "Send with a note"))
		note := string([]rune(steeringWords)[:300])
		if _, err := h.owner.Deny(context.Background(), v.ID, v.Digest, note); err != nil {
			return err.Error()
		}
		_, answer := h.agent.post("/v1/actions/"+v.ID+"/redeem", []byte(toJSON(fresh("com.whatsapp", "Send with a note"))))
		return harm("the answer", string(answer)) + h.shown(v.ID)
	}
	return []way{
		{"bytes that are no UTF-8", func() string {
			return h.request("/v1/actions", []byte(`{"action": {"kind": "tap"}, "screen": {"package": "com.whatsapp"}, "target": {"text": "Send `+raw+`"}}`))
		}},
		{"a field's name", func() string {
			return h.request("/v1/actions", []byte(`{"action": {"kind": "tap"}, `+toJSON(steeringWords)+`: 1}`))
		}},
		{"the step API", func() string {
			return h.request("/v1/agent/step", []byte(toJSON(map[string]any{"task": steeringWords, "screen_description": steeringWords, "current_package": "com.whatsapp",
				"proposed_action": map[string]any{"kind": "tap", "text": "Send " + steeringWords}, "history": []string{steeringWords}})))
		}},
		{"the address", func() string {
			for _, path := range []string{"/v1/actions/" + url.PathEscape(steeringWords), "/v1/actions/x?" + url.QueryEscape(steeringWords) + "=1"} {
				req, err := http.NewRequest("GET", h.agent.url+path, nil)
				if err != nil {
					return err.Error()
				}
				req.Header.Set("Authorization", "Bearer "+h.agent.token)
				resp, err := http.DefaultClient.Do(req)
				if err != nil {
					return err.Error()
				}
				answer, _ := io.ReadAll(resp.Body)
				resp.Body.Close()
				if got := harm("the answer", string(answer)); got != "" || !json.Valid(answer) {
					return fmt.Sprintf("%s (%q)", got, answer)
				}
			}
			return h.shown("")
		}},
		{"the note of a denial", deny},
		{"an agent's name", func() string {
			args := strings.NewReplacer("\x00", "").Replace(steeringWords)
			return harm("agents add", h.command("agents", "add", "x"+args)) + harm("agents list", h.command("agents", "list")) + h.shown("")
		}},
	}
}

// TestHarmIsSeen: what is looked for is found.
func TestHarmIsSeen(t *testing.T) {
	n := 0
	for _, part := range append(strings.Split(steeringWords, "|")[:12], "\xff", "\U000e0041") {
		if harm("x", part) == "" && !strings.Contains(part, "zz-tag") {
			t.Errorf("%q is taken for harmless", part)
		}
		n++
	}
	for _, markup := range []string{"<zz-tag>", `<p zz-attr=1>`, `<a href="javascript:zz">`} {
		if !ownMarkup.MatchString(markup) {
			t.Errorf("%q is taken for harmless", markup)
		}
	}
	if n != 14 {
		t.Errorf("%d texts", n)
	}
}
