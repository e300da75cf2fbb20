// Package command works out what a shell line, an intent or a deep link would
// do on an Android phone, before it does it.
//
// An agent rarely needs the screen: "input tap", "am start", "settings put" and
// "content query" act as surely as a finger does. [Shell] takes a line apart
// the way the phone's own shell (mksh) would, and answers with one [Effect] for
// each part; [Intent.Effect], [DeepLink] and [Key] do the same for their kind.
// A part that is really a press, a key or typed text carries a [Press] instead
// of a verdict: only the screen can tell what it means.
//
// The rule that every table here follows: what is not known is not harmless. An
// unknown verb, a word that only the phone can compute, an encoded payload or a
// program that cannot be read is [risk.Unknown] with a code that says why, and
// never [risk.None].
//
// Nothing here does I/O or keeps state. All functions are safe for concurrent
// use, never panic, and take time and memory in proportion to a bounded input:
// what is longer than [MaxLine] is not read but answered as opaque.
package command
