package main

import (
	"context"
	"crypto/rand"
	"errors"

	"github.com/countersign/countersign"
	"github.com/countersign/countersign/lab"
	"github.com/countersign/countersign/store/sqlite"
)

// binding is a guard with the first policy and a key that lasts as long as the
// command: what an answer is bound to can be compared, and nowhere else.
func (c *evalCommand) binding() (*countersign.Guard, error) {
	if len(c.Policy) == 0 {
		return nil, usage(errors.New("no policy is given"), "leave --policy out for default,post,flat")
	}
	key := make([]byte, 32)
	if _, err := rand.Read(key); err != nil {
		return nil, err
	}
	guard, err := countersign.New(countersign.Options{Policy: c.Policy[0], Apps: c.Apps, DigestKey: key})
	if err != nil {
		return nil, usage(err)
	}
	return guard, nil
}

// recheck changes the screens of the cases that are held.
func (c *evalCommand) recheck(t *terminal, cases []lab.Case) error {
	guard, err := c.binding()
	if err != nil {
		return err
	}
	progress := t.progress("cases changed")
	found, err := lab.RunRecheck(cases, guard, nil, progress.set)
	progress.end()
	if err != nil {
		return usage(err, "paths of trees start at the folder of the case file")
	}
	if c.JSON {
		return c.print(t, found.Summarize())
	}
	lab.WriteRecheck(t.out, found, c.Misses || c.False)
	return nil
}

// tasks replays the tasks that the cases are steps of, with and without answers
// that cover the yes that follows.
func (c *evalCommand) tasks(t *terminal, cases []lab.Case) error {
	guard, err := c.binding()
	if err != nil {
		return err
	}
	var counts [2]lab.TaskCount
	for i, unlinked := range []bool{true, false} {
		store, err := sqlite.Open(context.Background(), sqlite.Memory, sqlite.Options{})
		if err != nil {
			return err
		}
		counts[i], err = lab.ReplayTasks(context.Background(), cases, lab.TaskOptions{Store: store, Decider: guard, Unlinked: unlinked})
		if err := errors.Join(err, store.Close()); err != nil {
			return usage(err, "a step of a task has the fields app, task and step; see docs/cli.md")
		}
	}
	if c.JSON {
		return c.print(t, lab.TaskSummary{Single: counts[0], Linked: counts[1]})
	}
	lab.WriteTasks(t.out, counts[0], counts[1])
	return nil
}

func (c *evalCommand) print(t *terminal, what any) error {
	text, err := encode(what, "  ")
	if err == nil {
		_, err = t.out.Write(text)
	}
	return err
}
