package adb_test

import (
	"encoding/json"
	"net"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/countersign/countersign/ledger"
)

// A touch that is sent in parts is one decision: asked about when it goes down,
// and not again where it comes up.
func TestMotion(t *testing.T) {
	f := newFixture(t)
	f.twoButtons()
	down := f.begin("shell:input motionevent DOWN 950 2150", "")
	f.answer(f.question(), true)
	if r := down.wait(); !r.passed() {
		t.Fatalf("down: %+v", r)
	}
	looks := f.phone.looks("exec:rm")
	for _, rest := range []string{"shell:input motionevent MOVE 955 2152", "shell:input motionevent UP 955 2152"} {
		if r := f.serve(rest, ""); !r.passed() {
			t.Errorf("%q: %+v", rest, r)
		}
	}
	if n := f.phone.looks("exec:rm"); n != looks {
		t.Errorf("%d more looks within one touch", n-looks)
	}
	if got := f.phone.record(); len(got) != 3 {
		t.Errorf("the phone got %q", got)
	}
	// The touch is over: another one is another question.
	c := f.begin("shell:input motionevent UP 950 2150", "")
	f.question()
	c.hangUp()
	c.wait()
}

// A finger that went down on something harmless does nothing where it comes up,
// unless it slides along a control that a slide works.
func TestMotionElsewhere(t *testing.T) {
	f := newFixture(t, hurried)
	slide := `<node index="0" class="android.widget.SeekBar" content-desc="Slide to pay" package="APP" clickable="true" enabled="true" bounds="[100,1000][980,1100]"/>`
	f.phone.show(page(button("Send", 900, 2100), button("Open", 100, 300), slide), "Window{1a2b3c u0 com.whatsapp/com.whatsapp.Conversation}")
	for _, c := range []struct {
		service string
		passes  bool
	}{
		{"shell:input motionevent DOWN 150 350", true},
		{"shell:input motionevent MOVE 600 1000", true},
		{"shell:input motionevent UP 950 2150", true}, // a swipe that ends on Send presses nothing
		{"shell:input motionevent UP 950 2150", false},
		{"shell:input motionevent DOWN 150 1050", false},
		{"shell:input motionevent UP 950 2150", false}, // the one that went down was refused
		{"shell:input motionevent DOWN 150 350", true},
		{"shell:input tap 150 350", true},
		{"shell:input motionevent UP 950 2150", false}, // something came between
		{"shell:input motionevent DOWN 150 350", true},
		{"shell:input -d 1 motionevent UP 150 350", false}, // another display
	} {
		if r := f.serve(c.service, ""); r.passed() != c.passes {
			t.Errorf("%q: %+v", c.service, r)
		}
	}
	f.serve("shell:input motionevent DOWN 150 350", "")
	f.clock.move(time.Minute)
	if r := f.serve("shell:input motionevent UP 950 2150", ""); r.passed() {
		t.Error("a touch lasted a minute")
	}
}

// Text that comes in pieces is looked at once, and one yes covers the rest of it.
func TestTypingBurst(t *testing.T) {
	f := newFixture(t)
	f.phone.show(page(field("", 1000), button("Send", 900, 2100)), "Window{1a2b3c u0 com.whatsapp/com.whatsapp.Conversation}")
	for _, char := range strings.Split("hello there", "") {
		if r := f.serve("shell:input text '"+char+"'", ""); !r.passed() {
			t.Fatalf("%q: %+v", char, r)
		}
	}
	if n := f.phone.looks("exec:rm"); n != 1 {
		t.Errorf("%d looks for one text", n)
	}
	f.clock.move(10 * time.Second)
	f.serve("shell:input text a", "")
	f.serve(tapAway, "")
	f.serve("shell:input text b", "")
	if n := f.phone.looks("exec:rm"); n != 4 {
		t.Errorf("%d looks after a pause and a tap", n)
	}
}

const tapAway = "shell:input tap 10 1500"

// A secret that submits itself is asked about at its first piece, and no piece of
// the rest is written down.
func TestSecretInPieces(t *testing.T) {
	f := newFixture(t)
	pin := `<node index="0" class="android.widget.EditText" text="" password="true" package="APP" clickable="true" focusable="true" focused="true" enabled="true" bounds="[0,1000][800,1100]"/>`
	f.phone.show(pageOf("com.paypal.android.p2pmobile", pin), "Window{1a2b3c u0 com.paypal.android.p2pmobile/.Pin}")
	c := f.begin("shell:input text 7", "")
	f.answer(f.question(), true)
	if r := c.wait(); !r.passed() {
		t.Fatalf("%+v", r)
	}
	for _, digit := range []string{"8", "9", "5"} {
		if r := f.serve("shell:input text "+digit, ""); !r.passed() {
			t.Errorf("%s: %+v", digit, r)
		}
	}
	if got := f.phone.record(); len(got) != 4 || got[3] != "shell:input text 5" {
		t.Errorf("the phone got %q", got)
	}
	for _, row := range f.rows(ledger.KindDecision)[1:] {
		var d map[string]any
		f.must(json.Unmarshal(row.Body, &d))
		for _, digit := range []string{`"8"`, `"9"`, `"5"`} {
			if strings.Contains(string(row.Body), digit) {
				t.Errorf("a piece of the secret is on record: %s", row.Body)
			}
		}
	}
	// Its end is a question of its own: ENTER submits.
	c = f.begin("shell:input keyevent 66", "")
	f.question()
	c.hangUp()
	c.wait()
}

// The second of a double tap is judged on the look of the first, unless that one
// was asked about or too long ago.
func TestDoubleTap(t *testing.T) {
	f := newFixture(t)
	f.twoButtons()
	looks := func(service string) int {
		t.Helper()
		was := f.phone.looks("exec:rm")
		if r := f.serve(service, ""); !r.passed() {
			t.Fatalf("%q: %+v", service, r)
		}
		return f.phone.looks("exec:rm") - was
	}
	var got []int
	for _, step := range []struct {
		later   time.Duration
		service string
	}{
		{0, tapOpen}, {200 * time.Millisecond, tapOpen}, // a double tap
		{0, tapOpen},                         // the third is a new one
		{400 * time.Millisecond, tapOpen},    // too late
		{0, "shell:input tap 160 1350"},      // elsewhere
		{0, "shell:input -d 0 tap 165 1352"}, // the same place
	} {
		f.clock.move(step.later)
		got = append(got, looks(step.service))
	}
	if want := []int{1, 0, 1, 1, 1, 0}; !slices.Equal(got, want) {
		t.Errorf("looks %v, not %v", got, want)
	}
	c := f.begin(tapSend, "")
	f.answer(f.question(), true)
	c.wait()
	f.phone.show(page(button("Delete account", 900, 2100)), "Window{2 u0 com.whatsapp/.Other}")
	c = f.begin(tapSend, "")
	q := f.question()
	if !strings.Contains(q.Card.Label, "Delete") {
		t.Errorf("the tap behind an answered one was judged on an old screen: %q", q.Card.Label)
	}
	c.hangUp()
	c.wait()
}

// What the agent has just dumped itself is looked at in the place of a dump, while
// it is true.
func TestAgentsDump(t *testing.T) {
	for name, c := range map[string]struct {
		dump, show string
		between    func(*fixture)
		uses       bool
	}{
		"to the terminal":     {"exec:uiautomator dump /dev/tty", "", nil, true},
		"in one line":         {"shell,v2,TERM=xterm,raw:uiautomator dump /sdcard/w.xml && cat /sdcard/w.xml", "", nil, true},
		"to a file and back":  {"shell:uiautomator dump /sdcard/w.xml", "exec:cat /sdcard/w.xml", nil, true},
		"to the usual file":   {"shell:uiautomator dump", "shell:cat /sdcard/window_dump.xml", nil, true},
		"too old":             {"exec:uiautomator dump /dev/tty", "", func(f *fixture) { f.clock.move(time.Minute) }, false},
		"another window":      {"exec:uiautomator dump /dev/tty", "", func(f *fixture) { f.phone.window = "Window{77 u0 com.whatsapp/.Dialog}" }, false},
		"something came":      {"exec:uiautomator dump /dev/tty", "", func(f *fixture) { f.serve("shell:am start -n com.whatsapp/.Main", "") }, false},
		"a tree of the agent": {"shell:uiautomator dump /sdcard/w.xml; echo '<hierarchy></hierarchy>'", "", nil, false},
		"another file":        {"shell:uiautomator dump /sdcard/w.xml", "exec:cat /data/local/tmp/other.xml", nil, false},
	} {
		f := newFixture(t, hurried)
		f.twoButtons()
		f.phone.speak(c.dump, f.phone.tree)
		if c.show != "" {
			f.phone.serving[c.dump] = func(conn net.Conn) {
				f.phone.write("/sdcard/w.xml", f.phone.tree)
				say(conn, "UI hierchary dumped to: there\n")
			}
			f.phone.speak(c.show, f.phone.tree)
		}
		for _, service := range []string{c.dump, c.show} {
			if service != "" {
				if r := f.serve(service, ""); !r.passed() {
					t.Fatalf("%s: %q: %+v", name, service, r)
				}
			}
		}
		if c.between != nil {
			c.between(f)
		}
		was := f.phone.looks("exec:rm")
		if r := f.serve(tapOpen, ""); !r.passed() {
			t.Fatalf("%s: %+v", name, r)
		}
		if used := f.phone.looks("exec:rm") == was; used != c.uses {
			t.Errorf("%s: used %v", name, used)
		}
	}
}

// A person is never asked on the agent's dump, and nothing is released on it: both
// looks are the gate's own.
func TestFreshLookIsOurs(t *testing.T) {
	f := newFixture(t)
	f.twoButtons()
	f.phone.speak("exec:uiautomator dump /dev/tty", f.phone.tree)
	f.serve("exec:uiautomator dump /dev/tty", "")
	c := f.begin(tapSend, "")
	q := f.question()
	if n := f.phone.looks("exec:rm"); n != 1 {
		t.Fatalf("%d looks before the answer", n)
	}
	f.phone.show(page(button("Pay 500 EUR", 900, 2100)), f.phone.window)
	f.answer(q, true)
	if r := c.wait(); r.passed() {
		t.Errorf("%+v", r)
	}
	if n := f.phone.looks("exec:rm"); n != 2 {
		t.Errorf("%d looks", n)
	}
}

// speak has a service print a text, in packets where it is of version 2.
func (p *device) speak(service, text string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.serving[service] = speaker(service, text)
}
