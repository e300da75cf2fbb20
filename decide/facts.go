package decide

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/countersign/countersign/lexicon"
	"github.com/countersign/countersign/redact"
	"github.com/countersign/countersign/risk"
	"github.com/countersign/countersign/screen"
)

// Facts are what the human must see before answering: what is acted on, who
// gets it, how much, and the text about to leave. They are read off the screen
// as it is; nothing typed into a password field is ever among them.
func (d *Decision) Facts() risk.Facts {
	if d.action == nil {
		return risk.Facts{}
	}
	return d.render().facts()
}

func (d *rendering) facts() risk.Facts {
	var f risk.Facts
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
		f.Text = cmp.Or(typedIn(&d.target), d.target.Form.Draft())
	}
	if a := d.action; a.Kind == risk.TypeText && !d.target.Flags.Has(screen.Password) {
		f.Text = a.Text
	}
	return f
}

// objectOf is what is acted on: what the command names, else the name that the
// dialog quotes, else the row, else the dialog's own words.
func (d *rendering) objectOf() string {
	t := &d.target
	switch {
	case d.object != "":
		return d.object
	case !d.placed:
		return ""
	}
	for _, text := range d.question {
		if name := quotedName(text); name != "" {
			return name
		}
	}
	if t.RowTitle != "" {
		return t.RowTitle
	}
	if t.Dialog.Surface && len(d.question) > 0 {
		return cmp.Or(d.question...)
	}
	if d.seenOnTree() {
		if row := d.around().RowLabels(); len(row) > 0 {
			return strings.Join(row[:min(len(row), 2)], ", ")
		}
		return d.subject()
	}
	return ""
}

// subject is what the page is of: the name above the list that the control is in,
// what an id marks as the name of the other side or the page's title, else its
// heading. Where there is none and the action is aimed at somebody or something,
// it is the control that stands highest in the upper half, as the name of a
// contact does.
func (d *rendering) subject() string {
	if title := cmp.Or(d.look.ListTitle(), cmp.Or(d.look.Named()...), d.look.Heading()); title != "" {
		return title
	}
	switch d.Category {
	case risk.Message, risk.Call, risk.Share, risk.Money, risk.BlockReport, risk.Delete:
	default:
		return ""
	}
	var top *screen.Node
	half := int32(d.ui.Height / 2)
	for n := range d.look.Texts(false) {
		if n.TakesTouch() && d.namesSubject(n) && n.Bounds.Top < half && (top == nil || n.Bounds.Top < top.Bounds.Top) {
			top = n
		}
	}
	if top == nil {
		return ""
	}
	return top.Text
}

// namesSubject reports whether a text may be a name.
func (d *rendering) namesSubject(n *screen.Node) bool {
	field := n.Flags.Has(screen.Editable) || strings.HasSuffix(n.Class, "EditText")
	if field && (!n.Holds() || isRecipientHint(n.Text) || namesAny(n.Hint, n.ResourceID, composeWords)) {
		return false // what it is for, or what is said
	}
	return !n.Flags.Has(screen.Password) && strings.ContainsFunc(n.Text, unicode.IsLetter)
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

// recipient is who gets it: what stands where an id names one, the number that
// is dialled, else what the page is of, which in a conversation is the other side.
func (d *rendering) recipient() string {
	if !d.seenOnTree() {
		return ""
	}
	if name := d.markedRecipient(); name != "" {
		return name
	}
	if d.Category == risk.Call {
		if number := d.target.Form.Draft(); number != "" {
			return number
		}
	}
	return d.subject()
}

// markedRecipient is the recipient that an id names: beside the control, else in
// a list, else anywhere, since a dialog lies over the page that names it.
func (d *rendering) markedRecipient() string {
	anywhere := ""
	for i := range d.ui.Nodes {
		if n := &d.ui.Nodes[i]; marksRecipient(n) && !n.Flags.Has(screen.Invisible) && !n.Bounds.Empty() {
			anywhere = n.Text
			break
		}
	}
	if anywhere == "" {
		return ""
	}
	for _, listed := range []bool{false, true} {
		for n := range d.look.Texts(listed) {
			if marksRecipient(n) {
				return n.Text
			}
		}
	}
	return anywhere
}

// marksRecipient reports whether a node holds the name of a recipient, by its id.
func marksRecipient(n *screen.Node) bool {
	return n.Holds() && !n.Flags.Has(screen.Password) && namesRecipient(n.ResourceID) && !isRecipientHint(n.Text)
}

// isRecipientHint reports whether a text is what an empty field for a recipient
// shows: dumps write a hint as the text, and older ones nowhere else.
func isRecipientHint(text string) bool {
	var buf [64]byte
	folded := strings.TrimRight(string(lexicon.Fold(buf[:0], clip(text, 60))), " :：…*")
	_, ok := recipientHints()[folded]
	return ok
}

// recipientHints are such hints, folded.
var recipientHints = sync.OnceValue(func() map[string]struct{} {
	hints := map[string]struct{}{}
	for hint := range strings.SplitSeq(recipientHintList, "|") {
		hints[string(lexicon.Fold(nil, hint))] = struct{}{}
	}
	return hints
})

const recipientHintList = "to|recipient|recipients|add recipient|add recipients|name, phone or email|payee|payee name|beneficiary|send to|" +
	"an|empfänger|empfänger hinzufügen|à|destinataire|destinataires|bénéficiaire|para|destinatario|destinatarios|beneficiario|" +
	"destinatário|destinatários|beneficiário|destinatari|beneficiario|aan|ontvanger|begunstigde|till|mottagare|til|modtager|mottaker|" +
	"vastaanottaja|saaja|do|odbiorca|adresat|komu|příjemce|príjemca|címzett|kedvezményezett|către|destinatar|beneficiar|до|получател|кому|" +
	"получатель|одержувач|отримувач|прима|primalac|primatelj|prejemnik|za|προς|παραλήπτης|δικαιούχος|kime|alıcı|kimə|alan|gavėjas|kam|saņēmējs|" +
	"saaja|kepada|ke|penerima|đến|tới|người nhận|ถึง|ผู้รับ|宛先|送信先|受取人|받는 사람|받는사람|수신자|收件人|接收人|收款人|发送至|發送至|إلى|المستلم|المستفيد|" +
	"به|گیرنده|אל|נמען|נמענים|प्रति|प्राप्तकर्ता|প্রাপক|பெறுநர்|గ్రహీత|ಸ್ವೀಕೃತದಾರ|സ്വീകർത്താവ്|kwa|mpokeaji|aan wie"

// namesRecipient reports whether an id is that of a recipient's name or field.
func namesRecipient(id string) bool {
	tail := strings.ToLower(id[strings.LastIndexByte(id, '/')+1:])
	return strings.Contains(tail, "recipient") || tail == "to" || strings.HasSuffix(tail, "_to") ||
		strings.Contains(tail, "payee") || strings.Contains(tail, "beneficiary")
}

// amount is the sum a payment is about: what the button names, else the
// question it answers, else the sum on the page that stands nearest above the
// button; one in a list, or on a control close by such as the option that is
// chosen, only where there is no other, and only above.
func (d *rendering) amount() *risk.Amount {
	t := &d.target
	texts := []string{t.Text, t.Description}
	for _, label := range t.Labels {
		texts = append(texts, label.Text)
	}
	for _, text := range append(texts, d.question...) {
		if a, _, _, ok := amountIn(text); ok {
			return &a
		}
	}
	if !d.seenOnTree() {
		return nil
	}
	near := nearestSum{button: t.Bounds, distance: math.MaxInt32}
	for n, inControl := range d.look.Texts(false) {
		if !inControl && d.mayPrice(n) {
			near.look(n)
		}
	}
	if near.amount == nil {
		for n, inControl := range d.look.Texts(true) {
			above := n.Bounds.Bottom <= t.Bounds.Bottom
			if above && (!inControl || n.Bounds.Top >= t.Bounds.Top-int32(d.ui.Height/6)) {
				near.look(n)
			}
		}
	}
	return near.amount
}

// mayPrice reports whether a sum may be that of the action by where it stands:
// above the button or beside it; below only one that stands high, as in a bar at
// the top.
func (d *rendering) mayPrice(n *screen.Node) bool {
	b := d.target.Bounds
	return n.Bounds.Top < b.Bottom || int(b.Bottom)*5 <= d.ui.Height
}

// sameHeight is by how many pixels two sums may differ in height and count as
// equally near: layouts move by a few while they settle.
const sameHeight = 8

// nearestSum finds the sum that stands nearest above a button, below it only if
// nothing is above.
type nearestSum struct {
	button   screen.Rect
	amount   *risk.Amount
	distance int32
}

func (s *nearestSum) look(n *screen.Node) {
	away := s.button.Top - n.Bounds.Top
	if away < 0 {
		away = 1<<20 - away
	}
	if away >= s.distance-sameHeight || n.Flags.Has(screen.Password) || !moneyIn(n.Text) {
		return
	}
	if a, _, _, ok := amountIn(n.Text); ok {
		s.amount, s.distance = &a, away
	}
}

// sumTexts are the texts of the page with a sum of money in them that may be of
// the action: a payment is about all of them, and a total about its parts.
func (d *rendering) sumTexts() []string {
	var texts []string
	for n, inControl := range d.look.Texts(false) {
		if !inControl && !n.Flags.Has(screen.Password) && d.mayPrice(n) && moneyIn(n.Text) {
			texts = append(texts, n.Text)
		}
	}
	return texts
}

// aboutMoney reports whether a sum belongs to the action: it pays, it may pay for
// all that is known, or its own words name one.
func (d *rendering) aboutMoney() bool {
	t := &d.target
	switch d.Category {
	case risk.Money, risk.Submit, risk.Other, risk.Unknown:
		return true
	}
	return moneyIn(t.Text) || moneyIn(t.Description) ||
		slices.ContainsFunc(t.Labels, func(l screen.Label) bool { return moneyIn(l.Text) })
}
