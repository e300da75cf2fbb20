package phone

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"
)

// Event is something that reached the phone, whether it did anything or not.
type Event struct {
	At time.Time
	// Kind is what came: tap, longpress, swipe, motion, text, key, keys, ime,
	// intent, broadcast, stop, clear, install, uninstall, enable, grant, appop,
	// setting, display, clipboard, dump, screenshot; and what other packages
	// note, such as service, shell, sync and http.
	Kind string
	// Detail says it in one line, such as "540,1200".
	Detail string
	// Data has the same by name, where that is of use. It may be nil.
	Data map[string]string
}

// Effect is something that happened in the world because of what reached the
// phone: what a guard is there to prevent.
type Effect struct {
	At time.Time
	// App is the package that did it.
	App string
	// What is the deed. Apps send, pay, order, delete, post, like, follow, call,
	// freeze and save (sent, paid, ...); the phone's own are installed,
	// uninstalled, cleared, granted, revoked, enabled, disabled, appop, set,
	// called and pressed.
	What string
	// Object is what it was done to, such as the name of a note or an app.
	Object string
	// Recipient is whom it went to, Amount the sum with its currency, Text the
	// words that were sent. Each may be empty.
	Recipient, Amount, Text string
}

// Note writes down what reached the phone. Its time is set when it is zero.
func (p *Phone) Note(e Event) {
	p.lock()
	defer p.mu.Unlock()
	p.note(e)
}

// noteThat is note for a method of the phone's own.
func (p *Phone) noteThat(kind, format string, args ...any) {
	p.note(Event{Kind: kind, Detail: fmt.Sprintf(format, args...)})
}

func (p *Phone) note(e Event) {
	if e.At.IsZero() {
		e.At = p.options.Now()
	}
	e.Data = maps.Clone(e.Data)
	p.record = append(p.record, e)
	close(p.noted)
	p.noted = make(chan struct{})
}

// Record is everything that reached the phone, the earliest first. The slice is
// the caller's; the events' data is not to be written to.
func (p *Phone) Record() []Event {
	p.lock()
	defer p.mu.Unlock()
	return slices.Clone(p.record)
}

// Effects is what happened in the world, the earliest first. The slice is the
// caller's.
func (p *Phone) Effects() []Effect {
	p.lock()
	defer p.mu.Unlock()
	return slices.Clone(p.effects)
}

// Forget drops the record and the effects so far, for a phone that is used for
// long.
func (p *Phone) Forget() {
	p.lock()
	defer p.mu.Unlock()
	p.record, p.effects = nil, nil
}

// WaitEvent waits until something has reached the phone that matches, and
// returns the first that does: one that was there before counts. When the
// context ends first it returns the context's error.
func (p *Phone) WaitEvent(ctx context.Context, matches func(Event) bool) (Event, error) {
	for from := 0; ; {
		p.lock()
		events, noted := p.record[min(from, len(p.record)):], p.noted
		from = len(p.record)
		p.mu.Unlock()
		for _, e := range events {
			if matches(e) {
				return e, nil
			}
		}
		select {
		case <-noted:
		case <-ctx.Done():
			return Event{}, ctx.Err()
		}
	}
}

// WaitEffects waits until there are at least n effects and returns all of them.
// When the context ends first it returns those there are, and the context's
// error.
func (p *Phone) WaitEffects(ctx context.Context, n int) ([]Effect, error) {
	for {
		p.lock()
		have, more := slices.Clone(p.effects), p.more
		p.mu.Unlock()
		if len(have) >= n {
			return have, nil
		}
		select {
		case <-more:
		case <-ctx.Done():
			return have, ctx.Err()
		}
	}
}

// Happen adds an effect that came about without an app's screen, such as a text
// message that a shell sent. Its time is set.
func (p *Phone) Happen(e Effect) {
	p.lock()
	defer p.mu.Unlock()
	p.happen(e)
}

// happen adds an effect and wakes who waits for one.
func (p *Phone) happen(e Effect) {
	e.At = p.options.Now()
	p.effects = append(p.effects, e)
	close(p.more)
	p.more = make(chan struct{})
}
