package ledger

import (
	"errors"
	"fmt"

	"golang.org/x/mod/sumdb/tlog"
)

// Proof shows that one row is in the tree whose root a checkpoint signed,
// without the other rows: some log2(size) hashes.
type Proof = tlog.RecordProof

// ErrProof says that a proof does not fit the row and the root.
var ErrProof = errors.New("the proof does not show that the row is in the ledger")

// Prove makes the proof that row seq is among the rows with these hashes; the
// hashes are those of rows 1 to size, in order, so size is their number. It
// computes the whole tree: about two hashes a row.
func Prove(rows []Hash, seq int64) (Proof, error) {
	size := int64(len(rows))
	if seq < 1 || seq > size {
		return nil, fmt.Errorf("ledger: prove: row %d is not one of rows 1 to %d", seq, size)
	}
	stored := make([]Hash, 0, tlog.StoredHashCount(size))
	read := tlog.HashReaderFunc(func(indexes []int64) ([]Hash, error) {
		out := make([]Hash, len(indexes))
		for i, index := range indexes {
			out[i] = stored[index]
		}
		return out, nil
	})
	for i, hash := range rows {
		more, err := tlog.StoredHashesForRecordHash(int64(i), hash, read)
		if err != nil {
			return nil, fmt.Errorf("ledger: prove: %w", err)
		}
		stored = append(stored, more...)
	}
	proof, err := tlog.ProveRecord(size, seq-1, read)
	if err != nil {
		return nil, fmt.Errorf("ledger: prove: %w", err)
	}
	return proof, nil
}

// CheckProof checks that the row with this seq and hash is in the tree of the
// given size and root. The error wraps ErrProof.
func CheckProof(p Proof, size int64, root Hash, seq int64, row Hash) error {
	if err := tlog.CheckRecord(p, size, root, seq-1, row); err != nil {
		return fmt.Errorf("ledger: check proof of row %d: %w", seq, ErrProof)
	}
	return nil
}
