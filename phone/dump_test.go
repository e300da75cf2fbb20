package phone

import (
	"regexp"
	"strings"
	"testing"

	"github.com/countersign/countersign/screen"
)

// shape is a node as com.android.uiautomator.core.AccessibilityNodeInfoDumper
// writes it: these attributes in this order.
var shape = regexp.MustCompile(`^<node index="\d+" text="[^"<]*" resource-id="[^"<]*" class="[^"<]+" package="[^"<]+" content-desc="[^"<]*" ` +
	`checkable="(true|false)" checked="(true|false)" clickable="(true|false)" enabled="(true|false)" focusable="(true|false)" ` +
	`focused="(true|false)" scrollable="(true|false)" long-clickable="(true|false)" password="(true|false)" selected="(true|false)" ` +
	`bounds="\[-?\d+,-?\d+\]\[-?\d+,-?\d+\]"( />|>)$`)

func TestADumpHasTheShapeOfUIAutomators(t *testing.T) {
	nodes := 0
	for _, c := range allScreens(t) {
		p := newPhone(t, Options{})
		show(p, c)
		dump, err := p.Dump(DumpOptions{})
		if err != nil {
			t.Fatal(err)
		}
		inside, ok := strings.CutPrefix(string(dump), `<?xml version='1.0' encoding='UTF-8' standalone='yes' ?><hierarchy rotation="0">`)
		inside, whole := strings.CutSuffix(inside, "</hierarchy>")
		if !ok || !whole {
			t.Fatalf("%v: %.120s", c, dump)
		}
		for tag := range strings.SplitAfterSeq(inside, ">") {
			if tag == "" || tag == "</node>" {
				continue
			}
			if nodes++; !shape.MatchString(tag) {
				t.Errorf("%v: %s", c, tag)
			}
		}
	}
	if nodes < 400 {
		t.Errorf("%d nodes", nodes)
	}
}

func TestWhatIsTypedCannotBreakADump(t *testing.T) {
	p := newPhone(t, Options{})
	_ = p.Start(Intent{Action: actionMain, Package: "org.example.notes"})
	step(t, p, "tap New note")
	const hostile = "\"/><node text=\"Send\" bounds=\"[0,0][9,9]\"/> & ]]> {title} @save \x00\x07\u200e\ufffe"
	p.SetText(labelled(t, p, "#title"), hostile)
	dump, err := p.Dump(DumpOptions{Windows: true})
	if err != nil {
		t.Fatal(err)
	}
	s, err := screen.Read(dump, screen.Limits{})
	if err != nil || s.Repairs > 0 {
		t.Fatalf("%v, %d repairs", err, s.Repairs)
	}
	want := "\"/><node text=\"Send\" bounds=\"[0,0][9,9]\"/> & ]]> {title} @save ..\u200e."
	for _, n := range s.Nodes {
		if n.Text == want {
			return
		}
	}
	t.Errorf("no node says %q in %s", want, dump)
}

func TestACompressedDumpHasLessAndLosesNothing(t *testing.T) {
	p := newPhone(t, Options{})
	_ = p.Start(Intent{Action: actionMain, Package: "com.fsck.k9"})
	whole, _ := p.Dump(DumpOptions{})
	less, err := p.Dump(DumpOptions{Compressed: true})
	if err != nil {
		t.Fatal(err)
	}
	a, _ := screen.Read(whole, screen.Limits{})
	b, _ := screen.Read(less, screen.Limits{})
	if len(b.Nodes) >= len(a.Nodes) {
		t.Errorf("%d nodes of %d", len(b.Nodes), len(a.Nodes))
	}
	count := func(s *screen.Screen) (n int) {
		for i := range s.Nodes {
			if s.Nodes[i].Text != "" || s.Nodes[i].Description != "" || s.Nodes[i].TakesTouch() {
				n++
			}
		}
		return n
	}
	if count(a) != count(b) {
		t.Errorf("%d nodes that say or take something, %d in the compressed dump", count(a), count(b))
	}
}

func TestPasswordsAreDots(t *testing.T) {
	p := newPhone(t, Options{})
	_ = p.Start(Intent{Action: actionMain, Package: "com.starlingbank.android"})
	step(t, p, "tap #pin")
	step(t, p, "type 123")
	n := labelled(t, p, "#pin")
	if n.Text != "•••" || !n.Password || !n.Focused {
		t.Errorf("%+v", n)
	}
	if p.Keys(keyCtrlLeft, 31); p.Clipboard() != "" {
		t.Errorf("%q was copied", p.Clipboard())
	}
}

func TestNodesArePressedByThemselves(t *testing.T) {
	p := newPhone(t, Options{})
	_ = p.Start(Intent{Action: actionMain, Package: "org.example.board"})
	like := labelled(t, p, "Like")
	if like.Clickable || !p.TapNode(like) { // its parent is
		t.Errorf("%+v takes nothing", like)
	}
	_ = p.Start(Intent{Action: actionMain, Package: "com.fsck.k9"})
	mail := labelled(t, p, "Rent for December")
	if p.TapNode(like) {
		t.Error("a node of a screen that is gone was pressed")
	}
	if !p.LongTapNode(mail) || labelled(t, p, "Delete this message?").Text == "" {
		t.Error("the mail is not held")
	}
	if p.TapNode(mail) {
		t.Error("a node under a dialog was pressed")
	}
	if p.SetText(labelled(t, p, "Cancel"), "x") {
		t.Error("a button was written on")
	}
	if got := deeds(p); len(got) != 1 || got[0] != "liked The market is open on Saturday." {
		t.Errorf("effects %q", got)
	}
}
