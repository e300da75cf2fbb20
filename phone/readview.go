package phone

import (
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// viewReader reads the nodes of an app's screens.
type viewReader struct {
	*reader
	app *app
}

func (v viewReader) nodes(n *yaml.Node, what string) []*nodeDef {
	var list []*nodeDef
	for _, item := range v.items(n, what) {
		list = append(list, v.node(item))
	}
	return list
}

// node reads a node. The key of its layout holds its children.
func (v viewReader) node(n *yaml.Node) *nodeDef {
	d := &nodeDef{line: n.Line, flags: map[string]bool{}}
	layout := func(how string) field {
		return field{how, func(n *yaml.Node) {
			if d.layout != "" {
				v.fault(n, "a node is a %s or a %s, not both", d.layout, how)
			}
			d.layout, d.kids = how, v.nodes(n, how)
		}}
	}
	v.fields(n, "a node", slices.Concat(
		v.says(d), v.holds(d), v.lies(d), v.does(d),
		[]field{layout("row"), layout("column"), layout("frame")},
	)...)
	d.class = v.classOf(d, n)
	return d
}

// says are the fields with what a node says of itself.
func (v viewReader) says(d *nodeDef) []field {
	return []field{
		{"class", func(n *yaml.Node) { d.class = v.word(n, "class") }},
		{"id", func(n *yaml.Node) {
			if d.id = v.word(n, "id"); !strings.Contains(d.id, ":") {
				d.id = v.app.pkg + ":id/" + d.id
			}
		}},
		{"text", func(n *yaml.Node) { d.text = v.template(n, "text") }},
		{"desc", func(n *yaml.Node) { d.desc = v.template(n, "desc") }},
		{"hint", func(n *yaml.Node) { d.hint = v.template(n, "hint") }},
		{"flags", func(n *yaml.Node) {
			for _, item := range v.items(n, "flags") {
				word := v.word(item, "a flag")
				name := strings.TrimPrefix(word, "-")
				if !slices.Contains(nodeFlags, name) {
					v.fault(item, "no flag %q; there are %s, each with a - before it to unset it", word, strings.Join(nodeFlags, ", "))
				}
				d.flags[name] = name == word
			}
		}},
	}
}

// holds are the fields with a node's state.
func (v viewReader) holds(d *nodeDef) []field {
	when := func(key string, c **condition) field {
		return field{key, func(n *yaml.Node) { *c = v.condition(n) }}
	}
	return []field{
		{"var", func(n *yaml.Node) { d.bound = v.word(n, "var") }},
		{"each", func(n *yaml.Node) { d.each = v.word(n, "each") }},
		{"ime", func(n *yaml.Node) { d.ime = v.oneOf(n, "ime", "none", "go", "search", "send", "next", "done") }},
		{"multiline", func(n *yaml.Node) { d.lines = v.yes(n, "multiline") }},
		{"password", func(n *yaml.Node) { d.password = v.yes(n, "password") }},
		{"length", func(n *yaml.Node) { d.length = v.number(n, "length", 1, 200) }},
		when("if", &d.shown), when("enabled", &d.enabled), when("checked", &d.checked), when("selected", &d.chosen),
	}
}

// lies are the fields with a node's place.
func (v viewReader) lies(d *nodeDef) []field {
	size := func(key string, to *int) field {
		return field{key, func(n *yaml.Node) {
			if n.Value == "all" {
				*to = -1
				return
			}
			*to = v.number(n, key, 1, 2000)
		}}
	}
	return []field{
		size("width", &d.width), size("height", &d.height),
		{"weight", func(n *yaml.Node) { d.weight = v.number(n, "weight", 1, 100) }},
		{"pad", func(n *yaml.Node) { d.pad = v.number(n, "pad", 0, 200) }},
		{"gap", func(n *yaml.Node) { d.gap = v.number(n, "gap", 0, 200) }},
		{"scroll", func(n *yaml.Node) { d.scroll = v.yes(n, "scroll") }},
		{"at", func(n *yaml.Node) {
			d.at = v.oneOf(n, "at", "top", "bottom", "left", "right", "middle", "top right", "bottom right", "bottom left")
		}},
	}
}

// does are the fields with what a node does.
func (v viewReader) does(d *nodeDef) []field {
	on := func(key string, do *[]action) field {
		return field{key, func(n *yaml.Node) { *do = v.actions(n) }}
	}
	return []field{
		on("tap", &d.tap), on("long", &d.long), on("swipe", &d.swipe),
		on("slide", &d.slide), on("enter", &d.enter), on("full", &d.full),
	}
}

// classOf is the whole name of a node's class, by what it is where the data
// does not say.
func (v viewReader) classOf(d *nodeDef, n *yaml.Node) string {
	switch {
	case strings.Contains(d.class, "."):
		return d.class
	case d.class != "":
		class, ok := classes[d.class]
		if !ok {
			v.fault(n, "no class %q; write it with its package, or one of the short names such as Button", d.class)
		}
		return class
	case d.scroll:
		return classes["ScrollView"]
	case d.layout == "frame":
		return classes["FrameLayout"]
	case d.layout != "":
		return classes["LinearLayout"]
	case d.text != "":
		return classes["TextView"]
	}
	return classes["View"]
}

func (r *reader) condition(n *yaml.Node) *condition {
	c, err := parseCondition(r.word(n, "a condition"))
	if err != nil {
		r.fault(n, "%v", err)
		return nil
	}
	return c
}
