package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"testing"
	"time"

	"github.com/countersign/countersign/approval"
	"github.com/countersign/countersign/hold"
	"github.com/countersign/countersign/identity"
)

// TestSessionsOfOlderFilesAreOver: of a session that was stored without its door it
// is not known where it counts. A file of the version before keeps the person and
// not the session; a new one can be stored.
func TestSessionsOfOlderFilesAreOver(t *testing.T) {
	ctx := context.Background()
	k, path := newKeys(t), newPath(t)
	db, err := sql.Open("sqlite", address(path, "rwc")+"&_txlock=immediate")
	must(t, err)
	must(t, migrateWith(ctx, db, migrations[:3]))
	for _, line := range []string{
		`INSERT INTO approvers (id, name, folded, secret_hash, created_at) VALUES ('apr_1', 'kim', 'kim', 'hash', 1)`,
		`INSERT INTO sessions (id, approver, created_at, seen_at, expires_at, how) VALUES ('old', 'apr_1', 1, 1, 9000000000000000, 'sign-in link')`,
		`INSERT INTO tickets (id, approver, created_at, expires_at) VALUES ('link', 'apr_1', 1, 9000000000000000)`,
	} {
		_, err = db.ExecContext(ctx, line)
		must(t, err)
	}
	must(t, db.Close())

	s := k.open(t, path, Options{})
	if _, err := s.SessionByID(ctx, "old"); !errors.Is(err, identity.ErrNotFound) {
		t.Errorf("the session of the old file: %v", err)
	}
	if all, err := s.Approvers(ctx); err != nil || len(all) != 1 || all[0].Name != "kim" {
		t.Errorf("the approvers of the old file: %v, %v", all, err)
	}
	if link, err := s.TakeTicket(ctx, "link"); err != nil || link.Approver != "apr_1" {
		t.Errorf("the sign-in link of the old file: %v, %v", link, err)
	}
	must(t, s.SaveSession(ctx, identity.Session{ID: "new", Approver: "apr_1", Door: "http://k3v9.localhost", CreatedAt: at, SeenAt: at, ExpiresAt: at.Add(time.Hour), How: identity.ByLink}))
	if got, err := s.SessionByID(ctx, "new"); err != nil || got.Door != "http://k3v9.localhost" {
		t.Errorf("a new session: %v of %q, %v", got, got.Door, err)
	}
}

// TestAgentsOfOlderFilesAreNoGates: a credential of a file of the version before
// stays what it was, and a gate's can be stored beside it.
func TestAgentsOfOlderFilesAreNoGates(t *testing.T) {
	ctx := context.Background()
	k, path := newKeys(t), newPath(t)
	db, err := sql.Open("sqlite", address(path, "rwc")+"&_txlock=immediate")
	must(t, err)
	must(t, migrateWith(ctx, db, migrations[:4]))
	_, err = db.ExecContext(ctx, `INSERT INTO agents (id, name, folded, devices, secret_hash, created_at, created_by) VALUES ('agt_1', 'robo', 'robo', '["phone"]', 'hash', 1, 'kim')`)
	must(t, err)
	must(t, db.Close())

	s := k.open(t, path, Options{})
	if a, err := s.AgentByHash(ctx, "hash"); err != nil || a.Name != "robo" || a.Gate || !a.MayUse("phone") {
		t.Errorf("the agent of the old file: %v, a gate %v, %v", a, a.Gate, err)
	}
	must(t, s.SaveAgent(ctx, identity.Agent{ID: "agt_2", Name: "backend", SecretHash: "other", CreatedAt: at, Gate: true}))
	if a, err := s.AgentByHash(ctx, "other"); err != nil || !a.Gate {
		t.Errorf("a gate: %v, %v, %v", a, a.Gate, err)
	}
	if all, err := s.Agents(ctx); err != nil || len(all) != 2 || all[0].Gate || !all[1].Gate {
		t.Errorf("all: %v, %v", all, err)
	}
}

// TestAFileOfTheFirstVersion: what it holds is there after it was brought up to
// date, and what came later can be stored in it.
func TestAFileOfTheFirstVersion(t *testing.T) {
	ctx := context.Background()
	k, path := newKeys(t), newPath(t)
	old := approval.Approval{ID: "a_old", State: approval.Pending, Version: 1, Agent: "agent", Device: "device", Digest: "digest", Similar: "similar", CreatedAt: at}
	r, err := recordOf(&old)
	must(t, err)
	db, err := sql.Open("sqlite", address(path, "rwc")+"&_txlock=immediate")
	must(t, err)
	must(t, migrateWith(ctx, db, migrations[:1]))
	_, err = db.ExecContext(ctx, statements[insertApproval], r.args()...)
	must(t, err)
	version, err := number(ctx, db, `PRAGMA user_version`)
	must(t, err)
	must(t, db.Close())
	if version != 1 || len(migrations) < 2 {
		t.Fatalf("the file has version %d, there are %d", version, len(migrations))
	}
	if _, err := OpenReadOnly(ctx, path); !errors.Is(err, ErrOlder) {
		t.Errorf("read before it is brought up to date: %v", err)
	}

	s := k.open(t, path, Options{})
	if got, err := s.Approval(ctx, "a_old"); err != nil || got.Similar != "similar" || !got.CreatedAt.Equal(at) {
		t.Errorf("the question of the old file: %+v, %v", got, err)
	}
	g := approval.Grant{ID: "g_1", Version: 1, Agent: "agent", Similar: "similar", Count: 1, CreatedAt: at, ExpiresAt: at.Add(time.Hour)}
	_, err = s.Commit(ctx, hold.Change{At: at, NewGrant: &g})
	must(t, err)
	must(t, s.Close())
	s = k.open(t, path, Options{})
	if list, err := s.Grants(ctx, hold.GrantQuery{Open: true}); err != nil || len(list) != 1 || list[0].ID != "g_1" {
		t.Errorf("the grant: %+v, %v", list, err)
	}
	version, err = number(ctx, s.reader.db, `PRAGMA user_version`)
	must(t, err)
	if version != latest {
		t.Errorf("the file has version %d, this program %d", version, latest)
	}
}
