package phone

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"
)

// newPhone is a phone that works, or the end of the test.
func newPhone(t testing.TB, o Options) *Phone {
	t.Helper()
	p, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// labelled finds the node that says a label, or has the id behind a #, in the
// window in front. Of several the first counts, or the n-th of "label@n".
func labelled(t testing.TB, p *Phone, label string) Node {
	t.Helper()
	want, which := label, 1
	if at := strings.LastIndexByte(label, '@'); at > 0 {
		if n, err := strconv.Atoi(label[at+1:]); err == nil {
			want, which = label[:at], n
		}
	}
	nodes := p.Nodes()
	for _, n := range nodes {
		_, id, _ := strings.Cut(n.ResourceID, ":id/")
		if n.Text == want || n.Description == want || strings.HasPrefix(want, "#") && want[1:] == id {
			if which--; which == 0 {
				return n
			}
		}
	}
	var there []string
	for _, n := range nodes {
		if l := n.label(); l != n.Class {
			there = append(there, l)
		}
	}
	t.Fatalf("no %q on the screen; there are %q", label, there)
	return Node{}
}

func middle(n Node) (x, y int) {
	return (n.Bounds.Min.X + n.Bounds.Max.X) / 2, (n.Bounds.Min.Y + n.Bounds.Max.Y) / 2
}

// step does one thing on the phone as a person would, by what is on the screen:
// "tap Send", "long Shopping", "type a text", "key 66", "slide #id", "flick
// label" to swipe a row away, "back", "scroll" by half a screen.
func step(t testing.TB, p *Phone, line string) {
	t.Helper()
	verb, rest, _ := strings.Cut(line, " ")
	switch verb {
	case "tap":
		p.Tap(middle(labelled(t, p, rest)))
	case "long":
		x, y := middle(labelled(t, p, rest))
		p.LongPress(x, y, longPress)
	case "type":
		p.Type(rest)
	case "key":
		code, err := strconv.Atoi(rest)
		if err != nil {
			t.Fatal(err)
		}
		p.Key(code, false)
	case "slide", "flick":
		b := labelled(t, p, rest).Bounds
		y := (b.Min.Y + b.Max.Y) / 2
		p.Swipe(b.Min.X+2, y, b.Max.X-2, y, 300*time.Millisecond)
	case "back":
		p.Key(keyBack, false)
	case "scroll":
		w, h := p.Size()
		p.Swipe(w/2, h*3/4, w/2, h/4, 300*time.Millisecond)
	default:
		t.Fatalf("no step %q", line)
	}
}

// happened is the effects in one line each, without their time.
func happened(p *Phone) []string {
	var list []string
	for _, e := range p.Effects() {
		line := fmt.Sprint(e.App, " ", e.What)
		for _, part := range []struct{ name, value string }{
			{"object", e.Object}, {"to", e.Recipient}, {"amount", e.Amount}, {"text", e.Text},
		} {
			if part.value != "" {
				line += fmt.Sprintf(" %s=%s", part.name, part.value)
			}
		}
		list = append(list, line)
	}
	return list
}
