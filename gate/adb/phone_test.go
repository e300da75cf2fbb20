package adb_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net"
	"slices"
	"strings"
	"testing"

	"github.com/countersign/countersign/approval"
	"github.com/countersign/countersign/hold"
	"github.com/countersign/countersign/phone"
	"github.com/countersign/countersign/phone/adbd"
	"github.com/countersign/countersign/wire"
)

// simulated is the simulated phone behind a transport of its own.
type simulated struct {
	phone   *phone.Phone
	session *wire.Session
}

func (s *simulated) Serial() string { return s.phone.Serial() }

func (s *simulated) Open(ctx context.Context, service string) (net.Conn, error) {
	stream, err := s.session.Open(ctx, service)
	if err != nil {
		return nil, err
	}
	return stream, nil
}

// withPhone puts a simulated phone behind the fixture's gate.
func (f *fixture) withPhone(o phone.Options) *simulated {
	f.t.Helper()
	p, err := phone.New(o)
	f.must(err)
	ctx, stop := context.WithCancel(f.ctx)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	f.must(err)
	done := make(chan error, 1)
	go func() { done <- adbd.Serve(ctx, l, p, adbd.Options{}) }()
	c, err := net.Dial("tcp", l.Addr().String())
	f.must(err)
	session, err := wire.DialHost(ctx, c, wire.SessionOptions{Banner: wire.Banner{State: "host", Features: []string{"shell_v2"}}})
	f.must(err)
	f.t.Cleanup(func() {
		session.Close()
		stop()
		f.must(<-done)
	})
	s := &simulated{p, session}
	f.device = f.gate.Device(s)
	return s
}

// forget withdraws what is asked, so that the next is judged on its own.
func (f *fixture) forget() {
	f.t.Helper()
	open, err := f.desk.Views(f.ctx, hold.Query{States: []approval.State{approval.Pending}, Limit: 50})
	f.must(err)
	for _, a := range open {
		_, err := f.desk.Withdraw(f.ctx, "agent", a.ID, approval.CodeWithdrawn)
		f.must(err)
	}
}

// An agent that presses, types and navigates at random, while nobody answers,
// changes nothing in the world.
func TestNothingHappensUnasked(t *testing.T) {
	for i, locale := range []string{"en", "de", "es", "ja", "ar"} {
		t.Run(locale, func(t *testing.T) {
			f := newFixture(t, hurried)
			p := f.withPhone(phone.Options{Locale: locale})
			random := rand.New(rand.NewPCG(7, uint64(i)))
			asked := 0
			for step := range 150 {
				service := wander(random, p.phone)
				r := f.serve(service, "")
				if !r.passed() {
					asked++
				}
				f.forget()
				if done := slices.DeleteFunc(p.phone.Effects(), harmless); len(done) > 0 {
					t.Fatalf("step %d, %q: %+v", step, service, done)
				}
			}
			if asked == 0 || asked > 120 {
				t.Errorf("%d of 150 steps were not let through", asked)
			}
		})
	}
}

// harmless are the deeds of this phone that are no consequence: it goes to a page,
// keeps a draft, switches its radios off.
func harmless(e phone.Effect) bool {
	return e.What == "opened" || e.What == "saved" || e.What == "set" && e.Object == "global.airplane_mode_on"
}

// wander is a step of an agent without a plan.
func wander(random *rand.Rand, p *phone.Phone) string {
	pick := func(list ...string) string { return list[random.IntN(len(list))] }
	nodes := slices.DeleteFunc(p.Nodes(), func(n phone.Node) bool { return !n.Clickable })
	form := pick("shell:", "exec:", "shell,v2,TERM=xterm,raw:")
	if len(nodes) > 0 && random.IntN(4) > 0 {
		n := nodes[random.IntN(len(nodes))]
		b := n.Bounds
		x, y := (b.Min.X+b.Max.X)/2, (b.Min.Y+b.Max.Y)/2
		if strings.HasSuffix(n.Class, "SeekBar") && random.IntN(2) == 0 {
			return form + fmt.Sprintf("input swipe %d %d %d %d 300", b.Min.X+20, y, b.Max.X-20, y)
		}
		return form + pick(fmt.Sprintf("input tap %d %d", x, y), fmt.Sprintf("input touchscreen swipe %d %d %d %d 150", x, y, x, y),
			fmt.Sprintf("input swipe %d %d %d %d 700", x, y, x, y))
	}
	apps := slices.DeleteFunc(p.Packages(), func(a phone.Package) bool { return strings.HasPrefix(a.Name, "android") })
	return form + pick("input keyevent BACK", "input keyevent 66", "input text hello", "input keyevent TAB", "input swipe 500 1500 500 700 300",
		"monkey -p "+apps[random.IntN(len(apps))].Name+" -c android.intent.category.LAUNCHER 1", "input text 42%s")
}
