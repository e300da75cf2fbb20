package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/countersign/countersign/daemon"
	"github.com/countersign/countersign/gate/adb/bypass"
	"github.com/countersign/countersign/wire"
)

// lookAround looks for ways round the ADB gate: on this machine, and on the
// phones that the gate's hidden adb server knows.
func lookAround(ctx context.Context, e *examination) []finding {
	if e.status.ADBServer == "" && e.status.ADBDevice == "" {
		return nil
	}
	m := bypass.Machine{Gate: e.status.ADBServer, Known: e.known, Dial: e.dial}
	if home, err := os.UserHomeDir(); err == nil && e.status.Level == "same user" {
		m.Keys = []string{filepath.Join(home, ".android")}
	}
	ways := m.Look(ctx)
	for i := range ways {
		// Behind a guarded phone stands the agent's own adb server: that is no way
		// round by itself.
		if w := &ways[i]; w.Name == "adb-server" && w.State == bypass.Open && e.status.ADBServer == "" {
			w.Todo = "the agent's own may know the guarded phone (" + e.status.ADBDevice + ") and no other: see adb devices, where it runs"
		}
	}
	found := findings("", ways)
	server := daemon.HiddenServer(e.home)
	serials, err := phonesOf(ctx, server)
	if err != nil {
		return append(found, doubtful("run this as the user that the guard runs as", "the phones behind the gate cannot be asked: %s", said(err.Error()))...)
	}
	helpers, err := daemon.ReadHelpers(e.home)
	if err != nil {
		found = append(found, broken("make it anew with countersign setup", "%s", said(err.Error()))...)
	}
	var packages []string
	for _, h := range helpers {
		packages = append(packages, h.Package)
	}
	for _, serial := range serials {
		p := bypass.Phone{Helpers: packages, Forwards: bypass.HiddenForwards(server), Run: func(ctx context.Context, line string) (string, error) {
			return runOn(ctx, server, serial, line)
		}}
		found = append(found, findings(serial, p.Look(ctx))...)
	}
	return found
}

// findings are the ways of one place as the doctor's findings.
func findings(where string, ways []bypass.Way) []finding {
	var found []finding
	for _, w := range ways {
		f := finding{Name: w.Name, State: stateOK, Said: said(w.Said), Todo: w.Todo}
		if w.State != bypass.Closed {
			f.State = stateWarning
		}
		if where != "" {
			f.Said = said(where) + ": " + f.Said
		}
		found = append(found, f)
	}
	return found
}

// phonesOf are the serials of the phones that a server can reach.
func phonesOf(ctx context.Context, server wire.Server) (serials []string, err error) {
	list, err := server.Query(ctx, "host:devices")
	for _, line := range strings.Split(list, "\n") {
		if serial, state, ok := strings.Cut(line, "\t"); ok && state == "device" {
			serials = append(serials, serial)
		}
	}
	return serials, err
}

// mostSaid is how much of what a phone says is read, in bytes.
const mostSaid = 1 << 20

// runOn runs a line of our own on a phone.
func runOn(ctx context.Context, server wire.Server, serial, line string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	c, err := server.Open(ctx, wire.Selector{Kind: wire.SelectSerial, Serial: serial}, "shell:"+line)
	if err != nil {
		return "", err
	}
	defer c.Close()
	stop := context.AfterFunc(ctx, func() { _ = c.Close() })
	defer stop()
	out, err := io.ReadAll(io.LimitReader(c, mostSaid))
	if err != nil {
		return "", fmt.Errorf("ask the phone: %w", err)
	}
	return string(out), nil
}
