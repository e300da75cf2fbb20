package main

import (
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/countersign/countersign"
	"github.com/countersign/countersign/cmd/countersign/demo"
	"github.com/countersign/countersign/risk"
)

var update = flag.Bool("update", false, "draw the pictures of the docs anew")

// pictureSteps are the steps that the picture in the README shows.
var pictureSteps = []string{"mail-send", "notes-send", "arabic-send", "delete-ok", "update-ok", "payment"}

// TestPicturesOfTheDocsAreUpToDate draws them again from the real program.
func TestPicturesOfTheDocsAreUpToDate(t *testing.T) {
	guard, err := countersign.New(countersign.Options{})
	if err != nil {
		t.Fatal(err)
	}
	c := demoCommand{Steps: pictureSteps}
	steps, err := c.choose()
	if err != nil {
		t.Fatal(err)
	}
	session, err := drawSession(guard, steps, "countersign demo "+strings.Join(pictureSteps, " "))
	if err != nil {
		t.Fatal(err)
	}
	asked, err := drawStep(guard, &steps[3])
	if err != nil {
		t.Fatal(err)
	}
	for path, now := range map[string][]byte{
		"../../docs/demo.svg": session, "../../docs/explain.svg": asked,
	} {
		if *update {
			if err := os.WriteFile(path, now, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if read(t, path) != string(now) {
			t.Errorf("%s is not what the program draws now; look at it and run go test ./cmd/countersign -run Pictures -update", path)
		}
	}
}

// TestDemoShowsWhatItPromises pins the decision of each step: the demo is the
// first thing that people see.
func TestDemoShowsWhatItPromises(t *testing.T) {
	want := map[string]struct {
		outcome risk.Outcome
		source  risk.Source
		delta   risk.Delta
	}{
		"mail-send":    {risk.Confirm, risk.ContextAwareGuard, risk.Added},
		"notes-send":   {risk.Allow, risk.ContextAwareGuard, risk.Suppressed},
		"payload-row":  {risk.Allow, risk.ContextAwareGuard, risk.Suppressed},
		"sent-folder":  {risk.Allow, risk.SourceNone, risk.DeltaNone},
		"french-send":  {risk.Confirm, risk.ContextAwareGuard, risk.Added},
		"arabic-send":  {risk.Confirm, risk.ContextAwareGuard, risk.Added},
		"delete-ok":    {risk.Confirm, risk.ContextAwareGuard, risk.Added},
		"update-ok":    {risk.Allow, risk.SourceNone, risk.DeltaNone},
		"payment":      {risk.Confirm, risk.KeywordGuard, risk.DeltaNone},
		"bank-page":    {risk.Confirm, risk.Both, risk.Added},
		"models-doubt": {risk.Confirm, risk.LLMFlagged, risk.DeltaNone},
		"way-round":    {risk.Deny, risk.ContextAwareGuard, risk.Added},
	}
	guard, err := countersign.New(countersign.Options{})
	if err != nil {
		t.Fatal(err)
	}
	ran := 0
	for _, s := range demo.Steps() {
		req, err := s.Request()
		if err != nil {
			t.Fatal(err)
		}
		d := guard.Decide(req)
		w, ok := want[s.Name]
		if !ok {
			t.Errorf("%s: nothing is promised", s.Name)
		}
		if d.Outcome != w.outcome || d.Source != w.source || d.Delta != w.delta {
			t.Errorf("%s: %s %s %s, want %s %s %s: %s", s.Name, d.Outcome, d.Source, d.Delta, w.outcome, w.source, w.delta, d.Reason())
		}
		ran++
	}
	if ran != len(want) {
		t.Errorf("%d steps ran, %d are promised", ran, len(want))
	}
}
