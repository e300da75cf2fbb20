package policy

import (
	"regexp"
	"strings"
	"testing"

	"github.com/countersign/countersign/risk"
)

func mustParse(t testing.TB, text string) *Policy {
	t.Helper()
	p, err := Parse("test", []byte(text))
	if err != nil {
		t.Fatalf("%s\n%v", text, err)
	}
	return p
}

func TestMissingPolicyDenies(t *testing.T) {
	asked := 0
	for _, p := range []*Policy{nil, {}} {
		for in := range everyInput("", "com.example.chat") {
			asked++
			if got, want := p.Evaluate(in), (Result{risk.Deny, false, "no_policy", "preset"}); got != want {
				t.Fatalf("%+v: %+v, want %+v", in, got, want)
			}
		}
		if tier, ok := p.TierOverride("com.example.chat"); ok || tier != risk.High {
			t.Errorf("TierOverride: %s, %v", tier, ok)
		}
		if p.Name() != "none" || p.Engine() != Context {
			t.Errorf("%s, %s", p.Name(), p.Engine())
		}
	}
	if want := 2 * 2 * 5 * 26 * 8; asked != want {
		t.Errorf("asked %d times, want %d", asked, want)
	}
}

const exceptions = `
version: 1
extends: default
apps:
  com.example.*: { tier: LOW, table: { message: allow, money: confirm, call: deny } }
  com.example.chat: { table: { message: critical } }
  com.example.chat.*: { tier: HIGH }
  com.example.shop: { table: { money: allow, share: confirm_if_asked_or_permanent } }
  com.example.helper: { table: { bypass: confirm } }
`

func TestExceptionsForApps(t *testing.T) {
	p := mustParse(t, exceptions)
	type is = Input
	tests := []struct {
		name string
		in   Input
		want Result
	}{
		{"an app below the prefix", is{Category: risk.Message, Package: "com.example.notes", Observed: true}, Result{risk.Allow, false, "app com.example.*", "rule"}},
		{"the name of the prefix itself", is{Category: risk.Message, Package: "com.example", Observed: true}, Result{risk.Confirm, false, "table HIGH.message", "layer"}},
		{"a prefix ends at a dot", is{Category: risk.Message, Package: "com.examples.notes", Observed: true}, Result{risk.Confirm, false, "table HIGH.message", "layer"}},
		{"the exact name before the prefix", is{Category: risk.Message, Package: "com.example.chat", Observed: true}, Result{risk.Confirm, true, "app com.example.chat", "rule"}},
		{"what the exact name is silent on", is{Category: risk.Call, Package: "com.example.chat", Observed: true}, Result{risk.Deny, false, "app com.example.*", "rule"}},
		{"what the longer prefix is silent on", is{Category: risk.Call, Package: "com.example.chat.beta", Observed: true}, Result{risk.Deny, false, "app com.example.*", "rule"}},
		{"what all are silent on", is{Category: risk.Publish, Package: "com.example.chat", Observed: true}, Result{risk.Confirm, false, "table HIGH.publish", "layer"}},
		{"another app", is{Category: risk.Call, Package: "org.example.chat", Observed: true}, Result{risk.Confirm, false, "table HIGH.call", "layer"}},
		{"no app", is{Category: risk.Call, Observed: true}, Result{risk.Confirm, false, "table HIGH.call", "layer"}},
		{"capitals make another package", is{Category: risk.Call, Package: "com.Example.chat", Observed: true}, Result{risk.Confirm, false, "table HIGH.call", "layer"}},
		{"a condition, not met", is{Category: risk.Share, Package: "com.example.shop", Observed: true}, Result{risk.Allow, false, "app com.example.shop", "rule"}},
		{"a condition, met", is{Category: risk.Share, Package: "com.example.shop", Observed: true, Permanent: true}, Result{risk.Confirm, false, "app com.example.shop", "rule"}},

		{"a critical question, loosened", is{Category: risk.Money, Package: "com.example.shop", Observed: true}, Result{risk.Allow, false, "app com.example.shop", "rule"}},
		{"not on the agent's word", is{Category: risk.Money, Package: "com.example.shop"}, Result{risk.Confirm, true, "table HIGH.money", "layer"}},
		{"a refusal, loosened", is{Category: risk.Bypass, Package: "com.example.helper", Observed: true}, Result{risk.Confirm, false, "app com.example.helper", "rule"}},
		{"not on the agent's word either", is{Category: risk.Bypass, Package: "com.example.helper"}, Result{risk.Deny, false, "table HIGH.bypass", "layer"}},
		{"a plain question, loosened on the agent's word", is{Category: risk.Message, Package: "com.example.notes"}, Result{risk.Allow, false, "app com.example.*", "rule"}},
		{"stricter on the agent's word", is{Category: risk.Call, Package: "com.example.notes"}, Result{risk.Deny, false, "app com.example.*", "rule"}},
	}
	for _, test := range tests {
		if got := p.Evaluate(test.in); got != test.want {
			t.Errorf("%s: %+v, want %+v", test.name, got, test.want)
		}
	}
	if len(tests) != 18 {
		t.Errorf("ran %d cases, want 18", len(tests))
	}
}

func TestTierOverride(t *testing.T) {
	p := mustParse(t, exceptions)
	tests := []struct {
		pkg  string
		tier risk.Tier
		set  bool
	}{
		{"com.example.notes", risk.Low, true},
		{"com.example.chat", risk.Low, true}, // its own exception is silent on the tier
		{"com.example.chat.beta", risk.High, true},
		{"com.example", risk.High, false},
		{"com.examples", risk.High, false},
		{"com.examplechat", risk.High, false},
		{"", risk.High, false},
		{".", risk.High, false},
		{"com.example.", risk.Low, true},
		{strings.Repeat("com.example.", 1<<16), risk.Low, true},
		{strings.Repeat(".", 1<<20), risk.High, false},
	}
	for _, test := range tests {
		if tier, set := p.TierOverride(test.pkg); tier != test.tier || set != test.set {
			t.Errorf("%.40q: %s, %v, want %s, %v", test.pkg, tier, set, test.tier, test.set)
		}
	}
	if len(tests) != 11 {
		t.Errorf("ran %d cases, want 11", len(tests))
	}
}

// Values from outside the vocabulary get the cautious reading.
func TestOutsideTheVocabulary(t *testing.T) {
	p := preset(t, "default")
	tests := []struct {
		in   Input
		want string
	}{
		{Input{Tier: 3, Category: risk.Message}, "table HIGH.message"},
		{Input{Tier: 255, Category: risk.Delete}, "table HIGH.delete"},
		{Input{Tier: risk.Low, Category: risk.Affirmative, Observed: true}, "table LOW.unknown"},
		{Input{Tier: risk.Low, Category: risk.Dismissal, Observed: true}, "table LOW.unknown"},
		{Input{Tier: risk.Low, Category: 255, Observed: true}, "table LOW.unknown"},
	}
	for _, test := range tests {
		if got := p.Evaluate(test.in); got.Outcome != risk.Confirm || got.Rule != test.want {
			t.Errorf("%+v: %+v, want confirm by %s", test.in, got, test.want)
		}
	}
	if len(tests) != 5 {
		t.Errorf("ran %d cases, want 5", len(tests))
	}
}

func TestName(t *testing.T) {
	one := mustParse(t, exceptions)
	if !regexp.MustCompile(`^test@sha256:[0-9a-f]{16}$`).MatchString(one.Name()) {
		t.Errorf("name %s", one.Name())
	}
	same := `# The same, written otherwise.
apps: {
  com.example.shop: { table: { share: confirm_if_asked_or_permanent, "money": allow } },
  com.example.helper: { table: { bypass: confirm } }, com.example.chat.*: { tier: HIGH },
  com.example.chat: { table: { message: critical } },
  com.example.*: { table: { call: deny, message: allow, money: confirm }, tier: LOW } }
table: { LOW: { delete: confirm_if_asked_or_permanent } }
extends: default
engine: context
version: 1`
	if other := mustParse(t, same); other.Name() != one.Name() {
		t.Errorf("the same policy is called %s and %s", one.Name(), other.Name())
	}
	// Each of these changes says something else.
	changes := []struct{ from, to string }{
		{"tier: LOW", "tier: MEDIUM"},
		{"call: deny", "call: critical"},
		{"com.example.shop:", "com.example.shops:"},
		{"com.example.chat.*:", "com.example.chat.beta:"},
		{"tier: LOW, ", ""},
		{"extends: default", "extends: default\ntable: { LOW: { sign_out: confirm } }"},
	}
	names := map[string]string{one.Name(): "the original"}
	for _, change := range changes {
		p := mustParse(t, strings.Replace(exceptions, change.from, change.to, 1))
		if twin := names[p.Name()]; twin != "" {
			t.Errorf("%s has the name of %s", change.to, twin)
		}
		names[p.Name()] = change.to
	}
	for _, name := range PresetNames() {
		names[strings.Replace(preset(t, name).Name(), name, "test", 1)] = name
	}
	if len(names) != 1+6+3 {
		t.Errorf("%d names, want 10: %v", len(names), names)
	}
}

// The name of a file is the name of its policy; policy.yaml takes its folder's.
func TestLoadNames(t *testing.T) {
	for _, name := range PresetNames() {
		p, err := Load("../policies/" + name + "/policy.yaml")
		if err != nil {
			t.Fatal(err)
		}
		if want := preset(t, name).Name(); p.Name() != want {
			t.Errorf("%s is called %s, want %s", name, p.Name(), want)
		}
	}
	p, err := Load("testdata/careful.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(p.Name(), "careful@") {
		t.Errorf("careful.yaml is called %s", p.Name())
	}
}

func TestEngineString(t *testing.T) {
	for e, want := range map[Engine]string{Context: "context", Flat: "flat", Published: "published", 9: "engine(9)"} {
		if got := e.String(); got != want {
			t.Errorf("%d: %s, want %s", e, got, want)
		}
	}
}

func TestEvaluateDoesNotAllocate(t *testing.T) {
	for _, p := range []*Policy{nil, preset(t, "default"), preset(t, "post"), mustParse(t, exceptions)} {
		allocations := testing.AllocsPerRun(10, func() {
			for in := range everyInput("com.example.chat.beta") {
				p.Evaluate(in)
				p.TierOverride(in.Package)
			}
		})
		if allocations != 0 {
			t.Errorf("%s: %v allocations", p.Name(), allocations)
		}
	}
}
