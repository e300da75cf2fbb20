package answer

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/countersign/countersign/channel/inbox"
	"github.com/countersign/countersign/channel/notice"
	"github.com/countersign/countersign/hold"
	"github.com/countersign/countersign/identity"
	"github.com/countersign/countersign/identity/passkey"
)

// SocketHost is the Host header of requests on the unix socket.
const SocketHost = "countersign"

// Options say what the door is and what it can do. Door is required unless
// Socket is set.
type Options struct {
	// Door has the exact hosts and origins of the web page. Each host needs one
	// origin, http:// or https://; that says whether its cookies are those of TLS.
	Door identity.Door
	// Socket says that this is the unix socket: the host is SocketHost, only
	// tokens count, there are no pages, and sign-in links are made here.
	Socket bool
	// InboxURL is where the pages are, told with a sign-in link; empty for
	// nowhere.
	InboxURL string
	// RemoteURL is where the pages are for other devices, over TLS; empty for
	// nowhere. RemoteFingerprint is that of a certificate that the daemon made
	// for it.
	RemoteURL, RemoteFingerprint string

	// ADB says where the ADB gate is an adb server and where a guarded phone; nil
	// for not at all.
	ADB func() (server, device string)

	// Level and LevelWhy say against whom the guard holds, Version which one it
	// is.
	Level, LevelWhy, Version string
	// Observe says that nothing is held.
	Observe bool
	// Policy names the policy in force; nil for "".
	Policy func() string
	// Reload reads the policy again and returns its name; when it fails the old
	// one must stay. Nil says that there is nothing to reload.
	Reload func(context.Context) (string, error)
	// Record is the ledger, for the pages that show it; nil for none.
	Record Record
	// TypeAbove is the amount, by currency, above which whoever approves on a page
	// has to type the amount or the app's name: decimals such as "100" or "99.50",
	// with "*" for every currency that is not named. A currency that is neither
	// named nor covered by "*" has to be typed always. Empty for never.
	TypeAbove map[string]string
	// Passkeys keeps those of the approvers; nil for none. PasskeyCritical says that
	// critical questions are approved with one only, and on a page only.
	Passkeys        *passkey.Keeper
	PasskeyCritical bool
	// Heartbeat is how often a stream of events says that it is alive; 0 for 15
	// seconds.
	Heartbeat time.Duration
	// Channels are how the channels stand that tell people of questions, Told how
	// telling them of one question went; TestChannel sends a sample through one, and
	// NeedsChannel says that the policy wants one. Nil where there are none.
	Channels     func() []notice.State
	Told         func(id string) []notice.State
	TestChannel  func(ctx context.Context, name string) (notice.State, error)
	NeedsChannel func() bool
	// Health reports whether the record can be written and read; nil for yes.
	Health func(context.Context) error
	// Log is where what goes wrong here is told; nil for nowhere.
	Log *slog.Logger
}

func (o *Options) validate() error {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.Policy == nil {
		o.Policy = func() string { return "" }
	}
	if o.Heartbeat == 0 {
		o.Heartbeat = heartbeat
	}
	if o.Heartbeat < 0 {
		return fmt.Errorf("answer: Options.Heartbeat is %v; it must be positive, or 0 for %v", o.Heartbeat, heartbeat)
	}
	if o.PasskeyCritical && o.Passkeys == nil {
		return errors.New("answer: critical questions are to be approved with a passkey, and Options.Passkeys is missing")
	}
	if err := checkTypeAbove(o.TypeAbove); err != nil {
		return fmt.Errorf("answer: Options.TypeAbove: %w", err)
	}
	if o.Socket {
		if len(o.Door.Hosts) > 0 || len(o.Door.Origins) > 0 {
			return errors.New("answer: the unix socket has one host and no origins; leave Options.Door empty")
		}
		o.Door = identity.Door{Hosts: []string{SocketHost}}
		return nil
	}
	if len(o.Door.Hosts) == 0 {
		return errors.New("answer: Options.Door names no host, so nobody could come in")
	}
	for _, host := range o.Door.Hosts {
		plain, tls := slices.Contains(o.Door.Origins, "http://"+host), slices.Contains(o.Door.Origins, "https://"+host)
		if plain == tls {
			return errors.New("answer: each host in Options.Door needs one origin, http:// or https:// and the same name and port")
		}
	}
	if len(o.Door.Origins) != len(o.Door.Hosts) {
		return errors.New("answer: Options.Door has an origin that is of none of its hosts")
	}
	return nil
}

// handler is the door.
type handler struct {
	desk     *hold.Desk
	registry *identity.Registry
	o        Options
	mux      *http.ServeMux

	board   board
	streams streams
	strays  strays
}

// New makes the handler of one listener. It is safe for concurrent use. Answers
// to a waiting list take up to MaxWait, so the server must let a response take
// longer than that.
func New(desk *hold.Desk, registry *identity.Registry, o Options) (http.Handler, error) {
	if desk == nil || registry == nil {
		return nil, errors.New("answer: New needs a desk and a registry")
	}
	if err := o.validate(); err != nil {
		return nil, err
	}
	h := &handler{desk: desk, registry: registry, o: o, mux: http.NewServeMux()}
	h.routes()
	return h, nil
}

// routes are all there is behind the door, by path and method.
func (h *handler) routes() {
	h.api("/v1/approvals", methods{"GET": h.list})
	h.api("/v1/approvals/{id}", methods{"GET": h.get})
	h.api("/v1/approvals/{id}/approve", methods{"POST": h.approve})
	h.api("/v1/approvals/{id}/passkey", methods{"POST": h.askPasskey})
	h.api("/v1/approvals/{id}/deny", methods{"POST": h.deny})
	h.api("/v1/approvals/{id}/revoke", methods{"POST": h.revoke})
	h.api("/v1/grants", methods{"GET": h.grants})
	h.api("/v1/grants/{id}", methods{"DELETE": h.revokeGrant})
	h.api("/v1/freeze", methods{"POST": h.freeze})
	h.api("/v1/unfreeze", methods{"POST": h.unfreeze})
	h.api("/v1/status", methods{"GET": h.status})
	h.api("/v1/policy/reload", methods{"POST": h.reload})
	h.api("/v1/channels/{name}/test", methods{"POST": h.testChannel})
	h.api("/v1/agents", methods{"GET": h.agents, "POST": h.addAgent})
	h.api("/v1/agents/{name}", methods{"DELETE": h.revokeAgent})
	h.api("/v1/approvers", methods{"GET": h.approvers, "POST": h.addApprover})
	h.api("/v1/approvers/{name}", methods{"DELETE": h.revokeApprover})
	h.api("/v1/passkeys", methods{"POST": h.addPasskey})
	h.api("/v1/passkeys/begin", methods{"POST": h.beginPasskey})
	h.api("/v1/sign-in", methods{"POST": h.signInLink})
	h.api("/v1/", nil)
	if h.o.Socket {
		h.mux.HandleFunc("/", h.nothing)
		return
	}
	h.page("/{$}", pages{"GET": h.listPage})
	h.page("/approvals/{id}", pages{"GET": h.cardPage})
	h.page("/approvals/{id}/answer", pages{"POST": h.answerPage})
	h.page("/approvals/{id}/screen", pages{"GET": h.screen})
	h.page("/approvals/{id}/record", pages{"GET": h.recordPage})
	h.page("/approvals/{id}/label", pages{"POST": h.labelPage})
	h.page("/events", pages{"GET": h.events})
	h.page("/history", pages{"GET": h.historyPage})
	h.page("/actions", pages{"GET": h.actionsPage})
	h.page("/stats", pages{"GET": h.statsPage})
	h.page("/grants", pages{"GET": h.grantsPage})
	h.page("/grants/{id}/revoke", pages{"POST": h.revokeGrantPage})
	h.page("/passkeys", pages{"GET": h.passkeysPage})
	h.page("/passkeys/{id}/remove", pages{"POST": h.removePasskeyPage})
	h.page("/freeze", pages{"POST": h.freezePage})
	h.page("/unfreeze", pages{"POST": h.unfreezePage})
	h.page("/sign-out", pages{"POST": h.signOutPage})
	h.mux.HandleFunc("/sign-in", h.signIn)
	h.mux.HandleFunc("/icon.svg", h.icon)
	h.mux.HandleFunc("/", h.nothing)
}

// ServeHTTP lets a request in, or not.
func (h *handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	inbox.Protect(w.Header())
	if err := h.check(r); err != nil {
		var refusal *identity.Refusal
		if !errors.As(err, &refusal) {
			refusal = identity.ErrHostForeign
		}
		h.refuse(w, r, problem(refusal.Status, refusal.Code, "%s", refusal.Text))
		return
	}
	r.Body = http.MaxBytesReader(w, r.Body, maxBody)
	h.mux.ServeHTTP(w, r)
}

// check is the identity.Door, and one thing more: with several names each page
// may only talk to the one that it came from.
func (h *handler) check(r *http.Request) error {
	if r.Method == http.MethodDelete && r.ContentLength == 0 && r.Header["Content-Type"] == nil {
		// No body, no type of it. A page elsewhere cannot send a DELETE unasked.
		r.Header.Set("Content-Type", "application/json")
	}
	if err := h.o.Door.Check(r); err != nil {
		return err
	}
	if origin := r.Header.Get("Origin"); origin != "" && origin != h.origin(r) {
		return identity.ErrOriginForeign
	}
	return nil
}

// tls reports whether the name in the request is served over TLS, which its
// origin says: the listener itself may stand behind a proxy.
func (h *handler) tls(r *http.Request) bool {
	return slices.Contains(h.o.Door.Origins, "https://"+r.Host)
}

func (h *handler) origin(r *http.Request) string {
	if h.tls(r) {
		return "https://" + r.Host
	}
	return "http://" + r.Host
}

// forPrograms reports whether a request is for the JSON API.
func forPrograms(r *http.Request) bool { return strings.HasPrefix(r.URL.Path, "/v1/") }

// refuse answers with a problem, in the form that fits who asks.
func (h *handler) refuse(w http.ResponseWriter, r *http.Request, p *Problem) {
	if h.o.Socket || forPrograms(r) {
		p.write(w)
		return
	}
	p.headers(w)
	page, err := inbox.Message(p.Title, p.Detail)
	h.send(w, p.Status, page, err)
}

// nothing is the answer to a path that leads nowhere.
func (h *handler) nothing(w http.ResponseWriter, r *http.Request) {
	p := problem(http.StatusNotFound, "not_found", "there is nothing at this address; the questions are at /")
	if who, err := h.caller(r); err == nil && who.cookie != "" {
		h.failInside(&call{who, w, r}, p)
		return
	}
	h.refuse(w, r, p)
}

// allowed are the methods of a path for the Allow header.
func allowed[F any](m map[string]F) string {
	var names []string
	for name := range m {
		names = append(names, name)
	}
	slices.Sort(names)
	return strings.Join(names, ", ")
}

// methodOf takes HEAD for GET.
func methodOf(r *http.Request) string {
	if r.Method == http.MethodHead {
		return http.MethodGet
	}
	return r.Method
}
