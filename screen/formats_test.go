package screen

import (
	"encoding/json"
	"encoding/xml"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// drawn is a node of a tree that a property test makes up.
type drawn struct {
	Text, Description, ID, Class string
	Bounds                       [4]int32
	Clickable, Password, Enabled bool
	Children                     []*drawn
}

func drawTree(t *rapid.T, depth int) *drawn {
	n := &drawn{
		Text:        rapid.String().Draw(t, "text"),
		Description: rapid.StringOf(rapid.RuneFrom([]rune("ab&<>\"'\r\n\t \u200b支дé😀\uFFFD\x01\uFFFE"))).Draw(t, "description"),
		ID:          rapid.StringMatching(`[a-z.:/_]{0,12}`).Draw(t, "id"),
		Class:       rapid.SampledFrom([]string{"android.view.View", "android.widget.EditText", "a.B"}).Draw(t, "class"),
		Clickable:   rapid.Bool().Draw(t, "clickable"),
		Password:    rapid.Bool().Draw(t, "password"),
		Enabled:     rapid.Bool().Draw(t, "enabled"),
	}
	for i := range n.Bounds {
		n.Bounds[i] = rapid.Int32().Draw(t, "side")
	}
	if depth > 0 {
		for range rapid.IntRange(0, 3).Draw(t, "children") {
			n.Children = append(n.Children, drawTree(t, depth-1))
		}
	}
	return n
}

func escaped(text string) string {
	var b strings.Builder
	if err := xml.EscapeText(&b, []byte(text)); err != nil {
		panic(err)
	}
	return b.String()
}

// markup writes the node as XML, named "node" or by its class.
func (n *drawn) markup(b *strings.Builder, byClass bool) {
	name := "node"
	if byClass {
		name = n.Class
	}
	fmt.Fprintf(b, `<%s class="%s" text="%s" content-desc="%s" resource-id="%s" clickable="%t" password="%t" enabled="%t" bounds="[%d,%d][%d,%d]">`,
		name, n.Class, escaped(n.Text), escaped(n.Description), escaped(n.ID), n.Clickable, n.Password, n.Enabled,
		n.Bounds[0], n.Bounds[1], n.Bounds[2], n.Bounds[3])
	for _, child := range n.Children {
		child.markup(b, byClass)
	}
	fmt.Fprintf(b, "</%s>", name)
}

func (n *drawn) fields() map[string]any {
	children := make([]any, 0, len(n.Children))
	for _, child := range n.Children {
		children = append(children, child.fields())
	}
	return map[string]any{
		"class": n.Class, "text": n.Text, "content_desc": n.Description, "resource_id": n.ID,
		"clickable": n.Clickable, "password": n.Password, "enabled": n.Enabled, "bounds": n.Bounds, "children": children,
	}
}

// nodes lists what the readers should find.
func (n *drawn) nodes(list []Node, parent, depth int32) []Node {
	clean := strings.NewReplacer("\uFFFE", replacement, "\uFFFF", replacement)
	tidy := func(text string) string {
		return clean.Replace(strings.Map(func(r rune) rune {
			if r < ' ' && r != '\t' && r != '\n' && r != '\r' {
				return []rune(replacement)[0]
			}
			return r
		}, text))
	}
	node := Node{
		Text: tidy(n.Text), Description: tidy(n.Description), ResourceID: n.ID, Class: n.Class,
		Bounds: Rect{n.Bounds[0], n.Bounds[1], n.Bounds[2], n.Bounds[3]}, Parent: parent, Depth: depth,
	}
	node.setIf(n.Clickable, Clickable)
	node.setIf(n.Password, Password)
	node.setIf(!n.Enabled, Disabled)
	node.setIf(strings.HasSuffix(n.Class, "EditText"), Editable)
	index := int32(len(list))
	list = append(list, node)
	for _, child := range n.Children {
		list = child.nodes(list, index, depth+1)
	}
	list[index].End = int32(len(list))
	return list
}

// The same tree is the same screen in every format.
func TestSameTreeInEveryFormat(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		tree := drawTree(rt, 3)
		want := tree.nodes(nil, -1, 0)
		var dump, source strings.Builder
		tree.markup(&dump, false)
		tree.markup(&source, true)
		object, err := json.Marshal(map[string]any{"root": tree.fields()})
		if err != nil {
			rt.Fatal(err)
		}
		for format, src := range map[string]string{
			"dump": "<hierarchy>" + dump.String() + "</hierarchy>", "page source": "<hierarchy>" + source.String() + "</hierarchy>",
			"JSON": string(object),
		} {
			s, err := Read(src, Limits{})
			if err != nil {
				rt.Fatalf("%s: %v\n%s", format, err, src)
			}
			if len(s.Nodes) != len(want) {
				rt.Fatalf("%s: %d nodes, want %d", format, len(s.Nodes), len(want))
			}
			for i := range want {
				if s.Nodes[i] != want[i] {
					rt.Fatalf("%s, node %d\n got %+v\nwant %+v", format, i, s.Nodes[i], want[i])
				}
			}
		}
	})
}
