package ledger

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/countersign/countersign/decide"
	"github.com/countersign/countersign/policy"
	"github.com/countersign/countersign/risk"
)

const sendScreen = `<hierarchy rotation="0"><node class="android.widget.FrameLayout" package="com.whatsapp" bounds="[0,0][1080,2400]">` +
	`<node class="android.widget.EditText" resource-id="com.whatsapp:id/entry" text="see you at nine" package="com.whatsapp" clickable="true" bounds="[0,2200][900,2400]"/>` +
	`<node class="android.widget.ImageButton" content-desc="Send" resource-id="com.whatsapp:id/send" package="com.whatsapp" clickable="true" bounds="[900,2200][1080,2400]"/>` +
	`</node></hierarchy>`

func decider(t testing.TB) *decide.Decider {
	p, err := policy.Preset("default")
	if err != nil {
		t.Fatal(err)
	}
	return &decide.Decider{Policy: p, Key: []byte("a key for the tests of the ledger")}
}

func sendRequest() *decide.Request {
	x, y := 990, 2300
	return &decide.Request{
		ID: "c17", Action: risk.Action{Kind: risk.Tap, X: &x, Y: &y}, Task: "answer Anna", Agent: "agent", Device: "emulator-5554", Session: "s1",
		Screen: &decide.Screen{Package: "com.whatsapp", Tree: sendScreen, Width: 1080, Height: 2400, Observed: true},
	}
}

// A decision row says what the decision itself says on the wire, field by field.
func TestDecisionOfSaysWhatTheDecisionSays(t *testing.T) {
	req := sendRequest()
	d := decider(t).Decide(req)
	if d.Outcome != risk.Confirm || d.Category != risk.Message || d.Digest() == "" {
		t.Fatalf("the example is %v %v", d.Outcome, d.Category)
	}
	got := object(t, DecisionOf(&d, req))
	want := object(t, d)
	compared := 0
	for name, value := range want {
		switch name {
		case "id":
			name = "action_id"
		case "target":
			delete(value.(map[string]any), "bounds")
		}
		if !reflect.DeepEqual(got[name], value) {
			t.Errorf("%s is %v in the ledger, %v in the decision", name, got[name], value)
		}
		compared++
	}
	if compared < 17 {
		t.Errorf("only %d fields were compared", compared)
	}
	for name, value := range map[string]string{
		"agent": "agent", "device": "emulator-5554", "session": "s1", "task": "answer Anna", "action_kind": "tap", "approval": "", "note": "",
	} {
		if got[name] != value {
			t.Errorf("%s is %v, want %q", name, got[name], value)
		}
	}
	if !reflect.DeepEqual(got["screen"], map[string]any{"observed": true, "package": "com.whatsapp"}) || got["features"] != nil || got["replay"] == ReplayExact {
		t.Errorf("screen %v, features %v, replay %v", got["screen"], got["features"], got["replay"])
	}
	refused := (&decide.Decider{}).Decide(req)
	if out := DecisionOf(&refused, nil); out.Outcome != risk.Deny || out.Code != decide.CodeNoPolicy || out.Evidence == nil {
		t.Errorf("a refusal is %+v", out)
	}
}

func object(t testing.TB, v any) map[string]any {
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	var out map[string]any
	if err := json.Unmarshal(data, &out); err != nil {
		t.Fatal(err)
	}
	return out
}

// What is written is read again: every field survives redaction and the row.
func TestDecisionRowReadsBack(t *testing.T) {
	want := sampleDecision("act_1")
	row, _, err := Head{}.Append(noon, Entry{KindDecision, "act_1", want})
	if err != nil {
		t.Fatal(err)
	}
	got, err := row.Decision()
	if err != nil {
		t.Fatal(err)
	}
	want.Features = json.RawMessage(`{"action":{"kind":"tap"},"target":{"text":"Send"}}`)
	if !reflect.DeepEqual(got, want) {
		t.Errorf("read\n%+v\nwritten\n%+v", got, want)
	}
	// Redaction may take a random id for a secret; the subject still has it.
	row, _, err = Head{}.Append(noon, Entry{KindDecision, "act_2", Decision{ActionID: "act_<redacted 1 chars>"}})
	if err != nil {
		t.Fatal(err)
	}
	if got, err := row.Decision(); err != nil || got.ActionID != "act_2" {
		t.Errorf("the id is read as %q (%v)", got.ActionID, err)
	}
	other, _, _ := Head{}.Append(noon, Entry{KindStop, "", Change{}})
	if _, err := other.Decision(); err == nil {
		t.Error("a stop row is a decision")
	}
}

// Features that redaction changes, or that cannot be stored, are not said to
// replay exactly.
func TestFeaturesSayWhetherTheyReplay(t *testing.T) {
	cases := []struct{ features, stored, replay string }{
		{`{"action": {"kind": "tap"}}`, `{"action":{"kind":"tap"}}`, ReplayExact},
		{`{"task":"a \u003c b"}`, `{"task":"a < b"}`, ReplayExact},
		{`{"task":"password: S3cret-example"}`, `{"task":"password: <redacted 14 chars>"}`, "something in the features is secret and not stored"},
		{`{"task":`, ``, "the features are no JSON object"},
		{`[]`, ``, "the features are no JSON object"},
		{``, ``, notStored},
	}
	for _, c := range cases {
		var d Decision
		d.SetFeatures(json.RawMessage(c.features), ReplayExact)
		if string(d.Features) != c.stored || d.Replay != c.replay {
			t.Errorf("%s: stored %s, replay %q", c.features, d.Features, d.Replay)
		}
	}
	var d Decision
	if d.SetFeatures(json.RawMessage(`{"task":"password: S3cret-example"}`), "a reason of its own"); d.Replay != "a reason of its own" {
		t.Errorf("replay %q", d.Replay)
	}
	if len(cases) != 6 {
		t.Fatalf("%d cases", len(cases))
	}
}

// A row has room for a decision about megabytes of hostile text.
func TestHostileSizesFit(t *testing.T) {
	long := strings.Repeat("Send € ", 700_000)
	req := sendRequest()
	req.Task, req.Agent, req.Device, req.Session = long, long, long, long
	req.Action.Kind = risk.ActionKind(long)
	req.Screen.Package = long
	req.Screen.Tree = ""
	req.Target = &decide.Target{Text: long, ContentDesc: long, ResourceID: long, DialogTitle: long, DialogMessage: long}
	d := decider(t).Decide(req)
	out := DecisionOf(&d, req)
	out.SetFeatures(json.RawMessage(`"`+strings.Repeat("x", MaxFeatures)+`"`), ReplayExact)
	if out.Features != nil || !strings.Contains(out.Replay, "262146 bytes") {
		t.Errorf("features of %d bytes, replay %q", len(out.Features), out.Replay)
	}
	row, _, err := Head{}.Append(noon, Entry{KindDecision, "c17", out})
	if err != nil || len(row.Data) > 60_000 {
		t.Errorf("a row of %d bytes, %v", len(row.Data), err)
	}
	if got := clip("abcdefghij", 6); got != "abcd… (4 more) …ij" {
		t.Errorf("clip: %q", got)
	}
	if got := clip("€€€€€", 5); got != "€€€€€" {
		t.Errorf("clip: %q", got)
	}
}

// No secret is in a row, in whichever body it came, and not its beginning.
func TestSecretsAreNotInRows(t *testing.T) {
	const card, cardWhole = "4111 1111 1111 1111", "4111111111111111"
	const password, code, token = "S3cret-example", "493817", "EXAMPLE-TOKEN-77"
	decision := sampleDecision("act_1")
	decision.Task = "log in with password: " + password
	decision.Facts.Text = "your verification code is " + code
	decision.Reason = "Pays with " + card + "."
	decision.Features = json.RawMessage(`{"action":{"kind":"type"},"password":"` + password + `","llm":{"reason":"card \u0034111111111111111"}}`)
	bodies := map[string]any{
		"decision":   decision,
		"transition": Transition{Note: "password=" + password},
		"result":     Result{Note: "am start -d 'https://x.example/cb?session_token=" + token + "'"},
		"refused":    Refused{Why: "unknown field in {\"password\":\"" + password + "\"}"},
		"change":     Change{Detail: "code: " + code + ", card " + cardWhole},
		"raw":        json.RawMessage(`{"password":"` + password + `","nested":[{"pin":"` + code + `"},"` + card + `"]}`),
	}
	for name, body := range bodies {
		row, _, err := Head{}.Append(noon, Entry{KindDecision, "act_1", body})
		if err != nil {
			t.Fatal(err)
		}
		for _, secret := range []string{password, password[:4], code, token, card, cardWhole, card[:7]} {
			if strings.Contains(string(row.Data), secret) {
				t.Errorf("%s: %q is in %s", name, secret, row.Data)
			}
		}
		if !strings.Contains(string(row.Data), "<redacted ") {
			t.Errorf("%s: nothing is redacted in %s", name, row.Data)
		}
		if _, err := ParseRow(row.Data); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if len(bodies) != 6 {
		t.Fatalf("%d bodies", len(bodies))
	}
}

// The same rows in any order of apps give the same summary, and its numbers are
// those that a hand count gives.
func TestSummary(t *testing.T) {
	decision := func(app string, o risk.Outcome, c risk.Category, s risk.Source, d risk.Delta, observe bool) Entry {
		return Entry{KindDecision, "a", Decision{App: App{Package: app}, Outcome: o, Category: c, Source: s, Delta: d, Observe: observe}}
	}
	entries := []Entry{
		{KindStart, "", Change{}},
		decision("com.b", risk.Allow, risk.None, risk.SourceNone, risk.DeltaNone, false),
		decision("com.a", risk.Confirm, risk.Money, risk.ContextAwareGuard, risk.Added, true),
		decision("com.a", risk.Allow, risk.None, risk.ContextAwareGuard, risk.Suppressed, false),
		decision("com.c", risk.Deny, risk.Bypass, risk.ContextAwareGuard, risk.Added, false),
		decision("com.b", risk.Confirm, risk.Message, risk.KeywordGuard, risk.DeltaNone, false),
		decision("com.b", risk.Allow, risk.None, risk.SourceNone, risk.DeltaNone, false),
		{KindAggregate, "", Aggregate{Agent: "agent", From: noon, To: noon, Counts: Counts{Allow: 5, Confirm: 2, Deny: 1}}},
		{KindRefused, "", Refused{Size: 7}},
		{KindDecision, "a", json.RawMessage(`{"outcome":"perhaps"}`)},
		{KindStop, "", Change{}},
	}
	b := newBuilt(t)
	var s Summariser
	for i, e := range entries {
		b.append(t, noon.AddDate(0, 0, i), e)
		s.Add(b.rows[i])
	}
	sum := s.Summary()
	if sum.All != (Tally{Actions: 6, Asked: 2, Denied: 1, Added: 2, Suppressed: 1}) || sum.Observed != 1 ||
		sum.Pure != (Counts{5, 2, 1}) || sum.Pure.Total() != 8 || sum.Refused != 1 || sum.Unread != 1 {
		t.Errorf("%+v", sum)
	}
	if !sum.From.Equal(noon.AddDate(0, 0, 1)) || !sum.To.Equal(noon.AddDate(0, 0, 9)) {
		t.Errorf("from %v to %v", sum.From, sum.To)
	}
	if per := sum.All.AskedPer100(); per < 33.3 || per > 33.4 || (Tally{}).AskedPer100() != 0 {
		t.Errorf("%v questions for 100 actions", per)
	}
	wantApps := []Group{
		{"com.b", Tally{Actions: 3, Asked: 1}}, {"com.a", Tally{Actions: 2, Asked: 1, Added: 1, Suppressed: 1}}, {"com.c", Tally{Actions: 1, Denied: 1, Added: 1}},
	}
	if !slices.Equal(sum.Apps, wantApps) {
		t.Errorf("apps %+v", sum.Apps)
	}
	for name, groups := range map[string][]Group{
		"message money none bypass": sum.Categories, "CONTEXT_AWARE_GUARD KEYWORD_GUARD NONE": sum.Sources,
		"none added suppressed": sum.Deltas, "confirm allow deny": sum.Outcomes,
	} {
		var names []string
		for _, g := range groups {
			names = append(names, g.Name)
		}
		if got := strings.Join(names, " "); got != name {
			t.Errorf("groups %q, want %q", got, name)
		}
	}
}

func TestFilter(t *testing.T) {
	b := newBuilt(t)
	for i := range 8 {
		b.append(t, noon.AddDate(0, 0, i), sample(i))
	}
	b.append(t, noon.AddDate(0, 0, 8), Entry{KindDecision, "odd", json.RawMessage(`{"outcome":"perhaps","agent":"agent"}`)})
	ptr := func(o risk.Outcome) *risk.Outcome { return &o }
	category, other := risk.Message, risk.Money
	source, delta, none := risk.ContextAwareGuard, risk.Added, risk.DeltaNone
	cases := []struct {
		name   string
		filter Filter
		rows   []int64
	}{
		{"everything", Filter{}, []int64{1, 2, 3, 4, 5, 6, 7, 8, 9}},
		{"kind", Filter{Kind: KindRefused}, []int64{4, 8}},
		{"subject", Filter{Subject: "act_000005"}, []int64{6}},
		{"agent", Filter{Agent: "agent"}, []int64{1, 4, 5, 8, 9}},
		{"another agent", Filter{Agent: "agen"}, nil},
		{"since", Filter{Since: noon.AddDate(0, 0, 7)}, []int64{8, 9}},
		{"until", Filter{Until: noon.AddDate(0, 0, 1)}, []int64{1}},
		{"app", Filter{App: "com.example.chat"}, []int64{1, 5}},
		{"another app", Filter{App: "com.example"}, nil},
		{"outcome", Filter{Outcome: ptr(risk.Confirm)}, []int64{1, 5}},
		{"the zero outcome", Filter{Outcome: ptr(risk.Deny)}, nil},
		{"category", Filter{Category: &category}, []int64{1, 5}},
		{"another category", Filter{Category: &other}, nil},
		{"source", Filter{Source: &source}, []int64{1, 5}},
		{"delta", Filter{Delta: &delta}, []int64{1, 5}},
		{"no delta", Filter{Delta: &none}, nil},
		{"several", Filter{Kind: KindDecision, Agent: "agent", Delta: &delta, Since: noon.AddDate(0, 0, 1)}, []int64{5}},
	}
	for _, c := range cases {
		var got []int64
		for _, row := range b.rows {
			if c.filter.Match(row) {
				got = append(got, row.Seq)
			}
		}
		if !slices.Equal(got, c.rows) {
			t.Errorf("%s: rows %v, want %v", c.name, got, c.rows)
		}
	}
	if len(cases) != 17 {
		t.Fatalf("%d cases", len(cases))
	}
}
