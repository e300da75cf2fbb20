// Package decide composes screen, lexicon, catalog, command and policy into one
// decision: what an action lands on, what it would do, and whether it goes
// ahead, waits for a human or is refused.
//
// [Decider.Decide] is pure: no input or output, no clock, no environment. It is
// safe for concurrent use and never panics. What only a person or a record
// needs (the reason, the facts, the digest) is rendered when asked for.
//
// The way of an action through the package:
//
//	request.go    what is asked, as it stands on the wire; keys.go is strict about it
//	place.go      the screen is read, the place on it found
//	judge.go      one way of acting after the other (section 4.4 of the design)
//	gesture.go    a swipe: a press, a slide, a scroll
//	control.go    a press, by the role of the control
//	typing.go     text, and the keys in it; field.go what a field is for
//	words.go      the few words that tell fields, keys and gestures apart
//	label.go      what the control says: text, description, descendants, ids
//	opener.go     whether it acts or leads to where it is done
//	answer.go     OK and Yes take their meaning from the dialog or the form
//	sentence.go   the part of a text that a button answers; amount.go sums of money
//	surface.go    permission, install and settings screens; the guard's own
//	layers.go     model, flat guard, context: source and delta
//	decision.go   the answer; facts.go, reason.go, digest.go render the rest
package decide
