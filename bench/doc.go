// Package bench measures Countersign against what people write or take instead:
// one regular expression per keyword, a policy in Open Policy Agent or its server,
// encoding/xml for the UI tree, a table with a transaction for each row.
//
// All of them answer the same questions in the same run on the same machine;
// tests hold that they give the same answers where the answers are claimed to
// be the same, and show where they differ. It is a module of its own, so that
// nothing measured here becomes a dependency of the guard.
//
// README.md says how to repeat the measurement.
package bench
