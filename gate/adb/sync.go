package adb

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"net"
	"path"
	"strings"

	"github.com/countersign/countersign/hold"
	"github.com/countersign/countersign/risk"
	"github.com/countersign/countersign/wire"
)

// syncBuffer is how much of a file is on its way at a time, each way.
const syncBuffer = 128 << 10

// syncer is the state of one sync service: a client that asks for files one after
// the other, and the phone's side, which is opened with the first that may.
type syncer struct {
	*serving
	life, asking context.Context // of the service, and while its client is there
	stop         func() bool
	in           *bufio.Reader // from the client
	out          *bufio.Writer // to the client
	phone        net.Conn
	from         *bufio.Reader // from the phone
	to           *bufio.Writer // to the phone
	names        bool          // names and sizes were let through already
}

// sync carries the file service: every request is read whole and judged by its
// path before it goes on.
func (s *serving) sync(ctx context.Context) error {
	s.answered = true
	if err := s.client.Accept(); err != nil {
		return err
	}
	asking, stop := s.whileThere(ctx)
	defer stop()
	y := &syncer{serving: s, life: ctx, asking: asking, in: bufio.NewReaderSize(onlyReader{s.client}, syncBuffer), out: bufio.NewWriterSize(onlyWriter{s.client}, syncBuffer)}
	defer y.close()
	for {
		q, err := wire.ReadSyncRequest(y.in)
		if errors.Is(err, io.EOF) || err == nil && q.ID == wire.SyncQUIT {
			return ctx.Err()
		}
		if errors.Is(err, wire.ErrProtocol) {
			no := turnedAway("This cannot be read here (%s).", err)
			y.record(ctx, no.message)
			return errors.Join(err, wire.WriteSyncFail(y.out, no.message), y.out.Flush())
		}
		if err == nil {
			err = y.serve(asking, &q)
		}
		if err != nil {
			return errors.Join(err, ctx.Err())
		}
	}
}

func (y *syncer) close() {
	if y.phone != nil {
		y.stop()
		y.phone.Close()
	}
}

// serve answers one request. An error ends the service; a request that is refused
// is none.
func (y *syncer) serve(ctx context.Context, q *wire.SyncRequest) error {
	y.asks()
	switch {
	case q.ID == wire.SyncSEND || q.ID == wire.SyncSND2:
		return y.send(ctx, q)
	case q.ID == wire.SyncRECV || q.ID == wire.SyncRCV2:
		return y.receive(ctx, q)
	}
	return y.list(ctx, q)
}

// list carries a question about names, sizes and times. One row stands for all of
// a service: a folder that is fetched is thousands of them.
func (y *syncer) list(ctx context.Context, q *wire.SyncRequest) error {
	if !y.names {
		w := y.lineWay(ctx, "ls -l "+quote(q.Path), false)
		w.release = y.open
		if t, err := y.judge(ctx, w); err != nil {
			return y.deny(q, &t, err)
		}
		y.names = true
	}
	if err := y.open(ctx); err != nil {
		return err
	}
	if err := y.pass(q.Raw); err != nil {
		return err
	}
	answer := io.TeeReader(y.from, y.out)
	var err error
	switch q.ID {
	case wire.SyncLIST, wire.SyncLIS2:
		entry := wire.SyncDENT
		if q.ID == wire.SyncLIS2 {
			entry = wire.SyncDNT2
		}
		for err == nil {
			_, _, err = wire.ReadSyncDent(answer, entry)
		}
		if errors.Is(err, io.EOF) || isFailure(err) {
			err = nil
		}
	default:
		_, _, err = wire.ReadSyncStat(answer)
	}
	return errors.Join(err, y.out.Flush())
}

// receive carries a file to the client, judged as the line that prints it.
func (y *syncer) receive(ctx context.Context, q *wire.SyncRequest) error {
	w := y.lineWay(ctx, "cat "+quote(q.Path), false)
	w.release = func(ctx context.Context) error {
		if err := y.open(ctx); err != nil {
			return err
		}
		return y.pass(q.Raw)
	}
	if t, err := y.judge(ctx, w); err != nil {
		return y.deny(q, &t, err)
	}
	asked := dump{reads: path.Clean(q.Path)}
	rest := records{from: y.from, to: y.out}
	m, see := y.mark(ctx, &asked), &tail{}
	if m != nil {
		rest.body = see
	}
	if err := rest.carry(); err != nil {
		return err
	}
	y.dumped(ctx, &asked, m, see.tree())
	return nil
}

// send carries a file to the phone. What it holds is remembered by its path.
func (y *syncer) send(ctx context.Context, q *wire.SyncRequest) error {
	w := y.lineWay(ctx, "cat >> "+quote(q.Path), false) // what lies there is the phone's business
	if q.Mode&fileType == symlink {
		w = y.actWay(false, y.opaque("a link on the phone's storage, which may lead anywhere", q.Path))
	} else if what, hash := y.ownContent(q.Path); hash != "" {
		same, err := y.ahead(hash)
		if err != nil {
			return err
		}
		if same {
			w = y.actWay(false, act{action: risk.Action{Kind: risk.Launch, Text: what + ", to " + q.Path}, calm: true})
		}
	}
	w.release = func(ctx context.Context) error {
		if err := y.open(ctx); err != nil {
			return err
		}
		y.stage(q.Path, unknownHash)
		_, err := y.to.Write(q.Raw)
		return err
	}
	t, err := y.judge(ctx, w)
	if err != nil {
		return y.deny(q, &t, err)
	}
	sum := sha256.New()
	if err := (&records{from: y.in, to: y.to, body: sum}).carry(); err != nil {
		return err
	}
	err = wire.ReadSyncStatus(io.TeeReader(y.from, y.out))
	switch {
	case err == nil:
		y.stage(q.Path, hex.EncodeToString(sum.Sum(nil)))
	case !isFailure(err):
		return err
	}
	return y.out.Flush()
}

// fileType are the bits of a mode that tell what is sent, symlink those of a link,
// whose content is where it leads.
const (
	fileType = 0o170000
	symlink  = 0o120000
)

// maxAhead is how much of a file is read before it is judged, to see whether it is
// a helper's that the owner knows.
const maxAhead = 16 << 20

// ahead reads a file before it is judged and reports whether it has a hash. What
// was read is read again behind it.
func (y *syncer) ahead(hash string) (bool, error) {
	var raw bytes.Buffer
	sum := sha256.New()
	err := (&records{from: y.in, to: bufio.NewWriter(&raw), body: sum, limit: maxAhead}).carry()
	if err != nil && !errors.Is(err, errMore) {
		return false, err
	}
	y.in = bufio.NewReaderSize(io.MultiReader(&raw, y.in), syncBuffer)
	return err == nil && strings.EqualFold(hex.EncodeToString(sum.Sum(nil)), hash), nil
}

// open opens the phone's side, once.
func (y *syncer) open(ctx context.Context) error {
	if y.phone != nil {
		return nil
	}
	conn, err := y.dial(ctx, y.raw)
	if err != nil {
		return err
	}
	y.phone, y.from, y.to = conn, bufio.NewReaderSize(conn, syncBuffer), bufio.NewWriterSize(conn, syncBuffer)
	y.stop = context.AfterFunc(y.asking, func() { conn.Close() }) // nobody is left to give anything to
	return nil
}

// pass sends a request on as it came.
func (y *syncer) pass(raw []byte) error {
	if _, err := y.to.Write(raw); err != nil {
		return err
	}
	return y.to.Flush()
}

// deny answers a request that may not pass.
func (y *syncer) deny(q *wire.SyncRequest, t *hold.Ticket, err error) error {
	if y.isGone() || y.life.Err() != nil {
		return err
	}
	return y.failWith(q, explain(t, err))
}

// failWith answers a request with a failure. What is sent with it is read to its
// end and dropped, as adbd does.
func (y *syncer) failWith(q *wire.SyncRequest, message string) error {
	if err := errors.Join(wire.WriteSyncFail(y.out, message), y.out.Flush()); err != nil {
		return err
	}
	if q.ID != wire.SyncSEND && q.ID != wire.SyncSND2 {
		return nil
	}
	return (&records{from: y.in, to: bufio.NewWriter(io.Discard)}).carry()
}

// isFailure reports whether the phone itself said no.
func isFailure(err error) bool {
	var f *wire.Failure
	return errors.As(err, &f)
}
