package main

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/countersign/countersign/approval"
	"github.com/countersign/countersign/ledger"
)

// logSummaryCommand adds rows up.
type logSummaryCommand struct {
	homeFlag
	Since string `placeholder:"TIME" help:"Only from then on: 24h, 7d, 2026-10-07 or a time in RFC 3339."`
	JSON  bool   `name:"json" help:"Print JSON."`
}

// Help is the longer text of --help.
func (logSummaryCommand) Help() string {
	return `How much was asked, what became of the questions, and whom they are owed to: added are the
risks that the flat guard lets pass, suppressed the questions that it asks for nothing.

  countersign log summary --since 7d

In observe mode "asked" counts what would have been asked.`
}

// questionCount is how many questions stand in a state.
type questionCount struct {
	State approval.State `json:"state"`
	Count int            `json:"count"`
}

// summaryJSON is the summary for scripts.
type summaryJSON struct {
	ledger.Summary
	AskedPer100 float64         `json:"asked_per_100"`
	Questions   []questionCount `json:"questions"`
}

// Run adds up.
func (c *logSummaryCommand) Run(t *terminal) error {
	var failed error
	since := moment("since", c.Since, time.Now(), func(err error) { failed = err })
	if failed != nil {
		return usage(failed)
	}
	ctx, stop := interruptible()
	defer stop()
	rec, err := c.record(ctx)
	if err != nil {
		return err
	}
	defer rec.Close()
	sum, err := summarise(ctx, t, rec, since)
	if err != nil {
		return logError(err)
	}
	if c.JSON {
		text, err := encode(sum, "  ")
		if err == nil {
			_, err = t.out.Write(text)
		}
		return err
	}
	return sum.print(t)
}

// summarise reads all rows since a time.
func summarise(ctx context.Context, t *terminal, rec record, since time.Time) (*summaryJSON, error) {
	after, err := before(ctx, rec, since)
	if err != nil {
		return nil, err
	}
	progress := t.progress("rows added up")
	defer progress.end()
	var s ledger.Summariser
	states := map[string]string{}
	read := 0
	err = rowsFrom(ctx, rec, after, func(r *ledger.Row) error {
		read++
		progress.set(read)
		s.Add(*r)
		var move ledger.Transition
		if r.Kind == ledger.KindTransition && json.Unmarshal(r.Body, &move) == nil {
			states[move.Approval] = move.To
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	out := &summaryJSON{Summary: s.Summary()}
	out.AskedPer100 = out.All.AskedPer100()
	out.Questions = countStates(states)
	return out, nil
}

// countStates counts questions by where they stand, in the order of the states.
func countStates(states map[string]string) []questionCount {
	counts := map[approval.State]int{}
	for _, name := range states {
		var s approval.State
		if s.UnmarshalText([]byte(name)) == nil {
			counts[s]++
		}
	}
	out := []questionCount{}
	for s, n := range counts {
		out = append(out, questionCount{s, n})
	}
	slices.SortFunc(out, func(a, b questionCount) int { return cmp.Compare(a.State, b.State) })
	return out
}

// print shows the summary to a person.
func (s *summaryJSON) print(t *terminal) error {
	if s.From.IsZero() {
		_, err := fmt.Fprintln(t.out, "nothing is on record for that time")
		return err
	}
	var b strings.Builder
	for _, line := range fold(s.headline(), t.width) {
		b.WriteString(t.paint(bold, line) + "\n")
	}
	c := &card{t: t}
	c.field("from", dayAndTime(s.From))
	c.field("to", dayAndTime(s.To))
	if s.Observed > 0 {
		c.field("observe mode", fmt.Sprintf("%d of the actions: nothing was held, and what would have been asked counts as asked", s.Observed))
	}
	c.field("added", things(int(s.All.Added), "risk")+" that the flat guard lets pass")
	c.field("suppressed", things(int(s.All.Suppressed), "question")+" that it asks for nothing")
	c.field("questions", s.questions())
	if n := s.Pure.Total(); n > 0 {
		c.field("only asked", fmt.Sprintf("%s without acting: %d allow, %d confirm, %d deny", things(int(n), "decision"), s.Pure.Allow, s.Pure.Confirm, s.Pure.Deny))
	}
	if s.Refused > 0 {
		c.field("refused", things(int(s.Refused), "request")+" that led to no decision")
	}
	if s.Unread > 0 {
		c.field("not read", things(int(s.Unread), "row")+" of a newer program")
	}
	b.WriteString(c.b.String())
	for _, g := range []struct {
		name   string
		groups []ledger.Group
	}{{"app", s.Apps}, {"category", s.Categories}, {"source", s.Sources}} {
		b.WriteByte('\n')
		if err := tallies(g.name, g.groups).write(t, &b); err != nil {
			return err
		}
	}
	_, err := io.WriteString(t.out, b.String())
	return err
}

// headline is the summary in one sentence.
func (s *summaryJSON) headline() string {
	asked := "asked"
	if s.Observed > 0 {
		asked = "asked or would have been"
	}
	return fmt.Sprintf("%s: %d %s, %d denied; %.1f questions for 100 actions",
		things(int(s.All.Actions), "action"), s.All.Asked, asked, s.All.Denied, s.AskedPer100)
}

// questions says where the questions stand.
func (s *summaryJSON) questions() string {
	var out []string
	for _, q := range s.Questions {
		out = append(out, strconv.Itoa(q.Count)+" "+words(q.State.String()))
	}
	return cmp.Or(strings.Join(out, ", "), "none")
}

// mostGroups is how many groups a table shows; --json has all of them.
const mostGroups = 20

// tallies is a table of groups.
func tallies(name string, groups []ledger.Group) *table {
	tb := &table{
		heads:  []string{"by " + name, "actions", "asked", "per 100", "denied", "added", "suppressed"},
		limits: []int{40, 8, 8, 8, 8, 8, 0},
	}
	for i, g := range groups {
		if i == mostGroups {
			tb.rows = append(tb.rows, row{section: fmt.Sprintf("and %d more", len(groups)-i)})
			break
		}
		tb.rows = append(tb.rows, row{cells: []string{
			cmp.Or(line1(g.Name), "none"), count(int(g.Actions)), count(int(g.Asked)), strconv.FormatFloat(g.AskedPer100(), 'f', 1, 64),
			count(int(g.Denied)), count(int(g.Added)), count(int(g.Suppressed)),
		}})
	}
	return tb
}
