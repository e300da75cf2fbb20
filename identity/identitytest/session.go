package identitytest

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/countersign/countersign/identity"
)

func aSession(id, approver string) identity.Session {
	return identity.Session{ID: id, Approver: approver, Door: "https://inbox.example", CreatedAt: noon, SeenAt: noon.Add(time.Minute), ExpiresAt: noon.Add(time.Hour), How: identity.ByLink}
}

func aTicket(id, approver string) identity.Ticket {
	return identity.Ticket{ID: id, Approver: approver, CreatedAt: noon, ExpiresAt: noon.Add(10 * time.Minute)}
}

func sameSession(a, b identity.Session) bool {
	return a.ID == b.ID && a.Approver == b.Approver && a.Door == b.Door && a.How == b.How &&
		sameTime(a.CreatedAt, b.CreatedAt) && sameTime(a.SeenAt, b.SeenAt) && sameTime(a.ExpiresAt, b.ExpiresAt)
}

// expectSessions holds that those with these ids are there and the others not.
func expectSessions(t *testing.T, s identity.Store, there map[string]bool) {
	t.Helper()
	for id, want := range there {
		_, err := s.SessionByID(context.Background(), id)
		if want && err != nil || !want && !errors.Is(err, identity.ErrNotFound) {
			t.Errorf("session %s is there: %v wanted, and it answers %v", id, want, err)
		}
	}
}

// expectTickets takes the tickets, and holds that those and only those are there.
func expectTickets(t *testing.T, s identity.Store, there map[string]bool) {
	t.Helper()
	for id, want := range there {
		got, err := s.TakeTicket(context.Background(), id)
		if want && (err != nil || got.ID != id) || !want && !errors.Is(err, identity.ErrNotFound) {
			t.Errorf("ticket %s is there: %v wanted, and it answers %v", id, want, err)
		}
	}
}

func sessionComesBack(t *testing.T, s identity.Store) {
	ctx := context.Background()
	for _, want := range []identity.Session{
		aSession("plain", "apr_1"),
		{ID: hostile, Approver: hostile, Door: hostile, How: hostile, CreatedAt: noon, SeenAt: noon.Add(time.Microsecond), ExpiresAt: noon.Add(2 * time.Microsecond)},
		{ID: "bare"},
	} {
		must(t, s.SaveSession(ctx, want))
		got, err := s.SessionByID(ctx, want.ID)
		if err != nil || !sameSession(got, want) {
			t.Errorf("session came back as %v %q, %v; want %v", got, got.ID, err, want)
		}
	}
}

func sessionsReplacedAndDeleted(t *testing.T, s identity.Store) {
	ctx := context.Background()
	one := aSession("1", "apr_1")
	must(t, s.SaveSession(ctx, one))
	must(t, s.SaveSession(ctx, aSession("2", "apr_1")))
	one.SeenAt = noon.Add(30 * time.Minute)
	must(t, s.SaveSession(ctx, one))
	if got, err := s.SessionByID(ctx, "1"); err != nil || !sameSession(got, one) {
		t.Errorf("replaced: %v, %v; want %v", got, err, one)
	}
	must(t, s.DeleteSession(ctx, "1"))
	must(t, s.DeleteSession(ctx, "1"))
	must(t, s.DeleteSession(ctx, "never there"))
	expectSessions(t, s, map[string]bool{"1": false, "2": true, "": false})
}

func sessionsOfOne(t *testing.T, s identity.Store) {
	ctx := context.Background()
	must(t, s.DeleteSessionsOf(ctx, "apr_1"))
	for id, approver := range map[string]string{"1": "apr_1", "2": "apr_1", "3": "apr_2", "4": "apr_12", "5": "APR_1"} {
		must(t, s.SaveSession(ctx, aSession(id, approver)))
	}
	must(t, s.SaveTicket(ctx, aTicket("t", "apr_1")))
	must(t, s.DeleteSessionsOf(ctx, "apr_1"))
	expectSessions(t, s, map[string]bool{"1": false, "2": false, "3": true, "4": true, "5": true})
	expectTickets(t, s, map[string]bool{"t": true})
}

func ticketTakenOnce(t *testing.T, s identity.Store) {
	ctx := context.Background()
	if _, err := s.TakeTicket(ctx, "t"); !errors.Is(err, identity.ErrNotFound) {
		t.Errorf("a ticket of an empty store: %v, want ErrNotFound", err)
	}
	want := aTicket("t", hostile)
	must(t, s.SaveTicket(ctx, want))
	must(t, s.SaveTicket(ctx, aTicket("other", "apr_1")))
	got, err := s.TakeTicket(ctx, "t")
	if err != nil || got.ID != want.ID || got.Approver != want.Approver || !sameTime(got.CreatedAt, want.CreatedAt) || !sameTime(got.ExpiresAt, want.ExpiresAt) {
		t.Errorf("taken: %v %q, %v; want %v", got, got.ID, err, want)
	}
	expectTickets(t, s, map[string]bool{"t": false, "other": true, "T": false, "": false})
}

func manyTakeOneTicket(t *testing.T, s identity.Store) {
	ctx := context.Background()
	must(t, s.SaveTicket(ctx, aTicket("t", "apr_1")))
	got := 0
	for _, err := range atOnce(takers, func(int) error {
		ticket, err := s.TakeTicket(ctx, "t")
		if err == nil && ticket.Approver != "apr_1" {
			return fmt.Errorf("the ticket is of %q", ticket.Approver)
		}
		return err
	}) {
		switch {
		case err == nil:
			got++
		case !errors.Is(err, identity.ErrNotFound):
			t.Errorf("one that came too late: %v, want ErrNotFound", err)
		}
	}
	if got != 1 {
		t.Errorf("%d of %d got the ticket, want 1", got, takers)
	}
}

// manyTakeManyTickets: takers of different tickets are not in each other's way.
func manyTakeManyTickets(t *testing.T, s identity.Store) {
	ctx := context.Background()
	for i := range takers {
		must(t, s.SaveTicket(ctx, aTicket(fmt.Sprint(i), fmt.Sprint("apr_", i))))
	}
	for i, err := range atOnce(takers, func(i int) error {
		ticket, err := s.TakeTicket(ctx, fmt.Sprint(i))
		if err == nil && ticket.Approver != fmt.Sprint("apr_", i) {
			return fmt.Errorf("the ticket is of %q", ticket.Approver)
		}
		return err
	}) {
		if err != nil {
			t.Errorf("ticket %d: %v", i, err)
		}
	}
}

func ticketsOfOne(t *testing.T, s identity.Store) {
	ctx := context.Background()
	must(t, s.DeleteTicketsOf(ctx, "apr_1"))
	for id, approver := range map[string]string{"1": "apr_1", "2": "apr_1", "3": "apr_2", "4": "apr_12", "5": "APR_1"} {
		must(t, s.SaveTicket(ctx, aTicket(id, approver)))
	}
	must(t, s.SaveSession(ctx, aSession("s", "apr_1")))
	must(t, s.DeleteTicketsOf(ctx, "apr_1"))
	expectTickets(t, s, map[string]bool{"1": false, "2": false, "3": true, "4": true, "5": true})
	expectSessions(t, s, map[string]bool{"s": true})
}

// expiredGoes: the last moment is not after now.
func expiredGoes(t *testing.T, s identity.Store) {
	ctx := context.Background()
	must(t, s.DeleteExpired(ctx, noon))
	there := map[string]bool{}
	for id, after := range map[string]time.Duration{"long": -time.Hour, "just": -time.Microsecond, "now": 0, "soon": time.Microsecond, "later": time.Hour} {
		session, ticket := aSession(id, "apr_1"), aTicket(id, "apr_1")
		session.ExpiresAt, ticket.ExpiresAt = noon.Add(after), noon.Add(after)
		must(t, s.SaveSession(ctx, session))
		must(t, s.SaveTicket(ctx, ticket))
		there[id] = after > 0
	}
	// The same instant by another clock on the wall.
	must(t, s.DeleteExpired(ctx, noon.In(time.FixedZone("east", 5*3600))))
	expectSessions(t, s, there)
	expectTickets(t, s, there)
}
