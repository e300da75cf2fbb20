package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/countersign/countersign/decide"
	"github.com/countersign/countersign/risk"
	"github.com/countersign/countersign/screen"
)

// nameColumn is how wide the names of a card's fields are.
const nameColumn = 13

// card is a list of named values, folded to the terminal.
type card struct {
	t *terminal
	b strings.Builder
}

// field prints a value, and nothing where there is none. Only the first line
// carries the name.
func (c *card) field(name, value string) { c.inked(name, plain, value) }

func (c *card) inked(name string, how ink, value string) {
	if value == "" {
		return
	}
	for _, line := range fold(value, min(c.t.width, readableWidth)-nameColumn-2) {
		c.b.WriteString("  " + c.t.paint(dim, pad(name, nameColumn)) + c.t.paint(how, line) + "\n")
		name = ""
	}
}

// raw prints a value that carries escape sequences and may not be folded.
func (c *card) raw(name, value string) {
	c.b.WriteString("  " + c.t.paint(dim, pad(name, nameColumn)) + value + "\n")
}

// quoted prints somebody else's text.
func (c *card) quoted(name, value string) {
	if value != "" {
		c.field(name, "“"+decide.Quote(value, maxShown)+"”")
	}
}

func (c *card) blank() { c.b.WriteByte('\n') }

// printCard explains the one action in full.
func (e *explanation) printCard(t *terminal) error {
	j := &e.targets[0]
	d := &j.decision
	c := &card{t: t}
	word, how := explainWords.of(d)
	c.b.WriteString(t.paint(bold, e.heading(j)) + "\n\n")
	c.inked("verdict", how, word)
	c.field("reason", d.Reason())
	c.field("category", d.Category.String())
	if d.Topic.Risky() && d.Category == risk.None {
		c.field("about", d.Topic.String()+", but it does nothing of the kind")
	}
	c.field("code", string(d.Code))
	c.blank()
	c.field("app", appName(d))
	c.field("tier", tierAndWhy(&d.App, d.Tier)+e.trust())
	if j.node >= 0 {
		c.blank()
		c.target(e, j)
	}
	c.blank()
	c.evidence(j)
	c.facts(d.Facts())
	c.blank()
	c.field("layers", fmt.Sprintf("model %s, flat guard %s, context %s", asks(d.Layers.LLM), asks(d.Layers.Flat), asks(d.Layers.Context)))
	c.field("source", d.Source.String()+", delta "+d.Delta.String())
	c.field("decided by", strings.TrimSuffix(d.DecidedBy+": "+d.Rule, ": "))
	c.field("policy", d.Policy)
	digest := d.Digest()
	if digest == "" {
		digest = "none; it takes the key of an installation, and nothing is released on this command's word"
	}
	c.field("digest", digest)
	_, err := io.WriteString(t.out, c.b.String())
	return err
}

func (e *explanation) heading(j *judged) string {
	if j.node < 0 {
		return "nothing is there"
	}
	return "node " + fmt.Sprint(j.node) + ": " + j.control()
}

// trust says whose word the screen is.
func (e *explanation) trust() string { return "; the screen is your word (claimed)" }

func asks(yes bool) string {
	if yes {
		return "asks"
	}
	return "quiet"
}

// target prints the signals of the control and what stands around it.
func (c *card) target(e *explanation, j *judged) {
	t := &j.target
	b := t.Bounds
	c.field("control", fmt.Sprintf("%s, %s, [%d,%d][%d,%d]", words(t.Role.String()),
		strings.TrimPrefix(decide.Quote(t.Class, 80), "android.widget."), b.Left, b.Top, b.Right, b.Bottom))
	if t.Flags.Has(screen.Password) {
		c.field("text", "a password field; what is typed there is not shown")
	} else {
		c.quoted("text", t.Text)
	}
	c.quoted("description", t.Description)
	c.quoted("hint", t.Hint)
	c.quoted("id", t.ResourceID)
	labels := make([]string, 0, len(t.Labels))
	for _, l := range t.Labels {
		labels = append(labels, "“"+decide.Quote(l.Text, 80)+"”")
	}
	c.field("labels", strings.Join(labels, ", "))
	c.quoted("row", t.RowTitle)
	c.field("state", state(t))
	c.quoted("dialog", t.Dialog.Title)
	c.quoted("message", t.Dialog.Message)
	if f := &t.Form; len(f.Fields) > 0 {
		c.field("form", form(f))
		c.quoted("draft", f.Draft())
	}
	c.field("place", place(&t.Place))
	if t.WindowKind != screen.AppWindow {
		c.field("window", e.windowTitle(e.ui.Nodes[j.node].Window))
	}
}

// state is what the flags say beyond the usual.
func state(t *screen.Target) string {
	var out []string
	for _, s := range [...]struct {
		flag screen.Flags
		word string
	}{
		{screen.Disabled, "disabled"}, {screen.Checked, "checked"}, {screen.Focused, "focused"},
		{screen.Selected, "selected"}, {screen.MultiLine, "several lines"},
	} {
		if t.Flags.Has(s.flag) {
			out = append(out, s.word)
		}
	}
	if t.Flags&(screen.Clickable|screen.LongClickable|screen.Checkable|screen.Editable) == 0 {
		out = append(out, "takes no touch by itself")
	}
	return strings.Join(out, ", ")
}

func form(f *screen.Form) string {
	filled := 0
	for i := range f.Fields {
		if f.Fields[i].Text != "" {
			filled++
		}
	}
	text := fmt.Sprintf("%s, %d filled", things(len(f.Fields), "field"), filled)
	switch {
	case f.FilledPassword:
		text += ", a password typed"
	case f.Password:
		text += ", one for a password"
	}
	return text
}

func place(p *screen.Place) string {
	switch {
	case p.BesideFilled:
		return "beside a text field with text in it"
	case p.FootOfForm:
		return "below a text field"
	}
	return ""
}

// evidence prints every piece, with the words marked where they stand.
func (c *card) evidence(j *judged) {
	all := j.decision.Evidence()
	if len(all) == 0 {
		c.field("evidence", "none: no word or shape here means anything risky")
	}
	for i := range all {
		name := ""
		if i == 0 {
			name = "evidence"
		}
		ev := &all[i]
		where := words(string(ev.Signal))
		if ev.Layer != risk.LayerStructure && ev.Match != "" {
			where += "  " + marked(c.t, signalText(&j.target, ev), ev)
		}
		c.raw(name, where+"  "+c.t.paint(dim, evidenceSource(ev)))
	}
}

// facts prints what an owner must see before answering.
func (c *card) facts(f risk.Facts) {
	c.quoted("object", f.Object)
	c.quoted("recipient", f.Recipient)
	if f.Amount != nil {
		c.field("amount", f.Amount.Value+" "+decide.Quote(f.Amount.Currency, 8))
	}
	c.quoted("text sent", f.Text)
}
