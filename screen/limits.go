package screen

import "fmt"

// Limits bound what a reader accepts, so that a hostile tree costs no more
// than a large honest one. A field that is zero or negative takes its value
// from [DefaultLimits].
type Limits struct {
	// Bytes is the size of the input as it arrives, before it is decoded.
	Bytes int
	// Depth is how deeply XML elements, or JSON objects and arrays, may be
	// nested, those around the nodes included. A level of nodes takes one level
	// of XML and two of JSON. Values above 10,000 count as 10,000.
	Depth int
	// Nodes is the number of accessibility nodes.
	Nodes int
}

// DefaultLimits leave ample room for real screens: the largest real dumps have
// some 2 MB, 3,000 nodes and 100 levels.
var DefaultLimits = Limits{Bytes: 8 << 20, Depth: 512, Nodes: 50_000}

// deepest keeps readers that recurse away from the end of their stack,
// whatever a caller asks for.
const deepest = 10_000

func (l Limits) withDefaults() Limits {
	if l.Bytes <= 0 {
		l.Bytes = DefaultLimits.Bytes
	}
	if l.Depth <= 0 {
		l.Depth = DefaultLimits.Depth
	}
	if l.Nodes <= 0 {
		l.Nodes = DefaultLimits.Nodes
	}
	l.Depth = min(l.Depth, deepest)
	return l
}

// LimitError says that a tree is larger than the reader was told to accept.
type LimitError struct {
	// Limit names the field of [Limits]: "bytes", "depth" or "nodes".
	Limit string
	// Value is the limit's value.
	Value int
}

func (e *LimitError) Error() string {
	return fmt.Sprintf("more than the limit of %d %s", e.Value, e.unit())
}

func (e *LimitError) unit() string {
	if e.Limit == "depth" {
		return "levels of depth"
	}
	return e.Limit
}
