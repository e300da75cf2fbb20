package identity

import (
	"crypto/rand"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"
)

// Options are what a Registry can be told. The zero value is good.
type Options struct {
	// Now is the clock, time.Now when nil.
	Now func() time.Time
	// Random is where secrets come from, crypto/rand.Reader when nil. Calls to it
	// are made one at a time.
	Random io.Reader
	// SessionFor is how long a session lasts: 1 minute to 90 days, 7 days when zero.
	SessionFor time.Duration
	// TicketFor is how long a sign-in link works: 1 second to 1 hour, 10 minutes when zero.
	TicketFor time.Duration
}

func (o *Options) validate() error {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Random == nil {
		o.Random = rand.Reader
	}
	if o.SessionFor == 0 {
		o.SessionFor = 7 * 24 * time.Hour
	}
	if o.TicketFor == 0 {
		o.TicketFor = 10 * time.Minute
	}
	if o.SessionFor < time.Minute || o.SessionFor > 90*24*time.Hour {
		return fmt.Errorf("identity: sessions of %v; 1 minute to 90 days are accepted", o.SessionFor)
	}
	if o.TicketFor < time.Second || o.TicketFor > time.Hour {
		return fmt.Errorf("identity: sign-in links of %v; 1 second to 1 hour are accepted", o.TicketFor)
	}
	return nil
}

// Registry makes credentials, withdraws them and says whose they are. It is safe
// for concurrent use, and is the only writer of its Store: what another process
// changes there may be seen late, since agents are remembered.
type Registry struct {
	store Store
	o     Options

	// change is held by whatever writes, across reading what the write depends on.
	change sync.Mutex

	// agents remembers agents by the hash of their token, revoked ones too. It
	// has no more entries than there are agents: a token that is nobody's is not
	// remembered.
	agents agentCache
}

// New makes a Registry over a store.
func New(store Store, o Options) (*Registry, error) {
	if store == nil {
		return nil, errors.New("identity: a registry needs a store")
	}
	if err := o.validate(); err != nil {
		return nil, err
	}
	return &Registry{store: store, o: o}, nil
}

// now is the time as the store keeps it.
func (r *Registry) now() time.Time { return r.o.Now().UTC().Truncate(time.Microsecond) }

// agentCache is a memory of agents that a revocation empties.
type agentCache struct {
	mu     sync.RWMutex
	byHash map[[sha256.Size]byte]Agent
	// emptied counts how often it was emptied. What was read from the store
	// before the last time is out of date and is not put in.
	emptied uint64
}

// get is the agent with this hash and whether it is known, and the count to
// hand to put after asking the store.
func (c *agentCache) get(hash [sha256.Size]byte) (a Agent, known bool, emptied uint64) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	a, known = c.byHash[hash]
	return a, known, c.emptied
}

func (c *agentCache) put(hash [sha256.Size]byte, a Agent, emptied uint64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if emptied != c.emptied {
		return
	}
	if c.byHash == nil {
		c.byHash = make(map[[sha256.Size]byte]Agent)
	}
	c.byHash[hash] = a
}

func (c *agentCache) empty() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.byHash = nil
	c.emptied++
}
