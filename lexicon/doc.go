// Package lexicon works out what the words on a control mean: whether a label,
// an identifier or the sentence of a dialog says that something is paid, sent,
// deleted, shared and so on, or only talks about it.
//
// [Lexicon.Read] is the whole of it: one [Query] in, one [Reading] out.
//
//	r := lexicon.Default().Read(lexicon.Query{Text: "Send money", Role: risk.Button})
//	// r.Category == risk.Money, r.Form == lexicon.Act
//
// Text is matched on a normalised copy with a map back to the original, so that
// invisible characters, look-alike letters and odd spellings change nothing, and
// what is reported is always a span of the original. The words themselves are
// data: the term files under terms/, one a language, which say for each term
// what it does and as what part of speech. A term is never matched inside
// another word.
//
// The package reads words only. What lies around a control (its dialog, its
// app, its place) is the caller's business.
//
// A Lexicon is immutable after it is built and safe for concurrent use; reading
// does not allocate.
package lexicon
