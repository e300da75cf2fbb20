package policy

import (
	"fmt"
	"iter"
	"strings"
	"testing"

	"github.com/countersign/countersign/risk"
	"pgregory.net/rapid"
)

// everyInput yields every input there is for the packages given, with the tiers
// and categories from outside the vocabulary among them.
func everyInput(packages ...string) iter.Seq[Input] {
	return func(yield func(Input) bool) {
		for _, pkg := range packages {
			for tier := risk.Tier(0); tier < tiers+2; tier++ {
				for c := risk.Category(0); c < categories+4; c++ {
					for bits := range 8 {
						in := Input{Tier: tier, Category: c, Package: pkg, Observed: bits&1 != 0, AppAsks: bits&2 != 0, Permanent: bits&4 != 0}
						if !yield(in) {
							return
						}
					}
				}
			}
		}
	}
}

// checkPromises holds a policy against what package policy promises of every
// policy.
func checkPromises(t interface {
	Helper()
	Errorf(string, ...any)
}, p *Policy, packages ...string) {
	t.Helper()
	for in := range everyInput(packages...) {
		got := p.Evaluate(in)
		seen := in.Category != risk.Unknown && in.Category < categories || in.Category == risk.Unknown && in.Observed
		switch {
		case got.Outcome > risk.Allow || got.Rule == "" || got.By == "":
			t.Errorf("%+v: %+v", in, got)
		case got.Critical && got.Outcome != risk.Confirm:
			t.Errorf("%+v: critical although nobody is asked: %+v", in, got)
		case in.Category == risk.Bypass && got.Outcome == risk.Allow:
			t.Errorf("%+v: bypass is allowed by %s", in, got.Rule)
		case !seen && got.Outcome == risk.Allow:
			t.Errorf("%+v: allowed unseen by %s", in, got.Rule)
		}
		if in.Tier < risk.Low {
			lower := in
			lower.Tier++
			if below := p.Evaluate(lower); got.severity() > below.severity() {
				t.Errorf("%+v: %+v, but %+v in the tier below", in, got, below)
			}
		}
	}
}

func TestPresetsKeepThePromises(t *testing.T) {
	for _, name := range PresetNames() {
		checkPromises(t, preset(t, name), "", "com.example.chat")
	}
	checkPromises(t, mustParse(t, exceptions), "", "com.example", "com.example.notes", "com.example.chat", "com.example.shop", "com.example.helper")
}

// The tier upwards never lowers an outcome, whatever else the input says.
func TestPresetsAreMonotoneInTheTier(t *testing.T) {
	for _, name := range PresetNames() {
		p := preset(t, name)
		rapid.Check(t, func(t *rapid.T) {
			in := Input{
				Category:  risk.Category(rapid.Uint8().Draw(t, "category")),
				Package:   rapid.String().Draw(t, "package"),
				Observed:  rapid.Bool().Draw(t, "observed"),
				AppAsks:   rapid.Bool().Draw(t, "app asks"),
				Permanent: rapid.Bool().Draw(t, "permanent"),
			}
			in.Tier = rapid.SampledFrom([]risk.Tier{risk.Medium, risk.Low}).Draw(t, "tier")
			stricter := in
			stricter.Tier = rapid.SampledFrom([]risk.Tier{risk.High, in.Tier - 1}).Draw(t, "stricter tier")
			if low, high := p.Evaluate(in), p.Evaluate(stricter); high.severity() > low.severity() {
				t.Fatalf("%s: %+v in %s, but %+v in %s", name, low, in.Tier, high, stricter.Tier)
			}
		})
	}
}

func TestZeroPolicyDenies(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := Input{
			Tier:     risk.Tier(rapid.Uint8().Draw(t, "tier")),
			Category: risk.Category(rapid.Uint8().Draw(t, "category")),
			Package:  rapid.String().Draw(t, "package"),
			Observed: rapid.Bool().Draw(t, "observed"),
		}
		var zero Policy
		if got := zero.Evaluate(in); got.Outcome != risk.Deny || got.Rule != "no_policy" {
			t.Fatalf("%+v", got)
		}
	})
}

// Any policy written down from the words of its cells does what the words say:
// a plain reading of the words is the oracle.
func TestPolicyMeansWhatItSays(t *testing.T) {
	packages := []string{"com.example", "com.example.*", "com.example.chat", "com.example.chat.*", "org.example.shop"}
	asked := []string{"", "com.example", "com.example.chat", "com.example.chat.beta", "org.example.shop", "org.example"}
	rapid.Check(t, func(t *rapid.T) {
		rows := map[string]map[string]string{"HIGH": {}, "MEDIUM": {}, "LOW": {}}
		for _, c := range risk.Categories() {
			low := rapid.SampledFrom(lawful(c)).Draw(t, c.String())
			rows["LOW"][c.String()] = low
			rows["MEDIUM"][c.String()] = low
			rows["HIGH"][c.String()] = low
			if low == "allow" || low == "confirm" {
				rows["HIGH"][c.String()] = rapid.SampledFrom([]string{"confirm", "critical", "deny"}).Draw(t, c.String()+" in HIGH")
			}
		}
		exceptions := map[string]map[string]string{}
		for _, key := range rapid.SliceOfDistinct(rapid.SampledFrom(packages), rapid.ID).Draw(t, "apps") {
			exceptions[key] = map[string]string{}
			for _, c := range rapid.SliceOfNDistinct(rapid.SampledFrom(risk.Categories()), 1, 6, rapid.ID).Draw(t, key) {
				exceptions[key][c.String()] = rapid.SampledFrom(lawful(c)).Draw(t, key+" "+c.String())
			}
		}
		p, err := Parse("drawn", []byte(write(rows, exceptions)))
		if err != nil {
			t.Fatalf("%v", err)
		}
		for in := range everyInput(asked...) {
			if in.Tier >= tiers || in.Category >= categories {
				continue
			}
			want := plainly(rows[in.Tier.String()][in.Category.String()], in)
			for _, key := range keysFor(in.Package) {
				if word, ok := exceptions[key][in.Category.String()]; ok {
					own := plainly(word, in)
					if strict := want == "deny" || want == "critical"; in.Observed || !strict || severityOf(own) <= severityOf(want) {
						want = own
					}
					break
				}
			}
			if got := p.Evaluate(in).word(); got != want {
				t.Fatalf("%+v: %s, want %s", in, got, want)
			}
		}
		checkPromises(t, p, asked...)
	})
}

// lawful are the words that a policy may use for a category.
func lawful(c risk.Category) []string {
	switch c {
	case risk.Bypass:
		return []string{"deny", "critical", "confirm"}
	case risk.Unknown:
		return []string{"deny", "critical", "confirm", "allow_if_observed"}
	default:
		return []string{"deny", "critical", "confirm", "confirm_if_asked_or_permanent", "allow_if_observed", "allow"}
	}
}

func plainly(word string, in Input) string {
	switch {
	case word == "allow_if_observed" && in.Observed:
		return "allow"
	case word == "confirm_if_asked_or_permanent" && !in.AppAsks && !in.Permanent:
		return "allow"
	case strings.Contains(word, "_if_"):
		return "confirm"
	}
	return word
}

func severityOf(word string) int {
	return map[string]int{"deny": 0, "critical": 1, "confirm": 2, "allow": 3}[word]
}

// keysFor lists the keys of apps that a package answers to, the most specific
// first.
func keysFor(pkg string) []string {
	keys := []string{pkg}
	for parts := strings.Split(pkg, "."); len(parts) > 1; {
		parts = parts[:len(parts)-1]
		keys = append(keys, strings.Join(parts, ".")+".*")
	}
	return keys
}

func write(rows, exceptions map[string]map[string]string) string {
	var b strings.Builder
	b.WriteString("version: 1\ntable:\n")
	for tier, row := range rows {
		fmt.Fprintf(&b, "  %s:\n", tier)
		for category, word := range row {
			fmt.Fprintf(&b, "    %s: %s\n", category, word)
		}
	}
	b.WriteString("apps: {")
	for key, row := range exceptions {
		fmt.Fprintf(&b, "  %q: { table: {", key)
		for category, word := range row {
			fmt.Fprintf(&b, " %s: %s,", category, word)
		}
		b.WriteString("} },\n")
	}
	b.WriteString("  }\n")
	return b.String()
}
