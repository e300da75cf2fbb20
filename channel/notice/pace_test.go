package notice

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"
)

func TestPaceOfOneAgent(t *testing.T) {
	at := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	var p pace
	var waits []string
	for range atOnce + 3 {
		turn, _ := p.next("a", at)
		waits = append(waits, turn.Sub(at).String())
	}
	for i, wait := range waits {
		want := max(0, time.Duration(i-atOnce+1)*every).String()
		if wait != want {
			t.Errorf("question %d waits %s, not %s", i+1, wait, want)
		}
	}
	if turn, ok := p.next("b", at); !ok || turn != at {
		t.Errorf("another agent waits %s", turn.Sub(at))
	}
	told := atOnce + 3
	for range 100 {
		if _, ok := p.next("a", at); ok {
			told++
		}
	}
	if want := atOnce + int(longestTurn/every); told != want {
		t.Errorf("%d questions of one moment are told, not %d", told, want)
	}
	later := at.Add(time.Duration(told) * every)
	for i := range atOnce {
		if turn, ok := p.next("a", later); !ok || turn != later {
			t.Errorf("after a rest question %d waits %s", i+1, turn.Sub(later))
		}
	}
}

// In no stretch of time are more questions told than the pace allows, and turns
// come in the order of the questions.
func TestPaceHolds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var p pace
		at := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
		var turns []time.Time
		for _, gap := range rapid.SliceOfN(rapid.IntRange(0, 90), 1, 80).Draw(t, "gaps") {
			at = at.Add(time.Duration(gap) * time.Second)
			turn, ok := p.next("a", at)
			if !ok {
				continue
			}
			if turn.Before(at) || turn.Sub(at) > longestTurn || len(turns) > 0 && turn.Before(turns[len(turns)-1]) {
				t.Fatalf("the turn %s of a question at %s", turn, at)
			}
			turns = append(turns, turn)
		}
		for i := range turns {
			for j := i + atOnce; j < len(turns); j++ {
				if least := time.Duration(j-i-atOnce+1) * every; turns[j].Sub(turns[i]) < least {
					t.Fatalf("questions %d to %d are told within %s, less than %s", i, j, turns[j].Sub(turns[i]), least)
				}
			}
		}
	})
}

func TestPaceForgets(t *testing.T) {
	var p pace
	at := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	for i := range 2 * mostPaced {
		p.next(fmt.Sprint(i), at.Add(time.Duration(i)*time.Second))
	}
	if len(p.full) > mostPaced {
		t.Errorf("%d agents are remembered", len(p.full))
	}
}

// An agent that withdraws and asks again does not fill the queue for the others,
// and of what it withdrew nothing is told.
func TestAgentThatAsksAgainAndAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fake{}
		var waits atomic.Value
		waits.Store("")
		b := board(t, func(o *Options) {
			o.Waits = func(_ context.Context, id string) bool { return id == waits.Load() || id == "other" }
		}, f)
		for i := range 200 {
			q := question(fmt.Sprint("q", i))
			waits.Store(q.ID)
			ask(t, b, q)
			synctest.Wait()
		}
		if got := b.Told("q199"); len(got) != 1 || state(got[0]) != "over: it was not told: the agent asks too often" {
			t.Errorf("the last question is %+v", got)
		}
		other := question("other")
		other.Agent = "somebody else"
		ask(t, b, other)
		synctest.Wait()
		told := f.told()
		if len(told) != atOnce+1 || told[atOnce].Data.ID != "other" {
			t.Errorf("%d questions were told at once", len(told))
		}
		time.Sleep(time.Hour)
		if got := len(f.told()); got != atOnce+1 {
			t.Errorf("%d were told when nothing waited", got)
		}
	})
}
