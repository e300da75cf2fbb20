// Package approval is the life of a question: its states, the events that move
// it, and the record that is kept of it.
//
// The whole of it is one table ([Table]), which docs/approvals.md shows to
// people. Nothing here does input or output and nothing looks at a clock: the
// time of an event comes in with it.
//
// A [Grant] is what a yes may allow beyond its own question: what it covers, how
// often and until when.
//
// An approval is an answer that can be used once. It moves by compare-and-swap
// on its [Approval.Version], so that of two answers, two releases, or an answer
// and an expiry that meet, exactly one counts and the other is a [Conflict].
package approval
