package identitytest

import (
	"testing"
	"time"

	"github.com/countersign/countersign/identity"
)

// takers is how many ask for one thing at the same time.
const takers = 50

// noon is the time that the tests count from. Its last microsecond is there to
// be lost by a store that keeps milliseconds.
var noon = time.Date(2026, 3, 1, 12, 0, 0, 123457000, time.UTC)

// hostile is text that a store which glues its statements together trips over.
const hostile = "o'neil\"; DROP TABLE agents; -- \\ % _ \t\r\n \u202e 名前 🂡"

// RunStore runs the suite against an engine. open gives an empty store of its
// own to each test and closes it with t.Cleanup.
func RunStore(t *testing.T, open func(t *testing.T) identity.Store) {
	tests := []struct {
		name string
		run  func(t *testing.T, s identity.Store)
	}{
		{"an agent comes back whole", agentComesBack},
		{"an approver comes back whole", approverComesBack},
		{"agents", func(t *testing.T, s identity.Store) { runPeople(t, agentsOf(s)) }},
		{"approvers", func(t *testing.T, s identity.Store) { runPeople(t, approversOf(s)) }},
		{"names of agents are unique", func(t *testing.T, s identity.Store) { namesAreUnique(t, agentsOf(s)) }},
		{"names of approvers are unique", func(t *testing.T, s identity.Store) { namesAreUnique(t, approversOf(s)) }},
		{"one agent of many gets a name", func(t *testing.T, s identity.Store) { oneGetsTheName(t, agentsOf(s)) }},
		{"one approver of many gets a name", func(t *testing.T, s identity.Store) { oneGetsTheName(t, approversOf(s)) }},
		{"an agent's name is free to approvers", kindsAreApart},
		{"what is handed out is not shared", nothingShared},
		{"a session comes back whole", sessionComesBack},
		{"sessions are replaced and deleted", sessionsReplacedAndDeleted},
		{"sessions of one approver", sessionsOfOne},
		{"a ticket is taken once", ticketTakenOnce},
		{"many take one ticket", manyTakeOneTicket},
		{"many take many tickets", manyTakeManyTickets},
		{"tickets of one approver", ticketsOfOne},
		{"what has expired goes", expiredGoes},
		{"passkeys come back whole", passkeysComeBack},
		{"passkeys are their owner's", passkeysAreTheirOwners},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) { tt.run(t, open(t)) })
	}
}

// must stops a test at an error it does not expect.
func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// sameTime reports whether two times are the same instant, and both zero or neither.
func sameTime(a, b time.Time) bool { return a.Equal(b) && a.IsZero() == b.IsZero() }

// atOnce runs f in n goroutines that start together, and returns their errors.
func atOnce(n int, f func(i int) error) []error {
	start, done := make(chan struct{}), make(chan struct{})
	errs := make([]error, n)
	for i := range n {
		go func() {
			<-start
			errs[i] = f(i)
			done <- struct{}{}
		}()
	}
	close(start)
	for range n {
		<-done
	}
	return errs
}
