package wire

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestShellPacketErrors(t *testing.T) {
	cases := 0
	for _, c := range []struct {
		bytes string
		limit int
		want  error
	}{
		{"", 10, io.EOF},
		{"\x01\x02", 10, io.ErrUnexpectedEOF},
		{"\x01\x02\x00\x00\x00x", 10, io.ErrUnexpectedEOF},
		{"\x01\x02\x00\x00\x00xx", 1, ErrProtocol},
		{"\x01\xff\xff\xff\xffxx", 1 << 40, ErrProtocol},
		{"\x01\x01\x00\x00\x00x", -1, ErrProtocol},
	} {
		cases++
		if _, _, err := ReadShellPacket(strings.NewReader(c.bytes), c.limit); !errors.Is(err, c.want) {
			t.Errorf("%q: %v", c.bytes, err)
		}
	}
	if cases != 6 {
		t.Fatalf("%d cases", cases)
	}
	if err := WriteShellPacket(io.Discard, ShellStdout, make([]byte, MaxPayload+1)); err == nil {
		t.Error("a packet beyond the largest was written")
	}
	var names []string
	for id := range ShellID(7) {
		names = append(names, id.String())
	}
	if got := strings.Join(names, ","); got != "stdin,stdout,stderr,exit,close stdin,window size,shell packet 6" {
		t.Error(got)
	}
}

func TestShellPacketRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		id := ShellID(rapid.Byte().Draw(t, "id"))
		data := rapid.SliceOfN(rapid.Byte(), 0, 300).Draw(t, "data")
		var b bytes.Buffer
		if err := WriteShellPacket(&b, id, data); err != nil {
			t.Fatal(err)
		}
		b.WriteString("next")
		gotID, got, err := ReadShellPacket(&b, 300)
		if err != nil || gotID != id || !bytes.Equal(got, data) || b.String() != "next" {
			t.Fatalf("%v %q %v, left %q", gotID, got, err, b.String())
		}
	})
}

// FuzzShellPacket: what is read is written to the same bytes.
func FuzzShellPacket(f *testing.F) {
	f.Add([]byte("\x01\x02\x00\x00\x00hi\x03\x01\x00\x00\x00\x00"))
	f.Add([]byte("\x00\x03\x00\x00\x00ls\n\x04\x00\x00\x00\x00"))
	f.Add([]byte("\x05\xff\xff\xff\xff"))
	f.Fuzz(func(t *testing.T, b []byte) {
		var again bytes.Buffer
		for r := bytes.NewReader(b); ; {
			id, data, err := ReadShellPacket(r, 4096)
			if err != nil {
				break
			}
			if err := WriteShellPacket(&again, id, data); err != nil {
				t.Fatal(err)
			}
		}
		if !bytes.HasPrefix(b, again.Bytes()) {
			t.Fatalf("%q is written as %q", b, again.Bytes())
		}
	})
}
