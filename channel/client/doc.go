// Package client is the owner's side in a terminal: it talks to the approvers'
// door over a unix socket, shows the questions and carries the answers back.
//
//	options.go   Open: where the door is and whose credential is shown
//	client.go    one request: limits, times, errors
//	approvals.go questions and answers; guard.go freeze, status, policy; people.go agents and approvers
//	problem.go   what the door says when it refuses
//	spelling.go  foreign text made visible; fold.go lines that fit
//	card.go      a question as text; cardtext.go its fields, one after the other
//	grants.go    grants over the door; granting.go how one is given on the page
//	watch.go     the page that stays open; model.go what it knows, keys.go what
//	             a key does, effects.go what it asks of the door, view.go how it is drawn
//	ask.go       the same questions on a terminal that can only print lines
//
// Everything in a question comes from an agent or a screen and is hostile: it is
// spelled out before it is shown, so that it can neither steer the terminal nor
// look like a line of ours. An answer carries the digest of the question as it
// was shown, and counts only when that stood there long enough to be read.
package client
