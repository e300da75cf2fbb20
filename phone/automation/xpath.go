package automation

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/countersign/countersign/phone"
)

// The part of XPath that tests of apps use: steps of / and //, a class or *, and
// conditions on attributes and places.
var (
	xpathStep  = regexp.MustCompile(`^(//?)([\w.$]+|\*)((?:\[(?:[^\]'"]|'[^']*'|"[^"]*")*\])*)`)
	xpathTest  = regexp.MustCompile(`\[((?:[^\]'"]|'[^']*'|"[^"]*")*)\]`)
	xpathEqual = regexp.MustCompile(`^@([\w-]+)\s*=\s*(?:'([^']*)'|"([^"]*)")$`)
	xpathPart  = regexp.MustCompile(`^(contains|starts-with)\(\s*@([\w-]+)\s*,\s*(?:'([^']*)'|"([^"]*)")\s*\)$`)
	xpathPlace = regexp.MustCompile(`^\((.*)\)\[(\d+)\]$`)
)

// xpath finds nodes by a path. What is beyond its part of XPath is an invalid
// selector.
func xpath(nodes []phone.Node, path string) ([]phone.Node, *webError) {
	path = strings.TrimSpace(path)
	if m := xpathPlace.FindStringSubmatch(path); m != nil {
		found, fault := xpath(nodes, m[1])
		return place(found, m[2]), fault
	}
	path = strings.TrimPrefix(path, "/hierarchy")
	var found []phone.Node
	for first := true; path != ""; first = false {
		m := xpathStep.FindStringSubmatch(path)
		if m == nil {
			return nil, errBadSelector
		}
		path = path[len(m[0]):]
		step := stepOf(nodes, found, first, m[1] == "//", m[2])
		for _, test := range xpathTest.FindAllStringSubmatch(m[3], -1) {
			var fault *webError
			if step, fault = filter(step, strings.TrimSpace(test[1])); fault != nil {
				return nil, fault
			}
		}
		found = step
	}
	return found, nil
}

// stepOf are the nodes that a step leads to, before its conditions.
func stepOf(nodes, from []phone.Node, first, deep bool, name string) []phone.Node {
	parents, below := map[int]bool{}, map[int]bool{}
	for _, n := range from {
		parents[n.Index] = true
	}
	var list []phone.Node
	for _, n := range nodes {
		reached := first && (deep || n.Parent < 0) || parents[n.Parent] || deep && below[n.Parent]
		if !first && reached {
			below[n.Index] = true
		}
		if reached && (name == "*" || n.Class == name) {
			list = append(list, n)
		}
	}
	return list
}

func place(nodes []phone.Node, which string) []phone.Node {
	i, err := strconv.Atoi(which)
	if err != nil || i < 1 || i > len(nodes) {
		return nil
	}
	return nodes[i-1 : i]
}

// filter keeps the nodes for which a condition holds.
func filter(nodes []phone.Node, test string) ([]phone.Node, *webError) {
	if _, err := strconv.Atoi(test); err == nil {
		return place(nodes, test), nil
	}
	for _, part := range strings.Split(test, " and ") {
		fits, ok := attributeTest(strings.TrimSpace(part))
		if !ok {
			return nil, errBadSelector
		}
		nodes = keep(nodes, fits)
	}
	return nodes, nil
}

func attributeTest(test string) (func(phone.Node) bool, bool) {
	name, want, compare := "", "", func(a, b string) bool { return a == b }
	if m := xpathEqual.FindStringSubmatch(test); m != nil {
		name, want = m[1], m[2]+m[3]
	} else if m := xpathPart.FindStringSubmatch(test); m != nil {
		name, want, compare = m[2], m[3]+m[4], strings.Contains
		if m[1] == "starts-with" {
			compare = strings.HasPrefix
		}
	} else {
		return nil, false
	}
	of, known := attributes[name]
	return func(n phone.Node) bool { return compare(of(n), want) }, known
}

// attributes are those of page source by name.
var attributes = map[string]func(phone.Node) string{
	"text": text, "content-desc": description, "resource-id": resourceID, "class": class, "package": pkg,
	"clickable": func(n phone.Node) string { return strconv.FormatBool(n.Clickable) },
	"enabled":   func(n phone.Node) string { return strconv.FormatBool(n.Enabled) },
	"checked":   func(n phone.Node) string { return strconv.FormatBool(n.Checked) },
	"focused":   func(n phone.Node) string { return strconv.FormatBool(n.Focused) },
	"index":     func(n phone.Node) string { return strconv.Itoa(n.Sibling) },
}
