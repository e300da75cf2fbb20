package decide

import (
	"cmp"
	"strings"

	"github.com/countersign/countersign/redact"
	"github.com/countersign/countersign/risk"
	"github.com/countersign/countersign/screen"
)

// Facts are what the human must see before answering: what is acted on, who
// gets it, how much, and the text about to leave. They are read off the screen
// as it is; nothing typed into a password field is ever among them.
func (d *Decision) Facts() risk.Facts {
	var f risk.Facts
	if d.action == nil {
		return f
	}
	f.Object = d.objectOf()
	if !d.Category.Risky() {
		if a := d.action; a.Kind == risk.TypeText && !d.target.Flags.Has(screen.Password) {
			f.Text = a.Text
		}
		return f
	}
	switch d.Category {
	case risk.Message, risk.Call, risk.Share, risk.Money, risk.BlockReport:
		f.Recipient = d.recipient()
	}
	if d.Category == risk.Money {
		f.Amount = d.amount()
	}
	switch d.Category {
	case risk.Message, risk.Publish, risk.Submit, risk.Share, risk.Other:
		f.Text = d.target.Form.Draft()
	}
	if a := d.action; a.Kind == risk.TypeText && !d.target.Flags.Has(screen.Password) {
		f.Text = a.Text
	}
	return f
}

// objectOf is what is acted on: what the command names, else the name that the
// dialog quotes, else the row, else the dialog's own words.
func (d *Decision) objectOf() string {
	t := &d.target
	switch {
	case d.object != "":
		return d.object
	case !d.placed:
		return ""
	}
	if name := quotedName(t.Dialog.Message); name != "" {
		return name
	}
	if name := quotedName(t.Dialog.Title); name != "" {
		return name
	}
	if t.RowTitle != "" {
		return t.RowTitle
	}
	if t.Dialog.Surface {
		return cmp.Or(t.Dialog.Title, t.Dialog.Message)
	}
	if d.ui != nil && t.Node >= 0 {
		if row := d.around().RowLabels(); len(row) > 0 {
			return strings.Join(row[:min(len(row), 2)], ", ")
		}
		return d.around().Heading()
	}
	return ""
}

// quotes are the pairs that languages put names in.
var quotes = [...][2]string{
	{"“", "”"}, {"„", "“"}, {"«", "»"}, {"「", "」"}, {"『", "』"}, {"\"", "\""}, {"‘", "’"}, {"《", "》"},
}

// quotedName is the first quoted part of a text. A secret is no name: away from
// the words around it nothing could tell it for one.
func quotedName(text string) string {
	for _, q := range quotes {
		_, rest, ok := strings.Cut(text, q[0])
		if !ok {
			continue
		}
		if name, _, ok := strings.Cut(rest, q[1]); ok && name != "" {
			if !strings.Contains(redact.Text(text), name) {
				return ""
			}
			return name
		}
	}
	return ""
}

// recipient is who gets it: what stands where an id names one, else the heading
// of the page, which in a conversation is the other side.
func (d *Decision) recipient() string {
	if d.ui == nil || d.target.Node < 0 {
		return ""
	}
	for i := range d.ui.Nodes {
		n := &d.ui.Nodes[i]
		if n.Holds() && !n.Flags.Has(screen.Password) && namesRecipient(n.ResourceID) {
			return n.Text
		}
	}
	return d.around().Heading()
}

// namesRecipient reports whether an id is that of a recipient's name or field.
func namesRecipient(id string) bool {
	tail := strings.ToLower(id[strings.LastIndexByte(id, '/')+1:])
	return strings.Contains(tail, "recipient") || tail == "to" || strings.HasSuffix(tail, "_to") ||
		strings.Contains(tail, "payee") || strings.Contains(tail, "beneficiary")
}

// amount is the sum a payment is about: what the button names, else the
// dialog, else the sum on the screen that stands nearest above the button.
func (d *Decision) amount() *risk.Amount {
	t := &d.target
	texts := []string{t.Text, t.Description}
	for _, label := range t.Labels {
		texts = append(texts, label.Text)
	}
	for _, text := range append(texts, t.Dialog.Title, t.Dialog.Message) {
		if a, _, _, ok := amountIn(text); ok {
			return &a
		}
	}
	if d.ui == nil || t.Node < 0 {
		return nil
	}
	var best *risk.Amount
	distance := int32(1 << 30)
	for i := range d.ui.Nodes {
		n := &d.ui.Nodes[i]
		away := t.Bounds.Top - n.Bounds.Top
		if away < 0 {
			away = 1<<20 - away // below the button only if nothing is above
		}
		if away >= distance || n.Flags.Has(screen.Password) || !moneyIn(n.Text) {
			continue
		}
		if a, _, _, ok := amountIn(n.Text); ok {
			best, distance = &a, away
		}
	}
	return best
}
