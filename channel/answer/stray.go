package answer

import (
	"context"
	"errors"
	"net/http"
	"sync"
	"time"

	"github.com/countersign/countersign/identity"
	"github.com/countersign/countersign/ledger"
)

// doorOf names the door of a request, as sessions are bound to it: its scheme and
// host. Cookies know no ports, and a guard may have another port after a restart.
func (h *handler) doorOf(r *http.Request) string {
	scheme := "http://"
	if h.tls(r) {
		scheme = "https://"
	}
	return scheme + h.pageOf(r).Host
}

// strayEvery is how often one session is recorded that comes to another door than
// its own: whoever has a stolen one may send it as often as they like.
const strayEvery = time.Hour

// strays are the sessions that came to another door than their own, by their id,
// with the time when that was recorded last. The zero value is ready.
type strays struct {
	mu       sync.Mutex
	recorded map[string]time.Time
}

// due reports whether one has to be recorded, and notes that it was.
func (s *strays) due(id string, now time.Time) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	for other, at := range s.recorded {
		if now.Sub(at) >= strayEvery {
			delete(s.recorded, other)
		}
	}
	if _, known := s.recorded[id]; known {
		return false
	}
	if s.recorded == nil {
		s.recorded = map[string]time.Time{}
	}
	s.recorded[id] = now
	return true
}

// forget makes one due again.
func (s *strays) forget(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.recorded, id)
}

// noteOtherDoor leaves a record of a session that was presented at another door
// than its own. A browser keeps the doors apart: somebody has taken the cookie out
// of it. It is refused, whether that can be recorded or not.
func (h *handler) noteOtherDoor(r *http.Request, err error) {
	var stray *identity.OtherDoorError
	if !errors.As(err, &stray) || !h.strays.due(stray.Session.ID, h.desk.Now()) {
		return
	}
	ctx := context.WithoutCancel(r.Context()) // whoever hangs up is recorded all the same
	who := h.nameOf(ctx, stray.Session.Approver)
	h.o.Log.Warn("a session was presented at another door than its own, and refused: its cookie may have been stolen; sign out on the page where it was begun", "approver", who)
	recorded := h.desk.Record(ctx, ledger.Entry{Kind: ledger.KindRefused, Body: ledger.Refused{
		What: "session of approver " + who, Why: "it was presented at another door than the one where it was begun; its cookie may have been stolen", Size: max(r.ContentLength, 0),
	}})
	if recorded != nil {
		h.strays.forget(stray.Session.ID)
		h.o.Log.Error("a session at another door could not be recorded", "error", recorded.Error())
	}
}

// nameOf is the name of an approver, or the id where there is none.
func (h *handler) nameOf(ctx context.Context, id string) string {
	all, err := h.registry.Approvers(ctx)
	if err != nil {
		return id
	}
	for i := range all {
		if all[i].ID == id {
			return all[i].Name
		}
	}
	return id
}
