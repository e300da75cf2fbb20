package hold

import (
	"unicode/utf8"

	"github.com/countersign/countersign/approval"
	"github.com/countersign/countersign/decide"
)

// Bounds of what is kept of a question. What an agent sends may have megabytes,
// nobody reads them, and a store full of them would stop everything. The digest
// binds an answer to the whole all the same.
const (
	// maxWords is the length in runes of the longest text on a card; both ends
	// are kept, and the count of what is left out.
	maxWords = 4000
	// maxAsked is the size in bytes of the largest request that is stored for a
	// release after a restart; of a larger one the agent has to send the action
	// again.
	maxAsked = 64 << 10
)

// shorten cuts what is too long on a card.
func shorten(c *approval.Card) {
	texts := []*string{
		&c.Action, &c.Argument, &c.Package, &c.App, &c.TierWhy, &c.AgentReason, &c.Reason, &c.Label, &c.ResourceID, &c.Wording,
		&c.Facts.Object, &c.Facts.Recipient, &c.Facts.Text, &c.Task, &c.Doubt, &c.Rule,
	}
	for i := range c.Evidence {
		texts = append(texts, &c.Evidence[i].Match, &c.Evidence[i].Term)
	}
	for _, text := range texts {
		if len(*text) > maxWords && utf8.RuneCountInString(*text) > maxWords {
			*text = decide.Quote(*text, maxWords)
		}
	}
}
