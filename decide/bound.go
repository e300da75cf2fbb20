package decide

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/countersign/countersign/risk"
	"github.com/countersign/countersign/screen"
)

// The names of what an answer is bound to, as a person would call it.
const (
	partApp       = "app"
	partRecipient = "recipient"
	partAmount    = "amount"
	partText      = "text"
	partObject    = "object"
	partAction    = "action"
	partControl   = "control"
	partRow       = "row"
	partQuestion  = "question"
	partChoice    = "choice"
	partForm      = "form"
	partSums      = "sum on the page"
	partPage      = "page"
	partOnTop     = "what is on top of it"
	partWindow    = "window"
	partKind      = "kind of control"
	partID        = "id"
	partState     = "state of the control"
	partOrdinal   = "place among equals"
	partPoint     = "point"
	partEffect    = "consequence"
	partDevice    = "device"
)

// A bound is one thing that makes an action this one: a name and what stands
// there, text by text.
type bound struct {
	name  string
	texts []string
}

// bounds are all that an answer is bound to, what matters most first. What may
// differ when the same thing is asked again is not among it: the coordinates of
// a control that is known, the gate, the time, and whatever else is on the
// screen. Empty ones are left out.
func (d *rendering) bounds() []bound {
	f := d.facts()
	list := []bound{
		{partApp, []string{d.Package}}, {partRecipient, []string{f.Recipient}}, {partAmount, amountTexts(f.Amount)},
		{partText, []string{f.Text}}, {partAction, d.argument()},
	}
	list = append(list, d.controlBounds()...)
	list = append(list, d.pageBounds()...)
	list = append(list,
		bound{partObject, []string{f.Object}}, bound{partEffect, []string{d.Category.String()}},
		bound{partDevice, []string{d.req.Device}}, bound{partPoint, d.pointTexts()})
	return slices.DeleteFunc(list, func(b bound) bool {
		return !slices.ContainsFunc(b.texts, func(text string) bool { return text != "" })
	})
}

func amountTexts(a *risk.Amount) []string {
	if a == nil {
		return nil
	}
	return []string{a.Value, a.Currency}
}

// argument is what the action itself says: its kind, and a command, a key, a
// tool, what is typed. A secret is sealed apart.
func (d *rendering) argument() []string {
	a := d.action
	said := []string{string(pressKind(a.Kind)), "", ""}
	switch {
	case a.Kind == risk.TypeText && d.placed && d.target.Flags.Has(screen.Password):
		said[2] = d.seal("secret", []byte(a.Text))
	case a.Kind == risk.TypeText:
		said[1] = a.Text
	default:
		// What a tool is called with, the app that is launched, stands in the text.
		said[1], said[2] = cmp.Or(a.Shell, a.Intent, a.Tool, keyName(a.Key)), a.Text
	}
	return said
}

// controlBounds are what the control is and says, and its place among equals.
func (d *rendering) controlBounds() []bound {
	t := &d.target
	control := []string{t.Text, t.Description}
	for _, label := range t.Labels {
		control = append(control, label.Text)
	}
	var state []string
	for _, s := range [...]struct {
		flag screen.Flags
		name string
	}{{screen.Checked, "on"}, {screen.Disabled, "cannot be pressed yet"}} {
		if t.Flags.Has(s.flag) {
			state = append(state, s.name)
		}
	}
	kind := []string{t.Role.String(), t.Class}
	if d.seenOnTree() && t.Class != "" {
		kind[0] = "" // the role is a reading of the class and of where things stand, to the pixel
	}
	list := []bound{{partControl, control}, {partKind, kind}, {partID, []string{t.ResourceID}}, {partState, state}}
	if d.seenOnTree() {
		around := d.around()
		list = append(list, bound{partRow, around.RowLabels()})
		if n := around.Ordinal(); n > 0 {
			list = append(list, bound{partOrdinal, []string{strconv.Itoa(n + 1)}})
		}
	}
	return list
}

// pageBounds are what stands around the control and belongs to the action: the
// question that it answers, what is ticked and filled in, the sums, the page.
func (d *rendering) pageBounds() []bound {
	t := &d.target
	if !d.seenOnTree() {
		return []bound{{partQuestion, []string{t.Dialog.Title, t.Dialog.Message}}, {partWindow, []string{t.WindowTitle}}}
	}
	list := []bound{{partQuestion, d.question}, {partPage, d.page()}}
	if d.Category.Risky() {
		list = append(list, bound{partChoice, d.look.Choices()}, bound{partForm, formTexts(&t.Form)})
	}
	if d.aboutMoney() {
		list = append(list, bound{partSums, d.sumTexts()})
	}
	return append(list, bound{partOnTop, d.onTop()}, bound{partWindow, []string{t.WindowTitle}})
}

// Asks reports whether a text is part of the question that the control answers.
func (d *Decision) Asks(text string) bool { return slices.Contains(d.render().question, text) }

// page is what tells one page of an app from another: its title and the names on
// it, and those of the page that a dialog lies over.
func (d *rendering) page() []string {
	beneath := d.look.Beneath()
	page := append([]string{d.look.ListTitle(), d.look.Heading()}, d.look.Named()...)
	return append(append(page, beneath.Heading()), beneath.Named()...)
}

// formTexts are the filled fields around the control, each with what it is for.
// Their order does not depend on which is nearest.
func formTexts(f *screen.Form) []string {
	var texts []string
	for i := range f.Fields {
		field := &f.Fields[i]
		if field.Text == "" {
			continue
		}
		if name := cmp.Or(field.Hint, field.ID[strings.LastIndexByte(field.ID, '/')+1:]); name != "" {
			texts = append(texts, name+": "+field.Text)
		} else {
			texts = append(texts, field.Text)
		}
	}
	slices.Sort(texts)
	return texts
}

// onTop is what takes the touch in the place of a control that the action names
// by itself rather than by a point.
func (d *rendering) onTop() []string {
	a := d.action
	if a.Node == nil && a.Selector == nil {
		return nil
	}
	hit, covered := d.ui.Over(d.target.Node)
	if !covered || hit.Node < 0 {
		return nil
	}
	over := d.ui.Target(hit.Node)
	return []string{labelOf(&over), over.ResourceID, over.Package, over.Class}
}

// pointTexts are where an action lands when nothing is known of what is there:
// then the point is all that tells one tap from the next.
func (d *Decision) pointTexts() []string {
	if !d.Blind() {
		return nil
	}
	a := &d.req.Action
	var texts []string
	for _, n := range [...]*int{a.X, a.Y, a.X2, a.Y2, a.Node} {
		if n == nil {
			texts = append(texts, "")
			continue
		}
		texts = append(texts, strconv.Itoa(*n))
	}
	if a.Space != nil {
		texts = append(texts, strconv.Itoa(a.Space[0]), strconv.Itoa(a.Space[1]))
	}
	if s := a.Selector; s != nil {
		texts = append(texts, s.Text, s.ContentDesc, s.ResourceID, s.Class, strconv.Itoa(s.Instance))
	}
	return texts
}

// Blind reports an action on something that nobody can tell from what is beside
// it: nothing under the finger, a page that shows nothing of itself.
func (d *Decision) Blind() bool { return !d.placed || d.Code.unseen() }

// A Part is one thing that an answer is bound to, as far as it may be shown. It
// is a plain value; it has lost its secrets and may be stored.
type Part struct {
	// Name is what a person calls it: "recipient", "row".
	Name string `json:"name"`
	// Texts are what stands there, shortened. They are the screen's and hostile.
	Texts []string `json:"texts"`
	// Seal tells one from another where it is shortened or masked: a part of an
	// HMAC with the per-install key.
	Seal string `json:"seal"`
}

// Bounds of what is kept of a part to be shown. The seal is of the whole.
const (
	maxPartTexts = 12  // texts
	maxPart      = 160 // runes of each
	sealLength   = 16
)

// letters spells a seal without digits, so that nothing takes it for the number
// of a card.
var letters = strings.NewReplacer("0", "g", "1", "h", "2", "i", "3", "j", "4", "k", "5", "l", "6", "m", "7", "n", "8", "o", "9", "p")

// Parts are what an answer to this action is bound to, what matters most first.
// They are nil where the digest is empty.
func (d *Decision) Parts() []Part {
	if len(d.key) == 0 || d.action == nil {
		return nil
	}
	r := d.render()
	var parts []Part
	for _, b := range r.bounds() {
		seal := d.seal("part", canonical([]bound{b}))
		p := Part{Name: b.name, Seal: letters.Replace(seal[:sealLength])}
		for _, text := range r.shown(&b) {
			if shown := quoted(text, maxPart); shown != "" && len(p.Texts) < maxPartTexts {
				p.Texts = append(p.Texts, shown)
			}
		}
		parts = append(parts, p)
	}
	return parts
}

// shown is what of a thing that is bound is shown: a sum in one piece, a kind as
// a person calls it, no seal of a secret.
func (d *rendering) shown(b *bound) []string {
	switch b.name {
	case partAction:
		return b.texts[:2]
	case partAmount:
		return []string{strings.Join(b.texts, " ")}
	case partKind:
		class := b.texts[1]
		return []string{d.target.Role.String() + " (" + class[strings.LastIndexByte(class, '.')+1:] + ")"}
	}
	return b.texts
}

// Names reports whether an action names an object itself, in its question, its
// row or its command, rather than being on a page that is about it.
func Names(parts []Part, object string) bool {
	object = quoted(object, maxPart)
	return slices.ContainsFunc(parts, func(p Part) bool {
		return (p.Name == partQuestion || p.Name == partRow || p.Name == partAction) &&
			slices.ContainsFunc(p.Texts, func(text string) bool { return strings.Contains(text, object) })
	})
}
