package main

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/countersign/countersign/channel/client"
	"github.com/countersign/countersign/channel/notice"
)

// Each check by itself: how it stands, and that what is not well says what to do.
func TestDoctorChecks(t *testing.T) {
	look := map[string]func(context.Context, *examination) []finding{}
	for _, c := range checks {
		look[c.name] = c.look
	}
	fails := notice.State{Name: "phone", Kind: "push", Where: "ntfy.example.net", State: notice.Fails, Why: "refused\x1b[2J", LastFailure: time.Unix(0, 0)}
	works := notice.State{Name: "desk", Kind: "hook", Where: "/bin/tell", State: notice.Works, LastOK: time.Unix(0, 0)}
	untried := notice.State{Name: "house", Kind: "webhook", Where: "home.example.net", State: notice.Untried}
	tests := []struct {
		check  string
		status client.Status
		want   string // the states
		said   string // a part of what is said, or of what to do
	}{
		{"version", client.Status{Version: versionName()}, "ok", versionName()},
		{"version", client.Status{Version: "0.0.1"}, "warning", "start the guard again"},
		{"level", client.Status{Level: "same user", LevelWhy: "The same account."}, "ok", "same user. The same account."},
		{"record", client.Status{}, "ok", "can be written"},
		{"record", client.Status{Record: "disk full"}, "failed", "disk full"},
		{"policy", client.Status{Policy: "default@sha256:01"}, "ok", "default@sha256:01 is in force"},
		{"policy", client.Status{Policy: "none"}, "failed", "everything is refused"},
		{"policy", client.Status{}, "failed", "everything is refused"},
		{"mode", client.Status{}, "ok", "no question waits"},
		{"mode", client.Status{Open: 1}, "ok", "one question waits"},
		{"mode", client.Status{Open: 2}, "ok", "2 questions wait"},
		{"mode", client.Status{Frozen: true, Observe: true}, "warning", "countersign unfreeze"},
		{"mode", client.Status{Observe: true}, "warning", "without --observe"},
		{"channels", client.Status{}, "warning", "until somebody looks"},
		{"channels", client.Status{NeedsChannel: true}, "failed", "the policy needs one"},
		{"channels", client.Status{Channels: []notice.State{works}}, "ok", "hook to /bin/tell: works"},
		{"channels", client.Status{Channels: []notice.State{untried}}, "warning", "countersign channels test house"},
		{"channels", client.Status{Channels: []notice.State{fails}}, "failed", `refused\u001b[2J`},
		{"channels", client.Status{Channels: []notice.State{works, fails, untried}, NeedsChannel: true}, "ok failed warning", "countersign channels test phone"},
		{"inbox", client.Status{}, "warning", "in a terminal"},
		{"inbox", client.Status{Inbox: "http://x.localhost:1"}, "ok", "http://x.localhost:1 on this computer"},
		{"inbox", client.Status{Inbox: "http://x.localhost:1", Remote: "https://guard.example.net"}, "ok", "https://guard.example.net on other devices"},
		{"around", client.Status{}, "", ""}, // no ADB gate: nothing to go round
	}
	for _, test := range tests {
		found := look[test.check](context.Background(), &examination{status: test.status})
		var states []string
		text := ""
		for _, f := range found {
			states = append(states, f.State)
			text += f.Said + " " + f.Todo + "\n"
			if f.State == stateFailed && f.Todo == "" {
				t.Errorf("%s fails, and nobody is told what to do: %s", test.check, f.Said)
			}
		}
		if got := strings.Join(states, " "); got != test.want || !strings.Contains(text, test.said) || strings.ContainsRune(text, '\x1b') {
			t.Errorf("%s of %+v: %s, want %s and %q in\n%s", test.check, test.status, got, test.want, test.said, text)
		}
	}
	if len(tests) != 23 || len(checks) != 10 {
		t.Errorf("ran %d cases of %d checks, want 23 of 10", len(tests), len(checks))
	}
}
