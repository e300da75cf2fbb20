package phone

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// AppError is a complaint about the data of an app.
type AppError struct {
	File    string
	Line    int    // from 1; 0 is the file as a whole
	Problem string // what is wrong, and what is accepted
}

func (e *AppError) Error() string {
	if e.Line == 0 {
		return e.File + ": " + e.Problem
	}
	return fmt.Sprintf("%s:%d: %s", e.File, e.Line, e.Problem)
}

// Bounds on what is read: data of that size is a mistake.
const (
	maxAppBytes = 256 << 10
	maxDepth    = 48
	maxFaults   = 20
)

// reader reads one file strictly and gathers what is wrong with it.
type reader struct {
	file   string
	faults []error
	lines  map[string]int // where a named thing stands, for later complaints
}

func (r *reader) fault(n *yaml.Node, format string, args ...any) {
	if len(r.faults) < maxFaults {
		r.faults = append(r.faults, &AppError{r.file, n.Line, fmt.Sprintf(format, args...)})
	}
}

// open parses a file of one YAML mapping.
func (r *reader) open(data []byte) *yaml.Node {
	whole := &yaml.Node{}
	if len(data) > maxAppBytes {
		r.fault(whole, "%d bytes; an app has at most %d", len(data), maxAppBytes)
		return nil
	}
	var doc yaml.Node
	if err := yaml.Unmarshal(data, &doc); err != nil {
		r.fault(whole, "no YAML: %v", strings.TrimPrefix(err.Error(), "yaml: "))
		return nil
	}
	if doc.Kind != yaml.DocumentNode || len(doc.Content) != 1 || doc.Content[0].Kind != yaml.MappingNode {
		r.fault(whole, "the file has to be one mapping: package, label, screens, ...")
		return nil
	}
	r.plain(doc.Content[0], 0)
	if len(r.faults) > 0 {
		return nil
	}
	return doc.Content[0]
}

// plain refuses what makes data read differently from what it says, and
// nesting without end.
func (r *reader) plain(n *yaml.Node, depth int) {
	switch {
	case depth > maxDepth:
		r.fault(n, "nested more than %d deep", maxDepth)
		return
	case n.Kind == yaml.AliasNode || n.Anchor != "":
		r.fault(n, "anchors and aliases are not accepted: write it out")
		return
	case n.Style&yaml.TaggedStyle != 0:
		r.fault(n, "tags such as %s are not accepted", n.Tag)
	}
	for _, c := range n.Content {
		r.plain(c, depth+1)
	}
}

// field is a key of a mapping and what reads its value.
type field struct {
	key  string
	read func(*yaml.Node)
}

// fields reads a mapping by the fields that it may have. what names it in
// complaints, such as "a screen".
func (r *reader) fields(n *yaml.Node, what string, known ...field) {
	for key, value := range r.entries(n, what) {
		i := slices.IndexFunc(known, func(f field) bool { return f.key == key.Value })
		if i < 0 {
			names := make([]string, len(known))
			for j, f := range known {
				names[j] = f.key
			}
			r.fault(key, "%s has no key %q; it takes %s", what, key.Value, strings.Join(names, ", "))
			continue
		}
		known[i].read(value)
	}
}

// entries are the keys and values of a mapping, each key once.
func (r *reader) entries(n *yaml.Node, what string) func(func(key, value *yaml.Node) bool) {
	return func(yield func(key, value *yaml.Node) bool) {
		if n.Kind != yaml.MappingNode {
			r.fault(n, "%s has to be a mapping", what)
			return
		}
		seen := map[string]bool{}
		for i := 0; i+1 < len(n.Content); i += 2 {
			key, value := n.Content[i], n.Content[i+1]
			if key.Kind != yaml.ScalarNode || key.Value == "" {
				r.fault(key, "the keys of %s have to be words", what)
				continue
			}
			if seen[key.Value] {
				r.fault(key, "%s has %q twice", what, key.Value)
				continue
			}
			seen[key.Value] = true
			if !yield(key, value) {
				return
			}
		}
	}
}

// items are the elements of a list.
func (r *reader) items(n *yaml.Node, what string) []*yaml.Node {
	if n.Kind != yaml.SequenceNode {
		r.fault(n, "%s has to be a list", what)
		return nil
	}
	return n.Content
}

// word reads a scalar as it stands.
func (r *reader) word(n *yaml.Node, what string) string {
	if n.Kind != yaml.ScalarNode {
		r.fault(n, "%s has to be a single value", what)
		return ""
	}
	return n.Value
}

func (r *reader) oneOf(n *yaml.Node, what string, accepted ...string) string {
	w := r.word(n, what)
	if !slices.Contains(accepted, w) {
		r.fault(n, "%s cannot be %q; it is one of %s", what, w, strings.Join(accepted, ", "))
	}
	return w
}

func (r *reader) number(n *yaml.Node, what string, least, most int) int {
	v, err := strconv.Atoi(r.word(n, what))
	if err != nil || v < least || v > most {
		r.fault(n, "%s has to be a whole number from %d to %d, not %q", what, least, most, n.Value)
		return least
	}
	return v
}

func (r *reader) yes(n *yaml.Node, what string) bool {
	return r.oneOf(n, what, "true", "false") == "true"
}
