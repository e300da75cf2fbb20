package bypass

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/countersign/countersign/wire"
)

// Phone is a phone behind the guard.
type Phone struct {
	// Run runs a line in the phone's shell and returns what it prints, past the
	// gate: these are the owner's own questions.
	Run func(ctx context.Context, line string) (string, error)
	// Forwards returns the forwards of the hidden adb server, as "host:list-forward"
	// has them: no gate owns those. Nil for none to look at.
	Forwards func(ctx context.Context) (string, error)
	// Helpers are the packages of automation helpers that set-up allowed.
	Helpers []string
}

// HiddenForwards are the forwards of the gate's hidden server.
func HiddenForwards(s wire.Server) func(context.Context) (string, error) {
	return func(ctx context.Context) (string, error) { return s.Query(ctx, "host:list-forward") }
}

// talkers are helpers that also connect to somewhere else by themselves: what
// comes in that way never passes a gate.
var talkers = []string{"com.mobilerun.portal", "com.droidrun.portal"}

// Look looks at the phone.
func (p Phone) Look(ctx context.Context) []Way {
	ways := []Way{
		p.setting(ctx, "wireless", "settings get global adb_wifi_enabled", "wireless debugging",
			"any computer that is paired can drive the phone: turn it off (Developer options, Wireless debugging)"),
		p.tcp(ctx),
		p.services(ctx, "accessibility", "settings get secure enabled_accessibility_services", "accessibility services are on",
			"each can see and press everything; turn off those that are no helper of yours, then run countersign setup"),
		p.services(ctx, "listeners", "settings get secure enabled_notification_listeners", "notification listeners are on",
			"each reads every notification, one-time codes too; turn off what you do not need"),
		p.talker(ctx),
	}
	if p.Forwards != nil {
		ways = append(ways, p.forwards(ctx))
	}
	return ways
}

// ask runs a line and returns what it said, without the word for nothing.
func (p Phone) ask(ctx context.Context, line string) (string, error) {
	out, err := p.Run(ctx, line)
	out = strings.TrimSpace(out)
	if out == "null" {
		out = ""
	}
	return out, err
}

func unknown(name, line string, err error) Way {
	return Way{Name: name, State: Unknown, Said: fmt.Sprintf("the phone did not say (%s): %v", line, err), Todo: "connect the phone and look again"}
}

func (p Phone) setting(ctx context.Context, name, line, what, todo string) Way {
	out, err := p.ask(ctx, line)
	switch {
	case err != nil:
		return unknown(name, line, err)
	case out == "" || out == "0":
		return Way{Name: name, State: Closed, Said: what + " is off"}
	}
	return Way{Name: name, State: Open, Said: what + " is on", Todo: todo}
}

// tcp looks whether adbd listens on the network.
func (p Phone) tcp(ctx context.Context) Way {
	const line = "getprop service.adb.tcp.port"
	out, err := p.ask(ctx, line)
	switch {
	case err != nil:
		return unknown("network-adb", line, err)
	case out == "" || out == "0" || out == "-1":
		return Way{Name: "network-adb", State: Closed, Said: "the phone's adbd does not listen on the network"}
	}
	return Way{Name: "network-adb", State: Open, Said: "the phone's adbd listens on the network, on port " + out,
		Todo: "whoever has a key that it trusts drives it past the guard: adb usb, as the guard's user, makes it listen on the cable only"}
}

// services looks at a list of components that are on.
func (p Phone) services(ctx context.Context, name, line, what, todo string) Way {
	out, err := p.ask(ctx, line)
	if err != nil {
		return unknown(name, line, err)
	}
	var strangers []string
	for _, component := range strings.Split(out, ":") {
		pkg, _, _ := strings.Cut(component, "/")
		if pkg != "" && !slices.Contains(p.Helpers, pkg) {
			strangers = append(strangers, component)
		}
	}
	if len(strangers) == 0 {
		return Way{Name: name, State: Closed, Said: "no " + what + " beside the helpers that set-up allowed"}
	}
	return Way{Name: name, State: Open, Said: what + ": " + strings.Join(strangers, ", "), Todo: todo}
}

// talker looks for helpers with a connection of their own.
func (p Phone) talker(ctx context.Context) Way {
	const line = "pm list packages"
	out, err := p.ask(ctx, line)
	if err != nil {
		return unknown("reverse", line, err)
	}
	for _, pkg := range strings.Fields(out) {
		if name := strings.TrimPrefix(pkg, "package:"); slices.Contains(talkers, name) {
			return Way{Name: "reverse", State: Open, Said: name + " is installed: it can keep a connection of its own to a server, past the guard",
				Todo: "leave its reverse connection off in its settings, or forbid it the network"}
		}
	}
	return Way{Name: "reverse", State: Closed, Said: "no helper with a connection of its own is installed"}
}

// forwards looks for forwards that were there before the gate.
func (p Phone) forwards(ctx context.Context) Way {
	out, err := p.Forwards(ctx)
	switch lines := strings.Split(strings.TrimSpace(out), "\n"); {
	case err != nil:
		return unknown("forwards", "list-forward", err)
	case lines[0] != "":
		return Way{Name: "forwards", State: Open, Said: fmt.Sprintf("%d ports of this machine lead to the phone past the gate: %s", len(lines), strings.Join(lines, "; ")),
			Todo: "start the guard again: it removes them first"}
	}
	return Way{Name: "forwards", State: Closed, Said: "no port of this machine leads to the phone past the gate"}
}
