package phone

import (
	"bytes"
	"fmt"
	"strings"
)

// DumpOptions are those of "uiautomator dump".
type DumpOptions struct {
	// Compressed leaves out the nodes that mean nothing by themselves.
	Compressed bool
	// Windows writes all windows of all displays (--windows), rather than the
	// one that has the focus.
	Windows bool
}

// Why there is no dump. The shell prints the messages as the phone does, and
// ends with exit 0, as uiautomator does.
var (
	// ErrNotIdle is what uiautomator says when the screen never rests.
	ErrNotIdle error = dumpError("ERROR: could not get idle state.")
	// ErrNullRoot is what it says when no window gives its nodes.
	ErrNullRoot error = dumpError("ERROR: null root node returned by UiTestAutomationBridge.")
)

// dumpError is a message of uiautomator's, word for word.
type dumpError string

func (e dumpError) Error() string { return string(e) }

// Dump is the screen as uiautomator writes it.
func (p *Phone) Dump(o DumpOptions) ([]byte, error) {
	p.rest()
	p.lock()
	defer p.mu.Unlock()
	p.noteThat("dump", "compressed=%t windows=%t", o.Compressed, o.Windows)
	switch {
	case p.wrong.NeverIdle:
		return nil, ErrNotIdle
	case p.wrong.DumpFails, p.asleep:
		return nil, ErrNullRoot
	}
	defer p.looked()
	if p.wrong.DumpStale {
		return bytes.Clone(p.stale[o]), nil
	}
	return p.dump(o), nil
}

func (p *Phone) dump(o DumpOptions) []byte {
	d := dumper{compressed: o.Compressed}
	d.WriteString("<?xml version='1.0' encoding='UTF-8' standalone='yes' ?>")
	if !o.Windows {
		d.hierarchy(p.active(), p.rotation)
		return d.Bytes()
	}
	d.WriteString(`<displays><display id="0">`)
	for i, w := range p.shown() {
		d.window(i, w, p.rotation)
	}
	d.WriteString("</display></displays>")
	return d.Bytes()
}

// dumper writes nodes as com.android.uiautomator does: the same attributes in
// the same order, on one line.
type dumper struct {
	bytes.Buffer
	compressed bool
}

// windowTypes are the words of AccessibilityWindowInfo.
var windowTypes = map[string]string{
	"app": "TYPE_APPLICATION", "dialog": "TYPE_APPLICATION", "keyboard": "TYPE_INPUT_METHOD", "system": "TYPE_SYSTEM", "panel": "TYPE_SYSTEM",
}

func (d *dumper) window(index int, w *window, rotation int) {
	r := w.bounds
	fmt.Fprintf(d, `<window index="%d" title="%s" bounds="[%d,%d][%d,%d]" active="%t" type="%s" layer="%d" token="" focused="%t" accessibility-focused="false" id="%d">`,
		index, escape(w.title), r.Min.X, r.Min.Y, r.Max.X, r.Max.Y, w.focused, windowTypes[w.kind], w.layer, w.focused, w.screen.id)
	d.hierarchy(w, rotation)
	d.WriteString("</window>")
}

func (d *dumper) hierarchy(w *window, rotation int) {
	fmt.Fprintf(d, `<hierarchy rotation="%d">`, rotation)
	d.node(w.root, 0)
	d.WriteString("</hierarchy>")
}

func (d *dumper) node(v *view, index int) {
	r := v.bounds
	fmt.Fprintf(d, `<node index="%d" text="%s" resource-id="%s" class="%s" package="%s" content-desc="%s" checkable="%t" checked="%t" clickable="%t" enabled="%t" focusable="%t" focused="%t" scrollable="%t" long-clickable="%t" password="%t" selected="%t" bounds="[%d,%d][%d,%d]"`,
		index, escape(v.text), escape(v.id), escape(v.class), escape(v.pkg), escape(v.desc), v.checkable, v.checked,
		v.clickable, v.enabled, v.focusable, v.focused, v.scrollable, v.longClickable, v.password, v.selected,
		r.Min.X, r.Min.Y, r.Max.X, r.Max.Y)
	kids := d.kids(v)
	if len(kids) == 0 {
		d.WriteString(" />")
		return
	}
	d.WriteByte('>')
	for i, k := range kids {
		d.node(k, i)
	}
	d.WriteString("</node>")
}

// kids are the children of a node that are written: those that can be seen, and
// in a compressed dump those that mean something, the others' in their place.
func (d *dumper) kids(v *view) []*view {
	var list []*view
	for _, k := range v.kids {
		switch {
		case !k.seen():
		case d.compressed && !k.important():
			list = append(list, d.kids(k)...)
		default:
			list = append(list, k)
		}
	}
	return list
}

// important reports whether accessibility makes something of a node.
func (v *view) important() bool {
	return v.text != "" || v.desc != "" || v.clickable || v.longClickable || v.checkable || v.scrollable ||
		v.focusable || tail(v.class) == "WebView"
}

// escape writes a text into an attribute. What XML cannot say is a dot, as
// uiautomator writes it.
func escape(text string) string {
	return escaper.Replace(strings.Map(func(r rune) rune {
		if r < 0x20 && r != '\n' && r != '\t' && r != '\r' || r == 0xFFFE || r == 0xFFFF {
			return '.'
		}
		return r
	}, strings.ToValidUTF8(text, ".")))
}

var escaper = strings.NewReplacer(
	"&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;", "\n", "&#10;", "\t", "&#9;", "\r", "&#13;",
)
