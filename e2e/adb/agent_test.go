package adb_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"

	"github.com/countersign/countersign/phone"
	"github.com/countersign/countersign/wire"
)

// dial opens a service as the agent.
func (w *world) dial(ctx context.Context, service string) (net.Conn, error) {
	if w.front == asServer {
		return w.server.Open(ctx, wire.Selector{Kind: wire.SelectSerial, Serial: w.serial}, service)
	}
	s, err := w.session.Open(ctx, service)
	if err != nil {
		return nil, err
	}
	return s, nil
}

// result is what a client was told.
type result struct {
	refused string // the text of a refusal, empty for none
	out     string // what came back, without packets
	errOut  string // standard error, of a shell of version 2
	exit    int    // of a shell of version 2, -1 for none
}

// passed reports that the client was let through.
func (r *result) passed() bool { return r.refused == "" && r.exit < 126 }

func (r *result) said() string { return r.refused + r.errOut }

// serve opens a service, sends input, and reads to the end.
func (w *world) serve(service, input string) result {
	w.t.Helper()
	return w.begin(service, input)()
}

// begin opens a service in the background; end waits for what became of it.
func (w *world) begin(service, input string) (end func() result) {
	ctx, stop := context.WithTimeout(w.ctx, patience)
	got := make(chan result, 1)
	go func() {
		defer stop()
		got <- w.ask(ctx, service, input)
	}()
	return func() result {
		w.t.Helper()
		r := <-got
		if ctx.Err() == context.DeadlineExceeded {
			w.t.Fatalf("%.80q did not end", service)
		}
		return r
	}
}

func (w *world) ask(ctx context.Context, service, input string) result {
	r := result{exit: -1}
	c, err := w.dial(ctx, service)
	if err != nil {
		r.refused = err.Error()
		return r
	}
	defer c.Close()
	stop := context.AfterFunc(ctx, func() { c.Close() })
	defer stop()
	sent := make(chan struct{})
	go func() {
		defer close(sent)
		io.WriteString(c, input) // a refusal may come first
	}()
	out, _ := io.ReadAll(c)
	c.Close()
	<-sent
	if !inPackets(service) {
		r.out = string(out)
		return r
	}
	for in := bytes.NewReader(out); ; {
		id, data, err := wire.ReadShellPacket(in, 1<<20)
		if err != nil {
			return r
		}
		switch id {
		case wire.ShellStdout:
			r.out += string(data)
		case wire.ShellStderr:
			r.errOut += string(data)
		case wire.ShellExit:
			r.exit = int(data[0])
		}
	}
}

// inPackets reports whether a service is a shell of version 2.
func inPackets(service string) bool {
	name, _, _ := strings.Cut(service, ":")
	return strings.HasPrefix(name, "shell") && strings.Contains(","+name+",", ",v2,")
}

// typed is input for a shell of version 2, and its end.
func typed(lines ...string) string {
	var b bytes.Buffer
	for _, l := range lines {
		_ = wire.WriteShellPacket(&b, wire.ShellStdin, []byte(l)) // a buffer takes it
	}
	_ = wire.WriteShellPacket(&b, wire.ShellCloseStdin, nil)
	return b.String()
}

// push sends a file through sync, as adb push does.
func (w *world) push(path, content string) error {
	ctx, stop := context.WithTimeout(w.ctx, patience)
	defer stop()
	c, err := w.dial(ctx, "sync:")
	if err != nil {
		return err
	}
	defer c.Close()
	if err := wire.WriteSyncRequest(c, wire.SyncRequest{ID: wire.SyncSEND, Path: path, Mode: 0o100644}); err != nil {
		return err
	}
	s := wire.NewSyncWriter(c)
	if _, err := io.WriteString(s, content); err != nil {
		return err
	}
	return errors.Join(s.Done(1), wire.ReadSyncStatus(c))
}

func request(method, path, body string) string {
	return fmt.Sprintf("%s %s HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: %d\r\n\r\n%s",
		method, path, len(body), body)
}

// at is the middle of the control with a text, a description or an id.
func (w *world) at(label string) (x, y int) {
	w.t.Helper()
	b := w.node(label).Bounds
	return (b.Min.X + b.Max.X) / 2, (b.Min.Y + b.Max.Y) / 2
}

func (w *world) node(label string) phone.Node {
	w.t.Helper()
	for _, n := range w.phone.Nodes() {
		if n.Text == label || n.Description == label || n.ResourceID == label || strings.HasSuffix(n.ResourceID, "/"+label) {
			return n
		}
	}
	w.t.Fatalf("nothing on the phone's screen is called %q", label)
	return phone.Node{}
}
