package adbd

import (
	"context"
	"io"

	"github.com/countersign/countersign/phone"
	"github.com/countersign/countersign/wire"
)

// open serves a stream. What was asked for is written down before it is done.
func (t *transport) open(ctx context.Context, s *wire.Stream, service string) {
	<-t.ready
	t.phone.Note(phone.Event{Kind: "service", Detail: service})
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	go func() {
		select {
		case <-s.Done():
			cancel()
		case <-ctx.Done():
		}
	}()
	q := ParseService(service)
	serve, known := serves[q.Name]
	if !known || !q.Colon && !bare[q.Name] {
		s.Refuse()
		return
	}
	serve(t, ctx, s, q)
}

// serves are the services of adbd.
var serves map[string]func(t *transport, ctx context.Context, s *wire.Stream, q Service)

// bare are services without a colon.
var bare = map[string]bool{"jdwp": true, "track-jdwp": true, "track-app": true}

func init() {
	serves = map[string]func(t *transport, ctx context.Context, s *wire.Stream, q Service){
		"shell": (*transport).shellService, "exec": (*transport).execService,
		"abb": (*transport).abbService, "abb_exec": (*transport).abbExecService,
		"sync": (*transport).syncService, "reverse": (*transport).reverseService, "framebuffer": (*transport).framebuffer,
		"tcp": (*transport).connect, "localabstract": (*transport).connect, "local": (*transport).connect,
		"localreserved": (*transport).connect, "localfilesystem": (*transport).connect,
		"jdwp": (*transport).jdwp, "track-jdwp": (*transport).trackProcesses, "track-app": (*transport).trackProcesses,
		"root":           says("adbd cannot run as root in production builds\n"),
		"unroot":         says("adbd not running as root\n"),
		"remount":        says("Not running as root. Try \"adb root\" first.\n"),
		"disable-verity": says("verity cannot be disabled/enabled - USER build\n"),
		"enable-verity":  says("verity cannot be disabled/enabled - USER build\n"),
		"usb":            says("restarting in USB mode\n"),
		"tcpip": func(t *transport, ctx context.Context, s *wire.Stream, q Service) {
			says("restarting in TCP mode port: "+q.Rest+"\n")(t, ctx, s, q)
		},
		"reboot": func(t *transport, ctx context.Context, s *wire.Stream, q Service) {
			t.phone.Note(phone.Event{Kind: "reboot", Detail: q.Rest})
			s.Accept()
		},
	}
}

// says is a service that answers with a text and does nothing: what a user build
// says to who wants more than it gives.
func says(text string) func(t *transport, ctx context.Context, s *wire.Stream, q Service) {
	return func(_ *transport, _ context.Context, s *wire.Stream, _ Service) {
		if s.Accept() == nil {
			io.WriteString(s, text)
		}
	}
}

// connect joins the stream to a server on the phone. "tcp:PORT:HOST" would be a
// way from the phone to elsewhere, and is refused.
func (t *transport) connect(ctx context.Context, s *wire.Stream, q Service) {
	conn, err := t.servers.Dial(q.String())
	if err != nil {
		t.log.Info("a connection to the phone was refused", "service", q.String(), "error", err)
		s.Refuse()
		return
	}
	if s.Accept() != nil {
		conn.Close()
		return
	}
	join(ctx, s, conn)
}

// jdwp is refused for a process, for no app here can be debugged; without one it
// lists those that can.
func (t *transport) jdwp(_ context.Context, s *wire.Stream, q Service) {
	if q.Colon {
		s.Refuse()
		return
	}
	s.Accept()
}

// trackProcesses lists the processes that can be debugged, none, and then waits
// for more.
func (t *transport) trackProcesses(ctx context.Context, s *wire.Stream, _ Service) {
	if s.Accept() == nil && wire.WriteText(s, "") == nil {
		<-ctx.Done()
	}
}

// copyAll copies until either side ends; which of them did is of no interest.
func copyAll(to io.Writer, from io.Reader) { io.Copy(to, from) }
