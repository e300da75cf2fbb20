package policy

import "testing"

func TestRunCases(t *testing.T) {
	p := mustParse(t, exceptions)
	results, err := RunCases(p, []byte(`
- { name: passes, input: { tier: HIGH, category: money }, want: critical }
- { name: wrong outcome, input: { tier: HIGH, category: money }, want: confirm }
- { name: right outcome by the wrong rule, input: { category: call }, want: confirm, rule: app com.example.bank }
- { name: the tier of the exception, input: { category: share, package: com.example.notes }, want: allow, rule: table LOW.share }
- { name: a tier of its own, input: { tier: HIGH, category: share, package: com.example.notes }, want: confirm, rule: table HIGH.share }
- { name: no tier and no exception, input: { category: share }, want: confirm, rule: table MEDIUM.share }
- { name: an engine that it does not have, input: { category: none }, want: flat }
`))
	if err != nil {
		t.Fatal(err)
	}
	want := []struct {
		line   int
		got    string
		passed bool
	}{
		{2, "critical", true}, {3, "critical", false}, {4, "confirm", false}, {5, "allow", true},
		{6, "confirm", true}, {7, "confirm", true}, {8, "allow", false},
	}
	if len(results) != len(want) {
		t.Fatalf("%d results, want %d", len(results), len(want))
	}
	for i, r := range results {
		if r.Line != want[i].line || r.Got != want[i].got || r.Passed() != want[i].passed {
			t.Errorf("%+v passed %v, want %+v", r, r.Passed(), want[i])
		}
	}
}

// A policy that is missing fails the cases that want anything but a refusal.
func TestRunCasesWithoutPolicy(t *testing.T) {
	results, err := RunCases(nil, presetCases(t, "default"))
	if err != nil {
		t.Fatal(err)
	}
	passed := 0
	for _, r := range results {
		if r.Passed() {
			passed++
		}
		if r.Got != "deny" || r.Rule != "no_policy" {
			t.Errorf("%s: %s by %s", r.Name, r.Got, r.Rule)
		}
	}
	if len(results) != 71 || passed != 0 {
		t.Errorf("%d of %d cases passed, want none of 71", passed, len(results))
	}
}
