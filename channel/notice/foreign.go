package notice

import (
	"cmp"
	"encoding/json"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/countersign/countersign/approval"
	"github.com/countersign/countersign/decide"
	"github.com/countersign/countersign/redact"
)

// words are the texts of a question that come from elsewhere.
type words struct {
	Sentence, App, Package, Agent, Device, Control, Object, Recipient, Value, Currency, Text string
}

// How much of a text is told, in runes. The card has the whole.
const (
	longName = 100
	longFact = 200
	longText = 300
)

// takeOver puts the texts of a question into what is told of it. They are
// masked already when they come from the desk; whatever leaves is masked again,
// and is left out where that fails.
func (q *Question) takeOver(a *approval.Approval) {
	c := &a.Card
	w := words{
		Sentence: cmp.Or(c.Reason, c.AgentReason), App: c.App, Package: c.Package, Agent: a.AgentName, Device: a.Device,
		Control: c.Label, Object: c.Facts.Object, Recipient: c.Facts.Recipient, Text: c.Facts.Text,
	}
	if c.Facts.Amount != nil {
		w.Value, w.Currency = c.Facts.Amount.Value, c.Facts.Amount.Currency
	}
	if err := w.mask(); err != nil {
		w = words{}
	}
	q.Sentence = cmp.Or(told(w.Sentence, longText), "A question waits.")
	q.App, q.Agent, q.Device = told(w.App, longName), told(w.Agent, longName), told(w.Device, longName)
	q.Control, q.Object, q.Recipient = told(w.Control, longName), told(w.Object, longFact), told(w.Recipient, longFact)
	q.Amount = strings.TrimSpace(told(w.Value, longName) + " " + told(w.Currency, longName))
	q.Text = told(w.Text, longText)
	if q.Package = w.Package; !packageName.MatchString(q.Package) {
		q.Package = told(w.Package, longName)
	}
}

// packageName is what the name of an app looks like. It goes out as it is, since
// programs compare it.
var packageName = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_]{0,60}(\.[A-Za-z][A-Za-z0-9_]{0,60}){1,8}$`)

// mask takes secrets out, and reads the texts together: one may say what the next
// one is.
func (w *words) mask() error {
	doc, err := json.Marshal(w)
	if err != nil {
		return err
	}
	if doc, err = redact.JSON(doc); err != nil {
		return err
	}
	*w = words{}
	return json.Unmarshal(doc, w)
}

// told is somebody's text as it is told: on one line, with what cannot be seen
// spelled out, no longer than a number of runes, and without links.
func told(s string, most int) string {
	return Unlinked(decide.Quote(strings.ToValidUTF8(s, "�"), most))
}

// address is a number that programs take for the address of a computer.
var address = regexp.MustCompile(`\d+(?:\.\d+){3,}`)

// Unlinked writes a text so that no program takes a part of it for a link, the
// way that people who pass on dangerous addresses write them: https[:]//evil[.]com.
// Programs that show notices make links of whatever looks like an address, with
// "https://" before it or without, and a link that came from a screen must not
// stand in a notice of the guard.
func Unlinked(s string) string {
	s = strings.ReplaceAll(s, "://", "[:]//")
	s = address.ReplaceAllStringFunc(s, func(m string) string { return strings.ReplaceAll(m, ".", "[.]") })
	var b strings.Builder
	for i, r := range s {
		if isDot(r) && joinsNames(s[:i], s[i+utf8.RuneLen(r):]) {
			b.WriteString("[.]")
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}

// isDot reports whether browsers read a character as the dot of a host name
// (UTS 46, section 2.3).
func isDot(r rune) bool { return r == '.' || r == '。' || r == '．' || r == '｡' }

// joinsNames reports whether a dot between two texts may be that of a host name:
// something right before it, and after it what could begin the last part of one,
// which is two letters at least and no digits.
func joinsNames(before, after string) bool {
	last, _ := utf8.DecodeLastRuneInString(before)
	first, size := utf8.DecodeRuneInString(after)
	second, _ := utf8.DecodeRuneInString(after[size:])
	return before != "" && last != ' ' && unicode.IsLetter(first) && (unicode.IsLetter(second) || unicode.IsMark(second))
}
