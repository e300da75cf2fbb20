package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/countersign/countersign"
	"github.com/countersign/countersign/approval"
	"github.com/countersign/countersign/cmd/countersign/demo"
)

// invite tells the person where else the questions can be answered.
func (w *walk) invite() error {
	if !w.t.outTTY {
		return nil // the link signs its reader in: it is for a terminal only
	}
	link, _, err := w.stage.guard.SignInLink(context.Background())
	if err != nil {
		return err
	}
	return w.print("The web page for answers, if you like one beside this terminal (the link works once):\n%s\n\n", w.t.paint(cyan, link))
}

// carry takes a step to the guard, holds it until it is answered where the guard
// asks, and carries it out where it may.
func (w *walk) carry(req *countersign.Request, d *countersign.Decision, s *demo.Step) error {
	ctx := context.Background()
	t, err := w.stage.propose(ctx, req)
	if err != nil {
		return err
	}
	if t.Outcome != d.Outcome {
		return fmt.Errorf("demo step %s: the guard that runs says %s, the one that explains says %s", s.Name, t.Outcome, d.Outcome)
	}
	switch t.Outcome {
	case countersign.Allow:
		return nil
	case countersign.Deny:
		return w.then("refused without asking; the agent is told that trying again will not help")
	}
	question, word := "go ahead? [y/N] ", "y"
	if d.Critical {
		question, word = "go ahead? [type yes/N] ", "yes"
	}
	if err := w.print("%s%s", pad("", nameColumn+2), w.t.paint(bold, question)); err != nil {
		return err
	}
	if t, err = w.ask(ctx, &t, word, s); err != nil {
		return err
	}
	if t.state() != approval.Approved {
		w.tally.no++
		return w.then("stopped; the agent is told by whom and not to try again")
	}
	if t, err = w.stage.carryOut(ctx, t.ID, req); err != nil {
		return err
	}
	if t.state() != approval.Released {
		return fmt.Errorf("demo step %s: it was approved and is %s", s.Name, t.state())
	}
	w.tally.yes++
	return w.then("goes ahead")
}

// ask waits for the answer, from here or from the page, whichever comes first.
func (w *walk) ask(ctx context.Context, t *agentView, word string, s *demo.Step) (agentView, error) {
	if w.typed == nil {
		said := "n"
		if s.Yes {
			said = word
		}
		if err := w.print("%s%s\n", said, w.t.paint(dim, "  (by script)")); err != nil {
			return *t, err
		}
		if err := w.stage.answer(ctx, t.ID, t.Digest, s.Yes); err != nil {
			return *t, err
		}
		return w.stage.wait(ctx, t.ID)
	}
	waiting, done := context.WithCancel(ctx)
	defer done()
	answered := w.elsewhere(waiting, t.ID)
	w.typed.drop()
	select {
	case a := <-answered:
		if a.err != nil {
			return *t, a.err
		}
		return a.told, w.print("%s\n", w.t.paint(dim, "(answered on the page)"))
	case typed := <-w.typed.next():
		w.typed.taken()
		if errors.Is(typed.err, io.EOF) {
			typed.err = w.print("\n")
		}
		if typed.err != nil {
			return *t, fmt.Errorf("read the answer: %w", typed.err)
		}
		if err := w.stage.answer(ctx, t.ID, t.Digest, isYes(typed.text, word)); err != nil {
			return *t, err
		}
	}
	return w.stage.wait(ctx, t.ID)
}

// heard is what the agent hears of its question.
type heard struct {
	told agentView
	err  error
}

// elsewhere waits for an answer that is given on the page. It is the agent that
// hears of it first, so the agent is asked.
func (w *walk) elsewhere(ctx context.Context, id string) <-chan heard {
	answered := make(chan heard, 1)
	go func() {
		t, err := w.stage.wait(ctx, id)
		if ctx.Err() == nil {
			answered <- heard{t, err}
		}
	}()
	return answered
}

// onRecord says what the demo left in the record.
func (w *walk) onRecord() (string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	rows, err := w.stage.guard.Verify(ctx)
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("  record      %d rows, checked: as they were written\n", rows), nil
}
