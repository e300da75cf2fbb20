package main

import (
	"bytes"
	"io"
	"strings"
	"testing"

	"github.com/countersign/countersign/cmd/countersign/demo"
)

// walked is a demo on the phone that a person answers, and what it printed. Each
// answer is a line; after the last the input ends, which is no.
func walked(t *testing.T, answers string) (*phoneStage, string) {
	t.Helper()
	adb, err := adbProgram("adb")
	if err != nil {
		t.Fatal(err)
	}
	stage, err := openPhoneStage(adb)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := stage.close(); err != nil {
			t.Error(err)
		}
	})
	var out bytes.Buffer
	w := phoneWalk{ctx: t.Context(), t: &terminal{out: &out, err: io.Discard, width: defaultWidth}, stage: stage, typed: newAnswers(strings.NewReader(answers))}
	steps := demo.PhoneSteps()
	w.total = len(steps)
	if err := w.run(steps); err != nil {
		t.Fatalf("%v\n%s", err, out.String())
	}
	return stage, out.String()
}

// done are the deeds on the stage's phone in a word and its object each.
func (s *phoneStage) done() (deeds []string) {
	for _, e := range s.phone.Effects() {
		deeds = append(deeds, e.What+" "+e.Object)
	}
	return deeds
}

// A person who says no to everything gets to the end, and nothing that the guard
// asked about has happened.
func TestDemoOnThePhoneWithoutAYes(t *testing.T) {
	stage, said := walked(t, "")
	if deeds := strings.Join(stage.done(), ", "); deeds != "saved Payphone booths" {
		t.Errorf("%s, want only what passes unasked:\n%s", deeds, said)
	}
	if !strings.Contains(said, ", 5 asked (0 yes, 5 no), ") {
		t.Errorf("five questions were to be put:\n%s", said)
	}
}

// A yes has to be the word that is asked for: y is none to a critical question.
func TestDemoOnThePhoneIsAnswered(t *testing.T) {
	stage, said := walked(t, "y\ny\ny\n")
	if deeds := strings.Join(stage.done(), ", "); deeds != "deleted Shopping, saved Payphone booths" {
		t.Errorf("%s, want the note deleted and nothing ordered:\n%s", deeds, said)
	}
}
