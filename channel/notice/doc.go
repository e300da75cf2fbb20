// Package notice tells people who are not looking that a question waits.
//
// A [Board] is a hold.Notifier. It asks the policy which channels are told of a
// question, puts what they are told ([Message]) into a queue for each of them,
// tries again what failed until the question's time is over, and remembers how
// each channel did ([State]). The desk never waits for it.
//
// A message is no answer and helps nobody to one: it has no credential and no
// digest, secrets are taken out of it, and it has a link only where the inbox has
// a name with TLS. What comes from a screen or an agent cannot become a link
// either.
//
//	message.go   what a channel is told
//	foreign.go   other people's text in it
//	board.go     routes and remembers
//	lane.go      one channel: its queue, its tries, its state
//
// The channels are packages of their own: webhook, push, hook.
package notice
