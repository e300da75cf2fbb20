package lab

import (
	"strings"

	"github.com/countersign/countersign/decide"
)

// named are the words, one of which has to be in what a person is told about a
// change that voided an approval, by its kind. A text may stand at once in
// several things that have a name: the title of a chat is its recipient.
var named = map[string][]string{
	changeRecipient:   {"recipient was", "object was", "page was", "question was", "page says"},
	changeAmount:      {"amount was", "sum on the page was", "control was", "question was", "row was", "recipient was"},
	changeText:        {"text was", "form was", "recipient was"},
	changeLabel:       {"control was"},
	changeID:          {"id was"},
	changeRole:        {"kind of control was"},
	changeDialogTitle: {"question was", "recipient was", "amount was", "object was"},
	changeDialogText:  {"question was", "recipient was", "amount was", "object was"},
	changeDialogGone:  {"is gone", "control was"},
	changeChoice:      {"choice"},
	changeApp:         {"another app"},
	changeMoved:       {"control was", "control “"},
	changeCovered:     {"control was", "control “", "another app", "on top of it"},
	changeRow:         {"row was", "amount was", "recipient was"},
	changeOtherRow:    {"row was", "control was", "row “", "control “"},
	changeTwin:        {"another one of several"},
}

// longestNamed is the length in bytes of a text that has to stand whole in what
// a person is told; a longer one is shortened there.
const longestNamed = 60

// Named reports whether what a person is told says rightly what was changed: the
// thing by its name and, where that is a text that is not long, what stands there
// now.
func (r *Recheck) Named() bool {
	told, ok := r.Told, false
	for _, words := range named[r.Kind] {
		ok = ok || strings.Contains(told, words)
	}
	switch {
	case !ok:
		return false
	case r.Is == "" || len(r.Is) > longestNamed || r.Kind == changeAmount && strings.Contains(told, "amount was"):
		return true
	}
	return strings.Contains(told, decide.Quote(r.Is, longestNamed))
}
