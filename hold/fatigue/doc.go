// Package fatigue measures what asking has cost, and what would cost less.
//
// A guard that asks too often teaches people to say yes unread. So the record is
// counted (package ledger does that), and of a kind of question that a person has
// always said yes to the package names the narrowest thing that would have
// spared it: a grant, or where no grant reaches that far a line of policy. With
// it stands what else on the record it would have let through. Nothing here is
// ever applied: a person gives the grant or writes the line, or does not.
//
// The way through the package:
//
//	measure.go  Measure: one pass over the rows, and a second one where there is something to weigh
//	words.go    how many words stand on a card
//	habit.go    kinds of question that were always answered yes
//	spare.go    the grant or the line of policy that would have spared them
//	besides.go  what else that would have let through
//	figures.go  figures in words
package fatigue
