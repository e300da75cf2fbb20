package screen

import (
	"encoding/xml"
	"errors"
	"io"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"
)

// The slow, well-tried reading that the fast reader is compared with: a generic
// tree built by encoding/xml, and the meaning of its elements written down a
// second time, without regard for speed.

type oracleElement struct {
	name     string
	attrs    []xml.Attr
	children []*oracleElement
}

// oracleParse builds the generic tree. It reports false when encoding/xml does
// not accept the whole document, or when a document type is in it.
func oracleParse(src string) (*oracleElement, bool) {
	document := &oracleElement{}
	open := []*oracleElement{document}
	for d := xml.NewDecoder(strings.NewReader(src)); ; {
		token, err := d.RawToken()
		if err != nil {
			return document, err == io.EOF && len(open) == 1
		}
		switch token := token.(type) {
		case xml.Directive:
			return nil, false
		case xml.StartElement:
			e := &oracleElement{name: oracleName(token.Name), attrs: token.Copy().Attr}
			parent := open[len(open)-1]
			parent.children = append(parent.children, e)
			open = append(open, e)
		case xml.EndElement:
			if len(open) == 1 || open[len(open)-1].name != oracleName(token.Name) {
				return nil, false
			}
			open = open[:len(open)-1]
		}
	}
}

func oracleName(n xml.Name) string {
	if n.Space != "" {
		return n.Space + ":" + n.Local
	}
	return n.Local
}

// trees collects the outermost elements that a UI tree begins with.
func (e *oracleElement) trees() []*oracleElement {
	switch e.name {
	case "hierarchy", "displays", "display", "windows", "window":
		return []*oracleElement{e}
	}
	var found []*oracleElement
	for _, child := range e.children {
		found = append(found, child.trees()...)
	}
	return found
}

// attr returns the first attribute of a name.
func (e *oracleElement) attr(name string) string {
	for _, a := range e.attrs {
		if oracleName(a.Name) == name {
			return a.Value
		}
	}
	return ""
}

type oracleReading struct {
	byClass   bool // Appium: elements are named by their class
	nodes     []Node
	badBounds bool
}

func (o *oracleReading) walk(e *oracleElement, parent int32, inHierarchy bool) {
	isNode := e.name == "node" && !o.byClass || o.byClass && inHierarchy
	outside := parent < 0 && !inHierarchy
	switch {
	case isNode:
		n := o.node(e)
		if n.Parent = parent; parent >= 0 {
			n.Depth = o.nodes[parent].Depth + 1
		}
		parent = int32(len(o.nodes))
		o.nodes = append(o.nodes, n)
	case outside && e.name == "hierarchy":
		inHierarchy = true
	case outside && e.name == "window":
		if _, ok := oracleRect(e.attr("bounds")); !ok {
			o.badBounds = true
		}
	}
	for _, child := range e.children {
		o.walk(child, parent, inHierarchy)
	}
}

func (o *oracleReading) node(e *oracleElement) Node {
	n := Node{
		Text: e.attr("text"), Description: e.attr("content-desc"), ResourceID: e.attr("resource-id"),
		Class: e.attr("class"), Package: e.attr("package"), Hint: e.attr("hint"),
		DrawingOrder: int32(oracleInt(e.attr("drawing-order"))),
	}
	if n.Class == "" && o.byClass {
		n.Class = e.name
	}
	if n.Hint == "" && strings.EqualFold(e.attr("showing-hint"), "true") {
		n.Hint = n.Text
	}
	var ok bool
	if n.Bounds, ok = oracleRect(e.attr("bounds")); !ok {
		o.badBounds = true
	}
	for name, flag := range map[string]Flags{
		"clickable": Clickable, "long-clickable": LongClickable, "checkable": Checkable, "checked": Checked,
		"focusable": Focusable, "focused": Focused, "scrollable": Scrollable, "password": Password,
		"selected": Selected, "editable": Editable, "multiline": MultiLine, "dismissable": Dismissable,
	} {
		if strings.EqualFold(e.attr(name), "true") {
			n.Flags |= flag
		}
	}
	for name, flag := range map[string]Flags{"enabled": Disabled, "displayed": Invisible, "visible-to-user": Invisible} {
		if strings.EqualFold(e.attr(name), "false") {
			n.Flags |= flag
		}
	}
	if strings.HasSuffix(n.Class, "EditText") || strings.HasSuffix(n.Class, "AutoCompleteTextView") {
		n.Flags |= Editable
	}
	n.noteInputType(int32(oracleInt(e.attr("input-type"))))
	return n
}

var oracleBounds = regexp.MustCompile(`^\[ *(-?\d+), *(-?\d+)\]\[ *(-?\d+), *(-?\d+)\]$`)

func oracleRect(text string) (Rect, bool) {
	if text == "" {
		return Rect{}, true
	}
	m := oracleBounds.FindStringSubmatch(text)
	if m == nil {
		return Rect{}, false
	}
	var side [4]int32
	for i := range side {
		side[i] = int32(oracleInt(m[i+1]))
	}
	return Rect{side[0], side[1], side[2], side[3]}, true
}

// oracleInt relies on strconv to answer the nearest number that fits.
func oracleInt(text string) int64 {
	if text = strings.TrimSpace(text); strings.HasPrefix(text, "+") || strings.Contains(text, "_") {
		return 0
	}
	n, err := strconv.ParseInt(text, 10, 32)
	if err != nil && !errors.Is(err, strconv.ErrRange) {
		return 0
	}
	return n
}

// surrogateReference matches half a character written as a reference of its
// own. encoding/xml makes U+FFFD of each half, we make a character of the pair.
var surrogateReference = regexp.MustCompile(`&#(0*5[5-7]\d{3}|[xX]0*[dD][89a-fA-F][0-9a-fA-F]{2});`)

// compareWithOracle holds a reading against encoding/xml, where that accepts
// the document. It reports whether there was anything to compare.
func compareWithOracle(t *testing.T, src string, byClass bool, s *Screen, err error) bool {
	t.Helper()
	if _, wide := isUTF16(src); wide || surrogateReference.MatchString(src) {
		return false
	}
	document, ok := oracleParse(src)
	if !ok {
		return false
	}
	trees := document.trees()
	o := oracleReading{byClass: byClass}
	for _, tree := range trees {
		o.walk(tree, -1, false)
	}
	switch {
	case len(trees) > 1, o.badBounds:
		var syntax *SyntaxError
		if !errors.As(err, &syntax) {
			t.Fatalf("%d trees, bad bounds %t: error %v, want a syntax error", len(trees), o.badBounds, err)
		}
		return true
	case len(o.nodes) == 0:
		if !errors.Is(err, ErrNoTree) {
			t.Fatalf("no node: error %v, want ErrNoTree", err)
		}
		return true
	case err != nil:
		t.Fatalf("encoding/xml reads %d nodes, we refuse: %v", len(o.nodes), err)
	case s.Truncated:
		t.Fatal("encoding/xml reads the document whole, we say it is cut short")
	}
	compareNodes(t, s.Nodes, o.nodes)
	return true
}

// compareNodes compares what a document says of its nodes.
func compareNodes(t *testing.T, got, want []Node) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%d nodes, want %d", len(got), len(want))
	}
	for i := range got {
		g := got[i]
		g.End, g.Window = want[i].End, want[i].Window
		if g != want[i] {
			t.Fatalf("node %d:\n got %+v\nwant %+v", i, g, want[i])
		}
	}
}

// checkScreen checks what holds for whatever a reader answers.
func checkScreen(t *testing.T, s *Screen, err error) {
	t.Helper()
	if s == nil {
		t.Fatal("the screen is nil")
	}
	if err != nil {
		if s.Problem != NoTree || len(s.Nodes) != 0 || len(s.Windows) != 0 {
			t.Fatalf("after the error %v: problem %q, %d nodes, %d windows", err, s.Problem, len(s.Nodes), len(s.Windows))
		}
		if message := err.Error(); !utf8.ValidString(message) || len(message) > 1000 {
			t.Fatalf("error message of %d bytes: %q", len(message), message)
		}
		return
	}
	if s.Problem != "" || len(s.Nodes) == 0 || len(s.Windows) == 0 {
		t.Fatalf("without an error: problem %q, %d nodes, %d windows", s.Problem, len(s.Nodes), len(s.Windows))
	}
	checkNodes(t, s)
	checkWindows(t, s)
}

func checkNodes(t *testing.T, s *Screen) {
	t.Helper()
	for i, n := range s.Nodes {
		parentEnd, depth := int32(len(s.Nodes)), int32(0)
		if n.Parent >= 0 {
			parentEnd, depth = s.Nodes[n.Parent].End, s.Nodes[n.Parent].Depth+1
		}
		if n.Parent >= int32(i) || n.End <= int32(i) || n.End > parentEnd || n.Depth != depth {
			t.Fatalf("node %d of %d is out of place: %+v", i, len(s.Nodes), n)
		}
		for _, text := range []string{n.Text, n.Description, n.ResourceID, n.Class, n.Package, n.Hint} {
			if !utf8.ValidString(text) || strings.ContainsAny(text, "\x00\x01\x1f\uFFFE\uFFFF") {
				t.Fatalf("node %d has text that is not clean: %q", i, text)
			}
		}
	}
}

func checkWindows(t *testing.T, s *Screen) {
	t.Helper()
	owned, focused := 0, 0
	for w, window := range s.Windows {
		if window.First > window.End {
			t.Fatalf("window %d has the nodes %d to %d", w, window.First, window.End)
		}
		owned += int(window.End - window.First)
		for i := window.First; i < window.End; i++ {
			if s.Nodes[i].Window != int32(w) {
				t.Fatalf("node %d of window %d says it is of window %d", i, w, s.Nodes[i].Window)
			}
		}
		if window.Focused {
			focused++
		}
	}
	if owned != len(s.Nodes) {
		t.Fatalf("the windows own %d of %d nodes", owned, len(s.Nodes))
	}
	if focused != 1 {
		t.Fatalf("%d windows have the focus", focused)
	}
}
