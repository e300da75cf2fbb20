package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
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
		c.field("became", fatigue.List(fatigue.Ends(a)))
	}
	if n := a.Answered(); n > 0 {
		c.field("answered", fmt.Sprintf("half within %s, 9 in 10 within %s", fatigue.Took(a.Median), fatigue.Took(a.P90)))
		how := plain
		if a.Shares.Hasty >= 0.2 {
			how = yellow
		}
		c.inked("too fast", how, fmt.Sprintf("%d of %s (%s) came sooner than the card can be read", a.Hasty, things(int(n), "answer"), cmp.Or(fatigue.Percent(a.Shares.Hasty), "0 %")))
	}
	c.field("not asked", fatigue.List(fatigue.Spared(a)))
	c.field("labels", fatigue.List(fatigue.Labels(a)))
	if r.Unread > 0 {
		c.field("not read", things(int(r.Unread), "row")+" of a newer program")
	}
}
