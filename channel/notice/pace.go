package notice

import (
	"sync"
	"time"
)

// How often one agent's questions are told. An agent that withdraws and asks
// again, or asks about everything, would otherwise make its owner's phone ring
// until nobody looks any more. What has to wait is told later if it is still
// open then; the inbox has it at once in any case.
const (
	// atOnce is how many questions of an agent are told without a pause.
	atOnce = 10
	// every is the pause between further ones.
	every = 30 * time.Second
	// longestTurn is how long a question may wait for its turn; what would wait
	// longer is not told, so that no agent fills the queue for the others.
	longestTurn = 5 * time.Minute
	// mostPaced is how many agents are remembered; those that asked longest ago
	// are forgotten first, and may ask at once again.
	mostPaced = 1024
)

// pace says when each agent's next question may be told. It is safe for
// concurrent use; the zero value is ready.
type pace struct {
	mu sync.Mutex
	// full is when an agent could ask atOnce questions again.
	full map[string]time.Time
}

// next takes the agent's next turn, and returns when that is: at, or later. It is
// false, and takes no turn, where that is too far away.
func (p *pace) next(agent string, at time.Time) (time.Time, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.full == nil {
		p.full = map[string]time.Time{}
	}
	full := p.full[agent]
	if full.Before(at) {
		full = at
	}
	turn := full.Add(-(atOnce - 1) * every)
	if turn.Before(at) {
		turn = at
	}
	if turn.Sub(at) > longestTurn {
		return turn, false
	}
	p.full[agent] = full.Add(every)
	if len(p.full) > mostPaced {
		p.forget()
	}
	return turn, true
}

// forget forgets the agent that is owed a turn soonest.
func (p *pace) forget() {
	oldest, name := time.Time{}, ""
	for agent, full := range p.full {
		if name == "" || full.Before(oldest) {
			oldest, name = full, agent
		}
	}
	delete(p.full, name)
}
