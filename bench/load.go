package bench

import (
	"bytes"
	"fmt"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// Load is what to send again and again, and what every answer to it must hold.
type Load struct {
	Network, Address string
	Message          []byte
	Want             string
	Connections      int
}

// Run sends n requests over the connections, each of which sends its next as
// soon as it has the answer to the one before. It returns how long each took,
// the shortest first. An answer that is not as wanted ends it with an error: the
// speed of a wrong answer is worth nothing.
func (l *Load) Run(n int) ([]time.Duration, error) {
	var left atomic.Int64
	left.Store(int64(n))
	took := make([][]time.Duration, l.Connections)
	failed := make([]error, l.Connections)
	var clients sync.WaitGroup
	for i := range l.Connections {
		took[i] = make([]time.Duration, 0, n/l.Connections*2+1)
		clients.Go(func() { took[i], failed[i] = l.one(&left, took[i]) })
	}
	clients.Wait()
	all := make([]time.Duration, 0, n)
	for i := range took {
		if failed[i] != nil {
			return nil, failed[i]
		}
		all = append(all, took[i]...)
	}
	slices.Sort(all)
	return all, nil
}

// one is one connection.
func (l *Load) one(left *atomic.Int64, took []time.Duration) ([]time.Duration, error) {
	wire, err := Dial(l.Network, l.Address)
	if err != nil {
		return nil, err
	}
	defer wire.Close()
	want := []byte(l.Want)
	for left.Add(-1) >= 0 {
		begun := time.Now()
		status, body, err := wire.Do(l.Message)
		if err != nil {
			return nil, err
		}
		took = append(took, time.Since(begun))
		if status != http.StatusOK || !bytes.Contains(body, want) {
			return nil, fmt.Errorf("bench: %d %s, which does not hold %s", status, body, want)
		}
	}
	return took, nil
}

// Quantile is the duration that a share of all are not longer than; sorted holds
// all, the shortest first, and share is from 0 to 1.
func Quantile(sorted []time.Duration, share float64) time.Duration {
	if len(sorted) == 0 {
		return 0
	}
	return sorted[min(int(share*float64(len(sorted))), len(sorted)-1)]
}
