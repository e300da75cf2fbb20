package planner

import (
	"slices"
	"testing"
)

// FuzzAnswer: whatever a model says is an error or a plan of a known kind that
// carries only what belongs to it.
func FuzzAnswer(f *testing.F) {
	for _, seed := range []string{
		`{"kind":"tap","target_text":"Send"}`, "```json\n{\"kind\":\"back\"}\n```", `{"kind":"type","text":"x"} {"kind":"home"}`,
		`{"kind":"done"}`, `{"kind":"shell"}`, `{`, ``, `{"kind":"key","key":"66","link":"tel:1"}`,
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, content string) {
		p, err := readAnswer(content)
		if err != nil {
			if p != (Plan{}) {
				t.Fatalf("%+v with %v", p, err)
			}
			return
		}
		if !slices.Contains(kinds, string(p.Kind)) {
			t.Fatalf("kind %q", p.Kind)
		}
		carried := 0
		for _, v := range []string{p.Text, p.Key, p.Link} {
			if v != "" {
				carried++
			}
		}
		if carried > 1 || p.Done && carried > 0 {
			t.Fatalf("%+v carries what belongs to several kinds", p)
		}
	})
}
