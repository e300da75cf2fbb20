package answer_test

import (
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/countersign/countersign/approval"
	"github.com/countersign/countersign/decide"
	"github.com/countersign/countersign/ledger"
	"github.com/countersign/countersign/risk"
)

// listed is the answer to a list.
type listed struct {
	Approvals []approval.Approval
	Frozen    bool
	Version   string
	Now       time.Time
}

func (l *listed) ids() []string {
	var out []string
	for i := range l.Approvals {
		out = append(out, l.Approvals[i].ID)
	}
	return out
}

func (w *world) list(query string) listed {
	w.t.Helper()
	r := w.get("/v1/approvals" + query)
	r.want(w.t, "list "+query, 200, "")
	return into[listed](w.t, r)
}

func TestAnswers(t *testing.T) {
	w := newWorld(t)
	yes, no := w.send("yes"), w.send("no")
	r := w.post("/v1/approvals/"+yes.ID+"/approve", map[string]string{"digest": yes.Digest, "note": "go on"})
	r.want(t, "approve", 200, "")
	if got := into[approval.Approval](t, r); got.State != approval.Approved || got.AnsweredBy != "kim" || got.How != "api" || got.Note != "go on" || got.Card.Label != "Send to yes" {
		t.Errorf("the answer shows %s by %q, %q, %q, label %q", got.State, got.AnsweredBy, got.How, got.Note, got.Card.Label)
	}
	w.post("/v1/approvals/"+no.ID+"/deny", answerTo(no)).want(t, "deny", 200, "")
	if got := w.state(no.ID); got != approval.Denied {
		t.Errorf("denied, and it is %s", got)
	}
	r = w.post("/v1/approvals/"+yes.ID+"/revoke", map[string]string{"note": "wait"})
	r.want(t, "revoke", 200, "")
	if got := into[approval.Approval](t, r); got.State != approval.Revoked || got.Note != "wait" {
		t.Errorf("revoked, and it is %s with %q", got.State, got.Note)
	}
	w.get("/v1/approvals/"+no.ID).want(t, "get", 200, "")
	for _, row := range w.transitions(yes.ID) {
		if row.Event == "approve" && (row.By != "kim" || row.How != "api" || row.Digest != yes.Digest) {
			t.Errorf("the record says %+v", row)
		}
	}
}

// transitions are the recorded moves of a question.
func (w *world) transitions(id string) []ledger.Transition {
	w.t.Helper()
	rows, err := w.store.About(ctx, id)
	w.must(err)
	var out []ledger.Transition
	for _, row := range rows {
		if row.Kind == ledger.KindTransition {
			out = append(out, into[ledger.Transition](w.t, response{body: string(row.Body)}))
		}
	}
	return out
}

// TestRefusedAnswers: what is no answer to a question leaves it as it was, and
// says why in a word for programs.
func TestRefusedAnswers(t *testing.T) {
	w := newWorld(t)
	open, other, denied, approved, revoked, late, withdrawn := w.send("ann"), w.send("ben"), w.send("cem"), w.send("dov"), w.send("eve"), w.send("late"), w.send("fay")
	w.post("/v1/approvals/"+denied.ID+"/deny", answerTo(denied)).want(t, "deny", 200, "")
	w.post("/v1/approvals/"+approved.ID+"/approve", answerTo(approved)).want(t, "approve", 200, "")
	w.post("/v1/approvals/"+revoked.ID+"/revoke", struct{}{}).want(t, "revoke", 200, "")
	_, err := w.desk.Withdraw(ctx, "agt_test", withdrawn.ID, approval.CodeWithdrawn)
	w.must(err)
	note := func(n int) map[string]string {
		return map[string]string{"digest": open.Digest, "note": strings.Repeat("ä", n)}
	}
	tests := []struct {
		name, path string
		body       any
		status     int
		code       string
	}{
		{"unknown", "a_nothing/approve", answerTo(open), 404, "not_found"},
		{"another question's digest", open.ID + "/approve", answerTo(other), 409, "digest_mismatch"},
		{"another question's digest, deny", open.ID + "/deny", answerTo(other), 409, "digest_mismatch"},
		{"another question's digest, revoke", open.ID + "/revoke", answerTo(other), 409, "digest_mismatch"},
		{"no digest", open.ID + "/approve", map[string]string{"note": "x"}, 400, "digest_missing"},
		{"an empty object", open.ID + "/deny", struct{}{}, 400, "digest_missing"},
		{"an unknown field", open.ID + "/approve", map[string]string{"digest": open.Digest, "how": "web"}, 400, "bad_body"},
		{"a list", open.ID + "/approve", []string{open.Digest}, 400, "bad_body"},
		{"no body", open.ID + "/approve", nil, 400, "digest_missing"},
		{"a note that is too long", open.ID + "/approve", note(501), 400, "note_too_long"},
		{"a note that is too long, revoke", open.ID + "/revoke", note(501), 400, "note_too_long"},
		{"a body that is too long", open.ID + "/approve", note(70000), 413, "too_large"},
		{"denied, approve", denied.ID + "/approve", answerTo(denied), 409, "already_decided"},
		{"denied, deny", denied.ID + "/deny", answerTo(denied), 409, "already_decided"},
		{"denied, revoke", denied.ID + "/revoke", struct{}{}, 409, "already_decided"},
		{"approved, approve", approved.ID + "/approve", answerTo(approved), 409, "already_decided"},
		{"approved, deny", approved.ID + "/deny", answerTo(approved), 409, "already_decided"},
		{"revoked, approve", revoked.ID + "/approve", answerTo(revoked), 409, "revoked"},
		{"withdrawn, approve", withdrawn.ID + "/approve", answerTo(withdrawn), 409, "withdrawn"},
		{"no such verb", open.ID + "/allow", answerTo(open), 404, "not_found"},
	}
	for _, tt := range tests {
		w.post("/v1/approvals/"+tt.path, tt.body).want(t, tt.name, tt.status, tt.code)
	}
	if w.state(open.ID) != approval.Pending || w.state(other.ID) != approval.Pending || w.state(approved.ID) != approval.Approved {
		t.Error("a refused answer moved a question")
	}
	r := w.post("/v1/approvals/"+denied.ID+"/approve", answerTo(denied))
	if got := into[struct{ State string }](t, r); got.State != "denied" {
		t.Errorf("the conflict names the state %q", got.State)
	}
	// Report V05: after its time a question is expired, whoever comes first, and
	// nobody refused it.
	w.clock.pass(16 * time.Minute)
	for _, verb := range []string{"approve", "deny", "revoke"} {
		w.post("/v1/approvals/"+late.ID+"/"+verb, answerTo(late)).want(t, "late "+verb, 409, "expired")
	}
	w.post("/v1/approvals/"+approved.ID+"/revoke", struct{}{}).want(t, "revoke after the use", 409, "expired")
	a, err := w.store.Approval(ctx, late.ID)
	w.must(err)
	if a.State != approval.Expired || a.AnsweredBy != "" || a.Code != approval.CodeNotAnswered {
		t.Errorf("late: %s by %q, code %q", a.State, a.AnsweredBy, a.Code)
	}
	if again := w.send("late"); again.ID == late.ID {
		t.Error("asking again did not make a new question")
	}
	if len(tests) != 20 {
		t.Errorf("%d cases, want 20", len(tests))
	}
}

// TestManyAnswerAtOnce is report V03 for this door: of 200 answers at the same
// time, yes and no, through token and cookie, one counts and 199 learn that they
// were late.
func TestManyAnswerAtOnce(t *testing.T) {
	w := newWorld(t)
	a := w.pay()
	const many = 200
	var group sync.WaitGroup
	got := make([]response, many)
	start := make(chan struct{})
	for i := range many {
		verb := "approve"
		if i%2 == 1 {
			verb = "deny"
		}
		group.Go(func() {
			<-start
			got[i] = w.post("/v1/approvals/"+a.ID+"/"+verb, answerTo(a))
		})
	}
	close(start)
	group.Wait()
	won := 0
	for i := range got {
		if got[i].status == http.StatusOK {
			won++
			continue
		}
		got[i].want(t, "a late answer", 409, "already_decided")
	}
	decided := 0
	for _, move := range w.transitions(a.ID) {
		if move.Event == "approve" || move.Event == "deny" {
			decided++
		}
	}
	if won != 1 || decided != 1 {
		t.Errorf("%d answers counted and %d are recorded, want 1", won, decided)
	}
}

func TestList(t *testing.T) {
	w := newWorld(t)
	first := w.send("first")
	w.clock.pass(time.Second)
	second := w.send("second")
	w.clock.pass(time.Second)
	yes := w.send("yes")
	w.clock.pass(time.Second)
	no := w.pay()
	w.post("/v1/approvals/"+yes.ID+"/approve", answerTo(yes)).want(t, "approve", 200, "")
	w.post("/v1/approvals/"+no.ID+"/deny", answerTo(no)).want(t, "deny", 200, "")
	for query, want := range map[string][]string{
		"":                     {first.ID, second.ID, yes.ID}, // what waits for a person, the nearest deadline first
		"?state=open":          {first.ID, second.ID, yes.ID},
		"?state=open&limit=1":  {first.ID},
		"?state=settled":       {no.ID},
		"?state=all":           {no.ID, yes.ID, second.ID, first.ID}, // newest first
		"?state=all&limit=2":   {no.ID, yes.ID},
		"?limit=500&wait=0s":   {first.ID, second.ID, yes.ID},
		"?seen=x&wait=60s":     {first.ID, second.ID, yes.ID},
		"?seen=x&wait=9999h1s": {first.ID, second.ID, yes.ID},
	} {
		l := w.list(query)
		if got := l.ids(); !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", query, got, want)
		}
		if l.Version == "" || !l.Now.Equal(w.desk.Now()) {
			t.Errorf("%q: version %q, now %v", query, l.Version, l.Now)
		}
	}
	for _, bad := range []string{"?state=mine", "?limit=0", "?limit=501", "?limit=x", "?wait=soon", "?wait=-1s"} {
		w.get("/v1/approvals"+bad).want(t, bad, 400, "bad_query")
	}
	if got := w.get("/v1/approvals/" + first.ID); into[approval.Approval](t, got).Card.Label != "Send to first" {
		t.Errorf("one question: %s", got.body)
	}
	w.get("/v1/approvals/a_nothing").want(t, "one that is not there", 404, "not_found")
}

// TestVersion: the same content has the same version, and every change another.
func TestVersion(t *testing.T) {
	w := newWorld(t)
	seen := map[string]string{}
	fresh := func(what string) {
		t.Helper()
		l := w.list("")
		if again := w.list(""); again.Version != l.Version {
			t.Errorf("%s: the same list has two versions", what)
		}
		if before, known := seen[l.Version]; known {
			t.Errorf("%s has the version of %s", what, before)
		}
		seen[l.Version] = what
	}
	fresh("nothing")
	a := w.send("lee")
	fresh("a question")
	_, err := w.desk.Park(ctx, "agt_test", a.ID)
	w.must(err)
	fresh("parked")
	w.post("/v1/approvals/"+a.ID+"/approve", answerTo(a)).want(t, "approve", 200, "")
	fresh("approved")
	w.post("/v1/freeze", map[string]string{"note": ""}).want(t, "freeze", 200, "")
	fresh("frozen")
}

// TestWaiting: a list that waits comes as soon as anything is different, by
// whatever it became different, and with the end of the desk.
func TestWaiting(t *testing.T) {
	w := newWorld(t)
	asked := w.send("before")
	parked := w.send("parked")
	changes := []struct {
		name   string
		change func()
	}{
		{"a question", func() { w.send("lee") }},
		{"an answer", func() { w.post("/v1/approvals/"+asked.ID+"/approve", answerTo(asked)) }},
		{"parking", func() { _, err := w.desk.Park(ctx, "agt_test", parked.ID); w.must(err) }},
		{"a withdrawal", func() {
			_, err := w.desk.Withdraw(ctx, "agt_test", parked.ID, approval.CodeWithdrawn)
			w.must(err)
		}},
		{"an end", func() { w.clock.pass(16 * time.Minute); w.desk.Sweep(ctx) }},
		{"a freeze", func() { w.must(w.desk.Freeze(ctx, "kim", "")) }},
		{"an unfreeze", func() { w.must(w.desk.Unfreeze(ctx, "kim", "")) }},
	}
	for _, tt := range changes {
		seen := w.list("").Version
		waiting := make(chan listed)
		go func() { waiting <- w.list("?wait=60s&seen=" + seen) }()
		tt.change()
		if l := <-waiting; l.Version == seen {
			t.Errorf("%s: the list came back as it was", tt.name)
		}
	}
	if len(changes) != 7 {
		t.Errorf("%d changes, want 7", len(changes))
	}
	seen := w.list("").Version
	if l := w.list("?wait=1ms&seen=" + seen); l.Version != seen {
		t.Error("nothing happened, and the list is another")
	}
	waiting := make(chan listed)
	go func() { waiting <- w.list("?wait=60s&seen=" + seen) }()
	w.desk.Close()
	if l := <-waiting; l.Version != seen {
		t.Error("the desk was closed, and the list is another")
	}
	if l := w.list("?wait=60s&seen=" + seen); l.Version != seen {
		t.Error("the desk is closed, and the list is another")
	}
}

// TestNoChangeIsMissed: what happens between reading the list and beginning to
// wait is noticed.
func TestNoChangeIsMissed(t *testing.T) {
	w := newWorld(t)
	seen := w.list("").Version
	change := func() { w.send("lee") }
	w.faults.once.Store(&change)
	if l := w.list("?wait=10s&seen=" + seen); l.Version == seen || len(l.Approvals) != 1 {
		t.Errorf("the list has %d questions", len(l.Approvals))
	}
}

// TestWholeCard: while the question is open an approver sees what is about to
// leave, whatever it is, in the list, by itself and on the page.
func TestWholeCard(t *testing.T) {
	w := newWorld(t)
	cookie := w.cookie(host, "kim")
	const line = "am start -a android.intent.action.VIEW -d 'https://x.example/cb?session_token=EXAMPLE-TOKEN-77'; pm uninstall com.example.notes"
	a := w.propose(&decide.Request{Action: risk.Action{Kind: risk.ShellLine, Shell: line}})
	if got := w.list("").Approvals[0].Card.Argument; got != line {
		t.Errorf("the list shows %q", got)
	}
	if got := into[approval.Approval](t, w.get("/v1/approvals/"+a.ID)).Card.Argument; got != line {
		t.Errorf("the question shows %q", got)
	}
	if page := w.page("/approvals/"+a.ID, cookie); !strings.Contains(page.body, "EXAMPLE-TOKEN-77") || !strings.Contains(page.body, "<mark>") {
		t.Errorf("the card shows something else: %s", page.body)
	}
	stored, err := w.store.Approval(ctx, a.ID)
	w.must(err)
	if strings.Contains(stored.Card.Argument, "EXAMPLE-TOKEN-77") {
		t.Error("the secret is in the store")
	}
}
