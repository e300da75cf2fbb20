package daemon

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log"
	"log/slog"
	"net"
	"net/http"
	"os"
	"time"

	"github.com/countersign/countersign/channel/answer"
	"github.com/countersign/countersign/identity"
)

// door is one listener with its server.
type door struct {
	name     string
	listener net.Listener
	server   *http.Server
}

// The bounds of a connection: nobody may hold a door open for nothing.
const (
	headerTime = 10 * time.Second
	bodyTime   = 30 * time.Second
	answerTime = 90 * time.Second // more than the longest wait of a poll
	idleTime   = 2 * time.Minute
)

func (d *Daemon) serve(name string, l net.Listener, h http.Handler) {
	d.doors = append(d.doors, &door{name: name, listener: l, server: &http.Server{
		Handler: h, ReadHeaderTimeout: headerTime, ReadTimeout: bodyTime, WriteTimeout: answerTime, IdleTimeout: idleTime,
		MaxHeaderBytes: 16 << 10, ErrorLog: log.New(noise{d.options.Log}, "", 0),
	}})
}

// noise is what a server complains of, by itself and not through a handler. That
// somebody's connection is no TLS, or an old one, is no error of the guard's: on a
// network anybody can cause it, as often as they like.
type noise struct{ log *slog.Logger }

// Write takes one complaint.
func (n noise) Write(text []byte) (int, error) {
	level := slog.LevelError
	if bytes.HasPrefix(text, []byte("http: TLS handshake error")) {
		level = slog.LevelDebug
	}
	n.log.Log(context.Background(), level, "a door complains", "why", string(bytes.TrimSpace(text)))
	return len(text), nil
}

// open opens all doors.
func (d *Daemon) open() error {
	agents, err := listen("the agents' door", d.options.Agents, "--agents")
	if err != nil {
		return err
	}
	d.serve("agents", agents, d.gate)
	if path := d.options.AgentSocket; path != "" {
		l, err := listenSocket(path, 0o666)
		if err != nil {
			return err
		}
		d.serve("agents' socket", l, d.gate)
	}
	inbox, err := listen("the inbox", d.options.Inbox, "--inbox")
	if err != nil {
		return err
	}
	base := answer.Options{
		Level: string(d.level), LevelWhy: d.levelWhy, Version: d.options.Version, Log: d.options.Log,
		Channels: d.board.States, Told: d.board.Told, TestChannel: d.board.Test, Health: d.health,
		NeedsChannel: func() bool { return d.rulesInForce().NeedsChannel() },
		Reload:       d.Reload, Policy: d.PolicyName, Observe: d.options.Observe, Record: d.store, TypeAbove: d.options.TypeAbove,
		ADB:      d.ADBAddrs,
		Passkeys: d.passkeys, PasskeyCritical: d.options.PasskeyCritical,
	}
	_, port, err := net.SplitHostPort(inbox.Addr().String())
	if err != nil {
		return err
	}
	host := net.JoinHostPort(d.keys.inboxName, port)
	web := base
	web.Door = identity.Door{Hosts: []string{host}, Origins: []string{"http://" + host}}
	web.InboxURL = "http://" + host
	if err := d.answers("inbox", inbox, web); err != nil {
		return err
	}
	if d.options.Remote != (Remote{}) {
		if err := d.openRemote(base); err != nil {
			return err
		}
	}
	socket, err := listenSocket(d.home.path(SocketFile), 0o600)
	if err != nil {
		return err
	}
	terminal := base
	terminal.Socket, terminal.InboxURL = true, web.InboxURL
	terminal.RemoteURL, terminal.RemoteFingerprint = d.RemoteURL()
	return d.answers("owner's socket", socket, terminal)
}

// openRemote opens the inbox for other devices. Its name is another host, with
// cookies of its own that only travel over TLS.
func (d *Daemon) openRemote(o answer.Options) error {
	l, err := d.listenRemote()
	if err != nil {
		return err
	}
	o.InboxURL, _ = d.RemoteURL()
	o.Door = identity.Door{Hosts: []string{d.remote.host}, Origins: []string{o.InboxURL}}
	return d.answers("inbox for other devices", l, o)
}

func (d *Daemon) answers(name string, l net.Listener, o answer.Options) error {
	h, err := answer.New(d.desk, d.registry, o)
	if err != nil {
		return errors.Join(err, l.Close())
	}
	d.serve(name, l, h)
	return nil
}

func listen(what, addr, flag string) (net.Listener, error) {
	l, err := net.Listen("tcp", addr)
	if err != nil {
		return nil, fmt.Errorf("open %s: %w; is a guard running already? another address is given with %s", what, err, flag)
	}
	return l, nil
}

// listenSocket makes a unix socket with a mode. One that was left behind is
// replaced: the lock of the store makes sure that no other daemon uses it.
func listenSocket(path string, mode fs.FileMode) (net.Listener, error) {
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("make the socket %s: %w", path, err)
	}
	l, err := net.Listen("unix", path)
	if err != nil {
		return nil, fmt.Errorf("make the socket %s: %w", path, err)
	}
	if err := os.Chmod(path, mode); err != nil {
		return nil, errors.Join(fmt.Errorf("make the socket %s: %w", path, err), l.Close())
	}
	return l, nil
}

// closeDoors lets requests in hand finish until ctx ends.
func (d *Daemon) closeDoors(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, closing)
	defer cancel()
	var failed error
	for _, door := range d.doors {
		err := door.server.Shutdown(ctx)
		if errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled) {
			err = door.server.Close()
		}
		failed = errors.Join(failed, err)
		door.listener.Close() // closed already unless the server never served
	}
	d.doors = nil
	return failed
}

// address is where a door is reached.
func (d *Daemon) address(name string) string {
	for _, door := range d.doors {
		if door.name == name {
			return door.listener.Addr().String()
		}
	}
	return ""
}

// AgentsURL is the base address of the agents' door, once it is open.
func (d *Daemon) AgentsURL() string { return "http://" + d.address("agents") }

// InboxURL is the base address of the web page, once it is open.
func (d *Daemon) InboxURL() string {
	_, port, err := net.SplitHostPort(d.address("inbox"))
	if err != nil {
		return ""
	}
	return "http://" + net.JoinHostPort(d.keys.inboxName, port)
}

// Socket is the path of the owner's socket.
func (d *Daemon) Socket() string { return d.home.path(SocketFile) }

// agentHosts are the names under which agents may reach their door.
func agentHosts(addr string) []string {
	host, _, err := net.SplitHostPort(addr)
	if err != nil {
		return nil
	}
	return []string{host, "localhost", "127.0.0.1", "::1"}
}
