package wire

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// encoded is a packet as it goes over the wire.
func encoded(t testing.TB, p Packet) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := WritePacket(&b, &p); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// same says whether two packets are the same; no payload is an empty one.
func same(a, b Packet) bool {
	return a.Command == b.Command && a.Arg0 == b.Arg0 && a.Arg1 == b.Arg1 && bytes.Equal(a.Payload, b.Payload)
}

// The bytes of a packet as adb 29 sends it: protocol.txt, and what was recorded
// of its first packet.
func TestPacketBytes(t *testing.T) {
	got := encoded(t, Packet{Command: OKAY, Arg0: 1, Arg1: 0x0203, Payload: []byte{1, 2, 0xff}})
	want := "OKAY\x01\x00\x00\x00\x03\x02\x00\x00\x03\x00\x00\x00\x02\x01\x00\x00\xb0\xb4\xbe\xa6\x01\x02\xff"
	if string(got) != want {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

func TestPacketErrors(t *testing.T) {
	good := encoded(t, Packet{Command: WRTE, Arg0: 1, Arg1: 2, Payload: []byte("hello")})
	change := func(at int, b byte) []byte {
		c := slices.Clone(good)
		c[at] ^= b
		return c
	}
	cases := 0
	for _, c := range []struct {
		name  string
		bytes []byte
		limit int
		want  error
		says  string
	}{
		{"nothing", nil, 100, io.EOF, "EOF"},
		{"half a header", good[:10], 100, io.ErrUnexpectedEOF, "header"},
		{"no payload", good[:24], 100, io.ErrUnexpectedEOF, "payload of WRTE"},
		{"half a payload", good[:27], 100, io.ErrUnexpectedEOF, "payload of WRTE"},
		{"another magic", change(20, 1), 100, ErrProtocol, "magic"},
		{"another command", change(0, 1), 100, ErrProtocol, "magic"},
		{"another sum", change(16, 1), 100, ErrProtocol, "sums up"},
		{"another byte", change(24, 1), 100, ErrProtocol, "sums up"},
		{"too long for what was agreed", good, 4, ErrProtocol, "at most 4"},
		{"too long for anybody", change(14, 0xff), 1 << 30, ErrProtocol, "at most 1048576"},
		{"a negative limit", good, -1, ErrProtocol, "at most 0"},
		{"an http request", []byte("GET /index.html HTTP/1.1\r\n\r\n"), 100, ErrProtocol, "magic"},
	} {
		cases++
		_, err := ReadPacket(bytes.NewReader(c.bytes), c.limit)
		if !errors.Is(err, c.want) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
	if cases != 12 {
		t.Fatalf("%d cases", cases)
	}
	if err := WritePacket(io.Discard, &Packet{Command: WRTE, Payload: make([]byte, MaxPayload+1)}); err == nil {
		t.Error("a payload beyond the largest was written")
	}
	binary.LittleEndian.PutUint32(good[16:], 0)
	if p, err := ReadPacket(bytes.NewReader(good), 100); err != nil || string(p.Payload) != "hello" {
		t.Errorf("without a sum: %v", err)
	}
}

func TestCommandNames(t *testing.T) {
	var names []string
	for _, c := range []Command{CNXN, AUTH, OPEN, OKAY, CLSE, WRTE, STLS, SYNC, 1} {
		names = append(names, c.String())
	}
	if got := strings.Join(names, " "); got != "CNXN AUTH OPEN OKAY CLSE WRTE STLS SYNC command 0x00000001" {
		t.Error(got)
	}
}

func TestPacketRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := Packet{
			Command: Command(rapid.Uint32().Draw(t, "command")),
			Arg0:    rapid.Uint32().Draw(t, "arg0"),
			Arg1:    rapid.Uint32().Draw(t, "arg1"),
			Payload: rapid.SliceOfN(rapid.Byte(), 0, 300).Draw(t, "payload"),
		}
		var b bytes.Buffer
		if err := WritePacket(&b, &p); err != nil {
			t.Fatal(err)
		}
		b.WriteString("next")
		got, err := ReadPacket(&b, 300)
		if err != nil || !same(got, p) || b.String() != "next" {
			t.Fatalf("got %v %v, left %q", got, err, b.String())
		}
	})
}

func TestBanner(t *testing.T) {
	cases := 0
	for _, c := range []struct {
		text string
		want Banner
	}{
		{"device::ro.product.name=sdk;ro.product.model=Pixel 9;ro.product.device=emu;features=shell_v2,cmd", Banner{
			State:      "device",
			Properties: map[string]string{"ro.product.name": "sdk", "ro.product.model": "Pixel 9", "ro.product.device": "emu"},
			Features:   []string{"shell_v2", "cmd"}}},
		{"device::ro.product.model=x;\x00", Banner{State: "device", Properties: map[string]string{"ro.product.model": "x"}}},
		{"host::\x00", Banner{State: "host"}},
		{"host::features=", Banner{State: "host"}},
		{"host", Banner{State: "host"}},
		{"bootloader:", Banner{State: "bootloader"}},
		{"device:abc:x;=;y=1=2;z=3", Banner{State: "device", Serial: "abc", Properties: map[string]string{"z": "3"}}},
		{"device::a=b:c", Banner{State: "device", Properties: map[string]string{"a": "b:c"}}},
	} {
		cases++
		got, err := ParseBanner(c.text)
		if err != nil || !sameBanner(got, c.want) {
			t.Errorf("%q: %+v, %v", c.text, got, err)
		}
	}
	if cases != 8 {
		t.Fatalf("%d cases", cases)
	}
	for _, text := range []string{"", "\x00", "::", strings.Repeat("x", maxBanner+1)} {
		if _, err := ParseBanner(text); !errors.Is(err, ErrProtocol) {
			t.Errorf("%.20q: %v", text, err)
		}
	}
}

func sameBanner(a, b Banner) bool {
	if a.State != b.State || a.Serial != b.Serial || !slices.Equal(a.Features, b.Features) || len(a.Properties) != len(b.Properties) {
		return false
	}
	for key, value := range a.Properties {
		if other, ok := b.Properties[key]; !ok || other != value {
			return false
		}
	}
	return true
}

// What a phone says of itself must not become a property or a feature that it
// did not name.
func TestBannerOfHostileProperties(t *testing.T) {
	b := Banner{State: "device", Properties: map[string]string{"model": "x;features=evil:=\x00", "features": "y"}, Features: []string{"a,b;c"}}
	if got := b.String(); got != "device::model=x_features_evil___;features=a_b_c" {
		t.Error(got)
	}
}

func TestBannerRoundTrip(t *testing.T) {
	word := rapid.StringMatching(`[a-z._ 0-9]{1,8}`)
	rapid.Check(t, func(t *rapid.T) {
		b := Banner{
			State:      rapid.StringMatching(`[a-z]{1,8}`).Draw(t, "state"),
			Serial:     rapid.StringMatching(`[a-z0-9]{0,8}`).Draw(t, "serial"),
			Properties: rapid.MapOfN(word.Filter(func(s string) bool { return s != "features" }), word, 0, 4).Draw(t, "properties"),
			Features:   rapid.SliceOfN(word, 0, 4).Draw(t, "features"),
		}
		got, err := ParseBanner(b.String())
		if err != nil || !sameBanner(got, b) {
			t.Fatalf("%q is read as %+v, %v", b, got, err)
		}
	})
}
