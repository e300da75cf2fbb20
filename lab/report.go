package lab

import (
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/countersign/countersign/decide"
	"github.com/countersign/countersign/risk"
)

// Show says which lists a report prints beside the rates.
type Show struct{ Misses, False, Either bool }

// WriteReport prints the rates of every judge side by side, then for the first
// one the parts by category, language and tier, then the lists asked for.
func WriteReport(w io.Writer, judges []Judge, results [][]Result, show Show) {
	cases := "cases"
	if len(results[0]) == 1 {
		cases = "case"
	}
	fmt.Fprintf(w, "%d %s\n\n", len(results[0]), cases)
	table := tabwriter.NewWriter(w, 0, 4, 2, ' ', 0)
	fmt.Fprintln(table, "policy\trecall\t95 %\tneedless\t95 %\teither right\tright category")
	for i, j := range judges {
		s := ScoreOf(results[i])
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\t%d of %d asked\t%d of %d\n", j.Name,
			counts(s.Recall), interval(s.Recall), counts(s.Needless), interval(s.Needless),
			s.EitherAsked, s.Either, s.RightCategory, s.Recall.Hits)
	}
	table.Flush()
	for _, part := range []struct {
		name string
		key  func(*Result) string
	}{{"category", ByCategory}, {"language", ByLanguage}, {"tier", ByTier}} {
		groups := By(results[0], part.key)
		if len(groups) == 0 {
			continue
		}
		fmt.Fprintf(w, "\nby %s, policy %s\n", part.name, judges[0].Name)
		fmt.Fprintln(table, part.name+"\trecall\t95 %\tneedless\t95 %")
		for _, g := range groups {
			fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\n", g.Name,
				counts(g.Recall), interval(g.Recall), counts(g.Needless), interval(g.Needless))
		}
		table.Flush()
	}
	list(w, show.Misses, "missed", results[0], func(r *Result) bool {
		return !r.Case.Also && r.Case.Want == risk.Confirm && !r.Asks()
	})
	list(w, show.False, "asked needlessly", results[0], func(r *Result) bool {
		return !r.Case.Also && r.Case.Want == risk.Allow && r.Asks()
	})
	list(w, show.Either, "either verdict right", results[0], func(r *Result) bool { return r.Case.Also })
}

func counts(r Rate) string {
	if r.Total == 0 {
		return "-"
	}
	return fmt.Sprintf("%d of %d = %.1f %%", r.Hits, r.Total, 100*r.Share())
}

func interval(r Rate) string {
	if r.Total == 0 {
		return ""
	}
	return fmt.Sprintf("%.1f to %.1f", 100*r.Low, 100*r.High)
}

func list(w io.Writer, on bool, title string, results []Result, pick func(*Result) bool) {
	if !on {
		return
	}
	fmt.Fprintf(w, "\n%s\n", title)
	n := 0
	for i := range results {
		r := &results[i]
		if !pick(r) {
			continue
		}
		n++
		t, _ := r.Decision.Target()
		fmt.Fprintf(w, "  %s  %s  want %s %s, got %s %s  [%s] “%s” #%s\n      %s\n      case: %s\n",
			r.Case.ID, r.Case.App, r.Case.Want, r.Case.Category, r.Decision.Outcome, r.Decision.Category,
			t.Role, decide.Quote(r.Decision.Label(), 60), decide.Quote(t.ResourceID, 60),
			r.Decision.Reason(), decide.Quote(r.Case.Why, 120))
	}
	if n == 0 {
		fmt.Fprintln(w, "  none")
	}
}

// Summary is a report for scripts.
type Summary struct {
	Cases    int             `json:"cases"`
	Policies []PolicySummary `json:"policies"`
}

// PolicySummary is one judge's part of a Summary.
type PolicySummary struct {
	Policy   string         `json:"policy"`
	Recall   Rate           `json:"recall"`
	Needless Rate           `json:"needless"`
	Either   int            `json:"either_right"`
	Asked    int            `json:"either_right_asked"`
	Category []GroupSummary `json:"by_category"`
	Language []GroupSummary `json:"by_language"`
	Tier     []GroupSummary `json:"by_tier"`
}

// GroupSummary is the score of one part.
type GroupSummary struct {
	Name     string `json:"name"`
	Recall   Rate   `json:"recall"`
	Needless Rate   `json:"needless"`
}

// Summarize gathers all rates of all judges.
func Summarize(judges []Judge, results [][]Result) Summary {
	s := Summary{Cases: len(results[0])}
	for i, j := range judges {
		score := ScoreOf(results[i])
		s.Policies = append(s.Policies, PolicySummary{
			Policy: j.Name, Recall: score.Recall, Needless: score.Needless,
			Either: score.Either, Asked: score.EitherAsked,
			Category: groups(results[i], ByCategory),
			Language: groups(results[i], ByLanguage),
			Tier:     groups(results[i], ByTier),
		})
	}
	return s
}

func groups(results []Result, key func(*Result) string) []GroupSummary {
	var out []GroupSummary
	for _, g := range By(results, key) {
		out = append(out, GroupSummary{g.Name, g.Recall, g.Needless})
	}
	return out
}
