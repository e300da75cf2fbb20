// Package identity knows who is who at Countersign's doors: agents, who may ask,
// and approvers, who may answer. It makes their credentials, checks them, signs
// approvers in with one-use links, keeps their sessions, and holds the tests a
// request must pass before the approvers' pages look at it.
//
// An agent's credential begins with csa_, an approver's with csp_. Neither opens
// the other's door. Of every secret only the SHA-256 is kept; the secret itself
// is handed out once, by the call that made it. A session counts at the door where
// it was begun, and its secret is nobody's at another.
//
// An agent's credential may be a gate's. What such an agent is let do after a yes
// leaves a ticket between gates, a [Voucher], for the gate below it.
//
// The package reads no file, opens no socket and has no clock of its own: time
// and randomness come in through Options, and what must last goes to a Store.
package identity
