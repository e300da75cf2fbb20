// Package ledger is the record of what the guard decided and what became of it:
// rows that cannot be changed, left out or put in unnoticed.
//
// A row is one JSON object with a fixed spelling. It carries the hash of the
// row before, and all rows are the leaves of a tree as in RFC 6962, so that one
// hash, the root, stands for all of them. A Signer signs size and root as a
// checkpoint from time to time. Verify computes everything anew and names the
// first row that is not as it was written.
//
// The package is pure: Head.Append takes a value and returns a value, and no
// function reads a clock, a file or a database. A store writes the row and the
// new head in one transaction with whatever the row is about, and hands them
// back through Source.
//
// # What it proves
//
//   - With the stored rows and head: no row was changed, removed or inserted,
//     renumbered, or made earlier than its predecessor, by anything that did not
//     compute all later rows and the head anew.
//   - With the stored checkpoints as well: nothing up to the newest of them was
//     changed by anybody who has not the private key, whatever was computed anew.
//   - With a row, a Proof and a checkpoint: that this row is in that ledger.
//
// # What it does not prove
//
//   - That the newest rows are still there, after the whole store was put back to
//     an earlier state, checkpoints and all: that state was a good ledger once.
//     Only a checkpoint that was kept elsewhere finds it (VerifyOptions.Kept).
//   - Anything about rows after the newest checkpoint against somebody who can
//     write to the store: they can be computed anew, since no key is needed.
//   - Anything against somebody who has the private key: they can write another
//     history and sign it. Again only a checkpoint kept elsewhere tells.
//   - That no checkpoint was removed: fewer of them only prove less.
//   - That what a row says is true, or that the time is right: the clock is the
//     computer's. A clock that goes back is held at the time of the last row.
//
// # Secrets
//
// Every body passes through package redact before it is hashed, so that what
// looks like a password, a code, a token or a card number never becomes part of
// a row. What is secret only by its meaning, such as the text of a password
// field, is left out by whoever makes the body.
//
// The way through the package:
//
//	row.go         a row and its spelling; canonical.go the spelling of a body
//	head.go        the end of a ledger: append, root
//	checkpoint.go  keys and signatures
//	verify.go      the first thing that is wrong; roots.go against what was signed
//	proof.go       that one row is in the tree
//	decision.go    the body of most rows; bodies.go the others
//	filter.go      which rows to show; summary.go what they add up to
//	stats.go       what asking has cost
package ledger
