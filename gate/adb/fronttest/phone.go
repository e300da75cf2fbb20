package fronttest

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/countersign/countersign/wire"
)

// Features are those of a Phone.
var Features = []string{"shell_v2", "cmd", "stat_v2", "ls_v2", "fixed_push_mkdir", "abb", "abb_exec", "sendrecv_v2", "remount_shell"}

// Phone is a phone with one screen and some files. It answers what the gate asks
// for itself, and remembers what a client has reached.
type Phone struct {
	Addr string // where it listens: its serial, once a server has connected to it

	mu       sync.Mutex
	reached  []string
	own      []string
	files    map[string][]byte
	reverses []string // "host-1 REMOTE LOCAL"
	sessions []*wire.Session
}

// NewPhone starts a phone that lives as long as the test.
func NewPhone(t testing.TB) *Phone {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p := &Phone{Addr: l.Addr().String(), files: map[string][]byte{}}
	ctx, cancel := context.WithCancel(context.Background())
	var work sync.WaitGroup
	work.Go(func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			work.Go(func() { p.session(ctx, c) })
		}
	})
	t.Cleanup(func() {
		cancel()
		_ = l.Close()
		work.Wait()
	})
	return p
}

func (p *Phone) session(ctx context.Context, c net.Conn) {
	s, err := wire.ServeDevice(ctx, c, wire.SessionOptions{
		Banner: wire.Banner{Features: Features, Properties: map[string]string{
			"ro.product.name": "test", "ro.product.model": "Test 1", "ro.product.device": "bench"}},
		Open: p.open,
	})
	if err != nil {
		return
	}
	p.mu.Lock()
	p.sessions = append(p.sessions, s)
	p.mu.Unlock()
	_ = s.Wait()
}

// Reached is what clients have opened, in order.
func (p *Phone) Reached() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.reached)
}

// Forget forgets what was reached.
func (p *Phone) Forget() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.reached = nil
}

// Put writes a file onto the phone.
func (p *Phone) Put(name string, content []byte) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.files[name] = content
}

// Get reads a file of the phone.
func (p *Phone) Get(name string) ([]byte, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	b, ok := p.files[name]
	return b, ok
}

// Dial is an app on the phone that connects to a reverse.
func (p *Phone) Dial(ctx context.Context, remote string) (net.Conn, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, r := range p.reverses {
		if words := strings.Split(r, " "); words[1] == remote {
			return p.sessions[len(p.sessions)-1].Open(ctx, words[2])
		}
	}
	return nil, fmt.Errorf("nothing listens at %s on the phone", remote)
}

// HangUp ends the phone's connections.
func (p *Phone) HangUp() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, s := range p.sessions {
		_ = s.Close()
	}
	p.sessions = nil
}

// Own are the beginnings of what only the gate asks for, in these words.
var Own = []string{"exec:dumpsys window", "exec:rm -f /data/local/tmp/countersign-", "exec:screencap -p", "exec:stat -c",
	"exec:sha256sum", "exec:pm path", "exec:settings get secure default_input_method", "exec:wm size"}

// isOwn says whether a service is one of these.
func isOwn(service string) bool {
	return slices.ContainsFunc(Own, func(begin string) bool { return strings.HasPrefix(service, begin) })
}

func (p *Phone) open(ctx context.Context, s *wire.Stream, service string) {
	p.mu.Lock()
	if isOwn(service) {
		p.own = append(p.own, service)
	} else {
		p.reached = append(p.reached, service)
	}
	p.mu.Unlock()
	name, rest, _ := strings.Cut(service, ":")
	switch {
	case service == "tcp:1" || name == "jdwp": // nobody listens
		_ = s.Refuse()
		return
	case s.Accept() != nil:
		return
	}
	switch {
	case isOwn(service):
		_, _ = io.WriteString(s, look(service))
	case strings.HasPrefix(name, "shell,v2"):
		shell(s, rest)
	case name == "sync":
		p.sync(s)
	case name == "tcp":
		serveHTTP(s, service)
	case name == "reverse":
		p.reverse(s, rest)
	case rest == "waits":
		<-s.Done()
	default:
		_, _ = io.WriteString(s, "ran "+strings.ReplaceAll(rest, "\x00", " ")+"\n")
	}
}

// look answers the gate's own questions: one window with nothing on it.
func look(service string) string {
	switch {
	case strings.HasPrefix(service, "exec:dumpsys window"):
		return "WINDOW MANAGER\n  init=1080x2400 420dpi cur=1080x2400 app=1080x2300\n  mCurrentRotation=ROTATION_0\n" +
			"  mCurrentFocus=Window{1a2b3c u0 com.example/com.example.Main}\n"
	case strings.HasPrefix(service, "exec:rm"):
		return `<?xml version='1.0' encoding='UTF-8' standalone='yes' ?><hierarchy rotation="0"><node index="0" text="" class="android.widget.FrameLayout" package="com.example" bounds="[0,0][1080,2400]" /></hierarchy>`
	}
	return ""
}

// shell runs a line that says what it should exit with.
func shell(s *wire.Stream, line string) {
	code := byte(0)
	if n, ok := strings.CutPrefix(line, "exit "); ok {
		code = n[0] - '0'
	}
	if line == "waits" {
		<-s.Done()
		return
	}
	_ = wire.WriteShellPacket(s, wire.ShellStdout, []byte("ran "+line+"\n"))
	_ = wire.WriteShellPacket(s, wire.ShellExit, []byte{code})
}

// serveHTTP answers one call after the other with what was called.
func serveHTTP(s *wire.Stream, service string) {
	for in := bufio.NewReader(s); ; {
		r, err := http.ReadRequest(in)
		if err != nil {
			return
		}
		body, _ := io.ReadAll(r.Body)
		said := fmt.Sprintf(`{"value":{"ready":true,"was":"%s %s %s %d"}}`, service, r.Method, r.URL.Path, len(body))
		if _, err := fmt.Fprintf(s, "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", len(said), said); err != nil {
			return
		}
	}
}

// reverse keeps the phone's side of reverses.
func (p *Phone) reverse(s *wire.Stream, request string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	verb, args, _ := strings.Cut(request, ":")
	switch verb {
	case "forward":
		args, norebind := strings.CutPrefix(args, "norebind:")
		remote, local, _ := strings.Cut(args, ";")
		at := slices.IndexFunc(p.reverses, func(r string) bool { return strings.Contains(r, " "+remote+" ") })
		if norebind && at >= 0 {
			_ = wire.WriteFail(s, "cannot rebind existing socket")
			return
		}
		if at >= 0 {
			p.reverses = slices.Delete(p.reverses, at, at+1)
		}
		p.reverses = append(p.reverses, "host-1 "+remote+" "+local)
		_ = wire.WriteOkay(s)
	case "list-forward": // without an OKAY, which only servers send before a list
		_ = wire.WriteText(s, strings.Join(append(slices.Clone(p.reverses), ""), "\n"))
	default:
		p.reverses = slices.DeleteFunc(p.reverses, func(r string) bool {
			return verb == "killforward-all" || strings.Contains(r, " "+args+" ")
		})
		_ = wire.WriteOkay(s)
	}
}
