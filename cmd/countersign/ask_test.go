package main

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/countersign/countersign"
	"github.com/countersign/countersign/cmd/countersign/demo"
)

func TestOnlyAClearYesIsYes(t *testing.T) {
	cases := []struct {
		typed, word string
		want        bool
	}{
		{"y\n", "y", true}, {"Y\n", "y", true}, {" yes \n", "y", true}, {"y", "y", true},
		{"\n", "y", false}, {"", "y", false}, {"n\n", "y", false}, {"yy\n", "y", false},
		{"ye\n", "y", false}, {"\x00y\n", "y", false}, {"yep sure\n", "y", false},
		{"yes\n", "yes", true}, {"YES\n", "yes", true}, {"y\n", "yes", false}, {"\n", "yes", false},
	}
	for _, c := range cases {
		var out bytes.Buffer
		got, err := askPerson(&terminal{in: strings.NewReader(c.typed), out: &out}, c.word)
		if err != nil || got != c.want {
			t.Errorf("typed %q where %q is wanted: %v, %v", c.typed, c.word, got, err)
		}
	}
	if len(cases) != 15 {
		t.Errorf("%d cases ran", len(cases))
	}
}

// TestDemoAsksAPerson runs the whole demo on typed answers and looks at what
// became of the actions.
func TestDemoAsksAPerson(t *testing.T) {
	steps := demo.Steps()
	run := func(typed string) string {
		var out bytes.Buffer
		term := &terminal{in: strings.NewReader(typed), out: &out, width: 100}
		guard, err := countersign.New(countersign.Options{})
		if err != nil {
			t.Fatal(err)
		}
		stage, err := openStage()
		if err != nil {
			t.Fatal(err)
		}
		w := walk{t: term, guard: guard, stage: stage, typed: newAnswers(term.in), total: len(steps)}
		if err := errors.Join(w.run(steps), stage.close()); err != nil {
			t.Fatal(err)
		}
		return out.String()
	}
	asked := strings.Count(run(""), "go ahead?")
	if asked < 5 {
		t.Fatalf("%d questions", asked)
	}
	for _, c := range []struct {
		typed string
		yes   int
	}{
		{"", 0}, {strings.Repeat("\n", asked), 0}, {strings.Repeat("yes\n", asked), asked}, {"yes\n", 1},
		{strings.Repeat("y\n", asked), asked - 1}, // the payment wants the whole word
	} {
		out := run(c.typed)
		if got := strings.Count(out, "→ goes ahead"); got != c.yes {
			t.Errorf("typed %q: %d actions went ahead, want %d", c.typed, got, c.yes)
		}
		if got := strings.Count(out, "→ stopped"); got != asked-c.yes {
			t.Errorf("typed %q: %d actions were stopped, want %d", c.typed, got, asked-c.yes)
		}
	}
}
