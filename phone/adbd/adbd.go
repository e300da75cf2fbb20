package adbd

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"slices"
	"sync"

	"github.com/countersign/countersign/phone"
	"github.com/countersign/countersign/phone/shell"
	"github.com/countersign/countersign/wire"
)

// Options are how a phone is served. The zero value serves a phone on which no
// server is running and none can be started.
type Options struct {
	// Servers is what listens on the phone; nil is none to begin with.
	Servers *Servers
	// Launches are the servers that a line can start.
	Launches shell.Launches
	// Without are features that the banner is not to have, such as "shell_v2":
	// an older phone.
	Without []string
	// Log gets what is of interest to who runs the phone; nil is nothing.
	Log *slog.Logger
}

// features are those of Android 14, without compressed transfers.
var features = []string{
	"shell_v2", "cmd", "stat_v2", "ls_v2", "fixed_push_mkdir", "apex", "abb", "fixed_push_symlink_timestamp", "abb_exec",
	"remount_shell", "track_app", "sendrecv_v2", "sendrecv_v2_dry_run_send", wire.FeatureDelayedAck,
}

// Serve accepts ADB transports on l until the context ends, and serves p to
// each of them. It closes l, waits for all that it started and returns nil when
// the context has ended, or the listener's error.
func Serve(ctx context.Context, l net.Listener, p *phone.Phone, o Options) error {
	if o.Servers == nil {
		o.Servers = &Servers{}
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	ctx, cancel := context.WithCancel(ctx)
	var work sync.WaitGroup
	defer work.Wait()
	defer cancel()
	defer context.AfterFunc(ctx, func() { l.Close() })()
	d := &daemon{phone: p, servers: o.Servers, log: o.Log, shell: &shell.Shell{
		Phone: p, Launches: o.Launches, Listen: o.Servers.ListenHTTP, Background: ctx,
	}}
	for {
		conn, err := l.Accept()
		switch {
		case ctx.Err() != nil:
			return nil
		case err != nil:
			return fmt.Errorf("accepting an ADB transport: %w", errors.Join(err, l.Close()))
		}
		work.Go(func() { d.transport(ctx, conn, banner(p, o.Without)) })
	}
}

// banner introduces the phone.
func banner(p *phone.Phone, without []string) wire.Banner {
	return wire.Banner{
		State: "device",
		Properties: map[string]string{
			"ro.product.name": shell.Product(p), "ro.product.model": p.Model(), "ro.product.device": shell.Product(p),
		},
		Features: slices.DeleteFunc(slices.Clone(features), func(f string) bool { return slices.Contains(without, f) }),
	}
}

// daemon is what all transports have in common.
type daemon struct {
	phone   *phone.Phone
	shell   *shell.Shell
	servers *Servers
	log     *slog.Logger
}

// transport serves one adb server from its greeting to its end.
func (d *daemon) transport(ctx context.Context, conn net.Conn, banner wire.Banner) {
	t := &transport{daemon: d, ready: make(chan struct{})}
	session, err := wire.ServeDevice(ctx, conn, wire.SessionOptions{Banner: banner, Open: t.open, Log: d.log})
	if err != nil {
		close(t.ready)
		d.log.Info("an ADB transport did not come about", "error", err)
		return
	}
	t.session = session
	close(t.ready)
	<-session.Done()
	t.reverses.removeAll() // at once: what runs without the shell protocol goes on
	if err := session.Wait(); err != nil && ctx.Err() == nil {
		d.log.Info("an ADB transport ended", "error", err)
	}
}

// transport is one connection to an adb server.
type transport struct {
	*daemon
	ready    chan struct{} // closed when session is set
	session  *wire.Session
	reverses reverses
}
