package adb_test

import (
	"context"
	"fmt"
	"io"
	"net"
	"slices"
	"strings"
	"testing"

	"github.com/countersign/countersign/wire"
)

// converse sends requests one after the other on one connection to the gate as
// adb server, each after the yes to the one before, and returns the connection.
func (w *world) converse(requests ...string) (net.Conn, error) {
	ctx, stop := context.WithTimeout(w.ctx, patience)
	defer stop()
	c, err := wire.ServerDial(ctx, "tcp", w.server.Address)
	if err != nil {
		return nil, err
	}
	defer context.AfterFunc(ctx, func() { c.Close() })()
	for _, r := range requests {
		err := wire.WriteRequest(c, r)
		if err == nil {
			err = wire.ReadStatus(c)
		}
		if err == nil && strings.HasPrefix(r, "host:tport") {
			_, err = io.ReadFull(c, make([]byte, 8))
		}
		if err != nil {
			c.Close()
			return nil, fmt.Errorf("%q: %w", r, err)
		}
	}
	return c, nil
}

// refuses wants the last of the requests to be refused, and all before it granted.
func (w *world) refuses(requests ...string) {
	w.t.Helper()
	c, err := w.converse(requests...)
	if err == nil {
		said, _ := io.ReadAll(c)
		c.Close()
		w.t.Errorf("%q was granted, with %q", requests, said)
		return
	}
	if last := requests[len(requests)-1]; !strings.HasPrefix(err.Error(), fmt.Sprintf("%q", last)) {
		w.t.Errorf("refused too early: %v", err)
	}
}

// Every way to select a phone on an adb server ends at the gate: whatever stands
// before it, a tap on Send is not done, and a harmless one is.
func TestBypassBySelection(t *testing.T) {
	w := newWorld(t, asServer, unattended)
	id, err := w.server.Transport(w.ctx, wire.Selector{Kind: wire.SelectSerial, Serial: w.serial})
	w.must(err)
	selections := [][]string{
		{"host:transport:" + w.serial}, {"host:transport-any"}, {"host:transport-local"}, {fmt.Sprintf("host:transport-id:%d", id)},
		{"host:tport:serial:" + w.serial}, {"host:tport:any"}, {"host:tport:local"},
		{"host-serial:" + w.serial + ":transport-any"}, {fmt.Sprintf("host-transport-id:%d:transport-any", id)},
		{"host:transport-any", "host:transport:" + w.serial}, {"host:tport:any", fmt.Sprintf("host:transport-id:%d", id)},
	}
	if len(selections) != 11 {
		t.Fatalf("%d selections", len(selections))
	}
	taken := 0
	for _, s := range selections {
		w.show(composer)
		c, err := w.converse(s...)
		if err != nil {
			t.Logf("%q is no selection here: %v", s, err)
			continue
		}
		c.Close()
		taken++
		w.refuses(append(slices.Clone(s), w.fill(composer, "shell:input tap {xy}"))...)
		w.nothingHappened(fmt.Sprint(s))
		if c, err = w.converse(append(slices.Clone(s), "shell:input tap 500 2000")...); err != nil {
			t.Errorf("a harmless tap after %q: %v", s, err)
			continue
		}
		io.Copy(io.Discard, c)
		c.Close()
		if got := w.came("tap"); len(got) != 1 {
			t.Errorf("after %q the phone has the taps %q", s, got)
		}
	}
	if taken < 8 {
		t.Errorf("only %d of the selections are any", taken)
	}
}

// The server's own requests open no way round: no phone is added, no forward is
// made that the gate does not own, whatever was selected before.
func TestBypassByHostRequest(t *testing.T) {
	w := newWorld(t, asServer, unattended)
	w.show(composer)
	tport := "host:tport:serial:" + w.serial
	refused := [][]string{
		{"host:connect:192.0.2.1:5555"}, {"host:connect:" + w.serial}, {"host:disconnect:" + w.serial}, {"host:disconnect:"},
		{"host:pair:123456:192.0.2.1:5555"}, {"host:emulator:5555"}, {"host:reconnect"}, {"host:reconnect-offline"},
		{"host:attach"}, {"host-serial:" + w.serial + ":detach"}, {"host-serial:" + w.serial + ":reconnect"},
		{"host-serial:" + w.serial + ":sideload:1"}, {"host:frobnicate"}, {"host-serial:nobody:get-state"},
		{tport, "host:connect:192.0.2.1:5555"}, {tport, "host:emulator:5555"}, {tport, "host:reconnect"},
		{tport, "host:forward:tcp:0;localabstract:scrcpy;x"}, {tport, "host:forward:localabstract:x;tcp:9008"},
		{"host-serial:" + w.serial + ":forward:vsock:1;tcp:9008"}, {tport, "host:forward:tcp:0;*smartsocket*"},
		{tport, "host:forward:acceptfd:3;tcp:9008"}, {tport, "host:forward:tcp:0.0.0.0:7777;tcp:9008"},
	}
	if len(refused) != 23 {
		t.Fatalf("%d requests", len(refused))
	}
	for _, requests := range refused {
		c, err := w.converse(requests...)
		if err == nil { // granted, and then perhaps told no, as with forwards
			said, _ := io.ReadAll(c)
			c.Close()
			if !strings.Contains(string(said), "FAIL") {
				t.Errorf("%q was granted, with %q", requests, said)
			}
		}
	}
	// A client's kill does not reach the server: its phone is still there.
	for range 3 {
		if c, err := w.converse("host:kill"); err == nil {
			c.Close()
		}
	}
	list, err := w.server.Query(w.ctx, "host:devices")
	if err != nil || strings.TrimSpace(list) != w.serial+"\tdevice" {
		t.Errorf("the phones are %q, %v", list, err)
	}
	w.nothingHappened("only the server was asked")
	w.harmless(composer)
}

// A forward is the gate's own, in whatever form it is asked for: what flows on it
// is judged.
func TestBypassByForward(t *testing.T) {
	w := newWorld(t, asServer, unattended)
	w.runs(u2)
	id, err := w.server.Transport(w.ctx, wire.Selector{Kind: wire.SelectSerial, Serial: w.serial})
	w.must(err)
	tport := "host:tport:serial:" + w.serial
	forms := [][]string{
		{"host:forward:tcp:0;tcp:9008"}, {"host-serial:" + w.serial + ":forward:tcp:0;tcp:9008"},
		{"host-local:forward:tcp:0;tcp:9008"}, {fmt.Sprintf("host-transport-id:%d:forward:tcp:0;tcp:9008", id)},
		{tport, "host:forward:tcp:0;tcp:9008"}, {"host:transport-any", "host:forward:norebind:tcp:0;tcp:9008"},
		{tport, "host-serial:other:forward:tcp:0;tcp:9008"}, {tport, "host-local:forward:tcp:localhost:0;tcp:9008"},
	}
	if len(forms) != 8 {
		t.Fatalf("%d forms", len(forms))
	}
	for _, requests := range forms {
		c, err := w.converse(requests...)
		if err != nil {
			t.Errorf("no forward: %v", err)
			continue
		}
		w.must(wire.ReadStatus(c)) // the second yes
		port, err := wire.ReadText(c)
		w.must(err)
		c.Close()
		w.show(composer)
		if out := w.through(port, w.fillCall(&call{scene: composer, sent: rpc("click", "{x},{y}")})); !strings.Contains(out, "countersign") {
			t.Errorf("after %q a click was told %q", requests, out)
		}
		if got := w.came("tap"); len(got) > 0 {
			t.Errorf("after %q the phone was tapped at %q", requests, got)
		}
		w.nothingHappened(fmt.Sprint(requests))
		if out := w.through(port, rpc("deviceInfo", "")); !strings.Contains(out, "displayWidth") {
			t.Errorf("after %q a harmless call was told %q", requests, out)
		}
	}
	list, err := w.server.Query(w.ctx, "host:list-forward")
	if err != nil || strings.Count(list, "tcp:9008") != len(forms) {
		t.Errorf("the forwards are %q, %v", list, err)
	}
	// The hidden server has none.
	hidden, err := hiddenOf(w).Query(w.ctx, "host:list-forward")
	if err != nil || hidden != "" {
		t.Errorf("the hidden server forwards %q, %v", hidden, err)
	}
}

// through sends bytes to a port of this computer and reads to the end.
func (w *world) through(port, sent string) string {
	w.t.Helper()
	c, err := net.Dial("tcp", "127.0.0.1:"+port)
	w.must(err)
	defer c.Close()
	ctx, stop := context.WithTimeout(w.ctx, patience)
	defer stop()
	defer context.AfterFunc(ctx, func() { c.Close() })()
	go io.WriteString(c, sent)
	out, _ := io.ReadAll(c)
	return string(out)
}

// More servers that connect to the guarded phone are guarded like the first.
func TestBypassBySecondSession(t *testing.T) {
	w := newWorld(t, asDevice, unattended)
	_, device := w.guard.ADBAddrs()
	for range 3 {
		w.show(composer)
		other := *w
		other.session = hostOf(t, device)
		other.tryLine(w.fill(composer, "shell:input tap {xy}"))
		other.harmless(composer)
		other.session.Close()
	}
}
