package wire

import (
	"bytes"
	"context"
	"io"
	"net"
	"testing"
)

// overTCP are a session's two ends over loopback.
func overTCP(b *testing.B, device, host SessionOptions) (d, h *Session) {
	b.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	near, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		b.Fatal(err)
	}
	far, err := l.Accept()
	if err != nil {
		b.Fatal(err)
	}
	return pairOver(b, far, near, device, host)
}

// BenchmarkStream sends 1 MiB at a time from the phone to the server, beside
// the same over a bare connection.
func BenchmarkStream(b *testing.B) {
	buffer := make([]byte, 1<<20)
	for name, flow := range flows {
		b.Run(name, func(b *testing.B) {
			n := b.N
			device := flow(SessionOptions{Open: func(_ context.Context, s *Stream, _ string) {
				_ = s.Accept()
				for range n {
					if _, err := s.Write(buffer); err != nil {
						return
					}
				}
			}})
			_, h := overTCP(b, device, flow(SessionOptions{}))
			st, err := h.Open(b.Context(), "x")
			if err != nil {
				b.Fatal(err)
			}
			b.SetBytes(int64(len(buffer)))
			b.ReportAllocs()
			b.ResetTimer()
			if got, err := io.Copy(io.Discard, st); err != nil || got != int64(n)<<20 {
				b.Fatal(got, err)
			}
		})
	}
	b.Run("bare", func(b *testing.B) {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			b.Fatal(err)
		}
		defer func() { _ = l.Close() }()
		n := b.N
		go func() {
			c, err := l.Accept()
			if err != nil {
				return
			}
			defer func() { _ = c.Close() }()
			for range n {
				if _, err := c.Write(buffer); err != nil {
					return
				}
			}
		}()
		c, err := net.Dial("tcp", l.Addr().String())
		if err != nil {
			b.Fatal(err)
		}
		b.SetBytes(int64(len(buffer)))
		b.ResetTimer()
		into := make([]byte, 1<<20)
		for total := 0; total < n<<20; {
			got, err := c.Read(into)
			if err != nil {
				b.Fatal(err)
			}
			total += got
		}
	})
}

// BenchmarkOpen opens a stream, has eight bytes echoed and closes it.
func BenchmarkOpen(b *testing.B) {
	_, h := overTCP(b, SessionOptions{Open: echo}, SessionOptions{})
	b.ReportAllocs()
	for b.Loop() {
		st, err := h.Open(b.Context(), "echo")
		if err != nil {
			b.Fatal(err)
		}
		if _, err := st.Write([]byte("12345678")); err != nil {
			b.Fatal(err)
		}
		if _, err := io.ReadFull(st, make([]byte, 8)); err != nil {
			b.Fatal(err)
		}
		_ = st.Close()
	}
}

// BenchmarkPacket reads a packet of 64 bytes.
func BenchmarkPacket(b *testing.B) {
	packet := encoded(b, Packet{Command: WRTE, Arg0: 1, Arg1: 2, Payload: make([]byte, 64)})
	r := bytes.NewReader(packet)
	b.SetBytes(int64(len(packet)))
	b.ReportAllocs()
	for b.Loop() {
		r.Reset(packet)
		if _, err := ReadPacket(r, MaxPayload); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkParseHostRequest reads the longest form of a usual request.
func BenchmarkParseHostRequest(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if _, ok := ParseHostRequest("host-serial:127.0.0.1:5599:forward:norebind:tcp:0;localabstract:x"); !ok {
			b.Fatal("not read")
		}
	}
}
