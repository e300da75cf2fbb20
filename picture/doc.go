// Package picture draws, as SVG, what a device showed and what a terminal said.
//
// [Screen] draws a screen from its tree: what stands where, and for each
// control that was judged ([Mark]) the verdict, told by colour, by pattern, by
// the shape of its badge and in words, so that no one of them is needed.
// [Question] draws the screen of one question, from its tree or over a
// screenshot, with the control outlined. [Terminal] draws the text of a terminal
// session.
//
// Everything that is drawn may be hostile: labels come from whatever app was
// in front. A picture is well-formed XML whatever the tree says; it has no
// script, no style sheet and nothing that loads from elsewhere; control,
// direction and other invisible characters are spelled out, and text typed into
// password fields is not drawn at all. Its size is bounded.
//
// The same input gives the same bytes. All functions are safe for concurrent
// use.
package picture
