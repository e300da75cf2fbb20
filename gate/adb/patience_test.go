package adb_test

import (
	"strings"
	"testing"
	"time"

	"github.com/countersign/countersign/approval"
)

// A client that gave up while it was held has withdrawn its question. The next one
// that asks for the same is told in time to ask again, and the answer that comes
// afterwards is used, once.
func TestOneThatGaveUpIsToldInTime(t *testing.T) {
	const tap = "shell,v2,TERM=xterm,raw:input tap 950 2150"
	f := newFixture(t)
	f.twoButtons()
	c := f.begin(tap, "")
	q := f.question()
	f.clock.move(5 * time.Second)
	c.hangUp()
	f.settled(q.ID, approval.Cancelled)
	c.wait()
	if r := f.serve(tap, ""); r.passed() || !strings.Contains(r.errOut, "not answered yet") {
		t.Fatalf("the second was told %+v", r)
	}
	f.answer(f.question(), true)
	if r := f.serve(tap, ""); !r.passed() {
		t.Errorf("the third was told %+v", r)
	}
	if got := f.phone.record(); len(got) != 1 || got[0] != tap {
		t.Errorf("the phone got %q", got)
	}
}
