package wire

import (
	"fmt"
	"io"
)

// SyncReader reads the data of one file: DATA records up to DONE. Read returns
// io.EOF after DONE, a *Failure at FAIL.
type SyncReader struct {
	// Time is when the file was last changed, in seconds since 1970, once Read
	// has returned io.EOF: what a SEND says, 0 for a RECV.
	Time uint32

	r    io.Reader
	left uint32 // of the current record
	err  error
}

// NewSyncReader reads a file's data from r, and nothing behind its end.
func NewSyncReader(r io.Reader) *SyncReader { return &SyncReader{r: r} }

// Read reads the file's bytes.
func (s *SyncReader) Read(p []byte) (int, error) {
	for s.left == 0 && s.err == nil {
		s.err = s.next()
	}
	if s.err != nil || len(p) == 0 {
		return 0, s.err
	}
	n, err := s.r.Read(p[:min(len(p), int(s.left))])
	s.left -= uint32(n)
	if err != nil && (n == 0 || s.left > 0) {
		s.err = cutOff("a file's data", err)
	}
	if n == 0 {
		return 0, s.err
	}
	return n, nil
}

// next reads the header of a record.
func (s *SyncReader) next() error {
	id, n, err := ReadSyncHeader(s.r)
	if err != nil {
		return cutOff("a file's data", err)
	}
	switch {
	case id == SyncDATA && n <= MaxSyncData:
		s.left = n
		return nil
	case id == SyncDATA:
		return broken("DATA of %d bytes, at most %d are read", n, MaxSyncData)
	case id == SyncDONE:
		s.Time = n
		return io.EOF
	case id == SyncFAIL:
		return syncFailure(s.r, n)
	}
	return broken("%v in a file's data", id)
}

// SyncWriter writes the data of one file as DATA records.
type SyncWriter struct {
	w io.Writer
	b []byte
}

// NewSyncWriter writes a file's data to w.
func NewSyncWriter(w io.Writer) *SyncWriter { return &SyncWriter{w: w} }

// Write writes p in as many DATA records as it takes.
func (s *SyncWriter) Write(p []byte) (int, error) {
	sent := 0
	for sent < len(p) {
		n := min(len(p)-sent, MaxSyncData)
		s.b = append(appendSyncHeader(s.b[:0], SyncDATA, uint32(n)), p[sent:sent+n]...)
		if _, err := s.w.Write(s.b); err != nil {
			return sent, err
		}
		sent += n
	}
	return sent, nil
}

// Done writes the end of the file and when it was last changed, in seconds
// since 1970 (0 in the answer to a RECV).
func (s *SyncWriter) Done(t uint32) error { return WriteSyncHeader(s.w, SyncDONE, t) }

// WriteSyncOkay writes that a file was taken.
func WriteSyncOkay(w io.Writer) error { return WriteSyncHeader(w, SyncOKAY, 0) }

// WriteSyncFail writes that a request failed, and why (at most MaxSyncData
// bytes; the rest is cut off).
func WriteSyncFail(w io.Writer, message string) error {
	message = message[:min(len(message), MaxSyncData)]
	_, err := w.Write(append(appendSyncHeader(nil, SyncFAIL, uint32(len(message))), message...))
	return err
}

// ReadSyncStatus reads the answer to a SEND: nil for OKAY, a *Failure for
// FAIL.
func ReadSyncStatus(r io.Reader) error {
	id, n, err := ReadSyncHeader(r)
	if err != nil {
		return cutOff("the answer to a SEND", err)
	}
	switch id {
	case SyncOKAY:
		return nil
	case SyncFAIL:
		return syncFailure(r, n)
	}
	return broken("%v where OKAY or FAIL was expected", id)
}

// syncFailure reads the reason of a FAIL.
func syncFailure(r io.Reader, n uint32) error {
	if n > MaxSyncData {
		return broken("FAIL with a reason of %d bytes, at most %d are read", n, MaxSyncData)
	}
	b := make([]byte, n)
	if _, err := io.ReadFull(r, b); err != nil {
		return fmt.Errorf("the reason of a FAIL: %w", cutOff("sync", err))
	}
	return &Failure{Message: string(b)}
}
