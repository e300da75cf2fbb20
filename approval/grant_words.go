package approval

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"github.com/countersign/countersign/decide"
	"github.com/countersign/countersign/risk"
)

// grantVerbs begin the sentence of a grant: what is done where somebody gets it,
// and what is done to a thing.
var grantVerbs = map[risk.Category]struct{ to, about string }{
	risk.Message: {"sending to", "sending"},
	risk.Call:    {"calling", "calling"},
	risk.Share:   {"sharing with", "sharing"},
	risk.Publish: {"publishing to", "publishing on"},
	risk.Delete:  {"deleting for", "deleting"},
	risk.Submit:  {"submitting to", "submitting"},
}

// maxWord is the length in runes of a name in the sentence of a grant.
const maxWord = 80

// Scope says for people what the grant covers: "sending to “Anna” in WhatsApp".
// Names from outside are quoted, cannot end their quotation marks, and are on
// one line; they are not escaped for a page or a terminal.
func (g *Grant) Scope() string {
	verbs := grantVerbs[g.Category]
	text := cmp.Or(verbs.about, g.Category.String())
	switch {
	case g.Recipient != "":
		text = cmp.Or(verbs.to, g.Category.String()+" to") + " " + named(g.Recipient)
		if g.Object != "" && g.Object != g.Recipient {
			text += ", about " + named(g.Object)
		}
	case g.Object != "":
		text += " " + named(g.Object)
	}
	text += " in " + cmp.Or(plain(g.App), plain(g.Package), "no app")
	if g.Shown.Permanent {
		text += ", for good"
	}
	return text
}

// Sentence says the whole of the grant for people, with times of a zone:
// "sending to “Anna” in WhatsApp, 3 times, until 14:20". Of one that was used
// already it says how often it may still be used.
func (g *Grant) Sentence(zone *time.Location) string {
	return g.Scope() + ", " + Times(g.Left()) + ", until " + g.until(zone)
}

// Times says a number of times: "once", "3 times".
func Times(n int) string {
	if n == 1 {
		return "once"
	}
	return fmt.Sprintf("%d times", n)
}

// until is the end as a time of day, with the day where that is another one than
// when it was given.
func (g *Grant) until(zone *time.Location) string {
	from, to := g.CreatedAt.In(zone), g.ExpiresAt.In(zone)
	if from.YearDay() == to.YearDay() && from.Year() == to.Year() {
		return to.Format("15:04")
	}
	return to.Format("15:04 on 2 January")
}

func named(text string) string { return "“" + plain(text) + "”" }

// marks are spelled out inside a name, so that none can end the quotation.
var marks = strings.NewReplacer("“", `\u201c`, "”", `\u201d`)

func plain(text string) string { return marks.Replace(decide.Quote(text, maxWord)) }
