package relay

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"strconv"
)

// portalNode is a node of the Portal's whole tree.
type portalNode struct {
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
	Checkable     bool         `json:"isCheckable"`
	Checked       bool         `json:"isChecked"`
	Clickable     bool         `json:"isClickable"`
	Enabled       bool         `json:"isEnabled"`
	Focusable     bool         `json:"isFocusable"`
	Focused       bool         `json:"isFocused"`
	Scrollable    bool         `json:"isScrollable"`
	LongClickable bool         `json:"isLongClickable"`
	Password      bool         `json:"isPassword"`
	Selected      bool         `json:"isSelected"`
	Children      []portalNode `json:"children"`
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
		Tree *portalNode `json:"a11y_tree"`
	}
	if err := json.Unmarshal(state, &whole); err != nil {
		return nil, fmt.Errorf("%w: %w", errPortalState, err)
	}
	if whole.Tree == nil {
		return nil, errPortalState
	}
	out := bytes.NewBufferString("<?xml version='1.0' encoding='UTF-8' standalone='yes' ?><hierarchy rotation=\"0\">")
	whole.Tree.write(out, 0)
	out.WriteString("</hierarchy>")
	return out.Bytes(), nil
}

// write writes a node and what is in it. The error of a buffer is always nil.
func (n *portalNode) write(out *bytes.Buffer, index int) {
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
