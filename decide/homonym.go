package decide

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/countersign/countersign/catalog"
	"github.com/countersign/countersign/lexicon"
	"github.com/countersign/countersign/risk"
	"github.com/countersign/countersign/screen"
)

// callsHere reads a word that means to call and something else, such as the
// Turkish "Ara" (search) and the Finnish "Soita" (play), as the call where there is
// a telephone: in an app that is one, or beside a number.
func (j *judgement) callsHere() {
	t := &j.target
	if j.category != risk.None || !j.isButton() && t.Role != risk.MenuItem {
		return
	}
	for _, s := range [...]saying{{signal: risk.SignalText, text: t.Text}, {signal: risk.SignalDescription, text: t.Description}} {
		if s.text == "" || !callsToo(s.text) || isSearchID(t.ResourceID) {
			continue
		}
		if j.isTelephone() || t.Place.NearField && j.numberIsTyped() {
			j.category = risk.Call
			j.noteRule(risk.Call, s.signal, s.text, "calls_here")
			return
		}
	}
}

// callsToo reports whether a label is a word that may mean to call.
func callsToo(label string) bool {
	var buf [64]byte
	return slices.Contains(callHomonyms, strings.TrimSpace(string(lexicon.Fold(buf[:0], clip(label, 40)))))
}

// callHomonyms are folded as lexicon.Fold does.
var callHomonyms = []string{
	"ara",      // Turkish: call, search
	"marcar",   // Spanish, Portuguese: dial, mark
	"composer", // French: dial, write
	"ring",     // Swedish, Danish, Norwegian: call, a ring
	"soita",    // Finnish: call, play
	"gọi",      // Vietnamese: call, order
	"bel",      // Dutch: call, a bell
	"hívás",    // Hungarian: to call, a call
}

// isSearchID reports whether an id says that its control looks things up.
func isSearchID(id string) bool { return id != "" && namesAny("", id, searchWords[:1]) }

// isTelephone reports whether the app in front is a telephone.
func (j *judgement) isTelephone() bool {
	return j.surface == catalog.Dialer || j.app.Kind == "phone"
}

// numberIsTyped reports whether a telephone number stands in a field of the page.
func (j *judgement) numberIsTyped() bool {
	return slices.ContainsFunc(j.target.Form.Fields, func(f screen.Field) bool { return !looksUp(&f) && isNumber(f.Text) })
}

// isNumber reports whether a text is a telephone number: three digits or more and
// what is written between them.
func isNumber(text string) bool {
	digits := 0
	for _, r := range text {
		switch {
		case r >= '0' && r <= '9':
			digits++
		case !strings.ContainsRune("+-()/.*#, \u00a0", r):
			return false
		}
	}
	return digits >= 3 && utf8.RuneCountInString(text) <= 32
}
