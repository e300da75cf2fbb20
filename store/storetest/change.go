package storetest

import (
	"context"
	"encoding/json"
	"errors"
	"reflect"
	"testing"
	"time"

	"github.com/countersign/countersign/approval"
	"github.com/countersign/countersign/decide"
	"github.com/countersign/countersign/hold"
	"github.com/countersign/countersign/ledger"
	"github.com/countersign/countersign/risk"
)

// full is a question in which no field is empty.
func full() approval.Approval {
	at := func(minutes int) time.Time { return noon.Add(time.Duration(minutes) * time.Minute) }
	return approval.Approval{
		ID: "a_full", State: approval.Released, Version: 1 << 60, Agent: "agt_1", AgentName: hostile, Device: "emulator-5554",
		Session: "session", Bound: true, Digest: "digest", Intent: "intent", Similar: "similar",
		Card: approval.Card{
			Action: "shell", Argument: hostile, Category: risk.Message, Critical: true, Package: "com.example.chat", App: "Chat",
			Tier: risk.High, TierWhy: "messaging", AgentReason: "sends <b>this</b> & that", Reason: "line one\nline two\t\x01",
			Label: "Send", Role: risk.IconButton, ResourceID: "com.example:id/send",
			Facts:     risk.Facts{Object: "chat", Recipient: "Anna", Amount: &risk.Amount{Value: "1299.00", Currency: "EUR"}, Text: hostile},
			Permanent: true,
			Evidence: []risk.Evidence{{
				Signal: risk.SignalResourceID, Match: "send", Start: 1, End: 5, Term: "send", Language: "en", Layer: risk.LayerTerm, Category: risk.Message,
			}},
			Code: "code", Source: risk.ContextAwareGuard, Delta: risk.Added, Rule: "rule", Policy: "policy", Observed: true,
			Task: "task", Doubt: "doubt", Before: "before", Masked: true,
			Bound: []decide.Part{{Name: "recipient", Texts: []string{"Anna"}, Seal: "seal"}},
		},
		Asked: json.RawMessage(`{"action":{"kind":"tap","x":1,"y":2},"n":[1,2.5,null],"t":"<&>"}`), Partial: true,
		CreatedAt: at(0), Deadline: at(1), ParkedUntil: at(2), UseBy: at(3), ReleaseBy: at(4), AnsweredAt: at(5),
		AnsweredBy: "anna", How: "terminal", Note: hostile, SettledAt: at(6), Code: "code", Grant: "g_1", LinkedBy: "a_other",
	}
}

// same compares two questions; the JSON of one may be spelled in another way.
func same(t testing.TB, what string, got, want approval.Approval) {
	t.Helper()
	var a, b any
	if len(got.Asked) > 0 && len(want.Asked) > 0 {
		must(t, json.Unmarshal(got.Asked, &a))
		must(t, json.Unmarshal(want.Asked, &b))
		if reflect.DeepEqual(a, b) {
			got.Asked = want.Asked
		}
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%s came back as\n%+v, want\n%+v", what, got, want)
	}
}

func comesBack(t *testing.T, e Engine) {
	ctx := context.Background()
	a := full()
	v := reflect.ValueOf(a)
	for i := range v.NumField() {
		if v.Field(i).IsZero() {
			t.Errorf("the test does not fill %s", v.Type().Field(i).Name)
		}
	}
	key := hold.Key{Agent: hostile, Key: hostile, Request: "request", Action: a.ID, At: noon}
	freeze := hold.Freeze{Frozen: true, At: noon, By: hostile, Note: hostile}
	rows := e.commit(t, hold.Change{Rows: []ledger.Entry{entry(a.ID), entry("")}, New: &a, Key: &key, Freeze: &freeze})
	if rows[0].Seq != 1 || rows[0].Subject != a.ID || !rows[0].At.Equal(noon) || rows[1].Seq != 2 || rows[1].Prev != rows[0].Hash {
		t.Errorf("rows are %+v", rows)
	}
	same(t, "a question", e.get(t, a.ID), a)
	if got, err := e.Store.Key(ctx, hostile, hostile); err != nil || got != key {
		t.Errorf("key came back as %+v, %v; want %+v", got, err, key)
	}
	if got, err := e.Store.Freeze(ctx); err != nil || got != freeze {
		t.Errorf("freeze came back as %+v, %v; want %+v", got, err, freeze)
	}
	got, err := e.Store.Rows(ctx, 0, 10)
	must(t, err)
	if !reflect.DeepEqual(got, rows) {
		t.Errorf("rows came back as\n%+v, want\n%+v", got, rows)
	}
}

func bareComesBack(t *testing.T, e Engine) {
	ctx := context.Background()
	for _, a := range []approval.Approval{{ID: "bare"}, {ID: hostile, Version: -1}, {ID: ""}} {
		e.commit(t, hold.Change{New: &a, Key: &hold.Key{Key: a.ID}})
		same(t, "a bare question", e.get(t, a.ID), a)
		// One that is neither pending nor approved joins nothing.
		key, err := e.Store.Key(ctx, "", a.ID)
		if want := (hold.Key{Key: a.ID}); err != nil || key != want {
			t.Errorf("a bare key came back as %+v, %v; want %+v", key, err, want)
		}
	}
	e.commit(t, hold.Change{Freeze: &hold.Freeze{}})
	if got, err := e.Store.Freeze(ctx); err != nil || got != (hold.Freeze{}) {
		t.Errorf("an empty freeze came back as %+v, %v", got, err)
	}
	if rows := e.commit(t, hold.Change{}); len(rows) != 0 || e.size(t) != 0 {
		t.Errorf("an empty change gave %d rows, and there are %d", len(rows), e.size(t))
	}
}

// timesComeBack: in UTC, cut to the millisecond.
func timesComeBack(t *testing.T, e Engine) {
	ctx := context.Background()
	at := time.Date(2026, 3, 14, 17, 30, 0, 123_999_999, time.FixedZone("east", 5*3600+1800))
	a := asked("a", "agent", "device", "digest", at)
	rows := e.commit(t, hold.Change{
		At: at, New: &a, Key: &hold.Key{Agent: "agent", Key: "k", At: at}, Freeze: &hold.Freeze{At: at}, Rows: []ledger.Entry{entry("a")},
	})
	key, err := e.Store.Key(ctx, "agent", "k")
	must(t, err)
	freeze, err := e.Store.Freeze(ctx)
	must(t, err)
	got := e.get(t, "a")
	for what, v := range map[string]time.Time{"row": rows[0].At, "question": got.CreatedAt, "key": key.At, "freeze": freeze.At} {
		if v != noon {
			t.Errorf("the time of the %s is %v, want %v", what, v, noon)
		}
	}
	if !got.SettledAt.IsZero() || got.Deadline != noon.Add(time.Hour) {
		t.Errorf("settled at %v, deadline %v", got.SettledAt, got.Deadline)
	}
}

func nothingThere(t *testing.T, e Engine) {
	ctx := context.Background()
	if _, err := e.Store.Approval(ctx, "a"); !errors.Is(err, hold.ErrNotFound) {
		t.Errorf("a question of an empty store: %v", err)
	}
	if _, err := e.Store.Key(ctx, "agent", "k"); !errors.Is(err, hold.ErrNotFound) {
		t.Errorf("a key of an empty store: %v", err)
	}
	if f, err := e.Store.Freeze(ctx); err != nil || f != (hold.Freeze{}) {
		t.Errorf("the freeze of an empty store: %+v, %v", f, err)
	}
	if h, err := e.Store.Head(ctx); err != nil || !h.Equal(ledger.Head{}) {
		t.Errorf("the head of an empty store: %+v, %v", h, err)
	}
	about, err := e.Store.About(ctx, "a")
	rows, errRows := e.Store.Rows(ctx, 0, 10)
	all, errAll := e.Store.Approvals(ctx, hold.Query{})
	if err := errors.Join(err, errRows, errAll); err != nil || len(about)+len(rows)+len(all) != 0 {
		t.Errorf("an empty store has %d, %d rows and %d questions, %v", len(about), len(rows), len(all), err)
	}
	a := asked("a", "agent", "device", "digest", noon)
	e.refuse(t, move(t, a, approval.Approve, noon), hold.ErrNotFound)
}

func movesFromVersion(t *testing.T, e Engine) {
	a := asked("a", "agent", "device", "digest", noon)
	e.commit(t, hold.Change{New: &a})
	approve := move(t, a, approval.Approve, noon.Add(time.Second))
	e.commit(t, approve)
	same(t, "approved", e.get(t, "a"), approve.Moved[0].Approval)

	deny := move(t, a, approval.Deny, noon.Add(time.Second))
	e.refuse(t, deny, hold.ErrMoved)
	deny.Moved[0].Was = 3
	e.refuse(t, deny, hold.ErrMoved)
	same(t, "approved, after two that came too late", e.get(t, "a"), approve.Moved[0].Approval)

	b := asked("b", "agent", "device", "another", noon)
	e.commit(t, hold.Change{New: &b})
	begin := move(t, approve.Moved[0].Approval, approval.Begin, noon.Add(2*time.Second))
	both := begin
	both.Moved = append(both.Moved, hold.Moved{Approval: b, Was: 7})
	e.refuse(t, both, hold.ErrMoved) // neither moves when one cannot
	same(t, "the first of two", e.get(t, "a"), approve.Moved[0].Approval)
	both.Moved[1] = hold.Moved{Approval: moved(t, b, approval.Deny, noon), Was: 1}
	e.commit(t, both)
	same(t, "the first of two that moved", e.get(t, "a"), begin.Moved[0].Approval)
	if got := e.get(t, "b"); got.State != approval.Denied {
		t.Errorf("the second of two is %v", got.State)
	}
}

func joins(t *testing.T, e Engine) {
	a := asked("a", "agent", "device", "digest", noon)
	again := asked("again", "agent", "device", "digest", noon)
	e.commit(t, hold.Change{New: &a})
	try := hold.Change{New: &again, Rows: []ledger.Entry{entry("again")}}
	e.refuse(t, try, hold.ErrJoin)
	for i, other := range []approval.Approval{
		asked("o1", "agent2", "device", "digest", noon), asked("o2", "agent", "device2", "digest", noon),
		asked("o3", "agent", "device", "digest2", noon), asked("o4", "agentd", "evice", "digest", noon),
		asked("o5", "agent", "", "devicedigest", noon), asked("o6", "", "agentdevice", "digest", noon),
		asked("o7", "AGENT", "device", "digest", noon),
	} {
		e.commit(t, hold.Change{New: &other, Rows: []ledger.Entry{entry(name("o", i))}})
	}
	a = moved(t, a, approval.Approve, noon)
	e.commit(t, hold.Change{Moved: []hold.Moved{{Approval: a, Was: 1}}})
	e.refuse(t, try, hold.ErrJoin)
	a = moved(t, a, approval.Begin, noon)
	e.commit(t, hold.Change{Moved: []hold.Moved{{Approval: a, Was: 2}}})
	e.commit(t, try)
	if got := e.get(t, "again"); got.State != approval.Pending {
		t.Errorf("the question that no longer joins is %v", got.State)
	}
}

func keyTaken(t *testing.T, e Engine) {
	key := hold.Key{Agent: "agent", Key: "k", Request: "r1", Action: "a1", At: noon}
	e.commit(t, hold.Change{Key: &key, Rows: []ledger.Entry{entry("a1")}})
	second := key
	second.Request, second.Action = "r2", "a2"
	e.refuse(t, hold.Change{Key: &second, Rows: []ledger.Entry{entry("a2")}}, hold.ErrKeyTaken)
	e.refuse(t, hold.Change{Key: &key}, hold.ErrKeyTaken)
	if got, err := e.Store.Key(context.Background(), "agent", "k"); err != nil || got != key {
		t.Errorf("the key is %+v, %v; want %+v", got, err, key)
	}
	for _, other := range []hold.Key{{Agent: "agent2", Key: "k"}, {Agent: "agentk", Key: ""}, {Agent: "agent", Key: "K"}, {Agent: "", Key: "agentk"}} {
		other.At = noon
		e.commit(t, hold.Change{Key: &other})
	}
}

func freezes(t *testing.T, e Engine) {
	ctx := context.Background()
	goAhead := hold.Change{RefuseFrozen: true, Rows: []ledger.Entry{entry("ahead")}}
	e.commit(t, goAhead)
	frozen := hold.Freeze{Frozen: true, At: noon, By: "anna", Note: "stop"}
	e.commit(t, hold.Change{Freeze: &frozen, RefuseFrozen: true, Rows: []ledger.Entry{entry("")}})
	e.refuse(t, goAhead, hold.ErrFrozen)
	e.commit(t, hold.Change{Rows: []ledger.Entry{entry("refusal")}})
	if got, err := e.Store.Freeze(ctx); err != nil || got != frozen {
		t.Errorf("frozen: %+v, %v", got, err)
	}
	e.refuse(t, hold.Change{Freeze: &hold.Freeze{}, RefuseFrozen: true}, hold.ErrFrozen)
	e.commit(t, hold.Change{Freeze: &hold.Freeze{At: noon, By: "anna"}, Rows: []ledger.Entry{entry("")}})
	e.commit(t, goAhead)
	if got := e.size(t); got != 5 {
		t.Errorf("there are %d rows, want 5", got)
	}
}

// failureLeavesNothing: whichever part of a change fails, no other part of it
// is there afterwards.
func failureLeavesNothing(t *testing.T, e Engine) {
	ctx := context.Background()
	there := asked("there", "agent", "device", "there", noon)
	e.commit(t, hold.Change{New: &there, Key: &hold.Key{Agent: "agent", Key: "used", At: noon}, Rows: []ledger.Entry{entry("there")}})
	whole := func() hold.Change {
		created := asked("new", "agent", "device", "new", noon)
		return hold.Change{
			Rows: []ledger.Entry{entry("new"), entry("new")}, New: &created,
			Moved: []hold.Moved{{Approval: moved(t, there, approval.Deny, noon), Was: 1}},
			Key:   &hold.Key{Agent: "agent", Key: "fresh", At: noon}, Freeze: &hold.Freeze{Frozen: true},
		}
	}
	tests := []struct {
		name  string
		spoil func(c *hold.Change)
		want  error
	}{
		{"a question that joins", func(c *hold.Change) { c.New.Digest = "there" }, hold.ErrJoin},
		{"a question that has another's id", func(c *hold.Change) { c.New.ID = "there" }, hold.ErrUnavailable},
		{"a question at another version", func(c *hold.Change) { c.Moved[0].Was = 2 }, hold.ErrMoved},
		{"a question that is not there", func(c *hold.Change) { c.Moved[0].Approval.ID = "nowhere" }, hold.ErrNotFound},
		{"a key that was used", func(c *hold.Change) { c.Key.Key = "used" }, hold.ErrKeyTaken},
		{"a row without a kind", func(c *hold.Change) { c.Rows[1].Kind = "" }, hold.ErrUnavailable},
		{"a question that cannot be written", func(c *hold.Change) { c.New.Asked = json.RawMessage(`{`) }, hold.ErrUnavailable},
	}
	for _, tt := range tests {
		c := whole()
		tt.spoil(&c)
		e.refuse(t, c, tt.want)
		if got := e.size(t); got != 1 {
			t.Fatalf("%s: there are %d rows, want 1", tt.name, got)
		}
		same(t, tt.name+": the question", e.get(t, "there"), there)
		_, errNew := e.Store.Approval(ctx, "new")
		_, errKey := e.Store.Key(ctx, "agent", "fresh")
		if !errors.Is(errNew, hold.ErrNotFound) || !errors.Is(errKey, hold.ErrNotFound) {
			t.Errorf("%s: the new question: %v, the new key: %v", tt.name, errNew, errKey)
		}
		if f, err := e.Store.Freeze(ctx); err != nil || f.Frozen {
			t.Errorf("%s: frozen: %v, %v", tt.name, f.Frozen, err)
		}
	}
	e.commit(t, whole())
	if got := e.size(t); got != 3 {
		t.Errorf("there are %d rows after the change that is right, want 3", got)
	}
}
