package notice

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/countersign/countersign/approval"
	"github.com/countersign/countersign/ledger"
	"github.com/countersign/countersign/risk"
)

// fake is a channel that does what the next of its answers says, and the last one
// from then on.
type fake struct {
	mu      sync.Mutex
	answers []func(context.Context) error
	got     []Message
	at      []time.Time
	inside  int
	most    int
}

func (f *fake) Tell(ctx context.Context, m Message) error {
	f.mu.Lock()
	f.got, f.at = append(f.got, m), append(f.at, time.Now())
	f.inside++
	f.most = max(f.most, f.inside)
	answer := takes
	if len(f.answers) > 0 {
		answer = f.answers[0]
		if len(f.answers) > 1 {
			f.answers = f.answers[1:]
		}
	}
	f.mu.Unlock()
	err := answer(ctx)
	f.mu.Lock()
	f.inside--
	f.mu.Unlock()
	return err
}

func (f *fake) told() []Message {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Clone(f.got)
}

// tries are the times of the calls, in seconds after the first.
func (f *fake) tries() (seconds []float64) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, at := range f.at {
		seconds = append(seconds, at.Sub(f.at[0]).Seconds())
	}
	return seconds
}

func takes(context.Context) error { return nil }

func refuses(err error) func(context.Context) error {
	return func(context.Context) error { return err }
}

func hangs(ctx context.Context) error { <-ctx.Done(); return ctx.Err() }

var errBusy = errors.New("connection refused")

// rows keeps what was recorded.
type rows struct {
	mu   sync.Mutex
	said []string
}

func (r *rows) record(_ context.Context, entries ...ledger.Entry) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, e := range entries {
		change := e.Body.(ledger.Change)
		r.said = append(r.said, fmt.Sprintf("%s %s by %s: %s", e.Kind, change.What, change.By, change.Detail))
	}
	return nil
}

func (r *rows) all() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return strings.Join(r.said, "\n")
}

// board makes a board of fakes, which are named a, b, c by their place.
func board(t *testing.T, change func(*Options), fakes ...*fake) *Board {
	t.Helper()
	o := Options{Now: time.Now}
	for i, f := range fakes {
		o.Channels = append(o.Channels, Named{Name: string(rune('a' + i)), Kind: "fake", Where: "here", Channel: f})
	}
	if change != nil {
		change(&o)
	}
	b, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(b.Close)
	return b
}

func question(id string) approval.Approval {
	return approval.Approval{
		ID: id, State: approval.Pending, CreatedAt: time.Now(), Deadline: time.Now().Add(15 * time.Minute),
		Card: approval.Card{Category: risk.Message, Tier: risk.High, App: "WhatsApp", Package: "com.whatsapp", Reason: "Sends a message in WhatsApp (HIGH)."},
	}
}

func ask(t *testing.T, b *Board, a approval.Approval) {
	t.Helper()
	if err := b.Ask(t.Context(), a); err != nil {
		t.Fatal(err)
	}
}

// state is the state of a channel, and why.
func state(s State) string { return strings.TrimSuffix(s.State+": "+s.Why, ": ") }

func TestAllAreTold(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		one, two := &fake{}, &fake{}
		var record rows
		b := board(t, func(o *Options) { o.Record = record.record }, one, two)
		if got := b.States(); len(got) != 2 || got[0].State != Untried || got[0].Name != "a" || got[0].Kind != "fake" || got[0].Where != "here" {
			t.Errorf("before anything they are %+v", got)
		}
		ask(t, b, question("q1"))
		synctest.Wait()
		for i, f := range []*fake{one, two} {
			if got := f.told(); len(got) != 1 || got[0].Data.ID != "q1" || got[0].Type != TypeQuestion {
				t.Errorf("channel %d was told %+v", i, got)
			}
			if s := b.States()[i]; s.State != Works || !s.LastOK.Equal(time.Now()) || !s.LastFailure.IsZero() {
				t.Errorf("channel %d stands at %+v", i, s)
			}
			if s := b.Told("q1")[i]; s.State != Told || !s.At.Equal(time.Now()) {
				t.Errorf("of the question channel %d is %+v", i, s)
			}
		}
		if record.all() != "" {
			t.Errorf("recorded: %s", record.all())
		}
	})
}

// What failed is tried again, later and later, and only that it began to fail and
// works again is recorded.
func TestTriesAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fake{answers: []func(context.Context) error{refuses(errBusy), refuses(errBusy), refuses(errBusy), takes}}
		var record rows
		b := board(t, func(o *Options) { o.Record = record.record }, f)
		ask(t, b, question("q1"))
		time.Sleep(time.Second)
		if s := b.States()[0]; state(s) != "fails: connection refused" {
			t.Errorf("after the first try it is %+v", s)
		}
		if s := b.Told("q1")[0]; state(s) != "waiting: connection refused" {
			t.Errorf("after the first try the question is %+v", s)
		}
		time.Sleep(time.Minute)
		if got := fmt.Sprint(f.tries()); got != "[0 2 6 14]" {
			t.Errorf("tried at seconds %s", got)
		}
		if s := b.States()[0]; state(s) != "works" || s.LastFailure.IsZero() || !s.LastFailure.Before(s.LastOK) {
			t.Errorf("at the end it is %+v", s)
		}
		if s := b.Told("q1")[0]; state(s) != "told" {
			t.Errorf("at the end the question is %+v", s)
		}
		if got := record.all(); got != "channel a by countersign: fails: connection refused\nchannel a by countersign: works again" {
			t.Errorf("recorded:\n%s", got)
		}
	})
}

// The tries end with the question's time.
func TestTriesEndWithTheQuestion(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fake{answers: []func(context.Context) error{refuses(errBusy)}}
		b := board(t, nil, f)
		ask(t, b, question("q1"))
		time.Sleep(24 * time.Hour)
		tries := f.tries()
		if len(tries) != 19 || tries[len(tries)-1] >= (15*time.Minute).Seconds() {
			t.Errorf("tried %d times, at seconds %v", len(tries), tries)
		}
		if s := b.Told("q1")[0]; state(s) != "fails: connection refused" {
			t.Errorf("the question is %+v", s)
		}
	})
}

func TestWhatEndsTheTries(t *testing.T) {
	final := &Failure{Why: "410 gone", Final: true}
	later := &Failure{Why: "429 too many", After: 100 * time.Second}
	much := &Failure{Why: "503", After: time.Hour}
	var slow context.Context
	tests := []struct {
		name    string
		answers []func(context.Context) error
		waits   func(context.Context, string) bool
		tries   string
		one     string // of the question
		whole   string // of the channel
	}{
		{"final", []func(context.Context) error{refuses(final)}, nil, "[0]", "fails: 410 gone", "fails: 410 gone"},
		{"final, wrapped", []func(context.Context) error{refuses(fmt.Errorf("send: %w", final))}, nil, "[0]", "fails: send: 410 gone", "fails: send: 410 gone"},
		{"left alone as asked", []func(context.Context) error{refuses(later), takes}, nil, "[0 100]", "told", "works"},
		{"left alone too long", []func(context.Context) error{refuses(much), takes}, nil, "[0]", "fails: 503", "fails: 503"},
		{"answered before the first try", nil, func(context.Context, string) bool { return false }, "[]", "over", "untried"},
		{"answered before the second", []func(context.Context) error{refuses(errBusy)}, firstOnly(), "[0]", "over: connection refused", "fails: connection refused"},
		{"too slow", []func(context.Context) error{func(ctx context.Context) error { slow = ctx; return hangs(ctx) }, takes}, nil, "[0 22]", "told", "works"},
	}
	for _, test := range tests {
		synctest.Test(t, func(t *testing.T) {
			f := &fake{answers: test.answers}
			b := board(t, func(o *Options) { o.Waits = test.waits }, f)
			ask(t, b, question("q1"))
			time.Sleep(time.Hour)
			if got := fmt.Sprint(f.tries()); got != test.tries {
				t.Errorf("%s: tried at %s, want %s", test.name, got, test.tries)
			}
			if one, whole := state(b.Told("q1")[0]), state(b.States()[0]); one != test.one || whole != test.whole {
				t.Errorf("%s: the question is %q, the channel %q", test.name, one, whole)
			}
		})
	}
	if len(tests) != 7 || slow == nil {
		t.Error("a case is missing")
	}
}

// firstOnly says once that a question waits.
func firstOnly() func(context.Context, string) bool {
	asked := false
	return func(context.Context, string) bool {
		was := asked
		asked = true
		return !was
	}
}

// A channel that hangs keeps neither the desk waiting nor the others, and what it
// has no room for is its failure.
func TestSlowChannel(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		stuck, quick := &fake{answers: []func(context.Context) error{hangs}}, &fake{}
		var record rows
		b := board(t, func(o *Options) { o.Record = record.record }, stuck, quick)
		began := time.Now()
		for i := range 2 * mostQueued {
			q := question(fmt.Sprint("q", i))
			q.Agent = fmt.Sprint("agent ", i) // none of them asks too often
			ask(t, b, q)
			synctest.Wait()
		}
		if took := time.Since(began); took != 0 {
			t.Errorf("the desk waited %v", took)
		}
		if got := len(quick.told()); got != 2*mostQueued {
			t.Errorf("the other channel was told of %d", got)
		}
		last := b.Told(fmt.Sprint("q", 2*mostQueued-1))
		if got := state(last[0]); got != "fails: it was not told: too many questions wait to be told" {
			t.Errorf("the last question is %q at the one that hangs", got)
		}
		if state(last[1]) != "told" || state(b.States()[1]) != "works" {
			t.Errorf("and %+v at the other", last[1])
		}
		if got := record.all(); strings.Count(got, "\n") != 0 || !strings.Contains(got, "channel a by countersign: fails: it was not told") {
			t.Errorf("recorded:\n%s", got)
		}
	})
}

// A question does not wait behind one that is tried again.
func TestNewQuestionsDoNotWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fake{answers: []func(context.Context) error{refuses(errBusy), takes}}
		b := board(t, nil, f)
		ask(t, b, question("q1"))
		synctest.Wait()
		ask(t, b, question("q2"))
		synctest.Wait()
		got := f.told()
		if len(got) != 2 || got[1].Data.ID != "q2" {
			t.Fatalf("told %+v", got)
		}
		if one, two := state(b.Told("q1")[0]), state(b.Told("q2")[0]); one != "waiting: connection refused" || two != "told" {
			t.Errorf("the first is %q, the second %q", one, two)
		}
	})
}
