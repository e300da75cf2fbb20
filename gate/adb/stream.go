package adb

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"strings"

	"github.com/countersign/countersign/command"
	"github.com/countersign/countersign/decide"
	"github.com/countersign/countersign/gate/adb/relay"
	"github.com/countersign/countersign/risk"
)

// closed says why nothing may be connected to a target, whatever is spoken there;
// empty for what may be listened to first.
func closed(target string) string {
	name, rest, _ := strings.Cut(target, ":")
	switch {
	case name == "tcp" && strings.Contains(rest, ":"):
		return "The phone does not connect an agent to other computers here."
	case name == "tcp" && rest == "5555": // adbd itself, where network debugging is on
		return "That is another door to the phone, beside this guard."
	case name == "tcp" && strings.Trim(rest, "0123456789") != "":
		return "A port is a number."
	case name == "localabstract" && strings.HasPrefix(rest, "scrcpy"):
		return "Nobody can see what scrcpy is told to press."
	case strings.HasSuffix(rest, "devtools_remote") || strings.Contains(rest, "devtools_remote_"):
		return "Nobody can see what a web page is told over its debugger."
	}
	return ""
}

// tunnel carries a stream to a server on the phone, each of its calls judged.
func (s *serving) tunnel(ctx context.Context) error {
	observe := s.gate.options.Observe
	if why := closed(s.target); why != "" {
		if observe {
			return s.run(ctx, s.actWay(false, s.opaque("a stream to "+decide.Quote(s.target, maxShown), "")))
		}
		return s.turnAway(ctx, turnedAway("%s", why).message)
	}
	s.answered = true
	if err := s.client.Accept(); err != nil {
		return err
	}
	if observe {
		return s.watch(ctx)
	}
	in := bufio.NewReaderSize(onlyReader{s.client}, relay.SniffSize)
	p, err := sniff(in)
	switch {
	case err != nil:
		return nil // gone before it said anything
	case p != relay.HTTP1:
		s.record(ctx, p.Refusal())
		return ErrRefused
	}
	return s.relay(ctx, in, func(ctx context.Context) (net.Conn, error) { return s.dial(ctx, s.target) })
}

// sniff tells what a client speaks by its first bytes, which stay where they are.
func sniff(in *bufio.Reader) (relay.Protocol, error) {
	for n := 1; ; n = in.Buffered() + 1 {
		_, err := in.Peek(min(n, relay.SniffSize))
		first, _ := in.Peek(in.Buffered())
		p := relay.Sniff(first)
		switch {
		case p != relay.Undecided:
			return p, nil
		case err != nil:
			return p, err
		case len(first) >= relay.SniffSize:
			return relay.Other, nil
		}
	}
}

// relay carries HTTP.
func (s *serving) relay(ctx context.Context, in io.Reader, device func(context.Context) (net.Conn, error)) error {
	asking, stop := s.whileThere(ctx)
	defer stop()
	unblock := context.AfterFunc(ctx, func() { s.client.Close() })
	defer unblock()
	client := struct {
		io.Reader
		io.Writer
	}{in, onlyWriter{s.client}}
	err := relay.HTTP(asking, client, device, relay.Options{Target: s.target, Memory: s.memory(s.target)}, s.judgeCall)
	if bad := (*relay.Malformed)(nil); errors.As(err, &bad) {
		s.record(ctx, "what cannot be read in one way only: "+bad.Reason)
	}
	if s.isGone() && ctx.Err() == nil {
		return nil
	}
	return err
}

// judgeCall takes one call through the desk.
func (s *serving) judgeCall(ctx context.Context, c *relay.Call, release func(context.Context) error) error {
	s.asks()
	s.shows(c.Server)
	w := s.callWay(ctx, c)
	released := false
	w.release = func(ctx context.Context) error {
		released = true
		return release(ctx)
	}
	t, err := s.judge(ctx, w)
	if err == nil || released {
		return err
	}
	return &relay.Refused{Message: explain(&t, err)}
}

// callWay is the way of a call by what it does.
func (s *serving) callWay(ctx context.Context, c *relay.Call) way {
	switch {
	case c.Reads:
		return s.actWay(true, act{action: risk.Action{Kind: risk.Screenshot, Text: c.Describe}})
	case c.Action == nil:
		return s.actWay(false, s.opaque(c.Describe, c.Server+" "+c.Method+" "+c.Path))
	case c.Action.Kind == risk.ShellLine:
		return s.lineWay(ctx, c.Action.Shell, false)
	}
	a := act{action: *c.Action, sight: sightTree}
	if p := phaseOf(c); p != nil {
		return way{plan: func(context.Context) (act, error) { return s.planPress(a, p), nil }}
	}
	switch c.Action.Kind {
	case risk.Launch, risk.Back, risk.Home, risk.Wait, risk.Screenshot:
		a.sight = sightNone
	case risk.OpenIntent, risk.OpenLink, risk.ToolCall:
		a.sight = sightPicture
	}
	return s.actWay(false, a)
}

// phaseOf is the part of a touch that a call of uiautomator2's sends, nil for none:
// injectInputEvent with the number of android.view.MotionEvent's action.
func phaseOf(c *relay.Call) *command.Press {
	a := c.Action
	if c.Server != relay.UIAutomator2 || a.X == nil || a.Y == nil || a.Kind != risk.MotionEvent && a.Kind != risk.Scroll {
		return nil
	}
	var call struct {
		Method string            `json:"method"`
		Params []json.RawMessage `json:"params"`
	}
	if json.Unmarshal(c.Body, &call) != nil || call.Method != "injectInputEvent" || len(call.Params) == 0 {
		return nil
	}
	kind := map[string]command.PressKind{"0": command.PressDown, "1": command.PressUp, "2": command.PressMove}[string(call.Params[0])]
	if kind == "" {
		return nil
	}
	return &command.Press{Kind: kind, X: *a.X, Y: *a.Y}
}

// reversed judges connections that begin on the phone. Listing and closing them
// changes nothing; what flows on a new one is not seen here.
func (s *serving) reversed(ctx context.Context) error {
	switch {
	case s.line == "list-forward" || strings.HasPrefix(s.line, "killforward"):
		return s.run(ctx, s.actWay(true, act{action: risk.Action{Kind: risk.Wait, Text: "reverse " + s.line}}))
	case strings.Contains(s.line, "localabstract:scrcpy") && !s.gate.options.Observe:
		return s.turnAway(ctx, turnedAway("Nobody can see what scrcpy is told to press.").message)
	}
	return s.run(ctx, s.actWay(false, s.opaque("a connection from the phone to this computer", s.raw)))
}

// Dial opens a judged stream to a server on the phone, such as "tcp:9008", for a
// forward that the front end owns. What flows on it is judged as on a stream that
// the client opened itself; a target that is refused is an error that wraps
// ErrRefused and says why. ctx is for the opening; the stream lives until it is
// closed.
func (d *Device) Dial(ctx context.Context, target string) (net.Conn, error) {
	if s := parseService(target); s.kind != kindStream {
		return nil, errors.Join(ErrRefused, turnedAway("This guard does not know the target."))
	}
	near, far := net.Pipe()
	opened, refusedWith := make(chan struct{}), make(chan string, 1)
	c := Buffered(far, func() error { close(opened); return nil }, func(message string) error {
		refusedWith <- message
		return nil
	})
	go d.Serve(context.WithoutCancel(ctx), target, c)
	select {
	case <-opened:
		return near, nil
	case message := <-refusedWith:
		near.Close()
		return nil, errors.Join(ErrRefused, errors.New(message))
	case <-ctx.Done():
		near.Close()
		return nil, ctx.Err()
	}
}
