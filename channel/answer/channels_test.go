package answer_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"testing"

	"github.com/countersign/countersign/channel/answer"
	"github.com/countersign/countersign/channel/notice"
)

// behind opens a socket door like that of the world, with other options.
func (w *world) behind(change func(*answer.Options)) func(method, path, body string) response {
	w.t.Helper()
	o := answer.Options{Socket: true, Level: "same user", Policy: w.policyName}
	change(&o)
	h, err := answer.New(w.desk, w.registry, o)
	w.must(err)
	path := filepath.Join(w.t.TempDir(), "s")
	l, err := net.Listen("unix", path)
	w.must(err)
	server := httptest.NewUnstartedServer(h)
	server.Listener.Close()
	server.Listener = l
	server.Start()
	w.t.Cleanup(server.Close)
	client := &http.Client{Transport: &http.Transport{DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "unix", path)
	}}}
	w.t.Cleanup(client.CloseIdleConnections)
	return func(method, path, body string) response {
		return w.through(client, "http://countersign", request{method: method, path: path, host: "countersign", token: w.kim, contentType: "application/json", body: body})
	}
}

type channels struct {
	Record   string
	Inbox    string
	Channels []notice.State
}

// The status says how the channels and the record stand, and a question how
// telling of it went.
func TestChannelsInTheAnswers(t *testing.T) {
	w := newWorld(t)
	a := w.send("a")
	sick := errors.New("disk full\x1b[2J")
	do := w.behind(func(o *answer.Options) {
		o.InboxURL = "http://" + inbox
		o.Channels = func() []notice.State {
			return []notice.State{{Name: "phone", Kind: "push", State: notice.Fails, Why: "connection refused"}}
		}
		o.Told = func(id string) []notice.State {
			return []notice.State{{Name: "phone", Kind: "push", State: notice.Waiting, Why: "about " + id}}
		}
		o.Health = func(context.Context) error { return sick }
	})
	s := into[channels](t, do("GET", "/v1/status", ""))
	if s.Record != `disk full\u001b[2J` || s.Inbox != "http://"+inbox || len(s.Channels) != 1 || s.Channels[0].Name != "phone" || s.Channels[0].Why != "connection refused" {
		t.Errorf("the status is %+v", s)
	}
	one := into[channels](t, do("GET", "/v1/approvals/"+a.ID, ""))
	if len(one.Channels) != 1 || one.Channels[0].State != notice.Waiting || one.Channels[0].Why != "about "+a.ID {
		t.Errorf("the question is %+v", one)
	}
	if sick = nil; into[channels](t, do("GET", "/v1/status", "")).Record != "" {
		t.Error("a record that is well is complained about")
	}
}

// Where there are no channels the lists are empty and there.
func TestNoChannels(t *testing.T) {
	w := newWorld(t)
	a := w.send("a")
	for _, path := range []string{"/v1/status", "/v1/approvals/" + a.ID} {
		if got := into[channels](t, w.get(path)); got.Channels == nil || len(got.Channels) != 0 || got.Record != "" {
			t.Errorf("%s: %+v", path, got)
		}
	}
	w.post("/v1/channels/phone/test", struct{}{}).want(t, "a test of none", 501, "no_channels")
}

func TestTestChannel(t *testing.T) {
	w := newWorld(t)
	do := w.behind(func(o *answer.Options) {
		o.TestChannel = func(_ context.Context, name string) (notice.State, error) {
			switch name {
			case "phone":
				return notice.State{Name: name, State: notice.Fails, Why: "no"}, nil
			case "busy":
				return notice.State{}, context.DeadlineExceeded
			}
			return notice.State{}, fmt.Errorf("%w; there are phone, busy", notice.ErrUnknown)
		}
	})
	r := do("POST", "/v1/channels/phone/test", "{}")
	r.want(t, "a test", 200, "")
	if s := into[notice.State](t, r); s.State != notice.Fails || s.Why != "no" {
		t.Errorf("it stands at %+v", s)
	}
	do("POST", "/v1/channels/desk/test", "{}").want(t, "an unknown one", 404, "no_such_channel")
	do("POST", "/v1/channels/busy/test", "{}").want(t, "a busy one", 503, "not_tried")
	do("POST", "/v1/channels/phone/test", "").want(t, "no body", 400, "bad_body")
	do("POST", "/v1/channels/phone/test", `{"to":"https://evil.com"}`).want(t, "more than nothing", 400, "bad_body")
	do("GET", "/v1/channels/phone/test", "").want(t, "GET", 405, "method")
	// An agent's credential tells nobody anything.
	r = w.do(request{method: "POST", path: "/v1/channels/phone/test", host: host, token: w.robo, contentType: "application/json", body: "{}"})
	r.want(t, "an agent", 403, "agents_cannot_answer")
}
