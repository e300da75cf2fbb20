package smart

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"sync"

	"github.com/countersign/countersign/gate/adb"
	"github.com/countersign/countersign/gate/adb/reverse"
	"github.com/countersign/countersign/gate/adb/upstream"
	"github.com/countersign/countersign/wire"
)

// Options say which gate is in front of which server. Gate and Server are
// required.
type Options struct {
	Gate *adb.Gate
	// Server is the hidden adb server.
	Server wire.Server
	// AllowConnect says whether a host request that adds, removes or changes
	// phones may pass: "connect" with "192.168.1.2:5555", "disconnect", "pair",
	// "reconnect", "emulator" ... Nil refuses all. What an agent lets the hidden
	// server connect to may be a program of its own: the server answers there with
	// the guard's key, and the answer is good at a phone's other door.
	AllowConnect func(verb, args string) bool
	// Observe lets pass what would be refused here. The gate has to be in observe
	// mode as well.
	Observe bool
	// MaxConnections is how many clients may be connected at once, through
	// forwards too; more are hung up on. 0 is 512.
	MaxConnections int
	// Log is told what went wrong inside. Nil drops it.
	Log *slog.Logger
}

// StartHidden starts the adb server that the gate hides, with its socket in dir
// (upstream.Start has the particulars). stop ends it.
func StartHidden(ctx context.Context, dir string) (s wire.Server, stop func() error, err error) {
	h, err := upstream.Start(ctx, upstream.HiddenOptions{Dir: dir})
	if err != nil {
		return wire.Server{}, nil, err
	}
	return h.Server(), h.Stop, nil
}

// front is a running front end.
type front struct {
	o        Options
	life     context.Context // of the front end, for what outlives a client
	places   chan struct{}
	work     sync.WaitGroup
	forwards forwards
	phones   *upstream.Phones

	mu       sync.Mutex
	reverses map[string]*reverse.Table // by serial
}

// Serve answers clients that connect to l until ctx ends or l fails. It closes
// l, and returns when every client is gone.
func Serve(ctx context.Context, l net.Listener, o Options) error {
	f, err := newFront(o)
	if err != nil {
		_ = l.Close()
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	f.life = ctx
	defer f.work.Wait()
	defer f.phones.Close()
	defer f.closeReverses()
	defer f.forwards.drop("")
	defer cancel()
	f.work.Go(func() { f.follow(ctx) })
	err = f.accept(ctx, l, func(ctx context.Context, c net.Conn) {
		(&client{front: f, conn: c}).serve(ctx)
	})
	if ctx.Err() != nil {
		return nil
	}
	return fmt.Errorf("smart: %w", err)
}

// newFront fills in what Options leave out.
func newFront(o Options) (*front, error) {
	if o.Gate == nil || o.Server.Address == "" {
		return nil, errors.New("smart: Options.Gate and Options.Server are required")
	}
	if o.MaxConnections <= 0 {
		o.MaxConnections = 512
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	return &front{
		o: o, places: make(chan struct{}, o.MaxConnections), phones: upstream.NewPhones(o.Server), reverses: map[string]*reverse.Table{},
	}, nil
}

// accept calls serve for each connection until ctx ends or l fails. It closes l.
func (f *front) accept(ctx context.Context, l net.Listener, serve func(context.Context, net.Conn)) error {
	stop := context.AfterFunc(ctx, func() { _ = l.Close() })
	defer stop()
	defer func() { _ = l.Close() }()
	for {
		c, err := l.Accept()
		if err != nil {
			return err
		}
		select {
		case f.places <- struct{}{}:
		default:
			f.o.Log.Warn("a client was hung up on, there are too many", "clients", f.o.MaxConnections)
			_ = c.Close()
			continue
		}
		f.work.Go(func() {
			defer func() { <-f.places }()
			c := newLingering(c)
			stop := context.AfterFunc(ctx, func() { _ = c.Conn.Close() })
			defer stop()
			defer c.end() // its place is free when it is gone
			serve(ctx, c)
		})
	}
}

// reversesOf is the table of a phone's reverses.
func (f *front) reversesOf(serial string) *reverse.Table {
	f.mu.Lock()
	defer f.mu.Unlock()
	if t := f.reverses[serial]; t != nil {
		return t
	}
	t := reverse.New(f.life, reverse.Options{
		Mode: func(string, string) reverse.Mode {
			if f.o.Observe {
				return reverse.BothWays
			}
			return reverse.Refused
		},
		Connect: reverse.Loopback,
		Log:     f.o.Log,
	})
	f.reverses[serial] = t
	return t
}

func (f *front) closeReverses() {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, t := range f.reverses {
		t.Close()
	}
}
