package ledger

import (
	"encoding/json"
	"fmt"
)

// Label reads the body of a label row. It fails for rows of another kind.
func (r Row) Label() (Label, error) {
	if r.Kind != KindLabel {
		return Label{}, fmt.Errorf("ledger: row %d is a %s row, no label", r.Seq, r.Kind)
	}
	var l Label
	if err := json.Unmarshal(r.Body, &l); err != nil {
		return Label{}, fmt.Errorf("ledger: read label in row %d: %w", r.Seq, err)
	}
	return l, nil
}

// Labelled is what a person says of a decision, from the rows about its action in
// their order: the last label counts, and one that names the outcome that the
// decision had takes back those before it. ok is false where nothing is said.
func Labelled(about []Row) (d Decision, l Label, ok bool) {
	decided := false
	for i := range about {
		switch about[i].Kind {
		case KindDecision:
			// The first: a proposal that joined the question adds rows of its own.
			if first, err := about[i].Decision(); err == nil && !decided {
				d, decided = first, true
			}
		case KindLabel:
			if said, err := about[i].Label(); err == nil {
				l, ok = said, decided && said.Should != d.Outcome.String()
			}
		}
	}
	if !ok {
		l = Label{}
	}
	return d, l, ok
}
