package smart

import (
	"context"
	"strings"

	"github.com/countersign/countersign/gate/adb"
	"github.com/countersign/countersign/wire"
)

// asked are the host requests that only ask. They are relayed untouched, and so
// is waiting ("wait-for-any-device").
var asked = map[string]bool{
	"version": true, "devices": true, "devices-l": true,
	"track-devices": true, "track-devices-l": true,
	"track-devices-proto-text": true, "track-devices-proto-binary": true,
	"features": true, "host-features": true,
	"get-state": true, "get-serialno": true, "get-devpath": true,
	"mdns": true, "server-status": true,
}

// changes are the host requests that add, remove or change phones: a way round
// the guard where the agent may use them. They pass if the owner allows them.
var changes = map[string]bool{
	"connect": true, "disconnect": true, "pair": true, "reconnect": true, "reconnect-offline": true,
	"emulator": true, "attach": true, "detach": true,
}

// host answers a request that is for the server. The connection ends with it.
func (c *client) host(ctx context.Context, request string, h wire.HostRequest) {
	switch {
	case h.Verb == "kill":
		// A client that finds another version than its own asks for this, and so
		// does "adb kill-server". The server stays; the client is content.
		_ = wire.WriteOkay(c.conn)
	case h.Verb == "mdns" && h.Args != "check" && h.Args != "services":
		c.refuse(ctx, request, "unknown host service")
	case asked[h.Verb] || strings.HasPrefix(h.Verb, "wait-for-"):
		c.relay(ctx, request)
	case forwardVerbs[h.Verb]:
		c.forward(ctx, h)
	case changes[h.Verb] && (c.o.Observe || c.o.AllowConnect != nil && c.o.AllowConnect(h.Verb, h.Args)):
		c.relay(ctx, request)
	case changes[h.Verb]:
		c.refuse(ctx, request, "countersign: refused. Which phones there are is for the user to say, not for an agent. "+
			"Trying again will not help; use the phones that \"adb devices\" lists, or tell the user which one you need.")
	default:
		c.refuse(ctx, request, "unknown host service")
	}
}

// refuse refuses a request that is for the server, on record.
func (c *client) refuse(ctx context.Context, request, why string) {
	c.o.Gate.Refused(ctx, request, why)
	c.fail(why)
}

// device is the phone that a request is about: the selected one, whatever the
// request's prefix says (as adb servers have it), else the prefix's.
func (c *client) device(ctx context.Context, h wire.HostRequest) (*adb.Device, string, error) {
	if c.selected == nil {
		phone, id, err := c.phones.Resolve(ctx, h.Selector)
		if err != nil {
			return nil, "", err
		}
		c.selected = &selected{phone, id}
	}
	return c.o.Gate.Device(c.selected.phone), c.selected.phone.Serial(), nil
}
