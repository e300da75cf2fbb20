package automation

import (
	"regexp"
	"strings"

	"github.com/countersign/countersign/phone"
)

// condition is one thing that a selector asks of a node. bit is its place in the
// mask of uiautomator2's Selector: a field counts only where its bit is set.
type condition struct {
	field string
	bit   int
	holds func(n phone.Node, want any) bool
}

// conditions are what UiSelector knows, by the names that uiautomator2 and
// UiSelector share.
var conditions = []condition{
	{"text", 0x01, equals(text)}, {"textContains", 0x02, contains(text)}, {"textMatches", 0x04, fits(text)}, {"textStartsWith", 0x08, starts(text)},
	{"className", 0x10, equals(class)}, {"classNameMatches", 0x20, fits(class)},
	{"description", 0x40, equals(description)}, {"descriptionContains", 0x80, contains(description)}, {"descriptionMatches", 0x100, fits(description)}, {"descriptionStartsWith", 0x200, starts(description)},
	{"checkable", 0x400, flag(func(n phone.Node) bool { return n.Checkable })},
	{"checked", 0x800, flag(func(n phone.Node) bool { return n.Checked })},
	{"clickable", 0x1000, flag(func(n phone.Node) bool { return n.Clickable })},
	{"longClickable", 0x2000, flag(func(n phone.Node) bool { return n.LongClickable })},
	{"scrollable", 0x4000, flag(func(n phone.Node) bool { return n.Scrollable })},
	{"enabled", 0x8000, flag(func(n phone.Node) bool { return n.Enabled })},
	{"focusable", 0x010000, flag(func(n phone.Node) bool { return n.Focusable })},
	{"focused", 0x020000, flag(func(n phone.Node) bool { return n.Focused })},
	{"selected", 0x040000, flag(func(n phone.Node) bool { return n.Selected })},
	{"packageName", 0x080000, equals(pkg)}, {"packageNameMatches", 0x100000, fits(pkg)},
	{"resourceId", 0x200000, equals(resourceID)}, {"resourceIdMatches", 0x400000, fits(resourceID)},
	{"index", 0x800000, func(n phone.Node, want any) bool { i, ok := number(want); return ok && i == n.Sibling }},
}

// maskInstance is the bit of "instance", which picks among those that are found.
const maskInstance = 0x01000000

func text(n phone.Node) string        { return n.Text }
func class(n phone.Node) string       { return n.Class }
func description(n phone.Node) string { return n.Description }
func pkg(n phone.Node) string         { return n.Package }
func resourceID(n phone.Node) string  { return n.ResourceID }

func equals(of func(phone.Node) string) func(phone.Node, any) bool {
	return func(n phone.Node, want any) bool { s, ok := want.(string); return ok && of(n) == s }
}

// contains ignores case, as UiSelector does.
func contains(of func(phone.Node) string) func(phone.Node, any) bool {
	return func(n phone.Node, want any) bool {
		s, ok := want.(string)
		return ok && strings.Contains(strings.ToLower(of(n)), strings.ToLower(s))
	}
}

func starts(of func(phone.Node) string) func(phone.Node, any) bool {
	return func(n phone.Node, want any) bool {
		s, ok := want.(string)
		return ok && strings.HasPrefix(strings.ToLower(of(n)), strings.ToLower(s))
	}
}

// fits matches the whole by a regular expression.
func fits(of func(phone.Node) string) func(phone.Node, any) bool {
	return func(n phone.Node, want any) bool {
		s, _ := want.(string)
		re, err := regexp.Compile(`^(?s:` + s + `)$`)
		return err == nil && re.MatchString(of(n))
	}
}

func flag(of func(phone.Node) bool) func(phone.Node, any) bool {
	return func(n phone.Node, want any) bool { b, ok := want.(bool); return ok && of(n) == b }
}

// selectAll finds the nodes that a selector of uiautomator2 asks for, in order.
func selectAll(nodes []phone.Node, selector object) []phone.Node {
	found := selectOne(nodes, selector)
	relations, _ := selector["childOrSibling"].([]any)
	selectors, _ := selector["childOrSiblingSelector"].([]any)
	for i, relation := range relations {
		if i >= len(selectors) {
			return nil
		}
		next, _ := selectors[i].(object)
		var below []phone.Node
		for _, parent := range found {
			below = append(below, related(nodes, parent, relation)...)
		}
		found = selectOne(below, next)
	}
	return found
}

// related are the nodes that "child" and "sibling" look among.
func related(nodes []phone.Node, n phone.Node, relation any) []phone.Node {
	if relation == "child" {
		return within(nodes, n)
	}
	var list []phone.Node
	for _, other := range nodes {
		if other.Parent == n.Parent && other.Index != n.Index {
			list = append(append(list, other), within(nodes, other)...)
		}
	}
	return list
}

func selectOne(nodes []phone.Node, selector object) []phone.Node {
	mask, _ := number(selector["mask"])
	var found []phone.Node
	for _, n := range nodes {
		if holdsAll(n, selector, mask) {
			found = append(found, n)
		}
	}
	if mask&maskInstance == 0 {
		return found
	}
	i, ok := number(selector["instance"])
	if !ok || i < 0 || i >= len(found) {
		return nil
	}
	return found[i : i+1]
}

func holdsAll(n phone.Node, selector object, mask int) bool {
	for _, c := range conditions {
		if mask&c.bit != 0 && !c.holds(n, selector[c.field]) {
			return false
		}
	}
	return true
}

// describeSelector writes a selector as UiSelector's toString does.
func describeSelector(selector object) string {
	mask, _ := number(selector["mask"])
	var parts []string
	for _, c := range conditions {
		if s, ok := selector[c.field].(string); ok && mask&c.bit != 0 {
			parts = append(parts, strings.ToUpper(c.field)+"="+s)
		}
	}
	return "UiSelector[" + strings.Join(parts, ", ") + "]"
}
