package identity_test

import (
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/countersign/countersign/identity"
)

var left = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

func voucher(action string) identity.Voucher {
	return identity.Voucher{Agent: "agt_1", Action: action, Device: "phone", Digest: "digest", At: left}
}

func any1(*identity.Voucher) bool { return true }

func TestVoucherInTime(t *testing.T) {
	v := voucher("a")
	cases := []struct {
		after time.Duration
		want  bool
	}{
		{-time.Hour, false}, {-time.Millisecond, false}, {0, true}, {time.Second, true},
		{identity.VoucherFor, true}, {identity.VoucherFor + time.Millisecond, false}, {time.Hour, false},
	}
	for _, c := range cases {
		if got := v.InTime(left.Add(c.after)); got != c.want {
			t.Errorf("%v after it was left: %v", c.after, got)
		}
	}
	if v.InTime(time.Time{}) || identity.VoucherFor != 2*time.Second {
		t.Errorf("it counts for %v, or for what never arrived", identity.VoucherFor)
	}
}

func TestVouchersAreTakenOnce(t *testing.T) {
	var s identity.Vouchers
	if _, ok := s.Take(any1); ok || s.Have(any1) {
		t.Error("there is one before any was left")
	}
	for _, bad := range []identity.Voucher{{}, {Agent: "a", Digest: "d"}, {Agent: "a", Device: "d"}, {Device: "d", Digest: "d"}} {
		if s.Leave(bad); s.Have(any1) {
			t.Fatalf("%+v is kept", bad)
		}
	}
	s.Leave(voucher("first"))
	s.Leave(voucher("second"))
	s.Leave(voucher("third"))
	s.Drop(func(v *identity.Voucher) bool { return v.Action == "second" })
	for _, want := range []string{"first", "third"} {
		if v, ok := s.Take(any1); !ok || v != voucher(want) {
			t.Errorf("%+v was taken, want %s", v, want)
		}
	}
	if s.Have(any1) {
		t.Error("one is left over")
	}
}

// Of those who come at once each voucher has one.
func TestManyTakeVouchers(t *testing.T) {
	const vouchers, takers = 3, 100
	var s identity.Vouchers
	for i := range vouchers {
		s.Leave(voucher(fmt.Sprint(i)))
	}
	var got sync.Map
	var n atomic.Int64
	start := make(chan struct{})
	var all sync.WaitGroup
	for range takers {
		all.Go(func() {
			<-start
			if v, ok := s.Take(any1); ok {
				n.Add(1)
				if _, twice := got.LoadOrStore(v.Action, true); twice {
					t.Errorf("%s was taken twice", v.Action)
				}
			}
		})
	}
	close(start)
	all.Wait()
	if n.Load() != vouchers {
		t.Errorf("%d were taken, want %d", n.Load(), vouchers)
	}
}

// There are never more than so many; the newest stay.
func TestVouchersAreBounded(t *testing.T) {
	var s identity.Vouchers
	for i := range 1000 {
		s.Leave(voucher(fmt.Sprint(i)))
	}
	kept := 0
	for s.Have(any1) {
		v, _ := s.Take(any1)
		if want := fmt.Sprint(1000 - 256 + kept); v.Action != want {
			t.Fatalf("%s was kept, want %s", v.Action, want)
		}
		kept++
	}
	if kept != 256 {
		t.Errorf("%d were kept", kept)
	}
}

// A gate's credential is one until it is revoked, and nobody else's is.
func TestGatesCredential(t *testing.T) {
	w := newWorld(t)
	plain, _ := w.agent(t, "plain")
	gate, token, err := w.AddGate(ctx, "backend", []string{"phone"}, "owner")
	if err != nil || !gate.Gate || gate.CreatedBy != "owner" || !gate.MayUse("phone") {
		t.Fatalf("%+v, %v", gate, err)
	}
	if a, err := w.Agent(ctx, token); err != nil || !a.Gate || a.ID != gate.ID {
		t.Errorf("the token is that of %v, a gate %v: %v", a, a.Gate, err)
	}
	for id, want := range map[string]bool{gate.ID: true, plain.ID: false, "": false, "backend": false, "agt_none": false} {
		if got := w.IsGate(ctx, id); got != want {
			t.Errorf("%q is a gate: %v", id, got)
		}
	}
	w.store.fail = fmt.Errorf("the disk is gone")
	if w.IsGate(ctx, gate.ID) {
		t.Error("one that cannot be looked up is a gate")
	}
	w.store.fail = nil
	if _, err := w.RevokeAgent(ctx, "backend"); err != nil {
		t.Fatal(err)
	}
	if w.IsGate(ctx, gate.ID) {
		t.Error("a revoked one is a gate")
	}
	if _, _, err := w.AddGate(ctx, "a b", nil, "owner"); err == nil {
		t.Error("a bad name is accepted")
	}
}
