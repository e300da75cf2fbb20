package lab

import (
	"math"
	"slices"
	"strings"

	"github.com/countersign/countersign/risk"
)

// A Rate is a share with its 95 % interval.
type Rate struct {
	Hits  int     `json:"hits"`
	Total int     `json:"total"`
	Low   float64 `json:"low"`
	High  float64 `json:"high"`
}

// Share is Hits of Total, 0 where there are none.
func (r Rate) Share() float64 {
	if r.Total == 0 {
		return 0
	}
	return float64(r.Hits) / float64(r.Total)
}

// A Score is how a judge did on a set of cases. Rows for which either verdict
// is right are in neither rate.
type Score struct {
	// Recall is over the rows that want a question, Needless over the others.
	Recall, Needless Rate
	// Either counts the rows for which both verdicts are right, EitherAsked
	// those of them that were asked about.
	Either, EitherAsked int
	// RightCategory counts the caught rows whose category was right as well.
	RightCategory int
}

// ScoreOf scores results, which may be a part of what Run returned.
func ScoreOf(results []Result) Score {
	var s Score
	var want, rest []trial
	for i := range results {
		r := &results[i]
		asked := r.Asks()
		switch {
		case r.Case.Also:
			s.Either++
			if asked {
				s.EitherAsked++
			}
		case r.Case.Want == risk.Allow:
			rest = append(rest, trial{r.Case.App, asked})
		default:
			want = append(want, trial{r.Case.App, asked})
			if asked && sameCategory(r.Decision.Category, r.Case.Category) {
				s.RightCategory++
			}
		}
	}
	s.Recall, s.Needless = rateOf(want), rateOf(rest)
	return s
}

// sameCategory forgives what the corpora do not tell apart.
func sameCategory(got, want risk.Category) bool {
	pair := func(a, b risk.Category) bool { return got == a && want == b || got == b && want == a }
	return got == want || pair(risk.Install, risk.Uninstall) || pair(risk.Share, risk.Message)
}

type trial struct {
	app string
	hit bool
}

// rateOf computes a share and its interval. Rows of one app are alike, so the
// interval is Wilson's with the number of rows divided by the design effect:
// the variance of the share over clusters, against that of independent rows.
func rateOf(trials []trial) Rate {
	type cluster struct{ hits, n int }
	clusters := map[string]*cluster{}
	r := Rate{Total: len(trials)}
	for _, t := range trials {
		c := clusters[t.app]
		if c == nil {
			c = &cluster{}
			clusters[t.app] = c
		}
		c.n++
		if t.hit {
			c.hits++
			r.Hits++
		}
	}
	if r.Total == 0 {
		return r
	}
	p, n, m := r.Share(), float64(r.Total), float64(len(clusters))
	effect := 1.0
	if m > 1 && p > 0 && p < 1 {
		sum := 0.0
		for _, c := range clusters {
			d := float64(c.hits) - p*float64(c.n)
			sum += d * d
		}
		effect = max(1, m/(m-1)*sum/(n*p*(1-p)))
	}
	r.Low, r.High = wilson(p, n/effect)
	return r
}

// wilson is the 95 % score interval of a share p of n trials.
func wilson(p, n float64) (low, high float64) {
	const z = 1.959964
	middle := (p + z*z/(2*n)) / (1 + z*z/n)
	half := z * math.Sqrt(p*(1-p)/n+z*z/(4*n*n)) / (1 + z*z/n)
	return max(0, middle-half), min(1, middle+half)
}

// A Group is the score of one part of the cases.
type Group struct {
	Name string
	Score
}

// By scores the parts that key tells apart, in the order of their names. An
// empty key leaves a row out.
func By(results []Result, key func(*Result) string) []Group {
	parts := map[string][]Result{}
	for i := range results {
		if k := key(&results[i]); k != "" {
			parts[k] = append(parts[k], results[i])
		}
	}
	groups := make([]Group, 0, len(parts))
	for name, part := range parts {
		groups = append(groups, Group{name, ScoreOf(part)})
	}
	slices.SortFunc(groups, func(a, b Group) int { return strings.Compare(a.Name, b.Name) })
	return groups
}

// Keys for By.
var (
	ByCategory = func(r *Result) string { return r.Case.Category.String() }
	ByLanguage = func(r *Result) string { return r.Case.Locale }
	ByTier     = func(r *Result) string { return r.Decision.Tier.String() }
)
