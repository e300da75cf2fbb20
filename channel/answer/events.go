package answer

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"net/http"
	"sync"
	"time"

	"github.com/countersign/countersign/channel/inbox"
)

const (
	// maxStreams is how many streams of events one session may have open.
	maxStreams = 8
	// heartbeat is how often a stream says that it is alive.
	heartbeat = 15 * time.Second
	// gather is how long changes are gathered into one event.
	gather = 100 * time.Millisecond
	// writeTime is how long one write may take: whoever does not read is let go.
	writeTime = 20 * time.Second
)

// events is GET /events: server-sent events of one type, "list", which say that
// the list has changed. The id is the list's version; the data counts what waits
// and says when the newest question was asked. There is nothing to replay: whoever
// comes with a version (Last-Event-ID, or ?seen=) that is not the present one is
// told so at once.
func (h *handler) events(c *call) error {
	stream, ok := h.streams.join(c.cookie)
	if !ok {
		return problem(http.StatusTooManyRequests, "too_many_streams", "this session follows the list in %d places already; close some of its pages", maxStreams)
	}
	defer h.streams.leave(stream)
	out := newEventWriter(c.w)
	if c.r.Method == http.MethodHead {
		return nil
	}
	out.write("retry: 2000\n\n")
	h.follow(c, stream, out, cmp.Or(c.r.Header.Get("Last-Event-ID"), c.r.URL.Query().Get("seen")))
	return nil
}

// follow writes events until the client, the session or the desk is gone.
func (h *handler) follow(c *call, stream *stream, out *eventWriter, seen string) {
	ctx := c.r.Context()
	beat := time.NewTicker(h.o.Heartbeat)
	defer beat.Stop()
	for out.ok() {
		changed := h.desk.Changed() // before looking, so that no change is missed
		s, err := h.sight(ctx)
		if ctx.Err() != nil {
			return
		}
		if err != nil {
			h.o.Log.Error("the list could not be read for a stream of events", "error", err.Error())
			return
		}
		if s.drawn.Version != seen {
			seen = s.drawn.Version
			out.event(&s.drawn)
		}
		quiet := true
		for quiet && out.ok() {
			select {
			case <-changed:
				quiet = false
			case <-beat.C:
				out.write(":\n\n")
			case <-stream.over:
				return
			case <-ctx.Done():
				return
			}
			if _, _, err := h.registry.Session(ctx, c.cookie, c.door); err != nil {
				return // it has ended, or nobody can tell
			}
		}
		if h.desk.Changed() == changed {
			return // a channel that is not replaced is that of a closed desk
		}
		if !pause(ctx, stream, gather) {
			return
		}
	}
}

// pause waits, and reports whether the stream goes on.
func pause(ctx context.Context, s *stream, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-s.over:
	case <-ctx.Done():
	}
	return false
}

// eventWriter writes a stream of events.
type eventWriter struct {
	w      http.ResponseWriter
	conn   *http.ResponseController
	failed error
}

func newEventWriter(w http.ResponseWriter) *eventWriter {
	w.Header().Set("Content-Type", "text/event-stream; charset=utf-8")
	w.Header().Set("X-Accel-Buffering", "no") // a proxy that gathers would hold the events back
	e := &eventWriter{w: w, conn: http.NewResponseController(w)}
	// The server's time for an answer is not that of a stream.
	e.failed = e.conn.SetWriteDeadline(time.Time{})
	w.WriteHeader(http.StatusOK)
	return e
}

func (e *eventWriter) ok() bool { return e.failed == nil }

// event tells of a list.
func (e *eventWriter) event(b *inbox.Board) {
	data, err := json.Marshal(struct {
		Waiting int   `json:"waiting"`
		Newest  int64 `json:"newest"`
	}{b.Waiting, max(0, b.Newest.UnixMilli())})
	if err != nil {
		e.failed = err
		return
	}
	e.write(fmt.Sprintf("event: list\nid: %s\ndata: %s\n\n", b.Version, data))
}

// write sends bytes at once. One that takes too long is given up by a deadline
// that has passed already, which needs no clock.
func (e *eventWriter) write(text string) {
	if e.failed != nil {
		return
	}
	late := time.AfterFunc(writeTime, func() { _ = e.conn.SetWriteDeadline(time.Unix(1, 0)) })
	defer late.Stop()
	if _, e.failed = e.w.Write([]byte(text)); e.failed == nil {
		e.failed = e.conn.Flush()
	}
}

// streams are the streams of events that are open, by session. The zero value is
// ready.
type streams struct {
	mu   sync.Mutex
	open map[[sha256.Size]byte]map[*stream]struct{}
}

// stream is one of them.
type stream struct {
	session [sha256.Size]byte
	// over is closed when the session is signed out.
	over chan struct{}
}

// join adds a stream to a session; ok is false when it has too many.
func (s *streams) join(cookie string) (one *stream, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	one = &stream{session: sha256.Sum256([]byte(cookie)), over: make(chan struct{})}
	mine := s.open[one.session]
	if len(mine) >= maxStreams {
		return nil, false
	}
	if mine == nil {
		mine = map[*stream]struct{}{}
		if s.open == nil {
			s.open = map[[sha256.Size]byte]map[*stream]struct{}{}
		}
		s.open[one.session] = mine
	}
	mine[one] = struct{}{}
	return one, true
}

// leave takes a stream away.
func (s *streams) leave(one *stream) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.open[one.session], one)
	if len(s.open[one.session]) == 0 {
		delete(s.open, one.session)
	}
}

// end closes the streams of a session that has signed out.
func (s *streams) end(cookie string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	session := sha256.Sum256([]byte(cookie))
	for one := range s.open[session] {
		close(one.over)
	}
	delete(s.open, session)
}
