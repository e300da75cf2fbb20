package e2e

import (
	"fmt"
	"sync"
	"time"

	"github.com/countersign/countersign/approval"
)

// sight is one thing that a client was told about a question: it was in this
// state at some moment between sent and got.
type sight struct {
	state     approval.State
	by        operation
	sent, got time.Time
}

// known is what the clients know of one question.
type known struct {
	agent, key string
	deadline   time.Time
	useBy      time.Time
	sights     []sight
	acted      []time.Time
}

// journal is what the clients and the device noted down, apart from the guard:
// what was acknowledged, and what the device carried out. It is safe for
// concurrent use.
type journal struct {
	mu        sync.Mutex
	questions map[string]*known
	keys      map[string]string // idempotency key -> id
	faults    []string
	counts    map[string]int
}

func newJournal() *journal {
	return &journal{questions: map[string]*known{}, keys: map[string]string{}, counts: map[string]int{}}
}

func (j *journal) fault(format string, args ...any) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.note(format, args...)
}

// note is fault with j.mu held.
func (j *journal) note(format string, args ...any) {
	if len(j.faults) < 20 {
		j.faults = append(j.faults, fmt.Sprintf(format, args...))
	}
}

func (j *journal) count(what string) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.counts[what]++
}

// proposed notes that a proposal was answered with a question. The same key has
// the same question, however often it is sent.
func (j *journal) proposed(agent, key, id string) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if first, again := j.keys[key]; again && first != id {
		j.note("key %s: was answered with %s, and later with %s", key, first, id)
	}
	j.keys[key] = id
	q := j.question(id)
	q.agent, q.key = agent, key
}

// saw notes a state, and that deadlines stay as they were.
func (j *journal) saw(id string, deadline, useBy time.Time, s sight) {
	j.mu.Lock()
	defer j.mu.Unlock()
	q := j.question(id)
	if !q.deadline.IsZero() && !q.deadline.Equal(deadline) {
		j.note("%s: its deadline was %v and is %v", id, q.deadline, deadline)
	}
	if !q.useBy.IsZero() && !useBy.IsZero() && !q.useBy.Equal(useBy) {
		j.note("%s: a yes was good until %v and now until %v", id, q.useBy, useBy)
	}
	q.deadline = deadline
	if !useBy.IsZero() {
		q.useBy = useBy
	}
	q.sights = append(q.sights, s)
	switch late := !s.sent.Before(deadline); {
	case s.by == opAnswer && late:
		j.note("%s: an answer that was given at %v counted, the deadline was %v", id, s.sent, deadline)
	case s.by == opRedeem && s.state == approval.Releasing && !s.sent.Before(useBy):
		j.note("%s: released on a request of %v, the yes was good until %v", id, s.sent, useBy)
	}
}

// carriedOut is the simulated device: it does what it is told, and counts.
func (j *journal) carriedOut(id string) {
	j.mu.Lock()
	defer j.mu.Unlock()
	q := j.question(id)
	q.acted = append(q.acted, now())
	j.counts["carried out"]++
}

// question finds or adds a question; j.mu is held.
func (j *journal) question(id string) *known {
	q := j.questions[id]
	if q == nil {
		q = &known{}
		j.questions[id] = q
	}
	return q
}
