package bench

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/countersign/countersign/channel/answer"
)

// pending questions wait while others are answered, so many for each agent,
// which is the most that one may have open.
const (
	pending  = 1000
	perAgent = 20
)

// tapSend is a request to send a message to somebody, with its screen.
func tapSend(to string) []byte {
	tree := fmt.Sprintf(`<hierarchy rotation="0"><node class="android.widget.FrameLayout" package="com.whatsapp" bounds="[0,0][1080,2400]">`+
		`<node class="android.widget.TextView" text="%s" package="com.whatsapp" resource-id="com.whatsapp:id/conversation_contact_name" enabled="true" bounds="[0,0][1080,100]"/>`+
		`<node class="android.widget.ImageButton" resource-id="com.whatsapp:id/send" content-desc="Send" package="com.whatsapp" clickable="true" enabled="true" bounds="[900,2100][1000,2200]"/></node></hierarchy>`, to)
	body, err := json.Marshal(map[string]any{
		"action": map[string]any{"kind": "tap", "x": 950, "y": 2150},
		"screen": map[string]any{"package": "com.whatsapp", "width": 1080, "height": 2400, "tree": tree},
	})
	if err != nil {
		panic(err) // maps of strings and numbers can be written
	}
	return body
}

// looking is the screen of a request alone, as an agent redeems with it.
func looking(request []byte) []byte {
	var r struct {
		Screen json.RawMessage `json:"screen"`
	}
	if err := json.Unmarshal(request, &r); err != nil {
		panic(err)
	}
	return slices.Concat([]byte(`{"screen":`), r.Screen, []byte(`}`))
}

// asked is a question as the benchmark knows it.
type asked struct{ id, digest string }

// ask proposes an action that is held.
func ask(t testing.TB, w *Wire, g *guard, token, to string) asked {
	t.Helper()
	status, body, err := w.Do(g.message(http.MethodPost, "/v1/actions", token, tapSend(to)))
	if err != nil {
		t.Fatal(err)
	}
	var v struct{ ID, Digest string }
	if err := json.Unmarshal(body, &v); err != nil || status != http.StatusAccepted {
		t.Fatalf("not held: %d %s %v", status, body, err)
	}
	return asked{v.ID, v.Digest}
}

// crowd asks the questions that stay pending. When they are polled, each has a
// connection on which its agent waits for the answer.
func crowd(t testing.TB, g *guard, polled bool) {
	t.Helper()
	for i := range pending / perAgent {
		_, token, err := g.Registry().AddAgent(context.Background(), fmt.Sprintf("crowd-%d", i), nil, "owner")
		if err != nil {
			t.Fatal(err)
		}
		asking := dial(t, "tcp", g.agents)
		for j := range perAgent {
			q := ask(t, asking, g, token, fmt.Sprintf("Somebody %d-%d", i, j))
			if polled {
				poll := dial(t, "tcp", g.agents)
				if err := poll.Send(g.message(http.MethodGet, "/v1/actions/"+q.id+"?wait=60s", token, nil)); err != nil {
					t.Fatal(err)
				}
				go keepPolling(poll, g.message(http.MethodGet, "/v1/actions/"+q.id+"?wait=60s", token, nil))
			}
		}
	}
}

// watch is the owner's page in a terminal: it waits until the open questions are
// others than those it has seen, and reads them all.
func watch(t testing.TB, g *guard) {
	t.Helper()
	c := http.Client{Transport: &http.Transport{DialContext: func(context.Context, string, string) (net.Conn, error) {
		return net.Dial("unix", g.Socket())
	}}}
	ctx, cancel := context.WithCancel(context.Background())
	t.Cleanup(cancel)
	list := func(query string) (version string, err error) {
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+answer.SocketHost+"/v1/approvals?limit=500&state=open"+query, nil)
		if err != nil {
			return "", err
		}
		req.Header.Set("Authorization", "Bearer "+g.approver)
		res, err := c.Do(req)
		if err != nil {
			return "", err
		}
		defer res.Body.Close()
		var l struct{ Version string }
		if err := json.NewDecoder(res.Body).Decode(&l); err != nil {
			return "", err
		}
		if l.Version == "" {
			return "", fmt.Errorf("no list: %s", res.Status)
		}
		return l.Version, nil
	}
	seen, err := list("")
	if err != nil {
		t.Fatal(err)
	}
	go func() {
		for err == nil {
			seen, err = list("&wait=60s&seen=" + seen)
		}
	}()
}

// keepPolling asks again whenever the wait is over, until the guard is gone.
func keepPolling(w *Wire, message []byte) {
	for {
		if _, _, err := w.Receive(); err != nil {
			return
		}
		if w.Send(message) != nil {
			return
		}
	}
}

func dial(t testing.TB, network, address string) *Wire {
	t.Helper()
	w, err := Dial(network, address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { w.Close() })
	return w
}

// run is one question after the other that is answered and released.
type run struct {
	t                      testing.TB
	g                      *guard
	agent, polls, approver *Wire
	n                      int
}

func newRun(t testing.TB, g *guard) *run {
	return &run{
		t: t, g: g, agent: dial(t, "tcp", g.agents), polls: dial(t, "tcp", g.agents), approver: dial(t, "unix", g.Socket()),
	}
}

// owner sends a request of the owner's terminal.
func (r *run) owner(method, path string, body []byte) []byte {
	r.t.Helper()
	status, answered, err := r.approver.Do(Message(method, path, answer.SocketHost, r.g.approver, body))
	if err != nil || status != http.StatusOK {
		r.t.Fatalf("%s %s: %d %s %v", method, path, status, answered, err)
	}
	return answered
}

// once asks, waits, answers and redeems, and measures from when the answer is
// sent until the agent has it in hand that its action is released.
func (r *run) once() time.Duration {
	r.t.Helper()
	r.n++
	to := fmt.Sprintf("Anna %d", r.n)
	q := ask(r.t, r.agent, r.g, r.g.agent, to)
	redeem := r.g.message(http.MethodPost, "/v1/actions/"+q.id+"/redeem", r.g.agent, looking(tapSend(to)))
	if err := r.polls.Send(r.g.message(http.MethodGet, "/v1/actions/"+q.id+"?wait=60s", r.g.agent, nil)); err != nil {
		r.t.Fatal(err)
	}
	released := make(chan time.Time, 1)
	go func() {
		defer close(released)
		if status, body, err := r.polls.Receive(); err != nil || status != http.StatusOK || !bytes.Contains(body, []byte(`"state":"approved"`)) {
			r.t.Errorf("the poll: %d %s %v", status, body, err)
			return
		}
		if status, body, err := r.agent.Do(redeem); err != nil || status != http.StatusOK || !bytes.Contains(body, []byte(`"state":"releasing"`)) {
			r.t.Errorf("not released: %d %s %v", status, body, err)
			return
		}
		released <- time.Now()
	}()
	// Reading the card takes long enough for the poll to be waiting.
	r.owner(http.MethodGet, "/v1/approvals/"+q.id, nil)
	begun := time.Now()
	r.owner(http.MethodPost, "/v1/approvals/"+q.id+"/approve", []byte(`{"digest":"`+q.digest+`"}`))
	at, ok := <-released
	if !ok {
		r.t.FailNow()
	}
	took := at.Sub(begun)
	status, body, err := r.agent.Do(r.g.message(http.MethodPost, "/v1/actions/"+q.id+"/result", r.g.agent, []byte(`{"ok":true}`)))
	if err != nil || status != http.StatusOK || !bytes.Contains(body, []byte(`"state":"released"`)) {
		r.t.Fatalf("the result: %d %s %v", status, body, err)
	}
	return took
}

// What the benchmark measures is a release: a few of them, with nobody else.
func TestRelease(t *testing.T) {
	g := startGuard(t)
	r := newRun(t, g)
	for range 3 {
		if took := r.once(); took <= 0 {
			t.Errorf("released before it was answered: %v", took)
		}
	}
}

// BenchmarkRelease is the time from an answer to its release, over HTTP and with
// a file: two transactions, each with its sync. The crowd has 1,000 other
// questions open; polled says that each of their agents waits on a connection as
// well, and watched that the owner's page is open besides.
func BenchmarkRelease(b *testing.B) {
	for _, crowded := range []string{"none", "open", "polled", "watched"} {
		b.Run("crowd="+crowded, func(b *testing.B) {
			g := startGuard(b)
			if crowded != "none" {
				crowd(b, g, crowded != "open")
			}
			if crowded == "watched" {
				watch(b, g)
			}
			r := newRun(b, g)
			r.once()
			took := make([]time.Duration, 0, b.N)
			b.ResetTimer()
			start := cpuTime()
			for range b.N {
				took = append(took, r.once())
			}
			b.StopTimer()
			b.ReportMetric(float64(cpuTime()-start)/float64(b.N), "cpu-ns/op")
			slices.Sort(took)
			reportQuantiles(b, "", took)
		})
	}
}

// BenchmarkSync is what the disk takes: 4 kB at the end of a file, and its sync.
func BenchmarkSync(b *testing.B) {
	file, err := os.Create(filepath.Join(b.TempDir(), "file"))
	if err != nil {
		b.Fatal(err)
	}
	defer file.Close()
	block := []byte(strings.Repeat("-", 4096))
	took := make([]time.Duration, 0, b.N)
	b.ResetTimer()
	for range b.N {
		begun := time.Now()
		if _, err := file.Write(block); err != nil {
			b.Fatal(err)
		}
		if err := file.Sync(); err != nil {
			b.Fatal(err)
		}
		took = append(took, time.Since(begun))
	}
	b.StopTimer()
	slices.Sort(took)
	reportQuantiles(b, "", took)
}
