package answer_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/countersign/countersign/ledger"
)

// A session that comes to another door than its own is nobody's there, and is told
// no more than that. It is on record, once an hour, with whose it is and without
// its secret.
func TestASessionAtAnotherDoor(t *testing.T) {
	w := newWorld(t)
	cookie := w.cookie(inbox, "kim")
	nobodys := "css_" + strings.Repeat("a", 52)
	get := func(at, cookie string) response {
		return w.do(request{method: "GET", path: "/v1/status", host: at, cookie: cookie})
	}
	recorded := func(want int) {
		t.Helper()
		all, err := w.store.Rows(ctx, 0, 1000)
		w.must(err)
		found := 0
		for _, row := range all {
			if row.Kind != ledger.KindRefused {
				continue
			}
			found++
			var b ledger.Refused
			w.must(json.Unmarshal(row.Body, &b))
			if b.What != "session of approver kim" || !strings.Contains(b.Why, "another door") || b.Agent != "" || strings.Contains(string(row.Body), "css_") {
				t.Errorf("the row is %s", row.Body)
			}
		}
		if found != want {
			t.Errorf("%d rows, want %d", found, want)
		}
	}
	for _, at := range []string{secure, host} {
		get(at, nobodys).want(t, "nobody's at "+at, http.StatusUnauthorized, "credential_unknown")
	}
	recorded(0)
	for range 3 {
		for _, at := range []string{secure, host} {
			if got, want := get(at, cookie), get(at, nobodys); got.status != want.status || got.body != want.body {
				t.Errorf("at %s: %d %s, and nobody's: %d %s", at, got.status, got.body, want.status, want.body)
			}
		}
	}
	recorded(1)
	if second := w.cookie(secure, "kim"); get(inbox, second).status != http.StatusUnauthorized {
		t.Error("a session of the door with TLS counts at that without")
	}
	recorded(2)
	w.clock.pass(time.Hour)
	get(secure, cookie)
	recorded(3)
	get(inbox, cookie).want(t, "at its own door", http.StatusOK, "")
	w.faults.full.Store(true)
	w.clock.pass(2 * time.Hour)
	get(secure, cookie).want(t, "where it cannot be recorded", http.StatusUnauthorized, "credential_unknown")
	recorded(3)
	w.faults.full.Store(false)
	get(secure, cookie)
	recorded(4) // as soon as it can be
}
