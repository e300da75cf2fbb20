package decide

import (
	"testing"

	"github.com/countersign/countersign/risk"
)

// inflected are labels of languages that have no list of terms (Breton,
// Luxembourgish, West Frisian), of which the statistical layer is sure.
var inflected = map[string]risk.Category{
	"Dilemel ar gemennadenn": risk.Delete, "Noriicht läschen": risk.Delete, "Skiednis wiskje": risk.Delete,
}

func pressOn(label string, role risk.Role) *Request {
	class := "android.widget.Button"
	if role == risk.Row {
		class = "android.widget.LinearLayout"
	}
	return &Request{
		Action: risk.Action{Kind: risk.Tap}, Screen: &Screen{Package: propertyPackage},
		Target: &Target{Text: label, Class: class, Role: role},
	}
}

// A button in words that only the statistical layer knows is asked about, and
// the evidence says who spoke; the same words on a row are content.
func TestGuessAsksAboutButtons(t *testing.T) {
	d := tiered(t, risk.High)
	for label, want := range inflected {
		dec := d.Decide(pressOn(label, risk.Button))
		if dec.Category != want || dec.Outcome == risk.Allow {
			t.Errorf("%q: %s %s, want %s", label, dec.Outcome, dec.Category, want)
		}
		if e := dec.Evidence(); len(e) == 0 || e[0].Layer != risk.LayerStatistical || e[0].Match == "" {
			t.Errorf("%q: evidence %+v", label, e)
		}
		if dec := d.Decide(pressOn(label, risk.Row)); dec.Category == want {
			t.Errorf("%q on a row is %s", label, dec.Category)
		}
	}
}

// What the guess adds in a LOW app it adds in every stricter one.
func TestGuessIsSurerInMilderApps(t *testing.T) {
	for i := 1; i < len(certainties); i++ {
		if certainties[i] < certainties[i-1] {
			t.Errorf("%s asks for %.2f, the stricter %s for %.2f", risk.Tier(i), certainties[i], risk.Tier(i-1), certainties[i-1])
		}
	}
	tiers := []*Decider{tiered(t, risk.High), tiered(t, risk.Medium), tiered(t, risk.Low)}
	for label := range inflected {
		for i := 1; i < len(tiers); i++ {
			stricter, milder := tiers[i-1].Decide(pressOn(label, risk.Button)), tiers[i].Decide(pressOn(label, risk.Button))
			if stricter.Outcome > milder.Outcome {
				t.Errorf("%q: %s in the stricter app, %s in the milder", label, stricter.Outcome, milder.Outcome)
			}
		}
	}
}

// A graver reading of an id stands, whatever the words are guessed to be.
func TestGuessReplacesNothing(t *testing.T) {
	req := pressOn("Išvalyti istoriją", risk.Button)
	req.Target.ResourceID = "com.example.app:id/pay_button"
	if dec := tiered(t, risk.High).Decide(req); dec.Category != risk.Money {
		t.Errorf("a pay button became %s", dec.Category)
	}
}
