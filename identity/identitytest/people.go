package identitytest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/countersign/countersign/identity"
)

// person is what agents and approvers have in common.
type person struct {
	id, name, hash   string
	created, revoked time.Time
}

// people are the agents or the approvers of a store.
type people struct {
	save   func(p person) error
	list   func() ([]person, error)
	byHash func(hash string) (person, error)
}

func agentsOf(s identity.Store) people {
	ctx := context.Background()
	from := func(a identity.Agent) person {
		return person{a.ID, a.Name, a.SecretHash, a.CreatedAt, a.RevokedAt}
	}
	return people{
		save: func(p person) error {
			return s.SaveAgent(ctx, identity.Agent{ID: p.id, Name: p.name, SecretHash: p.hash, CreatedAt: p.created, RevokedAt: p.revoked})
		},
		list: func() ([]person, error) {
			all, err := s.Agents(ctx)
			return each(all, from), err
		},
		byHash: func(hash string) (person, error) {
			a, err := s.AgentByHash(ctx, hash)
			return from(a), err
		},
	}
}

func approversOf(s identity.Store) people {
	ctx := context.Background()
	from := func(a identity.Approver) person {
		return person{a.ID, a.Name, a.SecretHash, a.CreatedAt, a.RevokedAt}
	}
	return people{
		save: func(p person) error {
			return s.SaveApprover(ctx, identity.Approver{ID: p.id, Name: p.name, SecretHash: p.hash, CreatedAt: p.created, RevokedAt: p.revoked})
		},
		list: func() ([]person, error) {
			all, err := s.Approvers(ctx)
			return each(all, from), err
		},
		byHash: func(hash string) (person, error) {
			a, err := s.ApproverByHash(ctx, hash)
			return from(a), err
		},
	}
}

func each[T any](all []T, from func(T) person) []person {
	var out []person
	for _, v := range all {
		out = append(out, from(v))
	}
	return out
}

func samePerson(a, b person) bool {
	return a.id == b.id && a.name == b.name && a.hash == b.hash && sameTime(a.created, b.created) && sameTime(a.revoked, b.revoked)
}

// runPeople: saved, found, listed in order, replaced.
func runPeople(t *testing.T, store people) {
	if all, err := store.list(); err != nil || len(all) != 0 {
		t.Fatalf("an empty store lists %v, %v", all, err)
	}
	if _, err := store.byHash("h1"); !errors.Is(err, identity.ErrNotFound) {
		t.Errorf("a hash in an empty store: %v, want ErrNotFound", err)
	}
	first := person{id: "id-b", name: "first", hash: "h1", created: noon}
	twin := person{id: "id-a", name: "twin", hash: "h2", created: noon}
	early := person{id: "id-c", name: "early", hash: "h3", created: noon.Add(-time.Hour)}
	for _, p := range []person{first, twin, early} {
		must(t, store.save(p))
	}
	expectList(t, store, early, twin, first)

	first.revoked = noon.Add(time.Minute)
	must(t, store.save(first))
	expectList(t, store, early, twin, first)
	got, err := store.byHash("h1")
	if err != nil || !samePerson(got, first) {
		t.Errorf("by hash after revoking: %+v, %v; want %+v", got, err, first)
	}
	for _, hash := range []string{"", "H1", "h", "h1 ", "h%", "h4"} {
		if _, err := store.byHash(hash); !errors.Is(err, identity.ErrNotFound) {
			t.Errorf("hash %q: %v, want ErrNotFound", hash, err)
		}
	}
}

func expectList(t *testing.T, store people, want ...person) {
	t.Helper()
	got, err := store.list()
	must(t, err)
	if !slices.EqualFunc(got, want, samePerson) {
		t.Errorf("listed\n%+v, want\n%+v", got, want)
	}
}

// namesAreUnique: among those not revoked, letter case aside, and a refusal
// changes nothing.
func namesAreUnique(t *testing.T, store people) {
	kim := person{id: "1", name: "Kim", hash: "h1", created: noon}
	must(t, store.save(kim))
	must(t, store.save(kim)) // its own name is not in its way

	second := person{id: "2", name: "kIM", hash: "h2", created: noon.Add(time.Second)}
	if err := store.save(second); !errors.Is(err, identity.ErrNameTaken) {
		t.Fatalf("a second kim: %v, want ErrNameTaken", err)
	}
	expectList(t, store, kim)
	if _, err := store.byHash("h2"); !errors.Is(err, identity.ErrNotFound) {
		t.Errorf("a refused one is found by its hash: %v", err)
	}

	kim.revoked = noon.Add(time.Minute)
	must(t, store.save(kim))
	must(t, store.save(second))
	expectList(t, store, kim, second)

	back := kim
	back.revoked = time.Time{}
	if err := store.save(back); !errors.Is(err, identity.ErrNameTaken) {
		t.Errorf("the first kim back in use beside the second: %v, want ErrNameTaken", err)
	}
	if err := store.save(person{id: "3", name: "lee", hash: "h1", created: noon}); err == nil {
		t.Error("two with one hash were accepted")
	}
	expectList(t, store, kim, second)
}

// oneGetsTheName: when many want a name at the same time.
func oneGetsTheName(t *testing.T, store people) {
	errs := atOnce(takers, func(i int) error {
		return store.save(person{id: fmt.Sprint("id", i), name: []string{"kim", "KIM"}[i%2], hash: fmt.Sprint("h", i), created: noon})
	})
	got := 0
	for _, err := range errs {
		switch {
		case err == nil:
			got++
		case !errors.Is(err, identity.ErrNameTaken):
			t.Errorf("one that came too late: %v, want ErrNameTaken", err)
		}
	}
	all, err := store.list()
	must(t, err)
	if got != 1 || len(all) != 1 {
		t.Errorf("%d were told that they have the name and %d have it, want 1", got, len(all))
	}
}

// kindsAreApart: the store keeps agents and approvers apart in names, ids and hashes.
func kindsAreApart(t *testing.T, s identity.Store) {
	agents, approvers := agentsOf(s), approversOf(s)
	p := person{id: "1", name: "kim", hash: "h1", created: noon}
	must(t, agents.save(p))
	if _, err := approvers.byHash("h1"); !errors.Is(err, identity.ErrNotFound) {
		t.Fatalf("an agent's hash finds an approver: %v", err)
	}
	must(t, approvers.save(p))
	expectList(t, agents, p)
	expectList(t, approvers, p)
}

func agentComesBack(t *testing.T, s identity.Store) {
	ctx := context.Background()
	for i, devices := range [][]string{nil, {"emulator-5554"}, {"z", "a", "with,comma", hostile}} {
		want := identity.Agent{
			ID: fmt.Sprint("id", i), Name: fmt.Sprint(hostile, i), Devices: devices, SecretHash: fmt.Sprint("hash", i),
			CreatedAt: noon, RevokedAt: noon.Add(time.Microsecond), CreatedBy: hostile, Gate: i == 1,
		}
		must(t, s.SaveAgent(ctx, want))
		got, err := s.AgentByHash(ctx, want.SecretHash)
		must(t, err)
		all, err := s.Agents(ctx)
		must(t, err)
		for _, a := range []identity.Agent{got, all[len(all)-1]} {
			if a.ID != want.ID || a.Name != want.Name || !slices.Equal(a.Devices, devices) || a.SecretHash != want.SecretHash ||
				!sameTime(a.CreatedAt, want.CreatedAt) || !sameTime(a.RevokedAt, want.RevokedAt) || a.CreatedBy != want.CreatedBy || a.Gate != want.Gate {
				t.Errorf("agent %d came back as %q %q %q %q %v %v %q, a gate %v", i, a.ID, a.Name, a.Devices, a.SecretHash, a.CreatedAt, a.RevokedAt, a.CreatedBy, a.Gate)
			}
		}
	}
}

func approverComesBack(t *testing.T, s identity.Store) {
	want := person{id: hostile, name: hostile, hash: "h", created: noon}
	store := approversOf(s)
	must(t, store.save(want))
	expectList(t, store, want)
	want.revoked = noon.Add(time.Microsecond)
	must(t, store.save(want))
	expectList(t, store, want)
}

// nothingShared: writing to what was handed in or out changes nothing inside.
func nothingShared(t *testing.T, s identity.Store) {
	ctx := context.Background()
	devices := []string{"one", "two"}
	must(t, s.SaveAgent(ctx, identity.Agent{ID: "1", Name: "kim", SecretHash: "h", Devices: devices, CreatedAt: noon}))
	devices[0] = "changed"
	for range 2 {
		a, err := s.AgentByHash(ctx, "h")
		must(t, err)
		if !slices.Equal(a.Devices, []string{"one", "two"}) {
			t.Fatalf("devices are %q", a.Devices)
		}
		a.Devices[1] = "changed"
	}
}
