package smart_test

import (
	"io"
	"testing"

	"github.com/countersign/countersign/wire"
)

// BenchmarkShell is a command that reads, by a client of the raw socket: with the
// phone selected, the command run, its answer read to the end. Direct is through
// the same adb server without a gate.
func BenchmarkShell(b *testing.B) {
	f := newFixture(b)
	for name, server := range map[string]wire.Server{"direct": f.hidden.Server(), "guarded": f.front} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				c, err := server.Open(b.Context(), wire.Selector{Kind: wire.SelectSerial, Serial: f.phone.Addr}, "shell,v2,raw:echo hi")
				if err != nil {
					b.Fatal(err)
				}
				if _, err := io.Copy(io.Discard, c); err != nil {
					b.Fatal(err)
				}
				_ = c.Close()
			}
		})
	}
}

// BenchmarkPull fetches a file of 64 MiB by the file service.
func BenchmarkPull(b *testing.B) {
	f := newFixture(b)
	const name = "/data/local/tmp/big.bin"
	f.phone.Put(name, make([]byte, 64<<20))
	for where, server := range map[string]wire.Server{"direct": f.hidden.Server(), "guarded": f.front} {
		b.Run(where, func(b *testing.B) {
			b.SetBytes(64 << 20)
			for b.Loop() {
				c, err := server.Open(b.Context(), wire.Selector{Kind: wire.SelectSerial, Serial: f.phone.Addr}, "sync:")
				if err != nil {
					b.Fatal(err)
				}
				if err := wire.WriteSyncRequest(c, wire.SyncRequest{ID: wire.SyncRECV, Path: name}); err != nil {
					b.Fatal(err)
				}
				if n, err := io.Copy(io.Discard, wire.NewSyncReader(c)); err != nil || n != 64<<20 {
					b.Fatal(n, err)
				}
				_ = c.Close()
			}
		})
	}
}
