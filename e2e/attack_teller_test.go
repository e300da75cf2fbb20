package e2e

import (
	"bufio"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/countersign/countersign/approval"
	"github.com/countersign/countersign/channel/notice"
)

// The channels of the guard under attack: one of each kind, and a webhook that is
// told little.
const (
	aWebhook = "house"
	aBrief   = "quiet"
	aPush    = "phone"
	aHook    = "desk"
)

var everyChannel = []string{aWebhook, aBrief, aPush, aHook}

// What only the guard and the other side know.
const (
	webhookKey = "whsec_c3RhcCBydW5zIG9uIGEgcmFpbnkgZGF5IGluIHF1aXRv"
	pushToken  = "tk_heronsfishatlowtide"
	pushTopic  = "countersign-Xq7c0Vb2"
)

// The guards in this process have its environment: one value is for a channel,
// the other for nobody.
func init() {
	if err := errors.Join(os.Setenv("COUNTERSIGN_ATTACK_TOKEN", pushToken), os.Setenv("COUNTERSIGN_ATTACK_OTHER", "a secret of the environment")); err != nil {
		panic(err)
	}
}

// delivery is what a channel was told once.
type delivery struct {
	header    http.Header
	body      string
	arguments []string // of a program: how it was started
	environ   []string
}

// all is everything of it in one text.
func (d *delivery) all() string {
	text := d.body + "\n" + strings.Join(d.arguments, "\n") + "\n" + strings.Join(d.environ, "\n")
	for name, values := range d.header {
		text += "\n" + name + ": " + strings.Join(values, "\n")
	}
	return text
}

// tellers are the other sides of the channels.
type tellers struct {
	t       *testing.T
	file    string // the guard's file of channels
	program string
	mu      sync.Mutex
	told    map[string][]delivery // by channel
	more    chan struct{}         // closed, and another one, with each delivery
}

// The arguments of the program, which mean something to a shell.
var hookArguments = []string{"--to", "the desk; touch pwned", "$(touch pwned)", "`touch pwned`", "two\nlines", "*"}

// openTellers starts the other sides.
func openTellers(t *testing.T) *tellers {
	t.Helper()
	x := &tellers{t: t, told: map[string][]delivery{}, more: make(chan struct{})}
	server := func(channel string) string {
		s := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			body, err := io.ReadAll(r.Body)
			if err != nil {
				t.Errorf("%s: %v", channel, err)
			}
			x.take(channel, delivery{header: r.Header, body: string(body)})
		}))
		t.Cleanup(s.Close)
		return s.URL
	}
	dir := t.TempDir()
	x.program = filepath.Join(dir, "tell it")
	pipe := filepath.Join(dir, "told")
	x.must(syscall.Mkfifo(pipe, 0o600))
	x.must(os.WriteFile(x.program, []byte("#!/bin/sh\nexec >> '"+pipe+"'\nprintf '%s\\000' \"$0\" \"$@\" =environ\nenv -0\nprintf '=stdin\\000'\ncat\nprintf '\\000=end\\000'\n"), 0o700))
	told, err := os.OpenFile(pipe, os.O_RDWR, 0)
	x.must(err)
	t.Cleanup(func() { told.Close() })
	go x.listen(bufio.NewReader(told))
	x.file = filepath.Join(dir, "channels.yaml")
	x.must(os.WriteFile(x.file, []byte(toJSON(map[string]any{"channels": map[string]any{
		aWebhook: map[string]any{"kind": "webhook", "url": server(aWebhook) + "/in/zebra-crossing", "secret": webhookKey},
		aBrief:   map[string]any{"kind": "webhook", "url": server(aBrief), "secret": webhookKey, "brief": true},
		aPush:    map[string]any{"kind": "push", "url": server(aPush), "topic": pushTopic, "secret_env": "COUNTERSIGN_ATTACK_TOKEN"},
		aHook:    map[string]any{"kind": "hook", "command": append([]string{x.program}, hookArguments...)},
	}})), 0o600))
	return x
}

func (x *tellers) must(err error) {
	x.t.Helper()
	if err != nil {
		x.t.Fatal(err)
	}
}

func (x *tellers) take(channel string, d delivery) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.told[channel] = append(x.told[channel], d)
	close(x.more)
	x.more = make(chan struct{})
}

// listen reads what the program writes down of each start.
func (x *tellers) listen(from *bufio.Reader) {
	var d delivery
	var part *[]string
	for {
		word, err := from.ReadString(0)
		if err != nil {
			return // the test is over
		}
		switch word = strings.TrimSuffix(word, "\x00"); {
		case word == x.program:
			d = delivery{}
			d.arguments = []string{word}
			part = &d.arguments
		case word == "=environ":
			part = &d.environ
		case word == "=stdin":
			part = nil
		case word == "=end":
			x.take(aHook, d)
		case part == nil:
			d.body = word
		default:
			*part = append(*part, word)
		}
	}
}

// of waits until a channel was told of a question.
func (x *tellers) of(channel, id string) delivery {
	x.t.Helper()
	over := time.After(patience)
	for {
		x.mu.Lock()
		all, more := x.told[channel], x.more
		for i := range all {
			// A push names no id.
			if strings.Contains(all[i].all(), id) {
				x.mu.Unlock()
				return all[i]
			}
		}
		x.mu.Unlock()
		select {
		case <-more:
		case <-over:
			x.t.Fatalf("%s is never told of %s: %d messages", channel, id, len(all))
		}
	}
}

// all is what a channel was told so far.
func (x *tellers) all(channel string) []delivery {
	x.mu.Lock()
	defer x.mu.Unlock()
	return slices.Clone(x.told[channel])
}

// word is a text by which a message is known: a push says nothing of the id.
func word(channel string, q *approval.Approval) string {
	if channel == aPush {
		return notice.Unlinked(q.Device)
	}
	return q.ID
}

// announced puts a question on a device of its own, and returns what each channel
// was told of it.
func (x *tellers) announced(s *siege, a httpAgent, body map[string]any) (approval.Approval, map[string]delivery) {
	x.t.Helper()
	q := s.asked(a, body)
	told := map[string]delivery{}
	for _, c := range everyChannel {
		told[c] = x.of(c, word(c, &q))
	}
	return q, told
}

// count waits until a channel was told a number of times, as long as it goes on
// being told something.
func (x *tellers) count(channel string, n int) {
	x.t.Helper()
	over, last := time.After(patience), 0
	for {
		x.mu.Lock()
		have, more := len(x.told[channel]), x.more
		x.mu.Unlock()
		if have >= n {
			return
		}
		if have > last {
			over, last = time.After(patience), have
		}
		select {
		case <-more:
		case <-over:
			x.t.Fatalf("%s was told %d times, not %d", channel, have, n)
		}
	}
}
