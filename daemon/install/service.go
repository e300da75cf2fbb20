package install

import (
	"context"
	"fmt"
	"strings"
	"time"
)

var (
	daemonReload = []string{"systemctl", "daemon-reload"}
	enable       = []string{"systemctl", "enable", "--now", unitName}
	restart      = []string{"systemctl", "restart", unitName}
	disable      = []string{"systemctl", "disable", "--now", unitName}
	show         = []string{"systemctl", "show", "--property=ActiveState,UnitFileState,NeedDaemonReload,MainPID", unitName}
)

// service is the step that has systemd run what was installed, now and at every
// start of the machine.
func (i *Installation) service() Step {
	m := i.o.Machine
	return Step{
		Name:     "service runs, and will after a restart of the machine",
		Commands: []string{commandLine(daemonReload), commandLine(enable)},
		look:     i.stale,
		do: func(ctx context.Context) error {
			if !m.Systemd() {
				return leftError("systemd does not run here; where it does: " + commandLine(daemonReload) + " && " + commandLine(enable))
			}
			p, err := i.properties(ctx)
			if err != nil {
				return err
			}
			for _, c := range [][]string{daemonReload, enable} {
				if err := run(ctx, m, c); err != nil {
					return err
				}
			}
			i.fresh = false
			if p["ActiveState"] != "active" {
				return nil
			}
			// Enabling leaves alone what runs already, from the files of before.
			return run(ctx, m, restart)
		},
	}
}

// stale says in what the running service is not the installed one.
func (i *Installation) stale(ctx context.Context) (string, error) {
	if !i.o.Machine.Systemd() {
		return "systemd does not run here", nil
	}
	p, err := i.properties(ctx)
	switch {
	case err != nil:
		return "", err
	case p["NeedDaemonReload"] == "yes":
		return "systemd has not read it yet", nil
	case p["UnitFileState"] != "enabled":
		return "it is not enabled", nil
	case p["ActiveState"] != "active":
		return fmt.Sprintf("it is %q; see journalctl --unit %s", p["ActiveState"], unitName), nil
	case i.fresh:
		return "it runs as it was before", nil
	case !i.o.Machine.Runs(p["MainPID"], i.at(BinaryPath)):
		return "it runs another version of the program", nil
	}
	return "", nil
}

// properties are what systemd knows about the service.
func (i *Installation) properties(ctx context.Context) (map[string]string, error) {
	out, err := i.o.Machine.Run(ctx, show)
	if err != nil {
		return nil, err
	}
	p := map[string]string{}
	for line := range strings.Lines(out) {
		if name, value, ok := strings.Cut(strings.TrimSpace(line), "="); ok {
			p[name] = value
		}
	}
	return p, nil
}

// How often, and in all how long, a service that starts is asked whether it is
// up. A first start makes its store and its keys.
const (
	askEvery = 250 * time.Millisecond
	askTimes = 60
)

// separate is the level that all of this is for, in identity's words.
const separate = "separate user"

// level is the step that asks the guard itself: what it says is what its cards
// and its record say.
func (i *Installation) level() Step {
	m := i.o.Machine
	look := func(ctx context.Context) (string, error) {
		if !m.Systemd() {
			return "it does not run", nil
		}
		level, err := m.Level(ctx)
		if err != nil {
			return fmt.Sprintf("the guard does not answer (%v)", err), nil
		}
		if level != separate {
			return fmt.Sprintf("the guard says %q", level), nil
		}
		return "", nil
	}
	return Step{
		Name: fmt.Sprintf("guard that says it holds at level %q", separate),
		look: look,
		do: func(ctx context.Context) error {
			if !m.Systemd() {
				return leftError("once it runs, see its start line or ask http://127.0.0.1:8787/healthz")
			}
			var missing string
			for range askTimes {
				var err error
				if missing, err = look(ctx); missing == "" || err != nil {
					return err
				}
				if err := m.Pause(ctx, askEvery); err != nil {
					return err
				}
			}
			return fmt.Errorf("%s; its start line says why: journalctl --unit %s", missing, unitName)
		},
	}
}

// stopped is the step that ends the service.
func (i *Installation) stopped() Step {
	m := i.o.Machine
	return Step{
		Name:     "service stopped, and not started again",
		Commands: []string{commandLine(disable)},
		look: func(ctx context.Context) (string, error) {
			if !m.Systemd() {
				return "systemd does not run here", nil
			}
			p, err := i.properties(ctx)
			if err != nil {
				return "", err
			}
			active, enabled := p["ActiveState"], p["UnitFileState"]
			if (active == "inactive" || active == "failed") && enabled != "enabled" {
				return "", nil
			}
			return fmt.Sprintf("it is %s and %s", active, enabled), nil
		},
		do: func(ctx context.Context) error {
			if !m.Systemd() {
				return leftError("systemd does not run here; a guard that was started by hand is to be stopped by hand")
			}
			return run(ctx, m, disable)
		},
	}
}

// reload has systemd read its units again, where it runs.
func (i *Installation) reload(ctx context.Context) error {
	if i.o.Machine == nil || !i.o.Machine.Systemd() {
		return nil
	}
	return run(ctx, i.o.Machine, daemonReload)
}
