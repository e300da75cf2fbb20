package policy

import (
	"slices"
	"testing"

	"github.com/countersign/countersign/policies"
	"github.com/countersign/countersign/risk"
)

func preset(t testing.TB, name string) *Policy {
	t.Helper()
	p, err := Preset(name)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func presetCases(t testing.TB, name string) []byte {
	t.Helper()
	data, err := PresetCases(name)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// Each preset names its engine and passes the cases beside it, all of them.
func TestPresets(t *testing.T) {
	presets := map[string]struct {
		engine Engine
		cases  int
	}{
		"default": {Context, 71},
		"flat":    {Flat, 9},
		"post":    {Published, 9},
	}
	for _, name := range PresetNames() {
		want, known := presets[name]
		if !known {
			t.Fatalf("preset %s has no expectation here", name)
		}
		delete(presets, name)
		p := preset(t, name)
		if p.Engine() != want.engine {
			t.Errorf("%s: engine %s, want %s", name, p.Engine(), want.engine)
		}
		results, err := RunCases(p, presetCases(t, name))
		if err != nil {
			t.Fatalf("%s:\n%v", name, err)
		}
		if len(results) != want.cases {
			t.Errorf("%s: ran %d cases, want %d", name, len(results), want.cases)
		}
		for _, r := range results {
			if !r.Passed() {
				t.Errorf("%s: line %d, %s: got %s (%s), want %s (%s)", name, r.Line, r.Name, r.Got, r.Rule, r.Want, r.WantRule)
			}
		}
	}
	if len(presets) > 0 {
		t.Errorf("not among the presets: %v", presets)
	}
}

// Every folder of policies is a preset, and the other way round.
func TestPresetNames(t *testing.T) {
	folders, err := policies.Files.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, f := range folders {
		names = append(names, f.Name())
	}
	if want := PresetNames(); !slices.Equal(names, want) {
		t.Errorf("folders %v, presets %v", names, want)
	}
	for _, name := range []string{"", ".", "..", "Default", "default/policy.yaml", "../policies/default"} {
		if p, err := Preset(name); err == nil {
			t.Errorf("Preset(%q) = %s, want an error", name, p.Name())
		}
	}
}

// The cases of the default preset would notice any change of any cell.
func TestDefaultCasesHoldEveryCell(t *testing.T) {
	p, data := preset(t, "default"), presetCases(t, "default")
	changes := 0
	for tier := range tiers {
		for c := range categories {
			for other := denied; other <= allowed; other++ {
				if p.table[tier][c] == other {
					continue
				}
				changed := *p
				changed.table[tier][c] = other
				results, err := RunCases(&changed, data)
				if err != nil {
					t.Fatal(err)
				}
				changes++
				if !slices.ContainsFunc(results, func(r CaseResult) bool { return !r.Passed() }) {
					t.Errorf("%s.%s: from %s to %s and every case still passes", tier, c, cellWords[p.table[tier][c]], cellWords[other])
				}
			}
		}
	}
	if want := 3 * 22 * 5; changes != want {
		t.Errorf("tried %d changes, want %d", changes, want)
	}
}

// The cases meet each conditional cell both ways.
func TestDefaultCasesMeetConditionsBothWays(t *testing.T) {
	p := preset(t, "default")
	results, err := RunCases(p, presetCases(t, "default"))
	if err != nil {
		t.Fatal(err)
	}
	outcomes := map[string][]string{}
	for _, r := range results {
		outcomes[r.Rule] = append(outcomes[r.Rule], r.Got)
	}
	if len(outcomes) != 3*22 {
		t.Errorf("the cases meet %d cells, want %d", len(outcomes), 3*22)
	}
	conditional := 0
	for tier := range tiers {
		for c := range categories {
			if cell := p.table[tier][c]; cell != confirmIfAskedOrPermanent && cell != allowIfObserved {
				continue
			}
			conditional++
			got := outcomes[cellNames[tier][c]]
			if !slices.Contains(got, "allow") || !slices.Contains(got, "confirm") {
				t.Errorf("%s.%s: the cases see only %v", tier, c, got)
			}
		}
	}
	if conditional != 2 || p.table[risk.Low][risk.Delete] != confirmIfAskedOrPermanent || p.table[risk.Low][risk.Unknown] != allowIfObserved {
		t.Errorf("%d conditional cells, want LOW.delete and LOW.unknown", conditional)
	}
}
