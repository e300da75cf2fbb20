package browser

import "fmt"

// timersByHand takes the timers that the page sets from now on out of the machine's
// time: they wait for pass. Between two commands to a browser any time may go by on
// a busy machine, so that nothing else shows that a button was let go too early.
const timersByHand = `(() => {
	const real = {set: window.setTimeout, clear: window.clearTimeout}, due = new Map();
	let now = 0, last = 1e9;
	window.setTimeout = (f, ms = 0, ...given) => { due.set(++last, {at: now + ms, run: () => f(...given)}); return last; };
	window.clearTimeout = id => { if (!due.delete(id)) real.clear.call(window, id); };
	window.byHand = {
		pass(ms) {
			now += ms;
			for (const [id, t] of [...due].sort(([, a], [, b]) => a.at - b.at)) if (t.at <= now && due.delete(id)) t.run();
		},
		end() { window.setTimeout = real.set; window.clearTimeout = real.clear; },
	};
})()`

// takeTime has time pass on the page by passes only.
func (p *person) takeTime() {
	p.t.Helper()
	is[any](p, timersByHand)
}

// passes has a time pass for the timers that the page has set since takeTime.
func (p *person) passes(milliseconds int) {
	p.t.Helper()
	is[any](p, fmt.Sprintf(`byHand.pass(%d)`, milliseconds))
}

// giveTime has timers go by the machine's time again.
func (p *person) giveTime() {
	p.t.Helper()
	is[any](p, `byHand.end()`)
}

// wantNotSent: no answer has left the page, nor is one about to.
func (p *person) wantNotSent(how string) {
	p.t.Helper()
	if sent := is[bool](p, `!("byHand" in window) || !!document.querySelector("form[data-sent]")`); sent {
		p.t.Fatalf("%s: the answer was sent\n%s", how, p.seen())
	}
}
