package adbd

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Servers is what listens on the phone, by address: "tcp:9008" or
// "localabstract:name". The zero value is a phone on which nothing listens. It
// is safe for concurrent use.
type Servers struct {
	mu    sync.Mutex
	serve map[string]*listening
}

type listening struct{ serve func(net.Conn) }

// ErrAddressInUse is that something listens there already.
var ErrAddressInUse = errors.New("address already in use")

// ErrNobodyListens is that nothing on the phone listens at an address.
var ErrNobodyListens = errors.New("connection refused: nothing listens there on the phone")

// spaces are the kinds of addresses on a phone.
var spaces = []string{"tcp", "localabstract", "localreserved", "localfilesystem"}

// checkAddress is the address in the form that it is kept in.
func checkAddress(address string) (string, error) {
	space, name, _ := strings.Cut(address, ":")
	if space == "local" {
		space = "localfilesystem"
	}
	port, err := strconv.ParseUint(name, 10, 16)
	switch {
	case !slices.Contains(spaces, space) || name == "":
		return "", fmt.Errorf("%.100q is no address on a phone: tcp:PORT and localabstract:NAME are", address)
	case space == "tcp" && err != nil:
		return "", fmt.Errorf("%.100q has no port from 0 to 65535", address)
	case space == "tcp":
		name = strconv.FormatUint(port, 10)
	}
	return space + ":" + name, nil
}

// Listen makes serve answer connections to an address until stop is called.
// Each connection gets a goroutine of its own and is closed when serve returns.
// "tcp:0" is a port that is free; see [Servers.Addresses].
func (s *Servers) Listen(address string, serve func(net.Conn)) (stop func(), err error) {
	_, stop, err = s.listen(address, serve)
	return stop, err
}

// listen is Listen, and says which address it became.
func (s *Servers) listen(address string, serve func(net.Conn)) (where string, stop func(), err error) {
	where, err = checkAddress(address)
	if err != nil {
		return "", nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.serve == nil {
		s.serve = map[string]*listening{}
	}
	for port := 40_000; where == "tcp:0"; port++ {
		if free := "tcp:" + strconv.Itoa(port); s.serve[free] == nil {
			where = free
		}
	}
	if s.serve[where] != nil {
		return "", nil, fmt.Errorf("%s: %w", where, ErrAddressInUse)
	}
	l := &listening{serve}
	s.serve[where] = l
	return where, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.serve[where] == l {
			delete(s.serve, where)
		}
	}, nil
}

// Dial connects to what listens at an address.
func (s *Servers) Dial(address string) (net.Conn, error) {
	where, err := checkAddress(address)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	l := s.serve[where]
	s.mu.Unlock()
	if l == nil {
		return nil, fmt.Errorf("%s: %w", where, ErrNobodyListens)
	}
	ours, theirs := net.Pipe()
	go func() {
		defer theirs.Close()
		l.serve(theirs)
	}()
	return ours, nil
}

// Addresses are the addresses where something listens, in order.
func (s *Servers) Addresses() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Sorted(maps.Keys(s.serve))
}

// ListenHTTP is Listen for a handler. Stop ends what is being answered too.
func (s *Servers) ListenHTTP(address string, h http.Handler) (stop func(), err error) {
	conns := &handed{conns: make(chan net.Conn), closed: make(chan struct{}), address: address}
	server := &http.Server{Handler: h, ReadHeaderTimeout: time.Minute}
	// When serve returns a connection is closed, so it waits for its end.
	leave, err := s.Listen(address, func(c net.Conn) {
		ended := make(chan struct{})
		select {
		case conns.conns <- &watched{Conn: c, ended: ended}:
			<-ended
		case <-conns.closed:
		}
	})
	if err != nil {
		return nil, err
	}
	go server.Serve(conns) //nolint:errcheck // it ends with Close, which says so
	return func() {
		leave()
		server.Close()
	}, nil
}

// handed is a listener whose connections are handed to it.
type handed struct {
	conns   chan net.Conn
	once    sync.Once
	closed  chan struct{}
	address string
}

func (l *handed) Accept() (net.Conn, error) {
	select {
	case c := <-l.conns:
		return c, nil
	case <-l.closed:
		return nil, net.ErrClosed
	}
}

func (l *handed) Close() error {
	l.once.Do(func() { close(l.closed) })
	return nil
}

func (l *handed) Addr() net.Addr { return place(l.address) }

// place is an address on the phone.
type place string

func (place) Network() string  { return "phone" }
func (p place) String() string { return string(p) }

// watched is a connection that tells when it is closed.
type watched struct {
	net.Conn
	once  sync.Once
	ended chan struct{}
}

func (c *watched) Close() error {
	err := c.Conn.Close()
	c.once.Do(func() { close(c.ended) })
	return err
}

// join copies between two connections until either ends, or the context.
func join(ctx context.Context, a, b net.Conn) {
	both := func() { a.Close(); b.Close() }
	defer context.AfterFunc(ctx, both)()
	var work sync.WaitGroup
	for _, pair := range [][2]net.Conn{{a, b}, {b, a}} {
		work.Go(func() {
			defer both()
			copyAll(pair[0], pair[1])
		})
	}
	work.Wait()
}
