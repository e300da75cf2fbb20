package browser

import (
	"strings"
	"testing"
)

// inSight are the texts of the elements that a selector finds and that can be seen
// at first sight: without scrolling, and with nothing before them.
func (p *person) inSight(selector string) []string {
	p.t.Helper()
	return is[[]string](p, `[...document.querySelectorAll(`+js(selector)+`)].filter(e => {
		const r = e.getBoundingClientRect();
		if (r.width < 1 || r.height < 1 || r.top < 0 || r.left < 0 || r.bottom > innerHeight || r.right > innerWidth) return false;
		return [[.5, .5], [.02, .5], [.98, .5]].every(([x, y]) => {
			const on = document.elementFromPoint(r.x + r.width * x, r.y + r.height * y);
			return on === e || e.contains(on) || on.contains(e);
		});
	}).map(e => e.innerText)`)
}

// What an answer rests on is seen at first sight, also on a small phone: to whom,
// how much or what text, the words that asked, how long there is, and both
// answers.
func TestWhatMattersIsSeenAtOnce(t *testing.T) {
	t.Parallel()
	g := startGuard(t)
	message, payment := g.ask(chat("Anna Schmidt", "I will be 20 minutes late")), g.ask(transfer("Acme Ltd", "$80.00"))
	cases := 0
	for _, s := range sizes {
		p := newPerson(t, g, s)
		p.signIn("owner")
		for _, c := range []struct {
			name, id, yes string
			marked        string
			facts         []string
		}{
			{"card", message, "Approve", "Send", []string{"Anna Schmidt", "I will be 20 minutes late", "WhatsApp"}},
			{"critical", payment, "Hold to approve", "Pay now", []string{"80.00 $", "Acme Ltd", "PayPal"}},
		} {
			t.Run(s.name+"/"+c.name, func(t *testing.T) {
				p.open("/approvals/" + c.id)
				p.waits("its pictures are there", `[...document.images].every(i => i.complete && i.naturalWidth > 0)`)
				p.save(s.name + "-" + c.name + "-at-once")
				want := func(selector string, texts ...string) {
					t.Helper()
					seen := strings.Join(p.inSight(selector), "\n")
					for _, text := range texts {
						if !strings.Contains(seen, text) {
							t.Errorf("%q is not in sight; of %s there is: %q", text, selector, seen)
						}
					}
				}
				want("main dd", c.facts...)
				want("mark", c.marked)
				want("#standing time", "left")
				want("#bar button", "Deny", c.yes)
				if over := is[float64](p, `scrollY`); over != 0 {
					t.Errorf("the page is scrolled by %v px", over)
				}
				cases++
			})
		}
	}
	if cases != 4 {
		t.Errorf("%d cases, want 4", cases)
	}
}
