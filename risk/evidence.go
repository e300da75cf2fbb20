package risk

// Signal names where a word was read.
type Signal string

// The signals of a target and its surroundings.
const (
	SignalText          Signal = "text"
	SignalDescription   Signal = "content_desc"
	SignalHint          Signal = "hint"
	SignalResourceID    Signal = "resource_id"
	SignalDescendant    Signal = "descendant"
	SignalChildID       Signal = "child_id"
	SignalAncestorID    Signal = "ancestor_id"
	SignalRow           Signal = "row"
	SignalDialogTitle   Signal = "dialog_title"
	SignalDialogMessage Signal = "dialog_message"
	SignalForm          Signal = "form"
	SignalPlace         Signal = "place"
	SignalCommand       Signal = "command"
	SignalApp           Signal = "app"
)

// Layer names the part of the lexicon that recognised something.
type Layer string

// The layers of evidence.
const (
	LayerTerm        Layer = "term"        // an exact term of a language
	LayerIdentifier  Layer = "identifier"  // a word of a split identifier
	LayerStatistical Layer = "statistical" // the embedded model
	LayerStructure   Layer = "structure"   // the shape of the screen: role, place, form
	LayerCommand     Layer = "command"     // a shell line, intent or deep link
)

// Evidence says which words led to a reading: the signal they stand in, the
// span they take and the term or feature that recognised them.
type Evidence struct {
	Signal Signal `json:"signal"`
	// Match is the text as it stands in the original, never a normalised copy.
	Match string `json:"match"`
	// Start and End are a half-open span in runes of the original signal.
	Start int `json:"start"`
	End   int `json:"end"`
	// Term is the entry, feature or structural rule that spoke.
	Term string `json:"term"`
	// Language is a BCP 47 tag, or empty where the evidence has none.
	Language string `json:"language,omitempty"`
	Layer    Layer  `json:"layer"`
	// Category is what this piece of evidence speaks for.
	Category Category `json:"category"`
}

// Amount is a sum of money as it was read off the screen.
type Amount struct {
	// Value is a plain decimal with a point, such as "1299.00".
	Value string `json:"value"`
	// Currency is an ISO 4217 code where the sign is unambiguous, else the sign itself.
	Currency string `json:"currency"`
}

// Facts are what the human must see before answering.
type Facts struct {
	// Object is the item, app, permission, account or conversation acted on.
	Object    string  `json:"object"`
	Recipient string  `json:"recipient"`
	Amount    *Amount `json:"amount,omitempty"`
	// Text is what is about to leave: the draft in the compose field.
	Text string `json:"text"`
}
