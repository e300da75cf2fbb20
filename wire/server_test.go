package wire

import (
	"context"
	"errors"
	"io"
	"net"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
)

// fakeServer answers requests by a table and remembers them; a request that is
// not in it is refused.
type fakeServer struct {
	Server
	answers map[string]string

	mu    sync.Mutex
	asked []string
}

func serveFake(t *testing.T, answers map[string]string) *fakeServer {
	t.Helper()
	l, err := net.Listen("unix", filepath.Join(t.TempDir(), "adb.sock"))
	if err != nil {
		t.Fatal(err)
	}
	f := &fakeServer{Server: Server{Network: "unix", Address: l.Addr().String()}, answers: answers}
	var all sync.WaitGroup
	all.Go(func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			all.Go(func() { f.serve(c) })
		}
	})
	t.Cleanup(func() {
		_ = l.Close()
		all.Wait()
	})
	return f
}

func (f *fakeServer) serve(c net.Conn) {
	defer func() { _ = c.Close() }()
	for {
		request, err := ReadRequest(c)
		if err != nil {
			return
		}
		f.mu.Lock()
		f.asked = append(f.asked, request)
		f.mu.Unlock()
		answer, known := f.answers[request]
		switch {
		case !known:
			_ = WriteFail(c, "no "+request)
			return
		case answer == "hangs":
			_, _ = io.Copy(io.Discard, c)
			return
		default:
			_, _ = io.WriteString(c, answer)
		}
	}
}

func TestServer(t *testing.T) {
	s := serveFake(t, map[string]string{
		"host:version":         "OKAY00040029",
		"host:transport:x:1":   "OKAY",
		"shell:ls":             "OKAYfiles",
		"host:killforward-all": "OKAY",
		"host:tport:usb":       "OKAY\x05\x00\x00\x00\x00\x00\x00\x00",
		"host:tport:any":       "OKAY\x06\x00",
		"host:transport-id:9":  "OKAY",
		"host:odd":             "WHAT",
		"host:text":            "OKAYzzzz",
	})
	ctx := t.Context()
	serial := Selector{Kind: SelectSerial, Serial: "x:1"}
	var failure *Failure

	if text, err := s.Query(ctx, "host:version"); text != "0029" || err != nil {
		t.Errorf("version: %q, %v", text, err)
	}
	if _, err := s.Query(ctx, "host:devices"); !errors.As(err, &failure) || failure.Message != "no host:devices" {
		t.Errorf("a refusal: %v", err)
	}
	if _, err := s.Query(ctx, "host:odd"); !errors.Is(err, ErrProtocol) {
		t.Errorf("an answer that is none: %v", err)
	}
	if _, err := s.Query(ctx, "host:text"); !errors.Is(err, ErrProtocol) {
		t.Errorf("a text that is none: %v", err)
	}
	if err := s.Command(ctx, "host:killforward-all"); err != nil {
		t.Errorf("a command: %v", err)
	}
	if err := s.Command(ctx, ""); err == nil {
		t.Error("an empty command was sent")
	}

	c, err := s.Open(ctx, serial, "shell:ls")
	if err != nil {
		t.Fatal(err)
	}
	b := make([]byte, 5)
	if _, err := io.ReadFull(c, b); err != nil || string(b) != "files" {
		t.Errorf("a service: %q, %v", b, err)
	}
	_ = c.Close()
	if _, err := s.Open(ctx, serial, "shell:rm"); !errors.As(err, &failure) {
		t.Errorf("a refused service: %v", err)
	}

	if id, err := s.Transport(ctx, Selector{Kind: SelectUSB}); id != 5 || err != nil {
		t.Errorf("the number of a transport: %d, %v", id, err)
	}
	if id, err := s.Transport(ctx, Selector{Kind: SelectTransportID, ID: 9}); id != 9 || err != nil {
		t.Errorf("a number that is known: %d, %v", id, err)
	}
	if _, err := s.Transport(ctx, serial); !errors.As(err, &failure) {
		t.Errorf("a phone that is not there: %v", err)
	}

	s.mu.Lock()
	defer s.mu.Unlock()
	if got := strings.Join(s.asked[:5], " "); got != "host:version host:devices host:odd host:text host:killforward-all" {
		t.Errorf("asked %s", got)
	}
	if !slices.Contains(s.asked, "host:tport:serial:x:1") {
		t.Errorf("asked %q", s.asked)
	}
}

// A server that does not answer ends nothing but the call.
func TestServerThatHangs(t *testing.T) {
	s := serveFake(t, map[string]string{"host:version": "hangs", "host:devices": "OKAY", "host:tport:any": "OKAY", "host:transport-any": "OKAY", "x": "hangs"})
	cases := 0
	for name, call := range map[string]func(context.Context) error{
		"before the status": func(ctx context.Context) error { return s.Command(ctx, "host:version") },
		"before the text":   func(ctx context.Context) error { _, err := s.Query(ctx, "host:devices"); return err },
		"before the number": func(ctx context.Context) error { _, err := s.Transport(ctx, Selector{}); return err },
		"before the stream": func(ctx context.Context) error { _, err := s.Open(ctx, Selector{}, "x"); return err },
	} {
		cases++
		ctx, cancel := context.WithCancel(t.Context())
		s.mu.Lock()
		before := len(s.asked)
		s.mu.Unlock()
		done := make(chan error, 1)
		go func() { done <- call(ctx) }()
		for asked := before; asked == before; {
			s.mu.Lock()
			asked = len(s.asked)
			s.mu.Unlock()
		}
		cancel()
		if err := <-done; !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if cases != 4 {
		t.Fatalf("%d cases", cases)
	}
	if _, err := (Server{Network: "unix", Address: "/nowhere/adb.sock"}).Query(t.Context(), "host:version"); err == nil || !strings.Contains(err.Error(), "no adb server at /nowhere") {
		t.Errorf("without a server: %v", err)
	}
}
