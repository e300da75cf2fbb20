package virtual

import (
	"context"
	"errors"
	"net"
	"strings"
	"sync"
	"time"

	"github.com/countersign/countersign/gate/adb"
	"github.com/countersign/countersign/gate/adb/reverse"
	"github.com/countersign/countersign/gate/adb/upstream"
	"github.com/countersign/countersign/wire"
)

// opener serves the streams of one session.
type opener struct {
	*front
	known    chan struct{} // closed with reverses set
	reverses *reverse.Table
}

// know sets what needs the session, which exists only once it opens streams.
func (o *opener) know(ctx context.Context, s *wire.Session) {
	o.reverses = reverse.New(ctx, reverse.Options{
		Mode: func(string, string) reverse.Mode {
			if o.o.Observe {
				return reverse.BothWays
			}
			return reverse.Refused
		},
		// The agent's own server connects to where the agent wants it.
		Connect: func(ctx context.Context, local string) (net.Conn, error) { return s.Open(ctx, local) },
		Log:     o.o.Log,
	})
	close(o.known)
}

// close takes back what the session had made on the phone.
func (o *opener) close() {
	remotes := o.reverses.Remotes()
	o.reverses.Close()
	ctx, cancel := context.WithTimeout(context.Background(), shakeWithin)
	defer cancel()
	for _, remote := range remotes {
		if c, err := o.phone.Open(ctx, "reverse:killforward:"+remote); err == nil {
			_ = c.Close()
		}
	}
}

// open hands a stream to the gate as a service on the phone.
func (o *opener) open(ctx context.Context, s *wire.Stream, service string) {
	select {
	case <-o.known:
	case <-ctx.Done():
		return
	}
	c := &client{Stream: s, shell: inPackets(service)}
	if c.shell {
		// A refusal is told in the shell's own packets. Once a stream is accepted
		// the other side notices when its client goes away, and says so.
		if c.Accept() != nil {
			return
		}
	} else {
		begun := o.o.Now()
		ctx = upstream.WithClient(ctx, service, func(ctx context.Context) error {
			if o.o.Now().Sub(begun) < waited {
				return nil
			}
			return stillThere(ctx, c)
		})
	}
	device := o.gate.Device(o.phone)
	var err error
	if reverse.Is(service) {
		err = o.reverses.Serve(ctx, device, service, c)
	} else {
		err = device.Serve(ctx, service, c)
	}
	if err != nil && ctx.Err() == nil && !errors.Is(err, adb.ErrRefused) {
		o.o.Log.Info("a service ended with an error", "error", err.Error())
	}
}

// waited is how long a service has to take until it is worth asking whether its
// client is still there: longer than looking at a quick phone, much shorter than a
// person takes to answer.
const waited = 20 * time.Millisecond

// Three round trips are what it takes: an adb server tells its client that the
// stream is open with the first at the latest, looks at the client's connection
// again before the second, and has said that it has ended before the third. Who
// does not answer in time is asked no further: it has not said that its client is
// gone.
const (
	roundTrips   = 3
	answerWithin = 500 * time.Millisecond
)

// stillThere finds out whether the client of a stream that was not accepted yet
// is still there. An adb server does not look after its client before that, nor
// does it say that one has gone; so the stream is accepted here, just before what
// it asks for is done.
func stillThere(ctx context.Context, c *client) error {
	if err := c.Accept(); err != nil {
		return err
	}
	asking, cancel := context.WithTimeout(ctx, answerWithin)
	defer cancel()
	for range roundTrips {
		if err := c.Ping(asking); err != nil {
			break
		}
	}
	select {
	case <-c.Gone():
		return errGone
	default:
		return ctx.Err()
	}
}

var errGone = errors.New("the client has gone away while it waited")

// inPackets says whether a service is a shell whose output and errors come in
// packets.
func inPackets(service string) bool {
	name, _, ok := strings.Cut(service, ":")
	base, options, _ := strings.Cut(name, ",")
	if !ok || base != "shell" {
		return false
	}
	for option := range strings.SplitSeq(options, ",") {
		if option == "v2" {
			return true
		}
	}
	return false
}

// client is a stream as gate/adb wants it.
type client struct {
	*wire.Stream
	shell bool

	mu       sync.Mutex
	accepted bool
}

// Accept accepts the stream, once.
func (c *client) Accept() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.accepted {
		return nil
	}
	err := c.Stream.Accept()
	c.accepted = err == nil
	return err
}

// exitRefused is the exit code of a shell command that was refused, as gate/adb
// has it.
const exitRefused = 126

// Refuse closes the stream, for the protocol has no words. A shell that was
// accepted is told in its own.
func (c *client) Refuse(message string) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.accepted || !c.shell {
		return c.Stream.Refuse()
	}
	return errors.Join(
		wire.WriteShellPacket(c.Stream, wire.ShellStderr, []byte(message+"\n")),
		wire.WriteShellPacket(c.Stream, wire.ShellExit, []byte{exitRefused}),
		c.Close())
}

// Gone is closed when the other side has closed the stream.
func (c *client) Gone() <-chan struct{} { return c.Done() }
