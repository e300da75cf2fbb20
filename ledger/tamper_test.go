package ledger

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

// change is one way to tamper with a stored ledger.
type change struct {
	what string
	// first is a row before which nothing is different.
	first int64
	stored
}

// TestEveryChangeIsFound is the figure: 5,000 changes of a ledger of 10,000
// rows, of which none may stay unnoticed. Single bits are flipped in every
// stored column, rows are cut out, the head is put back.
//
// Reading 10,000 rows 5,000 times takes many minutes, so each run begins after a
// head some rows before the change; TestResumedVerifyFindsTheSame shows that
// this finds the same fault as a run over everything.
func TestEveryChangeIsFound(t *testing.T) {
	const rows, flips, cuts = 10_000, 4_500, 500
	b := tamperLedger(t, rows)
	rnd := rand.New(rand.NewPCG(1, 2))
	found, kinds := 0, map[string]int{}
	for i := range flips + cuts {
		c := b.flip(t, rnd)
		if i >= flips {
			c = b.cut(t, rnd)
		}
		from := b.heads[max(0, c.first-1-rnd.Int64N(8))]
		report := verify(t, &c.stored, b.publicKey, VerifyOptions{From: from})
		if report.OK() {
			t.Errorf("%s: nothing is found", c.what)
			continue
		}
		found++
		kinds[kindOf(c.what)]++
	}
	if found != flips+cuts {
		t.Fatalf("%d of %d changes are found", found, flips+cuts)
	}
	for _, kind := range []string{"data", "hash", "seq", "subject", "head", "checkpoint", "size", "cut", "back"} {
		if kinds[kind] < 50 {
			t.Errorf("only %d changes of %s were tried: %v", kinds[kind], kind, kinds)
		}
	}
	t.Logf("%d of %d changes are found: %v", found, flips+cuts, kinds)
}

// A run that begins after a good head names the same fault as one from row 1.
func TestResumedVerifyFindsTheSame(t *testing.T) {
	b := tamperLedger(t, 2_000)
	rnd := rand.New(rand.NewPCG(3, 4))
	const sample = 60
	for i := range sample {
		c := b.flip(t, rnd)
		if i%3 == 0 {
			c = b.cut(t, rnd)
		}
		whole := verify(t, &c.stored, b.publicKey, VerifyOptions{})
		from := b.heads[max(0, c.first-1-rnd.Int64N(8))]
		resumed := verify(t, &c.stored, b.publicKey, VerifyOptions{From: from})
		if whole.OK() || resumed.OK() || *whole.First != *resumed.First || whole.Rows != resumed.Rows || whole.Root != resumed.Root {
			t.Errorf("%s: from row 1 %+v, from row %d %+v", c.what, whole.First, from.Size+1, resumed.First)
		}
	}
	for _, size := range []int{0, 1, 999, 1_000, 1_999, 2_000} {
		resumed := verify(t, &b.stored, b.publicKey, VerifyOptions{From: b.heads[size]})
		whole := verify(t, &b.stored, b.publicKey, VerifyOptions{})
		if !resumed.OK() || !resumed.Head.Equal(whole.Head) || resumed.Root != whole.Root {
			t.Errorf("an unchanged ledger from row %d: %+v", size+1, resumed.First)
		}
	}
}

func kindOf(what string) string {
	kind, _, _ := bytes.Cut([]byte(what), []byte(" "))
	return string(kind)
}

// tamperLedger is a good ledger with a checkpoint for every fiftieth of it, the
// newest some rows before the end.
func tamperLedger(t *testing.T, rows int) *built {
	b := newBuilt(t)
	for i := range rows {
		b.append(t, noon.Add(time.Duration(i)*time.Second), sample(i))
		if n := i + 1; n%(rows/50) == rows/100 {
			b.checkpoint(t)
		}
	}
	if report := verify(t, &b.stored, b.publicKey, VerifyOptions{}); !report.OK() || report.Rows != int64(rows) || report.Checkpoints != 50 {
		t.Fatalf("the ledger is not good to begin with: %+v", report)
	}
	return b
}

// flip flips one bit somewhere: mostly in the rows, which are most of a ledger.
func (b *built) flip(t *testing.T, rnd *rand.Rand) change {
	s := b.stored
	i := rnd.IntN(len(s.rows))
	seq := s.rows[i].Seq
	switch n := rnd.IntN(100); {
	case n < 60, n < 70 && s.rows[i].Subject == "":
		bit := flipBit(s.change(i).Data, rnd)
		return change{fmt.Sprintf("data of row %d, bit %d", seq, bit), seq, s}
	case n < 70:
		subject := []byte(s.rows[i].Subject)
		bit := flipBit(subject, rnd)
		s.change(i).Subject = string(subject)
		return change{fmt.Sprintf("subject of row %d, bit %d", seq, bit), seq, s}
	case n < 80:
		bit := flipBit(s.change(i).Hash, rnd)
		return change{fmt.Sprintf("hash of row %d, bit %d", seq, bit), seq, s}
	case n < 90:
		bit := rnd.IntN(64)
		other := seq ^ int64(uint64(1)<<bit)
		s.change(i).Seq = other
		return change{fmt.Sprintf("seq of row %d, bit %d", seq, bit), min(seq, other), s}
	case n < 95:
		s.head = slices.Clone(s.head)
		bit := flipBit(s.head, rnd)
		return change{fmt.Sprintf("head bit %d", bit), b.last().Size, s}
	}
	return b.flipCheckpoint(s, rnd)
}

func (b *built) flipCheckpoint(s stored, rnd *rand.Rand) change {
	i := rnd.IntN(len(s.checkpoints))
	size := s.checkpoints[i].Size
	if rnd.IntN(3) == 0 {
		bit := rnd.IntN(64)
		other := size ^ int64(uint64(1)<<bit)
		s.resize(i, other)
		return change{fmt.Sprintf("size of checkpoint %d, bit %d", size, bit), min(size, other), s}
	}
	s.checkpoints = slices.Clone(s.checkpoints)
	s.checkpoints[i].Text = slices.Clone(s.checkpoints[i].Text)
	bit := flipBit(s.checkpoints[i].Text, rnd)
	return change{fmt.Sprintf("checkpoint %d, bit %d", size, bit), size, s}
}

func flipBit(data []byte, rnd *rand.Rand) int {
	bit := rnd.IntN(len(data) * 8)
	data[bit/8] ^= 1 << (bit % 8)
	return bit
}

// cut removes rows, or puts the head or the whole ledger back to an earlier
// state while the newest checkpoint stays.
func (b *built) cut(t *testing.T, rnd *rand.Rand) change {
	s := b.stored
	total := len(s.rows)
	n := 1 + rnd.IntN(total/50)
	newest := int(s.checkpoints[len(s.checkpoints)-1].Size)
	switch rnd.IntN(5) {
	case 0:
		s.rows = s.rows[n:]
		return change{fmt.Sprintf("cut %d rows at the start", n), 1, s}
	case 1:
		at := rnd.IntN(total - n)
		s.rows = slices.Delete(slices.Clone(s.rows), at, at+n)
		return change{fmt.Sprintf("cut %d rows after row %d", n, at), int64(at + 1), s}
	case 2:
		s.rows = s.rows[:total-n]
		return change{fmt.Sprintf("cut %d rows at the end", n), int64(total - n + 1), s}
	case 3:
		s.head = marshalled(t, b.heads[total-n])
		return change{fmt.Sprintf("back to a head of %d rows", total-n), int64(total - n + 1), s}
	}
	s.rows, s.head = s.rows[:newest-n], marshalled(t, b.heads[newest-n])
	s.checkpoints = slices.DeleteFunc(slices.Clone(s.checkpoints), func(c StoredCheckpoint) bool {
		return c.Size > int64(newest-n) && c.Size < int64(newest)
	})
	return change{fmt.Sprintf("back to a ledger of %d rows", newest-n), int64(newest - n + 1), s}
}
