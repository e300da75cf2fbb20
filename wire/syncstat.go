package wire

import (
	"encoding/binary"
	"fmt"
	"io"
)

// FileStat is what STAT, LST2, STA2, DENT and DNT2 say of a file. Version 1
// has only Mode, Size (32 bits) and Mtime (32 bits).
type FileStat struct {
	Error               uint32 // an errno of the phone, 0 if there is none
	Dev, Ino            uint64
	Mode                uint32
	Nlink, UID, GID     uint32
	Size                uint64
	Atime, Mtime, Ctime int64 // seconds since 1970
}

// Lengths of what follows a record's id, in bytes.
const (
	statSize1 = 12
	statSize2 = 68
)

// statVersion is the version of the records of that kind, 0 if it has no stat.
func statVersion(id SyncID) int {
	switch id {
	case SyncSTAT, SyncLSTA, SyncDENT:
		return 1
	case SyncSTA2, SyncLST2, SyncDNT2:
		return 2
	}
	return 0
}

// WriteSyncStat writes the answer to a request of that kind (SyncSTAT,
// SyncLST2 or SyncSTA2).
func WriteSyncStat(w io.Writer, id SyncID, s FileStat) error {
	if statVersion(id) == 0 || id == SyncDENT || id == SyncDNT2 {
		return fmt.Errorf("%v is not answered with a stat", id)
	}
	_, err := w.Write(s.append(binary.LittleEndian.AppendUint32(nil, uint32(id)), statVersion(id)))
	return err
}

// ReadSyncStat reads the answer to a SyncSTAT, SyncLST2 or SyncSTA2.
func ReadSyncStat(r io.Reader) (SyncID, FileStat, error) {
	id, err := readSyncID(r)
	if err != nil {
		return 0, FileStat{}, err
	}
	if statVersion(id) == 0 || id == SyncDENT || id == SyncDNT2 {
		return 0, FileStat{}, broken("%v where a stat was expected", id)
	}
	s, err := readStat(r, statVersion(id))
	return id, s, err
}

// WriteSyncDent writes one entry of a folder, as SyncDENT or SyncDNT2.
func WriteSyncDent(w io.Writer, id SyncID, name string, s FileStat) error {
	if id != SyncDENT && id != SyncDNT2 {
		return fmt.Errorf("%v is no entry of a folder", id)
	}
	if len(name) > MaxSyncPath {
		return fmt.Errorf("a name of %d bytes in a folder: at most %d", len(name), MaxSyncPath)
	}
	b := s.append(binary.LittleEndian.AppendUint32(nil, uint32(id)), statVersion(id))
	b = binary.LittleEndian.AppendUint32(b, uint32(len(name)))
	_, err := w.Write(append(b, name...))
	return err
}

// WriteSyncListDone writes the end of a folder that was listed as SyncDENT or
// SyncDNT2: a DONE as long as an entry without a name.
func WriteSyncListDone(w io.Writer, id SyncID) error {
	if id != SyncDENT && id != SyncDNT2 {
		return fmt.Errorf("%v is no entry of a folder", id)
	}
	b := FileStat{}.append(binary.LittleEndian.AppendUint32(nil, uint32(SyncDONE)), statVersion(id))
	_, err := w.Write(append(b, 0, 0, 0, 0))
	return err
}

// ReadSyncDent reads one entry of a folder listed as SyncDENT or SyncDNT2. It
// returns io.EOF at the end of the folder, a *Failure at FAIL.
func ReadSyncDent(r io.Reader, id SyncID) (name string, s FileStat, err error) {
	if id != SyncDENT && id != SyncDNT2 {
		return "", FileStat{}, fmt.Errorf("%v is no entry of a folder", id)
	}
	got, err := readSyncID(r)
	if err != nil {
		return "", FileStat{}, err
	}
	var length [4]byte
	switch got {
	case SyncFAIL:
		if _, err := io.ReadFull(r, length[:]); err != nil {
			return "", FileStat{}, cutOff("the reason of a FAIL", err)
		}
		return "", FileStat{}, syncFailure(r, binary.LittleEndian.Uint32(length[:]))
	case id, SyncDONE:
	default:
		return "", FileStat{}, broken("%v in a list of %v", got, id)
	}
	if s, err = readStat(r, statVersion(id)); err != nil {
		return "", FileStat{}, err
	}
	if _, err := io.ReadFull(r, length[:]); err != nil {
		return "", FileStat{}, cutOff("an entry of a folder", err)
	}
	if got == SyncDONE {
		return "", FileStat{}, io.EOF
	}
	n := binary.LittleEndian.Uint32(length[:])
	if n > MaxSyncPath {
		return "", FileStat{}, broken("a name of %d bytes in a folder, at most %d are read", n, MaxSyncPath)
	}
	b := make([]byte, n)
	if _, err := io.ReadFull(r, b); err != nil {
		return "", FileStat{}, cutOff("an entry of a folder", err)
	}
	return string(b), s, nil
}

// readSyncID reads a record's kind. The end of the stream is not expected
// where a record is.
func readSyncID(r io.Reader) (SyncID, error) {
	var b [4]byte
	if _, err := io.ReadFull(r, b[:]); err != nil {
		return 0, cutOff("a sync record", err)
	}
	return SyncID(binary.LittleEndian.Uint32(b[:])), nil
}

// append is s in the records of a version. What does not fit into version 1 is
// cut off, as adbd does.
func (s FileStat) append(b []byte, version int) []byte {
	le := binary.LittleEndian
	if version == 1 {
		b = le.AppendUint32(b, s.Mode)
		b = le.AppendUint32(b, uint32(s.Size))
		return le.AppendUint32(b, uint32(s.Mtime))
	}
	b = le.AppendUint32(b, s.Error)
	b = le.AppendUint64(b, s.Dev)
	b = le.AppendUint64(b, s.Ino)
	for _, n := range []uint32{s.Mode, s.Nlink, s.UID, s.GID} {
		b = le.AppendUint32(b, n)
	}
	for _, n := range []uint64{s.Size, uint64(s.Atime), uint64(s.Mtime), uint64(s.Ctime)} {
		b = le.AppendUint64(b, n)
	}
	return b
}

// readStat reads what append writes.
func readStat(r io.Reader, version int) (FileStat, error) {
	var buffer [statSize2]byte
	b := buffer[:]
	if version == 1 {
		b = buffer[:statSize1]
	}
	if _, err := io.ReadFull(r, b); err != nil {
		return FileStat{}, cutOff("a stat", err)
	}
	le := binary.LittleEndian
	if version == 1 {
		return FileStat{Mode: le.Uint32(b), Size: uint64(le.Uint32(b[4:])), Mtime: int64(le.Uint32(b[8:]))}, nil
	}
	return FileStat{
		Error: le.Uint32(b), Dev: le.Uint64(b[4:]), Ino: le.Uint64(b[12:]),
		Mode: le.Uint32(b[20:]), Nlink: le.Uint32(b[24:]), UID: le.Uint32(b[28:]), GID: le.Uint32(b[32:]),
		Size: le.Uint64(b[36:]), Atime: int64(le.Uint64(b[44:])), Mtime: int64(le.Uint64(b[52:])), Ctime: int64(le.Uint64(b[60:])),
	}, nil
}
