package adbd

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"time"

	"github.com/countersign/countersign/phone"
	"github.com/countersign/countersign/phone/shell"
	"github.com/countersign/countersign/wire"
)

// maxFile is the largest file that is taken, in bytes.
const maxFile = 1 << 30

// errNoSpace is that a file is larger than maxFile.
var errNoSpace = message("No space left on device")

// message is an error in the words of Linux, which a client sees as they are.
type message string

func (m message) Error() string { return string(m) }

// syncService answers requests for files until the client has had enough.
func (t *transport) syncService(_ context.Context, s *wire.Stream, _ Service) {
	if s.Accept() != nil {
		return
	}
	for {
		q, err := wire.ReadSyncRequest(s)
		if err != nil {
			if !errors.Is(err, io.EOF) {
				wire.WriteSyncFail(s, err.Error())
			}
			return
		}
		t.phone.Note(phone.Event{Kind: "sync", Detail: q.ID.String() + " " + q.Path})
		if q.ID == wire.SyncQUIT || t.syncRequest(s, q) != nil {
			return
		}
	}
}

// syncRequest answers one request; an error ends the service.
func (t *transport) syncRequest(s *wire.Stream, q wire.SyncRequest) error {
	switch q.ID {
	case wire.SyncSTAT, wire.SyncLSTA, wire.SyncLST2, wire.SyncSTA2:
		return wire.WriteSyncStat(s, q.ID, t.describe(q.Path))
	case wire.SyncLIST:
		return t.syncList(s, q.Path, wire.SyncDENT)
	case wire.SyncLIS2:
		return t.syncList(s, q.Path, wire.SyncDNT2)
	case wire.SyncSEND, wire.SyncSND2:
		return t.syncReceive(s, q)
	case wire.SyncRECV, wire.SyncRCV2:
		return t.syncSend(s, q.Path)
	}
	return fmt.Errorf("%v is no request", q.ID)
}

// Numbers of Linux that a stat has.
const (
	modeFile, modeDirectory, modeDevice, modeLink = 0o100000, 0o040000, 0o020000, 0o120000
	modeType                                      = 0o170000
	noEntry, noAccess                             = 2, 13
)

// describe is what there is to know of a file.
func (t *transport) describe(name string) wire.FileStat {
	info, err := t.shell.Stat(name)
	switch {
	case errors.Is(err, fs.ErrPermission):
		return wire.FileStat{Error: noAccess}
	case err != nil:
		return wire.FileStat{Error: noEntry}
	}
	return statOf(info)
}

func statOf(info fs.FileInfo) wire.FileStat {
	mode := uint32(info.Mode().Perm())
	switch {
	case info.IsDir():
		mode |= modeDirectory
	case info.Mode()&fs.ModeCharDevice != 0:
		mode |= modeDevice
	default:
		mode |= modeFile
	}
	at := info.ModTime().Unix()
	return wire.FileStat{Mode: mode, Size: uint64(info.Size()), Nlink: 1, UID: 2000, GID: 2000, Atime: at, Mtime: at, Ctime: at}
}

// syncList lists a directory. One that cannot be read looks empty, as in adbd.
func (t *transport) syncList(s *wire.Stream, dir string, kind wire.SyncID) error {
	infos, err := t.shell.List(dir)
	if err == nil {
		for _, here := range []string{".", ".."} {
			if err := wire.WriteSyncDent(s, kind, here, wire.FileStat{Mode: modeDirectory | 0o771, Nlink: 1}); err != nil {
				return err
			}
		}
	}
	for _, info := range infos {
		if err := wire.WriteSyncDent(s, kind, info.Name(), statOf(info)); err != nil {
			return err
		}
	}
	return wire.WriteSyncListDone(s, kind)
}

// syncReceive takes a file. It is read to its end even where it cannot be
// written: only then does the client listen.
func (t *transport) syncReceive(s *wire.Stream, q wire.SyncRequest) error {
	data := wire.NewSyncReader(s)
	refused := t.shell.MayWrite(q.Path)
	if q.Mode&modeType == modeLink {
		refused = message("Operation not permitted")
	}
	var content bytes.Buffer
	if refused == nil {
		n, err := io.Copy(&content, io.LimitReader(data, maxFile+1))
		if err != nil {
			return err
		}
		if n > maxFile {
			refused = errNoSpace
		}
	}
	if _, err := io.Copy(io.Discard, data); err != nil {
		return err
	}
	if refused == nil && q.Flags&wire.SyncDryRun == 0 {
		refused = t.store(q, content.Bytes(), data.Time)
	}
	if refused != nil {
		return wire.WriteSyncFail(s, fmt.Sprintf("couldn't create file: %s", shell.Reason(refused)))
	}
	return wire.WriteSyncOkay(s)
}

// store writes a file with its mode and time, and the directories above it.
func (t *transport) store(q wire.SyncRequest, content []byte, modified uint32) error {
	files := t.phone.Files()
	if err := files.Mkdir(path.Dir(path.Clean("/"+q.Path)), 0o775, true); err != nil {
		return err
	}
	mode := fs.FileMode(q.Mode).Perm()
	if err := files.WriteFile(q.Path, content, mode); err != nil {
		return err
	}
	return errors.Join(files.Chmod(q.Path, mode), files.Chtimes(q.Path, time.Unix(int64(modified), 0)))
}

// syncSend gives a file away.
func (t *transport) syncSend(s *wire.Stream, name string) error {
	content, err := t.shell.Read(name)
	if err != nil {
		return wire.WriteSyncFail(s, "open failed: "+shell.Reason(err))
	}
	w := wire.NewSyncWriter(s)
	if _, err := w.Write(content); err != nil {
		return err
	}
	return w.Done(0)
}
