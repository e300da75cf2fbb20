package adb

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/countersign/countersign/wire"
)

// records are the pieces of one file of the sync service on their way.
type records struct {
	from *bufio.Reader
	to   *bufio.Writer
	// body is shown what the file holds; nil for nobody.
	body io.Writer
	// limit is how many bytes of the file are carried at most, 0 for all.
	limit int64
}

// errMore says that the limit was met; the next piece is still to be read.
var errMore = errors.New("the file is longer")

// carry carries the pieces up to the end of the file, as they came: what is there
// is written on as soon as no more is.
func (r *records) carry() error {
	var carried int64
	for {
		head, err := r.from.Peek(8)
		if err != nil {
			return fmt.Errorf("adb: a file ends early: %w", err)
		}
		id := wire.SyncID(binary.LittleEndian.Uint32(head))
		size, err := pieceSize(id, binary.LittleEndian.Uint32(head[4:]))
		if err != nil {
			return err
		}
		if carried += size; r.limit > 0 && carried > r.limit {
			return errors.Join(errMore, r.to.Flush())
		}
		if _, err := io.CopyN(r.to, r.from, 8); err != nil {
			return err
		}
		into := io.Writer(r.to)
		if id == wire.SyncDATA && r.body != nil {
			into = io.MultiWriter(r.to, r.body)
		}
		if _, err := io.CopyN(into, r.from, size); err != nil {
			return fmt.Errorf("adb: a file ends early: %w", err)
		}
		if id != wire.SyncDATA {
			return r.to.Flush()
		}
		if r.from.Buffered() == 0 {
			if err := r.to.Flush(); err != nil {
				return err
			}
		}
	}
}

// pieceSize is how many bytes follow the head of a piece.
func pieceSize(id wire.SyncID, n uint32) (int64, error) {
	switch id {
	case wire.SyncDONE:
		return 0, nil
	case wire.SyncDATA, wire.SyncFAIL:
		if n > wire.MaxSyncData {
			return 0, fmt.Errorf("adb: a piece of a file has %d bytes, at most %d are read", n, wire.MaxSyncData)
		}
		return int64(n), nil
	}
	return 0, fmt.Errorf("adb: %v among the pieces of a file", id)
}
