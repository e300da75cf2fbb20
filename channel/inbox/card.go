package inbox

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"github.com/countersign/countersign/approval"
	"github.com/countersign/countersign/risk"
)

// field is a named value on a card.
type field struct {
	Name string
	text
	// Code says that it is set in a fixed width; Hint is ours and follows it.
	Code bool
	Hint string
}

// card is a question as the template prints it.
type card struct {
	frame
	ID, Digest, CSRF string
	Notice, Sentence string

	Critical, Open, Pending, Approved bool
	State, Kind, Why                  string
	Left, Until, UntilISO             string
	Warnings                          []string

	Facts, Asked, Agents, Details []field
	Answer                        []field
	Evidence                      []string
}

// Card draws one question. notice is ours, says what came of the last answer,
// and may be empty.
func Card(f Frame, a approval.Approval, notice string) ([]byte, error) {
	c := &a.Card
	v := card{
		frame: f.view("Question"), ID: a.ID, Digest: a.Digest, CSRF: f.CSRF(FormAnswer(a.ID)),
		Notice: spell(notice), Sentence: spell(cmp.Or(c.Reason, "What this does is not recorded.")),
		Critical: c.Critical, Open: a.State.Open(), Pending: a.State == approval.Pending, Approved: a.State == approval.Approved,
		State: stateWords[a.State], Kind: stateKind(a.State),
	}
	v.Title = v.State + ": " + excerpt(c.Reason)
	if a.Code != "" {
		v.Why = cmp.Or(codeWords[a.Code], spell(a.Code))
	}
	if wake := a.Wake(); !wake.IsZero() {
		v.Left, v.Until, v.UntilISO = left(wake.Sub(f.Now)), clock(wake), wake.UTC().Format(time.RFC3339)
	}
	v.Warnings = warnings(&a)
	v.Facts, v.Asked, v.Agents = factsOf(&a), askedOf(c), agentsWords(c)
	v.Evidence = evidenceOf(c.Evidence)
	v.Answer, v.Details = answerOf(&a), detailsOf(&a)
	return draw("card.html", v)
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

// factsOf is what the action does, the most telling first.
func factsOf(a *approval.Approval) []field {
	c, f := &a.Card, &a.Card.Facts
	var out fields
	argument := marksOf(c.Argument, c.Evidence, inArgument)
	whole := lines(c.Argument, argument...)
	if whole.Long {
		out.add(field{Name: "The part that matters", text: glance(c.Argument, argument), Code: true,
			Hint: fmt.Sprintf("out of %d characters; all of them are below", whole.Length)})
	}
	if f.Amount != nil {
		out.add(field{Name: "Amount", text: oneLine(f.Amount.Value + " " + f.Amount.Currency)})
	}
	out.add(field{Name: "Recipient", text: oneLine(f.Recipient)})
	out.add(field{Name: "About", text: oneLine(f.Object, marksOf(f.Object, c.Evidence, inObject)...)})
	out.add(field{Name: "Text about to leave", text: lines(f.Text)})
	device := "no device is named"
	if a.Device != "" {
		device = "on the device " + spell(a.Device)
	}
	out.add(field{Name: "Asked by", text: oneLine(a.AgentName), Hint: device})
	out.add(field{Name: "App", text: oneLine(appName(c))})
	out.add(field{Name: "Tier", text: oneLine(c.Tier.String()), Hint: spell(c.TierWhy)})
	out.add(field{Name: "Control", text: oneLine(c.Label, marksOf(c.Label, c.Evidence, inLabel)...), Hint: roleName(c.Role)})
	out.add(field{Name: "Id of the control", text: oneLine(c.ResourceID, marksOf(c.ResourceID, c.Evidence, inID)...), Code: true})
	out.add(field{Name: "Action", text: oneLine(c.Action)})
	out.add(field{Name: "With", text: whole, Code: true})
	seen := "The guard looked at the screen itself."
	if !c.Observed {
		seen = "The screen is the agent's word; the guard did not look at it."
	}
	out.add(field{Name: "Seen by", text: oneLine(seen)})
	return out
}

func askedOf(c *approval.Card) []field {
	var out fields
	out.add(field{Name: "Consequence", text: oneLine(strings.ReplaceAll(c.Category.String(), "_", " "))})
	out.add(field{Name: "Who asks", text: oneLine(asked(c.Category, c.Source, c.Delta)), Hint: "source " + c.Source.String() + ", delta " + c.Delta.String()})
	out.add(field{Name: "Rule", text: oneLine(c.Rule)})
	out.add(field{Name: "Code", text: oneLine(c.Code), Code: true})
	out.add(field{Name: "Policy", text: oneLine(c.Policy), Code: true})
	return out
}

// agentsWords is what the agent says for itself. It stands apart, as its word.
func agentsWords(c *approval.Card) []field {
	var out fields
	out.add(field{Name: "Its task", text: lines(c.Task)})
	out.add(field{Name: "Its doubt", text: lines(c.Doubt)})
	return out
}

// answerOf is what became of the question.
func answerOf(a *approval.Approval) []field {
	var out fields
	if a.AnsweredBy != "" {
		out.add(field{Name: "Answered by", text: oneLine(a.AnsweredBy), Hint: cmp.Or(howWords[a.How], spell(a.How)) + ", " + clock(a.AnsweredAt)})
	}
	out.add(field{Name: "Note", text: lines(a.Note)})
	if !a.SettledAt.IsZero() {
		out.add(field{Name: "Settled", text: oneLine(clock(a.SettledAt))})
	}
	out.add(field{Name: "Also covers", text: oneLine(a.LinkedBy), Code: true})
	return out
}

func detailsOf(a *approval.Approval) []field {
	var out fields
	out.add(field{Name: "Agent", text: oneLine(a.Agent), Code: true})
	out.add(field{Name: "Session", text: oneLine(a.Session), Code: true})
	out.add(field{Name: "Asked at", text: oneLine(clock(a.CreatedAt))})
	out.add(field{Name: "Question", text: oneLine(a.ID), Code: true})
	out.add(field{Name: "Digest", text: oneLine(a.Digest), Code: true})
	out.add(field{Name: "The agent is told", text: oneLine(a.Card.AgentReason)})
	return out
}

// evidenceOf are the words and shapes that spoke, each in a sentence.
func evidenceOf(all []risk.Evidence) []string {
	var out []string
	for _, e := range all {
		where := cmp.Or(signalWords[e.Signal], spell(string(e.Signal)))
		s := "“" + spell(e.Match) + "” in " + where
		if e.Match == "" {
			s = spell(e.Term) + ", from " + where
		} else if e.Term != "" && e.Term != e.Match {
			s += ", as “" + spell(e.Term) + "”"
		}
		if e.Language != "" {
			s += " (" + spell(e.Language) + ")"
		}
		if e.Category.Risky() {
			s += ": " + strings.ReplaceAll(e.Category.String(), "_", " ")
		}
		if e.Layer == risk.LayerStatistical {
			s += ", by the statistical model"
		}
		out = append(out, s)
	}
	return out
}

// fields are the values that are there.
type fields []field

// add leaves out what has no value.
func (f *fields) add(one field) {
	if one.Length > 0 {
		*f = append(*f, one)
	}
}

func appName(c *approval.Card) string {
	switch {
	case c.App != "" && c.Package != "":
		return c.App + " (" + c.Package + ")"
	case c.App != "" || c.Package != "":
		return c.App + c.Package
	}
	return "an app that is not named"
}

func roleName(r risk.Role) string {
	if r == risk.View {
		return ""
	}
	return strings.ReplaceAll(r.String(), "_", " ")
}

// counted says how many, with the word for one and for more.
func counted(n int, one, more string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, more)
}
