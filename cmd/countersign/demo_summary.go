package main

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/countersign/countersign"
	"github.com/countersign/countersign/risk"
)

// tally counts the decisions of a demo.
type tally struct {
	total, flatAsked       int
	passed, asked, refused int
	yes, no                int
	bySource               [risk.Both + 1][risk.Suppressed + 1]int
}

func (s *tally) add(d *countersign.Decision) {
	s.total++
	s.bySource[d.Source][d.Delta]++
	if d.Layers.Flat {
		s.flatAsked++
	}
	switch d.Outcome {
	case countersign.Allow:
		s.passed++
	case countersign.Confirm:
		s.asked++
	default:
		s.refused++
	}
}

// summary prints who asked about what, and where to go next.
func (s *tally) summary(t *terminal, record string) string {
	var b strings.Builder
	b.WriteByte('\n')
	for _, line := range fold(fmt.Sprintf("%d actions: %d passed, %d asked (%d yes, %d no), %d refused; the flat guard alone: %d asked",
		s.total, s.passed, s.asked, s.yes, s.no, s.refused, s.flatAsked), t.width) {
		b.WriteString(t.paint(bold, line) + "\n")
	}
	tb := table{
		heads:  []string{"  owed to", "added", "suppressed", "none", ""},
		limits: []int{24, 6, 11, 6, 0},
	}
	var total [risk.Suppressed + 1]int
	for source := range s.bySource {
		counts := s.bySource[source]
		if counts == [risk.Suppressed + 1]int{} {
			continue
		}
		for delta, n := range counts {
			total[delta] += n
		}
		tb.rows = append(tb.rows, row{cells: []string{
			"  " + risk.Source(source).String(), count(counts[risk.Added]), count(counts[risk.Suppressed]),
			count(counts[risk.DeltaNone]), sourceMeans[source],
		}, inks: []ink{plain, plain, plain, plain, dim}})
	}
	_ = tb.write(t, &b) // a builder does not fail
	fmt.Fprintf(&b, "\n  added       %s that the flat guard lets pass\n", things(total[risk.Added], "risk"))
	fmt.Fprintf(&b, "  suppressed  %s that it asks for nothing\n%s\n", things(total[risk.Suppressed], "question"), record)
	for _, line := range [...][2]string{
		{"countersign up", "the guard for your agent: it asks over HTTP, you answer"},
		{"countersign explain dump.xml", "what it makes of a screen of yours"},
		{"countersign eval cases.jsonl", "how often it is right on labelled screens"},
		{"docs/cli.md, docs/policy.md", "the commands; deciding what is asked"},
	} {
		for i, part := range fold(line[1], t.width-33) {
			if i > 0 {
				line[0] = ""
			}
			fmt.Fprintf(&b, "  %s%s\n", pad(line[0], 31), t.paint(dim, part))
		}
	}
	return b.String()
}

// sourceMeans says in a few words what each source is.
var sourceMeans = [...]string{
	risk.SourceNone:        "nobody objected",
	risk.LLMFlagged:        "only the agent's own model asked",
	risk.KeywordGuard:      "the flat guard asks as well",
	risk.ContextAwareGuard: "context alone made the difference",
	risk.Both:              "model and context",
}

func count(n int) string {
	if n == 0 {
		return "-"
	}
	return strconv.Itoa(n)
}

func things(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return strconv.Itoa(n) + " " + what + "s"
}
