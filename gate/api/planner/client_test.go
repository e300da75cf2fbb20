package planner_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/countersign/countersign/gate/api/planner"
	"github.com/countersign/countersign/risk"
)

const key = "sk-test-8f2a9c"

// endpoint is a scripted chat endpoint and a client of it.
func endpoint(t *testing.T, change func(*planner.Options), answer http.HandlerFunc) *planner.Client {
	t.Helper()
	server := httptest.NewServer(answer)
	t.Cleanup(server.Close)
	o := planner.Options{URL: server.URL + "/v1", Model: "small", Getenv: func(name string) string {
		if name == planner.DefaultKeyEnv {
			return key
		}
		return ""
	}}
	if change != nil {
		change(&o)
	}
	c, err := planner.New(o)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// says is an endpoint whose model says something.
func says(content string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		json.NewEncoder(w).Encode(map[string]any{"choices": []any{map[string]any{"message": map[string]any{"content": content}}}})
	}
}

// raw is an endpoint that answers a status and a body.
func raw(status int, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(status)
		io.WriteString(w, body)
	}
}

const tapSend = `{"kind":"tap","target_text":"Send","target_description":"","target_id":"","text":"","key":"","link":"","requires_confirmation":true,"reason":"the draft is ready"}`

func TestThePlanIsRead(t *testing.T) {
	tap := planner.Plan{Kind: risk.Tap, TargetText: "Send", RequiresConfirmation: true, Reason: "the draft is ready"}
	cases := []struct {
		name, content string
		want          planner.Plan
	}{
		{"bare", tapSend, tap},
		{"fenced", "```json\n" + tapSend + "\n```", tap},
		{"between words", "Sure. Here it is: " + tapSend + " I hope this helps.", tap},
		{"what belongs to another kind", `{"kind":"back","text":"x","key":"KEYCODE_POWER","link":"tel:1"}`, planner.Plan{Kind: risk.Back}},
		{"typing", `{"kind":"type","text":"Hello"}`, planner.Plan{Kind: risk.TypeText, Text: "Hello"}},
		{"a key", `{"kind":"key","key":"KEYCODE_ENTER"}`, planner.Plan{Kind: risk.PressKey, Key: "KEYCODE_ENTER"}},
		{"a link", `{"kind":"deep_link","link":"https://example.org"}`, planner.Plan{Kind: risk.OpenLink, Link: "https://example.org"}},
		{"an app", `{"kind":"launch","text":"com.whatsapp"}`, planner.Plan{Kind: risk.Launch, Text: "com.whatsapp"}},
		{"the end", `{"kind":"done","reason":"it is sent"}`, planner.Plan{Kind: risk.Wait, Done: true, Reason: "it is sent"}},
		{"fields of its own", `{"kind":"home","approved":true,"outcome":"allow"}`, planner.Plan{Kind: risk.Home}},
	}
	for _, tt := range cases {
		got, err := endpoint(t, nil, says(tt.content)).Plan(context.Background(), planner.Step{Task: "t"})
		if err != nil || got != tt.want {
			t.Errorf("%s: %+v, %v, want %+v", tt.name, got, err, tt.want)
		}
	}
	if len(cases) != 10 {
		t.Errorf("%d cases", len(cases))
	}
}

func TestWhatIsNoPlan(t *testing.T) {
	elsewhere := httptest.NewServer(says(tapSend))
	defer elsewhere.Close()
	cases := []struct {
		name   string
		answer http.HandlerFunc
		want   error
	}{
		{"words", says("I would tap Send."), planner.ErrNotJSON},
		{"nothing", says(""), planner.ErrNotJSON},
		{"half an object", says(`{"kind":"tap"`), planner.ErrNotJSON},
		{"a flag in words", says(`{"kind":"back","requires_confirmation":"no"}`), planner.ErrNotJSON},
		{"no completion", raw(200, "<html>"), planner.ErrNotJSON},
		{"no choices", raw(200, `{"choices":[]}`), planner.ErrNotJSON},
		{"declined", raw(200, `{"choices":[{"message":{"refusal":"I cannot"}}]}`), planner.ErrRefused},
		{"a shell", says(`{"kind":"shell","shell":"rm -rf /sdcard"}`), planner.ErrUnknownAction},
		{"invented", says(`{"kind":"teleport"}`), planner.ErrUnknownAction},
		{"no kind", says(`{}`), planner.ErrUnknownAction},
		{"a tap on nothing", says(`{"kind":"tap"}`), planner.ErrUnknownAction},
		{"typing nothing", says(`{"kind":"type"}`), planner.ErrUnknownAction},
		{"a huge field", says(`{"kind":"type","text":"` + strings.Repeat("x", 10_001) + `"}`), planner.ErrTooLarge},
		{"a huge answer", raw(200, strings.Repeat(" ", 2<<20)), planner.ErrTooLarge},
		{"no key", raw(401, `{"error":"`+key+`"}`), planner.ErrCredential},
		{"wrong key", raw(403, ""), planner.ErrCredential},
		{"no such model", raw(404, ""), planner.ErrStatus},
		{"no such form", raw(400, ""), planner.ErrStatus},
		{"busy", raw(429, ""), planner.ErrStatus},
		{"broken", raw(500, ""), planner.ErrStatus},
		{"empty", raw(204, ""), planner.ErrStatus},
		{"elsewhere", func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, elsewhere.URL, http.StatusTemporaryRedirect)
		}, planner.ErrUnreachable},
		{"cut off", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "100")
			io.WriteString(w, `{"choices"`)
		}, planner.ErrUnreachable},
	}
	for _, tt := range cases {
		plan, err := endpoint(t, nil, tt.answer).Plan(context.Background(), planner.Step{Task: "t"})
		if !errors.Is(err, tt.want) || plan != (planner.Plan{}) {
			t.Errorf("%s: %+v, %v, want %v", tt.name, plan, err, tt.want)
		}
		if strings.Contains(fmt.Sprint(err), key) {
			t.Errorf("%s: the error holds the key: %v", tt.name, err)
		}
	}
	if len(cases) != 23 {
		t.Errorf("%d cases", len(cases))
	}
}

// One that answers never is given up, when the caller goes and when it is late.
func TestASlowEndpoint(t *testing.T) {
	over := make(chan struct{})
	asked := make(chan struct{}, 1)
	c := endpoint(t, nil, func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		asked <- struct{}{}
		<-over
	})
	defer close(over)
	ctx, cancel := context.WithCancel(context.Background())
	go func() { <-asked; cancel() }()
	if _, err := c.Plan(ctx, planner.Step{Task: "t"}); !errors.Is(err, planner.ErrUnreachable) || !errors.Is(err, context.Canceled) {
		t.Errorf("given up: %v", err)
	}
	late, cancel := context.WithDeadline(context.Background(), time.Unix(1, 0))
	defer cancel()
	if _, err := c.Plan(late, planner.Step{Task: "t"}); !errors.Is(err, planner.ErrTimeout) {
		t.Errorf("late: %v", err)
	}
	gone, err := planner.New(planner.Options{URL: "http://127.0.0.1:1/v1", Model: "m", Getenv: func(string) string { return "" }})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := gone.Plan(context.Background(), planner.Step{Task: "t"}); !errors.Is(err, planner.ErrUnreachable) {
		t.Errorf("nobody there: %v", err)
	}
}

// What the endpoint is asked: with a schema first, and without one where it
// knows none.
func TestWhatIsAsked(t *testing.T) {
	type asked struct {
		Model    string
		Messages []struct{ Role, Content string }
		Format   json.RawMessage `json:"response_format"`
	}
	var got []asked
	c := endpoint(t, nil, func(w http.ResponseWriter, r *http.Request) {
		var a asked
		if err := json.NewDecoder(r.Body).Decode(&a); err != nil {
			t.Error(err)
		}
		if r.URL.Path != "/v1/chat/completions" || r.Header.Get("Authorization") != "Bearer "+key || r.Method != http.MethodPost {
			t.Errorf("%s %s", r.Method, r.URL.Path)
		}
		if got = append(got, a); a.Format != nil {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		says(tapSend)(w, r)
	})
	history := []json.RawMessage{json.RawMessage(`"` + strings.Repeat("o", 20_000) + `"`), json.RawMessage(`{"did":"tap"}`)}
	_, err := c.Plan(context.Background(), planner.Step{
		Task: "Reply to Anna", Screen: strings.Repeat("ü", 40_000), Package: "com.whatsapp", History: history,
	})
	if err != nil || len(got) != 2 || got[0].Format == nil || got[1].Format != nil {
		t.Fatalf("%v, %d requests", err, len(got))
	}
	user := got[1].Messages[1].Content
	for _, part := range []string{"Reply to Anna", "com.whatsapp", `{"did":"tap"}`, "(cut off)"} {
		if !strings.Contains(user, part) {
			t.Errorf("%q is not in the prompt", part)
		}
	}
	if strings.Contains(user, "ooo") || strings.Contains(user, "\ufffd") || len(user) > 70_000 || got[0].Model != "small" {
		t.Errorf("the prompt has %d bytes, model %s", len(user), got[0].Model)
	}
}

func TestOptionsAreChecked(t *testing.T) {
	good := planner.Options{URL: "https://models.example/v1", Model: "m", Getenv: func(string) string { return key }}
	if _, err := planner.New(good); err != nil {
		t.Fatal(err)
	}
	cases := map[string]func(*planner.Options){
		"no URL":      func(o *planner.Options) { o.URL = "" },
		"a file":      func(o *planner.Options) { o.URL = "file:///etc/passwd" },
		"a user":      func(o *planner.Options) { o.URL = "https://u:p@models.example/v1" },
		"a query":     func(o *planner.Options) { o.URL = "https://models.example/v1?key=1" },
		"no model":    func(o *planner.Options) { o.Model = "" },
		"clear":       func(o *planner.Options) { o.URL = "http://models.example/v1" },
		"a line":      func(o *planner.Options) { o.Getenv = func(string) string { return "a\nb" } },
		"no time":     func(o *planner.Options) { o.Timeout = time.Millisecond },
		"all day":     func(o *planner.Options) { o.Timeout = time.Hour },
		"all of it":   func(o *planner.Options) { o.MaxAnswer = 1 << 40 },
		"less than 0": func(o *planner.Options) { o.MaxAnswer = -1 },
	}
	for name, change := range cases {
		o := good
		change(&o)
		if _, err := planner.New(o); err == nil || strings.Contains(err.Error(), key) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if len(cases) != 11 {
		t.Errorf("%d cases", len(cases))
	}
}
