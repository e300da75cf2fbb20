package adb_test

import (
	"fmt"
	"io"
	"net"
	"slices"
	"strings"
	"testing"

	"github.com/countersign/countersign/daemon"
	"github.com/countersign/countersign/ledger"
	"github.com/countersign/countersign/phone"
	"github.com/countersign/countersign/risk"
)

// observing says that nothing is held and everything recorded.
func observing(o *daemon.Options) { o.Observe, o.Unattended = true, true }

// In observe mode all passes that would be held or refused: it does on the phone
// what it does without a guard, and a row says what the guard would have done.
func TestObserving(t *testing.T) {
	type observed struct {
		name    string
		scene   *scene
		service string
		input   string       // what is typed into a shell begins with LINES
		outcome risk.Outcome // on record
		came    string       // what the phone was asked for or did, in part; empty for the scene's harm
	}
	cases := []observed{
		{"a tap on Send", composer, "shell:input tap {xy}", "", risk.Confirm, ""},
		{"an uninstall", removal, "shell,v2,TERM=xterm,raw:pm uninstall org.example.notes", "", risk.Confirm, ""},
		{"a line that nobody can read", composer, "exec:x=tap; input $x {xy}", "", risk.Confirm, ""},
		{"a press on a later screen", composer, "shell:sleep 0; input tap {xy}", "", risk.Confirm, ""},
		{"lines of a shell", composer, "shell,v2,raw:", "LINES echo hi\ninput tap {xy}\n", risk.Confirm, ""},
		{"a shell with a terminal", composer, "shell,v2,pty:", "LINES input tap {xy}\nexit\n", risk.Confirm, ""},
		{"a click over HTTP", composer, u2, rpc("click", "{x},{y}"), risk.Confirm, ""},
		{"a slide over HTTP", payment, u2, rpc("swipe", "{sliding},20"), risk.Confirm, ""},
		{"a protocol that nobody reads", composer, "tcp:7001", "\x00press {xy}\n", risk.Confirm, "7001 press"},
		{"a door beside the guard", composer, "tcp:5555", "\x00press {xy}\n", risk.Confirm, "5555 press"},
		{"a service that nobody knows", composer, "nobody:knows", "", risk.Confirm, "nobody:knows"},
		{"another accessibility service", composer, "shell:settings put secure enabled_accessibility_services org.example.reader/.ReaderService", "", risk.Deny, "settings put secure"},
		{"a connection that begins on the phone", composer, "reverse:forward:tcp:7000;tcp:9", "", risk.Confirm, "reverse:forward:tcp:7000"},
		{"root", composer, "root:", "", risk.Deny, "root:"},
	}
	if len(cases) != 14 {
		t.Fatalf("%d cases, 14 were written", len(cases))
	}
	fronts(t, func(t *testing.T, f front) {
		for _, c := range cases {
			t.Run(c.name, func(t *testing.T) {
				w := newWorld(t, f, observing)
				w.runs(u2)
				for _, target := range []string{"tcp:7001", "tcp:5555"} {
					stop, err := w.servers.Listen(target, func(conn net.Conn) { w.hears(target, conn) })
					w.must(err)
					defer stop()
				}
				w.show(c.scene)
				before := w.mark()
				input := w.fillCall(&call{scene: c.scene, sent: c.input})
				if lines, ok := strings.CutPrefix(input, "LINES "); ok {
					input = typed(lines)
				}
				if r := w.serve(w.fill(c.scene, c.service), input); strings.Contains(r.said()+r.out, "countersign") {
					t.Errorf("the client was told %+v", r)
				}
				if c.came == "" {
					w.happened(c.name, c.scene.harm)
				} else if got := strings.Join(append(w.reached(), w.came("heard")...), "; "); !strings.Contains(got, c.came) {
					t.Errorf("the phone got %q, not %q", got, c.came)
				}
				outcome := func(d ledger.Decision) bool { return d.Outcome == c.outcome }
				if got := w.decisions(before); !slices.ContainsFunc(got, outcome) {
					t.Errorf("on record is %+v, and nothing that says %v", got, c.outcome)
				}
				if open := w.open(); len(open) > 0 {
					t.Errorf("somebody is asked: %s", open[0].Card.Reason)
				}
			})
		}
	})
}

// hears is a server on the phone with a protocol of its own.
func (w *world) hears(target string, conn net.Conn) {
	defer conn.Close()
	var said []byte
	b := make([]byte, 1)
	for len(said) == 0 || said[len(said)-1] != '\n' {
		if _, err := io.ReadFull(conn, b); err != nil {
			return
		}
		said = append(said, b[0])
	}
	w.phone.Note(phone.Event{Kind: "heard", Detail: strings.TrimPrefix(target, "tcp:") + " " + strings.Trim(string(said), "\x00\n")})
	fmt.Fprint(conn, "ok")
}
