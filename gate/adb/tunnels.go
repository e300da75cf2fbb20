package adb

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/countersign/countersign/gate/adb/relay"
)

// maxTunnels is how many servers of a phone are remembered.
const maxTunnels = 32

// tunnels are the servers on the phone that streams go to.
type tunnels struct {
	servers map[string]*relay.Memory // by place
	source  string                   // the place of the one that shows the screen, empty for none
}

// place spells the target of a stream in one way: what is remembered of a server
// must hold however its port is written.
func place(target string) string {
	port, ok := strings.CutPrefix(target, "tcp:")
	if n, err := strconv.ParseUint(port, 10, 16); ok && err == nil {
		return "tcp:" + strconv.FormatUint(n, 10)
	}
	return target
}

// memory is what is remembered of the server at a target. Where there is no room
// for more, one is forgotten of which nobody knows what it is.
func (d *Device) memory(target string) *relay.Memory {
	d.mu.Lock()
	defer d.mu.Unlock()
	t, at := &d.tunnels, place(target)
	if t.servers == nil {
		t.servers = map[string]*relay.Memory{}
	}
	if t.servers[at] != nil {
		return t.servers[at]
	}
	for other, m := range t.servers {
		if len(t.servers) < maxTunnels {
			break
		}
		if m.Server() == "" {
			delete(t.servers, other)
		}
	}
	m := new(relay.Memory)
	if len(t.servers) < maxTunnels {
		t.servers[at] = m
	}
	return m
}

// shows notes that a server on the phone can be asked for its screen: one of a
// helper that the owner let in.
func (s *serving) shows(server string) {
	letIn := func(h Helper) bool { return h.SHA256 != "" && serverOf(h) == server }
	if server == "" || !slices.ContainsFunc(s.gate.options.Helpers, letIn) {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.tunnels.source = place(s.target)
}

// serverOf is the server of package relay that a helper is; empty for none.
func serverOf(h Helper) string {
	switch {
	case h.Class == classU2, strings.HasPrefix(h.Package, "com.github.uiautomator"):
		return relay.UIAutomator2
	case strings.HasPrefix(h.Package, "io.appium.uiautomator2.server"):
		return relay.UIA2
	case h.Package == "com.mobilerun.portal", h.Package == "com.droidrun.portal":
		return relay.Portal
	case h.Class == classMobilecli:
		return relay.Mobilecli
	}
	return ""
}

// classMobilecli is the main class of the server that mobilecli starts.
const classMobilecli = "com.mobilenext.mobilecli.DeviceServer"

// Why nobody looks while an automation server runs. It is the agent who runs it, so
// that the screen cannot be seen is the agent's doing.
var (
	errBlind     = errors.New("an automation server runs on the phone, and a dump would end it")
	errNotLetIn  = fmt.Errorf("%w: its owner has not let it in (countersign setup)", errBlind)
	errNotServed = fmt.Errorf("%w: it does not show the screen", errBlind)
)

// fromServer asks the automation server that runs on the phone for the tree. While
// any runs nobody else may look, for Android has one owner of that connection: a
// dump would fail, or end the agent's own. Then running is true, and what cannot be
// had from it is not seen.
func (d *Device) fromServer(ctx context.Context) (tree []byte, running bool, err error) {
	source, m, others := d.automation()
	if m != nil {
		tree, err := relay.Source{Target: source, Memory: m}.Tree(ctx, d.dial)
		switch {
		case err == nil:
			return tree, true, nil
		case d.listens(ctx, source):
			return nil, true, fmt.Errorf("%w: %w", errNotServed, err)
		}
		d.ended(source)
	}
	for _, target := range others {
		if d.listens(ctx, target) {
			return nil, true, errNotLetIn
		}
		d.ended(target)
	}
	return nil, false, nil
}

// automation are the automation servers that streams were carried to: the one that
// can be asked, with its memory, and where others are.
func (d *Device) automation() (source string, m *relay.Memory, others []string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	source = place(d.tunnels.source)
	for at, other := range d.tunnels.servers {
		if at != source && other.Server() != "" {
			others = append(others, at)
		}
	}
	slices.Sort(others)
	return source, d.tunnels.servers[source], others
}

// listens reports whether a server on the phone is there. Where that cannot be
// told it is.
func (d *Device) listens(ctx context.Context, target string) bool {
	conn, err := d.dial(ctx, target)
	if err == nil {
		_ = conn.Close() // it was not asked anything
		return true
	}
	return !isFailure(err)
}

// ended notes that a server is there no more. What comes to its place may be
// another, and is asked what it is.
func (d *Device) ended(target string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if place(d.tunnels.source) == target {
		d.tunnels.source = ""
	}
	if m := d.tunnels.servers[target]; m != nil {
		m.Ended()
	}
}
