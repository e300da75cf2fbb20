package adb_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"github.com/countersign/countersign/approval"
	"github.com/countersign/countersign/channel/client"
	"github.com/countersign/countersign/daemon"
	"github.com/countersign/countersign/hold"
	"github.com/countersign/countersign/ledger"
	"github.com/countersign/countersign/phone"
)

// stoppedClock is a guard's time, which passes only when a test says so. So nothing
// here depends on how long a look at the phone takes.
type stoppedClock struct {
	began  time.Time
	passed atomic.Int64
}

func newStoppedClock() *stoppedClock { return &stoppedClock{began: time.Now()} }

func (c *stoppedClock) now() time.Time         { return c.began.Add(time.Duration(c.passed.Load())) }
func (c *stoppedClock) pass(d time.Duration)   { c.passed.Add(int64(d)) }
func (c *stoppedClock) runs(o *daemon.Options) { o.Now = c.now }

// backend is a program that asks over HTTP and then acts through adb.
type backend struct {
	*world
	token string
}

// told is what the agents' door says, as far as it matters here.
type told struct {
	ID          string    `json:"id"`
	Outcome     string    `json:"outcome"`
	TicketUntil time.Time `json:"ticket_until"`
	Approval    struct {
		State string `json:"state"`
	} `json:"approval"`
}

// hired makes the backend's credential, a gate's or a plain agent's.
func (w *world) hired(gate bool) *backend {
	w.t.Helper()
	owner, err := client.Open(client.Options{Socket: w.guard.Socket(), TokenFile: filepath.Join(w.home, "guard", daemon.ApproverTokenFile)})
	w.must(err)
	defer owner.Close()
	add := owner.AddAgent
	if gate {
		add = owner.AddGate
	}
	_, token, err := add(w.ctx, "backend", []string{w.serial})
	w.must(err)
	return &backend{w, token}
}

// says sends a request to the agents' door.
func (b *backend) says(path string, body any) (view told) {
	b.t.Helper()
	doc, err := json.Marshal(body)
	b.must(err)
	req, err := http.NewRequestWithContext(b.ctx, http.MethodPost, b.guard.AgentsURL()+path, bytes.NewReader(doc))
	b.must(err)
	req.Header.Set("Authorization", "Bearer "+b.token)
	req.Header.Set("Content-Type", "application/json")
	resp, err := http.DefaultClient.Do(req)
	b.must(err)
	defer resp.Body.Close()
	answer, err := io.ReadAll(resp.Body)
	b.must(err)
	if resp.StatusCode >= 300 {
		b.t.Fatalf("%s: %s: %s", path, resp.Status, answer)
	}
	b.must(json.Unmarshal(answer, &view))
	return view
}

// screen is the phone's, as the backend sees it.
func (b *backend) screen() map[string]any {
	b.t.Helper()
	tree, err := b.phone.Dump(phone.DumpOptions{Windows: true})
	b.must(err)
	width, height := b.phone.Size()
	pkg, activity := b.phone.Focus()
	return map[string]any{"package": pkg, "activity": activity, "tree": string(tree), "width": width, "height": height}
}

// allowed asks for a tap on a scene's target over HTTP, has the owner say yes, and
// redeems it.
func (b *backend) allowed(s *scene) told {
	b.t.Helper()
	x, y := b.at(s.target)
	asked := b.says("/v1/actions", map[string]any{"action": map[string]any{"kind": "tap", "x": x, "y": y}, "device": b.serial, "screen": b.screen()})
	if asked.Approval.State != approval.Pending.String() {
		b.t.Fatalf("over HTTP: %+v", asked)
	}
	b.must(b.answer(b.question(), true))
	may := b.says("/v1/actions/"+asked.ID+"/redeem", map[string]any{"screen": b.screen()})
	if may.Approval.State != approval.Releasing.String() {
		b.t.Fatalf("redeemed: %+v", may)
	}
	return may
}

// asks wants a tap that came over ADB to be held, and refuses it.
func (b *backend) asks(when string, tap string) {
	b.t.Helper()
	end := b.begin(tap, "")
	q := b.question()
	b.must(b.answer(q, false))
	if r := end(); r.passed() {
		b.t.Errorf("%s: %+v", when, r)
	}
}

// questions are all that were asked, over whichever door.
func (w *world) questions() int {
	w.t.Helper()
	all, err := w.guard.Desk().Views(w.ctx, hold.Query{Limit: 100})
	w.must(err)
	return len(all)
}

// A backend asks over HTTP, gets its yes and taps through adb: one question, one
// tap. The second tap is a question of its own.
func TestTwoGatesAskOnce(t *testing.T) {
	fronts(t, func(t *testing.T, f front) {
		clock := newStoppedClock()
		w := newWorld(t, f, clock.runs)
		b := w.hired(true)
		for _, s := range []*scene{composer, removal} {
			w.show(s)
			asked, before := w.questions(), w.mark()
			may := b.allowed(s)
			if until := w.guard.Desk().Now().Add(2 * time.Second); !may.TicketUntil.Equal(until) {
				t.Errorf("%s: a ticket until %v, not %v", s.target, may.TicketUntil, until)
			}
			clock.pass(2 * time.Second)
			tap := w.fill(s, "shell,v2,TERM=xterm,raw:input tap {xy}")
			if r := w.serve(tap, ""); !r.passed() {
				t.Errorf("%s: the tap was told %+v", s.target, r)
			}
			w.happened(s.target, s.harm)
			if got := w.reached(); len(got) != 1 || got[0] != tap {
				t.Errorf("%s: the phone got %q", s.target, got)
			}
			if n := w.questions() - asked; n != 1 {
				t.Errorf("%s: %d questions", s.target, n)
			}
			w.passedBy(before, may.ID)
			b.says("/v1/actions/"+may.ID+"/result", map[string]any{"ok": true})

			w.show(s)
			clock.pass(time.Second) // it is no double tap
			b.asks(s.target+", a second time", tap)
			w.nothingHappened("the ticket was used up")
		}
	})
}

// passedBy wants the last decision after a mark to have passed by the ticket of an
// action over HTTP, with the same digest.
func (w *world) passedBy(after int64, above string) {
	w.t.Helper()
	all := w.decisions(after)
	var digest string
	for _, d := range all {
		if d.ActionID == above {
			digest = d.Digest
		}
	}
	var last ledger.Decision
	if len(all) > 0 {
		last = all[len(all)-1]
	}
	if last.DecidedBy != hold.ByTicket || last.Above != above || last.Approval != above || last.Digest != digest || digest == "" || !last.Screen.Observed {
		w.t.Errorf("the last decision is by %q, above %q, question %q, digest %q; over HTTP it was %q", last.DecidedBy, last.Above, last.Approval, last.Digest, digest)
	}
}

// Whatever is not the same, in time, by a gate, is asked about as before.
func TestTwoGatesAskAgain(t *testing.T) {
	const tap = "shell:input tap {xy}"
	again := []struct {
		name  string
		gate  bool
		under *scene // what is tapped below
		// then is what happens between the yes that was used and the tap.
		then func(w *world, clock *stoppedClock, b *backend, may told)
	}{
		{"a plain agent's credential", false, composer, nil},
		{"later than two seconds", true, composer, func(_ *world, clock *stoppedClock, _ *backend, _ told) { clock.pass(2*time.Second + time.Millisecond) }},
		{"after it was done", true, composer, func(_ *world, _ *stoppedClock, b *backend, may told) {
			b.says("/v1/actions/"+may.ID+"/result", map[string]any{"ok": true})
		}},
		{"another recipient", true, composer, func(w *world, _ *stoppedClock, _ *backend, _ told) {
			w.must(w.phone.Start(phone.Intent{Action: "android.intent.action.SENDTO", Data: "mailto:eve@example.org?subject=Hello"}))
		}},
		{"another screen", true, removal, func(w *world, _ *stoppedClock, _ *backend, _ told) { w.show(removal) }},
		{"the credential was revoked", true, composer, func(w *world, _ *stoppedClock, _ *backend, _ told) {
			_, err := w.guard.Registry().RevokeAgent(w.ctx, "backend")
			w.must(err)
		}},
		{"frozen and on again", true, composer, func(w *world, _ *stoppedClock, _ *backend, _ told) {
			w.must(w.guard.Desk().Freeze(w.ctx, "owner", ""))
			w.must(w.guard.Desk().Unfreeze(w.ctx, "owner", ""))
		}},
	}
	if len(again) != 7 {
		t.Fatalf("%d cases", len(again))
	}
	fronts(t, func(t *testing.T, f front) {
		for _, c := range again {
			t.Run(c.name, func(t *testing.T) {
				clock := newStoppedClock()
				w := newWorld(t, f, clock.runs)
				b := w.hired(c.gate)
				w.show(composer)
				may := b.allowed(composer)
				if may.TicketUntil.IsZero() == c.gate {
					t.Errorf("told of a ticket until %v", may.TicketUntil)
				}
				if c.then != nil {
					c.then(w, clock, b, may)
				}
				b.asks(c.name, w.fill(c.under, tap))
				w.nothingHappened(c.name)
			})
		}
	})
}
