package bench

import (
	"encoding/xml"
	"fmt"
)

// XMLTree is a dump as encoding/xml reads it into structs: what a program has
// that takes the standard library's word for how XML is read.
type XMLTree struct {
	Rotation int       `xml:"rotation,attr"`
	Nodes    []XMLNode `xml:"node"`
}

// XMLNode has the attributes that the guard needs.
type XMLNode struct {
	Text          string    `xml:"text,attr"`
	ResourceID    string    `xml:"resource-id,attr"`
	Class         string    `xml:"class,attr"`
	Package       string    `xml:"package,attr"`
	ContentDesc   string    `xml:"content-desc,attr"`
	Hint          string    `xml:"hint,attr"`
	Checkable     bool      `xml:"checkable,attr"`
	Checked       bool      `xml:"checked,attr"`
	Clickable     bool      `xml:"clickable,attr"`
	Enabled       bool      `xml:"enabled,attr"`
	Focusable     bool      `xml:"focusable,attr"`
	Focused       bool      `xml:"focused,attr"`
	Scrollable    bool      `xml:"scrollable,attr"`
	LongClickable bool      `xml:"long-clickable,attr"`
	Password      bool      `xml:"password,attr"`
	Selected      bool      `xml:"selected,attr"`
	Visible       bool      `xml:"visible-to-user,attr"`
	Bounds        string    `xml:"bounds,attr"`
	DrawingOrder  int       `xml:"drawing-order,attr"`
	Nodes         []XMLNode `xml:"node"`
}

// ReadXMLTree reads a dump with encoding/xml.
func ReadXMLTree(dump []byte) (*XMLTree, error) {
	var t XMLTree
	if err := xml.Unmarshal(dump, &t); err != nil {
		return nil, fmt.Errorf("read the dump: %w", err)
	}
	return &t, nil
}

// Count is the number of nodes.
func (t *XMLTree) Count() int { return countNodes(t.Nodes) }

func countNodes(nodes []XMLNode) int {
	n := len(nodes)
	for i := range nodes {
		n += countNodes(nodes[i].Nodes)
	}
	return n
}

// At finds the last clickable node in document order that holds the point: the
// plainest hit test there is.
func (t *XMLTree) At(x, y int) *XMLNode { return nodeAt(t.Nodes, x, y) }

func nodeAt(nodes []XMLNode, x, y int) *XMLNode {
	var hit *XMLNode
	for i := range nodes {
		n := &nodes[i]
		var left, top, right, bottom int
		if _, err := fmt.Sscanf(n.Bounds, "[%d,%d][%d,%d]", &left, &top, &right, &bottom); err != nil {
			continue
		}
		if x < left || x >= right || y < top || y >= bottom {
			continue
		}
		if n.Clickable {
			hit = n
		}
		if deeper := nodeAt(n.Nodes, x, y); deeper != nil {
			hit = deeper
		}
	}
	return hit
}
