package e2e

import (
	"testing"
)

func TestProbe(t *testing.T) {
	g := startGuard(t)
	pkg := "com.example.shop"
	act := func(kind string, more map[string]any) map[string]any {
		m := map[string]any{"kind": kind}
		body := map[string]any{"action": m, "screen": map[string]any{"package": pkg}}
		for k, v := range more {
			if k == "target" {
				body[k] = v
			} else {
				m[k] = v
			}
		}
		return body
	}
	steps := []map[string]any{
		act("launch", map[string]any{"text": pkg}), act("scroll", nil), act("back", nil), act("screenshot", nil), act("wait", nil), act("home", nil),
		act("swipe", map[string]any{"x": 500, "y": 1500, "x2": 500, "y2": 500}),
		act("type", map[string]any{"text": "running shoes", "target": map[string]any{"hint": "Search", "class": "android.widget.EditText", "focused": true}}),
		act("key", map[string]any{"key": "ENTER", "target": map[string]any{"hint": "Search", "class": "android.widget.EditText", "focused": true}}),
	}
	for _, text := range []string{"Search", "Trail runner 42, 89.00 EUR", "Size 42", "Reviews", "Add to basket", "Basket", "Checkout", "Proceed to checkout", "Home address", "Standard delivery", "Continue", "Pay by card", "Statements", "Balance", "July 2026", "Place order", "Next"} {
		steps = append(steps, act("tap", map[string]any{"target": map[string]any{"text": text}}))
	}
	for i, s := range steps {
		v := g.agent.propose(s)
		t.Logf("%d %v %v: %s %s %s %s %d %s", i, s["action"], s["target"], v.Outcome, v.Category, v.Code, v.Message, v.Status, v.Detail)
	}
}
