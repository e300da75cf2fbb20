package bypass_test

import (
	"context"
	"errors"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/countersign/countersign/gate/adb/bypass"
)

// stateOf finds a way by its name.
func stateOf(t *testing.T, ways []bypass.Way, name string) bypass.Way {
	t.Helper()
	for _, w := range ways {
		if w.Name == name {
			if (w.State == bypass.Closed) != (w.Todo == "") {
				t.Errorf("%s is %s, and what to do is %q", name, w.State, w.Todo)
			}
			return w
		}
	}
	t.Fatalf("nobody looked for %q in %+v", name, ways)
	return bypass.Way{}
}

func TestDoorsOfTheMachine(t *testing.T) {
	tests := []struct {
		open, gate string
		known      []string
		name       string
		want       bypass.State
	}{
		{"", "", nil, "adb-server", bypass.Closed},
		{"127.0.0.1:5037", "", nil, "adb-server", bypass.Open},
		{"127.0.0.1:5037", "127.0.0.1:5037", nil, "adb-server", bypass.Closed},
		{"127.0.0.1:5555", "127.0.0.1:5037", nil, "adbd", bypass.Open},
		{"127.0.0.1:5557", "", nil, "adbd", bypass.Open},
		{"127.0.0.1:5555", "", []string{"127.0.0.1:5555"}, "adbd", bypass.Closed},
		{"127.0.0.1:5554", "", nil, "console", bypass.Open},
		{"127.0.0.1:8554", "", nil, "grpc", bypass.Open},
		{"127.0.0.1:8554", "", nil, "adbd", bypass.Closed},
	}
	for _, test := range tests {
		m := bypass.Machine{Gate: test.gate, Known: test.known, Dial: func(_ context.Context, addr string) (net.Conn, error) {
			if addr != test.open {
				return nil, errors.New("connection refused")
			}
			near, far := net.Pipe()
			_ = far.Close()
			return near, nil
		}}
		if w := stateOf(t, m.Look(context.Background()), test.name); w.State != test.want {
			t.Errorf("with %q open and the gate at %q, %s is %s: %s", test.open, test.gate, test.name, w.State, w.Said)
		}
	}
}

// The zero value finds what really listens.
func TestAPortOfThisMachine(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	real := bypass.Machine{Dial: func(ctx context.Context, addr string) (net.Conn, error) {
		var d net.Dialer
		if strings.HasSuffix(addr, ":8554") {
			addr = l.Addr().String()
		}
		return d.DialContext(ctx, "tcp", addr)
	}}
	if w := stateOf(t, real.Look(context.Background()), "grpc"); w.State != bypass.Open {
		t.Errorf("%+v", w)
	}
}

func TestKeys(t *testing.T) {
	with, without := t.TempDir(), t.TempDir()
	if err := os.WriteFile(filepath.Join(with, "adbkey"), []byte("a key"), 0o600); err != nil {
		t.Fatal(err)
	}
	shut := func(context.Context, string) (net.Conn, error) { return nil, errors.New("refused") }
	for dir, want := range map[string]bypass.State{with: bypass.Open, without: bypass.Closed} {
		m := bypass.Machine{Keys: []string{dir}, Dial: shut}
		if w := stateOf(t, m.Look(context.Background()), "adb-key"); w.State != want {
			t.Errorf("%s: %+v", dir, w)
		}
	}
}

func TestWaysOfThePhone(t *testing.T) {
	quiet := map[string]string{
		"settings get global adb_wifi_enabled":               "0\n",
		"getprop service.adb.tcp.port":                       "\n",
		"settings get secure enabled_accessibility_services": "null\n",
		"settings get secure enabled_notification_listeners": "\n",
		"pm list packages":                                   "package:com.android.settings\npackage:org.example.notes\n",
		"list-forward":                                       "",
	}
	tests := []struct {
		line, says, name string
		want             bypass.State
	}{
		{"", "", "wireless", bypass.Closed},
		{"", "", "network-adb", bypass.Closed},
		{"", "", "accessibility", bypass.Closed},
		{"", "", "listeners", bypass.Closed},
		{"", "", "reverse", bypass.Closed},
		{"", "", "forwards", bypass.Closed},
		{"settings get global adb_wifi_enabled", "1", "wireless", bypass.Open},
		{"getprop service.adb.tcp.port", "5555", "network-adb", bypass.Open},
		{"getprop service.adb.tcp.port", "-1", "network-adb", bypass.Closed},
		{"settings get secure enabled_accessibility_services", "org.evil/.Eye", "accessibility", bypass.Open},
		{"settings get secure enabled_accessibility_services", "org.known/.Helper", "accessibility", bypass.Closed},
		{"settings get secure enabled_accessibility_services", "org.known/.Helper:org.evil/.Eye", "accessibility", bypass.Open},
		{"settings get secure enabled_notification_listeners", "org.evil/.Ear", "listeners", bypass.Open},
		{"pm list packages", "package:com.mobilerun.portal", "reverse", bypass.Open},
		{"list-forward", "abc tcp:8200 tcp:6790", "forwards", bypass.Open},
		{"getprop service.adb.tcp.port", "FAIL", "network-adb", bypass.Unknown},
		{"pm list packages", "FAIL", "reverse", bypass.Unknown},
		{"list-forward", "FAIL", "forwards", bypass.Unknown},
	}
	for _, test := range tests {
		say := func(_ context.Context, line string) (string, error) {
			answer, known := quiet[line]
			if line == test.line {
				answer = test.says
			} else if !known {
				t.Errorf("asked for %q", line)
			}
			if answer == "FAIL" {
				return "", errors.New("device offline")
			}
			return answer, nil
		}
		p := bypass.Phone{Run: say, Helpers: []string{"org.known"}, Forwards: func(ctx context.Context) (string, error) { return say(ctx, "list-forward") }}
		if w := stateOf(t, p.Look(context.Background()), test.name); w.State != test.want {
			t.Errorf("when %q says %q, %s is %s: %s", test.line, test.says, test.name, w.State, w.Said)
		}
	}
	if len(tests) != 18 {
		t.Errorf("%d cases", len(tests))
	}
}
