// Package sqlite keeps questions, grants, identities and the ledger in one SQLite file.
// A [Store] is a hold.Store and an identity.Store, and hands out a
// ledger.Source.
//
// # What is promised
//
// What was answered without an error is on the disk: every transaction ends
// with a sync of the write-ahead log. What was answered with an error left
// nothing behind, except that after an error of the disk itself nobody can know;
// such errors wrap hold.ErrUnavailable, and so does everything that the disk,
// the file or another process stands in the way of. None of them is final: when
// the cause is gone the store goes on without being opened anew.
//
// Many callers share one transaction (group.go), because it is the sync that
// takes the time. Within it each change is all or nothing on its own.
//
// # One daemon, one file
//
// Open takes a lock beside the file, so that a second daemon is told which
// process is in its way. Options.Shared does without: the ledger stays whole
// when several processes append to it, because the head of the ledger is read
// and written inside each transaction and never remembered.
//
// A file that is foreign, newer than this program or damaged is refused and left
// as it is.
//
// The way through the package:
//
//	store.go       open and close; options, the parts of a store
//	file.go        the file before it is opened, and what may be wrong with it
//	survey.go      the same without a trace, so that what is refused stays as it is
//	check.go       whether it can be written, by writing
//	lock_*.go      one daemon, one file
//	migrate.go     the schema, in migrations/
//	statement.go   every statement there is
//	group.go       one transaction for all who wait
//	change.go      what a change does inside it
//	check.go       whether it can be written, for who asks after the guard's health
//	approval.go    questions; grant.go grants; ledger.go rows; snapshot.go a ledger to verify
//	person.go      agents and approvers; session.go sessions and tickets
//	error.go       what SQLite says, and what to do about it
package sqlite
