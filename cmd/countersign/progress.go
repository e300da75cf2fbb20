package main

import (
	"fmt"
	"sync/atomic"
	"time"
)

// patience is how long a command works before it says how far it is.
const patience = 2 * time.Second

// progress tells a person at the terminal how far a command is. The zero value
// tells nobody.
type progress struct {
	count atomic.Int64
	quit  chan struct{}
	ended chan struct{}
}

// progress starts to tell how many things were done, where somebody watches.
func (t *terminal) progress(things string) *progress {
	p := &progress{}
	if !t.errTTY {
		return p
	}
	p.quit, p.ended = make(chan struct{}), make(chan struct{})
	go func() {
		defer close(p.ended)
		ticker := time.NewTicker(patience)
		defer ticker.Stop()
		told := false
		for {
			select {
			case <-p.quit:
				if told {
					fmt.Fprint(t.err, "\r\x1b[K")
				}
				return
			case <-ticker.C:
				told = true
				fmt.Fprintf(t.err, "\r\x1b[K%d %s", p.count.Load(), things)
			}
		}
	}()
	return p
}

func (p *progress) set(n int) { p.count.Store(int64(n)) }

// end removes what was told.
func (p *progress) end() {
	if p.quit != nil {
		close(p.quit)
		<-p.ended
	}
}
