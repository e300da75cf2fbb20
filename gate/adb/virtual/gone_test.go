package virtual_test

import (
	"context"
	"errors"
	"net"
	"strings"
	"testing"

	"github.com/countersign/countersign/approval"
	"github.com/countersign/countersign/wire"
)

// dial is an agent that speaks to the guarded phone itself, without an adb server.
func (f *fixture) dial() *wire.Session {
	f.t.Helper()
	c, err := net.Dial("tcp", f.addr)
	f.must(err)
	s, err := wire.DialHost(context.Background(), c, wire.SessionOptions{
		Banner: wire.Banner{State: "host", Features: []string{"shell_v2", "cmd", "abb", "abb_exec"}},
	})
	f.must(err)
	f.t.Cleanup(func() { _ = s.Close() })
	return s
}

// A question whose client has gone is withdrawn: with the transport, whatever it was,
// and with its stream where that was accepted. One that was not has no end of its
// own, for the protocol has no word for a side that does not know the other's
// number yet; that its client is gone is found out before anything is done.
func TestQuestionsOfTheGone(t *testing.T) {
	services := []string{
		"shell,v2,raw:pm uninstall com.whatsapp", "shell:pm uninstall com.whatsapp", "exec:pm uninstall com.whatsapp",
		"abb_exec:package\x00uninstall\x00com.whatsapp", "reboot:",
	}
	goes := map[string]func(s *wire.Session, giveUp context.CancelFunc){
		"its stream":    func(_ *wire.Session, giveUp context.CancelFunc) { giveUp() },
		"the transport": func(s *wire.Session, _ context.CancelFunc) { _ = s.Close() },
	}
	cases := 0
	for _, service := range services {
		for name, gone := range goes {
			if name == "its stream" && !strings.HasPrefix(service, "shell,v2") {
				continue
			}
			cases++
			f := newFixture(t)
			s := f.dial()
			ctx, giveUp := context.WithCancel(t.Context())
			opened := make(chan error, 1)
			go func() {
				stream, err := s.Open(ctx, service)
				if err == nil { // a shell, which is accepted at once
					<-ctx.Done()
					_ = stream.Close()
				}
				opened <- err
			}()
			q := f.question()
			gone(s, giveUp)
			f.settled(q.ID, approval.Cancelled)
			var conflict *approval.Conflict
			if err := f.answer(q, true); !errors.As(err, &conflict) {
				t.Errorf("%s, gone with %s: a yes says %v", service, name, err)
			}
			giveUp()
			<-opened
			if got := strings.Join(f.phone.Reached(), " "); strings.Contains(got, "uninstall") || strings.Contains(got, "reboot") {
				t.Errorf("%s, gone with %s: the phone got %q", service, name, got)
			}
			f.stop()
		}
	}
	if cases != 6 {
		t.Errorf("%d cases, want 6", cases)
	}
}
