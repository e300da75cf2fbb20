package adb

import (
	"context"
	"errors"
	"net"
	"slices"
	"strings"

	"github.com/countersign/countersign/gate/adb/relay"
)

// maxTunnels is how many servers of a phone are remembered.
const maxTunnels = 32

// tunnels are the servers on the phone that streams go to.
type tunnels struct {
	servers map[string]*relay.Memory // by target
	source  string                   // the target that shows the screen, empty for none
}

// memory is what is remembered of the server at a target.
func (d *Device) memory(target string) *relay.Memory {
	d.mu.Lock()
	defer d.mu.Unlock()
	t := &d.tunnels
	if t.servers == nil || len(t.servers) >= maxTunnels && t.servers[target] == nil {
		*t = tunnels{servers: map[string]*relay.Memory{}}
	}
	if t.servers[target] == nil {
		t.servers[target] = new(relay.Memory)
	}
	return t.servers[target]
}

// shows notes that a server on the phone can be asked for its screen: one of a
// helper that the owner let in.
func (s *serving) shows(server string) {
	if !slices.ContainsFunc(s.gate.options.Helpers, func(h Helper) bool { return serverOf(h) == server && server != "" }) {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.tunnels.source = s.target
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
	}
	return ""
}

// fromServer asks the automation server that runs on the phone for the tree: a
// dump would take its place, or fail because of it. running is false where there
// is none any more.
func (d *Device) fromServer(ctx context.Context) (tree []byte, running bool, err error) {
	d.mu.Lock()
	target := d.tunnels.source
	memory := d.tunnels.servers[target]
	d.mu.Unlock()
	if target == "" || memory == nil {
		return nil, false, nil
	}
	reached := false
	tree, err = relay.Source{Target: target, Memory: memory}.Tree(ctx, func(ctx context.Context, target string) (net.Conn, error) {
		conn, err := d.dial(ctx, target)
		reached = reached || err == nil
		return conn, err
	})
	if errors.Is(err, relay.ErrNoSource) || err != nil && !reached && ctx.Err() == nil {
		if !reached {
			d.mu.Lock()
			d.tunnels.source = ""
			d.mu.Unlock()
		}
		return nil, false, nil
	}
	return tree, true, err
}
