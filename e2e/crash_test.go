package e2e

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// killsOfAHome is how often one home sees its guard killed. After that a new one
// begins, so that first starts are among what is cut short.
const killsOfAHome = 25

// TestKillsLoseNothing kills the guard again and again, at moments of chance and
// in the middle of each operation, while agents and owners go on as fast as they
// can. After every kill the record is held against what they were told and what
// the device did: no question lost, none released twice, none late, none after it
// was refused or taken back.
//
// COUNTERSIGN_KILLS says how often (25), COUNTERSIGN_SEED which chances. A seed
// repeats what the clients want and when a kill is due, not how the system
// schedules it all.
func TestKillsLoseNothing(t *testing.T) {
	kills, seed := amount(t, "COUNTERSIGN_KILLS", 25), seedOf(t)
	t.Logf("seed %d: repeat with COUNTERSIGN_SEED=%d", seed, seed)
	program(t)
	total := &tally{counts: map[string]int{}}
	t.Run("homes", func(t *testing.T) {
		for home, left := 0, kills; left > 0; home, left = home+1, left-killsOfAHome {
			t.Run(strconv.Itoa(home), func(t *testing.T) {
				t.Parallel()
				newLane(t, seed, uint64(home)).run(min(left, killsOfAHome), total)
			})
		}
	})
	total.check(t, kills)
}

// seedOf is the seed of the run: a new one each time, unless it is given.
func seedOf(t *testing.T) uint64 {
	t.Helper()
	text := os.Getenv("COUNTERSIGN_SEED")
	if text == "" {
		return rand.Uint64()
	}
	seed, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		t.Fatalf("COUNTERSIGN_SEED is %q; a number is accepted", text)
	}
	return seed
}

// lane is one home with its clients.
type lane struct {
	t       *testing.T
	home    string
	random  *rand.Rand
	seed    uint64
	short   bool
	flags   []string
	journal *journal
	door    *doorway
	clients sync.WaitGroup

	last  *record // at the latest kill
	kills int     // so far
}

func newLane(t *testing.T, seed, number uint64) *lane {
	l := &lane{
		t: t, home: newHome(t), random: rand.New(rand.NewPCG(seed, number)), seed: seed + number,
		short: number%2 == 0, journal: newJournal(), door: newDoorway(),
	}
	l.flags = []string{"--cooldown", "10ms"} // refusals are not what is tried here
	if l.short {
		l.flags = append(l.flags, "--answer-within", "700ms", "--use-within", "300ms")
	}
	return l
}

// run kills a home's guard so many times.
func (l *lane) run(kills int, total *tally) {
	defer l.stop()
	l.kills = l.firstStarts(min(kills, 3))
	l.enrol()
	for ; l.kills < kills && !l.t.Failed(); l.kills++ {
		l.live()
	}
	l.endInPeace()
	total.add(l)
}

// stop lets the clients go.
func (l *lane) stop() {
	l.door.end()
	l.clients.Wait()
}

// firstStarts cuts first starts short, and wants the next one to go well.
func (l *lane) firstStarts(kills int) int {
	for range kills {
		p := launch(l.t, l.home, l.flags)
		time.Sleep(l.upTo(150 * time.Millisecond))
		p.kill()
	}
	return kills
}

// enrol starts the guard once in peace and makes the clients.
func (l *lane) enrol() {
	p := l.start()
	<-p.ready
	boss := ownerOf(l.t, l.home)
	for i := range 3 {
		name := []string{"anna", "bert", "cleo"}[i]
		_, token, err := boss.AddAgent(context.Background(), name, nil)
		if err != nil {
			l.t.Fatalf("add an agent: %v\n%s", err, p.said())
		}
		for hand := range 3 {
			a := &agent{
				name: fmt.Sprintf("%s-%d", name, hand), token: token, door: l.door, journal: l.journal, short: l.short,
				random: rand.New(rand.NewPCG(l.seed, uint64(10*i+hand))), http: &http.Client{Transport: &http.Transport{}},
			}
			l.clients.Add(1)
			go a.work(&l.clients)
		}
	}
	for hand := range 2 {
		o := &owner{door: l.door, journal: l.journal, random: rand.New(rand.NewPCG(l.seed, uint64(100+hand))), client: ownerOf(l.t, l.home)}
		l.clients.Add(1)
		go o.work(&l.clients)
	}
	p.kill()
	l.look()
}

// start launches a guard that must not end by itself.
func (l *lane) start() *process {
	p := launch(l.t, l.home, l.flags)
	l.t.Cleanup(p.kill)
	return p
}

// live is one life of a guard: from its start to its kill, and a look at what is
// left.
func (l *lane) live() {
	p := l.start()
	if l.random.IntN(8) == 0 { // while it settles what was left open
		time.Sleep(l.upTo(100 * time.Millisecond))
	} else if l.letIn(p) {
		l.waitForTheMoment()
	}
	select {
	case <-p.gone:
		l.t.Errorf("the guard ended by itself: %v", p.err)
	default:
	}
	p.kill()
	l.door.shut()
	l.complain(p)
	l.look()
}

// letIn waits until the guard is ready, looks whether everything is there again,
// and lets the clients in.
func (l *lane) letIn(p *process) bool {
	select {
	case <-p.ready:
	case <-p.gone:
		return false
	}
	r, err := readRecord(l.home, l.last.checkpoint)
	if err != nil {
		l.t.Errorf("kill %d: read the record of the running guard: %v", l.kills, err)
		return false
	}
	r.checkRestart(l.last, now())
	l.report(r.faults)
	l.door.open(p.url)
	return true
}

// waitForTheMoment is when to kill: after some operations, at any time or just
// after one of a kind was sent. Some lives are longer, for the sweep of what is
// over.
func (l *lane) waitForTheMoment() {
	if l.short && l.random.IntN(12) == 0 {
		time.Sleep(l.upTo(1200 * time.Millisecond))
		return
	}
	op := operation("")
	if l.random.IntN(3) > 0 {
		op = aimedAt[l.random.IntN(len(aimedAt))]
	}
	l.await(op, l.random.Int64N(60))
	time.Sleep(l.upTo(4 * time.Millisecond))
}

// await waits until an operation is sent after some others were answered, but
// not for long.
func (l *lane) await(op operation, after int64) {
	a := &aim{at: op, fired: make(chan struct{})}
	a.left.Store(after)
	l.door.aim.Store(a)
	defer l.door.aim.Store(nil)
	select {
	case <-a.fired:
	case <-time.After(time.Second): // nobody does it just now
	}
}

func (l *lane) upTo(most time.Duration) time.Duration {
	return time.Duration(l.random.Int64N(int64(most)))
}

// look reads a copy of what the kill has left and holds it against the journal.
func (l *lane) look() {
	dir, err := os.MkdirTemp(l.t.TempDir(), "copy")
	if err == nil {
		defer os.RemoveAll(dir)
		err = copyRecord(l.home, dir)
	}
	var kept []byte
	if l.last != nil {
		kept = l.last.checkpoint
	}
	var r *record
	if err == nil {
		r, err = readRecord(dir, kept)
	}
	if err != nil {
		l.t.Errorf("kill %d: read what is left: %v", l.kills, err)
		return
	}
	r.checkWays()
	r.checkJournal(l.journal)
	l.report(r.faults)
	l.last = r
}

// report fails the test with what was found.
func (l *lane) report(faults []string) {
	l.journal.mu.Lock()
	faults = slices.Concat(faults, l.journal.faults)
	l.journal.faults = nil
	l.journal.mu.Unlock()
	for _, f := range faults[:min(len(faults), 10)] {
		l.t.Errorf("kill %d: %s", l.kills, f)
	}
}

// complain fails the test when the guard broke down before it was killed.
func (l *lane) complain(p *process) {
	said := p.said()
	for _, bad := range []string{"panic", "fatal error", "goroutine ", "level=ERROR"} {
		if strings.Contains(said, bad) {
			l.t.Errorf("kill %d: the guard said:\n%s", l.kills, said)
			return
		}
	}
}

// endInPeace starts the guard a last time, stops it in order, and has the record
// verified by the command.
func (l *lane) endInPeace() {
	p := l.start()
	l.letIn(p)
	l.await(opDecide, 20)
	if err := p.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		l.t.Error(err)
	}
	if exit := p.exit(l.t); exit != 0 {
		l.t.Errorf("stopped in order, the guard ends with %d:\n%s", exit, p.said())
	}
	l.door.shut()
	l.complain(p)
	l.look()
	verifyByCommand(context.Background(), l.t, l.home)
}

// tally adds up what the lanes have seen, so that a run that tried nothing fails.
type tally struct {
	mu     sync.Mutex
	counts map[string]int
	rows   int64
}

func (s *tally) add(l *lane) {
	s.mu.Lock()
	defer s.mu.Unlock()
	l.journal.mu.Lock()
	defer l.journal.mu.Unlock()
	for what, n := range l.journal.counts {
		s.counts[what] += n
	}
	if l.last == nil {
		return
	}
	s.rows += l.last.rows
	s.counts["kills"] += l.kills
	for _, q := range l.last.questions {
		s.counts["questions"]++
		s.counts["ended "+q.State.String()]++
		if q.Code != "" {
			s.counts["because "+q.Code]++
		}
	}
}

// check prints what happened. In a long run everything has.
func (s *tally) check(t *testing.T, kills int) {
	t.Helper()
	var lines []string
	for what, n := range s.counts {
		lines = append(lines, fmt.Sprintf("%s %d", what, n))
	}
	slices.Sort(lines)
	t.Logf("%d rows; %s", s.rows, strings.Join(lines, ", "))
	if s.counts["kills"] != kills && !t.Failed() {
		t.Errorf("%d kills, %d were asked for", s.counts["kills"], kills)
	}
	wanted := []string{"questions", "carried out"}
	if kills >= 500 {
		wanted = append(wanted, "ended released", "ended denied", "ended expired", "ended cancelled", "ended revoked", "ended void",
			"because result_unknown", "redeemed twice at once", "proposed again with its key", "answered late", "frozen",
			"cut off in decide", "cut off in wait", "cut off in answer", "cut off in redeem", "cut off in result", "cut off in withdraw", "cut off in revoke")
	}
	for _, what := range wanted {
		if s.counts[what] == 0 {
			t.Errorf("nothing was %q, so that it was not tried", what)
		}
	}
}
