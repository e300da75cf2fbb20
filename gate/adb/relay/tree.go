package relay

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"strconv"
)

// uiNode is a node of a tree that a server writes as JSON. The names are those
// of the Portal; mobilecli's are turned into them.
type uiNode struct {
	Text        string `json:"text"`
	Description string `json:"contentDescription"`
	ID          string `json:"resourceId"`
	Class       string `json:"className"`
	Package     string `json:"packageName"`
	Hint        string `json:"hint"`
	Bounds      struct {
		Left   int `json:"left"`
		Top    int `json:"top"`
		Right  int `json:"right"`
		Bottom int `json:"bottom"`
	} `json:"boundsInScreen"`
	Checkable     bool     `json:"isCheckable"`
	Checked       bool     `json:"isChecked"`
	Clickable     bool     `json:"isClickable"`
	Enabled       bool     `json:"isEnabled"`
	Focusable     bool     `json:"isFocusable"`
	Focused       bool     `json:"isFocused"`
	Scrollable    bool     `json:"isScrollable"`
	LongClickable bool     `json:"isLongClickable"`
	Password      bool     `json:"isPassword"`
	Selected      bool     `json:"isSelected"`
	Visible       *bool    `json:"isVisibleToUser"` // absent: visible
	Children      []uiNode `json:"children"`
}

// mobilecliNode is a node as mobilecli's server writes it.
type mobilecliNode struct {
	Text        string `json:"text"`
	Description string `json:"content-desc"`
	ID          string `json:"resource-id"`
	Class       string `json:"class"`
	Package     string `json:"package"`
	Hint        string `json:"hint"`
	Rect        struct {
		X      int `json:"x"`
		Y      int `json:"y"`
		Width  int `json:"width"`
		Height int `json:"height"`
	} `json:"rect"`
	Checkable     bool            `json:"checkable"`
	Checked       bool            `json:"checked"`
	Clickable     bool            `json:"clickable"`
	Enabled       bool            `json:"enabled"`
	Focusable     bool            `json:"focusable"`
	Focused       bool            `json:"focused"`
	Scrollable    bool            `json:"scrollable"`
	LongClickable bool            `json:"long-clickable"`
	Password      bool            `json:"password"`
	Selected      bool            `json:"selected"`
	Visible       *bool           `json:"visible"`
	Children      []mobilecliNode `json:"children"`
}

func (m *mobilecliNode) node() uiNode {
	n := uiNode{
		Text: m.Text, Description: m.Description, ID: m.ID, Class: m.Class, Package: m.Package, Hint: m.Hint,
		Checkable: m.Checkable, Checked: m.Checked, Clickable: m.Clickable, Enabled: m.Enabled, Focusable: m.Focusable,
		Focused: m.Focused, Scrollable: m.Scrollable, LongClickable: m.LongClickable, Password: m.Password,
		Selected: m.Selected, Visible: m.Visible,
	}
	n.Bounds.Left, n.Bounds.Top = m.Rect.X, m.Rect.Y
	n.Bounds.Right, n.Bounds.Bottom = m.Rect.X+m.Rect.Width, m.Rect.Y+m.Rect.Height
	for i := range m.Children {
		n.Children = append(n.Children, m.Children[i].node())
	}
	return n
}

// hierarchy writes the roots of windows, the topmost first, as uiautomator does.
func hierarchy(roots []uiNode) []byte {
	out := bytes.NewBufferString("<?xml version='1.0' encoding='UTF-8' standalone='yes' ?><hierarchy rotation=\"0\">")
	for i := range roots {
		roots[i].write(out, i)
	}
	out.WriteString("</hierarchy>")
	return out.Bytes()
}

// mobilecliTree turns the answer to device.dump.ui into uiautomator's XML.
func mobilecliTree(body []byte) ([]byte, error) {
	var answer struct {
		Result struct {
			Hierarchy []mobilecliNode `json:"hierarchy"`
		} `json:"result"`
	}
	if err := json.Unmarshal(body, &answer); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNoSource, err)
	}
	if len(answer.Result.Hierarchy) == 0 {
		return nil, fmt.Errorf("%w: its dump has no window", ErrNoSource)
	}
	roots := make([]uiNode, 0, len(answer.Result.Hierarchy))
	for i := range answer.Result.Hierarchy {
		roots = append(roots, answer.Result.Hierarchy[i].node())
	}
	return hierarchy(roots), nil
}

// portalTree turns the Portal's whole state into the XML that uiautomator writes.
func portalTree(body []byte) ([]byte, error) {
	var envelope struct {
		Result json.RawMessage `json:"result"`
		Data   json.RawMessage `json:"data"` // in older versions
	}
	if err := json.Unmarshal(body, &envelope); err != nil {
		return nil, fmt.Errorf("%w: %w", errPortalState, err)
	}
	state := envelope.Result
	if state == nil {
		state = envelope.Data
	}
	var text string // the state may be a document within a string
	if json.Unmarshal(state, &text) == nil {
		state = []byte(text)
	}
	var whole struct {
		Tree *uiNode `json:"a11y_tree"`
	}
	if err := json.Unmarshal(state, &whole); err != nil {
		return nil, fmt.Errorf("%w: %w", errPortalState, err)
	}
	if whole.Tree == nil {
		return nil, errPortalState
	}
	return hierarchy([]uiNode{*whole.Tree}), nil
}

// write writes a node and what is in it, unless it cannot be seen: uiautomator
// leaves that out as well. The error of a buffer is always nil.
func (n *uiNode) write(out *bytes.Buffer, index int) {
	if n.Visible != nil && !*n.Visible {
		return
	}
	out.WriteString("<node")
	attribute := func(name, value string) {
		out.WriteString(" " + name + `="`)
		_ = xml.EscapeText(out, []byte(value))
		out.WriteByte('"')
	}
	attribute("index", strconv.Itoa(index))
	attribute("text", n.Text)
	attribute("resource-id", n.ID)
	attribute("class", n.Class)
	attribute("package", n.Package)
	attribute("content-desc", n.Description)
	for _, flag := range []struct {
		name string
		on   bool
	}{
		{"checkable", n.Checkable}, {"checked", n.Checked}, {"clickable", n.Clickable}, {"enabled", n.Enabled},
		{"focusable", n.Focusable}, {"focused", n.Focused}, {"scrollable", n.Scrollable},
		{"long-clickable", n.LongClickable}, {"password", n.Password}, {"selected", n.Selected},
	} {
		attribute(flag.name, strconv.FormatBool(flag.on))
	}
	if n.Hint != "" {
		attribute("hint", n.Hint)
	}
	b := n.Bounds
	attribute("bounds", fmt.Sprintf("[%d,%d][%d,%d]", b.Left, b.Top, b.Right, b.Bottom))
	out.WriteByte('>')
	for i := range n.Children {
		n.Children[i].write(out, i)
	}
	out.WriteString("</node>")
}
