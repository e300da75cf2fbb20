package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"testing"
	"time"

	"github.com/countersign/countersign/approval"
	"github.com/countersign/countersign/hold"
)

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
