package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/countersign/countersign/daemon"
	"github.com/countersign/countersign/phone"
)

// The ways round an ADB gate, with a phone behind it, the real adb and nothing
// else on the machine than what a case puts there.
func TestDoctorAround(t *testing.T) {
	adb, err := adbProgram("adb")
	if err != nil {
		t.Fatal(err)
	}
	s, err := openPhoneStage(adb)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := s.close(); err != nil {
			t.Error(err)
		}
	}()
	user := t.TempDir()
	t.Setenv("HOME", user)
	guard := filepath.Join(s.home, "guard")
	var listening string // the one address of this machine that answers
	e := &examination{home: guard, dial: func(_ context.Context, addr string) (net.Conn, error) {
		if addr != listening {
			return nil, errors.New("connection refused")
		}
		near, far := net.Pipe()
		return near, far.Close()
	}}
	if f := lookForGuard(t.Context(), e); f[0].State != stateOK {
		t.Fatal(f)
	}
	defer e.guard.Close()

	tests := []struct {
		what   string
		change func()
		// name is the finding that is another one than before, said a part of it.
		name, state, said string
	}{
		{"nothing yet", func() {}, "adb-server", stateOK, "no adb server listens"},
		{"the phone's adbd", func() {}, "network-adb", stateWarning, s.serial + ": the phone's adbd listens on the network, on port 5555"},
		{"a phone beside the guard", func() { listening = "127.0.0.1:5555" }, "adbd", stateWarning, "a phone's own adbd listens on 127.0.0.1:5555"},
		{"which its owner knows", func() { e.known = []string{listening} }, "adbd", stateOK, "127.0.0.1:5555"},
		{"another adb server", func() { listening = "127.0.0.1:5037" }, "adb-server", stateWarning, "an adb server listens on 127.0.0.1:5037"},
		{"an emulator", func() { listening = "127.0.0.1:5554" }, "console", stateWarning, "an emulator's console listens on 127.0.0.1:5554"},
		{"the key of the user", func() {
			must(t, os.Mkdir(filepath.Join(user, ".android"), 0o700))
			must(t, os.WriteFile(filepath.Join(user, ".android", "adbkey"), []byte("a key"), 0o600))
		}, "adb-key", stateWarning, "adbkey can be read"},
		{"wireless debugging", func() { s.phone.SetSetting(phone.Global, "adb_wifi_enabled", "1") }, "wireless", stateWarning, s.serial + ": wireless debugging is on"},
		{"an accessibility service", func() { s.phone.SetSetting(phone.Secure, "enabled_accessibility_services", "org.example.eye/.Eye") }, "accessibility", stateWarning, "org.example.eye/.Eye"},
		{"a notification listener", func() { s.phone.SetSetting(phone.Secure, "enabled_notification_listeners", "org.example.ear/.Ear") }, "listeners", stateWarning, "org.example.ear/.Ear"},
		{"a helper with a connection of its own", func() { must(t, s.phone.Install("com.mobilerun.portal", []byte("an app"))) }, "reverse", stateWarning, "com.mobilerun.portal is installed"},
		{"a forward past the gate", func() {
			must(t, daemon.HiddenServer(guard).Command(t.Context(), fmt.Sprintf("host-serial:%s:forward:tcp:0;tcp:6790", s.serial)))
		}, "forwards", stateWarning, "tcp:6790"},
	}
	for _, test := range tests {
		test.change()
		found := false
		for _, f := range lookAround(t.Context(), e) {
			if f.Name != test.name {
				continue
			}
			found = true
			if f.State != test.state || !strings.Contains(f.Said, test.said) || (f.State == stateOK) != (f.Todo == "") {
				t.Errorf("%s: %+v, want %s and %q", test.what, f, test.state, test.said)
			}
		}
		if !found {
			t.Errorf("%s: nobody looked at %s", test.what, test.name)
		}
	}
	if len(tests) != 12 {
		t.Errorf("%d cases", len(tests))
	}

	// An agent that has the guarded phone has an adb server of its own.
	listening, e.known, e.status.ADBServer, e.status.ADBDevice = "127.0.0.1:5037", nil, "", "127.0.0.1:5580"
	if f := lookAround(t.Context(), e)[0]; f.Name != "adb-server" || f.State != stateWarning || !strings.Contains(f.Todo, "the guarded phone (127.0.0.1:5580) and no other") {
		t.Errorf("the agent's own adb server: %+v", f)
	}

	// The phones behind the gate cannot be asked once it is gone.
	must(t, os.Rename(filepath.Join(guard, daemon.ADBFolder), filepath.Join(guard, "elsewhere")))
	last := lookAround(t.Context(), e)
	if f := last[len(last)-1]; f.State != stateWarning || !strings.Contains(f.Said, "cannot be asked") || f.Todo == "" {
		t.Errorf("without the hidden server: %+v", f)
	}
	must(t, os.Rename(filepath.Join(guard, "elsewhere"), filepath.Join(guard, daemon.ADBFolder)))
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
