package fatigue

import (
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/countersign/countersign/approval"
	"github.com/countersign/countersign/policy"
	"github.com/countersign/countersign/risk"
)

// Whatever an app calls itself, the line is an exception for that name and
// nothing else, or there is none.
func TestANameStaysAName(t *testing.T) {
	parsed := 0
	piece := rapid.SampledFrom([]string{"com", "a", "Z9_", ".", "..", "*", ":", " ", "\n", "{", "}", "allow", "message", "#", "é", "\u202e", "9", "_", "null", "~", "'"})
	rapid.Check(t, func(rt *rapid.T) {
		name := strings.Join(rapid.SliceOfN(piece, 0, 8).Draw(rt, "name"), "")
		if rapid.Bool().Draw(rt, "a package") {
			name = rapid.StringMatching(`[a-zA-Z][a-zA-Z0-9_]{0,5}(\.[a-zA-Z][a-zA-Z0-9_]{0,5}){1,3}`).Draw(rt, "package")
		}
		why, ok := lineable(name, risk.Message)
		if ok != (why == "") || ok != isPackage(name) || strings.Contains(why, "\n") {
			rt.Fatalf("%q: %v, %q", name, ok, why)
		}
		if !ok {
			return
		}
		parsed++
		p, err := policy.Parse("mine", []byte("version: 1\nextends: default\n"+lineFor(name, risk.Message)))
		if err != nil {
			rt.Fatal(err)
		}
		for _, pkg := range []string{name, name + "x", "com.example", ""} {
			r := p.Evaluate(policy.Input{Tier: risk.High, Category: risk.Message, Package: pkg})
			if want := pkg == name; (r.Outcome == risk.Allow) != want {
				rt.Fatalf("%q: %+v for %q", name, r, pkg)
			}
		}
	})
	if parsed == 0 {
		t.Error("no name was a package")
	}
}

// Every category has a line that can be read, or a reason why it has none; none
// of the critical ones has a line.
func TestEveryCategoryHasALineOrAReason(t *testing.T) {
	lines := 0
	for _, c := range risk.Categories() {
		why, ok := lineable("com.example.app", c)
		if ok == (why != "") {
			t.Errorf("%s: %v, %q", c, ok, why)
		}
		if !ok {
			continue
		}
		lines++
		if c == risk.Money || c == risk.Device || c == risk.Bypass || c == risk.Unknown {
			t.Errorf("a line is proposed for %s", c)
		}
		if _, err := policy.Parse("mine", []byte("version: 1\nextends: default\n"+lineFor("com.example.app", c))); err != nil {
			t.Error(err)
		}
	}
	if lines != 7 {
		t.Errorf("%d categories have lines", lines)
	}
}

// A grant that is given again and again spares at most what comes within its
// length and count.
func TestReplay(t *testing.T) {
	start := time.Date(2026, 10, 5, 9, 0, 0, 0, time.UTC)
	rapid.Check(t, func(rt *rapid.T) {
		var times []time.Time
		at := start
		for _, minutes := range rapid.SliceOfN(rapid.IntRange(0, 2000), 0, 60).Draw(rt, "minutes") {
			at = at.Add(time.Duration(minutes) * time.Minute)
			times = append(times, at)
		}
		for _, length := range grantLengths {
			g := replay(times, length)
			if g.Spared > len(times) || g.Count > approval.MaxGrantCount || g.Spared > g.Given*g.Count || g.Given > g.Spared || (g.Count == 0) != (g.Spared == 0) {
				rt.Fatalf("%v: %+v of %d", length, g, len(times))
			}
			terms := approval.GrantTerms{Count: max(1, g.Count), For: g.For}
			if err := terms.Check(); err != nil {
				rt.Fatal(err)
			}
		}
	})
	if !slices.IsSorted(grantLengths) || grantLengths[len(grantLengths)-1] != approval.MaxGrantFor {
		t.Errorf("the lengths are %v", grantLengths)
	}
	every := func(d time.Duration, n int) (times []time.Time) {
		for i := range n {
			times = append(times, start.Add(time.Duration(i)*d))
		}
		return times
	}
	table := []struct {
		name                 string
		times                []time.Time
		length               time.Duration
		given, spared, count int
	}{
		{"nothing", nil, time.Hour, 0, 0, 0},
		{"one", every(time.Hour, 1), time.Hour, 0, 0, 0},
		{"at its end it is over", every(time.Hour, 3), time.Hour, 0, 0, 0},
		{"just before", every(time.Hour-1, 3), time.Hour, 1, 1, 1},
		{"used up", every(time.Second, 43), time.Hour, 2, 40, 20},
		{"the rest", every(time.Second, 45), time.Hour, 3, 42, 20},
		{"given anew", every(20*time.Minute, 6), time.Hour, 2, 4, 2},
	}
	for _, c := range table {
		if g := replay(c.times, c.length); g.Given != c.given || g.Spared != c.spared || g.Count != c.count {
			t.Errorf("%s: %+v, want given %d, spared %d, count %d", c.name, g, c.given, c.spared, c.count)
		}
	}
	if len(table) != 7 {
		t.Errorf("%d rows", len(table))
	}
}
