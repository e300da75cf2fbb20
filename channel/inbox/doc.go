// Package inbox draws the approvers' pages: the list of questions, the card of
// one, history, actions, grants and signing in, and the script that follows what
// changes. It draws and does nothing else: package answer decides who may see a
// page and carries out what its forms send.
//
// Everything on a card may have been written by whoever wants the answer to be
// yes. So every string goes through one function that spells out what cannot be
// seen ([spell]), and the templates escape it. The headers of [Protect] allow one
// style sheet and one script, by their hashes, and no frame; the script may make
// no markup out of text. A picture of a screen is an image of its own, with the
// stricter headers of [ProtectPicture]. Nothing that matters is cut; long texts
// scroll in a box that says how long they are, and the words that made the guard
// ask are marked where they stand.
//
// All pages work without the script. inbox.js says what it adds.
package inbox
