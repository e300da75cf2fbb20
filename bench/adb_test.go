package bench

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/countersign/countersign/daemon"
	"github.com/countersign/countersign/phone"
	"github.com/countersign/countersign/phone/adbd"
	"github.com/countersign/countersign/wire"
)

// bridge is a way to the simulated phone.
type bridge struct {
	name   string
	server wire.Server
	serial string
}

// bridges are the same phone without a guard and with one: a stock adb server, the
// gate in front of another one, and a stock server connected to the guarded phone.
// The guard's record is in memory: what a disk takes to sync is a row of its own.
func bridges(t testing.TB) []bridge {
	t.Helper()
	ctx, end := context.WithCancel(context.Background())
	p, err := phone.New(phone.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Files().WriteFile("/data/local/tmp/large", bytes.Repeat([]byte("0123456789abcdef"), 4<<20), 0o644); err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	served := make(chan error, 1)
	go func() { served <- adbd.Serve(ctx, l, p, adbd.Options{}) }()
	t.Cleanup(func() { end(); <-served })
	bare := l.Addr().String()
	home, err := os.MkdirTemp("", "cs")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(home) })
	d, err := daemon.New(ctx, daemon.Options{
		Home: filepath.Join(home, "g"), Memory: true, Agents: "127.0.0.1:0", Inbox: "127.0.0.1:0",
		ADB: daemon.ADB{Server: "127.0.0.1:0", Device: "127.0.0.1:0", Connect: []string{bare}},
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = d.Stop(context.Background()) })
	gate, guarded := d.ADBAddrs()
	return []bridge{
		{"none", stockServer(t, bare), bare},
		{"server", wire.Server{Network: "tcp", Address: gate}, bare},
		{"device", stockServer(t, guarded), guarded},
	}
}

// stockServer is a stock adb server of its own that knows one phone.
func stockServer(t testing.TB, phone string) wire.Server {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	_, port, _ := net.SplitHostPort(l.Addr().String())
	_ = l.Close()
	home := t.TempDir()
	run := func(args ...string) string {
		cmd := exec.Command("adb", args...)
		cmd.Env = append(os.Environ(), "HOME="+home, "ANDROID_ADB_SERVER_PORT="+port)
		out, _ := cmd.CombinedOutput()
		return string(out)
	}
	t.Cleanup(func() { run("kill-server") })
	if out := run("connect", phone); !strings.Contains(out, "connected to") {
		t.Fatalf("adb connect %s: %s", phone, out)
	}
	return wire.Server{Network: "tcp", Address: "127.0.0.1:" + port}
}

func (b bridge) run(t testing.TB, service string) []byte {
	t.Helper()
	c, err := b.server.Open(context.Background(), wire.Selector{Kind: wire.SelectSerial, Serial: b.serial}, service)
	if err != nil {
		t.Fatalf("%s: %s: %v", b.name, service, err)
	}
	defer c.Close()
	out, err := io.ReadAll(c)
	if err != nil {
		t.Fatalf("%s: %s: %v", b.name, service, err)
	}
	return out
}

// inTurns runs something for the nth time, each way in turn, so that whatever else the machine does
// meets all of them alike, and reports the median of each in ms. The ns/op of the
// benchmark is that of all ways together.
func inTurns(b *testing.B, ways []bridge, run func(way bridge, n int)) {
	took := make([][]time.Duration, len(ways))
	n := 0
	for _, way := range ways {
		run(way, n)
		n++
	}
	for b.Loop() {
		for i, way := range ways {
			begun := time.Now()
			run(way, n)
			took[i] = append(took[i], time.Since(begun))
			n++
		}
	}
	for i, way := range ways {
		slices.Sort(took[i])
		b.ReportMetric(took[i][len(took[i])/2].Seconds()*1000, way.name+"-ms")
	}
}

// tap is a tap beside the one before, of which the second would be half of a double
// tap, for which the gate does not look again.
func tap(n int) string { return fmt.Sprintf("input tap %d 2380", 440+50*(n%5)) }

func getprop(int) string { return "getprop ro.product.model" }

// A raw socket's service that has to be seen by nobody, and a tap, before which
// the gate looks at the screen.
func BenchmarkADBService(b *testing.B) {
	ways := bridges(b)
	for _, line := range []struct {
		name    string
		service func(n int) string
	}{
		{"getprop", func(n int) string { return "shell:" + getprop(n) }},
		{"tap", func(n int) string { return "shell:" + tap(n) }},
		{"dump", func(int) string { return "exec:uiautomator dump /dev/tty" }},
	} {
		b.Run("line="+line.name, func(b *testing.B) {
			inTurns(b, ways, func(way bridge, n int) { way.run(b, line.service(n)) })
		})
	}
}

// The adb program, as an agent starts it for each action.
func BenchmarkADBProgram(b *testing.B) {
	ways := bridges(b)
	home := b.TempDir()
	for name, line := range map[string]func(int) string{"getprop": getprop, "tap": tap} {
		b.Run("line="+name, func(b *testing.B) {
			inTurns(b, ways, func(way bridge, n int) {
				_, port, _ := net.SplitHostPort(way.server.Address)
				cmd := exec.Command("adb", "-s", way.serial, "shell", line(n))
				cmd.Env = append(os.Environ(), "HOME="+home, "ANDROID_ADB_SERVER_PORT="+port)
				if out, err := cmd.CombinedOutput(); err != nil {
					b.Fatalf("%s: %v %s", way.name, err, out)
				}
			})
		})
	}
}

// 64 MB from the phone.
func BenchmarkADBPull(b *testing.B) {
	for _, way := range bridges(b) {
		_, port, _ := net.SplitHostPort(way.server.Address)
		b.Run("gate="+way.name, func(b *testing.B) {
			b.SetBytes(64 << 20)
			dir := b.TempDir()
			for b.Loop() {
				cmd := exec.Command("adb", "-s", way.serial, "pull", "/data/local/tmp/large", filepath.Join(dir, "large"))
				cmd.Env = append(os.Environ(), "HOME="+dir, "ANDROID_ADB_SERVER_PORT="+port)
				if out, err := cmd.CombinedOutput(); err != nil {
					b.Fatalf("%s: %v %s", way.name, err, out)
				}
			}
		})
	}
}
