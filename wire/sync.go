package wire

import (
	"encoding/binary"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// A SyncID is the kind of a record of the sync service: four letters, little
// endian.
type SyncID uint32

// The records of the sync service. STAT is an lstat of version 1; LSTA is in
// no version of adb but in some clients.
const (
	SyncSTAT SyncID = 0x54415453
	SyncLSTA SyncID = 0x4154534c
	SyncSTA2 SyncID = 0x32415453
	SyncLST2 SyncID = 0x3254534c
	SyncLIST SyncID = 0x5453494c
	SyncLIS2 SyncID = 0x3253494c
	SyncSEND SyncID = 0x444e4553
	SyncSND2 SyncID = 0x32444e53
	SyncRECV SyncID = 0x56434552
	SyncRCV2 SyncID = 0x32564352
	SyncDATA SyncID = 0x41544144
	SyncDONE SyncID = 0x454e4f44
	SyncDENT SyncID = 0x544e4544
	SyncDNT2 SyncID = 0x32544e44
	SyncOKAY SyncID = 0x59414b4f
	SyncFAIL SyncID = 0x4c494146
	SyncQUIT SyncID = 0x54495551
)

// Sizes of the sync service, in bytes.
const (
	// MaxSyncData is the most that one DATA record carries.
	MaxSyncData = 64 << 10
	// MaxSyncPath is the longest path, with ",mode" after it.
	MaxSyncPath = 1024
)

// String is the record's four letters.
func (id SyncID) String() string {
	var b [4]byte
	binary.LittleEndian.PutUint32(b[:], uint32(id))
	for _, c := range b {
		if c < '0' || c > 'Z' {
			return fmt.Sprintf("record %#08x", uint32(id))
		}
	}
	return string(b[:])
}

// SyncFlags are how a transfer of version 2 is packed. Only zero is read here:
// leave the features sendrecv_v2_brotli, _lz4 and _zstd out of a banner and
// nobody asks for more.
type SyncFlags uint32

// The flags of SND2 and RCV2.
const (
	SyncBrotli SyncFlags = 1
	SyncLZ4    SyncFlags = 2
	SyncZstd   SyncFlags = 4
	SyncDryRun SyncFlags = 1 << 31
)

// SyncRequest is what a client asks the sync service for. After SEND and SND2
// its data follows (SyncData).
type SyncRequest struct {
	ID SyncID
	// Path is the file or folder. For SEND it is without the mode that a
	// client writes after it.
	Path string
	// Mode is the Unix mode of what is sent (SEND, SND2).
	Mode uint32
	// Flags are those of SND2 and RCV2.
	Flags SyncFlags
	// Raw is the request as it was read, to be passed on untouched. It is not
	// written by WriteSyncRequest.
	Raw []byte
}

// ReadSyncRequest reads the next request. It returns io.EOF if there is none;
// QUIT is a request without a path. Compressed transfers are refused.
func ReadSyncRequest(r io.Reader) (SyncRequest, error) {
	id, length, err := ReadSyncHeader(r)
	if err != nil {
		return SyncRequest{}, err
	}
	switch id {
	case SyncSTAT, SyncLSTA, SyncSTA2, SyncLST2, SyncLIST, SyncLIS2, SyncSEND, SyncSND2, SyncRECV, SyncRCV2, SyncQUIT:
	default:
		return SyncRequest{}, broken("%v where a sync request was expected", id)
	}
	if length > MaxSyncPath {
		return SyncRequest{}, broken("%v with a path of %d bytes, at most %d are read", id, length, MaxSyncPath)
	}
	q := SyncRequest{ID: id, Raw: binary.LittleEndian.AppendUint32(nil, uint32(id))}
	q.Raw = binary.LittleEndian.AppendUint32(q.Raw, length)
	path, err := q.more(r, int(length))
	if err != nil {
		return SyncRequest{}, err
	}
	q.Path = string(path)
	switch id {
	case SyncSEND:
		var ok bool
		if q.Path, q.Mode, ok = cutMode(q.Path); !ok {
			return SyncRequest{}, broken("SEND %.60q does not end with a comma and a mode", path)
		}
	case SyncSND2, SyncRCV2:
		if err := q.readSetup(r); err != nil {
			return SyncRequest{}, err
		}
	}
	return q, nil
}

// readSetup reads the second record of a transfer of version 2.
func (q *SyncRequest) readSetup(r io.Reader) error {
	size := 8
	if q.ID == SyncSND2 {
		size = 12
	}
	b, err := q.more(r, size)
	if err != nil {
		return err
	}
	if id := SyncID(binary.LittleEndian.Uint32(b)); id != q.ID {
		return broken("%v where the second record of %v was expected", id, q.ID)
	}
	if q.ID == SyncSND2 {
		q.Mode = binary.LittleEndian.Uint32(b[4:])
	}
	q.Flags = SyncFlags(binary.LittleEndian.Uint32(b[size-4:]))
	if q.Flags&^SyncDryRun != 0 {
		return broken("%v asks for compression (flags %#x), which no feature offers here", q.ID, uint32(q.Flags))
	}
	return nil
}

// more reads n bytes of a request and keeps them in Raw.
func (q *SyncRequest) more(r io.Reader, n int) ([]byte, error) {
	b := make([]byte, n)
	if _, err := io.ReadFull(r, b); err != nil {
		return nil, cutOff(fmt.Sprintf("a %v request", q.ID), err)
	}
	q.Raw = append(q.Raw, b...)
	return b, nil
}

// WriteSyncRequest writes a request.
func WriteSyncRequest(w io.Writer, q SyncRequest) error {
	path := q.Path
	if q.ID == SyncSEND {
		path += "," + strconv.FormatUint(uint64(q.Mode), 10)
	}
	if len(path) > MaxSyncPath {
		return fmt.Errorf("%v with a path of %d bytes: at most %d", q.ID, len(path), MaxSyncPath)
	}
	b := binary.LittleEndian.AppendUint32(nil, uint32(q.ID))
	b = binary.LittleEndian.AppendUint32(b, uint32(len(path)))
	b = append(b, path...)
	switch q.ID {
	case SyncSND2:
		b = binary.LittleEndian.AppendUint32(b, uint32(q.ID))
		b = binary.LittleEndian.AppendUint32(b, q.Mode)
		b = binary.LittleEndian.AppendUint32(b, uint32(q.Flags))
	case SyncRCV2:
		b = binary.LittleEndian.AppendUint32(b, uint32(q.ID))
		b = binary.LittleEndian.AppendUint32(b, uint32(q.Flags))
	}
	_, err := w.Write(b)
	return err
}

// ReadSyncHeader reads the eight bytes that DATA, DONE, OKAY, FAIL and QUIT
// begin with: the kind, and a length or a time.
func ReadSyncHeader(r io.Reader) (SyncID, uint32, error) {
	var b [8]byte
	if n, err := io.ReadFull(r, b[:]); err != nil {
		if n == 0 {
			return 0, 0, err
		}
		return 0, 0, cutOff("the header of a sync record", err)
	}
	return SyncID(binary.LittleEndian.Uint32(b[:])), binary.LittleEndian.Uint32(b[4:]), nil
}

// WriteSyncHeader writes the eight bytes that most records begin with.
func WriteSyncHeader(w io.Writer, id SyncID, n uint32) error {
	_, err := w.Write(appendSyncHeader(make([]byte, 0, 8), id, n))
	return err
}

func appendSyncHeader(b []byte, id SyncID, n uint32) []byte {
	return binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint32(b, uint32(id)), n)
}

// cutMode separates the path of a SEND from the mode behind its last comma.
func cutMode(s string) (path string, mode uint32, ok bool) {
	i := strings.LastIndexByte(s, ',')
	if i < 0 {
		return "", 0, false
	}
	n, err := strconv.ParseUint(s[i+1:], 0, 32)
	return s[:i], uint32(n), err == nil
}
