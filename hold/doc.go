// Package hold keeps an action back until a person has answered. It is the one
// place where the sequence of a release stands:
//
//	observe, decide, record, wait, look again, decide again,
//	compare, record that it is released, act, record the result
//
// A [Desk] does it over a [Store]. A gate that has the device in its hands calls
// [Desk.Do] with an [Observer] and a [Releaser]; one whose agent acts by itself,
// such as the HTTP gate, calls the same steps one by one: [Desk.Propose],
// [Desk.Wait], [Desk.Begin], [Desk.Finish], [Desk.Withdraw]. The human side
// calls [Desk.Answer], [Desk.Revoke] and [Desk.Freeze].
//
// A yes may carry a grant ([Answer.Grant]): what [Desk.Offer] says then passes
// without a question, so many times and until then. It is looked at after what was
// refused and before a question is put (grant_use.go), and counted down in the
// transaction that records the decision (grant.go has how it begins and ends).
//
// Two gates in a row ask once: what a yes let go ahead at a gate ([Options.Gate])
// leaves a ticket, and the same action passes on it once at the gate below
// ([Proposal.Arrived]); voucher.go has it.
//
// Nothing is released whose row is not on the disk, nothing is released twice,
// and what cannot be decided, recorded or asked is not released either.
package hold
