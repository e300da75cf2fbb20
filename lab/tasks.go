package lab

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/countersign/countersign/approval"
	"github.com/countersign/countersign/decide"
	"github.com/countersign/countersign/hold"
	"github.com/countersign/countersign/risk"
)

// TaskOptions say how tasks are replayed. Store, Decider and Somebody are those
// of a desk; zero durations are the defaults below.
type TaskOptions struct {
	Store   hold.Store
	Decider hold.Decider
	// Unlinked has every generic yes asked about by itself.
	Unlinked bool
	// Answer is how long the person takes to say yes (3 seconds), Think how long
	// the agent takes from one step to the next (5 seconds).
	Answer, Think time.Duration
}

// TaskCount is what a replay of tasks counted.
type TaskCount struct {
	// Tasks are how many there were; Asked in how many of them a person was asked
	// at least once. Intervals take tasks of one app for alike.
	Tasks int  `json:"tasks"`
	Steps int  `json:"steps"`
	Asked Rate `json:"tasks_asked"`
	// Questions are how often a person was asked, Linked how many steps the answer
	// before covered, Joined how many met a question that was open already, and
	// Refused how many were refused without asking.
	Questions int `json:"questions"`
	Linked    int `json:"linked"`
	Joined    int `json:"joined"`
	Refused   int `json:"refused"`
	// Recall is over the steps that want a question: those that a person was asked
	// about or that an answer covered. Rows for which either verdict is right are
	// left out.
	Recall Rate `json:"recall"`
}

// TaskSummary is a report for scripts: with each question by itself, and with
// answers that cover the yes that follows.
type TaskSummary struct {
	Single TaskCount `json:"single"`
	Linked TaskCount `json:"linked"`
}

// PerTask is how many questions a task has on average.
func (c *TaskCount) PerTask() float64 {
	if c.Tasks == 0 {
		return 0
	}
	return float64(c.Questions) / float64(c.Tasks)
}

// ErrNoTask says that a case is no step of a task.
var ErrNoTask = errors.New(`is no step of a task; it needs "task"`)

// ReplayTasks takes the steps of each task in their order through a desk, as an
// agent would: every step is proposed; where a person is asked they say yes, and
// the step is released on the screen it was asked about. Steps of one app with
// the same task, one after the other, are one task. Time is simulated.
func ReplayTasks(ctx context.Context, cases []Case, o TaskOptions) (TaskCount, error) {
	r := replay{options: o, at: time.Date(2026, 1, 1, 9, 0, 0, 0, time.UTC)}
	if r.options.Answer == 0 {
		r.options.Answer = 3 * time.Second
	}
	if r.options.Think == 0 {
		r.options.Think = 5 * time.Second
	}
	link := time.Duration(0) // the desk's own
	if o.Unlinked {
		link = time.Nanosecond
	}
	desk, err := hold.New(ctx, hold.Options{
		Store: o.Store, Decider: o.Decider, Now: func() time.Time { return r.at }, LinkWithin: link,
		Somebody: func(context.Context) bool { return true },
	})
	if err != nil {
		return TaskCount{}, err
	}
	defer desk.Close()
	r.desk = desk
	for i := 0; i < len(cases); {
		end := i + 1
		for end < len(cases) && cases[end].App == cases[i].App && cases[end].Task == cases[i].Task {
			end++
		}
		if err := r.task(ctx, cases[i:end]); err != nil {
			return TaskCount{}, err
		}
		i = end
	}
	r.count.Asked, r.count.Recall = rateOf(r.asked), rateOf(r.caught)
	return r.count, nil
}

type replay struct {
	options       TaskOptions
	desk          *hold.Desk
	at            time.Time
	count         TaskCount
	asked, caught []trial
}

// task replays one task. Every task has an agent and an hour of its own, so that
// no answer covers a step of another.
func (r *replay) task(ctx context.Context, steps []Case) error {
	r.count.Tasks++
	r.at = r.at.Add(time.Hour)
	before := r.count.Questions
	for i := range steps {
		if err := r.step(ctx, &steps[i]); err != nil {
			return fmt.Errorf("case %q (line %d): %w", steps[i].ID, steps[i].Line, err)
		}
		r.at = r.at.Add(r.options.Think)
	}
	r.asked = append(r.asked, trial{steps[0].App, r.count.Questions > before})
	return nil
}

func (r *replay) step(ctx context.Context, c *Case) error {
	if c.Task == "" {
		return ErrNoTask
	}
	req, err := c.request()
	if err != nil {
		return err
	}
	r.count.Steps++
	agent := fmt.Sprintf("task %d", r.count.Tasks)
	t, err := r.desk.Propose(ctx, hold.Proposal{Agent: agent, AgentName: agent, Request: req})
	if err != nil {
		return err
	}
	met := true
	switch {
	case t.Outcome == risk.Deny:
		r.count.Refused++
	case t.Approval != nil:
		err = r.answer(ctx, agent, &t, req)
	case t.Decision != nil && t.Decision.DecidedBy == hold.ByLinked:
		r.count.Linked++
	default:
		met = false
	}
	if !c.Also && c.Want != risk.Allow {
		r.caught = append(r.caught, trial{c.App, met})
	}
	return err
}

// answer says yes to a question and lets the step be carried out.
func (r *replay) answer(ctx context.Context, agent string, t *hold.Ticket, req *decide.Request) error {
	if t.Approval.State != approval.Pending {
		r.count.Joined++
	} else {
		r.count.Questions++
		r.at = r.at.Add(r.options.Answer)
		if _, err := r.desk.Answer(ctx, hold.Answer{ID: t.ID, Digest: t.Digest, Yes: true, By: "owner", How: "replay"}); err != nil {
			return err
		}
	}
	begun, err := r.desk.Begin(ctx, agent, t.ID, req)
	if err != nil {
		return err
	}
	if begun.Approval.State != approval.Releasing {
		return fmt.Errorf("the same screen voided the approval: %s", begun.Message)
	}
	_, err = r.desk.Finish(ctx, agent, t.ID, hold.Result{OK: true})
	return err
}

// WriteTasks prints what two replays counted: with each question by itself, and
// with answers that cover the yes that follows.
func WriteTasks(w io.Writer, single, linked TaskCount) {
	fmt.Fprintf(w, "%d steps of %d tasks\n\n", linked.Steps, linked.Tasks)
	for _, part := range []struct {
		name string
		c    *TaskCount
	}{{"each question by itself", &single}, {"an answer covers the yes that follows", &linked}} {
		c := part.c
		fmt.Fprintf(w, "%s\n  questions     %d, %.3f a task (one in %.1f tasks)\n  tasks asked   %s (%s)\n  covered       %d by the answer before, %d joined one that was open, %d refused\n  recall        %s (%s)\n",
			part.name, c.Questions, c.PerTask(), 1/max(c.PerTask(), 1e-9), counts(c.Asked), interval(c.Asked), c.Linked, c.Joined, c.Refused, counts(c.Recall), interval(c.Recall))
	}
}
