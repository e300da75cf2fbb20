package smart_test

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/countersign/countersign/gate/adb/fronttest"
	"github.com/countersign/countersign/gate/adb/smart"
	"github.com/countersign/countersign/wire"
)

// The forms that no stock client of this machine uses, byte by byte. The answers
// are those of adb 29's server unless they are refusals; SERIAL stands for the
// phone's.
func TestSmartSocket(t *testing.T) {
	f := newFixture(t)
	const okay = "OKAY"
	number := "\x01\x00\x00\x00\x00\x00\x00\x00"
	fail := func(s string) string { return fmt.Sprintf("FAIL%04x%s", len(s), s) }
	text := func(s string) string { return fmt.Sprintf("OKAY%04x%s", len(s), s) }
	serial := func(s string) string { return strings.ReplaceAll(s, "SERIAL", f.phone.Addr) }
	refused := "countersign: refused"
	cases := 0
	for _, c := range []struct {
		steps []step
		want  string // or its beginning, with a star at the end
	}{
		// Selections, and what follows them.
		{[]step{{"host:transport:SERIAL", 4}, {"shell:true", 0}}, okay + okay + "ran true\n"},
		{[]step{{"host:transport-any", 4}, {"shell:true", 0}}, okay + okay + "ran true\n"},
		{[]step{{"host:transport-local", 4}, {"shell:true", 0}}, okay + okay + "ran true\n"},
		{[]step{{"host:transport-usb", 4}, {"shell:true", 0}}, fail("no devices found")},
		{[]step{{"host:transport-id:1", 4}, {"shell:true", 0}}, okay + okay + "ran true\n"},
		{[]step{{"host:transport-id:9", 4}, {"shell:true", 0}}, fail("no device with transport id '9'")},
		{[]step{{"host:tport:serial:SERIAL", 12}, {"shell:true", 0}}, okay + number + okay + "ran true\n"},
		{[]step{{"host:tport:any", 12}, {"shell:true", 0}}, okay + number + okay + "ran true\n"},
		{[]step{{"host:tport:local", 12}, {"shell:true", 0}}, okay + number + okay + "ran true\n"},
		{[]step{{"host:tport:usb", 12}, {"shell:true", 0}}, fail("no devices found")},
		{[]step{{"host:tport:serial:nobody", 12}, {"shell:true", 0}}, fail("device 'nobody' not found")},
		{[]step{{"host:transport-any", 4}, {"host:tport:any", 12}, {"shell:true", 0}}, okay + okay + number + okay + "ran true\n"},
		{[]step{{"shell:true", 0}}, fail("device offline (no transport)")},
		{[]step{{"host:transport-any", 4}, {"host:transport:nobody", 4}, {"shell:true", 0}}, okay + fail("device 'nobody' not found")},

		// Host requests, by every prefix and after a selection, which wins.
		{[]step{{"host:version", 0}}, text("0029")},
		{[]step{{"host-serial:SERIAL:get-serialno", 0}}, text("SERIAL")},
		{[]step{{"host-transport-id:1:get-serialno", 0}}, text("SERIAL")},
		{[]step{{"host-local:get-serialno", 0}}, text("SERIAL")},
		{[]step{{"host-usb:get-serialno", 0}}, fail("no devices found")},
		{[]step{{"host:tport:any", 12}, {"host:get-serialno", 0}}, okay + number + text("SERIAL")},
		{[]step{{"host:tport:any", 12}, {"host-serial:nobody:get-state", 0}}, okay + number + text("device")},
		{[]step{{"host:tport:any", 12}, {"host:version", 0}}, okay + number + text("0029")},
		{[]step{{"host:wait-for-any-device", 0}}, okay + okay},
		{[]step{{"host-serial:SERIAL:wait-for-any-device", 0}}, okay + okay},
		{[]step{{"host:mdns:check", 0}}, fail("unknown host service")},
		{[]step{{"host:mdns:anything", 0}}, fail("unknown host service")},
		{[]step{{"host:kill", 0}}, okay},
		{[]step{{"host-serial:nobody:kill", 0}}, okay},
		{[]step{{"host:tport:any", 12}, {"host:kill", 0}}, okay + number + okay},
		{[]step{{"host:version", 0}}, text("0029")}, // still there

		// What no agent may change.
		{[]step{{"host:connect:10.0.0.1:5555", 0}}, "FAIL*" + refused},
		{[]step{{"host:disconnect:SERIAL", 0}}, "FAIL*" + refused},
		{[]step{{"host:disconnect:", 0}}, "FAIL*" + refused},
		{[]step{{"host:pair:123456:10.0.0.1:5555", 0}}, "FAIL*" + refused},
		{[]step{{"host:reconnect", 0}}, "FAIL*" + refused},
		{[]step{{"host-serial:SERIAL:reconnect", 0}}, "FAIL*" + refused},
		{[]step{{"host:reconnect-offline", 0}}, "FAIL*" + refused},
		{[]step{{"host:emulator:5555", 0}}, "FAIL*" + refused},
		{[]step{{"host-serial:SERIAL:detach", 0}}, "FAIL*" + refused},
		{[]step{{"host:transport-any", 4}, {"host:connect:10.0.0.1:5555", 0}}, okay + "FAIL*" + refused},
		{[]step{{"host:transport-any", 4}, {"tcpip:5555", 0}}, okay + "FAIL*countersign: "},
		{[]step{{"host:transport-any", 4}, {"reverse:forward:tcp:1;tcp:2", 0}}, okay + "FAIL*" + refused},
		{[]step{{"host:transport-any", 4}, {"reverse:anything", 0}}, okay + "FAIL*" + refused},

		// What no adb server knows, or not in this form.
		{[]step{{"host:", 0}}, fail("unknown host service")},
		{[]step{{"host:bogus", 0}}, fail("unknown host service")},
		{[]step{{"host-serial:SERIAL:shell:ls", 0}}, fail("unknown host service")},
		{[]step{{"host-serial:SERIAL", 0}}, fail("unknown host service")},
		{[]step{{"host:list-forward:x", 0}}, fail("unknown host service")},
		{[]step{{"host:transport-any", 4}, {"host:bogus", 0}}, okay + fail("unknown host service")},
		{[]step{{"host:transport-any", 4}, {"bogus:", 0}}, okay + "FAIL*countersign: "},
		{[]step{{"host:transport-any", 4}, {"shell:true\x00; reboot", 0}}, okay + "FAIL*countersign: "},

		// Forwards, all of them the gate's own.
		{[]step{{"host:list-forward", 0}}, text("")},
		{[]step{{"host-serial:nobody:forward:tcp:0;tcp:1", 0}}, fail("device 'nobody' not found")},
		{[]step{{"host:forward:", 0}}, fail("bad forward: ")},
		{[]step{{"host:forward:tcp:0", 0}}, fail("bad forward: tcp:0")},
		{[]step{{"host:forward:tcp:0;", 0}}, fail("bad forward: tcp:0;")},
		{[]step{{"host:forward:norebind:;tcp:1", 0}}, fail("bad forward: ;tcp:1")},
		{[]step{{"host:forward:tcp:0;tcp:1;tcp:2", 0}}, fail("bad forward: tcp:0;tcp:1;tcp:2")},
		{[]step{{"host:forward:tcp:0;*", 0}}, fail("bad forward: tcp:0;*")},
		{[]step{{"host:forward:tcp:99999;tcp:1", 0}}, fail("cannot bind listener: bad port number '99999'")},
		{[]step{{"host:forward:foo;tcp:1", 0}}, fail("cannot bind listener: unknown socket specification:foo")},
		{[]step{{"host:forward:tcp:0.0.0.0:0;tcp:1", 0}}, fail("cannot bind listener: listening on specified hostname currently unsupported")},
		{[]step{{"host:killforward:", 0}}, fail("bad killforward: ")},
		{[]step{{"host:killforward", 0}}, fail("bad killforward: ")},
		{[]step{{"host-serial:SERIAL:killforward:tcp:1", 0}}, fail("listener 'tcp:1' not found")},
		{[]step{{"host-serial:nobody:killforward-all", 0}}, okay + okay},
	} {
		cases++
		steps := append([]step(nil), c.steps...)
		for i := range steps {
			steps[i].request = serial(steps[i].request)
		}
		got := f.raw(steps...)
		want := c.want
		if strings.HasPrefix(want, "OKAY00") && strings.HasSuffix(want, "SERIAL") || strings.Contains(want, "0006SERIAL") {
			want = strings.ReplaceAll(want, "0006SERIAL", fmt.Sprintf("%04x%s", len(f.phone.Addr), f.phone.Addr))
		}
		before, after, open := strings.Cut(want, "*countersign")
		if ok := got == want || open && strings.HasPrefix(got, before) && strings.Contains(got, "countersign"+after); !ok {
			t.Errorf("%v:\ngot  %q\nwant %q", steps, got, want)
		}
	}
	if cases != 66 {
		t.Fatalf("%d cases", cases)
	}
	if forwards, err := f.hidden.Server().Query(t.Context(), "host:list-forward"); forwards != "" || err != nil {
		t.Errorf("the hidden server has forwards: %q, %v", forwards, err)
	}
}

// What is no request at all is told so, once, and the connection ends.
func TestSmartSocketJunk(t *testing.T) {
	f := newFixture(t)
	for _, junk := range []string{"GET / HTTP/1.1\r\n\r\n", "CNXN\x01\x00\x00\x01", "0000", "zzzz"} {
		c, err := wire.ServerDial(t.Context(), f.front.Network, f.front.Address)
		f.must(err)
		f.must(c.SetDeadline(time.Now().Add(time.Minute)))
		_, err = io.WriteString(c, junk)
		f.must(err)
		got, err := io.ReadAll(c)
		if err != nil || !strings.HasPrefix(string(got), "FAIL") || !strings.Contains(string(got), "not the adb protocol") {
			t.Errorf("%q: %q, %v", junk, got, err)
		}
		_ = c.Close()
	}
}

// Lists that follow changes flow until their reader hangs up.
func TestTrackDevices(t *testing.T) {
	f := newFixture(t)
	c, err := wire.ServerDial(t.Context(), f.front.Network, f.front.Address)
	f.must(err)
	defer func() { _ = c.Close() }()
	f.must(c.SetDeadline(time.Now().Add(time.Minute)))
	f.must(wire.WriteRequest(c, "host:track-devices"))
	f.must(wire.ReadStatus(c))
	if list, err := wire.ReadText(c); err != nil || list != f.phone.Addr+"\tdevice\n" {
		t.Fatalf("the first list is %q, %v", list, err)
	}
	f.phone.HangUp()
	if list, err := wire.ReadText(c); err != nil || strings.Contains(list, "\tdevice\n") {
		t.Fatalf("the list after the phone's going is %q, %v", list, err)
	}
}

// What the owner allows passes, and nothing else of its kind.
func TestAllowConnect(t *testing.T) {
	var asked []string
	f := newFixture(t, func(s *settings) {
		s.front.AllowConnect = func(verb, args string) bool {
			asked = append(asked, verb+" "+args)
			return verb == "disconnect"
		}
	})
	if r := f.client.Run("connect", "127.0.0.1:1"); r.Code == 0 || !strings.Contains(r.Err, "countersign") {
		t.Errorf("connect: %+v", r)
	}
	if r := f.client.Run("disconnect", f.phone.Addr); r.Code != 0 || !strings.Contains(r.Out, "disconnected") {
		t.Errorf("disconnect: %+v", r)
	}
	if got := strings.Join(asked, "|"); got != "connect 127.0.0.1:1|disconnect "+f.phone.Addr {
		t.Errorf("asked about %q", got)
	}
}

// A front end that is not told what it is in front of serves nobody.
func TestOptionsAreRequired(t *testing.T) {
	for name, o := range map[string]smart.Options{"nothing": {}, "no gate": {Server: wire.Server{Network: "unix", Address: "x"}}} {
		l := newListener(t)
		if err := smart.Serve(t.Context(), l, o); err == nil || !strings.Contains(err.Error(), "required") {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := l.Accept(); err == nil {
			t.Errorf("%s: the listener is still open", name)
		}
	}
}

// Too many clients are hung up on; those that are there go on.
func TestTooManyClients(t *testing.T) {
	f := newFixture(t, func(s *settings) { s.front.MaxConnections = 1 })
	first, err := wire.ServerDial(t.Context(), f.front.Network, f.front.Address)
	f.must(err)
	defer func() { _ = first.Close() }()
	f.must(first.SetDeadline(time.Now().Add(time.Minute)))
	f.must(wire.WriteRequest(first, "host:transport-any"))
	f.must(wire.ReadStatus(first))
	if _, err := f.front.Query(t.Context(), "host:version"); err == nil {
		t.Error("a second client was served")
	}
	if got, err := wire.Ask(t.Context(), first, "host:version"); got != "0029" || err != nil {
		t.Errorf("the first: %q, %v", got, err)
	}
}

// What the front end refuses by itself leaves a row, as every refusal does; what is
// refused again and again leaves one for all.
func TestRefusalsAreOnRecord(t *testing.T) {
	f := newFixture(t)
	requests := []string{"host:connect:127.0.0.1:1", "host:emulator:5557", "host:pair:1:127.0.0.1:1", "host:nobody:knows", "host:mdns:anything"}
	for range 20 {
		for _, r := range requests {
			f.raw(step{r, 0})
		}
		f.raw(step{"host:transport-any", 4}, step{"reverse:forward:tcp:7000;tcp:7001", 0})
	}
	got := fronttest.Refused(f.t, f.store)
	if len(got) != len(requests)+1 {
		t.Errorf("%d rows: %q", len(got), got)
	}
	for _, r := range append(requests, "reverse:forward:tcp:7000;tcp:7001") {
		if !slices.ContainsFunc(got, func(row string) bool { return strings.Contains(row, r) }) {
			t.Errorf("%s is not on record", r)
		}
	}
	if reached := strings.Join(f.phone.Reached(), " "); strings.Contains(reached, "reverse") {
		t.Errorf("the phone got %q", reached)
	}
	f.gate.Flush(t.Context())
	if again := fronttest.Refused(f.t, f.store)[len(got):]; len(again) != len(got) || !strings.Contains(again[0], "(19 times more") {
		t.Errorf("what was repeated: %q", again)
	}
}
