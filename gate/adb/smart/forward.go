package smart

import (
	"context"
	"errors"
	"fmt"
	"net"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/countersign/countersign/gate/adb"
	"github.com/countersign/countersign/gate/adb/upstream"
	"github.com/countersign/countersign/wire"
)

// forwardVerbs are the requests about forwards. The gate owns these: the hidden
// server would open a listener of its own, and nobody would see what flows there.
var forwardVerbs = map[string]bool{
	"forward": true, "killforward": true, "killforward-all": true, "list-forward": true,
}

// maxForwards is how many there may be, of all phones together.
const maxForwards = 128

// forwards are the listeners of the gate, by where they listen ("tcp:8200").
type forwards struct {
	mu     sync.Mutex
	byName map[string]*forward
	order  []string // of their making, for lists
}

// forward is a listener on this computer whose connections go to a server on a
// phone.
type forward struct {
	listener net.Listener

	mu     sync.Mutex
	device *adb.Device
	serial string
	remote string
}

// Why a forward is not made, in adb's own words where it has some.
var (
	errBadForward = errors.New("bad forward")
	errNoRebind   = errors.New("cannot rebind existing socket")
)

// forward answers a request about forwards, in the forms that an adb server of
// version 29 has: two times OKAY, and the port of a new listener.
func (c *client) forward(ctx context.Context, h wire.HostRequest) {
	switch {
	case h.Verb == "list-forward" && h.Args == "":
		_ = wire.WriteOkay(c.conn)
		_ = wire.WriteText(c.conn, c.forwards.list())
		return
	case h.Verb == "killforward-all" && h.Args == "":
		c.forwards.drop("")
		c.granted("")
		return
	case h.Verb != "forward" && h.Verb != "killforward":
		c.refuse(ctx, "host:"+h.Verb+":"+h.Args, "unknown host service")
		return
	case h.Args == "":
		c.fail("bad " + h.Verb + ": ")
		return
	}
	device, serial, err := c.device(ctx, h)
	if err != nil {
		c.failWith(err)
		return
	}
	if h.Verb == "killforward" {
		if !c.forwards.drop(h.Args) {
			c.fail(fmt.Sprintf("listener '%s' not found", h.Args))
			return
		}
		c.granted("")
		return
	}
	port, err := c.open(ctx, h.Args, device, serial)
	if err != nil {
		c.fail(err.Error())
		return
	}
	c.granted(port)
}

// granted says yes twice, once for the connection and once for the result, and
// which port it became.
func (c *client) granted(port string) {
	_ = wire.WriteOkay(c.conn)
	_ = wire.WriteOkay(c.conn)
	if port != "" {
		_ = wire.WriteText(c.conn, port)
	}
}

// open makes a forward, or lets one that exists go elsewhere. It returns the port
// of a new one.
func (f *front) open(ctx context.Context, args string, device *adb.Device, serial string) (string, error) {
	spec, norebind := strings.CutPrefix(args, "norebind:")
	parts := strings.Split(spec, ";")
	if len(parts) != 2 || parts[0] == "" || parts[1] == "" || strings.HasPrefix(parts[1], "*") {
		return "", fmt.Errorf("%w: %s", errBadForward, spec)
	}
	port, err := localPort(parts[0])
	if err != nil {
		return "", fmt.Errorf("cannot bind listener: %w", err)
	}
	remote := parts[1]
	f.forwards.mu.Lock()
	defer f.forwards.mu.Unlock()
	if old := f.forwards.byName[nameOf(port)]; old != nil {
		if norebind {
			return "", errNoRebind
		}
		old.mu.Lock()
		defer old.mu.Unlock()
		old.device, old.serial, old.remote = device, serial, remote
		return "", nil
	}
	if len(f.forwards.byName) >= maxForwards {
		return "", fmt.Errorf("cannot bind listener: there are %d forwards, take some back first", maxForwards)
	}
	l, err := net.Listen("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
	if err != nil {
		return "", fmt.Errorf("cannot bind listener: %w", plain(err))
	}
	port = l.Addr().(*net.TCPAddr).Port
	fw := &forward{listener: l, device: device, serial: serial, remote: remote}
	f.forwards.add(nameOf(port), fw)
	f.work.Go(func() {
		_ = f.accept(f.life, l, func(ctx context.Context, c net.Conn) { f.note(ctx, fw.serve(ctx, c)) })
	})
	return strconv.Itoa(port), nil
}

// serve hands a connection to the gate as a service on the phone.
func (fw *forward) serve(ctx context.Context, c net.Conn) error {
	fw.mu.Lock()
	device, remote := fw.device, fw.remote
	fw.mu.Unlock()
	return device.Serve(ctx, remote, adb.Buffered(c,
		func() error { return nil },
		func(string) error { return c.Close() })) // a bare connection has no words for a refusal
}

// localPort reads where a forward is to listen: a port of this computer's
// loopback, 0 for any.
func localPort(local string) (int, error) {
	kind, rest, _ := strings.Cut(local, ":")
	switch kind {
	case "tcp":
	case "local", "localabstract", "localreserved", "localfilesystem", "vsock":
		return 0, fmt.Errorf("countersign forwards from tcp:PORT only, not from %s", kind)
	default:
		return 0, fmt.Errorf("unknown socket specification:%s", local)
	}
	host, port, found := strings.Cut(rest, ":")
	if !found {
		host, port = "localhost", rest
	}
	if host != "localhost" {
		return 0, errors.New("listening on specified hostname currently unsupported")
	}
	n, err := strconv.ParseUint(port, 10, 16)
	if err != nil {
		return 0, fmt.Errorf("bad port number '%s'", port)
	}
	return int(n), nil
}

// plain is the operating system's reason alone, as adb gives it.
func plain(err error) error {
	var number syscall.Errno
	if errors.As(err, &number) {
		return number
	}
	return err
}

func nameOf(port int) string { return "tcp:" + strconv.Itoa(port) }

// add is called with the lock held.
func (fs *forwards) add(name string, fw *forward) {
	if fs.byName == nil {
		fs.byName = map[string]*forward{}
	}
	fs.byName[name] = fw
	fs.order = append(fs.order, name)
}

// drop closes a forward, or all with "", and says whether there was one.
// Connections that stand already go on, as with adb.
func (fs *forwards) drop(name string) bool {
	name = strings.Replace(name, "tcp:localhost:", "tcp:", 1)
	fs.mu.Lock()
	defer fs.mu.Unlock()
	var left []string
	found := false
	for _, n := range fs.order {
		if name != "" && n != name {
			left = append(left, n)
			continue
		}
		found = true
		_ = fs.byName[n].listener.Close()
		delete(fs.byName, n)
	}
	fs.order = left
	return found
}

// follow takes back the forwards of phones that have gone, as adb servers do. It
// ends with ctx.
func (f *front) follow(ctx context.Context) {
	var there []string
	for ctx.Err() == nil {
		see := func(serials []string) {
			for _, s := range there {
				if !slices.Contains(serials, s) {
					f.forwards.dropPhone(s)
				}
			}
			there = serials
		}
		_ = upstream.Follow(ctx, f.o.Server, see)
		see(nil) // with the server all of them have gone
		timer := time.NewTimer(followAgain)
		select {
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
		}
	}
}

// followAgain is how long the hidden server may be away before it is looked for
// again.
const followAgain = 500 * time.Millisecond

// dropPhone closes the forwards of a phone.
func (fs *forwards) dropPhone(serial string) {
	fs.mu.Lock()
	defer fs.mu.Unlock()
	fs.order = slices.DeleteFunc(fs.order, func(name string) bool {
		fw := fs.byName[name]
		fw.mu.Lock()
		gone := fw.serial == serial
		fw.mu.Unlock()
		if gone {
			_ = fw.listener.Close()
			delete(fs.byName, name)
		}
		return gone
	})
}

// list is what "adb forward --list" shows.
func (fs *forwards) list() string {
	fs.mu.Lock()
	defer fs.mu.Unlock()
	var b strings.Builder
	for _, name := range fs.order {
		fw := fs.byName[name]
		fw.mu.Lock()
		line := fmt.Sprintf("%s %s %s\n", fw.serial, name, fw.remote)
		fw.mu.Unlock()
		if b.Len()+len(line) > wire.MaxRequest {
			break // the protocol has no longer answer
		}
		b.WriteString(line)
	}
	return b.String()
}
