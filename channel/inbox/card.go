package inbox

import (
	"cmp"

	"github.com/countersign/countersign/approval"
	"github.com/countersign/countersign/hold"
	"github.com/countersign/countersign/risk"
)

// Question is what a card shows.
type Question struct {
	approval.Approval
	// Notice is ours, says what came of the last answer, and may be empty.
	Notice string
	// Picture is what there is to show of the screen. The card links to it.
	Picture hold.Picture
	// Last is the question of the same kind that was settled last, nil for none or
	// where nothing is to be compared.
	Last *approval.Approval
	// Compared says that there is no Last although one was looked for.
	Compared bool
	// Type is what has to be typed to approve, empty for nothing.
	Type string
	// Passkey says that approving takes a passkey.
	Passkey bool
	// Label is what a person says of the decision, empty for nothing yet.
	Label string
	// Offer is the grant that may be given with a yes, nil for none.
	Offer *approval.Grant
}

// card is a question as the template prints it.
type card struct {
	frame
	ID, Digest, CSRF, CSRFLabel, Notice, Sentence, Type, Grant string
	V                                                          int64

	Critical, Open, Pending, Approved bool
	// Allowed is never set: there was a question.
	Allowed               bool
	State, Kind, Why      string
	Left, Until, UntilISO string
	Warnings              []string

	Picture                              *shot
	First, Facts, Asked, Agents, Details []field
	Answer                               []field
	Evidence                             []string
	Changes                              *changes
	Offer                                *offer
	Label                                string
	// Passkey is the token of the requests that a passkey takes, empty where none
	// is wanted.
	Passkey string
}

// Card draws one question.
func Card(f Frame, q Question) ([]byte, error) {
	a, c := &q.Approval, &q.Card
	v := card{
		frame: f.view("card", hereList, ""), ID: a.ID, V: a.Version, Digest: a.Digest, CSRF: f.CSRF(FormAnswer(a.ID)), CSRFLabel: f.CSRF(FormLabel(a.ID)),
		Notice: spell(q.Notice), Sentence: spell(sentence(c)), Type: spell(q.Type), Label: q.Label, Grant: a.Grant,
		Critical: c.Critical, Open: a.State.Open(), Pending: a.State == approval.Pending, Approved: a.State == approval.Approved,
	}
	v.standing(&f, a)
	v.Title = v.State + ": " + excerpt(sentence(c))
	v.Warnings, v.Picture = warnings(a), shotOf(a, &q.Picture)
	v.First, v.Facts = factsOf(a)
	v.Asked, v.Evidence, v.Agents = askedOf(c), evidenceOf(c.Evidence), agentsWords(c)
	v.Answer, v.Details, v.Changes = answerOf(a), detailsOf(a), q.changes(&f)
	if v.Pending && q.Passkey {
		v.Passkey = f.CSRF(FormAPI)
	}
	if v.Pending && !c.Critical && q.Type == "" {
		v.Offer = offerOf(q.Offer)
	}
	return draw("card.html", v)
}

// State is where a question stands, alone, for the script.
func State(f Frame, a approval.Approval) ([]byte, error) {
	v := card{ID: a.ID, V: a.Version, Critical: a.Card.Critical, Open: a.State.Open(), Pending: a.State == approval.Pending, Approved: a.State == approval.Approved}
	v.standing(&f, &a)
	return draw("state.html", v)
}

// standing fills in where the question stands and how long it has.
func (v *card) standing(f *Frame, a *approval.Approval) {
	v.State, v.Kind = stateWords[a.State], stateKind(a.State)
	if a.Code != "" {
		v.Why = cmp.Or(codeWords[a.Code], spell(a.Code))
	}
	if wake := a.Wake(); !wake.IsZero() {
		v.Left, v.Until, v.UntilISO = left(wake.Sub(f.Now)), clock(wake), iso(wake)
	}
}

// sentence is the one sentence of a card: what would be done, in which app. What
// cannot be seen has only the whole reason.
func sentence(c *approval.Card) string {
	if c.Category == risk.Unknown {
		return cmp.Or(c.Reason, c.AgentReason, "What this does is not recorded.")
	}
	return cmp.Or(c.AgentReason, c.Reason, "What this does is not recorded.")
}

// shot is the picture on a card.
type shot struct {
	Alt, Caption              string
	Width, Height, NearHeight int
	// Tree says that the tree that was decided on can be looked at as well.
	Tree bool
	// None says why there is none.
	None string
}

// Alt stands in for the picture of a question where it is not seen: the app and
// the control.
func Alt(a *approval.Approval) string {
	where := "the screen of " + appName(&a.Card)
	if a.Card.Label != "" {
		return where + ", with “" + a.Card.Label + "” outlined"
	}
	return where + ", with the control outlined"
}

// shotOf is the picture of a question that is open, or why there is none.
func shotOf(a *approval.Approval, p *hold.Picture) *shot {
	if !a.State.Open() {
		return nil
	}
	switch p.Why {
	case hold.NotKept:
		return &shot{None: "No picture: the guard was started anew since, and keeps none."}
	case hold.NoScreen:
		return &shot{None: "No picture: neither a tree of the screen nor a screenshot came with this action."}
	case hold.Unread:
		return &shot{None: "No picture: the tree of the screen could not be read."}
	}
	s := &shot{Alt: excerpt(Alt(a)), Width: p.Width, Height: p.Height, NearHeight: p.NearHeight}
	from := "Drawn from the tree that the agent sent"
	claimed := p.Shot && !a.Card.Observed
	switch {
	case claimed:
		// It is not what was decided on, and may show anything.
		from, s.Tree = "As the agent shows it: a screenshot that the agent sent", p.Tree
	case p.Shot:
		from = "A screenshot that came with the action"
	case a.Card.Observed:
		from = "Drawn from the tree that the guard read"
	}
	s.Caption = from + "; the outline is where the action lands."
	if !p.Aimed {
		s.Alt = excerpt("the screen of " + appName(&a.Card))
		s.Caption = from + "; where the action lands is not on it."
	}
	if claimed {
		s.Alt = excerpt("as the agent shows it: " + s.Alt)
	}
	return s
}

// warnings are what a person has to know before believing the card.
func warnings(a *approval.Approval) []string {
	var w []string
	if a.Card.Permanent {
		w = append(w, "It cannot be taken back, or it is for everyone.")
	}
	if a.Card.Before != "" {
		w = append(w, "Before: "+spell(a.Card.Before)+".")
	}
	if a.Card.Masked {
		w = append(w, "Secrets are masked: the guard was restarted or the question is settled, and it does not store them. The action is looked at again before it is carried out.")
	}
	if !a.ParkedUntil.IsZero() && a.State == approval.Pending {
		w = append(w, "Parked: the agent was told to ask again, and a yes counts when it does, until "+clock(a.ParkedUntil)+".")
	}
	return w
}

// answerOf is what became of the question: who answered, how, and after how long.
func answerOf(a *approval.Approval) []field {
	var out fields
	if a.AnsweredBy != "" {
		out.add(field{Name: "Answered by", text: oneLine(a.AnsweredBy), Hint: howOf(a.How) + ", " + clock(a.AnsweredAt)})
		out.add(field{Name: "It took", text: oneLine(lasted(a.AnsweredAt.Sub(a.CreatedAt))), Hint: "from the question to the answer"})
	}
	out.add(field{Name: "Note", text: lines(a.Note)})
	if !a.SettledAt.IsZero() {
		out.add(field{Name: "Settled", text: oneLine(clock(a.SettledAt))})
	}
	out.add(field{Name: "Grant given with it", text: oneLine(a.Grant), Code: true})
	out.add(field{Name: "Also covers", text: oneLine(a.LinkedBy), Code: true})
	return out
}
