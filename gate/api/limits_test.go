package api_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/countersign/countersign/gate/api"
	"github.com/countersign/countersign/ledger"
)

func (f *fixture) aggregates() map[string]ledger.Aggregate {
	f.t.Helper()
	out := map[string]ledger.Aggregate{}
	for _, r := range f.rows(ledger.KindAggregate) {
		var c ledger.Aggregate
		f.must(json.Unmarshal(r.Body, &c))
		out[c.Agent] = c
	}
	return out
}

// Probing is limited for each credential, and leaves counts instead of rows.
func TestProbingIsLimited(t *testing.T) {
	f := newFixture(t, func(s *settings) { s.gate.Limits.PureRate, s.gate.Limits.Burst = 2, 50 })
	got := map[int]int{}
	for range 1000 {
		req := f.request("POST", "/v1/decide", backPress)
		res, err := http.DefaultClient.Do(req)
		f.must(err)
		res.Body.Close()
		got[res.StatusCode]++
		if res.StatusCode == http.StatusTooManyRequests && res.Header.Get("Retry-After") != "1" {
			t.Fatalf("Retry-After %q", res.Header.Get("Retry-After"))
		}
	}
	if got[200] != 50 || got[429] != 950 {
		t.Fatalf("answers %v", got)
	}
	other := f.as(t)
	if a := other.call("POST", "/v1/decide", sendTap); a.status != 200 {
		t.Errorf("another agent: %d", a.status)
	}
	if a := f.call("POST", "/v1/actions", backPress); a.status != 200 {
		t.Errorf("an action: %d", a.status)
	}
	f.clock.move(time.Second)
	if a, b, c := f.call("POST", "/v1/decide", bypass), f.call("POST", "/v1/decide", backPress), f.call("POST", "/v1/decide", backPress); a.status != 200 || b.status != 200 || c.status != 429 {
		t.Errorf("a second later: %d %d %d", a.status, b.status, c.status)
	}
	if n := len(f.rows(ledger.KindDecision)); n != 1 {
		t.Errorf("%d decision rows, want 1", n)
	}
	f.gate.Close()
	all := f.aggregates()
	mine, its := all[f.agent.ID], all[other.agent.ID]
	if want := (ledger.Counts{Allow: 51, Deny: 1}); mine.Counts != want || mine.Refused != 951-20 {
		t.Errorf("counted %+v and %d refused, want %+v and 931", mine.Counts, mine.Refused, want)
	}
	if want := (ledger.Counts{Confirm: 1}); its.Counts != want || its.Refused != 0 {
		t.Errorf("counted %+v of the other", its)
	}
	if !mine.To.After(mine.From) || len(all) != 2 {
		t.Errorf("%d rows, from %v to %v", len(all), mine.From, mine.To)
	}
	if n := len(f.rows(ledger.KindRefused)); n != 20 {
		t.Errorf("%d rows of refused requests, want 20", n)
	}
}

// A refused request leaves a row with its size and no secret; without a
// credential they share one limit.
func TestRefusedRequestsAreRecorded(t *testing.T) {
	f := newFixture(t)
	body := `{"action":{"kind":"tap"},"password hunter2 4111111111111111":1}`
	f.call("POST", "/v1/actions", body)
	var row ledger.Refused
	rows := f.rows(ledger.KindRefused)
	f.must(json.Unmarshal(rows[0].Body, &row))
	if row.Agent != f.agent.ID || row.What != "POST /v1/actions" || row.Size != int64(len(body)) || row.Why == "" || len(rows) != 1 {
		t.Errorf("%d rows, %+v", len(rows), row)
	}
	if strings.Contains(string(rows[0].Data), "4111111111111111") {
		t.Errorf("the row holds the secret: %s", rows[0].Data)
	}
	for range 30 {
		f.do(with(ask("GET", "/v1/actions/x", ""), "Authorization", "Bearer nobody")(f))
	}
	if n := len(f.rows(ledger.KindRefused)); n != 21 {
		t.Errorf("%d rows, want 21", n)
	}
	f.clock.move(10 * time.Second)
	f.do(with(ask("GET", "/v1/actions/x", ""), "Authorization", "")(f))
	f.gate.Close()
	if n, refused := len(f.rows(ledger.KindRefused)), f.aggregates()[""].Refused; n != 22 || refused != 10 {
		t.Errorf("%d rows and %d counted, want 22 and 10", n, refused)
	}
}

// Counts that cannot be written are kept for the next time.
func TestCountsSurviveAFullDisk(t *testing.T) {
	f := newFixture(t)
	f.call("POST", "/v1/decide", backPress)
	f.store.broken.Store(true)
	api.WriteTallies(f.gate)
	f.store.broken.Store(false)
	f.call("POST", "/v1/decide", sendTap)
	api.WriteTallies(f.gate)
	api.WriteTallies(f.gate)
	if got, want := f.aggregates()[f.agent.ID].Counts, (ledger.Counts{Allow: 1, Confirm: 1}); got != want || len(f.rows(ledger.KindAggregate)) != 1 {
		t.Errorf("%d rows, the last %+v, want 1 and %+v", len(f.rows(ledger.KindAggregate)), got, want)
	}
}

func TestOptionsAreChecked(t *testing.T) {
	f := newFixture(t)
	bad := []api.Options{
		{Limits: api.Limits{Body: -1}}, {Limits: api.Limits{Body: 1 << 30}}, {Limits: api.Limits{Wait: -1}}, {Limits: api.Limits{Wait: time.Hour}},
		{Limits: api.Limits{Burst: -1}}, {Hosts: []string{""}}, {Hosts: []string{"http://guard"}}, {Hosts: []string{"*"}},
	}
	for _, o := range bad {
		if _, err := api.New(f.desk, f.registry, o); err == nil {
			t.Errorf("%+v is accepted", o)
		}
	}
	if _, err := api.New(nil, f.registry, api.Options{}); err == nil {
		t.Error("no desk is accepted")
	}
	if _, err := api.New(f.desk, nil, api.Options{}); err == nil {
		t.Error("no registry is accepted")
	}
}
