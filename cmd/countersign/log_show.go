package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/countersign/countersign"
	"github.com/countersign/countersign/approval"
	"github.com/countersign/countersign/decide"
	"github.com/countersign/countersign/hold"
	"github.com/countersign/countersign/ledger"
	"github.com/countersign/countersign/risk"
)

// logShowCommand shows one action.
type logShowCommand struct {
	homeFlag
	JSON bool   `name:"json" help:"Print the rows and the question as one JSON object."`
	ID   string `arg:"" help:"The id of the action, the beginning of it, or the number of a row."`
}

// Help is the longer text of --help.
func (logShowCommand) Help() string {
	return `  countersign log show a_k3jd5q
  countersign log show 412
  countersign log show 412 --json`
}

// Run shows.
func (c *logShowCommand) Run(t *terminal) error {
	ctx, stop := interruptible()
	defer stop()
	rec, err := c.record(ctx)
	if err != nil {
		return err
	}
	defer rec.Close()
	rows, err := find(ctx, t, rec, c.ID)
	if err != nil {
		return logError(err)
	}
	question, err := questionOf(ctx, rec, rows[0].Subject)
	if err != nil {
		return logError(err)
	}
	if c.JSON {
		return printActionJSON(t, rows, question)
	}
	return printAction(ctx, t, rec, rows, question)
}

// find returns the rows about an action, in their order: at least one. What a
// row about no action says is that row alone.
func find(ctx context.Context, t *terminal, rec record, id string) ([]ledger.Row, error) {
	if seq, err := strconv.ParseInt(id, 10, 64); err == nil {
		row, err := rowNumber(ctx, rec, seq)
		if err != nil || row.Subject == "" {
			return []ledger.Row{row}, err
		}
		id = row.Subject
	}
	if id == "" {
		return nil, usage(errors.New("the id is empty"), "countersign log lists the numbers of rows")
	}
	rows, err := rec.About(ctx, id)
	if err != nil || len(rows) > 0 {
		return rows, err
	}
	whole, err := completed(ctx, t, rec, id)
	if err != nil {
		return nil, err
	}
	return rec.About(ctx, whole)
}

func rowNumber(ctx context.Context, rec record, seq int64) (ledger.Row, error) {
	head, err := rec.Head(ctx)
	if err != nil {
		return ledger.Row{}, err
	}
	if seq < 1 || seq > head.Size {
		return ledger.Row{}, usage(fmt.Errorf("there is no row %d; the record has the rows 1 to %d", seq, head.Size))
	}
	rows, err := rec.Rows(ctx, seq-1, 1)
	if err == nil && (len(rows) == 0 || rows[0].Seq != seq) {
		err = fmt.Errorf("row %d is missing", seq)
	}
	if err != nil {
		return ledger.Row{}, err
	}
	return rows[0], nil
}

// completed finds the one action whose id begins like this.
func completed(ctx context.Context, t *terminal, rec record, beginning string) (string, error) {
	progress := t.progress("rows searched")
	defer progress.end()
	var found []string
	err := rowsFrom(ctx, rec, 0, func(r *ledger.Row) error {
		progress.set(int(r.Seq))
		if r.Kind == ledger.KindDecision && strings.HasPrefix(r.Subject, beginning) && len(found) <= mostNamed && !slices.Contains(found, r.Subject) {
			found = append(found, r.Subject)
		}
		return nil
	})
	if err != nil {
		return "", err
	}
	switch {
	case len(found) == 1:
		return found[0], nil
	case len(found) == 0:
		return "", usage(fmt.Errorf("no action on record has the id %q or one that begins like this", line1(beginning)),
			"countersign log lists the numbers of rows, which are accepted too")
	}
	names := "they are " + strings.Join(found[:min(len(found), mostNamed)], ", ")
	if len(found) > mostNamed {
		names += " and more"
	}
	return "", usage(fmt.Errorf("several actions have an id that begins with %q; give more of it", line1(beginning)), line1(names))
}

// mostNamed is how many ids an error names.
const mostNamed = 5

// questionOf is the question that an action led to, nil where there is none.
func questionOf(ctx context.Context, rec record, id string) (*approval.Approval, error) {
	if id == "" {
		return nil, nil
	}
	a, err := rec.Approval(ctx, id)
	switch {
	case errors.Is(err, hold.ErrNotFound):
		return nil, nil
	case err != nil:
		return nil, err
	}
	return &a, nil
}

func printActionJSON(t *terminal, rows []ledger.Row, question *approval.Approval) error {
	out := struct {
		Action   string             `json:"action_id"`
		Rows     []json.RawMessage  `json:"rows"`
		Question *approval.Approval `json:"question"`
	}{Action: rows[0].Subject, Question: question}
	for i := range rows {
		out.Rows = append(out.Rows, rows[i].Data)
	}
	text, err := encode(out, "  ")
	if err == nil {
		_, err = t.out.Write(text)
	}
	return err
}

// printAction says in plain words what is on record.
func printAction(ctx context.Context, t *terminal, rec record, rows []ledger.Row, question *approval.Approval) error {
	c := &card{t: t}
	if d, err := rows[0].Decision(); err == nil {
		if d.Agent, err = agentNamed(ctx, rec, d.Agent); err != nil {
			return logError(err)
		}
		c.decided(&rows[0], &d)
		c.blank()
	} else {
		c.b.WriteString(t.paint(bold, clip("row "+rowNumbers(rows[:1])+": "+words(string(rows[0].Kind)), t.width)) + "\n\n")
	}
	c.became(rows, question)
	c.field("rows", rowNumbers(rows))
	_, err := io.WriteString(t.out, c.b.String())
	return err
}

// decided prints the decision.
func (c *card) decided(r *ledger.Row, d *ledger.Decision) {
	word, how := explainWords.of(&countersign.Decision{Outcome: d.Outcome, Critical: d.Critical})
	if d.Observe {
		word += "; observed only, nothing was held"
	}
	c.b.WriteString(c.t.paint(bold, clip(subjectOf(d)+" in "+line1(cmp.Or(d.App.Package, "no app")), c.t.width)) + "\n\n")
	c.field("action", line1(r.Subject))
	c.inked("verdict", how, word)
	c.field("reason", decide.Quote(d.Reason, 2*maxShown))
	c.field("category", d.Category.String())
	c.field("code", line1(string(d.Code)))
	c.field("when", dayAndTime(r.At))
	c.blank()
	c.quoted("agent", d.Agent)
	c.quoted("device", d.Device)
	c.quoted("session", d.Session)
	c.quoted("task", d.Task)
	c.blank()
	c.field("does", line1(string(d.Kind)))
	c.quoted("with", argument(d))
	if t := d.Target; t != nil {
		c.field("control", words(t.Role.String()))
		c.quoted("label", t.Label)
		c.quoted("id", t.ResourceID)
	}
	c.field("app", line1(d.App.Package))
	c.field("tier", d.App.Tier.String()+", by "+line1(cmp.Or(d.App.Why, "nobody")))
	c.field("screen", screenTrust(d))
	c.blank()
	c.recorded(d.Evidence)
	c.facts(d.Facts)
	c.blank()
	c.field("layers", fmt.Sprintf("model %s, flat guard %s, context %s", asks(d.Layers.LLM), asks(d.Layers.Flat), asks(d.Layers.Context)))
	c.field("source", d.Source.String()+", delta "+d.Delta.String())
	c.field("decided by", strings.TrimSuffix(line1(d.DecidedBy)+": "+line1(d.Rule), ": "))
	c.field("grant", line1(d.Grant))
	if d.Above != "" {
		c.field("ticket", "left by "+line1(d.Above)+" at the gate above, which was let go ahead")
	}
	c.field("policy", line1(d.Policy))
	c.field("digest", line1(d.Digest))
	c.field("replay", line1(d.Replay))
	c.quoted("note", d.Note)
}

func screenTrust(d *ledger.Decision) string {
	if d.Screen.Observed {
		return "the guard looked itself (observed)"
	}
	return "the agent's word (claimed)"
}

// recorded prints every piece of evidence as it was recorded.
func (c *card) recorded(all []risk.Evidence) {
	if len(all) == 0 {
		c.field("evidence", "none: no word or shape here meant anything risky")
	}
	for i := range all {
		e := &all[i]
		name := ""
		if i == 0 {
			name = "evidence"
		}
		where := words(line1(string(e.Signal)))
		if e.Layer != risk.LayerStructure && e.Match != "" {
			where += " “" + decide.Quote(e.Match, 60) + "”"
		}
		c.b.WriteString("  " + c.t.paint(dim, pad(name, nameColumn)) +
			clip(where+gap+evidenceSource(&risk.Evidence{
				Layer: risk.Layer(line1(string(e.Layer))), Term: e.Term, Language: line1(e.Language), Category: e.Category,
			}), min(c.t.width, readableWidth)-nameColumn-2) + "\n")
	}
}

// became prints what happened after the decision, and where the question stands.
func (c *card) became(rows []ledger.Row, question *approval.Approval) {
	name := "then"
	for i := range rows {
		r := &rows[i]
		text := ""
		if d, err := r.Decision(); err != nil {
			text = eventText(r)
		} else if i > 0 {
			text = cmp.Or(line1(d.Note), "decided again: "+d.Outcome.String())
		}
		if text != "" {
			c.field(name, r.At.Local().Format("15:04:05 ")+text)
			name = " "
		}
	}
	if question == nil {
		return
	}
	c.field("question", standing(question))
	c.quoted("said", question.Note)
}

// standing is where a question stands and until when.
func standing(a *approval.Approval) string {
	text := words(a.State.String())
	if wake := a.Wake(); !wake.IsZero() {
		text += ", until " + dayAndTime(wake)
	}
	if a.State == approval.Pending && !a.ParkedUntil.IsZero() {
		text += "; parked: the requester was told to ask again"
	}
	if a.LinkedBy != "" {
		text += "; the answer also covered " + line1(a.LinkedBy)
	}
	return text
}
