package adb

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net"

	"github.com/countersign/countersign/decide"
	"github.com/countersign/countersign/gate/adb/relay"
)

// watch carries a stream in observe mode. Whoever speaks first tells what it is:
// calls of HTTP are judged and pass, everything else passes unseen.
func (s *serving) watch(ctx context.Context) error {
	conn, err := s.dial(ctx, s.target)
	if err != nil {
		return err
	}
	defer conn.Close()
	client, phone := newFirst(onlyReader{s.client}), newFirst(conn)
	select {
	case <-client.came:
	case <-phone.came:
	case <-ctx.Done():
		return ctx.Err()
	}
	if client.spoke() {
		if p, err := sniff(client.in); err == nil && p == relay.HTTP1 {
			used := false
			return s.relay(ctx, client.in, func(ctx context.Context) (net.Conn, error) {
				if used {
					return s.dial(ctx, s.target)
				}
				used = true
				return behind{conn, phone}, nil
			})
		}
	}
	w := s.actWay(false, s.opaque("a stream to "+decide.Quote(s.target, maxShown), ""))
	w.release = func(context.Context) error { return nil }
	if t, err := s.judge(ctx, w); err != nil {
		return errors.Join(ErrRefused, err, s.refuse(explain(&t, err)))
	}
	return carry(ctx, heard{s.client, client}, behind{conn, phone}, nil, nil)
}

// first is a reader whose first bytes are waited for.
type first struct {
	in   *bufio.Reader
	came chan struct{} // closed when there are some, or none will come
}

func newFirst(r io.Reader) *first {
	f := &first{in: bufio.NewReaderSize(r, relay.SniffSize), came: make(chan struct{})}
	go func() {
		defer close(f.came)
		f.in.Peek(1)
	}()
	return f
}

func (f *first) spoke() bool {
	select {
	case <-f.came:
		return f.in.Buffered() > 0
	default:
		return false
	}
}

func (f *first) Read(p []byte) (int, error) {
	<-f.came
	return f.in.Read(p)
}

// behind is a connection, and heard a client, whose first bytes were waited for.
type behind struct {
	net.Conn
	first *first
}

func (b behind) Read(p []byte) (int, error) { return b.first.Read(p) }

type heard struct {
	Client
	first *first
}

func (h heard) Read(p []byte) (int, error) { return h.first.Read(p) }
