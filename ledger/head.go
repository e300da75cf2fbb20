package ledger

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/bits"
	"slices"
	"time"

	"github.com/countersign/countersign/redact"
	"golang.org/x/mod/sumdb/tlog"
)

// Head is where a ledger ends: all that is needed to append the next row and to
// compute the root of the tree, some 32 bytes for each 1 in the binary form of
// the size. It is a value: Append returns a new one and leaves the old one as
// it was, so a row that could not be stored costs nothing. The zero value is
// the empty ledger.
type Head struct {
	// Size is how many rows there are.
	Size int64
	// Last is the hash of the last row, zero when there is none.
	Last Hash
	// At is the time of the last row, in UTC and whole milliseconds.
	At time.Time
	// frontier has the roots of the complete subtrees at the right edge of the
	// tree, from the largest to the smallest: one for each 1 in Size. It is
	// never changed in place.
	frontier []Hash
}

// Append makes the next row of e and the head after it. The body is redacted
// before it is hashed. A row is never earlier than the one before it: when the
// clock went back it takes that one's time. The errors wrap one of ErrKind,
// ErrSubject, ErrBody, ErrTime and ErrTooLarge; nothing of a failed entry stays.
func (h Head) Append(at time.Time, e Entry) (Row, Head, error) {
	if h.Size == math.MaxInt64 {
		return Row{}, h, errors.New("ledger: append: the ledger is full")
	}
	seq := h.Size + 1
	at = at.UTC().Truncate(time.Millisecond)
	if err := errors.Join(checkTime(at), checkKind(e.Kind), checkSubject(e.Subject)); err != nil {
		return Row{}, h, fmt.Errorf("ledger: append row %d: %w", seq, err)
	}
	if at.Before(h.At) {
		at = h.At
	}
	body, err := encodeBody(e.Body)
	if err != nil {
		return Row{}, h, fmt.Errorf("ledger: append row %d: %w", seq, err)
	}
	data := encode(seq, at, e.Kind, e.Subject, h.Last, body)
	if len(data) > MaxRow {
		return Row{}, h, fmt.Errorf("ledger: append row %d of %d bytes: %w", seq, len(data), ErrTooLarge)
	}
	row := Row{
		Seq: seq, At: at, Kind: e.Kind, Subject: e.Subject, Prev: h.Last,
		Body: data[len(data)-1-len(body) : len(data)-1 : len(data)-1], Data: data, Hash: tlog.RecordHash(data),
	}
	return row, h.after(row.Hash, at), nil
}

// encodeBody is the one place where a body becomes bytes: marshalled, redacted,
// canonical.
func encodeBody(v any) ([]byte, error) {
	if v == nil {
		return []byte("{}"), nil
	}
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrBody, err)
	}
	clean, err := redact.JSON(buf.Bytes())
	if err != nil {
		return nil, fmt.Errorf("%w: redacting it: %w", ErrBody, err)
	}
	return canonicalJSON(clean)
}

// after is the head after a row with this hash and time.
func (h Head) after(row Hash, at time.Time) Head {
	// Each 1 at the end of Size is a subtree that the new row completes.
	complete := bits.TrailingZeros64(^uint64(h.Size))
	keep := len(h.frontier) - complete
	frontier := make([]Hash, keep+1)
	copy(frontier, h.frontier[:keep])
	sub := row
	for i := len(h.frontier) - 1; i >= keep; i-- {
		sub = tlog.NodeHash(h.frontier[i], sub)
	}
	frontier[keep] = sub
	return Head{Size: h.Size + 1, Last: row, At: at, frontier: frontier}
}

// Root is the root of the tree over all rows, as RFC 6962 defines it. It fails
// for a Head that was put together by hand.
func (h Head) Root() (Hash, error) {
	if h.Size < 0 || len(h.frontier) != bits.OnesCount64(uint64(h.Size)) {
		return Hash{}, fmt.Errorf("ledger: root: a head of size %d with %d subtrees does not come from Append", h.Size, len(h.frontier))
	}
	return tlog.TreeHash(h.Size, tlog.HashReaderFunc(func(indexes []int64) ([]Hash, error) {
		// TreeHash asks for the complete subtrees from left to right, which is
		// what the frontier is.
		if len(indexes) != len(h.frontier) {
			return nil, fmt.Errorf("%d subtrees, %d are kept", len(indexes), len(h.frontier))
		}
		return h.frontier, nil
	}))
}

// Equal reports whether two heads are the same in every part.
func (h Head) Equal(o Head) bool {
	return h.Size == o.Size && h.Last == o.Last && h.At.Equal(o.At) && slices.Equal(h.frontier, o.frontier)
}

// The binary form of a head: version, size, time in milliseconds since 1970,
// hash of the last row, the frontier, and a checksum over all of these. The
// checksum finds damage when the head is read, before a wrong root is signed;
// it is no protection against somebody who means it.
const (
	headVersion = 1
	headFixed   = 1 + 8 + 8 + tlog.HashSize
	headSum     = 8
)

// MarshalBinary writes the head for a store.
func (h Head) MarshalBinary() ([]byte, error) {
	if h.Size < 0 || len(h.frontier) != bits.OnesCount64(uint64(h.Size)) {
		return nil, fmt.Errorf("ledger: write head: size %d with %d subtrees does not come from Append", h.Size, len(h.frontier))
	}
	var at int64
	if h.Size > 0 {
		at = h.At.UnixMilli()
	}
	out := make([]byte, 0, headFixed+len(h.frontier)*tlog.HashSize+headSum)
	out = append(out, headVersion)
	out = binary.BigEndian.AppendUint64(out, uint64(h.Size))
	out = binary.BigEndian.AppendUint64(out, uint64(at))
	out = append(out, h.Last[:]...)
	for i := range h.frontier {
		out = append(out, h.frontier[i][:]...)
	}
	return appendSum(out), nil
}

func appendSum(out []byte) []byte {
	sum := tlog.RecordHash(out)
	return append(out, sum[:headSum]...)
}

// ErrHead says that stored bytes are no head of a ledger.
var ErrHead = errors.New("the stored head is damaged; run verify, and restore the ledger from a copy if it agrees")

// UnmarshalBinary reads what MarshalBinary wrote. Anything else is an error
// that wraps ErrHead, and leaves h as it was.
func (h *Head) UnmarshalBinary(data []byte) error {
	if len(data) < headFixed+headSum || data[0] != headVersion {
		return fmt.Errorf("ledger: read head: %w: %d bytes, not of version %d", ErrHead, len(data), headVersion)
	}
	payload := data[:len(data)-headSum]
	sum := tlog.RecordHash(payload)
	if !bytes.Equal(sum[:headSum], data[len(payload):]) {
		return fmt.Errorf("ledger: read head: %w: the checksum differs", ErrHead)
	}
	size := int64(binary.BigEndian.Uint64(payload[1:]))
	ms := int64(binary.BigEndian.Uint64(payload[9:]))
	read := Head{Size: size, Last: Hash(payload[17:headFixed])}
	subtrees := payload[headFixed:]
	if size < 0 || len(subtrees) != bits.OnesCount64(uint64(size))*tlog.HashSize {
		return fmt.Errorf("ledger: read head: %w: size %d and %d bytes of subtrees", ErrHead, size, len(subtrees))
	}
	for ; len(subtrees) > 0; subtrees = subtrees[tlog.HashSize:] {
		read.frontier = append(read.frontier, Hash(subtrees[:tlog.HashSize]))
	}
	if size > 0 {
		read.At = time.UnixMilli(ms).UTC()
	}
	switch {
	case size == 0 && (ms != 0 || read.Last != Hash{}):
		return fmt.Errorf("ledger: read head: %w: an empty ledger with a last row", ErrHead)
	case size > 0 && checkTime(read.At) != nil:
		return fmt.Errorf("ledger: read head: %w: %w", ErrHead, ErrTime)
	case size&1 == 1 && read.frontier[len(read.frontier)-1] != read.Last:
		return fmt.Errorf("ledger: read head: %w: the last row is not the last leaf", ErrHead)
	}
	*h = read
	return nil
}
