package e2e

import (
	"context"
	"errors"
	"math/rand/v2"
	"sync"
	"time"

	"github.com/countersign/countersign/approval"
	"github.com/countersign/countersign/channel/client"
)

// owner is a person at a terminal, and faster than any: it answers over the unix
// socket as fast as it can, sometimes late, and against another one who does so.
type owner struct {
	door    *doorway
	journal *journal
	random  *rand.Rand
	client  *client.Client

	life int
	late []approval.Approval // put off until their time is over
}

// work answers until no other guard comes.
func (o *owner) work(done *sync.WaitGroup) {
	defer done.Done()
	ctx := context.Background()
	seen := ""
	for {
		_, life, ok := o.door.after(o.life)
		if !ok {
			return
		}
		var list client.Questions
		sent := now()
		err := o.do(life, func() (err error) {
			list, err = o.client.Wait(ctx, seen, 50*time.Millisecond)
			return err
		})
		if err != nil {
			o.broken(life, opWait, err)
			seen = ""
			continue
		}
		seen = list.Version
		for i := range list.Approvals {
			o.saw(&list.Approvals[i], opWait, sent)
		}
		for i := range list.Approvals {
			if !o.decide(ctx, life, &list.Approvals[i]) {
				break
			}
		}
		o.answerLate(ctx, life)
		if o.random.IntN(250) == 0 {
			o.freeze(ctx)
		}
	}
}

// errOver says that the guard of a life is gone, so that nothing was sent.
var errOver = errors.New("this guard is gone")

// do sends a request to the guard of a life.
func (o *owner) do(life int, send func() error) error {
	leave, ok := o.door.enter(life)
	if !ok {
		return errOver
	}
	defer leave()
	return send()
}

func (o *owner) saw(a *approval.Approval, by operation, sent time.Time) {
	o.journal.saw(a.ID, a.Deadline, a.UseBy, sight{a.State, by, sent, now()})
}

// counted notes an answer that counted: the question went into the state that it
// leads to, and stands by now where it is seen, which may be further on.
func (o *owner) counted(seen *approval.Approval, state approval.State, by operation, sent time.Time) {
	o.door.answered()
	led := *seen
	if led.State = state; seen.UseBy.IsZero() && state == approval.Approved {
		o.journal.fault("%s: was approved, and the yes is good for no time", seen.ID)
	}
	o.saw(&led, by, sent)
	o.saw(seen, opWait, sent)
}

// broken waits for the next guard after a connection that broke, and notes any
// other error: the guard may not fail.
func (o *owner) broken(life int, op operation, err error) {
	var problem *client.Problem
	switch {
	case errors.As(err, &problem) && problem.Conflict():
		o.door.answered()
	case errors.Is(err, errOver):
		o.life = life
	case !errors.As(err, &problem):
		o.life = life
		o.journal.count("cut off in " + string(op))
	default:
		o.journal.fault("%s: %d %s: %v", op, problem.Status, problem.Code, err)
	}
}

// decide does something about a question, or not. ok is false when the guard is
// gone.
func (o *owner) decide(ctx context.Context, life int, a *approval.Approval) (ok bool) {
	pick := o.random.IntN(20)
	switch {
	case a.State == approval.Pending && pick < 13:
		return o.answer(ctx, life, a, true)
	case a.State == approval.Pending && pick < 15:
		return o.answer(ctx, life, a, false)
	case a.State == approval.Pending && pick < 17, a.State == approval.Approved && pick < 2:
		return o.revoke(ctx, life, a)
	case a.State == approval.Pending && pick < 18 && len(o.late) < 20:
		o.late = append(o.late, *a)
	}
	return true
}

func (o *owner) answer(ctx context.Context, life int, a *approval.Approval, yes bool) (ok bool) {
	say := o.client.Deny
	if yes {
		say = o.client.Approve
	}
	sent := now()
	o.door.sending(opAnswer)
	var after approval.Approval
	err := o.do(life, func() (err error) {
		after, err = say(ctx, a.ID, a.Digest, "")
		return err
	})
	if err != nil {
		o.broken(life, opAnswer, err)
		return o.life < life
	}
	o.counted(&after, map[bool]approval.State{true: approval.Approved, false: approval.Denied}[yes], opAnswer, sent)
	return true
}

func (o *owner) revoke(ctx context.Context, life int, a *approval.Approval) (ok bool) {
	sent := now()
	o.door.sending(opRevoke)
	var after approval.Approval
	err := o.do(life, func() (err error) {
		after, err = o.client.Revoke(ctx, a.ID, "", "")
		return err
	})
	if err != nil {
		o.broken(life, opRevoke, err)
		return o.life < life
	}
	o.counted(&after, approval.Revoked, opRevoke, sent)
	return true
}

// answerLate says yes to what was put off and is over by now. It must not count.
func (o *owner) answerLate(ctx context.Context, life int) {
	kept := o.late[:0]
	for i := range o.late {
		a := &o.late[i]
		if now().Before(a.Deadline) {
			kept = append(kept, *a)
			continue
		}
		if o.answer(ctx, life, a, true) {
			o.journal.count("answered late")
		}
	}
	o.late = kept
}

// freeze stops everything, and lets it go on again however often it is cut off.
func (o *owner) freeze(ctx context.Context) {
	_, life, ok := o.door.after(o.life)
	if !ok {
		return
	}
	if err := o.do(life, func() error { return o.client.Freeze(ctx, "stop") }); err != nil {
		o.broken(life, "freeze", err)
	} else {
		o.journal.count("frozen")
	}
	for {
		_, life, ok := o.door.after(o.life)
		if !ok {
			return
		}
		err := o.do(life, func() error { return o.client.Unfreeze(ctx, "go on") })
		if err == nil {
			return
		}
		o.broken(life, "unfreeze", err)
	}
}
