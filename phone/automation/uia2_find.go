package automation

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/countersign/countersign/phone"
)

func (s *uia2) findOne(c *webCall) (any, *webError) {
	found, fault := s.find(c)
	switch {
	case fault != nil:
		return nil, fault
	case len(found) == 0:
		return nil, errNoElement
	}
	return s.remember(found[0]), nil
}

func (s *uia2) findAll(c *webCall) (any, *webError) {
	found, fault := s.find(c)
	if fault != nil {
		return nil, fault
	}
	list := make([]object, 0, len(found))
	for _, n := range found {
		list = append(list, s.remember(n))
	}
	return list, nil
}

// find looks for the elements of a search, within another where it names one.
func (s *uia2) find(c *webCall) ([]phone.Node, *webError) {
	strategy, ok := c.body["strategy"].(string)
	value, _ := c.body["selector"].(string)
	if !ok {
		strategy, _ = c.body["using"].(string)
		value, _ = c.body["value"].(string)
	}
	nodes := s.phone.Nodes()
	if context, _ := c.body["context"].(string); context != "" {
		n, fault := s.element(context)
		if fault != nil {
			return nil, fault
		}
		nodes = within(nodes, n)
	}
	switch strategy {
	case "id":
		return keep(nodes, func(n phone.Node) bool { return n.ResourceID == value || shortID(n.ResourceID) == value && value != "" }), nil
	case "accessibility id":
		return keep(nodes, func(n phone.Node) bool { return n.Description == value }), nil
	case "class name":
		return keep(nodes, func(n phone.Node) bool { return n.Class == value }), nil
	case "xpath":
		return xpath(nodes, value)
	case "-android uiautomator":
		return s.uiSelector(nodes, value)
	}
	return nil, errBadSelector
}

func keep(nodes []phone.Node, fits func(phone.Node) bool) []phone.Node {
	var list []phone.Node
	for _, n := range nodes {
		if fits(n) {
			list = append(list, n)
		}
	}
	return list
}

var (
	selectorCall = regexp.MustCompile(`\.\s*(\w+)\(\s*("(?:[^"\\]|\\.)*"|true|false|\d+)\s*\)`)
	scrollsTo    = regexp.MustCompile(`scrollIntoView\((.*)\)`)
	scrollsText  = regexp.MustCompile(`scrollTextIntoView\("((?:[^"\\]|\\.)*)"\)`)
)

// uiSelector runs an expression of UiSelector, or one of UiScrollable that scrolls
// something into view.
func (s *uia2) uiSelector(nodes []phone.Node, expression string) ([]phone.Node, *webError) {
	inner := expression
	scroll := strings.Contains(expression, "UiScrollable")
	if scroll {
		inner = ""
		if m := scrollsTo.FindStringSubmatch(expression); m != nil {
			inner = m[1]
		} else if m := scrollsText.FindStringSubmatch(expression); m != nil {
			inner = `new UiSelector().text("` + m[1] + `")`
		}
	}
	selector, ok := parseUiSelector(inner)
	if !ok {
		return nil, errBadSelector
	}
	if !scroll {
		return selectOne(nodes, selector), nil
	}
	return s.scrollUntil(func() ([]phone.Node, *webError) { return selectOne(s.phone.Nodes(), selector), nil })
}

// maxScrolls is how often the server scrolls before it gives up.
const maxScrolls = 10

// scrollUntil scrolls the first list down until a search finds something.
func (s *uia2) scrollUntil(find func() ([]phone.Node, *webError)) ([]phone.Node, *webError) {
	for range maxScrolls {
		found, fault := find()
		area := keep(s.phone.Nodes(), func(n phone.Node) bool { return n.Scrollable })
		if fault != nil || len(found) > 0 || len(area) == 0 {
			return found, fault
		}
		from, to, _ := swipeOver(area[0].Bounds, "up", 0.6)
		s.phone.Swipe(from.X, from.Y, to.X, to.Y, longPress)
	}
	return find()
}

// parseUiSelector reads "new UiSelector().text(\"x\").instance(1)".
func parseUiSelector(expression string) (object, bool) {
	rest, ok := strings.CutPrefix(strings.TrimSpace(expression), "new UiSelector()")
	if !ok {
		return nil, false
	}
	selector, mask := object{}, 0
	for _, m := range selectorCall.FindAllStringSubmatch(rest, -1) {
		name, bit := m[1], 0
		for _, c := range conditions {
			if c.field == name {
				bit = c.bit
			}
		}
		if name == "instance" {
			bit = maskInstance
		}
		if bit == 0 {
			return nil, false
		}
		mask |= bit
		selector[name] = literal(m[2])
	}
	selector["mask"] = float64(mask)
	return selector, mask != 0
}

func literal(text string) any {
	switch {
	case text == "true" || text == "false":
		return text == "true"
	case strings.HasPrefix(text, `"`):
		if s, err := strconv.Unquote(text); err == nil {
			return s
		}
		return text
	}
	n, _ := strconv.Atoi(text) // digits only
	return float64(n)
}
