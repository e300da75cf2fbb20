package fatigue

import (
	"strings"

	"github.com/countersign/countersign/approval"
	"github.com/countersign/countersign/ledger"
)

// Words is how many words stand on a card, without the names of its fields. What
// its control says is counted once, also where the wording repeats it.
func Words(c *approval.Card) int {
	says := c.Wording
	if !strings.Contains(says, c.Label) {
		says += " " + c.Label
	}
	amount := ""
	if a := c.Facts.Amount; a != nil {
		amount = a.Value + a.Currency
	}
	n := 0
	for _, text := range []string{
		c.Reason, c.App, says, c.Argument, c.Facts.Object, c.Facts.Recipient, amount, c.Facts.Text, c.Task, c.Doubt, c.Before,
	} {
		n += ledger.CountWords(text)
	}
	return n
}
