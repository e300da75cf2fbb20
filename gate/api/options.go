package api

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"github.com/countersign/countersign/decide"
	"github.com/countersign/countersign/gate/api/planner"
)

// Planner proposes the next action of a step that comes without one;
// *planner.Client is one. What it proposes is judged like any other action.
type Planner interface {
	Plan(ctx context.Context, step planner.Step) (planner.Plan, error)
}

// Options say how the gate answers. The zero value is a safe default.
type Options struct {
	// Planner proposes actions for POST /v1/agent/step; nil for none.
	Planner Planner
	// Log is told what went wrong inside, never what an agent sent. Nil drops it.
	Log *slog.Logger
	// Now is the clock of the limits and the counts; the desk's if nil.
	Now func() time.Time
	// Limits bound what one credential can do.
	Limits Limits
	// Hosts are the names that the door answers to besides the loopback names
	// (localhost, 127.0.0.1, ::1): "name" with any port, or "name:port". A name
	// that is not listed is refused, so that a web page cannot have its own name
	// point here.
	Hosts []string
	// Level and Version are shown by /healthz.
	Level, Version string
	// Observe says that the desk is in observe mode: pure decisions and /healthz
	// then say so as well.
	Observe bool
	// Health reports what is wrong with the guard; nil stands for nothing. The
	// error is logged and not shown.
	Health func(ctx context.Context) error
}

// Limits bound what one credential can do. Zero fields are the defaults.
type Limits struct {
	// Body is the size of the largest body in bytes; decide.MaxRequest is both
	// the default and the most.
	Body int64
	// Wait is the longest time that a question is waited for in one request: 60
	// seconds, which is both the default and the most.
	Wait time.Duration
	// PureRate is how many pure decisions a credential may ask for a second (10),
	// Burst how many at once (100). A negative PureRate takes the limit off.
	PureRate float64
	Burst    int
	// BadRate is how many refused requests of a credential leave a row of their
	// own a second (0.1, after the first 20); the others are counted only. A
	// negative BadRate counts them all.
	BadRate float64
}

const (
	maxWait  = time.Minute
	badBurst = 20
	// maxWaits is how many requests of one credential may wait at a time.
	maxWaits = 64
)

func (o *Options) validate() error {
	l := &o.Limits
	switch {
	case l.Body < 0 || l.Body > decide.MaxRequest:
		return fmt.Errorf("api: Limits.Body is %d; it must be 1 to %d bytes, or 0 for the most", l.Body, int64(decide.MaxRequest))
	case l.Wait < 0 || l.Wait > maxWait:
		return fmt.Errorf("api: Limits.Wait is %v; it must be positive and at most %v, or 0 for that", l.Wait, maxWait)
	case l.Burst < 0:
		return fmt.Errorf("api: Limits.Burst is %d; it must be positive, or 0 for 100", l.Burst)
	case l.PureRate != l.PureRate || l.BadRate != l.BadRate:
		return fmt.Errorf("api: a rate in Limits is no number")
	}
	for _, h := range o.Hosts {
		if h == "" || strings.ContainsAny(h, "/*@ ") {
			return fmt.Errorf("api: host %q; give a name such as guard.example or guard.example:8443, without scheme or path", h)
		}
	}
	if l.Body == 0 {
		l.Body = decide.MaxRequest
	}
	if l.Wait == 0 {
		l.Wait = maxWait
	}
	if l.PureRate == 0 {
		l.PureRate = 10
	}
	if l.Burst == 0 {
		l.Burst = 100
	}
	if l.BadRate == 0 {
		l.BadRate = 0.1
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	return nil
}
