package identity

import (
	"slices"
	"sync"
	"time"
)

// A Voucher is a ticket between two gates in a row: that a person said yes to an
// action at the gate above, so that the gate below need not ask about it again. To
// people it is a ticket; here [Ticket] is what signs a browser in.
type Voucher struct {
	// Agent is the id of the gate's credential that left it.
	Agent string
	// Action is the id of the action above, Question that of the question whose yes
	// let it go ahead.
	Action, Question string
	// Device and Digest are what the action below has to be the same in.
	Device, Digest string
	// Critical says that the person was shown it as critical.
	Critical bool
	// At is when it was left.
	At time.Time
}

// VoucherFor is how long after a voucher was left the action below may arrive.
const VoucherFor = 2 * time.Second

// maxVouchers is how many are kept at a time.
const maxVouchers = 256

// InTime reports whether an action that arrived at a time came soon enough after
// the voucher was left, and not before.
func (v *Voucher) InTime(arrived time.Time) bool {
	age := arrived.Sub(v.At)
	return age >= 0 && age <= VoucherFor
}

// Vouchers are those that were left and not used. They are in memory only: after a
// restart there are none. The zero value is ready and safe for concurrent use. It
// has no clock; whoever takes one says which still count.
type Vouchers struct {
	mu   sync.Mutex
	left []Voucher // oldest first
}

// Leave adds a voucher. The oldest makes room where there are too many. One that
// names no device or no digest stands for nothing and is not kept.
func (s *Vouchers) Leave(v Voucher) {
	if v.Device == "" || v.Digest == "" || v.Agent == "" {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.left) >= maxVouchers {
		s.left = slices.Delete(s.left, 0, 1+len(s.left)-maxVouchers)
	}
	s.left = append(s.left, v)
}

// Have reports whether there is a voucher that fits.
func (s *Vouchers) Have(fits func(*Voucher) bool) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.find(fits) >= 0
}

// Take removes the oldest voucher that fits and returns it. Of many takers one
// gets it.
func (s *Vouchers) Take(fits func(*Voucher) bool) (Voucher, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	i := s.find(fits)
	if i < 0 {
		return Voucher{}, false
	}
	v := s.left[i]
	s.left = slices.Delete(s.left, i, i+1)
	return v, true
}

// find is the place of the oldest that fits, -1 for none; mu is held.
func (s *Vouchers) find(fits func(*Voucher) bool) int {
	for i := range s.left {
		if fits(&s.left[i]) {
			return i
		}
	}
	return -1
}

// Drop removes those that an action or the time has ended.
func (s *Vouchers) Drop(over func(*Voucher) bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.left = slices.DeleteFunc(s.left, func(v Voucher) bool { return over(&v) })
}
