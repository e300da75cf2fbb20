package inbox

import (
	"cmp"
	"fmt"
	"strings"

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

// fields are the values that are there.
type fields []field

// add leaves out what has no value.
func (f *fields) add(one field) {
	if one.Length > 0 {
		*f = append(*f, one)
	}
}

// factsOf is what the action does: first what tells it from others of its kind,
// then where and how.
func factsOf(a *approval.Approval) (first, rest []field) {
	c, f := &a.Card, &a.Card.Facts
	var out fields
	argument := marksOf(c.Argument, c.Evidence, inArgument)
	whole := lines(c.Argument, argument...)
	if whole.Long {
		out.add(field{Name: "The part that matters", text: glance(c.Argument, argument), Code: true,
			Hint: fmt.Sprintf("out of %d characters; all of them are below", whole.Length)})
	}
	out.add(field{Name: "Amount", text: oneLine(amountOf(f))})
	out.add(field{Name: "Recipient", text: oneLine(f.Recipient)})
	out.add(field{Name: "About", text: oneLine(f.Object, marksOf(f.Object, c.Evidence, inObject)...)})
	out.add(field{Name: "Text about to leave", text: lines(f.Text)})
	first, out = out, nil
	device := "no device is named"
	if a.Device != "" {
		device = "on the device " + spell(a.Device)
	}
	out.add(field{Name: "App", text: oneLine(appName(c))})
	out.add(field{Name: "Control", text: oneLine(c.Label, marksOf(c.Label, c.Evidence, inLabel)...), Hint: roleName(c.Role)})
	out.add(field{Name: "Id of the control", text: oneLine(c.ResourceID, marksOf(c.ResourceID, c.Evidence, inID)...), Code: true})
	if wording := strings.Trim(c.Wording, "\n"); wording != c.Label {
		out.add(field{Name: "All that it says", text: lines(wording, marksOf(wording, c.Evidence, inWording)...)})
	}
	out.add(field{Name: "Lands", text: oneLine(c.Point)})
	out.add(field{Name: "Action", text: oneLine(c.Action)})
	out.add(field{Name: "With", text: whole, Code: true})
	out.add(field{Name: "Asked by", text: oneLine(a.AgentName), Hint: device})
	out.add(field{Name: "Tier", text: oneLine(c.Tier.String()), Hint: spell(c.TierWhy)})
	seen := "The guard looked at the screen itself."
	if !c.Observed {
		seen = "The screen is the agent's word; the guard did not look at it."
	}
	out.add(field{Name: "Seen by", text: oneLine(seen)})
	return first, out
}

// amountOf is a sum with its currency, empty for none.
func amountOf(f *risk.Facts) string {
	if f.Amount == nil {
		return ""
	}
	return f.Amount.Value + " " + f.Amount.Currency
}

func askedOf(c *approval.Card) []field {
	var out fields
	out.add(field{Name: "Because", text: oneLine(c.Reason)})
	out.add(field{Name: "Consequence", text: oneLine(words(c.Category.String()))})
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
			s += ": " + words(e.Category.String())
		}
		if e.Layer == risk.LayerStatistical {
			s += ", by the statistical model"
		}
		out = append(out, s)
	}
	return out
}

func appName(c *approval.Card) string { return appNameOf(c.App, c.Package) }

func appNameOf(app, pkg string) string {
	switch {
	case app != "" && pkg != "":
		return app + " (" + pkg + ")"
	case app != "" || pkg != "":
		return app + pkg
	}
	return "an app that is not named"
}

// AppName is what an app is called for short: a store's title without its
// slogan, else the package; empty where neither is known.
func AppName(c *approval.Card) string {
	for _, dash := range [...]string{" - ", " — ", " – ", ": ", " | "} {
		if name, _, ok := strings.Cut(c.App, dash); ok && name != "" {
			return name
		}
	}
	return cmp.Or(c.App, c.Package)
}

func roleName(r risk.Role) string {
	if r == risk.View {
		return ""
	}
	return words(r.String())
}

// counted says how many, with the word for one and for more.
func counted(n int, one, more string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, more)
}
