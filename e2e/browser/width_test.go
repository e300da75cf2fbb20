package browser

import "testing"

// wantNoSideways: the page is no wider than what is looked at, whatever stands on
// it, and nothing that can be seen reaches over its edge.
func (p *person) wantNoSideways(t *testing.T, s size) {
	t.Helper()
	if wide := is[int64](p, `document.documentElement.scrollWidth`); wide > s.width {
		t.Errorf("the page is %d px wide, and %d px are seen", wide, s.width)
	}
	over := is[[]string](p, `[...document.body.querySelectorAll("*")].filter(e => {
		const r = e.getBoundingClientRect();
		return r.width > 1 && r.height > 1 && (r.right > innerWidth + 1 || r.left < -1) && e.checkVisibility() &&
			!e.closest(".scroll, .wide, pre, .unseen, .grant > div");
	}).map(e => e.outerHTML.slice(0, 200))`)
	for _, one := range over {
		t.Errorf("it reaches over the edge: %s", one)
	}
}

// wantLargeTargets: whatever is tapped is at least 24 by 24 px, as WCAG 2.2 has it
// (2.5.8), except links in a sentence; what answers is at least 44 px high.
func (p *person) wantLargeTargets(t *testing.T) {
	t.Helper()
	targets := is[[]struct {
		HTML   string
		W, H   float64
		Answer bool
	}](p, `[...document.querySelectorAll("a[href], button, input:not([type=hidden]), select, summary")].filter(e => {
		if (!e.checkVisibility() || e.closest("[hidden]") || e.matches(".skip")) return false;
		// A link in a sentence is as high as its line.
		return !(e.matches("a") && getComputedStyle(e).display === "inline" && e.parentElement.innerText.trim() !== e.innerText.trim());
	}).map(e => { const r = e.getBoundingClientRect(); return {HTML: e.outerHTML.slice(0, 200), W: r.width, H: r.height,
		Answer: e.matches("button.approve, button.deny, button.hold") && !e.matches(".small")}; })`)
	if len(targets) == 0 {
		t.Error("there is nothing to tap")
	}
	for _, one := range targets {
		if one.W < 24 || one.H < 24 {
			t.Errorf("%.0f by %.0f px: %s", one.W, one.H, one.HTML)
		}
		if one.Answer && one.H < 44 {
			t.Errorf("it answers and is %.1f px high: %s", one.H, one.HTML)
		}
	}
}
