package push_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/countersign/countersign/approval"
	"github.com/countersign/countersign/channel/notice"
	"github.com/countersign/countersign/channel/post"
	"github.com/countersign/countersign/channel/push"
	"github.com/countersign/countersign/risk"
	"pgregory.net/rapid"
)

var noon = time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC)

// server is an ntfy server as far as a publisher sees it.
type server struct {
	*httptest.Server
	doc    map[string]any
	header http.Header
	path   string
}

func serve(t testing.TB) *server {
	s := &server{}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		s.doc, s.header, s.path = nil, r.Header, r.Method+" "+r.URL.Path
		if err := json.Unmarshal(body, &s.doc); err != nil {
			http.Error(w, "invalid JSON", http.StatusBadRequest)
			return
		}
		if text, _ := s.doc["message"].(string); len(text) > 4096 {
			http.Error(w, "would become an attachment", http.StatusRequestEntityTooLarge)
		}
	}))
	t.Cleanup(s.Close)
	return s
}

func (s *server) channel(t testing.TB, token string) *push.Channel {
	to, err := post.ReadAddress(s.URL)
	if err != nil {
		t.Fatal(err)
	}
	c, err := push.New(push.Options{To: to, Topic: "countersign-x8s7", Token: token})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func payment() *approval.Approval {
	return &approval.Approval{
		ID: "a_1", AgentName: "shopper", Device: "emulator-5554", CreatedAt: noon, Deadline: noon.Add(15 * time.Minute), Digest: "hmac-sha256:00ff",
		Card: approval.Card{
			Category: risk.Money, Critical: true, Tier: risk.High, Reason: "Pays 24.10 EUR in PayPal (HIGH).",
			Facts: risk.Facts{Recipient: "anna@example.com", Amount: &risk.Amount{Value: "24.10", Currency: "EUR"}},
		},
	}
}

func TestTell(t *testing.T) {
	critical := notice.MessageOf(payment(), nil)
	ordinary := critical
	ordinary.Data.Critical = false
	linked := notice.MessageOf(payment(), &url.URL{Scheme: "https", Host: "guard.example.net"})
	const text = "Pays 24.10 EUR in PayPal (HIGH).\nAmount: 24.10 EUR\nTo: anna@example[.]com\nAsked by: shopper\nOn: emulator-5554\nWaits until 12:15 UTC.\n"
	tests := []struct {
		name  string
		m     notice.Message
		token string
		want  string
	}{
		{"critical", critical, "tk_1", `{"message":"` + text + `Open the inbox on the computer that runs the guard.","priority":5,"tags":["warning"],"title":"Countersign: CRITICAL, a question waits","topic":"countersign-x8s7"}`},
		{"ordinary", ordinary, "", `{"message":"` + text + `Open the inbox on the computer that runs the guard.","priority":3,"title":"Countersign: a question waits","topic":"countersign-x8s7"}`},
		{"linked", linked, "", `{"click":"https://guard.example.net/approvals/a_1","message":"` + text + `Open the inbox at guard.example.net.","priority":5,"tags":["warning"],"title":"Countersign: CRITICAL, a question waits","topic":"countersign-x8s7"}`},
		{"brief", critical.Brief(), "", `{"message":"A question waits.\nWaits until 12:15 UTC.\nOpen the inbox on the computer that runs the guard.","priority":5,"tags":["warning"],"title":"Countersign: CRITICAL, a question waits","topic":"countersign-x8s7"}`},
		{"test", notice.Sample("phone", noon, nil), "", `{"message":"This is a test of the channel phone. Nothing waits, and nothing is to be answered.\nOpen the inbox on the computer that runs the guard.","priority":3,"title":"Countersign: a test","topic":"countersign-x8s7"}`},
	}
	s := serve(t)
	for _, test := range tests {
		if err := s.channel(t, test.token).Tell(t.Context(), test.m); err != nil {
			t.Errorf("%s: %v", test.name, err)
			continue
		}
		got, err := json.Marshal(s.doc)
		if err != nil {
			t.Fatal(err)
		}
		if want := strings.ReplaceAll(test.want, "\n", `\n`); string(got) != want {
			t.Errorf("%s:\n%s\nwant\n%s", test.name, got, want)
		}
		authorization := ""
		if test.token != "" {
			authorization = "Bearer " + test.token
		}
		if s.path != "POST /" || s.header.Get("Authorization") != authorization {
			t.Errorf("%s: %s with %q", test.name, s.path, s.header.Get("Authorization"))
		}
	}
	if len(tests) != 5 {
		t.Errorf("ran %d cases, want 5", len(tests))
	}
}

// Whatever a question says, the server takes it as one message, and nothing in it
// is a link, an action or anything else that was not meant.
func TestAnythingIsOneMessage(t *testing.T) {
	s := serve(t)
	c := s.channel(t, "")
	link := regexp.MustCompile(`://|[^\s\[][.。．｡]\pL[\pL\pM]|\d+\.\d+\.\d+\.\d+`)
	rapid.Check(t, func(t *rapid.T) {
		text := func(name string) string {
			return rapid.OneOf(rapid.StringN(0, 900, -1), rapid.StringOfN(rapid.RuneFrom([]rune("𝕏界é<&\"\\\n.:/a1")), 0, 900, -1),
				rapid.SampledFrom([]string{"https://evil.com", "a\nAmount: 1 EUR", `","click":"https://evil.com","x":"`, "[x](https://evil.com)"})).Draw(t, name)
		}
		a := payment()
		a.AgentName, a.Device, a.Card.Reason = text("agent"), text("device"), text("reason")
		a.Card.Facts = risk.Facts{Object: text("object"), Recipient: text("recipient"), Text: text("text"), Amount: &risk.Amount{Value: text("value"), Currency: text("currency")}}
		if err := c.Tell(t.Context(), notice.MessageOf(a, nil)); err != nil {
			t.Fatal(err)
		}
		for key, value := range s.doc {
			switch key {
			case "topic", "title", "priority", "tags":
			case "message":
				checkText(t, value.(string), link)
			default:
				t.Fatalf("it has a %s: %v", key, value)
			}
		}
	})
}

// names are what a line of a message may begin with.
var names = []string{"Amount: ", "To: ", "About: ", "Text: ", "Asked by: ", "On: "}

func checkText(t *rapid.T, text string, link *regexp.Regexp) {
	if !utf8.ValidString(text) || strings.Contains(text, "hmac-sha256") || !strings.HasSuffix(text, "\n"+notice.AtTheComputer) {
		t.Fatalf("%q", text)
	}
	if found := link.FindString(text); found != "" {
		t.Fatalf("%q would become a link: %q", found, text)
	}
	lines := strings.Split(text, "\n")
	if len(lines) > len(names)+3 {
		t.Fatalf("%d lines: %q", len(lines), text)
	}
	for _, name := range names { // each stands there once, and is ours
		count := 0
		for _, line := range lines[1:] {
			if strings.HasPrefix(line, name) {
				count++
			}
		}
		if count > 1 {
			t.Fatalf("%d lines say %q: %q", count, name, text)
		}
	}
}

func TestNewRefuses(t *testing.T) {
	to, err := post.ReadAddress("https://ntfy.example.net")
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		o    push.Options
		want error
	}{
		{push.Options{To: to, Topic: "a"}, nil},
		{push.Options{To: to, Topic: strings.Repeat("a", 64), Token: strings.Repeat("t", 512)}, nil},
		{push.Options{To: to}, push.ErrTopic},
		{push.Options{To: to, Topic: strings.Repeat("a", 65)}, push.ErrTopic},
		{push.Options{To: to, Topic: "a/b"}, push.ErrTopic},
		{push.Options{To: to, Topic: "a b"}, push.ErrTopic},
		{push.Options{To: to, Topic: "a\n"}, push.ErrTopic},
		{push.Options{To: to, Topic: "a", Token: "two words"}, push.ErrToken},
		{push.Options{To: to, Topic: "a", Token: "t\r\nX-Evil: 1"}, push.ErrToken},
		{push.Options{To: to, Topic: "a", Token: strings.Repeat("t", 513)}, push.ErrToken},
	}
	for _, test := range tests {
		c, err := push.New(test.o)
		if !errors.Is(err, test.want) {
			t.Errorf("%q and %q: %v, want %v", test.o.Topic, test.o.Token, err, test.want)
		}
		if err == nil && fmt.Sprintf("%v %+v", c, c) != "a push channel a push channel" {
			t.Errorf("it prints as %+v", c)
		}
	}
	if len(tests) != 10 {
		t.Errorf("ran %d cases, want 10", len(tests))
	}
	if _, err := push.New(push.Options{Topic: "a"}); err == nil {
		t.Error("a channel to nowhere was made")
	}
}

// What the server says when it refuses is told.
func TestRefused(t *testing.T) {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		http.Error(w, `{"code":40301,"http":403,"error":"forbidden"}`, http.StatusForbidden)
	}))
	t.Cleanup(s.Close)
	err := (&server{Server: s}).channel(t, "tk_wrong").Tell(t.Context(), notice.Sample("phone", noon, nil))
	var f *notice.Failure
	if !errors.As(err, &f) || f.Why != `it answers 403 Forbidden: {"code":40301,"http":403,"error":"forbidden"}` {
		t.Errorf("%v", err)
	}
}
