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
// QUIT is a request without a path.
func ReadSyncRequest(r io.Reader) (SyncRequest, error) {
	return SyncRequest{}, ErrProtocol
}

// WriteSyncRequest writes a request.
func WriteSyncRequest(w io.Writer, q SyncRequest) error { return ErrProtocol }

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
	b := binary.LittleEndian.AppendUint32(make([]byte, 0, 8), uint32(id))
	_, err := w.Write(binary.LittleEndian.AppendUint32(b, n))
	return err
}

// SyncReader reads the data of one file: DATA records up to DONE. Read returns
// io.EOF after DONE, a *Failure at FAIL.
type SyncReader struct {
	// Time is when the file was last changed, in seconds since 1970, once Read
	// has returned io.EOF: what a SEND says, 0 for a RECV.
	Time uint32
}

// NewSyncReader reads a file's data from r, and nothing behind its end.
func NewSyncReader(r io.Reader) *SyncReader { return &SyncReader{} }

// Read reads the file's bytes.
func (s *SyncReader) Read(p []byte) (int, error) { return 0, ErrProtocol }

// SyncWriter writes the data of one file as DATA records.
type SyncWriter struct{}

// NewSyncWriter writes a file's data to w.
func NewSyncWriter(w io.Writer) *SyncWriter { return &SyncWriter{} }

// Write writes p in as many DATA records as it takes.
func (s *SyncWriter) Write(p []byte) (int, error) { return 0, ErrProtocol }

// Done writes the end of the file and when it was last changed, in seconds
// since 1970 (0 in the answer to a RECV).
func (s *SyncWriter) Done(t uint32) error { return ErrProtocol }

// WriteSyncOkay writes that a file was taken.
func WriteSyncOkay(w io.Writer) error { return WriteSyncHeader(w, SyncOKAY, 0) }

// WriteSyncFail writes that a request failed, and why (at most MaxSyncData
// bytes; the rest is cut off).
func WriteSyncFail(w io.Writer, message string) error { return ErrProtocol }

// ReadSyncStatus reads the answer to a SEND: nil for OKAY, a *Failure for
// FAIL.
func ReadSyncStatus(r io.Reader) error { return ErrProtocol }

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

// WriteSyncStat writes the answer to a request of that kind (SyncSTAT,
// SyncLST2 or SyncSTA2).
func WriteSyncStat(w io.Writer, id SyncID, s FileStat) error { return ErrProtocol }

// ReadSyncStat reads the answer to a SyncSTAT, SyncLST2 or SyncSTA2.
func ReadSyncStat(r io.Reader) (SyncID, FileStat, error) { return 0, FileStat{}, ErrProtocol }

// WriteSyncDent writes one entry of a folder, as SyncDENT or SyncDNT2.
func WriteSyncDent(w io.Writer, id SyncID, name string, s FileStat) error { return ErrProtocol }

// WriteSyncListDone writes the end of a folder that was listed as SyncDENT or
// SyncDNT2.
func WriteSyncListDone(w io.Writer, id SyncID) error { return ErrProtocol }

// ReadSyncDent reads one entry of a folder listed as SyncDENT or SyncDNT2. It
// returns io.EOF at the end of the folder, a *Failure at FAIL.
func ReadSyncDent(r io.Reader, id SyncID) (name string, s FileStat, err error) {
	return "", FileStat{}, ErrProtocol
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
