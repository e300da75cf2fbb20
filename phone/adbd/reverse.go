package adbd

import (
	"context"
	"fmt"
	"net"
	"strings"
	"sync"

	"github.com/countersign/countersign/wire"
)

// reverses are the addresses on the phone from which connections go to the
// host, by the address.
type reverses struct {
	mu  sync.Mutex
	all []reverse
}

type reverse struct {
	phone, host string
	stop        func()
}

// list are the reverses as adb shows them.
func (r *reverses) list() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	var b strings.Builder
	for _, one := range r.all {
		fmt.Fprintf(&b, "host-1 %s %s\n", one.phone, one.host)
	}
	return b.String()
}

// remove ends one and reports whether it was there.
func (r *reverses) remove(address string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	for i, one := range r.all {
		if one.phone == address {
			one.stop()
			r.all = append(r.all[:i:i], r.all[i+1:]...)
			return true
		}
	}
	return false
}

func (r *reverses) removeAll() {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, one := range r.all {
		one.stop()
	}
	r.all = nil
}

// reverseService is "reverse:forward:[norebind:]PHONE;HOST" and its like. The
// answers are adbd's: one OKAY where a host has two.
func (t *transport) reverseService(ctx context.Context, s *wire.Stream, q Service) {
	if s.Accept() != nil {
		return
	}
	verb, rest, _ := strings.Cut(q.Rest, ":")
	switch verb {
	case "list-forward":
		wire.WriteText(s, t.reverses.list())
	case "killforward-all":
		t.reverses.removeAll()
		wire.WriteOkay(s)
	case "killforward":
		if !t.reverses.remove(rest) {
			wire.WriteFail(s, fmt.Sprintf("listener '%s' not found", rest))
			return
		}
		wire.WriteOkay(s)
	case "forward":
		rest, norebind := strings.CutPrefix(rest, "norebind:")
		t.addReverse(s, rest, norebind)
	default:
		wire.WriteFail(s, "unknown command "+verb)
	}
}

func (t *transport) addReverse(s *wire.Stream, pair string, norebind bool) {
	from, to, ok := strings.Cut(pair, ";")
	if !ok || to == "" {
		wire.WriteFail(s, "bad forward: "+pair)
		return
	}
	t.reverses.mu.Lock()
	exists := false
	for _, one := range t.reverses.all {
		exists = exists || one.phone == from
	}
	t.reverses.mu.Unlock()
	if exists && norebind {
		wire.WriteFail(s, "cannot rebind existing socket")
		return
	} else if exists {
		t.reverses.remove(from)
	}
	where, stop, err := t.servers.listen(from, func(c net.Conn) { t.towardsHost(c, to) })
	if err != nil {
		wire.WriteFail(s, "cannot bind listener: "+err.Error())
		return
	}
	t.reverses.mu.Lock()
	t.reverses.all = append(t.reverses.all, reverse{where, to, stop})
	t.reverses.mu.Unlock()
	wire.WriteOkay(s)
	if from == "tcp:0" {
		wire.WriteText(s, strings.TrimPrefix(where, "tcp:"))
	}
}

// towardsHost joins a connection on the phone to one that the adb server makes.
func (t *transport) towardsHost(c net.Conn, to string) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	go func() {
		select {
		case <-t.session.Done():
			cancel()
		case <-ctx.Done():
		}
	}()
	stream, err := t.session.Open(ctx, to)
	if err != nil {
		t.log.Info("a connection from the phone came to nothing", "to", to, "error", err)
		return
	}
	join(ctx, c, stream)
}
