package api

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"path"
	"strings"
	"sync"
	"time"

	"github.com/countersign/countersign/hold"
	"github.com/countersign/countersign/identity"
)

// tallyEvery is how often counts of pure decisions are written.
const tallyEvery = time.Minute

// Gate is the agents' door as a handler. It is safe for concurrent use. Make one
// with New and Close it when the server has stopped.
type Gate struct {
	desk     *hold.Desk
	registry *identity.Registry
	options  Options
	now      func() time.Time

	mux     *http.ServeMux
	openapi []byte
	callers callers
	freeze  freeze

	closing context.Context
	close   context.CancelFunc
	work    sync.WaitGroup
	once    sync.Once
}

// New builds the door in front of a desk. The registry says whose credential a
// request shows.
func New(desk *hold.Desk, registry *identity.Registry, o Options) (*Gate, error) {
	if desk == nil || registry == nil {
		return nil, errors.New("api: a gate needs a desk and a registry")
	}
	if err := o.validate(); err != nil {
		return nil, err
	}
	g := &Gate{desk: desk, registry: registry, options: o, now: o.Now}
	if g.now == nil {
		g.now = desk.Now
	}
	g.callers = callers{limits: o.Limits, all: map[string]*caller{}}
	g.freeze = freeze{desk: desk, now: g.now}
	doc, err := describe(routes, o.Version)
	if err != nil {
		return nil, err
	}
	g.openapi, g.mux = doc, g.muxOf(routes)
	g.closing, g.close = context.WithCancel(context.Background())
	g.work.Go(g.tick)
	return g, nil
}

// Close answers everybody that waits and writes what was counted. Questions
// stay as they are. The desk must still be open.
func (g *Gate) Close() {
	g.once.Do(func() {
		g.close()
		g.work.Wait()
		g.writeTallies(context.Background())
	})
}

// tick writes the counts once a minute.
func (g *Gate) tick() {
	ticker := time.NewTicker(tallyEvery)
	defer ticker.Stop()
	for {
		select {
		case <-ticker.C:
			g.writeTallies(context.Background())
		case <-g.closing.Done():
			return
		}
	}
}

// muxOf makes the mux of a table. A path that is known with another method is
// 405, and every other path is 404.
func (g *Gate) muxOf(table []route) *http.ServeMux {
	mux := http.NewServeMux()
	methods := map[string][]string{}
	for i := range table {
		rt := &table[i]
		methods[rt.path] = append(methods[rt.path], rt.method)
		mux.HandleFunc(rt.method+" "+rt.path, func(w http.ResponseWriter, r *http.Request) { g.serve(w, r, rt) })
	}
	for p, list := range methods {
		allow := strings.Join(list, ", ")
		mux.HandleFunc(p, func(w http.ResponseWriter, r *http.Request) {
			no := plain(http.StatusMethodNotAllowed, "method_not_allowed", "this path takes %s", allow)
			no.allow = allow
			no.write(w)
		})
	}
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) { noPath().write(w) })
	return mux
}

func noPath() *Problem {
	return plain(http.StatusNotFound, "no_such_path", "there is nothing at this path; GET /openapi.json describes what there is")
}

// ServeHTTP answers one request. A failure inside is a 500, and nothing was
// released.
func (g *Gate) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	defer func() {
		switch failed := recover(); failed {
		case nil:
		case http.ErrAbortHandler:
			panic(failed)
		default:
			g.options.Log.Error("a request made the gate fail", "path", path.Clean("/"+r.URL.Path))
			internal().write(w)
		}
	}()
	c := call{r: r}
	if p := g.checkHost(r); p != nil {
		g.answerProblem(w, &c, p)
		return
	}
	if p := checkOrigin(r); p != nil {
		g.answerProblem(w, &c, p)
		return
	}
	if r.URL.Path == "" || r.URL.Path[0] != '/' || r.URL.Path != path.Clean(r.URL.Path) {
		noPath().write(w) // the mux would answer with a redirect
		return
	}
	g.mux.ServeHTTP(w, r)
}

// serve answers a request for a route of the table.
func (g *Gate) serve(w http.ResponseWriter, r *http.Request, rt *route) {
	c := call{r: r, w: w, route: rt}
	defer c.release()
	rep, p := g.handle(&c)
	if p != nil {
		g.answerProblem(w, &c, p)
		return
	}
	g.write(w, rep)
}

// handle lets a request through to its route's handler.
func (g *Gate) handle(c *call) (reply, *Problem) {
	if !c.route.open {
		agent, p := g.credential(c.r)
		if p != nil {
			return reply{}, p
		}
		c.agent, c.caller = agent, g.callers.of(agent.ID)
	}
	if c.route.body != nil {
		if p := checkContentType(c.r); p != nil {
			return reply{}, p
		}
	}
	return c.route.handle(g, c)
}

func (g *Gate) answerProblem(w http.ResponseWriter, c *call, p *Problem) {
	g.refuse(c.r.Context(), c, p)
	p.write(w)
}

// reply is an answer that is no problem.
type reply struct {
	status     int
	body       any    // marshalled, or a []byte that is a document already
	location   string // where a held action is found
	retryAfter time.Duration
}

func ok(body any) reply { return reply{status: http.StatusOK, body: body} }

func (g *Gate) write(w http.ResponseWriter, rep reply) {
	doc, isDoc := rep.body.([]byte)
	if !isDoc {
		var err error
		if doc, err = json.Marshal(rep.body); err != nil {
			g.options.Log.Error("an answer could not be written", "error", err.Error())
			internal().write(w)
			return
		}
	}
	if rep.location != "" {
		w.Header().Set("Location", rep.location)
	}
	if rep.retryAfter > 0 {
		w.Header().Set("Retry-After", seconds(rep.retryAfter))
	}
	writeDoc(w, rep.status, "application/json", doc)
}
