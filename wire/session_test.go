package wire

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"net"
	"os"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// pair is a session's two ends over a pipe without a buffer, where two ends
// that wait for each other would do so for ever.
func pair(t testing.TB, device, host SessionOptions) (d, h *Session) {
	t.Helper()
	a, b := net.Pipe()
	return pairOver(t, a, b, device, host)
}

func pairOver(t testing.TB, a, b net.Conn, device, host SessionOptions) (d, h *Session) {
	t.Helper()
	var err error
	ready := make(chan error, 1)
	go func() {
		var err error
		d, err = ServeDevice(t.Context(), a, device)
		ready <- err
	}()
	if h, err = DialHost(t.Context(), b, host); err != nil {
		t.Fatal(err)
	}
	if err := <-ready; err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = d.Close()
		_ = h.Close()
		_, _ = d.Wait(), h.Wait()
	})
	return d, h
}

// echo sends back what it gets; "no" is refused.
func echo(_ context.Context, s *Stream, service string) {
	if service == "no" || s.Accept() != nil {
		return
	}
	_, _ = io.Copy(s, s)
}

// withDelayedAck says that an end has the feature.
func withDelayedAck(o SessionOptions) SessionOptions {
	o.Banner.Features = append(o.Banner.Features, FeatureDelayedAck)
	return o
}

// flows are the two ways of flow control.
var flows = map[string]func(SessionOptions) SessionOptions{
	"classic":     func(o SessionOptions) SessionOptions { return o },
	"delayed ack": withDelayedAck,
}

func TestSessionManyStreamsInBothDirections(t *testing.T) {
	if len(flows) != 2 {
		t.Fatalf("%d ways of flow control, there are 2", len(flows))
	}
	for name, flow := range flows {
		t.Run(name, func(t *testing.T) {
			o := flow(SessionOptions{Open: echo, MaxPayload: 8 << 10, Window: 16 << 10})
			d, h := pair(t, o, o)
			var all sync.WaitGroup
			for i := range 16 {
				for _, s := range []*Session{d, h} {
					all.Go(func() { exchange(t, s, int64(i)) })
				}
			}
			all.Wait()
		})
	}
}

// exchange sends random bytes to an echo and compares what comes back.
func exchange(t *testing.T, s *Session, seed int64) {
	st, err := s.Open(t.Context(), "echo")
	if err != nil {
		t.Error(err)
		return
	}
	defer func() { _ = st.Close() }()
	rnd := rand.New(rand.NewPCG(uint64(seed), 1))
	sent := make([]byte, 100_000+rnd.IntN(100_000))
	for i := range sent {
		sent[i] = byte(rnd.Uint32())
	}
	go func() {
		for rest := sent; len(rest) > 0; {
			n := min(1+rnd.IntN(20_000), len(rest))
			if _, err := st.Write(rest[:n]); err != nil {
				t.Error(err)
				return
			}
			rest = rest[n:]
		}
	}()
	got := make([]byte, len(sent))
	if _, err := io.ReadFull(st, got); err != nil {
		t.Error(err)
	}
	if !bytes.Equal(got, sent) {
		t.Error("what came back is not what was sent")
	}
}

// A service that nobody reads from must not stop the others, and its sender
// has to wait.
func TestSessionSlowReaderStopsNobodyElse(t *testing.T) {
	for name, flow := range flows {
		t.Run(name, func(t *testing.T) {
			release := make(chan struct{})
			total := make(chan int64, 1)
			o := flow(SessionOptions{MaxPayload: 4 << 10, Window: 8 << 10})
			device := o
			device.Open = func(ctx context.Context, s *Stream, service string) {
				if service != "slow" {
					echo(ctx, s, service)
					return
				}
				_ = s.Accept()
				<-release
				n, _ := io.Copy(io.Discard, s)
				total <- n
			}
			_, h := pair(t, device, o)
			slow, err := h.Open(t.Context(), "slow")
			if err != nil {
				t.Fatal(err)
			}
			if err := slow.SetWriteDeadline(time.Unix(1, 0)); err != nil {
				t.Fatal(err)
			}
			if _, err := slow.Write([]byte("late")); !errors.Is(err, os.ErrDeadlineExceeded) {
				t.Fatalf("a write after its deadline: %v", err)
			}
			_ = slow.SetWriteDeadline(time.Now().Add(2 * time.Second)) // it has begun by then, however busy the machine is
			sent, err := slow.Write(make([]byte, 1<<20))
			if !errors.Is(err, os.ErrDeadlineExceeded) {
				t.Fatalf("1 MiB to nobody: %v", err)
			}
			if sent == 0 || sent > 16<<10 {
				t.Errorf("%d bytes were sent to a stream that nobody reads, the window is 8 KiB", sent)
			}
			exchange(t, h, 7)
			close(release)
			_ = slow.SetWriteDeadline(time.Time{})
			if _, err := slow.Write([]byte("more")); err != nil {
				t.Fatal(err)
			}
			_ = slow.Close()
			if got := <-total; got != int64(sent)+4 {
				t.Errorf("%d bytes arrived, %d were sent", got, sent+4)
			}
		})
	}
}

func TestSessionRefusals(t *testing.T) {
	d, h := pair(t, SessionOptions{Open: echo}, SessionOptions{})
	cases := 0
	for _, c := range []struct {
		name    string
		s       *Session
		service string
		failure bool
	}{
		{"refused by the service", h, "no", true},
		{"nobody serves", d, "echo", true},
		{"no name", h, "", false},
		{"a name too long", h, strings.Repeat("x", MaxRequest+1), false},
	} {
		cases++
		_, err := c.s.Open(t.Context(), c.service)
		var f *Failure
		if err == nil || errors.As(err, &f) != c.failure {
			t.Errorf("%s: %v", c.name, err)
		}
	}
	if cases != 4 {
		t.Fatalf("%d cases", cases)
	}
	exchange(t, h, 1) // and the session goes on
}

// What was sent before a stream was closed arrives; then comes its end.
func TestSessionCloseKeepsWhatWasSent(t *testing.T) {
	for name, flow := range flows {
		t.Run(name, func(t *testing.T) {
			device := flow(SessionOptions{Open: func(_ context.Context, s *Stream, _ string) {
				_ = s.Accept()
				_, _ = s.Write([]byte("first"))
				_, _ = s.Write([]byte(" and last"))
			}})
			_, h := pair(t, device, flow(SessionOptions{}))
			st, err := h.Open(t.Context(), "words")
			if err != nil {
				t.Fatal(err)
			}
			<-st.Done()
			if _, err := st.Write([]byte("?")); !errors.Is(err, ErrStreamClosed) {
				t.Errorf("a write to a stream that they closed: %v", err)
			}
			got, err := io.ReadAll(st)
			if string(got) != "first and last" || err != nil {
				t.Errorf("got %q, %v", got, err)
			}
			_ = st.Close()
			if _, err := st.Read(make([]byte, 1)); !errors.Is(err, ErrStreamClosed) {
				t.Errorf("a read from a stream that we closed: %v", err)
			}
		})
	}
}

// A ping is answered by who reads, and told by who has closed.
func TestStreamPing(t *testing.T) {
	for name, flow := range flows {
		t.Run(name, func(t *testing.T) {
			_, h := pair(t, flow(SessionOptions{Open: echo}), flow(SessionOptions{}))
			st, err := h.Open(t.Context(), "echo")
			if err != nil {
				t.Fatal(err)
			}
			for range 3 {
				if err := st.Ping(t.Context()); err != nil {
					t.Fatal(err)
				}
			}
			if _, err := st.Write([]byte("x")); err != nil {
				t.Fatal(err)
			}
			if _, err := st.Read(make([]byte, 1)); err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithCancel(t.Context())
			cancel()
			if err := st.Ping(ctx); !errors.Is(err, context.Canceled) {
				t.Errorf("when its context has ended: %v", err)
			}
			_ = st.Close()
			if err := st.Ping(t.Context()); !errors.Is(err, ErrStreamClosed) {
				t.Errorf("a stream that is closed: %v", err)
			}
		})
	}
}

// When the session breaks, a reader must not take that for the end of a file.
func TestSessionEndIsNoEndOfStream(t *testing.T) {
	started := make(chan struct{})
	d, h := pair(t, SessionOptions{Open: func(ctx context.Context, s *Stream, _ string) {
		_ = s.Accept()
		close(started)
		<-ctx.Done()
	}}, SessionOptions{})
	st, err := h.Open(t.Context(), "x")
	if err != nil {
		t.Fatal(err)
	}
	<-started
	_ = d.Close()
	if _, err := io.ReadAll(st); !errors.Is(err, ErrSessionEnded) {
		t.Errorf("reading when the session ended: %v", err)
	}
	if _, err := st.Write([]byte("x")); !errors.Is(err, ErrSessionEnded) {
		t.Errorf("writing when the session ended: %v", err)
	}
	if _, err := h.Open(t.Context(), "x"); !errors.Is(err, ErrSessionEnded) {
		t.Errorf("opening when the session ended: %v", err)
	}
	if err := d.Wait(); err != nil {
		t.Errorf("the side that closed: %v", err)
	}
	if err := h.Wait(); err != nil {
		t.Errorf("the side that was hung up on: %v", err)
	}
}

func TestSessionTooManyStreams(t *testing.T) {
	d, h := pair(t, SessionOptions{Open: echo, MaxStreams: 3}, SessionOptions{})
	var open []*Stream
	for range 3 {
		st, err := h.Open(t.Context(), "echo")
		if err != nil {
			t.Fatal(err)
		}
		open = append(open, st)
	}
	var f *Failure
	if _, err := h.Open(t.Context(), "echo"); !errors.As(err, &f) {
		t.Errorf("the fourth stream: %v", err)
	}
	if _, err := d.Open(t.Context(), "echo"); err == nil {
		t.Error("a fourth stream from the side with the bound")
	}
	_ = open[0].Close()
	for { // its place is free once the echo has returned
		st, err := h.Open(t.Context(), "echo")
		if err == nil {
			_ = st.Close()
			break
		}
		if !errors.As(err, &f) {
			t.Fatal(err)
		}
	}
}

// An Open that is given up is closed when its answer comes, and takes its
// place until then.
func TestSessionOpenGivenUp(t *testing.T) {
	asked, answer, gone := make(chan struct{}), make(chan struct{}), make(chan struct{})
	_, h := pair(t, SessionOptions{Open: func(_ context.Context, s *Stream, _ string) {
		close(asked)
		<-answer
		_ = s.Accept()
		<-s.Done()
		close(gone)
	}}, SessionOptions{})
	ctx, cancel := context.WithCancel(t.Context())
	go func() { <-asked; cancel() }()
	if _, err := h.Open(ctx, "x"); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	close(answer)
	<-gone
}

func TestStreamDeadlines(t *testing.T) {
	_, h := pair(t, SessionOptions{Open: echo}, SessionOptions{})
	st, err := h.Open(t.Context(), "echo")
	if err != nil {
		t.Fatal(err)
	}
	read := func() error {
		_, err := st.Read(make([]byte, 8))
		return err
	}
	_ = st.SetReadDeadline(time.Now().Add(time.Millisecond))
	if err := read(); !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("a read without data: %v", err)
	}
	_ = st.SetDeadline(time.Unix(1, 0))
	if err := read(); !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("a read after its deadline: %v", err)
	}
	_ = st.SetDeadline(time.Time{})
	if _, err := st.Write([]byte("x")); err != nil {
		t.Error(err)
	}
	if err := read(); err != nil {
		t.Errorf("a read without a deadline: %v", err)
	}
	if got := st.LocalAddr().String() + st.RemoteAddr().Network() + st.Service(); got != "echoadbecho" {
		t.Errorf("addresses: %q", got)
	}
}

// A bubble of synctest fails when goroutines are left in it.
func TestSessionLeavesNothingBehind(t *testing.T) {
	ends := map[string]func(d, h *Session, st *Stream, cancel func()){
		"the server hangs up":   func(_, h *Session, _ *Stream, _ func()) { _ = h.Close() },
		"the phone hangs up":    func(d, _ *Session, _ *Stream, _ func()) { _ = d.Close() },
		"the context ends":      func(_, _ *Session, _ *Stream, cancel func()) { cancel() },
		"after the stream":      func(_, h *Session, st *Stream, _ func()) { _, _ = st.Close(), h.Close() },
		"the phone writes junk": func(d, _ *Session, _ *Stream, _ func()) { _, _ = d.conn.Write(make([]byte, 24)) },
	}
	if len(ends) != 5 {
		t.Fatalf("%d cases", len(ends))
	}
	for name, end := range ends {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithCancel(context.Background())
				defer cancel()
				a, b := net.Pipe()
				var d *Session
				var all sync.WaitGroup
				all.Go(func() { d, _ = ServeDevice(ctx, a, SessionOptions{Open: deaf}) })
				h, err := DialHost(ctx, b, SessionOptions{Open: echo})
				if all.Wait(); err != nil {
					t.Fatal(err)
				}
				st, err := h.Open(ctx, "deaf")
				if err != nil {
					t.Fatal(err)
				}
				_ = st.SetDeadline(time.Now().Add(time.Hour))
				all.Go(func() { _, _ = io.Copy(io.Discard, st) })
				all.Go(func() { _, _ = st.ReadFrom(endless{}) })
				synctest.Wait()
				end(d, h, st, cancel)
				_, _ = d.Wait(), h.Wait()
				_ = st.Close()
				all.Wait()
			})
		})
	}
}

// deaf never reads.
func deaf(ctx context.Context, s *Stream, _ string) {
	_ = s.Accept()
	<-ctx.Done()
}

// endless is a file without an end.
type endless struct{}

func (endless) Read(p []byte) (int, error) { return len(p), nil }
