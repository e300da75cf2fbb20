package e2e

import (
	"errors"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/countersign/countersign/approval"
	"github.com/countersign/countersign/channel/client"
	"github.com/countersign/countersign/daemon"
	"github.com/countersign/countersign/identity"
	"github.com/countersign/countersign/store/sqlite"
)

// keysOf are the files of a home that are made once: all but the database and
// the lock.
func keysOf(t *testing.T, home string) map[string]string {
	t.Helper()
	entries, err := os.ReadDir(home)
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]string{}
	for _, e := range entries {
		if !e.Type().IsRegular() || strings.HasPrefix(e.Name(), "countersign.db") {
			continue
		}
		data, err := os.ReadFile(filepath.Join(home, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		all[e.Name()] = string(data)
	}
	return all
}

// TestSecondGuardOnOneHome: the second is told which process is in its way, and
// the first does not notice.
func TestSecondGuardOnOneHome(t *testing.T) {
	home := newHome(t)
	p := up(t, home, nil)
	w := newPair(t, home, p.url)
	yes, open := w.approved(), w.held()
	before := keysOf(t, home)
	for range 3 {
		exit, said := refused(t, home)
		if exit == 0 || !strings.Contains(said, "in use by another process") || !strings.Contains(said, strconv.Itoa(p.cmd.Process.Pid)) {
			t.Errorf("the second guard ends with %d:\n%s", exit, said)
		}
	}
	if after := keysOf(t, home); !maps.Equal(before, after) {
		t.Error("the second guard changed keys of the first")
	}
	if got := w.state(open); got != approval.Pending {
		t.Errorf("the open question is %v", got)
	}
	w.recovers(yes, open)
}

// TestTwoFirstStarts: of two guards that make one home at the same time one
// runs, and its keys are the ones that stay: what is approved now is good after
// a restart, and the record is verified by the key that lies in the home.
func TestTwoFirstStarts(t *testing.T) {
	for range 10 {
		home := newHome(t)
		first, second := launch(t, home, nil), launch(t, home, nil)
		t.Cleanup(first.kill)
		t.Cleanup(second.kill)
		winner := first
		select {
		case <-first.ready:
		case <-second.ready:
			winner, second = second, first
		case <-first.gone:
			<-second.ready
			winner, second = second, first
		}
		if exit := second.exit(t); exit == 0 || !strings.Contains(second.said(), "in use by another process") {
			t.Fatalf("the other guard ends with %d:\n%s", exit, second.said())
		}
		w := newPair(t, home, winner.url)
		yes, open := w.approved(), w.held()
		winner.kill()
		w = again(w, up(t, home, nil))
		w.recovers(yes, open)
	}
}

// TestFirstStartCutShort: a first start that made its owner and was killed before
// the token was on the disk is done again. Nobody could ever answer otherwise.
func TestFirstStartCutShort(t *testing.T) {
	ctx := t.Context()
	home := newHome(t)
	if err := os.Mkdir(home, 0o700); err != nil {
		t.Fatal(err)
	}
	store, err := sqlite.Open(ctx, filepath.Join(home, daemon.DatabaseFile), sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	registry, err := identity.New(store, identity.Options{Now: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	_, lost, err := registry.AddApprover(ctx, daemon.FirstApprover)
	if err != nil {
		t.Fatal(err)
	}
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}
	p := up(t, home, nil)
	w := newPair(t, home, p.url)
	w.releases(w.approved())
	old, err := client.Open(client.Options{Socket: filepath.Join(home, daemon.SocketFile), Token: lost})
	if err != nil {
		t.Fatal(err)
	}
	defer old.Close()
	var problem *client.Problem
	if _, err := old.Status(ctx); !errors.As(err, &problem) || problem.Status != http.StatusUnauthorized {
		t.Errorf("the token that was lost still opens the door: %v", err)
	}
}
