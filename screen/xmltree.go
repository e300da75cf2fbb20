package screen

import (
	"fmt"
)

// treeReader builds a screen from XML.
type treeReader struct {
	scanner
	dialect dialect
	limits  Limits
	screen  *Screen
	layout  layout
	// open are the elements around the scanner's place, the innermost last.
	open []openElement
	// node and window are the innermost open ones, -1 outside of any.
	node, window int32
	// hierarchies counts the open ones.
	hierarchies int
}

type openElement struct {
	name   string
	kind   element
	window int32 // the window that is innermost again when this element ends
}

func readXML(src string, limits Limits, d dialect) (*Screen, error) {
	start, err := findTree(src)
	if err != nil {
		return nil, err
	}
	if start < 0 {
		return nil, noTree(src)
	}
	r := treeReader{
		scanner: scanner{src: src, pos: start},
		dialect: d,
		limits:  limits,
		screen:  &Screen{Nodes: make([]Node, 0, min(limits.Nodes, 16+len(src)/bytesPerNode))},
		open:    make([]openElement, 0, 48),
		node:    -1,
		window:  -1,
	}
	if err := r.tree(); err != nil {
		return nil, err
	}
	return r.finish()
}

// bytesPerNode is what a node takes in a uiautomator dump, or a little less: it
// sizes the first allocation, nothing else depends on it.
const bytesPerNode = 340

// tree reads from the first start tag to the end tag that matches it, or to
// the end of a document that is cut short.
func (r *treeReader) tree() error {
	for {
		kind, name, err := r.next()
		if err != nil {
			return err
		}
		switch kind {
		case startTag:
			if kind, err = r.start(name); err != nil {
				return err
			}
		case endTag:
			if err := r.end(name); err != nil {
				return err
			}
		}
		switch {
		case kind == cutShort || kind == endOfInput:
			r.screen.Truncated = true
			return nil
		case len(r.open) == 0:
			return r.nothingFollows()
		}
	}
}

// nothingFollows refuses a second tree behind the first: which of the two is on
// the screen cannot be told. Messages of tools are fine.
func (r *treeReader) nothingFollows() error {
	second, err := findTree(r.src[r.pos:])
	if err != nil || second < 0 {
		return err
	}
	return r.fail(r.pos+second, "a second tree", "the end or a message of the dump tool")
}

// start reads a start tag whose name the scanner has just passed.
func (r *treeReader) start(name string) (markup, error) {
	if len(r.open) >= r.limits.Depth {
		return cutShort, &LimitError{"depth", r.limits.Depth}
	}
	e := openElement{name: name, kind: r.meaning(name), window: r.window}
	var kind markup
	var err error
	switch e.kind {
	case node:
		kind, err = r.startNode(name)
	case window:
		kind, err = r.startWindow()
	case hierarchy:
		kind, err = r.startHierarchy()
	case display:
		kind, err = r.startDisplay()
	default:
		kind, err = r.skipAttributes()
	}
	switch {
	case err != nil || kind == cutShort:
		return cutShort, err
	case kind == emptyTagEnd:
		r.close(e)
		return kind, nil
	}
	if e.kind == hierarchy {
		r.hierarchies++
	}
	r.open = append(r.open, e)
	return kind, nil
}

// startNode adds a node, unless its tag is cut short.
func (r *treeReader) startNode(name string) (markup, error) {
	s := r.screen
	if len(s.Nodes) >= r.limits.Nodes {
		return cutShort, &LimitError{"nodes", r.limits.Nodes}
	}
	index := int32(len(s.Nodes))
	s.Nodes = append(s.Nodes, Node{Parent: r.node})
	n := &s.Nodes[index]
	kind, err := r.nodeAttributes(n)
	if err != nil || kind == cutShort {
		s.Nodes = s.Nodes[:index]
		return cutShort, err
	}
	if n.Class == "" && r.dialect == appium {
		n.Class = r.clean(name)
	}
	n.noteEditable()
	if r.node >= 0 {
		n.Depth = s.Nodes[r.node].Depth + 1
	} else {
		r.layout.addRoot(index, r.window)
	}
	r.node = index
	return kind, nil
}

// end reads an end tag.
func (r *treeReader) end(name string) error {
	innermost := r.open[len(r.open)-1]
	if innermost.name != name {
		return r.fail(r.tag, quoted("</"+name+">"), quoted("</"+innermost.name+">"))
	}
	r.open = r.open[:len(r.open)-1]
	if innermost.kind == hierarchy {
		r.hierarchies--
	}
	r.close(innermost)
	return nil
}

// close leaves an element.
func (r *treeReader) close(e openElement) {
	if e.kind == node {
		n := &r.screen.Nodes[r.node]
		n.End = int32(len(r.screen.Nodes))
		r.node = n.Parent
	}
	r.window = e.window
}

// finish closes what is still open and lays out the windows.
func (r *treeReader) finish() (*Screen, error) {
	s := r.screen
	for i := r.node; i >= 0; i = s.Nodes[i].Parent {
		s.Nodes[i].End = int32(len(s.Nodes))
	}
	if len(s.Nodes) == 0 {
		return nil, r.noNode()
	}
	s.Repairs = r.repairs
	if r.dialect == appium {
		noteDepthLimit(s)
	}
	r.layout.arrange(s)
	return s, nil
}

// noNode explains a tree without nodes: a screen with nothing on it does not
// exist, so this is a dump that failed.
func (r *treeReader) noNode() error {
	switch {
	case r.screen.Truncated:
		return fmt.Errorf("%w: the document ends before its first node", ErrNoTree)
	case r.dialect == uiautomator:
		return fmt.Errorf("%w: the document has no <node>; elements named by their class are Appium page source", ErrNoTree)
	}
	return fmt.Errorf("%w: the document has no node", ErrNoTree)
}
