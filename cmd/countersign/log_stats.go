package main

import (
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/countersign/countersign/hold/fatigue"
	"github.com/countersign/countersign/ledger"
)

// logStatsCommand measures what asking has cost.
type logStatsCommand struct {
	homeFlag
	Since string `placeholder:"TIME" help:"Only from then on: 24h, 7d, 2026-10-07 or a time in RFC 3339."`
	By    string `enum:"category,app,source,agent" default:"category" help:"What the table is by: category, app, source or agent."`
	JSON  bool   `name:"json" help:"Print JSON, with all four tables."`
}

// Help is the longer text of --help.
func (logStatsCommand) Help() string {
	return `What asking has cost: how often, how soon it was answered, how many answers came sooner than the card
can be read, and what needed no question of its own. Of kinds of question that were approved 20 times
and never refused it says what grant or line of policy would have spared most of them, and what else
that would have let pass. It changes nothing.

  countersign log stats --since 7d
  countersign log stats --by app

A card is read at 4 words a second, in at least 1.5 seconds. The time counts from when the question was
put, so the true share of answers that were given unread is higher.`
}

// Run measures.
func (c *logStatsCommand) Run(t *terminal) error {
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
	progress := t.progress("rows read")
	report, err := fatigue.Measure(ctx, rec, fatigue.Options{Since: since, Progress: progress.set})
	progress.end()
	if err != nil {
		return logError(err)
	}
	if err := nameAgents(ctx, rec, report); err != nil {
		return logError(err)
	}
	if c.JSON {
		text, err := encode(report, "  ")
		if err == nil {
			_, err = t.out.Write(text)
		}
		return err
	}
	return printStats(t, report, c.By)
}

func nameAgents(ctx context.Context, rec record, report *fatigue.Report) error {
	agents, err := rec.Agents(ctx)
	report.NameAgents(agents)
	return err
}

// printStats shows the figures to a person.
func printStats(t *terminal, r *fatigue.Report, by string) error {
	if r.All.Actions == 0 && r.All.Joined == 0 {
		_, err := fmt.Fprintln(t.out, "no action is on record for that time")
		return err
	}
	c := &card{t: t}
	for _, line := range fold(statsHeadline(&r.All), min(t.width, readableWidth)) {
		c.b.WriteString(t.paint(bold, line) + "\n")
	}
	c.figures(r)
	groups := map[string][]ledger.AskingGroup{"category": r.Categories, "app": r.Apps, "source": r.Sources, "agent": r.Agents}[by]
	c.blank()
	c.statsTable(by, groups)
	c.habits(r.Habits)
	_, err := io.WriteString(t.out, c.b.String())
	return err
}

func statsHeadline(a *ledger.Asking) string {
	asked := "asked"
	if a.WouldAsk > 0 {
		asked = "asked or would have been"
	}
	text := fmt.Sprintf("%s: %d %s, %.1f questions for 100 actions", things(int(a.Actions), "action"), a.Asked+a.WouldAsk, asked, a.AskedPer100)
	if a.Tasks > 0 {
		text += fmt.Sprintf(", %.1f a task", a.AskedPerTask)
	}
	return text
}

// figures are the lines above the table.
func (c *card) figures(r *fatigue.Report) {
	a := &r.All
	c.field("from", dayAndTime(r.From))
	c.field("to", dayAndTime(r.To))
	if a.Tasks > 0 {
		text := fmt.Sprintf("%d: %d told apart by the session that the agent names, %d without one by the text of the task", a.Tasks, r.TasksBySession, r.TasksByText)
		if r.NoTask > 0 {
			text += fmt.Sprintf("; %s came with neither", things(int(r.NoTask), "action"))
		}
		c.field("tasks", text)
	}
	if a.WouldAsk > 0 {
		c.field("observe mode", things(int(a.WouldAsk), "question")+" that would have been put")
	}
	if a.Asked > 0 {
		c.field("became", shares([]share{
			{a.Approved, a.Shares.Approved, "approved"}, {a.Denied, a.Shares.Denied, "denied"}, {a.Expired, a.Shares.Expired, "expired unanswered"},
			{a.Withdrawn, a.Shares.Withdrawn, "withdrawn"}, {a.Nobody, a.Shares.Nobody, "with nobody to ask"}, {a.Open, 0, "open"},
		}))
	}
	if n := a.Answered(); n > 0 {
		c.field("answered", fmt.Sprintf("half within %s, 9 in 10 within %s", lasted(a.Median), lasted(a.P90)))
		how := plain
		if a.Shares.Hasty >= 0.2 {
			how = yellow
		}
		c.inked("too fast", how, fmt.Sprintf("%d of %s (%s) came sooner than the card can be read", a.Hasty, things(int(n), "answer"), percent(a.Shares.Hasty)))
	}
	c.field("not asked", shares([]share{
		{a.Joined, a.Shares.Joined, "joined an open question"}, {a.Linked, a.Shares.Linked, "linked to the yes before"}, {a.Granted, a.Shares.Granted, "let pass by a grant"},
	}))
	c.field("labels", shares([]share{{a.Needless, a.Shares.Needless, "needless"}, {a.Missed, a.Shares.Missed, "missed"}}))
	if r.Unread > 0 {
		c.field("not read", things(int(r.Unread), "row")+" of a newer program")
	}
}

// share is a number, the part that it is of a whole, and what it counts.
type share struct {
	n    int64
	part float64
	what string
}

// shares lists those that there are.
func shares(list []share) string {
	var out []string
	for _, s := range list {
		switch {
		case s.n == 0:
		case s.part == 0:
			out = append(out, fmt.Sprintf("%d %s", s.n, s.what))
		default:
			out = append(out, fmt.Sprintf("%d %s (%s)", s.n, s.what, percent(s.part)))
		}
	}
	return strings.Join(out, ", ")
}

// percent is a part in hundredths, whole ones where there are many.
func percent(part float64) string {
	digits := 0
	switch {
	case part == 0:
		return nothing
	case part < 0.0995:
		digits = 1
	}
	return strings.TrimSuffix(strconv.FormatFloat(100*part, 'f', digits, 64), ".0") + " %"
}

// lasted is how long something took, in two figures.
func lasted(m ledger.Millis) string {
	d := time.Duration(m)
	switch {
	case d < 10*time.Second:
		return strconv.FormatFloat(d.Seconds(), 'f', 1, 64) + " s"
	case d < 2*time.Minute:
		return strconv.Itoa(int(d.Round(time.Second).Seconds())) + " s"
	case d < 2*time.Hour:
		return strconv.Itoa(int(d.Round(time.Minute).Minutes())) + " min"
	}
	return strconv.Itoa(int(d.Round(time.Hour).Hours())) + " h"
}
