package screen

import (
	"fmt"
	"strconv"
	"strings"
)

// ReadJSON reads the project's own tree format, for agents that see the screen
// through an accessibility service. docs/screen-json.md describes it; in short:
//
//	{"package": "com.example.mail", "width": 1080, "height": 2400,
//	 "windows": [{"type": "application", "title": "Inbox", "layer": 1, "focused": true,
//	   "bounds": [0, 0, 1080, 2400],
//	   "root": {"class": "android.widget.FrameLayout", "bounds": [0, 0, 1080, 2400],
//	     "children": [{"text": "Send", "resource_id": "com.example.mail:id/send",
//	       "bounds": [900, 2200, 1060, 2360], "clickable": true}]}}]}
//
// Instead of windows the object may have one root, or elements: an array of
// nodes, which may also stand alone. A field that is not known is a
// [*FieldError] that names it, where it stands and what it probably should be,
// since a misspelt "clickable" would hide a control. Null is the same as
// absent. A document that ends early is an error: in JSON an open object may
// still get fields that change what it is.
//
// See [Read] for the answer in case of an error, and for who owns the memory.
func ReadJSON[T ~string | ~[]byte](tree T, limits Limits) (*Screen, error) {
	return read(string(tree), limits, readJSON)
}

// jsonReader builds a screen from JSON.
type jsonReader struct {
	jsonScanner
	screen *Screen
	layout layout
	path   []pathStep
}

// pathStep is a field, or an entry of an array where the field is empty.
type pathStep struct {
	field string
	index int
}

// displayLater marks windows that take the display of the screen.
const displayLater = -1 << 31

func readJSON(src string, limits Limits) (*Screen, error) {
	r := jsonReader{
		jsonScanner: jsonScanner{src: src, room: limits.Depth, limits: limits},
		screen:      &Screen{},
		layout:      layout{display: displayLater},
	}
	var err error
	switch r.peek() {
	case 0:
		return nil, noTree(src)
	case '[':
		err = r.nodes(-1, -1)
	default:
		err = r.screenObject()
	}
	if err != nil {
		return nil, err
	}
	if r.peek() != 0 {
		return nil, r.expected("the end of the tree")
	}
	return r.finish()
}

func (r *jsonReader) finish() (*Screen, error) {
	s := r.screen
	if len(s.Nodes) == 0 {
		return nil, fmt.Errorf("%w: the JSON has no node; nodes stand in windows[].root, root or elements", ErrNoTree)
	}
	r.layout.display = r.layout.front
	for i := range r.layout.declared {
		if w := &r.layout.declared[i]; w.Display == displayLater {
			w.Display = r.layout.front
		}
	}
	s.Repairs = r.repairs
	r.layout.arrange(s)
	return s, nil
}

// fields reads an object. It finds each field in the table and calls set with
// the scanner at the value; fields that are null or ignored are passed.
func (r *jsonReader) fields(table *fieldTable, set func(jsonField) error) error {
	seen := uint64(0)
	return r.each('{', '}', "an object", func(int) error {
		name, err := r.text("the name of a field")
		if err != nil {
			return err
		}
		field, known := table.find(name)
		switch {
		case !known:
			return &FieldError{Path: r.where(), Field: name, Problem: "is not known", Nearest: table.nearest(name)}
		case field == fieldIgnored:
		case seen&(1<<field) != 0:
			return &FieldError{Path: r.where(), Field: name, Problem: "is given twice"}
		default:
			seen |= 1 << field
		}
		if err := r.pass(':', "a colon after the name of a field"); err != nil {
			return err
		}
		if field == fieldIgnored {
			return r.skip()
		}
		if r.word("null") {
			return nil
		}
		r.path = append(r.path, pathStep{field: name})
		err = set(field)
		r.path = r.path[:len(r.path)-1]
		return err
	})
}

// array reads an array whose entries are objects. An entry that is null is
// passed: a child that was gone when it was asked for.
func (r *jsonReader) array(entry func() error) error {
	if r.peek() != '[' {
		return r.problem("is not an array")
	}
	return r.each('[', ']', "an array", func(i int) error {
		if r.word("null") {
			return nil
		}
		r.path = append(r.path, pathStep{index: i})
		err := entry()
		r.path = r.path[:len(r.path)-1]
		return err
	})
}

// where renders the path to the object that is being read, or the end of it
// where it is very long.
func (r *jsonReader) where() string {
	const longest = 24
	var path strings.Builder
	steps := r.path
	if len(steps) > longest {
		path.WriteString("...")
		steps = steps[len(steps)-longest:]
	}
	for _, step := range steps {
		switch {
		case step.field == "":
			path.WriteString("[" + strconv.Itoa(step.index) + "]")
		case path.Len() > 0:
			path.WriteString("." + step.field)
		default:
			path.WriteString(step.field)
		}
	}
	return path.String()
}

// problem is an error about the value of the field that is being read.
func (r *jsonReader) problem(what string) error {
	e := &FieldError{Problem: what}
	if last := len(r.path) - 1; last >= 0 {
		e.Field = r.path[last].field
		whole := r.path
		r.path = whole[:last]
		e.Path = r.where()
		r.path = whole
	}
	return e
}

func (r *jsonReader) screenObject() error {
	s := r.screen
	trees := 0 // how many of windows, root and elements there are
	return r.fields(screenFields, func(field jsonField) (err error) {
		switch field {
		case fieldWindows, fieldRoot, fieldElements:
			if trees++; trees > 1 {
				return r.problem("stands beside another tree: only one of windows, root and elements is accepted")
			}
		}
		switch field {
		case attrPackage:
			s.Package, err = r.string()
		case fieldActivity:
			s.Activity, err = r.string()
		case fieldWidth:
			s.Width, err = r.count()
		case fieldHeight:
			s.Height, err = r.count()
		case fieldRotation:
			var turns int
			turns, err = r.count()
			s.Rotation = quarterTurns(int32(turns))
		case fieldDisplay:
			r.layout.front, err = r.count()
			r.layout.frontKnown = true
		case fieldSecure:
			s.Secure, err = r.bool()
		case fieldTruncated:
			s.Truncated, err = r.bool()
		case fieldDepthLimit:
			s.DepthLimit, err = r.count()
		case fieldWindows:
			err = r.array(r.windowObject)
		case fieldRoot:
			err = r.nodeObject(-1, -1)
		case fieldElements:
			err = r.nodes(-1, -1)
		}
		return err
	})
}

func (r *jsonReader) windowObject() error {
	index := r.layout.addWindow(declaredWindow{}, len(r.screen.Nodes))
	return r.fields(windowFields, func(field jsonField) (err error) {
		w := &r.layout.declared[index]
		switch field {
		case attrPackage:
			w.Package, err = r.string()
		case fieldTitle:
			w.Title, err = r.string()
		case fieldType:
			w.Kind, err = r.windowKind()
			w.kindKnown = err == nil
		case attrBounds:
			w.Bounds, err = r.rect()
		case fieldLayer:
			var layer int32
			layer, err = r.number()
			w.layer = int64(layer)
		case attrFocused:
			w.Focused, err = r.bool()
		case fieldActive:
			w.active, err = r.bool()
		case fieldDisplay:
			w.Display, err = r.count()
		case fieldRoot:
			err = r.nodeObject(-1, index)
		case fieldElements:
			err = r.nodes(-1, index)
		}
		return err
	})
}

// nodes reads an array of nodes that have the same parent.
func (r *jsonReader) nodes(parent, window int32) error {
	return r.array(func() error { return r.nodeObject(parent, window) })
}
