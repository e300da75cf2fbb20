package answer_test

import (
	"strings"
	"testing"
	"time"

	"github.com/countersign/countersign/approval"
	"github.com/countersign/countersign/channel/answer"
	"github.com/countersign/countersign/hold"
	"github.com/countersign/countersign/hold/fatigue"
)

// approveOften asks the same so many times and says yes each time.
func (w *world) approveOften(n int) {
	w.t.Helper()
	for range n {
		a := w.ask("com.example.board", "Post")
		w.clock.pass(time.Second)
		_, err := w.desk.Answer(ctx, hold.Answer{ID: a.ID, Digest: a.Digest, Yes: true, By: "kim", How: "web"})
		w.must(err)
		_, err = w.desk.Revoke(ctx, a.ID, "kim", "web", "") // room for the next
		w.must(err)
		w.clock.pass(time.Minute)
	}
}

func TestTheStatsPage(t *testing.T) {
	w := newWorld(t)
	cookie := w.cookie(host, "kim")
	if empty := w.page("/stats", cookie); empty.status != 200 || !strings.Contains(empty.body, "No action is on record for that time.") {
		t.Errorf("with nothing on record: %d", empty.status)
	}
	w.approveOften(fatigue.Often)
	page := w.page("/stats?by=app&days=all", cookie)
	page.want(t, "the page", 200, "")
	for _, want := range []string{
		"20 actions, 20 questions: 100.0 for 100 actions", "20 approved (100 %)", "20 of 20 answers (100 %) came sooner than the card can be read",
		"<bdi>com.example.board</bdi></th>", "publish in com.example.board", "apps:\n  com.example.board:\n    table: { publish: allow }\n", "Nothing of this is applied by itself.",
	} {
		if !strings.Contains(page.body, want) {
			t.Errorf("the page does not say %q", want)
		}
	}
	// It was only looked at.
	if next := w.ask("com.example.board", "Post"); w.state(next.ID) != approval.Pending {
		t.Errorf("the next one is %s", w.state(next.ID))
	}
	w.clock.pass(10 * 24 * time.Hour)
	if later := w.page("/stats", w.cookie(host, "kim")); !strings.Contains(later.body, "No action is on record for that time.") {
		t.Error("what is older than seven days counts")
	}
}

func TestWhatTheStatsPageRefuses(t *testing.T) {
	w := newWorld(t)
	cookie := w.cookie(host, "kim")
	tests := []struct {
		query  string
		status int
	}{
		{"", 200}, {"?days=30&by=agent", 200}, {"?days=-1", 400}, {"?days=7%20OR%201", 400}, {"?by=colour", 400}, {"?by=%3Cscript%3E", 400},
	}
	for _, c := range tests {
		if r := w.page("/stats"+c.query, cookie); r.status != c.status || strings.Contains(r.body, "<script>alert") {
			t.Errorf("%q: %d, want %d", c.query, r.status, c.status)
		}
	}
	if r := w.do(request{method: "GET", path: "/stats", host: host}); r.status != 401 {
		t.Errorf("without a session: %d", r.status)
	}
	if r := w.do(request{method: "POST", path: "/stats", host: host, origin: origin, cookie: cookie, contentType: "application/x-www-form-urlencoded"}); r.status != 405 {
		t.Errorf("posted to: %d", r.status)
	}
	bare := newWorld(t, func(o *answer.Options) { o.Record = nil })
	if r := bare.page("/stats", bare.cookie(host, "kim")); r.status != 501 {
		t.Errorf("without a record: %d", r.status)
	}
	if len(tests) != 6 {
		t.Errorf("%d queries", len(tests))
	}
}
