package adb_test

import (
	"bytes"
	"io"
	"net"
	"strings"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"github.com/countersign/countersign/gate/adb"
)

// What a client sends comes out in the same bytes, however it is cut, and its
// hanging up is noticed while nobody reads.
func TestBuffered(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		near, far := net.Pipe()
		c := adb.Buffered(far, func() error { return nil }, func(string) error { return nil })
		var sent []byte
		pieces := rapid.SliceOfN(rapid.IntRange(1, 50_000), 0, 12).Draw(t, "pieces")
		size := rapid.IntRange(1, 70_000).Draw(t, "read")
		for i, n := range pieces {
			sent = append(sent, bytes.Repeat([]byte{byte('a' + i)}, n)...)
		}
		go func() {
			rest := sent
			for _, n := range pieces {
				near.Write(rest[:n])
				rest = rest[n:]
			}
			near.Close()
		}()
		if len(sent) < 200_000 { // within what is read ahead
			<-c.Gone()
		}
		var got []byte
		for chunk := make([]byte, size); ; {
			n, err := c.Read(chunk)
			got = append(got, chunk[:n]...)
			if err == io.EOF {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		<-c.Gone()
		if !bytes.Equal(got, sent) {
			t.Fatalf("%d bytes became %d", len(sent), len(got))
		}
		c.Close()
		c.Close()
		if _, err := c.Read(make([]byte, 1)); err == nil {
			t.Fatal("a closed client can be read")
		}
	})
}

// Reading ahead ends at its bound: the client is left waiting.
func TestBufferedIsBounded(t *testing.T) {
	near, far := net.Pipe()
	c := adb.Buffered(far, func() error { return nil }, func(string) error { return nil })
	var mu sync.Mutex
	taken := 0
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			n, err := near.Write(bytes.Repeat([]byte("x"), 16<<10))
			mu.Lock()
			taken += n
			mu.Unlock()
			if err != nil {
				return
			}
		}
	}()
	// Once a first byte can be read, reading ahead has begun; closing ends it.
	if _, err := io.ReadFull(c, make([]byte, 100_000)); err != nil {
		t.Fatal(err)
	}
	c.Close()
	<-done
	if mu.Lock(); taken > 100_000+256<<10+64<<10 {
		t.Errorf("%d bytes were taken", taken)
	}
	mu.Unlock()
}

// Many clients at once, each with services of its own: what is held does not reach
// the phone, everything else does, and nothing is left open.
func TestManyAtOnce(t *testing.T) {
	f := newFixture(t, hurried)
	f.twoButtons()
	var clients sync.WaitGroup
	for range 8 {
		clients.Go(func() {
			for range 4 {
				for _, service := range []string{"shell:getprop", "exec:uiautomator dump /dev/tty", tapSend, "tcpip:5555", "mdns:",
					"shell,v2,raw:", "shell:input text a"} {
					f.serve(service, stdin("getprop a\n", 4))
				}
			}
		})
	}
	clients.Wait()
	for _, what := range f.phone.record() {
		if strings.Contains(what, "950 2150") || what == "tcpip:5555" || what == "mdns:" {
			t.Fatalf("the phone got %q", what)
		}
	}
	if got, want := len(f.phone.record()), 8*4*4; got < want {
		t.Errorf("the phone got %d services and lines, at least %d were harmless", got, want)
	}
}

// A phone has room for so many services at a time, and the one too many is told.
func TestTooManyServices(t *testing.T) {
	f := newFixture(t)
	var open []*session
	f.phone.mu.Lock()
	stay := make(chan struct{})
	f.phone.serving["exec:top"] = func(c net.Conn) { <-stay; c.Close() }
	f.phone.mu.Unlock()
	started := make(chan struct{}, 256)
	f.phone.tell(func(service string) {
		if service == "exec:top" {
			started <- struct{}{}
		}
	})
	for range 256 {
		open = append(open, f.begin("exec:top", ""))
	}
	for range 256 {
		<-started
	}
	if r := f.serve("exec:top", ""); !strings.Contains(r.refused, "256 services") {
		t.Errorf("told %+v", r)
	}
	close(stay)
	for _, c := range open {
		c.wait()
	}
	f.phone.tell(nil)
	if r := f.serve("shell:getprop", ""); !r.passed() {
		t.Errorf("when there is room again: %+v", r)
	}
}
