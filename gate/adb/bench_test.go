package adb_test

import (
	"io"
	"net"
	"testing"

	"github.com/countersign/countersign/gate/adb"
	"github.com/countersign/countersign/wire"
)

// BenchmarkAllowed is what the gate adds to a service that is allowed: a read, and
// a tap with its look, on a phone that answers at once and a record in memory.
func BenchmarkAllowed(b *testing.B) {
	for name, service := range map[string]string{"read": "shell:getprop ro.product.model", "tap": tapOpen} {
		b.Run(name, func(b *testing.B) {
			f := newFixture(b)
			f.twoButtons()
			b.ReportAllocs()
			for b.Loop() {
				if r := f.serve(service, ""); !r.passed() {
					b.Fatalf("%+v", r)
				}
			}
		})
	}
}

// BenchmarkPull is a file of 64 MB through the gate, and without it.
func BenchmarkPull(b *testing.B) {
	const size = 64 << 20
	chunk := make([]byte, 64<<10)
	serve := func(c net.Conn) {
		defer c.Close()
		if _, err := wire.ReadSyncRequest(c); err != nil {
			return
		}
		w := wire.NewSyncWriter(c)
		for range size / len(chunk) {
			w.Write(chunk)
		}
		w.Done(0)
	}
	pull := func(c net.Conn) {
		if err := wire.WriteSyncRequest(c, wire.SyncRequest{ID: wire.SyncRECV, Path: "/data/local/tmp/x"}); err != nil {
			b.Fatal(err)
		}
		if n, err := io.Copy(io.Discard, wire.NewSyncReader(c)); err != nil || n != size {
			b.Fatal(n, err)
		}
	}
	b.Run("gate", func(b *testing.B) {
		f := newFixture(b)
		f.phone.serving["sync:"] = serve
		b.SetBytes(size)
		for b.Loop() {
			near, far := net.Pipe()
			client := adb.Buffered(far, func() error { return nil }, func(string) error { return nil })
			done := make(chan error, 1)
			go func() { done <- f.device.Serve(f.ctx, "sync:", client) }()
			pull(near)
			near.Close()
			<-done
		}
	})
	b.Run("direct", func(b *testing.B) {
		b.SetBytes(size)
		for b.Loop() {
			near, far := net.Pipe()
			go serve(far)
			pull(near)
			near.Close()
		}
	})
}
