package adb_test

import (
	"errors"
	"net"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/countersign/countersign/approval"
	"github.com/countersign/countersign/gate/adb"
	"github.com/countersign/countersign/ledger"
	"github.com/countersign/countersign/wire"
)

const (
	tapSend = "shell:input tap 950 2150"
	tapOpen = "shell:input tap 150 350"
)

// twoButtons is the screen of most tests here.
func (f *fixture) twoButtons() {
	f.phone.show(page(button("Send", 900, 2100), button("Open", 100, 300)), "Window{1a2b3c u0 com.whatsapp/com.whatsapp.Conversation}")
}

// A yes lets exactly what was asked reach the phone, once, as it came.
func TestYes(t *testing.T) {
	f := newFixture(t)
	f.twoButtons()
	c := f.begin(tapSend, "")
	q := f.question()
	if got := f.phone.record(); len(got) > 0 {
		t.Fatalf("while it is held the phone got %q", got)
	}
	if q.Device != serial || !q.Bound || !q.Card.Observed {
		t.Errorf("the question is %+v", q)
	}
	f.answer(q, true)
	if r := c.wait(); !r.passed() || r.out != "done\n" {
		t.Errorf("the client was told %+v", r)
	}
	if got := f.phone.record(); !slices.Equal(got, []string{tapSend}) {
		t.Errorf("the phone got %q", got)
	}
	f.settled(q.ID, approval.Released)
	if n := f.phone.looks("exec:screencap -p"); n != 1 {
		t.Errorf("%d screenshots for one question", n)
	}
}

// A no is told once and remembered: the same by another way is not asked again.
func TestNo(t *testing.T) {
	f := newFixture(t)
	f.twoButtons()
	c := f.begin("shell,v2,TERM=xterm,raw:input tap 950 2150", "")
	f.answer(f.question(), false)
	r := c.wait()
	if !errors.Is(r.err, adb.ErrRefused) || r.exit != 126 || !strings.Contains(r.errOut, "Trying again") {
		t.Errorf("the client was told %+v", r)
	}
	for _, again := range []string{tapSend, "exec:input swipe 950 2150 950 2150", "abb_exec:input\x00tap\x00950\x002150"} {
		if r := f.serve(again, ""); r.passed() || !strings.Contains(r.said(), "refused this") {
			t.Errorf("%q after a no: %+v", again, r)
		}
	}
	if got := f.phone.record(); len(got) > 0 {
		t.Errorf("the phone got %q", got)
	}
}

// When the client hangs up its question ends at once; a yes that comes later is a
// conflict, and nothing reaches the phone.
func TestClientGone(t *testing.T) {
	for _, service := range []string{tapSend, "shell,v2,raw:input tap 950 2150", "exec:input tap 950 2150",
		"abb_exec:input\x00tap\x00950\x002150", "abb_exec:package\x00uninstall\x00com.whatsapp", "reboot:"} {
		f := newFixture(t)
		f.twoButtons()
		c := f.begin(service, "")
		q := f.question()
		c.hangUp()
		f.settled(q.ID, approval.Cancelled)
		var conflict *approval.Conflict
		if err := f.tryAnswer(q, true); !errors.As(err, &conflict) {
			t.Errorf("%q: a yes after the client was gone: %v", service, err)
		}
		if r := c.wait(); r.err == nil {
			t.Errorf("%q: the service ended well", service)
		}
		if got := f.phone.record(); len(got) > 0 {
			t.Errorf("%q: the phone got %q", service, got)
		}
	}
}

// The client may also hang up between the answer and the release.
func TestClientGoneAfterYes(t *testing.T) {
	f := newFixture(t)
	f.twoButtons()
	c := f.begin(tapSend, "")
	q := f.question()
	var once sync.Once
	f.phone.tell(func(string) { once.Do(c.hangUp) }) // the first thing after the answer is the fresh look
	f.answer(q, true)
	if r := c.wait(); r.err == nil {
		t.Error("the service ended well")
	}
	if got := f.phone.record(); len(got) > 0 {
		t.Errorf("the phone got %q", got)
	}
}

// Parked, answered, tried again: exactly one tap.
func TestParked(t *testing.T) {
	f := newFixture(t, hurried)
	f.twoButtons()
	r := f.serve(tapSend, "")
	if r.passed() || !strings.Contains(r.refused, "not answered yet") {
		t.Fatalf("the client was told %+v", r)
	}
	q := f.question()
	if q.ParkedUntil.IsZero() {
		t.Fatal("the question is not parked")
	}
	if r := f.serve("shell,v2,raw:input tap 951 2151", ""); !strings.Contains(r.errOut, "not answered yet") {
		t.Fatalf("the retry was told %+v", r)
	}
	f.answer(q, true)
	if got := f.phone.record(); len(got) > 0 {
		t.Fatalf("nobody waits, and the phone got %q", got)
	}
	if r := f.serve("exec:input tap 950 2150", ""); !r.passed() {
		t.Fatalf("the approved retry was told %+v", r)
	}
	if r := f.serve(tapSend, ""); r.passed() {
		t.Fatal("one yes was used twice")
	}
	if got := f.phone.record(); !slices.Equal(got, []string{"exec:input tap 950 2150"}) {
		t.Errorf("the phone got %q", got)
	}
	f.settled(q.ID, approval.Released)
}

// A dialog that appears between the answer and the release takes the tap's place:
// nothing is tapped, and the next try is a question of its own that says so.
func TestDialogBetween(t *testing.T) {
	f := newFixture(t)
	f.twoButtons()
	c := f.begin(tapSend, "")
	q := f.question()
	f.phone.show(page(button("Pay 500 EUR", 900, 2100)), "Window{9f9f9f u0 com.whatsapp/com.whatsapp.Dialog}")
	f.answer(q, true)
	if r := c.wait(); r.passed() || !strings.Contains(r.refused, "no longer the one") {
		t.Errorf("the client was told %+v", r)
	}
	if got := f.phone.record(); len(got) > 0 {
		t.Errorf("the phone got %q", got)
	}
	f.settled(q.ID, approval.Void)
	again := f.begin(tapSend, "")
	next := f.question()
	if next.ID == q.ID || next.Digest == q.Digest {
		t.Error("the question for another button is the same one")
	}
	again.hangUp()
	again.wait()
}

// While a question is open reads pass and what changes something waits; it goes
// on when the question is answered.
func TestOrder(t *testing.T) {
	f := newFixture(t)
	f.twoButtons()
	held := f.begin(tapSend, "")
	q := f.question()
	waiting := f.begin(tapOpen, "")
	if r := f.serve("shell:getprop ro.product.model", ""); !r.passed() {
		t.Errorf("a read was told %+v", r)
	}
	if r := f.serve("exec:uiautomator dump /dev/tty", ""); !r.passed() {
		t.Errorf("a look was told %+v", r)
	}
	if got := f.phone.record(); slices.Contains(got, tapOpen) || len(got) != 2 {
		t.Errorf("while a question is open the phone got %q", got)
	}
	f.answer(q, true)
	held.wait()
	if r := waiting.wait(); !r.passed() {
		t.Errorf("the next one was told %+v", r)
	}
	got := f.phone.record()
	if len(got) != 4 || got[2] != tapSend || got[3] != tapOpen {
		t.Errorf("the phone got %q", got)
	}
}

// One that waits for its turn is not kept beyond its patience.
func TestTurnEndsWithPatience(t *testing.T) {
	patience := time.Duration(0)
	f := newFixture(t, func(s *settings) { s.gate.Patience = func(string) time.Duration { return patience } })
	f.twoButtons()
	held := f.begin(tapSend, "")
	f.question()
	patience = time.Nanosecond
	if r := f.serve(tapOpen, ""); r.passed() || !strings.Contains(r.refused, "another action") {
		t.Errorf("told %+v", r)
	}
	if n := len(f.rows(ledger.KindRefused)); n != 1 {
		t.Errorf("%d rows about it", n)
	}
	held.hangUp()
	held.wait()
	if got := f.phone.record(); len(got) > 0 {
		t.Errorf("the phone got %q", got)
	}
}

// What cannot be seen is asked about: a dump that fails without saying so, no
// window in front, a phone that answers nothing.
func TestUnseen(t *testing.T) {
	for name, blind := range map[string]func(*device){
		"the dump fails":      func(p *device) { p.dead = true },
		"no focused window":   func(p *device) { p.window = "null" },
		"a tree of something": func(p *device) { p.tree = "<html/>" },
		"another app's tree":  func(p *device) { p.window = "Window{1 u0 com.bank.app/.Pay}" },
	} {
		f := newFixture(t, hurried)
		f.twoButtons()
		blind(f.phone)
		if r := f.serve(tapOpen, ""); r.passed() || !strings.Contains(r.refused, "not answered yet") {
			t.Errorf("%s: told %+v", name, r)
		}
		if got := f.phone.record(); len(got) > 0 {
			t.Errorf("%s: the phone got %q", name, got)
		}
	}
	f := newFixture(t, hurried)
	f.phone.missing = true
	for _, service := range []string{tapOpen, "shell:getprop"} {
		if r := f.serve(service, ""); r.passed() {
			t.Errorf("%q without a phone: %+v", service, r)
		}
	}
}

// In observe mode everything passes, also what no judge can see, and is on record.
func TestObserve(t *testing.T) {
	f := newFixture(t, observing)
	f.twoButtons()
	services := []string{tapSend, "shell,v2,raw:input tap 950 2150", "tcpip:5555", "root:", "mdns:", "shell,v2,pty:",
		"reverse:forward:localabstract:scrcpy_1;tcp:27183", "localabstract:scrcpy_1"}
	for _, service := range services {
		input := ""
		if strings.HasSuffix(service, "pty:") {
			input = "\x04\x00\x00\x00\x00"
		}
		if r := f.serve(service, input); r.refused != "" {
			t.Errorf("%q was told %+v", service, r)
		}
	}
	got := slices.DeleteFunc(f.phone.record(), func(s string) bool { return strings.HasPrefix(s, "typed ") })
	if !slices.Equal(got, services) {
		t.Errorf("the phone got %q", got)
	}
	if n := len(f.rows(ledger.KindDecision)); n != len(services) {
		t.Errorf("%d rows of %d services", n, len(services))
	}
}

// Every service leaves one row, whatever became of it.
func TestRows(t *testing.T) {
	f := newFixture(t, hurried)
	f.twoButtons()
	for i, service := range []string{tapOpen, tapSend, "shell:getprop", "tcpip:5555", "mdns:", "shell,v2,pty:", "exec:screencap '-p'", "tcp:5555"} {
		f.serve(service, "")
		if n := len(f.rows(ledger.KindDecision)) + len(f.rows(ledger.KindRefused)); n != i+1 {
			t.Fatalf("%d rows after %d services, the last was %q", n, i+1, service)
		}
	}
}

// A client that leaves a command which goes on leaves its turn behind as well: the
// screen may be about to change. One that has the exit code already does not.
func TestTurnOfOneWhoLeft(t *testing.T) {
	for service, free := range map[string]bool{tapOpen: false, "shell,v2,raw:input tap 150 350": true} {
		f := newFixture(t, hurried)
		f.twoButtons()
		begun, over := make(chan struct{}), make(chan struct{})
		f.phone.mu.Lock()
		f.phone.serving[service] = func(c net.Conn) {
			if free {
				wire.WriteShellPacket(c, wire.ShellExit, []byte{0})
			}
			close(begun)
			<-over
			c.Close()
		}
		f.phone.mu.Unlock()
		c := f.begin(service, "")
		<-begun
		c.hangUp()
		c.wait()
		if r := f.serve(tapAway, ""); r.passed() != free {
			t.Errorf("behind %q: %+v", service, r)
		}
		close(over)
	}
}

// What is typed for minutes may go elsewhere meanwhile: it is asked about.
func TestLongText(t *testing.T) {
	f := newFixture(t, hurried)
	f.phone.show(page(field("", 1000)), f.phone.window)
	if r := f.serve("shell:input text "+strings.Repeat("a", 1000), ""); !r.passed() {
		t.Errorf("a text: %+v", r)
	}
	if r := f.serve("shell:input text "+strings.Repeat("a", 1001), ""); r.passed() {
		t.Error("a long text passed")
	}
}
