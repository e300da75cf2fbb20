package virtual_test

import (
	"bytes"
	"context"
	"net"
	"testing"
	"time"

	"github.com/countersign/countersign"
	"github.com/countersign/countersign/approval"
	"github.com/countersign/countersign/gate/adb"
	"github.com/countersign/countersign/gate/adb/fronttest"
	"github.com/countersign/countersign/gate/adb/upstream"
	"github.com/countersign/countersign/gate/adb/virtual"
	"github.com/countersign/countersign/hold"
	"github.com/countersign/countersign/store/sqlite"
)

// fixture is a guarded phone, with the hidden server and the real phone behind
// it, and the agent's own server and client before it.
type fixture struct {
	t      *testing.T
	desk   *hold.Desk
	store  *sqlite.Store
	gate   *adb.Gate
	phone  *fronttest.Phone
	hidden *upstream.Hidden
	addr   string // of the guarded phone
	own    *upstream.Hidden
	client *fronttest.Client
	stop   func()
}

// settings are what a test changes before anything is made.
type settings struct {
	desk  hold.Options
	gate  adb.Options
	front virtual.Options
}

func observing(s *settings) { s.desk.Observe, s.gate.Observe, s.front.Observe = true, true, true }

func newFixture(t *testing.T, change ...func(*settings)) *fixture {
	t.Helper()
	f := &fixture{t: t, phone: fronttest.NewPhone(t)}
	f.hidden = fronttest.Server(t, f.phone.Addr)
	server := f.hidden.Server()
	s := settings{
		desk:  hold.Options{Now: time.Now, Somebody: func(context.Context) bool { return true }},
		gate:  adb.Options{Agent: "agent", AgentName: "tester", Patience: func(string) time.Duration { return 0 }},
		front: virtual.Options{Describe: virtual.FromServer(server, f.phone.Addr), Lost: virtual.Lost(server, f.phone.Addr)},
	}
	for _, ch := range change {
		ch(&s)
	}
	var err error
	f.store, err = sqlite.Open(context.Background(), sqlite.Memory, sqlite.Options{})
	f.must(err)
	guard, err := countersign.New(countersign.Options{DigestKey: bytes.Repeat([]byte("k"), 32)})
	f.must(err)
	s.desk.Store, s.desk.Decider = f.store, guard
	f.desk, err = hold.New(context.Background(), s.desk)
	f.must(err)
	s.gate.Desk = f.desk
	f.gate, err = adb.New(s.gate)
	f.must(err)
	t.Cleanup(func() {
		f.desk.Close()
		_ = f.store.Close()
	})
	f.serve(upstream.NewPhone(server, f.phone.Addr), s.front)
	f.own = fronttest.Server(t, f.addr)
	f.client = fronttest.ClientOf(t, f.own)
	return f
}

// serve starts the front end.
func (f *fixture) serve(phone adb.Phone, o virtual.Options) {
	f.t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	f.must(err)
	f.addr = l.Addr().String()
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- virtual.Serve(ctx, l, f.gate, phone, o) }()
	stopped := false
	f.stop = func() {
		if !stopped {
			stopped = true
			cancel()
			if err := <-done; err != nil {
				f.t.Error(err)
			}
		}
	}
	f.t.Cleanup(f.stop)
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

// settled waits until a question is in one of the states.
func (f *fixture) settled(id string, want ...approval.State) approval.State {
	f.t.Helper()
	ctx, stop := context.WithTimeout(f.t.Context(), time.Minute)
	defer stop()
	for {
		changed := f.desk.Changed()
		a, err := f.store.Approval(ctx, id)
		f.must(err)
		for _, state := range want {
			if a.State == state {
				return state
			}
		}
		select {
		case <-changed:
		case <-ctx.Done():
			f.t.Fatalf("the question is %v, not one of %v", a.State, want)
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
