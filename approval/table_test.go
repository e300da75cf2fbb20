package approval

import (
	"os"
	"regexp"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// The table that people read is the table that the code follows.
func TestDocsShowTheTable(t *testing.T) {
	doc, err := os.ReadFile("../docs/approvals.md")
	if err != nil {
		t.Fatal(err)
	}
	var shown []string
	for _, m := range regexp.MustCompile(`(?m)^\| (\w+) \| (\w+) \| (\w+) \|$`).FindAllStringSubmatch(string(doc), -1) {
		shown = append(shown, m[1]+" "+m[2]+" "+m[3])
	}
	shown = slices.DeleteFunc(shown, func(s string) bool { return s == "from event to" })
	var want []string
	for _, s := range Table() {
		want = append(want, s.From.String()+" "+s.Event.String()+" "+s.To.String())
	}
	if len(want) != 16 || !slices.Equal(shown, want) {
		t.Errorf("docs/approvals.md shows\n%q\nthe code has %d steps\n%q", shown, len(want), want)
	}
}

// Of every state and event exactly the steps of the table move anything.
func TestEveryOtherEventIsAConflict(t *testing.T) {
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	moves, conflicts := 0, 0
	for _, s := range append(States(), None) {
		for _, e := range Events() {
			a := Approval{ID: "a_1", State: s, Version: 7}
			err := a.Move(e, at, Cause{By: "x"}, Terms{UseWithin: time.Minute, ReleaseWithin: time.Minute})
			i := slices.IndexFunc(Table(), func(step Step) bool { return step.From == s && step.Event == e })
			switch {
			case i < 0:
				conflicts++
				c, ok := err.(*Conflict)
				if !ok || c.State != s || c.Event != e || a.State != s || a.Version != 7 {
					t.Errorf("%v on %v: %v, state %v version %d", e, s, err, a.State, a.Version)
				}
			case err != nil || a.State != Table()[i].To || a.Version != 8:
				t.Errorf("%v on %v: %v, state %v version %d", e, s, err, a.State, a.Version)
			default:
				moves++
			}
		}
	}
	if moves != 16 || conflicts != 12*12-16 {
		t.Errorf("%d moves and %d conflicts", moves, conflicts)
	}
}

// What has ended never moves again, and nothing reaches released without a yes.
func TestOnlyAYesLeadsToARelease(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
		a := Approval{ID: "a_1", Deadline: at.Add(time.Hour)}
		yes, ended := false, false
		for range rapid.IntRange(1, 40).Draw(t, "steps") {
			at = at.Add(time.Duration(rapid.IntRange(0, 60).Draw(t, "seconds")) * time.Second)
			e := rapid.SampledFrom(Events()).Draw(t, "event")
			before := a
			err := a.Move(e, at, Cause{By: "x"}, Terms{UseWithin: time.Minute, ReleaseWithin: time.Minute})
			if ended && err == nil {
				t.Fatalf("%v moved %v", e, before.State)
			}
			yes = yes || err == nil && e == Approve
			ended = ended || err == nil && !a.State.Open()
			if (a.State == Releasing || a.State == Released) && !yes {
				t.Fatalf("%v without a yes", a.State)
			}
		}
	})
}

// A late answer is a conflict whether or not anybody has swept.
func TestLateEventsDoNotCount(t *testing.T) {
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	terms := Terms{UseWithin: time.Minute, ReleaseWithin: time.Minute}
	cases := []struct {
		name  string
		a     Approval
		event Event
		due   Event
	}{
		{"yes after the deadline", Approval{State: Pending, Deadline: at}, Approve, Expire},
		{"no after the deadline", Approval{State: Pending, Deadline: at}, Deny, Expire},
		{"yes after the parking", Approval{State: Pending, Deadline: at.Add(time.Hour), ParkedUntil: at}, Approve, Expire},
		{"release after the yes lapsed", Approval{State: Approved, UseBy: at}, Begin, Expire},
		{"result after the release was lost", Approval{State: Releasing, ReleaseBy: at}, Succeed, Lose},
	}
	for _, c := range cases {
		if err := c.a.Move(c.event, at, Cause{}, terms); err == nil {
			t.Errorf("%s: it counted", c.name)
		}
		early := c.a
		if err := early.Move(c.event, at.Add(-time.Millisecond), Cause{}, terms); err != nil {
			t.Errorf("%s: a millisecond before: %v", c.name, err)
		}
		if due, _, ok := c.a.Overdue(at); !ok || due != c.due {
			t.Errorf("%s: due is %v", c.name, due)
		}
	}
	if len(cases) != 5 {
		t.Errorf("%d cases", len(cases))
	}
}

func TestWordsComeBack(t *testing.T) {
	for _, s := range append(States(), None) {
		text, err := s.MarshalText()
		var back State
		if err != nil || back.UnmarshalText(text) != nil || back != s {
			t.Errorf("%v is written %q and read %v", s, text, back)
		}
	}
	var s State
	if err := s.UnmarshalText([]byte("maybe")); err == nil {
		t.Error("an unknown state is accepted")
	}
}
