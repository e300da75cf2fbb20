package smart_test

import (
	"bytes"
	"context"
	"io"
	"net"
	"testing"
	"time"

	"github.com/countersign/countersign"
	"github.com/countersign/countersign/approval"
	"github.com/countersign/countersign/gate/adb"
	"github.com/countersign/countersign/gate/adb/fronttest"
	"github.com/countersign/countersign/gate/adb/smart"
	"github.com/countersign/countersign/gate/adb/upstream"
	"github.com/countersign/countersign/hold"
	"github.com/countersign/countersign/store/sqlite"
	"github.com/countersign/countersign/wire"
)

// fixture is a front end in front of a real adb server with one phone.
type fixture struct {
	t      testing.TB
	desk   *hold.Desk
	store  *sqlite.Store
	gate   *adb.Gate
	phone  *fronttest.Phone
	hidden *upstream.Hidden
	front  wire.Server // where the front end listens
	client *fronttest.Client
	stop   func() // ends the front end, and waits
}

// settings are what a test changes before anything is made.
type settings struct {
	desk  hold.Options
	gate  adb.Options
	front smart.Options
}

func observing(s *settings) { s.desk.Observe, s.gate.Observe, s.front.Observe = true, true, true }

func newFixture(t testing.TB, change ...func(*settings)) *fixture {
	t.Helper()
	f := &fixture{t: t, phone: fronttest.NewPhone(t)}
	f.hidden = fronttest.Server(t, f.phone.Addr)
	s := settings{gate: adb.Options{Agent: "agent", AgentName: "tester", Patience: func(string) time.Duration { return 0 }}}
	s.desk.Now = time.Now
	s.front.Server = f.hidden.Server()
	f.makeGate(&s, change)
	s.front.Gate = f.gate

	l, err := net.Listen("tcp", "127.0.0.1:0")
	f.must(err)
	f.front = wire.Server{Network: "tcp", Address: l.Addr().String()}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- smart.Serve(ctx, l, s.front) }()
	stopped := false
	f.stop = func() {
		if stopped {
			return
		}
		stopped = true
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
	t.Cleanup(f.stop)
	_, port, err := net.SplitHostPort(f.front.Address)
	f.must(err)
	f.client = fronttest.ClientOfPort(t, port)
	return f
}

// makeGate makes the gate over a store in memory.
func (f *fixture) makeGate(s *settings, change []func(*settings)) {
	f.t.Helper()
	var err error
	f.store, err = sqlite.Open(context.Background(), sqlite.Memory, sqlite.Options{})
	f.must(err)
	guard, err := countersign.New(countersign.Options{DigestKey: bytes.Repeat([]byte("k"), 32)})
	f.must(err)
	s.desk.Store, s.desk.Decider = f.store, guard
	s.desk.Somebody = func(context.Context) bool { return true }
	for _, ch := range change {
		ch(s)
	}
	f.desk, err = hold.New(context.Background(), s.desk)
	f.must(err)
	s.gate.Desk = f.desk
	f.gate, err = adb.New(s.gate)
	f.must(err)
	f.t.Cleanup(func() {
		f.desk.Close()
		_ = f.store.Close()
	})
}

func (f *fixture) must(err error) {
	f.t.Helper()
	if err != nil {
		f.t.Fatal(err)
	}
}

// question waits for the next question that is open.
func (f *fixture) question() approval.Approval {
	f.t.Helper()
	ctx, stop := context.WithTimeout(f.t.Context(), time.Minute)
	defer stop()
	for {
		changed := f.desk.Changed()
		open, err := f.desk.Views(ctx, hold.Query{States: []approval.State{approval.Pending}, Limit: 10})
		f.must(err)
		if len(open) > 0 {
			return open[0]
		}
		select {
		case <-changed:
		case <-ctx.Done():
			f.t.Fatal("nobody was asked")
		}
	}
}

// settled waits until a question is in a state.
func (f *fixture) settled(id string, want approval.State) {
	f.t.Helper()
	ctx, stop := context.WithTimeout(f.t.Context(), time.Minute)
	defer stop()
	for {
		changed := f.desk.Changed()
		a, err := f.store.Approval(ctx, id)
		f.must(err)
		if a.State == want {
			return
		}
		select {
		case <-changed:
		case <-ctx.Done():
			f.t.Fatalf("the question is %v, not %v", a.State, want)
		}
	}
}

// answer is what the owner says to a question.
func (f *fixture) answer(a approval.Approval, yes bool) error {
	_, err := f.desk.Answer(f.t.Context(), hold.Answer{ID: a.ID, Digest: a.Digest, Yes: yes, By: "owner", How: "library"})
	return err
}

// sayYes answers every question with yes, until stop is called.
func (f *fixture) sayYes() (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			changed := f.desk.Changed()
			open, _ := f.desk.Views(ctx, hold.Query{States: []approval.State{approval.Pending}, Limit: 10})
			for _, a := range open {
				_ = f.answer(a, true)
			}
			select {
			case <-changed:
			case <-ctx.Done():
				return
			}
		}
	}()
	return func() {
		cancel()
		<-done
	}
}

// raw sends requests over one connection, the next when the one before has been
// answered with as many bytes as are expected of it, and returns all that came
// back up to the end of the connection.
func (f *fixture) raw(steps ...step) string {
	f.t.Helper()
	c, err := wire.ServerDial(f.t.Context(), f.front.Network, f.front.Address)
	f.must(err)
	defer func() { _ = c.Close() }()
	f.must(c.SetDeadline(time.Now().Add(time.Minute)))
	var got []byte
	for i, s := range steps {
		f.must(wire.WriteRequest(c, s.request))
		if i == len(steps)-1 {
			break
		}
		b := make([]byte, s.answer)
		n, err := io.ReadFull(c, b)
		got = append(got, b[:n]...)
		if err != nil {
			return string(got)
		}
	}
	rest, err := io.ReadAll(c)
	f.must(err)
	return string(append(got, rest...))
}

// step is a request and how many bytes answer it.
type step struct {
	request string
	answer  int
}
