package e2e

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/countersign/countersign/approval"
)

// longPolls is how many requests of one agent may wait at a time.
const longPolls = 64

// TestStopInTheMiddle: a guard that is told to stop ends the long polls with an
// answer, answers the request that it has in hand, and has everything again at
// the next start.
func TestStopInTheMiddle(t *testing.T) {
	home := newHome(t)
	p := up(t, home, nil)
	w := newPair(t, home, p.url)
	yes, open := w.approved(), w.held()
	before := w.ask(http.MethodGet, "/v1/actions/"+open.id, nil)

	var polls sync.WaitGroup
	answers := make(chan answered, longPolls)
	for range longPolls {
		polls.Go(func() {
			for { // again when the question below took its place
				ans, ok := w.hand.once(opWait, p.url, http.MethodGet, "/v1/actions/"+open.id+"?wait=60s", nil)
				if ok && ans.status == http.StatusTooManyRequests {
					continue
				}
				if ok {
					answers <- ans
				}
				return
			}
		})
	}
	// One more is refused while all of them wait.
	for full := 0; full < 5; full++ {
		if w.ask(http.MethodGet, "/v1/actions/"+open.id+"?wait=1ms", nil).status != http.StatusTooManyRequests {
			full = 0
		}
	}
	finish := w.half(t)
	if err := p.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	polls.Wait()
	close(answers)
	n := 0
	for ans := range answers {
		if ans.status != http.StatusOK || ans.Approval == nil || ans.Approval.State != approval.Pending {
			t.Errorf("a long poll was ended with %d %s %s", ans.status, ans.Code, ans.Detail)
		}
		n++
	}
	if n != longPolls {
		t.Errorf("%d of %d long polls were answered", n, longPolls)
	}
	late := finish()
	if exit := p.exit(t); exit != 0 {
		t.Errorf("the guard ends with %d:\n%s", exit, p.said())
	}
	w = again(w, up(t, home, nil))
	after := w.ask(http.MethodGet, "/v1/actions/"+open.id, nil)
	if after.Approval == nil || after.Approval.State != approval.Pending || !after.Approval.ExpiresAt.Equal(before.Approval.ExpiresAt) {
		t.Errorf("the open question was %+v, and is %+v", before.Approval, after.Approval)
	}
	if got := w.state(late); got != approval.Pending {
		t.Errorf("what was in hand is %v", got)
	}
	w.recovers(yes, open)
}

// half sends half a proposal, and returns when the guard reads it. finish sends
// the rest and wants it to be answered.
func (w *pair) half(t *testing.T) (finish func() question) {
	t.Helper()
	w.made++
	q := question{number: w.made}
	body := w.hand.look(q.number)
	body["action"] = map[string]any{"kind": "tap"}
	doc, err := json.Marshal(body)
	if err != nil {
		t.Fatal(err)
	}
	conn, err := net.Dial("tcp", strings.TrimPrefix(w.url, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	// "Continue" comes when the handler begins to read the body.
	head := "POST /v1/actions HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer %s\r\nContent-Type: application/json\r\n" +
		"Content-Length: %d\r\nExpect: 100-continue\r\n\r\n"
	if _, err := fmt.Fprintf(conn, head, w.hand.token, len(doc)); err != nil {
		t.Fatal(err)
	}
	from := bufio.NewReader(conn)
	if line, err := from.ReadString('\n'); err != nil || !strings.Contains(line, "100") {
		t.Fatalf("the guard does not read on: %q, %v", line, err)
	}
	if _, err := from.ReadString('\n'); err != nil {
		t.Fatal(err)
	}
	if _, err := conn.Write(doc[:len(doc)/2]); err != nil {
		t.Fatal(err)
	}
	return func() question {
		t.Helper()
		if _, err := conn.Write(doc[len(doc)/2:]); err != nil {
			t.Fatal(err)
		}
		res, err := http.ReadResponse(from, nil)
		if err != nil {
			t.Fatalf("the request in hand was not answered: %v", err)
		}
		defer res.Body.Close()
		var ans answered
		text, err := io.ReadAll(res.Body)
		if err == nil {
			err = json.Unmarshal(text, &ans)
		}
		if err != nil || res.StatusCode != http.StatusAccepted {
			t.Fatalf("the request in hand was answered %d %s (%v)", res.StatusCode, text, err)
		}
		q.id, q.digest = ans.ID, ans.Digest
		return q
	}
}
