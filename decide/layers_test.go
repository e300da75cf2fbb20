package decide

import (
	"testing"

	"github.com/countersign/countersign/risk"
)

// The truth table of the design, row by row.
func TestTruthTable(t *testing.T) {
	const no, yes = false, true
	table := []struct {
		llm, flat, context bool
		outcome            risk.Outcome
		source             risk.Source
		delta              risk.Delta
	}{
		{no, no, no, risk.Allow, risk.SourceNone, risk.DeltaNone},
		{no, yes, yes, risk.Confirm, risk.KeywordGuard, risk.DeltaNone},
		{no, no, yes, risk.Confirm, risk.ContextAwareGuard, risk.Added},
		{no, yes, no, risk.Allow, risk.ContextAwareGuard, risk.Suppressed},
		{yes, no, no, risk.Confirm, risk.LLMFlagged, risk.DeltaNone},
		{yes, yes, no, risk.Confirm, risk.LLMFlagged, risk.Suppressed},
		{yes, no, yes, risk.Confirm, risk.Both, risk.Added},
		{yes, yes, yes, risk.Confirm, risk.Both, risk.DeltaNone},
	}
	seen := map[Layers]bool{}
	for _, row := range table {
		layers := Layers{LLM: row.llm, Flat: row.flat, Context: row.context}
		seen[layers] = true
		if source, delta := attribute(layers); source != row.source || delta != row.delta {
			t.Errorf("%+v: %v %v, want %v %v", layers, source, delta, row.source, row.delta)
		}
		dec := decideTap(t, tapWith(layers), layers.LLM)
		if dec.Layers != layers {
			t.Errorf("the tap for %+v has layers %+v", layers, dec.Layers)
		}
		if dec.Outcome != row.outcome || dec.Source != row.source || dec.Delta != row.delta {
			t.Errorf("%+v: decided %v %v %v, want %v %v %v", layers,
				dec.Outcome, dec.Source, dec.Delta, row.outcome, row.source, row.delta)
		}
	}
	if len(seen) != 8 {
		t.Fatalf("%d combinations tried, there are 8", len(seen))
	}
}

// tapWith is a control on which flat guard and context have these verdicts.
func tapWith(l Layers) *Target {
	switch {
	case l.Flat && l.Context:
		return &Target{Text: "Send", Class: "android.widget.Button"}
	case l.Flat:
		return &Target{Text: "Payload size", Class: "android.widget.Button"}
	case l.Context:
		return &Target{Text: "Envoyer", Class: "android.widget.Button"}
	}
	return &Target{Text: "Size guide", Class: "android.widget.Button"}
}

func decideTap(t *testing.T, target *Target, llm bool) Decision {
	t.Helper()
	return newDecider(t, "default").Decide(&Request{
		Action: risk.Action{Kind: risk.Tap},
		Screen: &Screen{Package: "com.example.shop"},
		Target: target,
		LLM:    LLM{RequiresConfirmation: llm},
	})
}
