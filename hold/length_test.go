package hold

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/countersign/countersign/catalog"
	"github.com/countersign/countersign/decide"
	"github.com/countersign/countersign/policy"
	"github.com/countersign/countersign/risk"
)

// However long the texts of a request are, what is kept of a question has a
// bound, and the whole text still counts for what the answer is bound to.
func TestWhatIsKeptOfAQuestionHasABound(t *testing.T) {
	preset, err := policy.Preset("default")
	if err != nil {
		t.Fatal(err)
	}
	d := &decide.Decider{Policy: preset, Catalog: catalog.Default(), Key: []byte("0123456789abcdef0123456789abcdef")}
	long := strings.Repeat("many words ", 100_000)
	requests := map[string]func(end string) *decide.Request{
		"task": func(end string) *decide.Request {
			return &decide.Request{Action: risk.Action{Kind: risk.Tap}, Target: &decide.Target{Text: "Send" + end}, Task: long, LLM: decide.LLM{RequiresConfirmation: true, Reason: long}}
		},
		"label": func(end string) *decide.Request {
			return &decide.Request{Action: risk.Action{Kind: risk.Tap}, Target: &decide.Target{Text: "Send " + long + end, DialogTitle: long, DialogMessage: long, ResourceID: long}}
		},
		"shell line": func(end string) *decide.Request {
			return &decide.Request{Action: risk.Action{Kind: risk.ShellLine, Shell: "echo " + long + end}}
		},
		"tool": func(end string) *decide.Request {
			return &decide.Request{Action: risk.Action{Kind: risk.ToolCall, Tool: long, Text: long + end}}
		},
		"kind": func(end string) *decide.Request {
			return &decide.Request{Action: risk.Action{Kind: risk.ActionKind(long + end)}, Screen: &decide.Screen{Package: long}}
		},
	}
	for name, request := range requests {
		dec := d.Decide(request(""))
		card, err := masked(cardOf(&dec))
		if err != nil {
			t.Fatal(err)
		}
		doc, err := json.Marshal(card)
		asked, partial, err2 := askedOf(&dec)
		if err != nil || err2 != nil || len(doc) > 200<<10 || len(asked) > maxAsked {
			t.Errorf("%s: the card has %d bytes, the request %d, %v %v", name, len(doc), len(asked), err, err2)
		}
		if name != "task" && name != "label" && !partial {
			t.Errorf("%s: the stored request is taken for whole", name)
		}
		if utf8.RuneCountInString(card.Task) > 2*maxWords {
			t.Errorf("%s: %d characters of task", name, utf8.RuneCountInString(card.Task))
		}
		if other := d.Decide(request("x")); other.Digest() == dec.Digest() {
			t.Errorf("%s: the end of the text does not count", name)
		}
	}
	if len(requests) != 5 {
		t.Errorf("%d requests", len(requests))
	}
}
