package notice

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/countersign/countersign/risk"
)

func TestRoutes(t *testing.T) {
	tests := []struct {
		names []string
		want  string
	}{
		{[]string{All}, "abc"}, {nil, ""}, {[]string{}, ""}, {[]string{"b"}, "b"}, {[]string{"c", "a"}, "ac"},
		{[]string{"b", "b"}, "b"}, {[]string{"nobody"}, ""}, {[]string{"nobody", "c"}, "c"},
	}
	for _, test := range tests {
		synctest.Test(t, func(t *testing.T) {
			fakes := []*fake{{}, {}, {}}
			b := board(t, func(o *Options) {
				o.Route = func(c risk.Category, tier risk.Tier, critical bool, at time.Time) []string {
					if c != risk.Message || tier != risk.High || critical || !at.Equal(time.Now()) {
						t.Errorf("asked about %v in %v, critical %v, at %v", c, tier, critical, at)
					}
					return test.names
				}
			}, fakes...)
			ask(t, b, question("q1"))
			synctest.Wait()
			got, said := "", ""
			for i, f := range fakes {
				if len(f.told()) > 0 {
					got += string(rune('a' + i))
				}
			}
			for _, s := range b.Told("q1") {
				said += s.Name
			}
			if got != test.want || said != test.want {
				t.Errorf("%q: told %q, says %q, want %q", test.names, got, said, test.want)
			}
		})
	}
	if len(tests) != 8 {
		t.Errorf("ran %d cases, want 8", len(tests))
	}
}

// Somebody is there as long as one channel of the route may work.
func TestReaches(t *testing.T) {
	broken, fine := refuses(&Failure{Why: "no", Final: true}), takes
	type answers = []func(context.Context) error
	tests := []struct {
		name     string
		required bool
		route    []string
		channels []answers
		after    time.Duration // since the question before
		first    bool          // there was one before
		want     bool
	}{
		{"nothing is required", false, nil, nil, 0, false, true},
		{"nothing is required, all fail", false, []string{All}, []answers{{broken}}, 0, true, true},
		{"no channel at all", true, []string{All}, nil, 0, false, false},
		{"nobody is told", true, nil, []answers{{fine}}, 0, true, false},
		{"untried", true, []string{All}, []answers{{broken}}, 0, false, true},
		{"worked", true, []string{All}, []answers{{fine}}, 0, true, true},
		{"failed", true, []string{All}, []answers{{broken}}, 0, true, false},
		{"failed nine minutes ago", true, []string{All}, []answers{{broken}}, 9 * time.Minute, true, false},
		{"failed ten minutes ago", true, []string{All}, []answers{{broken}}, 10 * time.Minute, true, true},
		{"one of two failed", true, []string{All}, []answers{{broken}, {fine}}, 0, true, true},
		{"the one that is told failed", true, []string{"a"}, []answers{{broken}, {fine}}, 0, true, false},
		{"it works again", true, []string{All}, []answers{{refuses(errBusy), fine}}, time.Minute, true, true},
	}
	for _, test := range tests {
		synctest.Test(t, func(t *testing.T) {
			var fakes []*fake
			for _, a := range test.channels {
				fakes = append(fakes, &fake{answers: a})
			}
			b := board(t, func(o *Options) {
				o.Required = func() bool { return test.required }
				o.Route = func(risk.Category, risk.Tier, bool, time.Time) []string { return test.route }
			}, fakes...)
			if test.first {
				ask(t, b, question("before"))
				time.Sleep(test.after)
				synctest.Wait()
			}
			a := question("q1")
			if got := b.Reaches(&a); got != test.want {
				t.Errorf("%s: %v, the channels are %+v", test.name, got, b.States())
			}
		})
	}
	if len(tests) != 12 {
		t.Errorf("ran %d cases, want 12", len(tests))
	}
}

func TestTestMessages(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fake{answers: []func(context.Context) error{refuses(errBusy), takes}}
		var record rows
		b := board(t, func(o *Options) { o.Record = record.record }, f)
		s, err := b.Test(t.Context(), "a")
		if err != nil || state(s) != "fails: connection refused" {
			t.Errorf("%+v, %v", s, err)
		}
		s, err = b.Test(t.Context(), "a")
		if err != nil || state(s) != "works" || state(b.States()[0]) != "works" {
			t.Errorf("%+v, %v", s, err)
		}
		got := f.told()
		if len(got) != 2 || got[0].Type != TypeTest || !strings.Contains(got[0].Data.Sentence, "test of the channel a") {
			t.Errorf("told %+v", got)
		}
		if want := "channel a by countersign: fails: connection refused\nchannel a by countersign: works again"; record.all() != want {
			t.Errorf("recorded:\n%s", record.all())
		}
		if _, err := b.Test(t.Context(), "z"); !errors.Is(err, ErrUnknown) || !strings.Contains(err.Error(), "there are a") {
			t.Errorf("an unknown one: %v", err)
		}
		if _, err := board(t, nil).Test(t.Context(), "z"); !errors.Is(err, ErrUnknown) || !strings.Contains(err.Error(), "none at all") {
			t.Errorf("of none: %v", err)
		}
	})
}

// Tests and questions go to a channel one at a time.
func TestOneAtATime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		slow := func(context.Context) error { time.Sleep(time.Second); return nil }
		f := &fake{answers: []func(context.Context) error{slow}}
		b := board(t, nil, f)
		var group sync.WaitGroup
		for i := range 5 {
			ask(t, b, question(fmt.Sprint("q", i)))
			group.Go(func() {
				if s, err := b.Test(t.Context(), "a"); err != nil || s.State != Works {
					t.Errorf("%+v, %v", s, err)
				}
			})
		}
		group.Wait()
		time.Sleep(time.Minute)
		if len(f.told()) != 10 || f.most != 1 {
			t.Errorf("told %d times, %d at once", len(f.told()), f.most)
		}
	})
}

// Close ends while a channel hangs, and that it did is nobody's failure.
func TestClose(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := board(t, nil, &fake{answers: []func(context.Context) error{hangs}})
		ask(t, b, question("q1"))
		synctest.Wait()
		began := time.Now()
		b.Close()
		if took := time.Since(began); took != 0 {
			t.Errorf("Close took %v", took)
		}
		if got := state(b.States()[0]); got != "untried" {
			t.Errorf("the channel is %q", got)
		}
		ask(t, b, question("q2")) // the desk may still ask
	})
}

// What is remembered of questions is bounded.
func TestRemembersTheLastOnes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fake{}
		b := board(t, nil, f)
		for i := range remembered + 50 {
			q := question(fmt.Sprint("q", i))
			q.Agent = fmt.Sprint("agent ", i) // none of them asks too often
			ask(t, b, q)
			synctest.Wait()
		}
		if got := b.Told("q0"); len(got) != 0 {
			t.Errorf("the first one is still known: %+v", got)
		}
		if got := b.Told(fmt.Sprint("q", remembered+49)); len(got) != 1 || got[0].State != Told {
			t.Errorf("the last one is %+v", got)
		}
		if len(b.told) != remembered || len(b.order) != remembered || len(b.lanes[0].about) != remembered {
			t.Errorf("remembers %d, %d and %d", len(b.told), len(b.order), len(b.lanes[0].about))
		}
	})
}

// A message links only to an https address, as it is when the message is made.
func TestLinks(t *testing.T) {
	tests := []struct{ inbox, want string }{
		{"", ""}, {"http://k3v9.localhost:8788", ""}, {"inbox.example", ""}, {"https://me:secret@inbox.example", ""}, {"https://", ""}, {"https://%zz", ""},
		{"https://inbox.example", "https://inbox.example/approvals/q1"}, {"https://10.0.0.7:8789", "https://10.0.0.7:8789/approvals/q1"},
	}
	for _, test := range tests {
		synctest.Test(t, func(t *testing.T) {
			f, inbox := &fake{}, "https://too.early"
			b := board(t, func(o *Options) { o.Inbox = func() string { return inbox } }, f)
			inbox = test.inbox
			ask(t, b, question("q1"))
			synctest.Wait()
			if got := f.told()[0].Data; got.URL != test.want || (got.Where == AtTheComputer) != (test.want == "") {
				t.Errorf("%q: %q, %q", test.inbox, got.URL, got.Where)
			}
		})
	}
	if len(tests) != 8 {
		t.Errorf("ran %d cases, want 8", len(tests))
	}
}

func TestNewRefuses(t *testing.T) {
	fine := Named{Name: "a", Channel: &fake{}}
	tests := []Options{
		{},
		{Now: time.Now, Channels: []Named{{Name: "a"}}},
		{Now: time.Now, Channels: []Named{{Channel: &fake{}}}},
		{Now: time.Now, Channels: []Named{{Name: All, Channel: &fake{}}}},
		{Now: time.Now, Channels: []Named{fine, fine}},
	}
	for i, o := range tests {
		if b, err := New(o); err == nil {
			b.Close()
			t.Errorf("case %d was accepted: %+v", i, o)
		}
	}
	if len(tests) != 5 {
		t.Errorf("ran %d cases, want 5", len(tests))
	}
}
