package decide

import (
	"github.com/countersign/countersign/catalog"
	"github.com/countersign/countersign/lexicon"
	"github.com/countersign/countersign/policy"
	"github.com/countersign/countersign/risk"
	"github.com/countersign/countersign/screen"
)

// Self says what belongs to the guard: actions on it by an agent are bypass.
type Self struct {
	// Packages are the guard's own apps.
	Packages []string
	// Hosts are names the guard's pages are served under, or IP addresses, without
	// a port; Titles are their window and notification titles.
	Hosts, Titles []string
	// Ports are where the guard listens on its machine: whatever leads to this
	// machine, such as localhost, is the guard with one of them.
	Ports []int
}

// Decider decides. Its zero value denies everything: it has no policy. It is
// immutable after it was filled in and then safe for concurrent use.
type Decider struct {
	// Policy decides; nil denies every action with code no_policy.
	Policy *policy.Policy
	// PolicyError is why there is no policy; it is named in the reason.
	PolicyError error
	// Catalog and Lexicon default to the embedded ones.
	Catalog *catalog.Catalog
	Lexicon *lexicon.Lexicon
	// Limits bound the trees that are read; the zero value is the default.
	Limits screen.Limits
	Self   Self
	// Key is the per-install key of the digest; without one it is empty and
	// nothing can be released.
	Key []byte
}

// Decide says what would happen and what is to be done about it. It never
// panics: should it fail inside, the action is denied with code internal_error.
func (d *Decider) Decide(req *Request) (dec Decision) {
	defer func() {
		if recover() != nil {
			dec = refusal(req, CodeInternalError)
		}
	}()
	if req == nil {
		return refusal(&Request{}, CodeNoRequest)
	}
	if d == nil || d.Policy == nil {
		dec = refusal(req, CodeNoPolicy)
		if d != nil {
			dec.policyError = d.PolicyError
		}
		return dec
	}
	j := judgement{decider: d, req: req, lex: d.Lexicon, action: &req.Action}
	if j.lex == nil {
		j.lex = lexicon.Default()
	}
	j.judge()
	return j.decision()
}

// A judgement is one decision in the making.
type judgement struct {
	decider *Decider
	req     *Request
	lex     *lexicon.Lexicon

	// action is the action as it is judged: a shell line that is one press is that
	// press, a swipe that stays on a control is a tap.
	action *risk.Action

	ui     *screen.Screen
	target screen.Target
	placed bool // target holds a node or a claimed target
	// asked is what the text above the target says, once dialogRead is set.
	asked      dialogReading
	dialogRead bool
	// named are the labels of the control that the action names: all that the
	// guards which ours is compared with look at.
	named threeLabels
	app   catalog.Verdict
	pkg   string // the package the action lands in
	// surface is the part of the system the action lands in, by what was seen
	// of it rather than by what is claimed.
	surface catalog.Surface

	category risk.Category
	code     Code
	// topic is a risky category that the words are about without doing it.
	topic risk.Category
	// permanent says that what is done cannot be taken back, appAsks that the
	// press answers a question of the app's own.
	permanent, appAsks bool
	// affirms and refuses say that the label is a generic yes or no.
	affirms, refuses bool
	// idUnderstood says that an id names the control in words that are known.
	idUnderstood bool
	// answered is the text that a generic yes answers.
	answered string
	// offScreen says that the effect is not that of a control on the screen, so
	// that the app in front says nothing about it.
	offScreen bool
	// object is what a command or a link names as acted on.
	object    string
	evidence  [maxEvidence]risk.Evidence
	evidenceN int
}

// threeLabels are what the published guard reads of a control.
type threeLabels struct{ text, description, id string }

func (j *judgement) observed() bool {
	return j.req.Screen != nil && j.req.Screen.Observed
}

// find records a category with the evidence of a reading.
func (j *judgement) find(c risk.Category, r *lexicon.Reading, signal risk.Signal, text string) {
	j.category = c
	j.permanent = j.permanent || r.Permanent
	j.note(r, signal, text)
}

// note records what a reading found as evidence, as far as there is room.
func (j *judgement) note(r *lexicon.Reading, signal risk.Signal, text string) {
	rest := r.AppendEvidence(j.evidence[:j.evidenceN:maxEvidence], signal, text)
	j.evidenceN = copy(j.evidence[:], rest)
}

// noteRule records a rule about the shape of the screen as evidence.
func (j *judgement) noteRule(c risk.Category, signal risk.Signal, match, rule string) {
	if j.evidenceN == maxEvidence {
		return
	}
	j.evidence[j.evidenceN] = risk.Evidence{
		Signal: signal, Match: match, End: len([]rune(match)), Term: rule,
		Layer: risk.LayerStructure, Category: c,
	}
	j.evidenceN++
}
