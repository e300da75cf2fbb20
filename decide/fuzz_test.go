package decide

import (
	"encoding/json"
	"testing"
	"unicode/utf8"

	"github.com/countersign/countersign/risk"
)

// FuzzDecide: on any request the guard neither panics nor fails inside; a
// decision is complete and consistent, its evidence lies inside the text it
// was found in, and the model's flag lowers nothing.
func FuzzDecide(f *testing.F) {
	f.Add("tap", "com.whatsapp", `<hierarchy><node text="Send" clickable="true" bounds="[0,0][100,100]"/></hierarchy>`, 50, 50, "Send", "", "", "", "")
	f.Add("tap", "", "", 0, 0, "Löschen", "", "com.example:id/btn_delete", "Delete this chat?", "It will be gone for good.")
	f.Add("swipe", "com.example", `<hierarchy><node class="android.widget.SeekBar" content-desc="Slide to pay" bounds="[0,0][100,100]"/></hierarchy>`, 1, 1, "", "", "", "", "")
	f.Add("type", "com.example", `<hierarchy><node class="android.widget.EditText" focused="true" password="true" bounds="[0,0][9,9]"/></hierarchy>`, 1, 1, "1234\n", "", "", "", "")
	f.Add("shell", "", "", 0, 0, "input tap 1 2; pm uninstall x", "", "", "", "")
	f.Add("intent", "", "", 0, 0, "-a android.intent.action.CALL -d tel:1", "", "", "", "")
	f.Add("key", "", "", 0, 0, "KEYCODE_POWER", "", "", "", "")
	f.Add("teleport", "com.whatsappclone", "ERROR: no idle state", -1, 1<<30, "İİ\u00adDelete\u202e", "", "", "", "")
	d := newDecider(f, "default")
	f.Fuzz(func(t *testing.T, kind, pkg, tree string, x, y int, text, desc, id, title, message string) {
		req := &Request{
			Action: action(risk.ActionKind(kind), x, y, text),
			Screen: &Screen{Package: pkg, Tree: tree},
			Target: &Target{Text: text, ContentDesc: desc, ResourceID: id, DialogTitle: title, DialogMessage: message, Descendants: []string{desc, title}},
		}
		dec := d.Decide(req)
		checkDecision(t, req, &dec)
		flagged := *req
		flagged.LLM.RequiresConfirmation = true
		if after := d.Decide(&flagged); after.Outcome > dec.Outcome {
			t.Fatalf("the model's flag lowers %v to %v", dec.Outcome, after.Outcome)
		}
	})
}

// action is an action of a kind with the arguments that belong to it.
func action(kind risk.ActionKind, x, y int, text string) risk.Action {
	a := risk.Action{Kind: kind, X: &x, Y: &y, X2: &y, Y2: &x, Text: text}
	if x%2 == 1 {
		a.Space = &[2]int{y, x}
	}
	switch kind {
	case risk.PressKey:
		a.Key = text
	case risk.ShellLine:
		a.Shell = text
	case risk.OpenIntent, risk.OpenLink:
		a.Intent = text
	case risk.ToolCall:
		a.Tool = text
	}
	return a
}

func checkDecision(t *testing.T, req *Request, dec *Decision) {
	t.Helper()
	if dec.Code == CodeInternalError {
		t.Fatal("the guard failed inside")
	}
	if dec.Category == risk.Affirmative || dec.Category == risk.Dismissal {
		t.Fatalf("category %v is none of a decision", dec.Category)
	}
	if dec.Category == risk.Bypass && dec.Outcome != risk.Deny {
		t.Fatalf("bypass is %v", dec.Outcome)
	}
	if dec.Category == risk.None && dec.Outcome != risk.Allow {
		t.Fatalf("none is %v", dec.Outcome)
	}
	if source, delta := attribute(dec.Layers); source != dec.Source || delta != dec.Delta {
		t.Fatalf("source %v %v for %+v", dec.Source, dec.Delta, dec.Layers)
	}
	data, err := json.Marshal(dec)
	if err != nil || !json.Valid(data) {
		t.Fatalf("not JSON: %v", err)
	}
	for _, e := range dec.Evidence() {
		if e.Start < 0 || e.End < e.Start || e.End-e.Start != utf8.RuneCountInString(e.Match) && e.Layer != risk.LayerStructure && e.Layer != risk.LayerCommand {
			t.Fatalf("evidence %+v", e)
		}
	}
	target, _ := dec.Target()
	for _, e := range dec.Evidence() {
		text, own := map[risk.Signal]string{
			risk.SignalText: target.Text, risk.SignalDescription: target.Description, risk.SignalResourceID: target.ResourceID,
			risk.SignalDialogTitle: target.Dialog.Title,
		}[e.Signal]
		if r := []rune(text); own && (e.Layer == risk.LayerTerm || e.Layer == risk.LayerIdentifier) && (e.End > len(r) || string(r[e.Start:e.End]) != e.Match) {
			t.Fatalf("evidence %+v is not of %q", e, text)
		}
	}
	for _, r := range dec.Reason() {
		if r < ' ' || r == 0x7f || r == 0x202e {
			t.Fatalf("the reason holds %U: %q", r, dec.Reason())
		}
	}
	_ = req
}

// FuzzReadRequest: what is accepted is one object with the fields of a request
// and decides without failing; everything else is an error that says so.
func FuzzReadRequest(f *testing.F) {
	f.Add([]byte(`{"id":"1","action":{"kind":"tap","x":1,"y":2},"llm":{}}`))
	f.Add([]byte(`{"action":{"kind":"tap","node":-4},"screen":{"tree":"<hierarchy><node/></hierarchy>"}}`))
	f.Add([]byte(`{"action":{"knid":"tap"}}`))
	f.Add([]byte(`{"action":{"kind":"tap","space":[0,0],"x":5,"y":5}} {}`))
	d := newDecider(f, "default")
	f.Fuzz(func(t *testing.T, data []byte) {
		req, err := ReadRequest(data)
		if err != nil {
			if err.Error() == "" || req != nil {
				t.Fatalf("error %q with request %v", err, req)
			}
			return
		}
		dec := d.Decide(req)
		checkDecision(t, req, &dec)
	})
}
