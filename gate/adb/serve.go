package adb

import (
	"context"
	"errors"
	"io"
	"net"
	"time"

	"github.com/countersign/countersign/decide"
	"github.com/countersign/countersign/hold"
	"github.com/countersign/countersign/risk"
)

// serving is one service of one client, from the request to its end.
type serving struct {
	*Device
	service
	client   Client
	asked    time.Time     // when it began to wait
	due      time.Time     // when its patience ends, the zero time for never
	answered bool          // Accept or Refuse was called
	ended    chan struct{} // closed when the stream is over
	done     chan struct{} // closed when what was begun is over on the phone, as far as that is seen
	turn     *turn         // that goes on until done is closed, nil for none
	err      error         // of the stream; set before ended is closed
}

// serve judges the service by its kind.
func (s *serving) serve(ctx context.Context) error {
	switch {
	case s.kind == kindShell && s.typed && s.pty:
		return s.terminal(ctx)
	case s.kind == kindShell && s.typed:
		return s.lines(ctx)
	case s.kind == kindShell, s.kind == kindBinder:
		return s.runLine(ctx)
	case s.kind == kindFiles:
		return s.sync(ctx)
	case s.kind == kindStream:
		return s.tunnel(ctx)
	case s.kind == kindPicture:
		return s.run(ctx, s.actWay(true, act{action: risk.Action{Kind: risk.Screenshot, Text: "framebuffer"}}))
	case s.kind == kindReverse:
		return s.reversed(ctx)
	case s.kind == kindLine, s.kind == kindBypass:
		return s.run(ctx, s.actWay(false, act{action: risk.Action{Kind: risk.ShellLine, Shell: s.line}, sight: sightPicture}))
	}
	if s.gate.options.Observe {
		return s.run(ctx, s.actWay(false, s.opaque("adb service "+decide.Quote(s.raw, maxShown), "")))
	}
	return s.turnAway(ctx, turnedAway("This guard does not know the service.").message)
}

// opaque is an act that nobody here can read.
func (s *serving) opaque(what, text string) act {
	return act{action: risk.Action{Kind: risk.ToolCall, Tool: what, Text: text}, sight: sightPicture}
}

// actWay is the way of an act that is known beforehand.
func (s *serving) actWay(reads bool, a act) way {
	return way{reads: reads, plan: func(context.Context) (act, error) { return a, nil }}
}

// run takes a service through the desk and carries its bytes until it ends.
func (s *serving) run(ctx context.Context, w way) error {
	if w.release == nil {
		w.release = func(asking context.Context) error { return s.open(asking, ctx, nil, nil) }
	}
	if w.ended == nil {
		w.ended = func() <-chan struct{} { return s.done }
	}
	asking, stop := s.whileThere(ctx)
	t, err := s.judge(asking, w)
	stop()
	if err != nil {
		return s.no(ctx, &t, err)
	}
	return s.wait(ctx)
}

// no tells the client why not.
func (s *serving) no(ctx context.Context, t *hold.Ticket, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if s.isGone() {
		return errors.Join(ErrRefused, err)
	}
	return errors.Join(ErrRefused, err, s.refuse(explain(t, err)))
}

// whileThere is a context that ends when the client hangs up, so that nothing is
// carried out for nobody.
func (s *serving) whileThere(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(ctx)
	go func() {
		select {
		case <-s.client.Gone():
			cancel()
		case <-ctx.Done():
		}
	}()
	return ctx, cancel
}

func (s *serving) isGone() bool { return hungUp(s.client) }

func hungUp(c Client) bool {
	select {
	case <-c.Gone():
		return true
	default:
		return false
	}
}

// open opens the service on the phone, says so to the client and lets the bytes
// flow. It is what a release does; ctx is that of the asking, life that of the
// service. see is shown what the phone sends, and then is called when it sends no
// more, before the client learns of it; nil for neither.
func (s *serving) open(ctx, life context.Context, see io.Writer, then func()) error {
	conn, err := s.dial(ctx, s.raw)
	if err != nil {
		s.answered = true // in the way that a client of the phone's is
		return errors.Join(err, s.client.Refuse(explain(nil, err)))
	}
	s.answered = true
	if err := s.client.Accept(); err != nil {
		conn.Close()
		return err
	}
	s.ended, s.done = make(chan struct{}), make(chan struct{})
	exit := &exitSeen{none: !s.v2}
	if see == nil {
		see = exit
	} else {
		see = io.MultiWriter(exit, see)
	}
	go func() {
		defer close(s.ended)
		s.err = carry(life, s.client, conn, see, func(cut bool) {
			if !cut || exit.seen {
				close(s.done)
			}
			if then != nil {
				then()
			}
		})
	}()
	return nil
}

// wait waits for the stream that open began.
func (s *serving) wait(ctx context.Context) error {
	if s.ended == nil {
		return nil
	}
	<-s.ended
	select {
	case <-s.done:
		if s.turn != nil {
			s.turn.end()
		}
	default: // the client has left a command that goes on
	}
	return errors.Join(s.err, ctx.Err())
}

// lingering is how long a phone may go on sending to a client that sends nothing
// more. ADB has no half-open streams: a real server ends the service at once.
const lingering = 10 * time.Second

// carry copies bytes both ways, as they come, until the phone ends the stream or
// the client has hung up. Both are closed then; just before, then is told whether
// it was the client who ended it. A slow reader slows its own stream down and
// nobody else's.
func carry(ctx context.Context, c Client, phone net.Conn, see io.Writer, then func(cut bool)) error {
	stop := context.AfterFunc(ctx, func() { phone.Close(); c.Close() })
	defer stop()
	over, sent := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(sent)
		io.Copy(phone, onlyReader{c}) // its error shows on the other side
		endWriting(phone, over)
	}()
	from := io.Reader(phone)
	if see != nil {
		from = io.TeeReader(phone, see)
	}
	_, err := io.Copy(onlyWriter{c}, from)
	close(over)
	phone.Close()
	if then != nil {
		then(hungUp(c))
	}
	c.Close()
	<-sent
	return err
}

// endWriting says that the client sends no more, as far as the connection can,
// and closes it when the phone does not end the stream soon.
func endWriting(phone net.Conn, over <-chan struct{}) {
	half, ok := phone.(interface{ CloseWrite() error })
	if !ok || half.CloseWrite() != nil {
		phone.Close()
		return
	}
	timer := time.NewTimer(lingering)
	defer timer.Stop()
	select {
	case <-over:
	case <-timer.C:
		phone.Close()
	}
}

// onlyReader and onlyWriter keep io.Copy from finding shortcuts that a client of
// another make may have half.
type onlyReader struct{ io.Reader }
type onlyWriter struct{ io.Writer }
