package webhook_test

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/countersign/countersign/approval"
	"github.com/countersign/countersign/channel/notice"
	"github.com/countersign/countersign/channel/post"
	"github.com/countersign/countersign/channel/webhook"
	"github.com/countersign/countersign/risk"
)

// secretText is the secret of the tests: "0123456789abcdef0123456789abcdef".
const secretText = "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY="

var noon = time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC)

func channel(t *testing.T, url string, now func() time.Time) *webhook.Channel {
	t.Helper()
	to, err := post.ReadAddress(url)
	if err != nil {
		t.Fatal(err)
	}
	secret, err := webhook.ReadSecret(secretText)
	if err != nil {
		t.Fatal(err)
	}
	c, err := webhook.New(webhook.Options{To: to, Secret: secret, Now: now})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func message() notice.Message {
	return notice.MessageOf(&approval.Approval{
		ID: "a_1", AgentName: "shopper", CreatedAt: noon, Deadline: noon.Add(time.Minute),
		Card: approval.Card{Category: risk.Message, Tier: risk.High, Reason: "Sends a message in WhatsApp (HIGH)."},
	}, nil)
}

// received is one delivery, as a receiver sees it.
type received struct {
	id, timestamp, signature string
	body                     []byte
}

// verify says the same as the specification, without anything of ours: the parts
// joined by dots, the key from the secret, a comparison in constant time.
func (r received) verify() error {
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secretText, "whsec_"))
	if err != nil {
		return err
	}
	mac := hmac.New(sha256.New, key)
	io.WriteString(mac, r.id+"."+r.timestamp+"."+string(r.body))
	want := mac.Sum(nil)
	for _, one := range strings.Fields(r.signature) {
		version, encoded, _ := strings.Cut(one, ",")
		got, err := base64.StdEncoding.DecodeString(encoded)
		if version == "v1" && err == nil && hmac.Equal(got, want) {
			return nil
		}
	}
	return fmt.Errorf("none of the signatures %q fits", r.signature)
}

// receiver takes deliveries down, and answers them one after the other.
func receiver(t *testing.T, statuses ...int) (string, func() []received) {
	t.Helper()
	var mu sync.Mutex
	var all []received
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		mu.Lock()
		defer mu.Unlock()
		w.WriteHeader(statuses[min(len(all), len(statuses)-1)])
		all = append(all, received{r.Header.Get("webhook-id"), r.Header.Get("webhook-timestamp"), r.Header.Get("webhook-signature"), body})
	}))
	t.Cleanup(s.Close)
	return s.URL + "/hook", func() []received {
		mu.Lock()
		defer mu.Unlock()
		return all
	}
}

// Each try is signed anew, with the time of the try and the same id.
func TestTell(t *testing.T) {
	url, got := receiver(t, 500, 204)
	at := noon
	c := channel(t, url, func() time.Time { at = at.Add(time.Minute); return at })
	m := message()
	var f *notice.Failure
	if err := c.Tell(t.Context(), m); !errors.As(err, &f) || f.Final {
		t.Fatalf("the first try: %v", err)
	}
	if err := c.Tell(t.Context(), m); err != nil {
		t.Fatalf("the second try: %v", err)
	}
	doc, err := m.JSON()
	if err != nil {
		t.Fatal(err)
	}
	all := got()
	if len(all) != 2 {
		t.Fatalf("%d deliveries", len(all))
	}
	for i, r := range all {
		if err := r.verify(); err != nil {
			t.Errorf("delivery %d: %v", i, err)
		}
		if want := fmt.Sprint(noon.Unix() + int64(60*(i+1))); r.id != "a_1" || r.timestamp != want || string(r.body) != string(doc) {
			t.Errorf("delivery %d is %q at %q, want %q: %s", i, r.id, r.timestamp, want, r.body)
		}
	}
	// A signature holds for nothing else.
	for name, change := range map[string]func(*received){
		"id": func(r *received) { r.id = "a_2" }, "timestamp": func(r *received) { r.timestamp = all[1].timestamp },
		"body": func(r *received) { r.body = append([]byte(" "), r.body...) }, "signature": func(r *received) { r.signature = all[1].signature },
	} {
		forged := all[0]
		if change(&forged); forged.verify() == nil {
			t.Errorf("another %s is taken", name)
		}
	}
}

// The example of the specification's own libraries.
func TestSignKnownAnswer(t *testing.T) {
	secret, err := webhook.ReadSecret("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")
	if err != nil {
		t.Fatal(err)
	}
	got := secret.Sign("msg_p5jXN8AQM9LWM0D4loKWxJek", time.Unix(1614265330, 0), []byte(`{"test": 2432232314}`))
	if want := "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// A board says how each delivery went, in words that may be shown.
func TestThroughABoard(t *testing.T) {
	url, got := receiver(t, 500, 200)
	now := func() time.Time { return time.Now() }
	b, err := notice.New(notice.Options{Now: now, Channels: []notice.Named{{Name: "house", Kind: "webhook", Channel: channel(t, url, now)}}})
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	s, err := b.Test(t.Context(), "house")
	if err != nil || s.State != notice.Fails || s.Why != "it answers 500 Internal Server Error" {
		t.Errorf("%+v, %v", s, err)
	}
	if s, err = b.Test(t.Context(), "house"); err != nil || s.State != notice.Works {
		t.Errorf("%+v, %v", s, err)
	}
	for i, r := range got() {
		if err := r.verify(); err != nil {
			t.Errorf("delivery %d: %v", i, err)
		}
	}
}

// Why it failed names no address: its path may be a secret of its owner's.
func TestFailuresDoNotShowTheAddress(t *testing.T) {
	s := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	url := s.URL + "/services/T000/B000/XXXXXXXX"
	s.Close()
	b, err := notice.New(notice.Options{Now: time.Now, Channels: []notice.Named{{Name: "house", Channel: channel(t, url, time.Now)}}})
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	state, err := b.Test(t.Context(), "house")
	if err != nil || state.State != notice.Fails || !strings.Contains(state.Why, "connection refused") || strings.Contains(state.Why, "services") {
		t.Errorf("%+v, %v", state, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := channel(t, url, time.Now).Tell(ctx, message()); !errors.Is(err, context.Canceled) {
		t.Errorf("with nobody waiting: %v", err)
	}
}

func TestReadSecret(t *testing.T) {
	b64 := func(n int) string { return "whsec_" + base64.StdEncoding.EncodeToString(make([]byte, n)) }
	tests := []struct {
		text string
		ok   bool
	}{
		{secretText, true}, {b64(24), true}, {b64(64), true}, {b64(23), false}, {b64(65), false}, {"", false}, {"whsec_", false},
		{strings.TrimPrefix(secretText, "whsec_"), false}, {secretText + "!", false}, {strings.TrimRight(secretText, "="), false},
		{"whsec_" + strings.Repeat("-_", 22), false}, {"whsk_" + strings.TrimPrefix(secretText, "whsec_"), false},
	}
	for _, test := range tests {
		s, err := webhook.ReadSecret(test.text)
		if test.ok != (err == nil) || err != nil && !errors.Is(err, webhook.ErrSecret) {
			t.Errorf("%q: %v", test.text, err)
		}
		if said := fmt.Sprintf("%v %+v %#v %s %x", s, s, s, s, s); said != strings.TrimSpace(strings.Repeat("a secret ", 5)) {
			t.Errorf("%q prints as %q", test.text, said)
		}
	}
	if len(tests) != 12 {
		t.Errorf("ran %d cases, want 12", len(tests))
	}
	if _, err := webhook.New(webhook.Options{}); err == nil {
		t.Error("a channel without anything was made")
	}
}
