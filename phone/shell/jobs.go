package shell

import (
	"context"
	"sync"
)

// jobs are the commands of a line that run in the background.
type jobs struct {
	mu sync.Mutex
	// holding are those that have an output of the line, running all.
	holding, running int
	idle             chan struct{} // closed when none holds an output; nil while nobody waits
	// over is called once the line has ended and nothing of it is running.
	over func()
}

// spawn counts a job that begins.
func (j *jobs) spawn(holds bool) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.running++
	if holds {
		j.holding++
	}
}

// reap counts a job that has ended.
func (j *jobs) reap(held bool) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.running--
	if held {
		j.holding--
	}
	if j.holding <= 0 && j.idle != nil {
		close(j.idle)
		j.idle = nil
	}
	j.rest()
}

// wait waits until no job holds an output, or for the end of the context.
func (j *jobs) wait(ctx context.Context) {
	j.mu.Lock()
	if j.holding <= 0 {
		j.mu.Unlock()
		return
	}
	idle := make(chan struct{})
	j.idle = idle
	j.mu.Unlock()
	select {
	case <-idle:
	case <-ctx.Done():
	}
}

// ended says that the line has ended, and what to do when its jobs have too.
func (j *jobs) ended(over func()) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.over = over
	j.rest()
}

// rest ends what is over. The lock is held.
func (j *jobs) rest() {
	if j.running <= 0 && j.over != nil {
		j.over()
		j.over = nil
	}
}
