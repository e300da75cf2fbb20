package bench

import (
	"testing"

	"github.com/countersign/countersign"
	"github.com/countersign/countersign/screen"
)

// Both readers must see the same tree and find the same button in it.
func TestSameTree(t *testing.T) {
	dump := Dump(DumpRows)
	if len(dump) < 290_000 || len(dump) > 310_000 {
		t.Errorf("the dump has %d bytes, want about 300,000", len(dump))
	}
	tree, err := ReadXMLTree([]byte(dump))
	if err != nil {
		t.Fatal(err)
	}
	ours, err := screen.ReadUIAutomator(dump, screen.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	if want := 3 + 6*DumpRows; tree.Count() != want || len(ours.Nodes) != want {
		t.Errorf("encoding/xml has %d nodes, ours %d; want %d", tree.Count(), len(ours.Nodes), want)
	}
	if n := tree.At(DumpTapX, DumpTapY); n == nil || n.ResourceID != DumpTapID {
		t.Errorf("encoding/xml: the tap lands on %+v", n)
	}
	hit := ours.At(DumpTapX, DumpTapY)
	if hit.Node < 0 || ours.Nodes[hit.Node].ResourceID != DumpTapID {
		t.Errorf("ours: the tap lands on %+v", hit)
	}
	first := 3
	for i, title := range []string{`Tom & Sons' "Classic" kettle`, "Чайник электрический, 1,7 л", "電気ケトル 1.7L <新品>"} {
		if got := ours.Nodes[first+6*i+3].Text; got != title {
			t.Errorf("ours: title %d is %q, want %q", i, got, title)
		}
		if got := tree.Nodes[0].Nodes[0].Nodes[0].Nodes[i].Nodes[1].Nodes[0].Text; got != title {
			t.Errorf("encoding/xml: title %d is %q, want %q", i, got, title)
		}
	}
}

// BenchmarkDump reads a dump of 300 kB, alone and with the tap resolved to a
// target. decide is all that the guard does with it, from the text of the dump
// to the outcome.
func BenchmarkDump(b *testing.B) {
	dump := Dump(DumpRows)
	data := []byte(dump)
	guard, err := countersign.New(countersign.Options{})
	if err != nil {
		b.Fatal(err)
	}
	x, y := DumpTapX, DumpTapY
	req := &countersign.Request{
		Action: countersign.Action{Kind: countersign.Tap, X: &x, Y: &y},
		Screen: &countersign.Screen{Package: "com.example.shop", Tree: dump},
	}
	for _, work := range []struct {
		name string
		do   func()
	}{
		{"reader=encoding-xml/work=read", func() { readXML(b, data) }},
		{"reader=encoding-xml/work=resolve", func() { readXML(b, data).At(x, y) }},
		{"reader=countersign/work=read", func() { readScreen(b, dump) }},
		{"reader=countersign/work=resolve", func() {
			s := readScreen(b, dump)
			s.Target(s.At(x, y).Node)
		}},
		{"reader=countersign/work=decide", func() {
			if guard.Decide(req).Outcome == countersign.Allow {
				b.Fatal("buying was allowed")
			}
		}},
	} {
		b.Run(work.name, func(b *testing.B) {
			b.SetBytes(int64(len(dump)))
			measure(b, work.do)
		})
	}
}

func readXML(b *testing.B, dump []byte) *XMLTree {
	tree, err := ReadXMLTree(dump)
	if err != nil {
		b.Fatal(err)
	}
	return tree
}

func readScreen(b *testing.B, dump string) *screen.Screen {
	s, err := screen.ReadUIAutomator(dump, screen.Limits{})
	if err != nil {
		b.Fatal(err)
	}
	return s
}
