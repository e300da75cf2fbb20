// Package storetest holds an engine to the contracts of hold.Store,
// identity.Store and ledger.Source. Every engine passes the one suite that Run
// is; what is peculiar to an engine is tested beside it.
package storetest
