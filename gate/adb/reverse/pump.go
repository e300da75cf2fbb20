package reverse

import (
	"context"
	"errors"
	"io"
	"net"
	"strconv"
	"strings"
	"sync"
)

// accept passes connections on to the agent's end until the listener closes.
func (t *Table) accept(e *entry, mode Mode) {
	l := e.listener
	stop := context.AfterFunc(t.ctx, func() { _ = l.Close() })
	defer stop()
	for {
		phone, err := l.Accept()
		if err != nil {
			_ = l.Close()
			return
		}
		if e.paused.Load() {
			_ = phone.Close()
			continue
		}
		select {
		case t.places <- struct{}{}:
			t.work.Go(func() {
				defer func() { <-t.places }()
				t.pass(phone, e.local, mode)
			})
		default:
			t.o.Log.Warn("a connection from the phone was closed, there are too many", "connections", maxConnections)
			_ = phone.Close()
		}
	}
}

// pass connects one connection of the phone with the agent's end.
func (t *Table) pass(phone net.Conn, local string, mode Mode) {
	defer func() { _ = phone.Close() }()
	agent, err := t.o.Connect(t.ctx, local)
	if err != nil {
		t.o.Log.Info("a connection from the phone found nobody", "error", err.Error())
		return
	}
	defer func() { _ = agent.Close() }()
	both := func() {
		_ = phone.Close()
		_ = agent.Close()
	}
	stop := context.AfterFunc(t.ctx, both)
	defer stop()
	var up sync.WaitGroup
	up.Go(func() {
		defer both()
		if mode != BothWays {
			var b [1]byte
			if n, _ := agent.Read(b[:]); n > 0 {
				t.o.Log.Warn("the agent answered on a connection on which only the phone may speak; it was closed")
			}
			return
		}
		_, _ = io.Copy(phone, agent)
	})
	_, _ = io.Copy(agent, phone)
	both()
	up.Wait()
}

// Loopback connects to a port of this computer, and to nothing else: what can be
// reached by name or through a file is reached with the guard's rights, not the
// agent's.
func Loopback(ctx context.Context, local string) (net.Conn, error) {
	host, port, found := strings.Cut(strings.TrimPrefix(local, "tcp:"), ":")
	if !found {
		host, port = "localhost", host
	}
	n, err := strconv.ParseUint(port, 10, 16)
	if !strings.HasPrefix(local, "tcp:") || err != nil || n == 0 || host != "localhost" && host != "127.0.0.1" {
		return nil, errors.New("only tcp:PORT of this computer can be reached from the phone")
	}
	var d net.Dialer
	return d.DialContext(ctx, "tcp", net.JoinHostPort("127.0.0.1", port))
}
