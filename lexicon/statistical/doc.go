// Package statistical is a small linear model: from the hashed features of a
// text to the probability of each category, with its training and its file
// format. It knows nothing of text; what a feature is, is its caller's business.
//
// Training is deterministic: the same examples in the same order give the same
// bytes, on every machine of one architecture.
//
// A [Model] is immutable and safe for concurrent use. Asking it allocates
// nothing.
package statistical
