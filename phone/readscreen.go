package phone

import (
	"strings"

	"go.yaml.in/yaml/v3"
)

// screens reads the screens of an app by name.
func (r *reader) screens(a *app, n *yaml.Node) {
	for key, value := range r.entries(n, "screens") {
		if _, twice := a.screens[key.Value]; twice {
			r.fault(key, "%q is a dialog already", key.Value)
		}
		s := &screenDef{name: key.Value, window: "app", pkgOfNodes: a.pkg}
		v := viewReader{r, a}
		var bar, content *nodeDef
		r.fields(value, "a screen",
			field{"activity", func(n *yaml.Node) { s.activity = r.word(n, "activity") }},
			field{"window", func(n *yaml.Node) { s.window = r.oneOf(n, "window", "app", "dialog", "keyboard", "system", "panel") }},
			field{"title", func(n *yaml.Node) { s.title = r.template(n, "title") }},
			field{"secure", func(n *yaml.Node) { s.secure = r.yes(n, "secure") }},
			field{"fixed", func(n *yaml.Node) { s.fixed = r.yes(n, "fixed") }},
			field{"enter", func(n *yaml.Node) { s.enter = r.actions(n) }},
			field{"bar", func(n *yaml.Node) { bar = v.bar(n) }},
			field{"view", func(n *yaml.Node) { content = v.node(n) }},
		)
		if s.activity == "" {
			s.activity = "." + strings.ToUpper(key.Value[:1]) + key.Value[1:] + "Activity"
		}
		if content == nil {
			r.fault(value, "screen %s has no view", key.Value)
			continue
		}
		if bar != nil {
			content.weight, content.height = 1, 0
			content = &nodeDef{layout: "column", class: classes["LinearLayout"], line: value.Line, kids: []*nodeDef{bar, content}}
		}
		s.view = content
		a.screens[key.Value] = s
	}
}

// bar reads the bar at the top of a screen: a title, the way up, and what can
// be done.
func (v viewReader) bar(n *yaml.Node) *nodeDef {
	bar := &nodeDef{line: n.Line, class: classes["ViewGroup"], id: v.app.pkg + ":id/toolbar", layout: "row", height: 56}
	title := &nodeDef{line: n.Line, class: classes["TextView"], weight: 1, height: 56}
	var actions []*nodeDef
	up := false
	v.fields(n, "a bar",
		field{"title", func(n *yaml.Node) { title.text = v.template(n, "title") }},
		field{"up", func(n *yaml.Node) { up = v.yes(n, "up") }},
		field{"actions", func(n *yaml.Node) { actions = v.nodes(n, "actions") }},
	)
	if up {
		bar.kids = append(bar.kids, &nodeDef{
			line: n.Line, class: classes["ImageButton"], desc: "@navigate_up", width: 56, height: 56,
			tap: []action{{line: n.Line, kind: "back"}},
		})
	}
	bar.kids = append(append(bar.kids, title), actions...)
	return bar
}

// dialogs reads dialogs by name: a title, a message, and buttons from left to
// right. Each button closes the dialog before it does what it does.
func (r *reader) dialogs(a *app, n *yaml.Node) {
	for key, value := range r.entries(n, "dialogs") {
		if _, twice := a.screens[key.Value]; twice {
			r.fault(key, "%q is a screen already", key.Value)
		}
		d := alert{pkg: a.pkg, line: value.Line}
		fixed := false
		v := viewReader{r, a}
		r.fields(value, "a dialog",
			field{"title", func(n *yaml.Node) { d.title = r.template(n, "title") }},
			field{"message", func(n *yaml.Node) { d.message = r.template(n, "message") }},
			field{"fixed", func(n *yaml.Node) { fixed = r.yes(n, "fixed") }},
			field{"items", func(n *yaml.Node) { d.items = v.nodes(n, "items") }},
			field{"buttons", func(n *yaml.Node) { d.buttons = r.buttons(n) }},
		)
		if len(d.buttons) == 0 && len(d.items) == 0 {
			r.fault(value, "dialog %s has nothing to press", key.Value)
		}
		s := d.screen()
		s.name, s.fixed = key.Value, fixed
		a.screens[key.Value] = s
	}
}

func (r *reader) buttons(n *yaml.Node) []alertButton {
	items := r.items(n, "buttons")
	if len(items) > 3 {
		r.fault(n, "a dialog has at most three buttons")
	}
	var list []alertButton
	for _, item := range items {
		var b alertButton
		r.fields(item, "a button",
			field{"text", func(n *yaml.Node) { b.text = r.template(n, "text") }},
			field{"tap", func(n *yaml.Node) { b.tap = r.actions(n) }},
		)
		if b.text == "" {
			r.fault(item, "a button needs a text")
		}
		list = append(list, b)
	}
	return list
}

// alert is a dialog as the platform's AlertDialog lays it out.
type alert struct {
	pkg            string
	line           int
	title, message template
	items          []*nodeDef
	buttons        []alertButton
}

type alertButton struct {
	text template
	tap  []action
}

// screen makes the dialog's tree, with the ids that the platform gives.
func (d alert) screen() *screenDef {
	node := func(class, id, layout string, kids ...*nodeDef) *nodeDef {
		if id != "" && !strings.Contains(id, ":") {
			id = d.pkg + ":id/" + id
		}
		return &nodeDef{line: d.line, class: classes[class], id: id, layout: layout, kids: kids}
	}
	panel := node("LinearLayout", "parentPanel", "column")
	if d.title != "" {
		title := node("TextView", "android:id/alertTitle", "")
		title.text = d.title
		top := node("LinearLayout", "topPanel", "column", title)
		top.pad = 20
		panel.kids = append(panel.kids, top)
	}
	if d.message != "" && d.message != literal("") {
		message := node("TextView", "android:id/message", "")
		message.text = d.message
		content := node("ScrollView", "scrollView", "column", message)
		content.pad = 20
		panel.kids = append(panel.kids, content)
	}
	panel.kids = append(panel.kids, d.items...)
	if len(d.buttons) > 0 {
		panel.kids = append(panel.kids, d.buttonPanel(node))
	}
	return &screenDef{window: "dialog", title: d.title, view: panel, pkgOfNodes: d.pkg}
}

// buttonPanel has the buttons as the platform numbers them: the last one is the
// positive one, button1, the one before it button2, the first of three button3.
func (d alert) buttonPanel(node func(class, id, layout string, kids ...*nodeDef) *nodeDef) *nodeDef {
	panel := node("ScrollView", "buttonPanel", "row")
	panel.pad, panel.gap = 8, 8
	for i, b := range d.buttons {
		button := node("Button", "android:id/button"+string(rune('0'+len(d.buttons)-i)), "")
		button.text, button.weight, button.height = b.text, 1, 48
		button.tap = append([]action{{line: d.line, kind: "back"}}, b.tap...)
		panel.kids = append(panel.kids, button)
	}
	return panel
}
