package catalog

import (
	"strings"
	"testing"

	"github.com/countersign/countersign/risk"
)

// TestNamePatternsEarnTheirPlace measures every pattern on the catalogued ids as
// if they were unknown. A pattern that is wrong more often than two times in ten
// has no business among the patterns.
func TestNamePatternsEarnTheirPlace(t *testing.T) {
	c := Default()
	hits, right := make([]int, len(namePatterns.list)), make([]int, len(namePatterns.list))
	found, wrong, high := 0, 0, 0
	for row := range c.apps.size() {
		_, id, _ := strings.Cut(strings.ToLower(c.apps.id(row)), ".")
		isHigh := c.apps.class(row).tier == risk.High
		if isHigh {
			high++
		}
		any := false
		for i := range namePatterns.list {
			if namePatterns.list[i].matches([]byte(id)) {
				any = true
				hits[i]++
				if isHigh {
					right[i]++
				}
			}
		}
		switch {
		case any && isHigh:
			found++
		case any:
			wrong++
		}
	}
	for i, p := range namePatterns.list {
		if hits[i] >= 10 && 10*right[i] < 8*hits[i] {
			t.Errorf("%q is right in %d of %d ids", p.word, right[i], hits[i])
		}
	}
	t.Logf("the patterns find %d of %d HIGH ids and are wrong about %d", found, high, wrong)
	if 10*found < 9*(found+wrong) || 100*found < 30*high {
		t.Errorf("the patterns find %d of %d HIGH ids and are wrong about %d", found, high, wrong)
	}
}

// TestSurfaceWordsMeanSystemParts does the same for the system's own names: a
// word that is in a LOW app's id would frighten people for nothing.
func TestSurfaceWordsMeanSystemParts(t *testing.T) {
	c := Default()
	hits, notHigh := 0, 0
	for row := range c.apps.size() {
		app := App{Package: c.apps.id(row)}
		if _, ok := systemSurfaceVoice(c, app); !ok {
			continue
		}
		hits++
		if c.apps.class(row).tier != risk.High {
			notHigh++
			t.Logf("%s is named like a part of the system and %v", app.Package, c.apps.class(row).tier)
		}
	}
	if hits < 45 || notHigh > 4 {
		t.Errorf("%d ids are named like a part of the system, %d of them are not HIGH", hits, notHigh)
	}
}

func TestPatternPlaces(t *testing.T) {
	for _, c := range []struct {
		where place
		id    string
		want  bool
	}{
		{inside, "acme.xpayx", true}, {inside, "acme.xpaxy", false},
		{whole, "acme.pay", true}, {whole, "acme.x_pay_y", true}, {whole, "pay", true}, {whole, "acme.xpay", false},
		{ending, "acme.xpay.app", true}, {ending, "acme.payx", false}, {ending, "xpay", true},
		{last, "acme.pay", true}, {last, "pay.acme", false}, {last, "pay", true}, {last, "acme.x_pay", false},
		{whole, "", false}, {ending, ".", false},
	} {
		p := pattern{word: "pay", where: c.where}
		if got := p.matches([]byte(c.id)); got != c.want {
			t.Errorf("%v in %q: %v", c.where, c.id, got)
		}
	}
}
