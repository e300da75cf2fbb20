package answer

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"sync"
	"time"

	"github.com/countersign/countersign/approval"
	"github.com/countersign/countersign/channel/inbox"
	"github.com/countersign/countersign/hold"
)

const (
	// settledShown is how many settled questions the list has.
	settledShown = 20
	// drawnFor is how long a drawn list is shown again: what is left of a deadline
	// stands on it.
	drawnFor = 5 * time.Second
)

// board is the list as all pages and streams show it. It is read and drawn once
// for every change, however many look at it.
type board struct {
	mu   sync.Mutex
	last *sight
}

// sight is the list as it was at one change of the desk.
type sight struct {
	// of is the desk's channel from before the list was read. The desk replaces it
	// at every change, so the list is good for as long as it is the desk's.
	of <-chan struct{}

	listing inbox.Listing
	freeze  hold.Freeze
	drawn   inbox.Board
	at      time.Time // when it was drawn
	// whole is the list with all that is open, drawn when somebody asks for it.
	whole func() (inbox.Board, error)
}

// sight is the list as it is now.
func (h *handler) sight(ctx context.Context) (*sight, error) {
	b := &h.board
	b.mu.Lock()
	defer b.mu.Unlock()
	now, changed := h.desk.Now(), h.desk.Changed() // before reading, so that no change is missed
	s := b.last
	if s == nil || s.of != changed {
		// Whoever reads it reads it for all: it is not given up with their request.
		read, err := h.look(context.WithoutCancel(ctx))
		if err != nil {
			return nil, err
		}
		read.of = changed
		s = read
	} else if now.Sub(s.at) < drawnFor {
		return s, nil
	}
	again := *s // others may still look at the old one
	var err error
	if again.drawn, err = inbox.DrawBoard(now, again.listing, false); err != nil {
		return nil, err
	}
	again.at = now
	again.whole = sync.OnceValues(func() (inbox.Board, error) { return inbox.DrawBoard(now, again.listing, true) })
	b.last = &again
	return b.last, nil
}

// drawn is the list as it is now, or the whole of it.
func (h *handler) drawn(ctx context.Context, whole bool) (inbox.Board, error) {
	s, err := h.sight(ctx)
	switch {
	case err != nil:
		return inbox.Board{}, err
	case whole:
		return s.whole()
	}
	return s.drawn, nil
}

// look reads the list.
func (h *handler) look(ctx context.Context) (*sight, error) {
	open, err := h.open(ctx)
	if err != nil {
		return nil, err
	}
	settled, err := h.desk.Views(ctx, hold.Query{States: settledStates, Limit: settledShown})
	if err != nil {
		return nil, err
	}
	s := &sight{}
	if s.freeze, err = h.desk.Frozen(ctx); err != nil {
		return nil, err
	}
	l := &s.listing
	for i := range open {
		if open[i].State != approval.Pending {
			continue
		}
		l.Waiting++
		if at := open[i].CreatedAt; at.After(l.Newest) {
			l.Newest = at
		}
	}
	l.Version = versionOfList(open, settled, s.freeze.Frozen)
	l.Open, l.Settled = open, settled
	return s, nil
}

// versionOfList names a list: a question's own version counts its changes.
func versionOfList(open, settled []approval.Approval, frozen bool) string {
	sum := sha256.New()
	for _, list := range [...][]approval.Approval{open, settled} {
		for i := range list {
			fmt.Fprintf(sum, "%s %d\n", list[i].ID, list[i].Version)
		}
		fmt.Fprintln(sum)
	}
	fmt.Fprintln(sum, frozen)
	return base64.RawURLEncoding.EncodeToString(sum.Sum(nil)[:15])
}
