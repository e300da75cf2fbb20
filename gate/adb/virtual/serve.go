package virtual

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"net"
	"slices"
	"sync"
	"time"

	"github.com/countersign/countersign/gate/adb"
	"github.com/countersign/countersign/gate/adb/upstream"
	"github.com/countersign/countersign/wire"
)

// Options say what the guarded phone looks like. The zero value has everything
// at its usual size, no features and no name.
type Options struct {
	// Describe returns the features and properties of the real phone, asked anew
	// for each connection, so that a phone that comes later is found
	// (FromServer). Nil is none.
	Describe func(ctx context.Context) (features []string, properties map[string]string, err error)
	// Lost returns when the real phone is gone; every connection is closed then,
	// and with it the guarded phone (Lost). Nil is never.
	Lost func(ctx context.Context)
	// Observe lets pass what would be refused here. The gate has to be in observe
	// mode as well.
	Observe bool
	// MaxSessions is how many servers may be connected at once; more are hung up
	// on. 0 is 16.
	MaxSessions int
	// Now is the clock by which it is told whether a client waited; time.Now if
	// nil.
	Now func() time.Time
	// Log is told what went wrong inside. Nil drops it.
	Log *slog.Logger
}

// supported are the features that a guarded phone may have: what gate/adb can
// judge, and what is only about how things are packed. Compressed transfers
// (sendrecv_v2_brotli, _lz4, _zstd) are left out, for nobody could read them;
// so are those that open ways of their own (remount_shell, track_app,
// framework's apex installs).
var supported = []string{
	"shell_v2", "cmd", "stat_v2", "ls_v2", "fixed_push_mkdir", "fixed_push_symlink_timestamp",
	"abb", "abb_exec", "sendrecv_v2", wire.FeatureDelayedAck,
}

// shakeWithin is how long a connection may take for its first packet.
const shakeWithin = 10 * time.Second

// front is a running front end.
type front struct {
	o     Options
	gate  *adb.Gate
	phone adb.Phone
}

// Serve answers adb servers that connect to l until ctx ends or l fails. Each
// sees the phone, guarded by g. It closes l, and returns when every connection is
// closed.
func Serve(ctx context.Context, l net.Listener, g *adb.Gate, phone adb.Phone, o Options) error {
	if g == nil || phone == nil {
		_ = l.Close()
		return errors.New("virtual: a gate and a phone are required")
	}
	if o.MaxSessions <= 0 {
		o.MaxSessions = 16
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	f := &front{o: o, gate: g, phone: upstream.Checked(phone)}
	ctx, cancel := context.WithCancel(ctx)
	var work sync.WaitGroup
	defer work.Wait()
	defer cancel()
	stop := context.AfterFunc(ctx, func() { _ = l.Close() })
	defer stop()
	places := make(chan struct{}, o.MaxSessions)
	for {
		c, err := l.Accept()
		if err != nil {
			_ = l.Close()
			if ctx.Err() != nil {
				return nil
			}
			return fmt.Errorf("virtual: %w", err)
		}
		select {
		case places <- struct{}{}:
		default:
			o.Log.Warn("an adb server was hung up on, there are too many", "servers", o.MaxSessions)
			_ = c.Close()
			continue
		}
		work.Go(func() {
			defer func() { <-places }()
			if err := f.session(ctx, c); err != nil && ctx.Err() == nil {
				o.Log.Info("an adb server's connection has ended", "error", err.Error())
			}
		})
	}
}

// session is one connection of an adb server.
func (f *front) session(ctx context.Context, c net.Conn) error {
	banner, err := f.banner(ctx)
	if err != nil {
		_ = c.Close()
		return fmt.Errorf("the phone cannot be reached, so it is not shown: %w", err)
	}
	opener := &opener{front: f, known: make(chan struct{})}
	shaking, cancel := context.WithTimeout(ctx, shakeWithin)
	defer cancel()
	s, err := serveDevice(ctx, shaking, c, wire.SessionOptions{Banner: banner, Open: opener.open, Log: f.o.Log})
	if err != nil {
		return err
	}
	opener.know(ctx, s)
	if f.o.Lost != nil {
		watching, stop := context.WithCancel(ctx)
		defer stop()
		go func() {
			f.o.Lost(watching)
			_ = s.Close()
		}()
	}
	err = s.Wait()
	opener.close()
	return err
}

// serveDevice is wire.ServeDevice with another, shorter life for the handshake.
func serveDevice(ctx, shaking context.Context, c net.Conn, o wire.SessionOptions) (*wire.Session, error) {
	stop := context.AfterFunc(shaking, func() { _ = c.Close() })
	s, err := wire.ServeDevice(ctx, c, o)
	if !stop() && err == nil {
		_ = s.Close()
		return nil, shaking.Err()
	}
	return s, err
}

// banner is how the guarded phone introduces itself.
func (f *front) banner(ctx context.Context) (wire.Banner, error) {
	b := wire.Banner{State: "device"}
	if f.o.Describe == nil {
		return b, nil
	}
	features, properties, err := f.o.Describe(ctx)
	if err != nil {
		return b, err
	}
	for _, feature := range supported {
		// Acknowledging late is between the two ends of this connection; the real
		// phone has its own with the hidden server.
		if feature == wire.FeatureDelayedAck || slices.Contains(features, feature) {
			b.Features = append(b.Features, feature)
		}
	}
	b.Properties = maps.Clone(properties)
	return b, nil
}
