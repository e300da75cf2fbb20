package relay

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"time"

	"github.com/countersign/countersign/risk"
)

var (
	// ErrMoved says that what a call names is no longer what was judged. The call
	// was not forwarded.
	ErrMoved = errors.New("what the call names has moved or changed since it was judged, so nothing was done; look at the screen, find it again and try again")
	// ErrReleasedTwice says that a judge ran release a second time.
	ErrReleasedTwice = errors.New("relay: a call is released once")

	errUnreachable = errors.New("the server on the phone cannot be reached")
)

// HTTP relays the requests of one stream until it ends, each judged by judge.
// device opens the same service on the phone; it is called before the first call
// is judged, to ask what the server is and what its calls name, and for each
// connection that the server closes again.
//
// It returns nil when the agent is done or the server has closed, ctx's error when
// ctx ended, and *[Malformed] after it has refused what cannot be read. The caller
// closes client; to end a wait for it, it does so when ctx ends.
func HTTP(ctx context.Context, client io.ReadWriter, device func(context.Context) (net.Conn, error), o Options, judge Judge) error {
	if o.Memory == nil {
		o.Memory = new(Memory)
	}
	if o.MaxBody <= 0 {
		o.MaxBody = usualMaxBody
	}
	r := &relay{client: client, br: bufio.NewReader(client), device: device, options: o, judge: judge}
	defer r.hangUp()
	for {
		again, err := r.next(ctx)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case errors.Is(err, io.EOF):
			return nil
		case err != nil || !again:
			return err
		}
	}
}

// relay is one stream of an agent.
type relay struct {
	client  io.Writer
	br      *bufio.Reader
	device  func(context.Context) (net.Conn, error)
	options Options
	judge   Judge

	up     net.Conn // to the server; nil where none is open
	fromUp *bufio.Reader
	quiet  chan error // how the server's silence ended
}

// next relays one request. It reports whether another may follow.
func (r *relay) next(ctx context.Context) (bool, error) {
	req, err := readRequest(r.br, r.options.MaxBody, r.goOn)
	if err != nil {
		return false, r.refuse(err)
	}
	if why := r.barred(req); why != "" {
		return false, errors.Join(&Malformed{Status: 403, Reason: why}, r.answerSelf(refusal(403, why), true))
	}
	s, err := r.identify(ctx, req)
	if err != nil {
		return r.failed(req, unknown, err)
	}
	if err := s.misreads(req); err != nil {
		return false, r.refuse(err)
	}
	return r.judged(ctx, s, req)
}

// goOn tells the agent to send the body.
func (r *relay) goOn() error {
	_, err := io.WriteString(r.client, "HTTP/1.1 100 Continue\r\n\r\n")
	return err
}

// refuse answers what cannot be read, and passes the error on.
func (r *relay) refuse(err error) error {
	if bad := (*Malformed)(nil); errors.As(err, &bad) {
		why := "Countersign did not pass this request on: " + bad.Reason + "."
		return errors.Join(err, r.answerSelf(refusal(bad.Status, why), true))
	}
	return err
}

func (r *relay) answerSelf(p reply, close bool) error {
	_, err := r.client.Write(p.bytes(close))
	return err
}

// barred says why a request is refused whatever the server is.
func (r *relay) barred(req *request) string {
	switch {
	case req.upgrade != "" || req.value("sec-websocket-key") != "":
		return WebSocket.Refusal()
	case devtools(r.options.Target, req.path()):
		return devtoolsRefusal
	}
	return ""
}

// misreads says where a server would read a request differently from us.
func (s *server) misreads(req *request) error {
	if req.chunked && !s.chunked {
		return &Malformed{Status: 411, Reason: "this server does not read chunked bodies; send Content-Length"}
	}
	if len(req.body) > 0 && s.bodies != nil && !s.bodies(req.path()) {
		return malformed("this server reads no body at this path")
	}
	return nil
}

// judged works out what a request means, has it judged and passes it on.
func (r *relay) judged(ctx context.Context, s *server, req *request) (bool, error) {
	mean := s.read(r.options.Memory, req)
	mean.describe += r.options.Memory.howAll(mean.handles)
	p := &passage{relay: r, server: s, req: req, mean: &mean}
	if err := p.look(ctx); err != nil {
		return r.failed(req, s, err)
	}
	err := r.judge(ctx, p.call(), p.release)
	switch {
	case p.complete: // what the server said is the answer
		return !req.close && r.up != nil, nil
	case p.began:
		return false, err
	case ctx.Err() != nil:
		return false, ctx.Err()
	case err == nil:
		err = errors.New("the guard did not say why")
	}
	return r.failed(req, s, err)
}

// failed tells the agent that its call was not passed on, in the way that the
// server's clients understand.
func (r *relay) failed(req *request, s *server, err error) (bool, error) {
	var p reply
	refused, gone := (*Refused)(nil), (*absent)(nil)
	switch {
	case errors.As(err, &refused):
		p = s.deny(req, refused.Message)
	case errors.As(err, &gone) && s.absent != nil:
		p = s.absent(req, gone)
	case errors.Is(err, errUnreachable):
		r.options.Memory.Know("") // what comes back may be another
		p = refusal(502, "Countersign cannot reach the server on the phone: is it running?")
	case errors.Is(err, ErrMoved) && s.stale != nil:
		p = s.stale(req, "Countersign: "+ErrMoved.Error()+".")
	case errors.Is(err, ErrMoved):
		p = s.deny(req, "Countersign: "+ErrMoved.Error()+".")
	default:
		p = s.deny(req, "Countersign could not have this judged, so it was not done. Tell the person whose phone this is.")
	}
	return !req.close, r.answerSelf(p, req.close)
}

// passage is one request on its way.
type passage struct {
	relay  *relay
	server *server
	req    *request
	mean   *meaning

	things   map[string]thing
	released bool
	began    bool // bytes may have reached the server
	complete bool // its answer reached the agent whole
}

// look asks the server what the call names.
func (p *passage) look(ctx context.Context) error {
	if len(p.mean.handles) == 0 || p.server.look == nil {
		return nil
	}
	things, err := p.ask(ctx)
	if err != nil {
		return err
	}
	p.things, p.mean.acts = things, p.mean.build(things)
	return nil
}

func (p *passage) ask(ctx context.Context) (map[string]thing, error) {
	a := &asker{dial: p.relay.device}
	defer a.close()
	things := make(map[string]thing, len(p.mean.handles))
	for _, handle := range p.mean.handles {
		t, err := p.server.look(ctx, a, p.relay.options.Memory, handle)
		if err != nil {
			return nil, err
		}
		things[handle] = t
	}
	return things, nil
}

// call is what the judge sees.
func (p *passage) call() *Call {
	c := &Call{
		Server: p.server.name, Method: p.req.method, Path: p.req.target, Body: p.req.body,
		Reads: p.mean.reads, Describe: p.server.name + " " + p.mean.describe,
	}
	if !c.Reads {
		c.Action = compose(p.mean.acts)
		if c.Action == nil {
			c.Describe = p.server.name + " " + clip(p.mean.describe, 120) + ": " + p.req.method + " " + clip(p.req.target, 120)
		}
	}
	if c.Action != nil && c.Action.Kind == risk.ShellLine {
		c.Shell = c.Action.Shell
	}
	return c
}

// release looks once more and forwards the request.
func (p *passage) release(ctx context.Context) error {
	if p.released {
		return ErrReleasedTwice
	}
	p.released = true
	if len(p.things) > 0 {
		now, err := p.ask(ctx)
		if err != nil {
			return err
		}
		for handle, was := range p.things {
			if now[handle] != was {
				return ErrMoved
			}
		}
	}
	return p.forward(ctx)
}

// forward sends the bytes that were received, and the answer back.
func (p *passage) forward(ctx context.Context) error {
	r := p.relay
	if err := r.reach(ctx); err != nil {
		return err
	}
	up := r.up
	stop := context.AfterFunc(ctx, func() { _ = up.Close() }) // ends what waits below
	defer stop()
	p.began = true
	if p.mean.begins != nil {
		p.mean.begins(r.options.Memory)
	}
	if _, err := up.Write(p.req.raw); err != nil {
		r.hangUp()
		return fmt.Errorf("sending to the server on the phone: %w", err)
	}
	got, began, err := passAnswer(r.client, r.fromUp, p.req.method, p.req.continues, p.keeper())
	if err != nil {
		r.hangUp()
		if !began && errors.Is(err, errAnswer) {
			err = errors.Join(err, r.answerSelf(refusal(502, "The server on the phone answered with something that is not HTTP."), true))
		}
		return fmt.Errorf("the server's answer: %w", err)
	}
	p.complete = true
	if got.reuse {
		r.watch()
	} else {
		r.hangUp()
	}
	return nil
}

// keeper is told of the answer, where somebody wants to be.
func (p *passage) keeper() func(*answer) {
	if p.mean.keep == nil {
		return nil
	}
	return func(a *answer) { p.mean.keep(p.relay.options.Memory, a) }
}

// reach makes sure that there is a connection to the server that it has not
// closed since the last call.
func (r *relay) reach(ctx context.Context) error {
	if r.up != nil && !r.idle() {
		r.hangUp()
	}
	if r.up != nil {
		return nil
	}
	up, err := r.device(ctx)
	if err != nil {
		return fmt.Errorf("%w: %w", errUnreachable, err)
	}
	r.up, r.fromUp = up, bufio.NewReader(up)
	return nil
}

// past is a deadline that has gone by.
var past = time.Unix(1, 0)

// watch waits, while the agent is silent, for the server to close.
func (r *relay) watch() {
	quiet := make(chan error, 1)
	go func(br *bufio.Reader) {
		_, err := br.Peek(1)
		quiet <- err
	}(r.fromUp)
	r.quiet = quiet
}

// idle ends the watch and reports whether the server is still there and has said
// nothing that nobody asked for.
func (r *relay) idle() bool {
	if r.up.SetReadDeadline(past) != nil {
		return false
	}
	err := <-r.quiet
	var timeout net.Error
	return errors.As(err, &timeout) && timeout.Timeout() && r.up.SetReadDeadline(time.Time{}) == nil
}

func (r *relay) hangUp() {
	if r.up != nil {
		_ = r.up.Close() // nothing is lost
		r.up = nil
	}
}
