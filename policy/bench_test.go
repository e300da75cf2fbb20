package policy

import (
	"fmt"
	"strings"
	"testing"

	"github.com/countersign/countersign/policies"
	"github.com/countersign/countersign/risk"
)

// BenchmarkEvaluate asks a policy without exceptions, and one with a thousand.
func BenchmarkEvaluate(b *testing.B) {
	in := Input{Tier: risk.Medium, Category: risk.Message, Package: "com.example.chat.beta", Observed: true}
	for _, bench := range []struct {
		name   string
		policy *Policy
	}{
		{"default", preset(b, "default")},
		{"apps=1000", manyApps(b, 1000)},
	} {
		b.Run(bench.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				bench.policy.Evaluate(in)
			}
		})
	}
}

// BenchmarkParse reads the default policy, as a start or a reload does.
func BenchmarkParse(b *testing.B) {
	data, err := policies.Files.ReadFile("default/policy.yaml")
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Parse("default", data); err != nil {
			b.Fatal(err)
		}
	}
}

func manyApps(tb testing.TB, n int) *Policy {
	var text strings.Builder
	text.WriteString("version: 1\nextends: default\napps:\n  com.example.*: { table: { message: allow } }\n")
	for i := range n - 1 {
		fmt.Fprintf(&text, "  com.example.app%d: { tier: LOW }\n", i)
	}
	return mustParse(tb, text.String())
}
