package fronttest

import (
	"io"
	"path"
	"strings"

	"github.com/countersign/countersign/wire"
)

// sync serves the phone's files, which are all in folders that exist.
func (p *Phone) sync(s *wire.Stream) {
	for {
		q, err := wire.ReadSyncRequest(s)
		if err != nil || q.ID == wire.SyncQUIT {
			return
		}
		switch q.ID {
		case wire.SyncSTAT, wire.SyncSTA2, wire.SyncLST2:
			err = wire.WriteSyncStat(s, q.ID, p.stat(q.Path))
		case wire.SyncLIST:
			err = p.list(s, wire.SyncDENT, q.Path)
		case wire.SyncLIS2:
			err = p.list(s, wire.SyncDNT2, q.Path)
		case wire.SyncSEND, wire.SyncSND2:
			var content []byte
			if content, err = io.ReadAll(wire.NewSyncReader(s)); err == nil {
				p.Put(q.Path, content)
				err = wire.WriteSyncOkay(s)
			}
		case wire.SyncRECV, wire.SyncRCV2:
			content, ok := p.Get(q.Path)
			if !ok {
				err = wire.WriteSyncFail(s, "No such file or directory")
				break
			}
			w := wire.NewSyncWriter(s)
			if _, err = w.Write(content); err == nil {
				err = w.Done(0)
			}
		}
		if err != nil {
			return
		}
	}
}

func (p *Phone) stat(name string) wire.FileStat {
	if content, ok := p.Get(name); ok {
		return wire.FileStat{Mode: 0o100644, Nlink: 1, Size: uint64(len(content)), Mtime: 1}
	}
	if strings.HasSuffix(name, "/") || path.Ext(name) == "" {
		return wire.FileStat{Mode: 0o040755, Nlink: 2, Mtime: 1}
	}
	return wire.FileStat{Error: 2} // ENOENT
}

func (p *Phone) list(w io.Writer, id wire.SyncID, folder string) error {
	p.mu.Lock()
	var names []string
	for name := range p.files {
		if path.Dir(name) == path.Clean(folder) {
			names = append(names, name)
		}
	}
	p.mu.Unlock()
	for _, name := range names {
		if err := wire.WriteSyncDent(w, id, path.Base(name), p.stat(name)); err != nil {
			return err
		}
	}
	return wire.WriteSyncListDone(w, id)
}
