// Package inbox draws the approvers' pages: the list of questions, the card of
// one, and signing in. It draws and does nothing else: package answer decides
// who may see a page and carries out what its forms send.
//
// Everything on a card may have been written by whoever wants the answer to be
// yes. So every string goes through one function that spells out what cannot be
// seen ([spell]), the templates escape it, and the headers of [Protect] allow no
// script, no picture and no frame at all: the pages need none. Nothing that
// matters is cut; long texts scroll in a box that says how long they are, and the
// words that made the guard ask are marked where they stand.
package inbox
