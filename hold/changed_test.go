package hold_test

import (
	"strings"
	"testing"
	"time"

	"github.com/countersign/countersign/approval"
	"github.com/countersign/countersign/decide"
	"github.com/countersign/countersign/hold"
)

// payIn is a tap on the button of a screen of the bank.
func payIn(screen string) *decide.Request {
	req := tapButton()
	req.Screen = &decide.Screen{Package: "com.example.bank", Tree: screen}
	return req
}

// Who said yes to 12.00 and is asked about 1200.00 is told so.
func TestTheNextQuestionSaysWhatDiffers(t *testing.T) {
	const was, is = "Pay 12.00 EUR", "Pay 1200.00 EUR"
	told := "control was “" + was + "”, is “" + is + "”"
	cases := []struct {
		name   string
		agent  string
		after  time.Duration
		screen string
		before string // what the card says of what was before; empty for nothing
	}{
		{"at once", "a", time.Second, bank(is), "a yes 1 seconds ago did not count, the screen had changed: amount was “12.00 EUR”, is “1200.00 EUR”; " + told},
		{"as it was", "a", time.Second, bank(was), "a yes 1 seconds ago did not count, the screen had changed; now it is as it was"},
		{"long after", "a", 6 * time.Minute, bank(is), ""},
		{"another agent", "b", time.Second, bank(is), ""},
		{"another app", "a", time.Second, strings.ReplaceAll(bank(was), "com.example.bank", "com.example.other"), "it is another app, “com.example.other”, and was “com.example.bank”"},
		{"another thing", "a", time.Second, strings.ReplaceAll(bank("Delete account"), "com.example.bank", "com.example.other"), ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			f := newFixture(t, t)
			defer f.close()
			first := f.propose("a", *payIn(bank(was)))
			f.answer(first.ID, true)
			void, err := f.desk.Begin(f.ctx, "a", first.ID, payIn(bank(is)))
			if err != nil || void.Approval.State != approval.Void {
				t.Fatalf("%v, %v", void.Approval.State, err)
			}
			f.clock.pass(c.after)
			req := payIn(c.screen)
			if strings.Contains(c.screen, "com.example.other") {
				req.Screen.Package = "com.example.other"
			}
			next, err := f.desk.Propose(f.ctx, hold.Proposal{Agent: c.agent, AgentName: c.agent, Request: req})
			if err != nil || next.Approval == nil || next.Approval.State != approval.Pending {
				t.Fatalf("%+v, %v", next, err)
			}
			view, err := f.desk.View(f.ctx, next.ID)
			if err != nil {
				t.Fatal(err)
			}
			if got := view.Card.Before; got != next.Approval.Card.Before || c.before == "" && got != "" || !strings.Contains(got, c.before) {
				t.Errorf("the card says %q, want %q", got, c.before)
			}
			f.verify()
		})
	}
	if len(cases) != 6 {
		t.Errorf("%d cases", len(cases))
	}
}

// The one that follows a question which was used says nothing of it, and neither
// does one that follows the question after the void one.
func TestOnlyTheNextQuestionSaysWhatDiffers(t *testing.T) {
	f := newFixture(t, t)
	defer f.close()
	first := f.propose("a", *payIn(bank("Pay 12.00 EUR")))
	f.answer(first.ID, true)
	if _, err := f.desk.Begin(f.ctx, "a", first.ID, payIn(bank("Pay 21.00 EUR"))); err != nil {
		t.Fatal(err)
	}
	f.clock.pass(time.Second)
	second := f.propose("a", *payIn(bank("Pay 21.00 EUR")))
	f.answer(second.ID, true)
	f.release("a", second.ID, *payIn(bank("Pay 21.00 EUR")))
	f.clock.pass(time.Second)
	third := f.propose("a", *payIn(bank("Pay 30.00 EUR")))
	if second.Approval.Card.Before == "" || third.Approval.Card.Before != "" {
		t.Errorf("the second says %q, the third %q", second.Approval.Card.Before, third.Approval.Card.Before)
	}
}

// What a form held in secret is not told, only that it differs.
func TestWhatDiffersLosesItsSecrets(t *testing.T) {
	form := func(code string) string {
		return strings.Replace(bank("Pay 12.00 EUR"), `<node class="android.widget.Button"`,
			`<node class="android.widget.EditText" package="com.example.bank" hint="One-time code" text="`+code+`" bounds="[100,1000][980,1100]"/><node class="android.widget.Button"`, 1)
	}
	f := newFixture(t, t)
	defer f.close()
	first := f.propose("a", *payIn(form("493817")))
	f.answer(first.ID, true)
	if _, err := f.desk.Begin(f.ctx, "a", first.ID, payIn(form("602945"))); err != nil {
		t.Fatal(err)
	}
	f.clock.pass(time.Second)
	next := f.propose("a", *payIn(form("602945")))
	stored, err := f.store.Approval(f.ctx, first.ID)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range append(stored.Card.Bound, next.Approval.Card.Bound...) {
		if text := strings.Join(p.Texts, " "); strings.Contains(text, "493817") || strings.Contains(text, "602945") {
			t.Errorf("%s is stored as %q", p.Name, text)
		}
	}
	if before := next.Approval.Card.Before; !strings.Contains(before, "form") || strings.Contains(before, "493817") || strings.Contains(before, "602945") {
		t.Errorf("the card says %q", before)
	}
}
