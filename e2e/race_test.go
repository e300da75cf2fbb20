package e2e

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/countersign/countersign/approval"
	"github.com/countersign/countersign/daemon"
	"github.com/countersign/countersign/ledger"
	"github.com/countersign/countersign/store/sqlite"
)

// atOnce is how many answers one question gets at the same time.
const atOnce = 100

// TestOneOfAHundredAnswersCounts has a hundred connections answer one question
// at the same time, half of them yes and half no. COUNTERSIGN_RACES says how
// many questions (50).
func TestOneOfAHundredAnswersCounts(t *testing.T) {
	races := amount(t, "COUNTERSIGN_RACES", 50)
	home := newHome(t)
	d, _ := inProcess(t, daemon.Options{Home: home, Cooldown: time.Millisecond})
	w := newPair(t, home, d.AgentsURL())
	crowd := newCrowd(t, home)
	store, err := sqlite.OpenReadOnly(t.Context(), filepath.Join(home, daemon.DatabaseFile))
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	yes := 0
	for range races {
		q := w.held()
		won := crowd.answer(q)
		rows, err := store.About(t.Context(), q.id)
		if err != nil {
			t.Fatal(err)
		}
		if counted := answersIn(t, rows); len(counted) != 1 || counted[0] != won {
			t.Fatalf("%s: %q was answered 200, the ledger has %q", q.id, won, counted)
		}
		if want := map[string]approval.State{"approve": approval.Approved, "deny": approval.Denied}[won]; w.state(q) != want {
			t.Fatalf("%s: %s counted, and it is %v", q.id, won, w.state(q))
		}
		if won == "approve" {
			yes++
			w.ask(http.MethodDelete, "/v1/actions/"+q.id, nil)
		}
	}
	t.Logf("%d questions with %d answers each: %d times yes was first, %d times no", races, atOnce, yes, races-yes)
	w.record()
}

// inProcess runs a guard in this process, and stops it with the test unless it
// was stopped before.
func inProcess(t *testing.T, o daemon.Options) (d *daemon.Daemon, stop func()) {
	t.Helper()
	o.Agents, o.Inbox = "127.0.0.1:0", "127.0.0.1:0"
	d, err := daemon.New(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Start(); err != nil {
		t.Fatal(err)
	}
	var once sync.Once
	stop = func() {
		once.Do(func() {
			if err := d.Stop(context.Background()); err != nil {
				t.Errorf("stop: %v", err)
			}
		})
	}
	t.Cleanup(stop)
	return d, stop
}

// answersIn are the answers that a question's rows have.
func answersIn(t *testing.T, rows []ledger.Row) (events []string) {
	t.Helper()
	for i := range rows {
		if rows[i].Kind != ledger.KindTransition {
			continue
		}
		var body ledger.Transition
		if err := json.Unmarshal(rows[i].Body, &body); err != nil {
			t.Fatal(err)
		}
		if body.Event == approval.Approve.String() || body.Event == approval.Deny.String() {
			events = append(events, body.Event)
		}
	}
	return events
}

// crowd is a hundred connections of the owner's.
type crowd struct {
	t     *testing.T
	token string
	http  *http.Client
}

func newCrowd(t *testing.T, home string) *crowd {
	t.Helper()
	token, err := secretOf(home, daemon.ApproverTokenFile)
	if err != nil {
		t.Fatal(err)
	}
	var dialer net.Dialer
	transport := &http.Transport{MaxIdleConnsPerHost: atOnce, DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return dialer.DialContext(ctx, "unix", filepath.Join(home, daemon.SocketFile))
	}}
	t.Cleanup(transport.CloseIdleConnections)
	return &crowd{t: t, token: token, http: &http.Client{Transport: transport}}
}

// answer answers a question from all sides and returns the answer that counted.
// Exactly one does, and all others are told of a conflict.
func (c *crowd) answer(q question) (won string) {
	c.t.Helper()
	body, err := json.Marshal(map[string]string{"digest": q.digest})
	if err != nil {
		c.t.Fatal(err)
	}
	var counted, conflicts atomic.Int64
	var winner atomic.Value
	start := make(chan struct{})
	var all sync.WaitGroup
	for i := range atOnce {
		verb := []string{"approve", "deny"}[i%2]
		all.Go(func() {
			<-start
			switch status, text := c.post("/v1/approvals/"+q.id+"/"+verb, body); status {
			case http.StatusOK:
				counted.Add(1)
				winner.Store(verb)
			case http.StatusConflict:
				conflicts.Add(1)
			default:
				c.t.Errorf("%s: %d %s", verb, status, text)
			}
		})
	}
	close(start)
	all.Wait()
	if counted.Load() != 1 || conflicts.Load() != atOnce-1 {
		c.t.Fatalf("%s: %d answers counted, %d were told of a conflict", q.id, counted.Load(), conflicts.Load())
	}
	return winner.Load().(string)
}

func (c *crowd) post(path string, body []byte) (status int, text string) {
	req, err := http.NewRequest(http.MethodPost, "http://countersign"+path, bytes.NewReader(body))
	if err != nil {
		return 0, err.Error()
	}
	req.Header.Set("Authorization", "Bearer "+c.token)
	req.Header.Set("Content-Type", "application/json")
	res, err := c.http.Do(req)
	if err != nil {
		return 0, err.Error()
	}
	defer res.Body.Close()
	data, err := io.ReadAll(res.Body)
	if err != nil {
		return 0, err.Error()
	}
	return res.StatusCode, string(data)
}
