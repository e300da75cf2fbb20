package phone

import (
	"image"
	"testing"

	"pgregory.net/rapid"

	"github.com/countersign/countersign/screen"
)

// inDump are the views in the order of the nodes of a dump.
func (p *Phone) inDump(o DumpOptions) []*view {
	d := dumper{compressed: o.Compressed}
	var list []*view
	var add func(v *view)
	add = func(v *view) {
		list = append(list, v)
		for _, k := range d.kids(v) {
			add(k)
		}
	}
	for _, w := range p.shown() {
		if o.Windows || w.focused {
			add(w.root)
		}
	}
	return list
}

// within reports whether a view is another or in it.
func (v *view) within(outer *view) bool {
	for ; v != nil; v = v.parent {
		if v == outer {
			return true
		}
	}
	return false
}

// agree compares what takes a touch on the phone with what the reader of dumps
// says.
func agree(t *rapid.T, p *Phone, s *screen.Screen, views []*view, at image.Point) {
	w, took := p.hit(at)
	said := s.At(at.X, at.Y)
	switch {
	case said.Node >= int32(len(views)):
		t.Fatalf("%v: node %d of %d", at, said.Node, len(views))
	case took == nil:
		if said.Node >= 0 && s.Nodes[said.Node].TakesTouch() {
			t.Fatalf("%v: nothing takes a touch in %v, the reader says %+v", at, w, s.Nodes[said.Node])
		}
	case said.Node < 0:
		t.Fatalf("%v: %s %q takes a touch, the reader says %s", at, took.class, took.text, said.Reason)
	default:
		v := views[said.Node]
		// A box to tick that takes no touch itself is ticked with its row; what
		// slides, and a page, takes touches without saying so.
		silent := v.checkable && !v.clickable || !took.clickable && !took.longClickable
		if v != took && !(silent && v.within(took)) {
			t.Fatalf("%v: %s %q takes a touch, the reader says %s %q", at, took.class, took.text, v.class, v.text)
		}
	}
}

// TestTouchesLandWhereTheReaderOfDumpsSays holds the phone's own hit-testing
// and that of package screen, which know nothing of each other, against each
// other: on every screen, at points anywhere.
func TestTouchesLandWhereTheReaderOfDumpsSays(t *testing.T) {
	screens := allScreens(t)
	rapid.Check(t, func(t *rapid.T) {
		p := newPhoneIn(t, rapid.SampledFrom(Languages).Draw(t, "language"))
		c := rapid.SampledFrom(screens).Draw(t, "screen")
		show(p, c)
		disturb(t, p)
		for _, o := range []DumpOptions{{Windows: true}, {Windows: true, Compressed: true}} {
			dump, err := p.Dump(o)
			if err != nil {
				t.Fatal(err)
			}
			s, err := screen.Read(dump, screen.Limits{})
			if err != nil || s.Truncated || s.Repairs > 0 {
				t.Fatalf("%v: the reader takes %s for %+v, %v", c, dump, s, err)
			}
			views := p.inDump(o)
			if len(views) != len(s.Nodes) {
				t.Fatalf("%d views, %d nodes", len(views), len(s.Nodes))
			}
			if w, h := p.Size(); s.Width != w || s.Height != h || s.Rotation != p.Rotation() {
				t.Fatalf("the reader sees %dx%d turned by %d", s.Width, s.Height, s.Rotation)
			}
			for range 40 {
				agree(t, p, s, views, somewhere(t, p, views))
			}
		}
	})
}

// newPhoneIn is a phone that speaks a language.
func newPhoneIn(t *rapid.T, language string) *Phone {
	p, err := New(Options{Locale: language})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// disturb brings the screen into one of its less usual states.
func disturb(t *rapid.T, p *Phone) {
	switch rapid.SampledFrom([]string{"as it is", "keyboard", "turned", "split", "scrolled", "tiny"}).Draw(t, "state") {
	case "keyboard":
		p.mu.Lock()
		p.active().root.walk(func(v *view) bool {
			if v.editable {
				p.focusOn(v)
			}
			return !v.editable
		})
		p.mu.Unlock()
	case "turned":
		p.Misbehave(Misbehaviour{Rotated: true})
	case "split":
		p.Misbehave(Misbehaviour{SeveralWindows: true})
	case "scrolled":
		p.SetSize(1080, 900)
		p.Swipe(500, 600, 500, 200, 0)
	case "tiny":
		p.SetSize(720, 640)
	}
}

// somewhere is a point on the display, or at the edge of a node.
func somewhere(t *rapid.T, p *Phone, views []*view) image.Point {
	w, h := p.Size()
	if rapid.Bool().Draw(t, "at an edge") {
		r := views[rapid.IntRange(0, len(views)-1).Draw(t, "node")].bounds
		return image.Pt(
			rapid.SampledFrom([]int{r.Min.X, r.Max.X - 1, r.Max.X, (r.Min.X + r.Max.X) / 2}).Draw(t, "x"),
			rapid.SampledFrom([]int{r.Min.Y, r.Max.Y - 1, r.Max.Y, (r.Min.Y + r.Max.Y) / 2}).Draw(t, "y"),
		)
	}
	return image.Pt(rapid.IntRange(-5, w+5).Draw(t, "x"), rapid.IntRange(-5, h+5).Draw(t, "y"))
}

// TestTheDumpOfOneWindowIsThatOfTheFocus holds the plain dump against Nodes and
// against the reader, on every screen.
func TestTheDumpOfOneWindowIsThatOfTheFocus(t *testing.T) {
	cases := 0
	for _, c := range allScreens(t) {
		p := newPhone(t, Options{})
		show(p, c)
		nodes := p.Nodes()
		dump, err := p.Dump(DumpOptions{})
		if err != nil {
			t.Fatal(err)
		}
		s, err := screen.Read(dump, screen.Limits{})
		if err != nil || len(s.Nodes) != len(nodes) {
			t.Fatalf("%v: %d nodes, the reader has %d, %v", c, len(nodes), len(s.Nodes), err)
		}
		for i, n := range nodes {
			read := s.Nodes[i]
			same := read.Text == n.Text && read.Class == n.Class && read.ResourceID == n.ResourceID && read.Package == n.Package &&
				read.Description == n.Description && int(read.Parent) == n.Parent && int(read.Depth) == n.Depth &&
				read.Flags.Has(screen.Clickable) == n.Clickable && read.Flags.Has(screen.Disabled) != n.Enabled &&
				image.Rect(int(read.Bounds.Left), int(read.Bounds.Top), int(read.Bounds.Right), int(read.Bounds.Bottom)) == n.Bounds
			if !same {
				t.Errorf("%v: node %d is %+v, the reader has %+v", c, i, n, read)
			}
		}
		cases++
	}
	if cases != 42 {
		t.Errorf("%d screens were held against the reader", cases)
	}
}
