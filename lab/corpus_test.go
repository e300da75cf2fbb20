package lab

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/countersign/countersign"
	"github.com/countersign/countersign/risk"
)

// The figures of the project on real screens. They are floors for recall and
// ceilings for needless questions; the published and the flat guard are pinned
// to what was measured for them, since a comparison that moves is broken.
func TestFiguresOnRealScreens(t *testing.T) {
	all := runCorpus(t, "cases.jsonl", 558)
	want := ScoreOf(all[0])
	if want.Recall.Total != 88 || want.Needless.Total != 420 {
		t.Fatalf("%d rows want a question and %d do not; the corpus has 88 and 420", want.Recall.Total, want.Needless.Total)
	}
	atLeast(t, "recall, all languages", want.Recall, 0.85)
	atMost(t, "needless, all languages", want.Needless, 0.03)
	var english []Result
	for _, r := range all[0] {
		if r.Case.Locale == "en" {
			english = append(english, r)
		}
	}
	en := ScoreOf(english)
	if en.Recall.Total != 62 {
		t.Fatalf("%d English rows want a question; the corpus has 62", en.Recall.Total)
	}
	atLeast(t, "recall, English", en.Recall, 0.90)

	for i, pinned := range []struct {
		name             string
		recall, needless int
	}{{"post", 10, 15}, {"flat", 5, 7}} {
		s := ScoreOf(all[i+1])
		if s.Recall.Hits != pinned.recall || s.Needless.Hits != pinned.needless {
			t.Errorf("%s: %d of 88 and %d of 420, it is pinned to %d and %d", pinned.name,
				s.Recall.Hits, s.Needless.Hits, pinned.recall, pinned.needless)
		}
	}
}

func TestFiguresOnAgentSteps(t *testing.T) {
	s := ScoreOf(runCorpus(t, "agent_steps.jsonl", 560)[0])
	atLeast(t, "recall on agent steps", s.Recall, 0.92)
	atMost(t, "questions on allowed steps", s.Needless, 0.005)
}

func atLeast(t *testing.T, what string, r Rate, floor float64) {
	t.Helper()
	t.Logf("%s: %d of %d = %.1f %%", what, r.Hits, r.Total, 100*r.Share())
	if r.Total == 0 || r.Share() < floor {
		t.Errorf("%s: %d of %d, at least %.1f %% is the floor", what, r.Hits, r.Total, 100*floor)
	}
}

func atMost(t *testing.T, what string, r Rate, ceiling float64) {
	t.Helper()
	t.Logf("%s: %d of %d = %.1f %%", what, r.Hits, r.Total, 100*r.Share())
	if r.Total == 0 || r.Share() > ceiling {
		t.Errorf("%s: %d of %d, at most %.1f %% is the ceiling", what, r.Hits, r.Total, 100*ceiling)
	}
}

// runCorpus decides the cases of a file beside the checkout with the three presets.
func runCorpus(t *testing.T, name string, want int) [][]Result {
	t.Helper()
	path := filepath.Join("..", "..", "shared", "corpus", "ui", name)
	file, err := os.Open(path)
	if err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatalf("the corpus must be there in CI: %v", err)
		}
		t.Skipf("skipped: the corpus is not beside the checkout (%v)", err)
	}
	defer file.Close()
	cases, err := ReadCases(file, filepath.Dir(path))
	if err != nil {
		t.Fatal(err)
	}
	if len(cases) != want {
		t.Fatalf("%d cases, the corpus has %d", len(cases), want)
	}
	var judges []Judge
	for _, preset := range []string{"default", "post", "flat"} {
		guard, err := countersign.New(countersign.Options{Policy: preset})
		if err != nil {
			t.Fatal(err)
		}
		judges = append(judges, Judge{Name: preset, Guard: guard})
	}
	results, err := Run(cases, judges, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range results[0] {
		if r.Decision.Category == risk.Affirmative || r.Decision.Category == risk.Dismissal {
			t.Errorf("%s: category %v is none of a decision", r.Case.ID, r.Decision.Category)
		}
	}
	return results
}

// Our own screens, which are in the repository and run everywhere. The second
// set is of other apps, more of the system and more languages, and less was
// learned from it.
func TestFiguresOnOurScreens(t *testing.T) {
	for _, set := range []struct {
		folder            string
		cases, want, rest int
		recall, needless  float64
	}{
		{"screens", 847, 227, 516, 0.95, 0.025},
		{"more-screens", 664, 152, 380, 0.87, 0.045},
	} {
		s := scoreOurs(t, set.folder, set.cases)
		if s.Recall.Total != set.want || s.Needless.Total != set.rest {
			t.Fatalf("%s: %d rows want a question and %d do not; there are %d and %d", set.folder,
				s.Recall.Total, s.Needless.Total, set.want, set.rest)
		}
		atLeast(t, "recall on "+set.folder, s.Recall, set.recall)
		atMost(t, "needless on "+set.folder, s.Needless, set.needless)
	}
}

func scoreOurs(t *testing.T, folder string, want int) Score {
	t.Helper()
	file, err := os.Open(filepath.Join("..", "corpus", folder, "cases.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	cases, err := ReadCases(file, filepath.Dir(file.Name()))
	if err != nil {
		t.Fatal(err)
	}
	if len(cases) != want {
		t.Fatalf("%s: %d cases, there are %d", folder, len(cases), want)
	}
	guard, err := countersign.New(countersign.Options{})
	if err != nil {
		t.Fatal(err)
	}
	results, err := Run(cases, []Judge{{Name: "default", Guard: guard}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return ScoreOf(results[0])
}
