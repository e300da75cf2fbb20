package bench

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

const (
	// connections ask at the same time, and each body has this many bytes, as in
	// the budget of DESIGN.md.
	connections = 16
	bodySize    = 2048
)

// service is a server with the way in which it is asked about a control.
type service struct {
	name, address, path, token string
	body                       func(c Control, task string) any
	asks                       map[bool]string // what an answer holds
}

// load is the question about a control, with a task as long as it takes to fill
// the body: the task is nothing that any of the guards looks at.
func (s *service) load(t testing.TB, c Control, asks bool) *Load {
	t.Helper()
	write := func(task string) []byte {
		body, err := json.Marshal(s.body(c, task))
		if err != nil {
			t.Fatal(err)
		}
		return body
	}
	missing := bodySize - len(write(""))
	task := strings.Repeat("Look up when Anna is at home and write it into the calendar, if it is free. ", 40)[:missing]
	body := write(task)
	if len(body) != bodySize {
		t.Fatalf("%s: the body has %d bytes, want %d", s.name, len(body), bodySize)
	}
	return &Load{
		Network: "tcp", Address: s.address, Connections: connections,
		Message: Message(http.MethodPost, s.path, s.address, s.token, body), Want: s.asks[asks],
	}
}

// services are the servers, started. The empty one reads the request and writes
// an answer of the length of ours: what it reaches is the most that net/http,
// the client here and the machine let any of them reach.
func services(t testing.TB) []service {
	t.Helper()
	ours := startGuard(t)
	opa, err := StartOPA(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := opa.Stop(); err != nil {
			t.Error(err)
		}
	})
	answer := []byte(`{"result":"` + strings.Repeat("-", 400) + `"}`)
	empty := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if _, err := io.Copy(io.Discard, r.Body); err != nil {
			return // the client will say so
		}
		w.Header().Set("Content-Type", "application/json")
		w.Write(answer)
	}))
	t.Cleanup(empty.Close)

	forOPA := func(c Control, task string) any {
		return map[string]any{"input": map[string]string{
			"text": c.Text, "content_desc": c.ContentDesc, "resource_id": c.ResourceID, "package": c.Package, "task": task,
		}}
	}
	forUs := func(c Control, task string) any {
		return map[string]any{
			"action": map[string]string{"kind": "tap"}, "screen": map[string]string{"package": c.Package}, "task": task,
			"target": map[string]string{"text": c.Text, "content_desc": c.ContentDesc, "resource_id": c.ResourceID},
		}
	}
	return []service{
		{"empty", empty.Listener.Addr().String(), "/", "", forOPA, map[bool]string{true: "result", false: "result"}},
		{"opa", opa.Address(), "/v1/data/guard/asks", "", forOPA, map[bool]string{true: `"result":true`, false: `"result":false`}},
		{"countersign", ours.agents, "/v1/decide", ours.agent, forUs, map[bool]string{true: `"outcome":"confirm"`, false: `"outcome":"allow"`}},
	}
}

// Over HTTP the guards answer alike too, each connection again and again.
func TestSameAnswerOverHTTP(t *testing.T) {
	ran := 0
	for _, s := range services(t) {
		for asks, control := range map[bool]Control{true: Hit, false: Miss} {
			const n = 100
			took, err := s.load(t, control, asks).Run(n)
			if err != nil {
				t.Errorf("%s: asks %v: %v", s.name, asks, err)
			}
			if len(took) != n {
				t.Errorf("%s: %d answers, want %d", s.name, len(took), n)
			}
			ran++
		}
	}
	if ran != 6 {
		t.Fatalf("asked %d times, want 6", ran)
	}
}

// An answer that is not as wanted is an error and no fast request.
func TestLoadRefusesWrongAnswers(t *testing.T) {
	for _, s := range services(t)[1:] {
		l := s.load(t, Hit, false)
		if took, err := l.Run(10); err == nil {
			t.Errorf("%s: %d answers were taken for others", s.name, len(took))
		}
	}
}

// BenchmarkService is one decision over HTTP, an iteration a request. Client and
// servers are one process and share its processors.
func BenchmarkService(b *testing.B) {
	for _, s := range services(b) {
		for _, labels := range []struct {
			name    string
			control Control
			asks    bool
		}{{"miss", Miss, false}, {"hit", Hit, true}} {
			b.Run("server="+s.name+"/labels="+labels.name, func(b *testing.B) {
				load := s.load(b, labels.control, labels.asks)
				b.ReportAllocs()
				b.ResetTimer()
				start := cpuTime()
				took, err := load.Run(b.N)
				if err != nil {
					b.Fatal(err)
				}
				b.StopTimer()
				b.ReportMetric(float64(cpuTime()-start)/float64(b.N), "cpu-ns/op")
				b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "requests/s")
				reportQuantiles(b, "", took)
			})
		}
	}
}

// reportQuantiles reports the median and the slowest of a hundred; name tells
// them from others of the same benchmark.
func reportQuantiles(b *testing.B, name string, sorted []time.Duration) {
	b.ReportMetric(float64(Quantile(sorted, 0.5).Microseconds())/1000, name+"p50-ms")
	b.ReportMetric(float64(Quantile(sorted, 0.99).Microseconds())/1000, name+"p99-ms")
}
