package bench

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/countersign/countersign/daemon"
)

// guard is a running daemon, as countersign up starts it, but for the limit on
// pure decisions.
type guard struct {
	*daemon.Daemon
	home            string
	agents          string // the address of the agents' door
	agent, approver string // the tokens of the first agent and of the owner
}

func startGuard(t testing.TB) *guard {
	t.Helper()
	home, err := os.MkdirTemp(t.TempDir(), "home") // for its owner alone, which TempDir is not
	if err != nil {
		t.Fatal(err)
	}
	d, err := daemon.New(context.Background(), daemon.Options{
		Home: home, Agents: "127.0.0.1:0", Inbox: "127.0.0.1:0", PureRate: -1,
		AnswerWithin: time.Hour,
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := d.Stop(context.Background()); err != nil {
			t.Error(err)
		}
	})
	read := func(name string) string {
		text, err := os.ReadFile(filepath.Join(home, name))
		if err != nil {
			t.Fatal(err)
		}
		return strings.TrimSpace(string(text))
	}
	return &guard{
		Daemon: d, home: home, agents: strings.TrimPrefix(d.AgentsURL(), "http://"),
		agent: read(daemon.AgentTokenFile), approver: read(daemon.ApproverTokenFile),
	}
}

// message is a request of an agent's.
func (g *guard) message(method, path, token string, body []byte) []byte {
	return Message(method, path, g.agents, token, body)
}
