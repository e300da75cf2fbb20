package ledger

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/mod/sumdb/tlog"
	"pgregory.net/rapid"
)

// small is a good ledger of ten rows with checkpoints of 0, 4 and 8 rows.
func small(t testing.TB) *built {
	b := newBuilt(t)
	for i := range 10 {
		if i%4 == 0 {
			b.checkpoint(t)
		}
		b.append(t, noon.Add(time.Duration(i)*time.Second), sample(i))
	}
	return b
}

// rewrite puts other data into row i, with a hash that fits.
func (s *stored) rewrite(i int, data []byte) {
	hash := tlog.RecordHash(data)
	s.rows = slices.Clone(s.rows)
	s.rows[i].Data, s.rows[i].Hash = data, hash[:]
}

// Verify says which row is bad and what is wrong with it.
func TestVerifyNamesTheFault(t *testing.T) {
	b := small(t)
	other := small(t)
	replaced := func(i int, old, new string) func(*stored) {
		return func(s *stored) {
			data := strings.Replace(string(s.rows[i].Data), old, new, 1)
			if data == string(s.rows[i].Data) {
				t.Fatalf("%q is not in row %d", old, i+1)
			}
			s.rewrite(i, []byte(data))
		}
	}
	cases := []struct {
		name   string
		change func(s *stored)
		seq    int64
		what   string
	}{
		{"row missing at the start", func(s *stored) { s.rows = s.rows[1:] }, 1, "missing; the next one is row 2"},
		{"row missing in the middle", func(s *stored) { s.rows = slices.Delete(s.rows, 4, 6) }, 5, "missing; the next one is row 7"},
		{"rows missing at the end", func(s *stored) { s.rows = s.rows[:9] }, 10, "stored head knows them"},
		{"no rows", func(s *stored) { s.rows = nil }, 1, "from here to row 10"},
		{"row before the first", func(s *stored) { s.rows = slices.Insert(s.rows, 0, StoredRow{Seq: -5}) }, 1, "numbered -5"},
		{"row twice", func(s *stored) { s.rows = slices.Insert(s.rows, 3, s.rows[3]) }, 5, "numbered 4"},
		{"row the head does not know", func(s *stored) {
			row, _, _ := b.last().Append(noon.Add(time.Hour), sample(1))
			s.rows = append(s.rows, StoredRow{row.Seq, row.Subject, row.Data, row.Hash[:]})
		}, 11, "does not know this one"},
		{"hash of another length", func(s *stored) { s.rows[2].Hash = s.rows[2].Hash[:31] }, 3, "not that of the data"},
		{"data changed", func(s *stored) { s.rows[2].Data = []byte("{}") }, 3, "not that of the data"},
		{"data and hash changed", replaced(0, "Anna", "Dora"), 2, "does not follow"},
		{"last row changed with its hash", func(s *stored) { replaced(9, "anna", "dora")(s); _ = s }, 10, "another hash for the last row"},
		{"blank after a comma", replaced(4, `,"`, `, "`), 5, ErrNotCanonical.Error()},
		{"blank in the body", replaced(4, `"agent":`, `"agent": `), 5, ErrNotCanonical.Error()},
		{"number of another row", replaced(4, `"seq":5`, `"seq":6`), 5, "the data says row 6"},
		{"time goes back", replaced(4, "12:00:04", "12:00:02"), 5, "before that of the row before"},
		{"subject column", func(s *stored) { s.rows[4].Subject = "act_000000" }, 5, "subject is not that"},
		{"no head", func(s *stored) { s.head = nil }, 1, "ends at row 0"},
		{"damaged head", func(s *stored) { s.head = s.head[1:] }, 0, "damaged"},
		{"older head", func(s *stored) { s.head = marshalled(t, b.heads[7]) }, 8, "ends at row 7"},
		{"head of another ledger", func(s *stored) { h := b.last(); h.Last[0]++; s.head = marshalled(t, h) }, 10, "another hash"},
		{"head with another time", func(s *stored) { h := b.last(); h.At = noon; s.head = marshalled(t, h) }, 10, "another time"},
		{"head with other subtrees", func(s *stored) {
			h := b.last()
			h.frontier = slices.Clone(h.frontier)
			h.frontier[0][0]++
			s.head = marshalled(t, h)
		}, 0, "other subtrees"},
		{"older state, newest checkpoint stays", func(s *stored) { s.rows, s.head = s.rows[:6], marshalled(t, b.heads[6]) }, 7, "a stored checkpoint signed them"},
		{"checkpoint of another key", func(s *stored) { s.checkpoints[1].Text = other.checkpoints[1].Text }, 4, "bad signature"},
		{"checkpoint that is none", func(s *stored) { s.checkpoints[1].Text = []byte("countersign\n4\n") }, 4, "cannot be read"},
		{"checkpoint stored for another size", func(s *stored) { s.checkpoints[1].Size = 5 }, 5, "is of size 4"},
		{"checkpoint twice", func(s *stored) { s.checkpoints = slices.Insert(s.checkpoints, 1, s.checkpoints[1]) }, 4, "second checkpoint"},
		{"checkpoint of a negative size", func(s *stored) { s.checkpoints[0].Size = -1 }, -1, "is of size 0"},
		{"checkpoint with another root", func(s *stored) {
			h := b.heads[4]
			h.frontier = []Hash{{1}}
			s.checkpoints[1].Text, _ = b.signer.Checkpoint(h)
		}, 4, "not those that the stored checkpoint signed"},
		{"everything computed anew from row 3 on", func(s *stored) {
			head := b.heads[2]
			s.rows = s.rows[:2]
			for i := 2; i < 10; i++ {
				row, next, err := head.Append(noon.Add(time.Minute), sample(i+1))
				if err != nil {
					t.Fatal(err)
				}
				s.rows, head = append(s.rows, StoredRow{row.Seq, row.Subject, row.Data, row.Hash[:]}), next
			}
			s.head = marshalled(t, head)
		}, 4, "not those that the stored checkpoint signed"},
	}
	for _, c := range cases {
		s := stored{rows: slices.Clone(b.stored.rows), head: b.head, checkpoints: slices.Clone(b.checkpoints)}
		c.change(&s)
		report := verify(t, &s, b.publicKey, VerifyOptions{})
		if report.OK() || report.First.Seq != c.seq || !strings.Contains(report.First.What, c.what) {
			t.Errorf("%s: found %+v, want row %d and %q", c.name, report.First, c.seq, c.what)
		}
	}
	if len(cases) != 30 {
		t.Fatalf("%d cases", len(cases))
	}
}

// A good ledger is good from every state on, and the empty one too.
func TestVerifyIsClean(t *testing.T) {
	b := small(t)
	var done []int64
	report, err := Verify(context.Background(), &b.stored, b.publicKey, func(n int64) { done = append(done, n) })
	root, _ := b.last().Root()
	if err != nil || !report.OK() || report.Rows != 10 || report.Checkpoints != 3 || report.Root != root || !report.Head.Equal(b.last()) {
		t.Errorf("%+v, %v", report, err)
	}
	if !slices.Equal(done, []int64{10}) {
		t.Errorf("progress %v", done)
	}
	empty := verify(t, &stored{}, b.publicKey, VerifyOptions{})
	if !empty.OK() || empty.Rows != 0 || empty.Root.String() != "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=" {
		t.Errorf("the empty ledger: %+v", empty)
	}
}

// The limit that the package states: a whole store that was put back is good,
// unless a checkpoint was kept elsewhere.
func TestPutBackAsAWhole(t *testing.T) {
	b := small(t)
	old := stored{rows: b.stored.rows[:6], head: marshalled(t, b.heads[6]), checkpoints: b.checkpoints[:2]}
	if report := verify(t, &old, b.publicKey, VerifyOptions{}); !report.OK() {
		t.Errorf("an earlier state is a good ledger: %v", report.First)
	}
	kept := [][]byte{b.checkpoints[2].Text, b.checkpoints[1].Text}
	report := verify(t, &old, b.publicKey, VerifyOptions{Kept: kept})
	if report.OK() || report.First.Seq != 7 || !strings.Contains(report.First.What, "a kept checkpoint signed them") {
		t.Errorf("with a kept checkpoint: %+v", report.First)
	}
	if report := verify(t, &b.stored, b.publicKey, VerifyOptions{Kept: kept}); !report.OK() || report.Checkpoints != 5 {
		t.Errorf("the whole ledger with kept checkpoints: %+v", report)
	}
	// Somebody with the key writes another history and signs it.
	forged := newBuilt(t)
	forged.signer = b.signer
	for i := range 10 {
		forged.append(t, noon, sample(i+1))
	}
	forged.checkpoint(t)
	if report := verify(t, &forged.stored, b.publicKey, VerifyOptions{}); !report.OK() {
		t.Errorf("a history signed with the key is good: %v", report.First)
	}
	report = verify(t, &forged.stored, b.publicKey, VerifyOptions{Kept: kept})
	if report.OK() || report.First.Seq != 4 {
		t.Errorf("a forged history with kept checkpoints: %+v", report.First)
	}
	for _, o := range []VerifyOptions{{Kept: [][]byte{[]byte("x")}}, {Kept: kept, From: b.heads[9]}} {
		if _, err := VerifyWith(context.Background(), &b.stored, b.publicKey, o); err == nil {
			t.Error("a kept checkpoint that cannot be used is no error")
		}
	}
}

// failing is a source of which one part cannot be read.
type failing struct {
	Source
	rows, head, checkpoints error
}

func (f failing) Rows(ctx context.Context, after int64, limit int) ([]StoredRow, error) {
	if f.rows != nil {
		return nil, f.rows
	}
	return f.Source.Rows(ctx, after, limit)
}

func (f failing) Head(ctx context.Context) ([]byte, error) {
	if f.head != nil {
		return nil, f.head
	}
	return f.Source.Head(ctx)
}

func (f failing) Checkpoints(ctx context.Context, after int64, limit int) ([]StoredCheckpoint, error) {
	if f.checkpoints != nil {
		return nil, f.checkpoints
	}
	return f.Source.Checkpoints(ctx, after, limit)
}

// A ledger that cannot be read is neither good nor bad.
func TestVerifyReportsTheSourcesErrors(t *testing.T) {
	b := small(t)
	broken := errors.New("the disk is gone")
	cancelled, cancel := context.WithCancel(context.Background())
	cancel()
	cases := []struct {
		ctx  context.Context
		src  Source
		key  string
		want error
	}{
		{context.Background(), failing{Source: &b.stored, rows: broken}, b.publicKey, broken},
		{context.Background(), failing{Source: &b.stored, head: broken}, b.publicKey, broken},
		{context.Background(), failing{Source: &b.stored, checkpoints: broken}, b.publicKey, broken},
		{cancelled, &b.stored, b.publicKey, context.Canceled},
		{context.Background(), &b.stored, "", ErrKey},
	}
	for i, c := range cases {
		if _, err := Verify(c.ctx, c.src, c.key, nil); !errors.Is(err, c.want) {
			t.Errorf("case %d: %v, want %v", i, err, c.want)
		}
	}
}

// Random entries at random times make a good ledger, and any one change of it
// is found.
func TestAnyChangeIsFound(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		b := newBuilt(t)
		at := noon
		for range rapid.IntRange(1, 40).Draw(r, "rows") {
			at = at.Add(time.Duration(rapid.IntRange(-5000, 5000).Draw(r, "step")) * time.Millisecond)
			b.append(t, at, Entry{
				Kind:    Kind(rapid.StringMatching(`[a-z_]{1,32}`).Draw(r, "kind")),
				Subject: rapid.StringMatching(`[a-zA-Z0-9é"\\<> _-]{0,20}`).Draw(r, "subject"),
				Body:    drawBody(r),
			})
			if rapid.IntRange(0, 4).Draw(r, "signs") == 0 {
				b.checkpoint(t)
			}
		}
		if report := verify(t, &b.stored, b.publicKey, VerifyOptions{}); !report.OK() || report.Rows != b.last().Size {
			r.Fatalf("a good ledger: %+v", report.First)
		}
		what := b.tamper(t, r)
		if report := verify(t, &b.stored, b.publicKey, VerifyOptions{}); report.OK() {
			r.Fatalf("%s is not found", what)
		}
	})
}

func drawBody(r *rapid.T) any {
	if rapid.IntRange(0, 9).Draw(r, "no body") == 0 {
		return nil
	}
	leaf := rapid.OneOf(
		rapid.String().AsAny(), rapid.Float64Range(-1e9, 1e9).AsAny(), rapid.Int64().AsAny(), rapid.Bool().AsAny(),
		rapid.Just[any](nil), rapid.SliceOfN(rapid.String(), 0, 3).AsAny(), rapid.MapOfN(rapid.String(), rapid.Int(), 0, 3).AsAny(),
	)
	// Strings of one kind each, since two that are not UTF-8 can become one key.
	return rapid.MapOfN(rapid.StringMatching(`[a-z]{1,8}`), leaf, 0, 6).Draw(r, "body")
}

// tamper changes one thing in the stored ledger.
func (b *built) tamper(t *testing.T, r *rapid.T) string {
	i := rapid.IntRange(0, len(b.rows)-1).Draw(r, "row")
	s := &b.stored
	flip := func(data []byte) []byte {
		data = slices.Clone(data)
		bit := rapid.IntRange(0, len(data)*8-1).Draw(r, "bit")
		data[bit/8] ^= 1 << (bit % 8)
		return data
	}
	switch rapid.IntRange(0, 7).Draw(r, "change") {
	case 0:
		s.rows[i].Data = flip(s.rows[i].Data)
		return fmt.Sprintf("a bit of data of row %d", i+1)
	case 1:
		s.rewrite(i, flip(s.rows[i].Data))
		return fmt.Sprintf("a bit of data of row %d with a hash that fits", i+1)
	case 2:
		s.rows[i].Hash = flip(s.rows[i].Hash)
		return fmt.Sprintf("a bit of the hash of row %d", i+1)
	case 3:
		s.rows[i].Subject += "x"
		return fmt.Sprintf("the subject of row %d", i+1)
	case 4:
		s.rows = slices.Delete(s.rows, i, i+1)
		return fmt.Sprintf("row %d is gone", i+1)
	case 5:
		s.head = flip(s.head)
		return "a bit of the head"
	case 6:
		s.head = marshalled(t, b.heads[i])
		return fmt.Sprintf("the head after %d rows", i)
	}
	if len(s.checkpoints) == 0 {
		s.head = nil
		return "no head"
	}
	c := &s.checkpoints[i%len(s.checkpoints)]
	c.Text = flip(c.Text)
	return fmt.Sprintf("a bit of the checkpoint of %d rows", c.Size)
}
