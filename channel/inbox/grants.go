package inbox

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"github.com/countersign/countersign/approval"
)

// offer is the grant that may be given with a yes, as a card prints it.
type offer struct {
	// Button says what is offered, Scope what it covers, in a sentence.
	Button, Scope string
	Facts         []field
	Count         int
	Seconds       int64
}

// offerOf spells a grant out, all of it; nil for none.
func offerOf(g *approval.Grant) *offer {
	if g == nil {
		return nil
	}
	lasts := g.ExpiresAt.Sub(g.CreatedAt)
	such := "the next such go on"
	if g.Count > 1 {
		such = fmt.Sprintf("the next %d such go on", g.Count)
	}
	return &offer{
		Button: "Approve, and let " + such + " for " + spanOf(lasts), Scope: spell(g.Scope()),
		Facts: grantFacts(g), Count: g.Count, Seconds: int64(lasts / time.Second),
	}
}

// spanOf is a length of time in words, for an offer.
func spanOf(d time.Duration) string {
	if d < time.Hour || d%time.Hour != 0 {
		return counted(int(d/time.Minute), "minute", "minutes")
	}
	return counted(int(d/time.Hour), "hour", "hours")
}

// grantFacts are everything that a grant is held against.
func grantFacts(g *approval.Grant) []field {
	var out fields
	out.add(field{Name: "What", text: oneLine(words(g.Category.String()))})
	out.add(field{Name: "App", text: oneLine(appNameOf(g.App, g.Package))})
	out.add(field{Name: "Recipient", text: oneLine(g.Recipient)})
	out.add(field{Name: "About", text: oneLine(g.Object)})
	device := "no device is named"
	if g.Device != "" {
		device = "on the device " + spell(g.Device)
	}
	out.add(field{Name: "Agent", text: oneLine(g.AgentName), Hint: device})
	s := &g.Shown
	out.add(field{Name: "Control", text: oneLine(s.Label), Hint: roleName(s.Role)})
	out.add(field{Name: "Id of the control", text: oneLine(s.ResourceID), Code: true})
	if wording := strings.Trim(s.Wording, "\n"); wording != s.Label {
		out.add(field{Name: "All that it says", text: lines(wording)})
	}
	out.add(field{Name: "Action", text: oneLine(s.Action)})
	out.add(field{Name: "With", text: lines(s.Argument), Code: true})
	if s.Amount != nil {
		out.add(field{Name: "Amount", text: oneLine(s.Amount.Value + " " + s.Amount.Currency)})
	}
	out.add(field{Name: "How often", text: oneLine(approval.Times(g.Count))})
	return out
}

// granted is a grant as the list prints it.
type granted struct {
	ID, CSRF, Scope, Left, Became, Kind            string
	Open                                           bool
	For, Until, UntilISO, By, How, At, AtISO, From string
	Facts                                          []field
}

// FormGrant is the name of the form that ends a grant.
func FormGrant(id string) string { return "grant/" + id }

// Grants draws the grants, in the order given. notice is ours and may be empty.
func Grants(f Frame, list []approval.Grant, notice string) ([]byte, error) {
	view := struct {
		frame
		Notice      string
		Open, Ended []granted
	}{frame: f.view("grants", hereGrants, "Grants"), Notice: spell(notice)}
	for i := range list {
		if g := f.granted(&list[i]); g.Open {
			view.Open = append(view.Open, g)
		} else {
			view.Ended = append(view.Ended, g)
		}
	}
	return draw("grants.html", view)
}

// endWords say why a grant ended.
var endWords = map[string]string{
	approval.CodeUsedUp: "used up", approval.CodeGrantExpired: "its time was over", approval.CodeRevoked: "revoked",
	approval.CodeFrozen: "ended by a freeze", approval.CodeDeniedSince: "something similar was refused",
}

func (f *Frame) granted(g *approval.Grant) granted {
	v := granted{
		ID: g.ID, CSRF: f.CSRF(FormGrant(g.ID)), Scope: spell(g.Scope()), Open: g.Open(f.Now),
		Left: fmt.Sprintf("%d of %d left", g.Left(), g.Count), For: left(g.ExpiresAt.Sub(f.Now)), Until: clock(g.ExpiresAt), UntilISO: iso(g.ExpiresAt),
		By: spell(g.By), How: howOf(g.How), At: clock(g.CreatedAt), AtISO: iso(g.CreatedAt), From: g.From, Facts: grantFacts(g),
	}
	if !v.Open {
		code := cmp.Or(g.Code, g.Ending(f.Now))
		v.Became, v.Kind = cmp.Or(endWords[code], spell(code), "over"), "over"
		v.Left = fmt.Sprintf("used %s of %d", approval.Times(g.Used), g.Count)
		if g.Used == 0 {
			v.Left = "never used"
		}
	}
	return v
}
