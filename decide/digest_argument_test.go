package decide

import (
	"testing"

	"github.com/countersign/countersign/risk"
)

// A yes to a call of a tool is one to what it is called with, and a yes to a
// control is none to the same one that cannot be pressed yet.
func TestDigestIsOfTheArgumentAndTheState(t *testing.T) {
	d := newDecider(t, "default")
	digest := func(r *Request) string {
		dec := d.Decide(r)
		return dec.Digest()
	}
	tool := func(kind risk.ActionKind, name, text string) string {
		return digest(&Request{Action: risk.Action{Kind: kind, Tool: name, Text: text}})
	}
	no := false
	button := func(enabled *bool) string {
		return digest(&Request{Action: risk.Action{Kind: risk.Tap}, Screen: &Screen{Package: shop}, Target: &Target{Text: "Pay now", Enabled: enabled}})
	}
	for name, pair := range map[string][2]string{
		"another argument of a tool":  {tool(risk.ToolCall, "transfer", "1 EUR to Anna"), tool(risk.ToolCall, "transfer", "1000 EUR to Mallory")},
		"an argument of none":         {tool(risk.ToolCall, "transfer", ""), tool(risk.ToolCall, "transfer", "1 EUR")},
		"another app launched":        {tool(risk.Launch, "", "com.example.a"), tool(risk.Launch, "", "com.example.b")},
		"a control that is disabled":  {button(nil), button(&no)},
		"another tool, same argument": {tool(risk.ToolCall, "a", "b"), tool(risk.ToolCall, "b", "b")},
	} {
		if pair[0] == pair[1] || pair[0] == "" {
			t.Errorf("%s has the same digest, or none", name)
		}
	}
}
