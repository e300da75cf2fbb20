package picture

import (
	"bytes"
	"encoding/xml"
	"errors"
	"flag"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/countersign/countersign/risk"
	"github.com/countersign/countersign/screen"
)

var update = flag.Bool("update", false, "write the golden pictures anew")

// golden compares a picture with the one that somebody has looked at.
func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s is not what is drawn now; look at the picture and run go test ./picture -update", path)
	}
}

// elements are all that a picture consists of: nothing that runs or loads.
var elements = map[string]bool{
	"svg": true, "title": true, "defs": true, "pattern": true, "rect": true, "path": true,
	"circle": true, "text": true,
}

// harmless checks that a picture is well-formed, has no element or attribute
// that could act, and no character that cannot be seen.
func harmless(svg []byte) error {
	dec := xml.NewDecoder(bytes.NewReader(svg))
	roots, depth := 0, 0
	for {
		token, err := dec.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
		switch token := token.(type) {
		case xml.StartElement:
			if depth == 0 {
				roots++
			}
			depth++
			if !elements[token.Name.Local] {
				return errors.New("element " + token.Name.Local)
			}
			for _, a := range token.Attr {
				name := a.Name.Local
				if strings.HasPrefix(name, "on") || name == "style" || name == "href" {
					return errors.New("attribute " + name)
				}
				if strings.Contains(a.Value, "url(") && !strings.HasPrefix(a.Value, "url(#") {
					return errors.New("attribute " + name + " loads " + a.Value)
				}
			}
		case xml.EndElement:
			depth--
		case xml.Comment, xml.ProcInst, xml.Directive:
			return errors.New("markup that is no element")
		}
	}
	if roots != 1 {
		return errors.New("not one root element")
	}
	for _, r := range string(svg) {
		if r != '\n' && hidden(r) {
			return errors.New("a character that cannot be seen")
		}
	}
	return nil
}

func readTree(t *testing.T, name string) *screen.Screen {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	s, err := screen.Read(data, screen.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// nodeSaying finds a node by its text, description or the end of its id.
func nodeSaying(t *testing.T, s *screen.Screen, what string) int32 {
	t.Helper()
	for i := range s.Nodes {
		n := &s.Nodes[i]
		if n.Text == what || n.Description == what || strings.HasSuffix(n.ResourceID, "/"+what) {
			return int32(i)
		}
	}
	t.Fatalf("no node says %q", what)
	return -1
}

func TestScreenDrawsEveryVerdictInItsOwnWay(t *testing.T) {
	s := readTree(t, "chat.xml")
	got := Screen(s, []Mark{
		{Node: nodeSaying(t, s, "Back"), Outcome: risk.Allow},
		{Node: nodeSaying(t, s, "send"), Outcome: risk.Confirm, Note: "Sends a message to “Mira & <Jonas>”."},
		{Node: nodeSaying(t, s, "Pay\n24,10 €"), Outcome: risk.Confirm, Critical: true, Note: "Pays 24.10 EUR."},
		{Node: nodeSaying(t, s, "Allow full control"), Outcome: risk.Deny, Note: "Opens a way round the guard."},
		{Node: 9999, Outcome: risk.Deny, Note: "a node that is not there"},
		{Node: -1, Outcome: risk.Deny},
	}, Options{Title: "Chat <3", Subtitle: "org.example.chat, MEDIUM"})
	golden(t, "chat.svg", got)
	if err := harmless(got); err != nil {
		t.Error(err)
	}
	text := string(got)
	for _, want := range []string{
		"Chat &lt;3", "Mira &amp; &lt;Jonas&gt;", "allow 1", "confirm 1", "critical 1", "deny 1",
		"url(#confirm)", "url(#critical)", "url(#deny)", "confirm: Sends a message", "See you at eight",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the picture lacks %s", want)
		}
	}
	for _, secret := range []string{"correct", "horse", "battery", "not there"} {
		if strings.Contains(text, secret) {
			t.Errorf("the picture tells %q", secret)
		}
	}
}

func TestScreenEscapesHostileLabels(t *testing.T) {
	s := readTree(t, "hostile.xml")
	var marks []Mark
	for i := range s.Nodes {
		marks = append(marks, Mark{Node: int32(i), Outcome: risk.Confirm, Note: s.Nodes[i].Text})
	}
	got := Screen(s, marks, Options{Title: "<script>\x1b[31m\u202e", Subtitle: "\x00&"})
	golden(t, "hostile.svg", got)
	if err := harmless(got); err != nil {
		t.Error(err)
	}
	for _, want := range []string{"&lt;script&gt;", `\u202eyaP`, `\u200b`, `\u001b`} {
		if !strings.Contains(string(got), want) {
			t.Errorf("the picture does not spell out %s", want)
		}
	}
}

// A number in the list stands on the screen as well.
func TestScreenCountsWhatCannotBeDrawn(t *testing.T) {
	shown := screen.Rect{Right: 100, Bottom: 100}
	s := &screen.Screen{
		Width: 1080, Height: 2400,
		Windows: []screen.Window{{End: 3, Bounds: screen.Rect{Right: 1080, Bottom: 2400}}},
		Nodes: []screen.Node{
			{Text: "on it", Parent: -1, End: 1, Bounds: shown},
			{Text: "beside it", Parent: -1, End: 2, Bounds: screen.Rect{Left: 1080, Right: 1200, Bottom: 100}},
			{Text: "hidden", Parent: -1, End: 3, Bounds: shown, Flags: screen.Invisible},
		},
	}
	got := string(Screen(s, []Mark{
		{Node: 1, Outcome: risk.Confirm, Note: "Beside."}, {Node: 2, Outcome: risk.Confirm, Note: "Hidden."},
		{Node: 0, Outcome: risk.Confirm, Note: "Shown."},
	}, Options{}))
	for _, want := range []string{"confirm 1<", "confirm: Shown.", "not drawn: 2<"} {
		if !strings.Contains(got, want) {
			t.Errorf("the picture lacks %q", want)
		}
	}
	for _, none := range []string{"Beside.", "Hidden."} {
		if strings.Contains(got, none) {
			t.Errorf("the picture has a number for %q, which is not on it", none)
		}
	}
}

func TestScreenSaysWhenThereIsNothingToDraw(t *testing.T) {
	unread, _ := screen.Read("ERROR: could not get idle state.", screen.Limits{})
	cases := map[string]*screen.Screen{"nil": nil, "failed": unread, "zero": {}}
	ran := 0
	for name, s := range cases {
		ran++
		got := Screen(s, []Mark{{Node: 0}}, Options{})
		if err := harmless(got); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if !bytes.Contains(got, []byte("could not be read")) || !bytes.Contains(got, []byte("no_tree")) {
			t.Errorf("%s: the picture does not say that the screen could not be read", name)
		}
	}
	if ran != 3 {
		t.Errorf("%d cases ran", ran)
	}
}

func TestScreenSizeIsBounded(t *testing.T) {
	cases := []struct {
		name          string
		width, height int
		asked         int
	}{
		{"usual", 1080, 2400, 0},
		{"on its side", 2400, 1080, 0},
		{"ribbon", 64, 16384, 0},
		{"huge", 1 << 30, 1 << 30, 0},
		{"negative", -5, -5, -5},
		{"wide picture", 1080, 2400, 1 << 30},
	}
	for _, c := range cases {
		s := &screen.Screen{
			Width: c.width, Height: c.height,
			Windows: []screen.Window{{End: 1, Bounds: screen.Rect{Right: 1 << 30, Bottom: 1 << 30}}},
			Nodes:   []screen.Node{{Text: strings.Repeat("word ", 1<<16), Parent: -1, End: 1, Bounds: screen.Rect{Right: 1 << 30, Bottom: 1 << 30}}},
		}
		got := Screen(s, nil, Options{Width: c.asked})
		if err := harmless(got); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		var root struct {
			Width  float64 `xml:"width,attr"`
			Height float64 `xml:"height,attr"`
		}
		if err := xml.Unmarshal(got, &root); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		if root.Width < 100 || root.Width > 6000 || root.Height < 100 || root.Height > 6000 || len(got) > 1<<20 {
			t.Errorf("%s: %v × %v px, %d bytes", c.name, root.Width, root.Height, len(got))
		}
	}
}

func FuzzDraw(f *testing.F) {
	for _, name := range []string{"chat.xml", "hostile.xml"} {
		data, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(data), "title", 400)
	}
	f.Add("", "<\x00\xff\u202e", -1)
	f.Fuzz(func(t *testing.T, tree, title string, width int) {
		s, _ := screen.Read(tree, screen.Limits{})
		var marks []Mark
		for i := range s.Nodes {
			marks = append(marks, Mark{
				Node: int32(i), Outcome: risk.Outcome(i % 4), Critical: i%5 == 0,
				Note: s.Nodes[i].Text + s.Nodes[i].Description,
			})
		}
		got := Screen(s, marks, Options{Title: title, Subtitle: tree, Width: width})
		if err := harmless(got); err != nil {
			t.Errorf("%v\n%s", err, got)
		}
		if err := harmless(Terminal(tree, title, width)); err != nil {
			t.Errorf("terminal: %v", err)
		}
	})
}
