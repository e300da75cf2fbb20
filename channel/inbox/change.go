package inbox

import (
	"github.com/countersign/countersign/approval"
	"github.com/countersign/countersign/redact"
)

// changes are what a card says about the last one of its kind.
type changes struct {
	// Last is the id of that one, empty when there was none; Became says what came
	// of it, At when.
	Last, Became, At, AtISO string
	// List is what differs.
	List []change
}

// change is a fact that stands on two cards differently.
type change struct {
	Name     string
	Was, Now text
}

// changes compares a question with the last one of its kind; nil where nothing
// is compared.
func (q *Question) changes(f *Frame) *changes {
	switch {
	case q.Last == nil && q.Compared:
		return &changes{}
	case q.Last == nil:
		return nil
	}
	last := q.Last
	out := &changes{
		Last: last.ID, Became: stateWords[last.State], List: changesOf(&last.Card, &q.Card),
		At: lasted(f.Now.Sub(last.SettledAt)) + " ago", AtISO: iso(last.SettledAt),
	}
	return out
}

// changesOf lists what differs between two cards of one kind. The older one has
// its secrets masked; what differs by that alone is no change.
func changesOf(was, now *approval.Card) []change {
	var out []change
	for _, f := range [...]struct{ name, was, now string }{
		{"App", appName(was), appName(now)},
		{"Amount", amountOf(&was.Facts), amountOf(&now.Facts)},
		{"Recipient", was.Facts.Recipient, now.Facts.Recipient},
		{"About", was.Facts.Object, now.Facts.Object},
		{"Text about to leave", was.Facts.Text, now.Facts.Text},
		{"Control", was.Label, now.Label},
		{"With", was.Argument, now.Argument},
	} {
		if f.was == f.now || f.was == redact.Text(f.now) {
			continue
		}
		c := change{f.name, lines(f.was), lines(f.now)}
		if f.was == "" {
			c.Was = oneLine("nothing")
		}
		if f.now == "" {
			c.Now = oneLine("nothing")
		}
		out = append(out, c)
	}
	return out
}
