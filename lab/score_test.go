package lab

import (
	"math"
	"strings"
	"testing"

	"github.com/countersign/countersign/risk"
)

func TestRateIsClusteredByApp(t *testing.T) {
	var alike, apart []trial
	for i := range 40 {
		hit := i%4 == 0
		apart = append(apart, trial{string(rune('a' + i)), hit})
		// The same share, but every app is all or nothing.
		alike = append(alike, trial{string(rune('a' + i%4)), hit})
	}
	a, b := rateOf(apart), rateOf(alike)
	if a.Share() != 0.25 || b.Share() != 0.25 {
		t.Fatalf("shares %v and %v, want a quarter", a.Share(), b.Share())
	}
	if width(b) < 2*width(a) {
		t.Errorf("rows of one app are alike, so the interval must be wider: %v against %v", b, a)
	}
	// Wilson's interval for 10 of 40 is 14.2 to 40.2 per cent; the variance over
	// 40 clusters is 40/39 of that over rows.
	if math.Abs(a.Low-0.1408) > 0.001 || math.Abs(a.High-0.4040) > 0.001 {
		t.Errorf("interval %v to %v, want 0.141 to 0.404", a.Low, a.High)
	}
	if r := rateOf(nil); r.Share() != 0 || r.High != 0 {
		t.Errorf("no rows: %v", r)
	}
	if r := rateOf([]trial{{"a", true}, {"a", true}}); r.Low <= 0 || r.High != 1 {
		t.Errorf("all hits: %v", r)
	}
}

func width(r Rate) float64 { return r.High - r.Low }

func TestReadCases(t *testing.T) {
	const both = `{"id":"c1","package":"com.example","target":{"node_index":3},"locale":"fr","want":"confirm","category":"send_message","tree":"trees/a.xml"}
{"id":"s1","app":"notes","node_index":0,"action":"type","input":"hello","want":"allow","category":"none","tree":"trees/b.xml","also_acceptable":"confirm"}
`
	cases, err := ReadCases(strings.NewReader(both), "dir")
	if err != nil || len(cases) != 2 {
		t.Fatalf("%d cases, %v", len(cases), err)
	}
	if c := cases[0]; c.Node != 3 || c.Category != risk.Message || c.Want != risk.Confirm || c.Also || c.TreePath != "dir/trees/a.xml" {
		t.Errorf("case of a tap: %+v", c)
	}
	if c := cases[1]; c.App != "notes" || !c.Typed || c.Text != "hello" || !c.Also || c.Line != 2 {
		t.Errorf("case of a step: %+v", c)
	}
	for name, bad := range map[string]string{
		"not JSON":         `{`,
		"no tree":          `{"id":"x","target":{"node_index":1},"want":"allow"}`,
		"no node":          `{"id":"x","tree":"a.xml","want":"allow"}`,
		"unknown verdict":  `{"id":"x","tree":"a.xml","node_index":1,"want":"perhaps"}`,
		"unknown category": `{"id":"x","tree":"a.xml","node_index":1,"want":"allow","category":"frob"}`,
	} {
		if _, err := ReadCases(strings.NewReader(bad), "."); err == nil || !strings.Contains(err.Error(), "line 1") {
			t.Errorf("%s: error %v names no line", name, err)
		}
	}
}
