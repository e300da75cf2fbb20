package ledger

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"slices"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

// Source is a stored ledger as Verify reads it. All answers must come from one
// state of the store, such as one read transaction: a row that is appended
// between two of them looks like a row that the head does not know.
type Source interface {
	// Rows returns at most limit rows whose stored seq is greater than after,
	// in the order of that seq. Fewer than limit means that there are no more.
	Rows(ctx context.Context, after int64, limit int) ([]StoredRow, error)
	// Head returns the stored Head as MarshalBinary wrote it, empty when none
	// was ever stored.
	Head(ctx context.Context) ([]byte, error)
	// Checkpoints is like Rows for the stored checkpoints, by their stored size;
	// there is at most one of a size.
	Checkpoints(ctx context.Context, after int64, limit int) ([]StoredCheckpoint, error)
}

// StoredRow is a row as it lies in a store. Columns that a store has besides
// these must be computed from Data by the store, or they prove nothing.
type StoredRow struct {
	Seq     int64
	Subject string
	Data    []byte
	// Hash are the bytes of Row.Hash.
	Hash []byte
}

// StoredCheckpoint is a checkpoint as it lies in a store.
type StoredCheckpoint struct {
	Size int64
	Text []byte
}

// Fault is the first thing that is wrong with a ledger.
type Fault struct {
	// Seq is the row it was found at. For a checkpoint it is the size that was
	// signed, for rows that are missing the first of them, and 0 when the fault
	// is in the stored head alone.
	Seq int64
	// What says what is wrong, in one line that is safe to show.
	What string
}

// String is the fault with its place.
func (f *Fault) String() string {
	if f.Seq == 0 {
		return f.What
	}
	return fmt.Sprintf("row %d: %s", f.Seq, f.What)
}

// Report is what Verify found.
type Report struct {
	// Rows and Checkpoints are how many are good, up to the first fault.
	Rows        int64
	Checkpoints int
	// Root is the root of the tree over the good rows.
	Root Hash
	// Head is where the good rows end. When the report is OK, VerifyWith can
	// begin there the next time.
	Head Head
	// First is nil when nothing is wrong.
	First *Fault
}

// OK reports whether nothing is wrong.
func (r Report) OK() bool { return r.First == nil }

// VerifyOptions are what a verification may have besides a source and a key.
type VerifyOptions struct {
	// Progress is called now and then with the number of rows that are good.
	Progress func(done int64)
	// From begins after a head that an earlier verification in this process
	// found good; rows and checkpoints up to there are not read. It is believed:
	// never take it from the store that is being verified.
	From Head
	// Kept are checkpoints that were kept elsewhere. They find a ledger that was
	// put back as a whole to an earlier state.
	Kept [][]byte
}

// pageSize is how many rows are read at a time.
// It bounds the memory: a row may have MaxRow bytes.
const pageSize = 200

// Verify reads a whole ledger and names the first thing that is wrong with it.
// progress may be nil. The error is the source's or the context's, or says that
// the public key cannot be read; then the report says nothing.
func Verify(ctx context.Context, src Source, publicKey string, progress func(done int64)) (Report, error) {
	return VerifyWith(ctx, src, publicKey, VerifyOptions{Progress: progress})
}

// VerifyWith is Verify with options.
func VerifyWith(ctx context.Context, src Source, publicKey string, o VerifyOptions) (Report, error) {
	key, err := readPublicKey(publicKey)
	if err != nil {
		return Report{}, err
	}
	v := verification{ctx: ctx, src: src, key: key, head: o.From, progress: o.Progress}
	// The first page begins at the smallest number: a row before row 1 is found.
	v.signed = signedRoots{v: &v, after: math.MinInt64}
	after := int64(math.MinInt64)
	if o.From.Size > 0 {
		after, v.signed.after = o.From.Size, o.From.Size
	}
	if err := v.signed.keep(o.Kept); err != nil {
		return Report{}, err
	}
	fault, err := v.run(after)
	if err != nil {
		return Report{}, err
	}
	root, err := v.head.Root()
	if err != nil {
		return Report{}, err
	}
	return Report{Rows: v.head.Size, Checkpoints: v.signed.good, Root: root, Head: v.head, First: fault}, nil
}

// verification is one run over a ledger. Everything returns the fault it finds,
// nil for none, and an error where the run itself cannot go on.
type verification struct {
	ctx      context.Context
	src      Source
	key      note.Verifier
	progress func(int64)
	head     Head // computed from the rows so far
	signed   signedRoots
}

func (v *verification) run(after int64) (*Fault, error) {
	if fault, err := v.signed.check(v.head); fault != nil || err != nil {
		return fault, err
	}
	for {
		if err := v.ctx.Err(); err != nil {
			return nil, fmt.Errorf("ledger: verify: %w", err)
		}
		rows, err := v.src.Rows(v.ctx, after, pageSize)
		if err != nil {
			return nil, fmt.Errorf("ledger: verify: read rows after %d: %w", after, err)
		}
		for i := range rows {
			if fault := v.row(&rows[i]); fault != nil {
				return fault, nil
			}
			if fault, err := v.signed.check(v.head); fault != nil || err != nil {
				return fault, err
			}
		}
		if v.progress != nil {
			v.progress(v.head.Size)
		}
		if len(rows) < pageSize {
			break
		}
		after = v.head.Size
	}
	return v.end()
}

// row checks one row against the head before it and moves the head on.
func (v *verification) row(stored *StoredRow) *Fault {
	seq := v.head.Size + 1
	fault := func(format string, args ...any) *Fault { return &Fault{seq, fmt.Sprintf(format, args...)} }
	if stored.Seq < seq {
		return fault("a row numbered %d stands in its place", stored.Seq)
	}
	if stored.Seq > seq {
		return fault("the row is missing; the next one is row %d", stored.Seq)
	}
	hash := tlog.RecordHash(stored.Data)
	if !bytes.Equal(hash[:], stored.Hash) {
		return fault("the stored hash is not that of the data")
	}
	row, err := parseRow(stored.Data)
	switch {
	case err != nil:
		return fault("%v", err)
	case row.Seq != seq:
		return fault("the data says row %d", row.Seq)
	case row.Subject != stored.Subject:
		return fault("the stored subject is not that of the data")
	case row.Prev != v.head.Last:
		return fault("it does not follow the row before: prev is another hash")
	case row.At.Before(v.head.At):
		return fault("its time, %s, is before that of the row before", row.At.Format(timeLayout))
	}
	v.head = v.head.after(hash, row.At)
	return nil
}

// end checks what is known of the end: the stored head, and checkpoints of a
// size that the rows do not reach.
func (v *verification) end() (*Fault, error) {
	data, err := v.src.Head(v.ctx)
	if err != nil {
		return nil, fmt.Errorf("ledger: verify: read head: %w", err)
	}
	var stored Head
	if len(data) > 0 {
		if err := stored.UnmarshalBinary(data); err != nil {
			return &Fault{What: err.Error()}, nil
		}
	}
	size := v.head.Size
	switch {
	case stored.Size > size:
		return &Fault{size + 1, fmt.Sprintf("the rows from here to row %d are missing; the stored head knows them", stored.Size)}, nil
	case stored.Size < size:
		return &Fault{stored.Size + 1, fmt.Sprintf("the stored head ends at row %d and does not know this one", stored.Size)}, nil
	case stored.Last != v.head.Last:
		return &Fault{size, "the stored head has another hash for the last row"}, nil
	case !stored.At.Equal(v.head.At):
		return &Fault{size, "the stored head has another time for the last row"}, nil
	case !slices.Equal(stored.frontier, v.head.frontier):
		return &Fault{What: "the stored head has other subtrees than the rows"}, nil
	}
	return v.signed.rest(size)
}
