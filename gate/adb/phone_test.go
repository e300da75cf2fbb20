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
	"github.com/countersign/countersign/gate/adb"
	"github.com/countersign/countersign/hold"
	"github.com/countersign/countersign/phone"
	"github.com/countersign/countersign/phone/adbd"
	"github.com/countersign/countersign/phone/automation"
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
	go func() { done <- adbd.Serve(ctx, l, p, adbd.Options{Launches: automation.Launches()}) }()
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
	for i, how := range []struct {
		locale string
		wrong  phone.Misbehaviour
	}{
		{"en", phone.Misbehaviour{}}, {"de", phone.Misbehaviour{}}, {"es", phone.Misbehaviour{}}, {"ja", phone.Misbehaviour{}}, {"ar", phone.Misbehaviour{}},
		{"fr", phone.Misbehaviour{Rotated: true}}, {"en", phone.Misbehaviour{SeveralWindows: true}}, {"en", phone.Misbehaviour{DumpStale: true}},
		{"en", phone.Misbehaviour{SecureScreen: true}},
	} {
		t.Run(fmt.Sprint(i, how.locale), func(t *testing.T) {
			f := newFixture(t, hurried)
			p := f.withPhone(phone.Options{Locale: how.locale})
			p.phone.Misbehave(how.wrong)
			random := rand.New(rand.NewPCG(7, uint64(i)))
			asked := 0
			for step := range 60 {
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
			if asked == 0 || asked > 50 {
				t.Errorf("%d of 60 steps were not let through", asked)
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

// dumps counts how often the phone was dumped.
func dumps(p *phone.Phone) int {
	n := 0
	for _, e := range p.Record() {
		if e.Kind == "dump" {
			n++
		}
	}
	return n
}

// middle is where a control with a text is on the screen.
func (f *fixture) middle(p *phone.Phone, text string) string {
	f.t.Helper()
	for _, n := range p.Nodes() {
		if n.Text == text || n.Description == text {
			return fmt.Sprintf("%d %d", (n.Bounds.Min.X+n.Bounds.Max.X)/2, (n.Bounds.Min.Y+n.Bounds.Max.Y)/2)
		}
	}
	f.t.Fatalf("no %q on the screen: %+v", text, p.Nodes())
	return ""
}

// The steps of the usual agents on the simulated phone: what looks and navigates
// passes, and the agent's own dump is used; what sends is asked about and is done
// once.
func TestUsualAgents(t *testing.T) {
	f := newFixture(t)
	p := f.withPhone(phone.Options{Locale: "en"})
	pass := func(service string) result {
		t.Helper()
		r := f.serve(service, "")
		if !r.passed() {
			t.Fatalf("%q: %+v", service, r)
		}
		return r
	}
	pass("shell,v2,TERM=xterm,raw:screencap -p /sdcard/tmp.png")
	x := f.files()
	if shot, err := x.pull("/sdcard/tmp.png"); err != nil || !strings.HasPrefix(shot, "\x89PNG") {
		t.Errorf("the agent's own screenshot: %d bytes, %v", len(shot), err)
	}
	x.quit()
	if out := pass("shell,v2,TERM=xterm,raw:dumpsys window").out; !strings.Contains(out, "mCurrentFocus") {
		t.Errorf("dumpsys window: %q", out)
	}
	pass("shell,v2,TERM=xterm,raw:monkey -p com.fsck.k9 -c android.intent.category.LAUNCHER 1")
	pass("shell:uiautomator dump /sdcard/ui.xml")
	x = f.files()
	tree, err := x.pull("/sdcard/ui.xml")
	if err != nil || !strings.Contains(tree, "com.fsck.k9") {
		t.Errorf("the agent's own dump: %.80q, %v", tree, err)
	}
	x.quit()
	was := dumps(p.phone)
	pass("exec:input tap 10 2000")
	if n := dumps(p.phone); n != was {
		t.Errorf("%d dumps although the agent's was new", n-was)
	}
	pass("shell:am start -a android.intent.action.SENDTO -d mailto:ann@example.org")
	send := "shell,v2,TERM=xterm,raw:input tap " + f.middle(p.phone, "Send")
	c := f.begin(send, "")
	q := f.question()
	if done := p.phone.Effects(); len(done) > 0 {
		t.Fatalf("while it is held: %+v", done)
	}
	f.answer(q, true)
	if r := c.wait(); r.exit != 0 {
		t.Errorf("after a yes: %+v", r)
	}
	if done := p.phone.Effects(); len(done) != 1 || done[0].What != "sent" || done[0].Recipient != "ann@example.org" {
		t.Errorf("what happened is %+v", done)
	}
}

// A dialog that comes up while the gate looks, before the question or behind the
// answer, is seen: it is what a tap would land on.
func TestDialogWhileLooking(t *testing.T) {
	dialog := phone.Misbehaviour{DialogBetween: phone.Dialog{Title: "Pay 500 EUR?", Message: "To Mallory", Buttons: []string{"Pay", "Pay now", "Pay all"}}}
	for _, c := range []struct {
		name           string
		before, behind phone.Misbehaviour
	}{{"before the question", dialog, phone.Misbehaviour{}}, {"behind the answer", phone.Misbehaviour{}, dialog}} {
		f := newFixture(t)
		p := f.withPhone(phone.Options{Locale: "en"})
		f.must(p.phone.Start(phone.Intent{Action: "android.intent.action.SENDTO", Data: "mailto:ann@example.org"}))
		send := "shell:input tap " + f.middle(p.phone, "Send")
		p.phone.Misbehave(c.before)
		held := f.begin(send, "")
		q := f.question()
		if (q.Card.Label == "Send") != (c.name == "behind the answer") {
			t.Errorf("%s: the question is about %q: %s", c.name, q.Card.Label, q.Card.Reason)
		}
		p.phone.Misbehave(c.behind)
		f.answer(q, c.name == "behind the answer")
		if r := held.wait(); r.passed() {
			t.Errorf("%s: %+v", c.name, r)
		}
		if done := p.phone.Effects(); len(done) > 0 {
			t.Errorf("%s: what happened is %+v", c.name, done)
		}
	}
}

// A helper that the owner let in starts, is asked for the screen in the place of a
// dump, and its clicks are judged like a finger's.
func TestHelperOnPhone(t *testing.T) {
	f := newFixture(t, hurried, func(s *settings) {
		s.gate.Helpers = []adb.Helper{{Name: "uiautomator2", Class: "com.wetest.uia2.Main", Path: "/data/local/tmp/u2.jar", SHA256: sha("the helper")}}
	})
	p := f.withPhone(phone.Options{Locale: "en"})
	const start = "shell:CLASSPATH=/data/local/tmp/u2.jar app_process / com.wetest.uia2.Main"
	f.must(p.phone.Files().WriteFile("/data/local/tmp/u2.jar", []byte("another"), 0o644))
	if r := f.serve(start, ""); r.passed() {
		t.Fatal("an unknown helper passed")
	}
	f.forget()
	f.must(p.phone.Files().WriteFile("/data/local/tmp/u2.jar", []byte("the helper"), 0o644))
	server := f.begin(start, "")
	for {
		c, err := p.session.Open(f.ctx, "tcp:9008")
		if err == nil {
			c.Close()
			break
		}
	}
	f.must(p.phone.Start(phone.Intent{Action: "android.intent.action.SENDTO", Data: "mailto:ann@example.org"}))
	x, y, _ := strings.Cut(f.middle(p.phone, "Send"), " ")
	if r := f.serve("tcp:9008", rpc("click", "["+x+","+y+"]")); !strings.Contains(r.out, "not answered yet") {
		t.Errorf("a click on Send: %+v", r)
	}
	field := p.phone.Nodes()[slices.IndexFunc(p.phone.Nodes(), func(n phone.Node) bool { return n.Editable })].Bounds
	if r := f.serve("tcp:9008", rpc("click", fmt.Sprintf("[%d,%d]", field.Min.X+5, field.Min.Y+5))); !strings.Contains(r.out, "result") || strings.Contains(r.out, "error") {
		t.Errorf("a click into a field: %+v", r)
	}
	if r := f.serve(fmt.Sprintf("shell:input tap %d %d", field.Min.X+5, field.Min.Y+5), ""); !r.passed() {
		t.Errorf("a tap into a field: %+v", r)
	}
	if done := p.phone.Effects(); len(done) > 0 {
		t.Errorf("what happened is %+v", done)
	}
	for _, e := range p.phone.Record() {
		if e.Kind == "shell" && strings.Contains(e.Detail, "uiautomator dump") {
			t.Errorf("the phone was dumped while its server ran: %q", e.Detail)
		}
	}
	server.hangUp()
	server.wait()
}
