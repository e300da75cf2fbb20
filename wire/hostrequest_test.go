package wire

import (
	"bytes"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// The serials of the first part are the cases of adb's own test of
// parse_host_service (adb_test.cpp) and of what it says about itself.
func TestParseHostRequest(t *testing.T) {
	serial := func(s string) Selector { return Selector{Kind: SelectSerial, Serial: s} }
	cases := 0
	for _, c := range []struct {
		text string
		want HostRequest
	}{
		{"host-serial:foo:bar", HostRequest{Selector: serial("foo"), Verb: "bar"}},
		{"host-serial:foo:1234:bar", HostRequest{Selector: serial("foo:1234"), Verb: "bar"}},
		{"host-serial:foo:bar:baz", HostRequest{Selector: serial("foo"), Verb: "bar", Args: "baz"}},
		{"host-serial:foo:123bar:baz", HostRequest{Selector: serial("foo"), Verb: "123bar", Args: "baz"}},
		{"host-serial:tcp:foo:bar", HostRequest{Selector: serial("tcp:foo"), Verb: "bar"}},
		{"host-serial:tcp:foo:1234:bar", HostRequest{Selector: serial("tcp:foo:1234"), Verb: "bar"}},
		{"host-serial:udp:foo:1234:bar", HostRequest{Selector: serial("udp:foo:1234"), Verb: "bar"}},
		{"host-serial:usb:1-1:bar", HostRequest{Selector: serial("usb:1-1"), Verb: "bar"}},
		{"host-serial:usb:1234:1234:bar", HostRequest{Selector: serial("usb:1234"), Verb: "1234", Args: "bar"}},
		{"host-serial:product:foo:bar", HostRequest{Selector: serial("product:foo"), Verb: "bar"}},
		{"host-serial:model:foo:bar", HostRequest{Selector: serial("model:foo"), Verb: "bar"}},
		{"host-serial:device:foo:bar", HostRequest{Selector: serial("device:foo"), Verb: "bar"}},
		{"host-serial:[::1]:bar", HostRequest{Selector: serial("[::1]"), Verb: "bar"}},
		{"host-serial:[::1]:5555:features", HostRequest{Selector: serial("[::1]:5555"), Verb: "features"}},
		{"host-serial:tcp:[::1]:5555:features", HostRequest{Selector: serial("tcp:[::1]:5555"), Verb: "features"}},
		{"host-serial:vsock:3:5555:features", HostRequest{Selector: serial("vsock:3:5555"), Verb: "features"}},
		{"host-serial:[broken:features", HostRequest{Selector: serial("[broken"), Verb: "features"}},
		{"host-serial:emulator-5554:forward:tcp:1;tcp:2", HostRequest{Selector: serial("emulator-5554"), Verb: "forward", Args: "tcp:1;tcp:2"}},
		{"host-serial:127.0.0.1:5599:forward:norebind:tcp:0;localabstract:x", HostRequest{Selector: serial("127.0.0.1:5599"), Verb: "forward", Args: "norebind:tcp:0;localabstract:x"}},

		{"host:version", HostRequest{Verb: "version"}},
		{"host:connect:1.2.3.4:5555", HostRequest{Verb: "connect", Args: "1.2.3.4:5555"}},
		{"host:list-forward", HostRequest{Verb: "list-forward"}},
		{"host:mdns:check", HostRequest{Verb: "mdns", Args: "check"}},
		{"host-usb:get-state", HostRequest{Selector: Selector{Kind: SelectUSB}, Verb: "get-state"}},
		{"host-local:wait-for-local-device", HostRequest{Selector: Selector{Kind: SelectLocal}, Verb: "wait-for-local-device"}},
		{"host-transport-id:7:wait-for-any-disconnect", HostRequest{Selector: Selector{Kind: SelectTransportID, ID: 7}, Verb: "wait-for-any-disconnect"}},

		{"host:transport:foo", HostRequest{Selector: serial("foo"), Verb: "transport"}},
		{"host:transport:[::1]:5555", HostRequest{Selector: serial("[::1]:5555"), Verb: "transport"}},
		{"host:transport-any", HostRequest{Verb: "transport"}},
		{"host:transport-usb", HostRequest{Selector: Selector{Kind: SelectUSB}, Verb: "transport"}},
		{"host:transport-local", HostRequest{Selector: Selector{Kind: SelectLocal}, Verb: "transport"}},
		{"host:transport-id:12", HostRequest{Selector: Selector{Kind: SelectTransportID, ID: 12}, Verb: "transport"}},
		{"host:tport:serial:a:b", HostRequest{Selector: serial("a:b"), Verb: "transport", Tport: true}},
		{"host:tport:any", HostRequest{Verb: "transport", Tport: true}},
		{"host:tport:usb", HostRequest{Selector: Selector{Kind: SelectUSB}, Verb: "transport", Tport: true}},
		{"host:tport:local", HostRequest{Selector: Selector{Kind: SelectLocal}, Verb: "transport", Tport: true}},
	} {
		cases++
		got, ok := ParseHostRequest(c.text)
		if !ok || got != c.want {
			t.Errorf("%q: %+v %v", c.text, got, ok)
		}
		if !IsHostRequest(c.text) {
			t.Errorf("%q: no host request", c.text)
		}
	}
	if cases != 36 {
		t.Fatalf("%d cases", cases)
	}
}

func TestParseHostRequestRefusals(t *testing.T) {
	cases := 0
	for _, text := range []string{
		"", "host", "host:", "host::", "host::x", "shell:ls", "sync:", "Host:version",
		"host-serial:", "host-serial::", "host-serial:foo", "host-serial:foo:", "host-serial::foo",
		"host-serial:tcp:", "host-serial:usb:", "host-serial:usb:x", "host-serial:product:x:",
		"host-serial:[::1]", "host-serial:[::1]x:y", "host-serial:vsock:", "host-serial:vsock:3",
		"host-serial:foo:1234:", "host-transport-id:", "host-transport-id:x:y", "host-transport-id:7",
		"host-transport-id:7x:y", "host-transport-id:99999999999999999999:y", "host-transport-id:-1:y",
		"host-usb:", "host:transport", "host:transport:", "host:transport-id:", "host:transport-id:1x", "host:transportx",
		"host:tport:", "host:tport:serial:", "host:tport:x", "host:tport:id:1", "host:transport-anyx",
	} {
		cases++
		if got, ok := ParseHostRequest(text); ok {
			t.Errorf("%q: %+v", text, got)
		}
	}
	if cases != 39 {
		t.Fatalf("%d cases", cases)
	}
}

// A selector is read again as it was written, as a transport and as a prefix.
func TestSelectorRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := Selector{Kind: SelectorKind(rapid.IntRange(0, 4).Draw(t, "kind"))}
		switch s.Kind {
		case SelectSerial:
			s.Serial = rapid.StringMatching(`[a-zA-Z0-9-]{1,9}(:[0-9]{1,5})?|usb:[0-9]-[0-9.]+|\[[0-9a-f:]{2,9}\]:[0-9]{1,5}|vsock:[0-9]:[0-9]{1,5}`).Draw(t, "serial")
		case SelectTransportID:
			s.ID = uint64(rapid.Int64Range(0, 1<<62).Draw(t, "id"))
		}
		if got, ok := ParseHostRequest(s.Transport()); !ok || got != (HostRequest{Selector: s, Verb: "transport"}) {
			t.Fatalf("%q: %+v", s.Transport(), got)
		}
		if got, ok := ParseHostRequest(s.Prefix() + "forward:tcp:1;tcp:2"); !ok || got != (HostRequest{Selector: s, Verb: "forward", Args: "tcp:1;tcp:2"}) {
			t.Fatalf("%q: %+v", s.Prefix(), got)
		}
		if s.Kind != SelectTransportID {
			if got, ok := ParseHostRequest(s.tport()); !ok || got != (HostRequest{Selector: s, Verb: "transport", Tport: true}) {
				t.Fatalf("%q: %+v", s.tport(), got)
			}
		}
	})
}

// FuzzRequest reads the smart socket's requests. What is read is written to
// the same bytes, and a request that was understood means the same when it is
// put together again from its parts.
func FuzzRequest(f *testing.F) {
	for _, seed := range []string{
		"000chost:version", "0014host:transport:abcde", "001dhost-serial:[::1]:5555:get-state",
		"0021host-transport-id:7:forward:tcp:1;x", "0008shell:ls", "0016host:tport:serial:a:b:c",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		r := bytes.NewReader(b)
		request, err := ReadRequest(r)
		if err != nil {
			return
		}
		var again bytes.Buffer
		if err := WriteRequest(&again, request); err != nil || !strings.EqualFold(again.String()[:4], string(b[:4])) || again.String()[4:] != string(b[4:len(b)-r.Len()]) {
			t.Fatalf("%q is written as %q, %v", b, again.Bytes(), err)
		}
		h, ok := ParseHostRequest(request)
		if !ok {
			return
		}
		if !IsHostRequest(request) {
			t.Fatalf("%q is a host request and is not", request)
		}
		put := h.Selector.Prefix() + h.Verb
		if h.Verb == "transport" {
			if put = h.Selector.Transport(); h.Tport {
				put = h.Selector.tport()
			}
		} else if h.Args != "" {
			put += ":" + h.Args
		}
		if back, ok := ParseHostRequest(put); !ok || back != h {
			t.Fatalf("%q means %+v, %q means %+v", request, h, put, back)
		}
	})
}
