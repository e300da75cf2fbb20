package lexicon

import "github.com/countersign/countersign/risk"

// Query is one text to read and where it was found.
type Query struct {
	// Text is the original, as it stands on the screen. Only its first
	// [MaxText] bytes are read.
	Text string
	// Signal says how to read it: resource_id, child_id and ancestor_id as an
	// identifier; dialog_title and dialog_message as a sentence; everything
	// else as a label. A label that looks like an identifier is split as well.
	Signal risk.Signal
	// Role is the control the text stands on; View is not known.
	Role risk.Role
	// Language is a BCP 47 tag or empty. It may be somebody's claim: it can add
	// readings and choose between equal ones, never drop a risky word that
	// stands as a whole label.
	Language string
	// Certainty is how sure the statistical layer must be to have a say, from 0
	// to 1: the least Score of a Reading it makes. 0 is [DefaultCertainty]; more
	// than 1, as [TermsOnly], silences it.
	Certainty float32
}

// Form is how the risky words of a text stand.
type Form uint8

// The forms. The zero value means that no risky words were found.
const (
	Plain     Form = iota
	Act            // does it: "Send", "Delete chat"
	Topic          // a noun or a sentence about it: "Payment", "This will be deleted"
	Status         // says that it was or is being done: "Sent", "Sending…"
	Negated        // says that it is not done: "Don't send"
	Veto           // a harmless phrase that contains a risky word: "Payment history"
	Question       // asks about it: "Delete account?"
	formCount = iota
)

var formNames = [formCount]string{
	Plain: "plain", Act: "act", Topic: "topic", Status: "status",
	Negated: "negated", Veto: "veto", Question: "question",
}

// String returns the form's name in lower case.
func (f Form) String() string {
	if int(f) < len(formNames) {
		return formNames[f]
	}
	return "form"
}

// Fit is how much of the text a term takes.
type Fit uint8

// The fits, from the loosest to the tightest.
const (
	NoFit    Fit = iota
	Inside       // somewhere in the middle
	Tail         // at the end
	Head         // at the beginning
	Whole        // all of it
	fitCount = iota
)

var fitNames = [fitCount]string{NoFit: "none", Inside: "inside", Tail: "tail", Head: "head", Whole: "whole"}

// String returns the fit's name in lower case.
func (f Fit) String() string {
	if int(f) < len(fitNames) {
		return fitNames[f]
	}
	return "fit"
}

// Hit is one term that was recognised.
type Hit struct {
	// Start and End are a half-open span in runes of the original text.
	Start, End int
	// Term is the entry of the term file that was recognised; empty where the
	// statistical layer spoke.
	Term string
	// Language is the BCP 47 tag of the entry's file, likewise.
	Language string
	Layer    risk.Layer
	Category risk.Category
	// FeatureStart and FeatureEnd are the strongest feature of the statistical
	// layer, a half-open span like the one above and inside it.
	FeatureStart, FeatureEnd int
}

// Reading is what a text means. The zero value is of the category Unknown, so a
// Reading that nobody filled in can only raise. A Reading is a plain value and
// holds no reference to the text.
type Reading struct {
	// Category is a risky category only when Form is Act, or in a sentence
	// Act, Topic or Question; else Affirmative, Dismissal or None.
	Category risk.Category
	// Understood says that the words are known, risky or not. An understood
	// label beats the identifier beside it, one that is not understood does not.
	Understood bool
	// Score is how sure the reading is, 0 to 1.
	Score float32
	Form  Form
	Fit   Fit
	// Permanent is set by words such as "permanently" or "for everyone": a
	// delete that cannot be taken back.
	Permanent bool
	// Opens says that the words by themselves only lead to a form, composer or
	// chooser ("Sign up", "Comment"): they act where that is on the screen already.
	Opens bool
	// Loose says that the word is as often a noun ("Transfer", "Order"), so that
	// what it does depends more on what else is on the screen.
	Loose bool
	// Topic is the risky category the words are about even when Category is
	// None; None when there is none.
	Topic risk.Category
	// Hits is the evidence, the N first of them, the strongest first.
	Hits [3]Hit
	N    int
}

// ByModel reports whether the statistical layer made the reading.
func (r *Reading) ByModel() bool { return r.N > 0 && r.Hits[0].Layer == risk.LayerStatistical }

// AppendEvidence appends the reading's hits as evidence of signal. text is the
// text that was read; spans are cut from it.
func (r *Reading) AppendEvidence(dst []risk.Evidence, signal risk.Signal, text string) []risk.Evidence {
	for _, h := range r.Hits[:r.N] {
		if h.Layer == risk.LayerStatistical {
			h.Term = "~" + cutRunes(text, h.FeatureStart, h.FeatureEnd)
		}
		dst = append(dst, risk.Evidence{
			Signal: signal, Match: cutRunes(text, h.Start, h.End), Start: h.Start, End: h.End,
			Term: h.Term, Language: h.Language, Layer: h.Layer, Category: h.Category,
		})
	}
	return dst
}

// cutRunes returns the runes start to end of text; a span outside is cut to it.
func cutRunes(text string, start, end int) string {
	n, from, to := 0, len(text), len(text)
	for i := range text {
		if n == start {
			from = i
		}
		if n == end {
			to = i
			break
		}
		n++
	}
	return text[min(from, to):to]
}
