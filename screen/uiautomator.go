package screen

import (
	"strings"
)

// ReadUIAutomator reads the XML that `uiautomator dump` writes, with
// `--windows` or without, and what tools built on the same library write.
//
// Messages before and after the XML are passed over. Attributes may be missing:
// strings are then empty, flags unset, and a node is enabled and visible.
// Elements that are not known are passed over, and their nodes count as those
// of the element around them. A dump that ends early is read up to there: open
// elements are closed, an element that is cut inside its tag is dropped, and
// Truncated is set. A document type, a second tree behind the first, tags that
// do not match and bounds that are no rectangle are errors.
//
// Nodes keep document order, so that the first <node> has index 0. Windows come
// from the document where it has them. Where it does not, each root node with
// children of its own is a window, and so is each run of root nodes of one app.
//
// See [Read] for the answer in case of an error, and for who owns the memory.
func ReadUIAutomator[T ~string | ~[]byte](dump T, limits Limits) (*Screen, error) {
	return read(string(dump), limits, func(src string, limits Limits) (*Screen, error) {
		return readXML(src, limits, uiautomator)
	})
}

// dialect is how a document writes its nodes.
type dialect uint8

const (
	undecided   dialect = iota // the first element inside the hierarchy decides
	uiautomator                // every node is a <node>
	appium                     // every node is named by its class
)

// element is what an XML element means in a UI tree.
type element uint8

const (
	ignored element = iota
	wrapper         // <displays> or <windows>: means nothing itself
	display
	window
	hierarchy
	node
)

// wrappers are the elements that may stand outside a hierarchy, and with which
// a tree may begin.
var wrappers = map[string]element{
	"hierarchy": hierarchy, "window": window, "windows": wrapper, "display": display, "displays": wrapper,
}

// meaning tells what an element is by its name and place.
func (r *treeReader) meaning(name string) element {
	if name == "node" && r.dialect != appium {
		r.dialect = uiautomator
		return node
	}
	if r.node < 0 && r.hierarchies == 0 {
		return wrappers[name]
	}
	if r.dialect == uiautomator {
		return ignored
	}
	r.dialect = appium
	return node
}

// findTree finds where the tree begins in text that may have messages of tools
// before it. Comments and processing instructions are passed over. It returns
// -1 when no tree begins, or when the text ends before that can be told.
func findTree(src string) (int, error) {
	s := scanner{src: src}
	for {
		i := strings.IndexByte(s.src[s.pos:], '<')
		if i < 0 {
			return -1, nil
		}
		start := s.pos + i
		s.pos = start + 1
		rest := src[s.pos:]
		switch {
		case strings.HasPrefix(rest, "?"):
			if !s.skipPast("?>") {
				return -1, nil
			}
		case strings.HasPrefix(rest, "!--"), strings.HasPrefix(rest, "![CDATA["), strings.HasPrefix(rest, "!DOCTYPE"):
			if whole, err := s.skipDeclaration(); err != nil || !whole {
				return -1, err
			}
		default:
			if beginsTree(rest) {
				return start, nil
			}
		}
	}
}

// beginsTree reports whether a start tag, without its <, is one that a tree
// may begin with. A name that may still be going on does not count.
func beginsTree(rest string) bool {
	for i := 0; i < len(rest) && i <= len("hierarchy"); i++ {
		if endsName[rest[i]] {
			return wrappers[rest[:i]] != ignored
		}
	}
	return false
}

// startHierarchy reads the tag of a hierarchy: the rotation, and the size of
// the display where Appium states it. The first one counts, which is that of
// the display in front.
func (r *treeReader) startHierarchy() (markup, error) {
	s := r.screen
	for {
		kind, name, value, err := r.attribute()
		if kind != attribute {
			return kind, err
		}
		n, ok := r.number(value)
		if !ok || len(s.Nodes) > 0 {
			continue
		}
		switch name {
		case "rotation":
			s.Rotation = quarterTurns(n)
		case "width":
			s.Width = max(0, int(n))
		case "height":
			s.Height = max(0, int(n))
		}
	}
}

// startDisplay reads the tag of a display.
func (r *treeReader) startDisplay() (markup, error) {
	for {
		kind, name, value, err := r.attribute()
		if kind != attribute {
			return kind, err
		}
		if n, ok := r.number(value); ok && name == "id" {
			r.layout.display = int(n)
		}
	}
}

// startWindow reads the tag of a window and makes it the innermost one.
func (r *treeReader) startWindow() (markup, error) {
	var w declaredWindow
	for {
		kind, name, value, err := r.attribute()
		if err != nil || kind == cutShort {
			return cutShort, err
		}
		if kind != attribute {
			r.window = r.layout.addWindow(w, len(r.screen.Nodes))
			return kind, nil
		}
		switch name {
		case "title":
			w.Title = r.clean(value)
		case "package":
			w.Package = r.clean(value)
		case "bounds":
			if w.Bounds, err = r.bounds(value); err != nil {
				return cutShort, err
			}
		case "focused":
			w.Focused = r.is("true", value)
		case "active":
			w.active = r.is("true", value)
		case "layer":
			layer, _ := r.number(value)
			w.layer = int64(layer)
		case "type":
			w.Kind, w.kindKnown = windowKindNamed(r.clean(value))
		}
	}
}

func (r *treeReader) skipAttributes() (markup, error) {
	for {
		if kind, _, _, err := r.attribute(); kind != attribute {
			return kind, err
		}
	}
}
