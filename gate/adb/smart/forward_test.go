package smart_test

import (
	"context"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"
)

func newListener(t *testing.T) net.Listener {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	return l
}

// get asks what a server on the phone says at a path, through a forward.
func get(t *testing.T, port, path string) (string, error) {
	t.Helper()
	client := http.Client{Timeout: time.Minute, Transport: &http.Transport{DisableKeepAlives: true}}
	r, err := client.Get("http://127.0.0.1:" + port + path)
	if err != nil {
		return "", err
	}
	defer func() { _ = r.Body.Close() }()
	body, err := io.ReadAll(r.Body)
	return string(body), err
}

// Forwards by adb's own client, from their making to their end. What flows on
// them is a service on the phone like any other.
func TestForward(t *testing.T) {
	f := newFixture(t, observing)
	run := func(want string, code int, args ...string) string {
		t.Helper()
		r := f.client.Run(args...)
		if r.Code != code || !strings.Contains(r.Out+r.Err, want) {
			t.Errorf("adb %q: %+v, want %q", args, r, want)
		}
		return strings.TrimSpace(r.Out)
	}
	port := run("", 0, "forward", "tcp:0", "tcp:6790")
	local := "tcp:" + port
	if body, err := get(t, port, "/status"); err != nil || !strings.Contains(body, "tcp:6790 GET /status") {
		t.Fatalf("through the forward: %q, %v", body, err)
	}
	run(f.phone.Addr+" "+local+" tcp:6790", 0, "forward", "--list")
	run("cannot rebind existing socket", 1, "forward", "--no-rebind", local, "tcp:6791")
	run("", 0, "forward", local, "tcp:6792")
	if body, err := get(t, port, "/other"); err != nil || !strings.Contains(body, "tcp:6792 GET /other") {
		t.Errorf("after the forward was changed: %q, %v", body, err)
	}
	run(f.phone.Addr+" "+local+" tcp:6792", 0, "forward", "--list")

	taken := newListener(t)
	run("cannot bind listener: address already in use", 1, "forward", "tcp:"+strings.TrimPrefix(taken.Addr().String(), "127.0.0.1:"), "tcp:1")

	second := run("", 0, "-s", f.phone.Addr, "forward", "tcp:0", "tcp:6793")
	run("", 0, "forward", "--remove", local)
	if _, err := get(t, port, "/"); err == nil {
		t.Error("a forward that was removed answers")
	}
	run("listener '"+local+"' not found", 1, "forward", "--remove", local)
	if body, err := get(t, second, "/"); err != nil || !strings.Contains(body, "tcp:6793") {
		t.Errorf("the other forward: %q, %v", body, err)
	}
	run("", 0, "forward", "--remove-all")
	if list := run("", 0, "forward", "--list"); list != "" {
		t.Errorf("after all were removed: %q", list)
	}
	if got := slices.Compact(f.phone.Reached()); !slices.Equal(got, []string{"tcp:6790", "tcp:6792", "tcp:6793"}) {
		t.Errorf("the phone got %q", got)
	}
	if list, err := f.hidden.Server().Query(t.Context(), "host:list-forward"); list != "" || err != nil {
		t.Errorf("the hidden server has forwards: %q, %v", list, err)
	}
}

// On a forward nothing flows that nobody can read, and nothing remains when the
// front end ends.
func TestForwardIsJudged(t *testing.T) {
	f := newFixture(t)
	r := f.client.Run("forward", "tcp:0", "localabstract:scrcpy_1")
	port := strings.TrimSpace(r.Out)
	c, err := net.Dial("tcp", "127.0.0.1:"+port)
	f.must(err)
	defer func() { _ = c.Close() }()
	f.must(c.SetDeadline(time.Now().Add(time.Minute)))
	if b, err := io.ReadAll(c); len(b) > 0 || err != nil {
		t.Errorf("a stream that nobody can read: %q, %v", b, err)
	}
	if got := f.phone.Reached(); len(got) > 0 {
		t.Errorf("the phone got %q", got)
	}
	f.stop()
	if _, err := net.Dial("tcp", "127.0.0.1:"+port); err == nil {
		t.Error("a forward has outlived the guard")
	}
}

// A forward ends with its phone, as with a stock server; and what the phone does
// next does not bring it back.
func TestForwardEndsWithThePhone(t *testing.T) {
	f := newFixture(t)
	port := strings.TrimSpace(f.client.Run("forward", "tcp:0", "tcp:6790").Out)
	f.must(f.hidden.Server().Command(t.Context(), "host:disconnect:"+f.phone.Addr))
	for {
		list, err := f.front.Query(t.Context(), "host:list-forward")
		f.must(err)
		if list == "" {
			break
		}
	}
	if _, err := net.Dial("tcp", "127.0.0.1:"+port); err == nil {
		t.Error("a forward has outlived its phone")
	}
	f.must(f.hidden.Connect(t.Context(), f.phone.Addr))
	if r := f.client.Run("forward", "--list"); strings.TrimSpace(r.Out) != "" {
		t.Errorf("when the phone is back: %+v", r)
	}
}

// A reverse in observe mode: the phone is told of a listener of ours, the agent sees
// its own address, and both ends hear each other.
func TestReverse(t *testing.T) {
	agent := newListener(t)
	local := "tcp:" + strings.TrimPrefix(agent.Addr().String(), "127.0.0.1:")
	f := newFixture(t, observing)
	for _, remote := range []string{"tcp:7000", "tcp:7001"} {
		if r := f.client.Run("reverse", remote, local); r.Code != 0 {
			t.Fatalf("reverse %s: %+v", remote, r)
		}
	}
	if got := strings.Join(f.phone.Reached(), " "); strings.Contains(got, local) || strings.Count(got, "reverse:forward:") != 2 {
		t.Errorf("the phone got %q", got)
	}
	r := f.client.Run("reverse", "--list")
	if !strings.Contains(r.Out, " tcp:7000 "+local+"\n") || !strings.Contains(r.Out, " tcp:7001 "+local+"\n") {
		t.Errorf("the list: %+v", r)
	}

	talk := func(remote string) (atAgent, atPhone string) {
		t.Helper()
		app, err := f.phone.Dial(t.Context(), remote)
		f.must(err)
		defer func() { _ = app.Close() }()
		f.must(app.SetDeadline(time.Now().Add(time.Minute)))
		_, err = io.WriteString(app, "frame")
		f.must(err)
		end, err := agent.Accept()
		f.must(err)
		f.must(end.SetDeadline(time.Now().Add(time.Minute)))
		b := make([]byte, 5)
		_, err = io.ReadFull(end, b)
		f.must(err)
		_, _ = io.WriteString(end, "press")
		_ = end.(*net.TCPConn).CloseWrite()
		said, _ := io.ReadAll(app)
		_ = end.Close()
		return string(b), string(said)
	}
	for _, remote := range []string{"tcp:7000", "tcp:7001"} {
		if a, p := talk(remote); a != "frame" || p != "press" {
			t.Errorf("%s: the agent got %q, the phone %q", remote, a, p)
		}
	}

	if r := f.client.Run("reverse", "--remove", "tcp:7000"); r.Code != 0 {
		t.Errorf("removing one: %+v", r)
	}
	if _, err := f.phone.Dial(context.Background(), "tcp:7000"); err == nil {
		t.Error("a reverse that was removed answers")
	}
	if r := f.client.Run("reverse", "--remove-all"); r.Code != 0 {
		t.Errorf("removing all: %+v", r)
	}
	if r := f.client.Run("reverse", "--list"); strings.TrimSpace(r.Out) != "" {
		t.Errorf("the list of none: %+v", r)
	}
}
