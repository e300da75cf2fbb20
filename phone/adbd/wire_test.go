package adbd

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"io"
	"net"
	"slices"
	"strings"
	"testing"

	"github.com/countersign/countersign/phone"
	"github.com/countersign/countersign/wire"
)

// dial serves a phone and connects to it without an adb server.
func dial(t *testing.T, o Options) (*phone.Phone, *wire.Session) {
	t.Helper()
	p, err := phone.New(phone.Options{})
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	served := make(chan error, 1)
	go func() { served <- Serve(ctx, l, p, o) }()
	c, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	s, err := wire.DialHost(ctx, c, wire.SessionOptions{Banner: wire.Banner{Features: []string{"shell_v2", wire.FeatureDelayedAck}}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		s.Close()
		cancel()
		if err := <-served; err != nil {
			t.Errorf("Serve: %v", err)
		}
	})
	return p, s
}

// answer opens a service, writes to it and reads to its end.
func answer(t *testing.T, s *wire.Session, service, input string) string {
	t.Helper()
	st, err := s.Open(t.Context(), service)
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	if input != "" {
		if _, err := io.WriteString(st, input); err != nil {
			t.Fatal(err)
		}
	}
	data, err := io.ReadAll(st)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func TestTheBannerIsAPhones(t *testing.T) {
	_, s := dial(t, Options{Without: []string{"abb"}})
	b := s.Peer()
	if b.State != "device" || b.Properties["ro.product.model"] != "Sim 1" || b.Properties["ro.product.name"] != "sim_1" {
		t.Errorf("the banner is %q", b.String())
	}
	if !b.Has("shell_v2") || !b.Has("delayed_ack") || b.Has("abb") {
		t.Errorf("the features are %q", b.Features)
	}
}

func TestServicesAnswer(t *testing.T) {
	_, s := dial(t, Options{})
	for _, c := range []struct{ service, input, answer string }{
		{"shell:echo hi", "", "hi\n"},
		{"shell:echo hi >&2", "", "hi\n"},
		{"exec:printf 'a\\nb'", "", "a\nb"},
		{"exec:input 'tap' '3' '4'; echo $?", "", "0\n"},
		{"abb_exec:settings\x00get\x00secure\x00default_input_method", "", "com.google.android.inputmethod.latin/.LatinIME\n"},
		{"abb_exec:settings\x00put\x00global\x00spaced\x00a b; c", "", ""},
		{"exec:settings get global spaced", "", "a b; c\n"},
		{"abb_exec:nosuch", "", "cmd: Can't find service: nosuch\n"},
		{"root:", "", "adbd cannot run as root in production builds\n"},
		{"tcpip:5555", "", "restarting in TCP mode port: 5555\n"},
		{"jdwp", "", ""},
		{"reverse:list-forward", "", "0000"},
		{"reverse:killforward:tcp:1", "", "FAIL001alistener 'tcp:1' not found"},
		{"reverse:killforward-all", "", "OKAY"},
		{"reverse:nonsense", "", "FAIL0018unknown command nonsense"},
		{"shell:", "echo typed\nexit\n", "Sim 1:/ $ echo typed\r\ntyped\r\nSim 1:/ $ exit\r\n"},
		{"shell,raw:", "echo typed\nexit\n", "typed\n"},
	} {
		got := answer(t, s, c.service, c.input)
		if c.service == "shell:" {
			// The echo of what is typed and the prompts come in any order.
			if !strings.Contains(got, "typed\r\n") || !strings.Contains(got, "Sim 1:/ $ ") {
				t.Errorf("%q answers %q", c.service, got)
			}
			continue
		}
		if !strings.HasPrefix(got, c.answer) || c.answer == "" && got != "" {
			t.Errorf("%q answers %q, not %q", c.service, got, c.answer)
		}
	}
}

func TestWhatIsNotServedIsRefused(t *testing.T) {
	p, s := dial(t, Options{})
	services := []string{
		"tcp:9008", "tcp:0", "tcp:99999", "tcp:80:example.org", "tcp:", "localabstract:nobody", "localabstract:", "local:/x", "dev:/dev/null", "jdwp:1",
		"backup:all", "restore:", "sideload:1", "sideload-host:1:2", "nonsense", "nonsense:", "shell", "sync", ":", "host:version", "sink:1", "source:1", "abb", "dev-raw:/x", "vsock:1:2",
	}
	for _, service := range services {
		st, err := s.Open(t.Context(), service)
		var failure *wire.Failure
		if !errors.As(err, &failure) {
			t.Errorf("%q was opened: %v, %v", service, st, err)
		}
	}
	var noted []string
	for _, e := range p.Record() {
		if e.Kind == "service" {
			noted = append(noted, e.Detail)
		}
	}
	if !slices.Equal(noted, services) {
		t.Errorf("the record has %q", noted)
	}
}

func TestShellPackets(t *testing.T) {
	_, s := dial(t, Options{})
	st, err := s.Open(t.Context(), "shell,v2,TERM=xterm,raw:cat; echo err >&2; exit 5")
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"one ", "two"} {
		if err := wire.WriteShellPacket(st, wire.ShellStdin, []byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	wire.WriteShellPacket(st, wire.ShellWindowSize, []byte("24x80,0x0"))
	wire.WriteShellPacket(st, wire.ShellCloseStdin, nil)
	got := map[wire.ShellID]string{}
	for {
		id, data, err := wire.ReadShellPacket(st, wire.MaxPayload)
		if err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		got[id] += string(data)
	}
	if got[wire.ShellStdout] != "one two" || got[wire.ShellStderr] != "err\n" || got[wire.ShellExit] != "\x05" {
		t.Errorf("the packets are %q", got)
	}
}

// TestTypedLinesRunAsTheyCome: what a line writes comes before the next is sent.
func TestTypedLinesRunAsTheyCome(t *testing.T) {
	_, s := dial(t, Options{})
	st, err := s.Open(t.Context(), "shell,v2,raw:")
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	send := func(text string) {
		t.Helper()
		if err := wire.WriteShellPacket(st, wire.ShellStdin, []byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	next := func() (wire.ShellID, string) {
		t.Helper()
		id, data, err := wire.ReadShellPacket(st, wire.MaxPayload)
		if err != nil {
			t.Fatal(err)
		}
		return id, string(data)
	}
	for _, part := range []struct{ typed, wrote string }{
		{"echo one\n", "one\n"}, {"x=2; echo $x\n", "2\n"}, {"ec", ""}, {"ho split; for i in a b; do\n", ""}, {"echo $i; done\n", "split\na\nb\n"},
	} {
		send(part.typed)
		for got := ""; got != part.wrote; {
			id, data := next()
			if got += data; id != wire.ShellStdout || !strings.HasPrefix(part.wrote, got) {
				t.Fatalf("after %q came %v %q", part.typed, id, got)
			}
		}
	}
	send("exit 3\n")
	if id, data := next(); id != wire.ShellExit || data != "\x03" {
		t.Errorf("at the end came %v %q", id, data)
	}
}

// TestAbbAnswersInPackets runs commands without a shell.
func TestAbbAnswersInPackets(t *testing.T) {
	_, s := dial(t, Options{})
	for _, c := range []struct{ service, out, err, exit string }{
		{"abb:settings\x00get\x00secure\x00default_input_method", "com.google.android.inputmethod.latin/.LatinIME\n", "", "\x00"},
		{"abb:package\x00path\x00no.such", "", "", "\x01"},
		{"abb:nosuch", "", "cmd: Can't find service: nosuch\n", "\x14"},
		{"abb:input\x00text\x00a b; reboot", "", "", "\x00"},
	} {
		st, err := s.Open(t.Context(), c.service)
		if err != nil {
			t.Fatal(err)
		}
		got := map[wire.ShellID]string{}
		for {
			id, data, err := wire.ReadShellPacket(st, wire.MaxPayload)
			if err != nil {
				break
			}
			got[id] += string(data)
		}
		if got[wire.ShellStdout] != c.out || got[wire.ShellStderr] != c.err || got[wire.ShellExit] != c.exit {
			t.Errorf("%q answers %q", c.service, got)
		}
	}
}

// TestAClientThatGoes: without the shell protocol its line goes on, with it the
// line ends, as on a phone.
func TestAClientThatGoes(t *testing.T) {
	p, s := dial(t, Options{})
	for _, c := range []struct {
		service string
		goesOn  bool
	}{
		{"exec:cat > /data/local/tmp/in; echo x > /data/local/tmp/after", true},
		{"shell:cat > /data/local/tmp/in; echo x > /data/local/tmp/after", true},
		{"shell,v2:cat > /data/local/tmp/in; echo x > /data/local/tmp/after", false},
	} {
		p.Files().Remove("/data/local/tmp/after", false)
		st, err := s.Open(t.Context(), c.service)
		if err != nil {
			t.Fatal(err)
		}
		io.WriteString(st, "some input")
		st.Close()
		there := func() bool {
			_, err := p.Files().Stat("/data/local/tmp/after")
			return err == nil
		}
		for i := 0; i < 50 || c.goesOn && !there() && t.Context().Err() == nil; i++ {
			answer(t, s, "shell:true", "")
		}
		if there() != c.goesOn {
			t.Errorf("after %q the rest of the line ran: %t", c.service, there())
		}
	}
}

func TestFramebuffer(t *testing.T) {
	p, s := dial(t, Options{})
	data := []byte(answer(t, s, "framebuffer:", ""))
	var header [13]uint32
	if err := binary.Read(bytes.NewReader(data), binary.LittleEndian, &header); err != nil {
		t.Fatal(err)
	}
	w, h := p.Size()
	if want := [13]uint32{1, 32, uint32(4 * w * h), uint32(w), uint32(h), 0, 8, 16, 8, 8, 8, 24, 8}; header != want {
		t.Errorf("the header is %v, not %v", header, want)
	}
	if len(data) != 52+4*w*h {
		t.Errorf("%d bytes came", len(data))
	}
}

// TestSyncOfBothVersions writes, describes, lists and reads a file with the
// records of both.
func TestSyncOfBothVersions(t *testing.T) {
	p, s := dial(t, Options{})
	for version, ids := range [][]wire.SyncID{
		{wire.SyncSEND, wire.SyncSTAT, wire.SyncLIST, wire.SyncRECV, wire.SyncDENT},
		{wire.SyncSND2, wire.SyncSTA2, wire.SyncLIS2, wire.SyncRCV2, wire.SyncDNT2},
	} {
		st, err := s.Open(t.Context(), "sync:")
		if err != nil {
			t.Fatal(err)
		}
		send := func(q wire.SyncRequest) {
			t.Helper()
			if err := wire.WriteSyncRequest(st, q); err != nil {
				t.Fatal(err)
			}
		}
		content := strings.Repeat("content ", 20_000)
		put := func(path string, mode uint32) error {
			send(wire.SyncRequest{ID: ids[0], Path: path, Mode: mode})
			w := wire.NewSyncWriter(st)
			io.WriteString(w, content)
			w.Done(1_700_000_000)
			return wire.ReadSyncStatus(st)
		}
		if err := put("/data/local/tmp/a/b, c.txt", 0o100755); err != nil {
			t.Fatal(err)
		}
		info, err := p.Files().Stat("/data/local/tmp/a/b, c.txt")
		if err != nil || info.Mode().Perm() != 0o755 || info.ModTime().Unix() != 1_700_000_000 || info.Size() != int64(len(content)) {
			t.Errorf("the file is %v, %v", info, err)
		}
		var failure *wire.Failure
		if err := put("/system/x", 0o100644); !errors.As(err, &failure) || !strings.Contains(failure.Message, "Read-only") {
			t.Errorf("a file of the system was written: %v", err)
		}
		if err := put("/data/local/tmp/link", 0o120777); !errors.As(err, &failure) {
			t.Errorf("a link was made: %v", err)
		}
		if version == 1 {
			send(wire.SyncRequest{ID: wire.SyncSND2, Path: "/data/local/tmp/dry", Mode: 0o100644, Flags: wire.SyncDryRun})
			wire.NewSyncWriter(st).Done(1)
			if err := wire.ReadSyncStatus(st); err != nil {
				t.Error(err)
			}
			if _, err := p.Files().Stat("/data/local/tmp/dry"); err == nil {
				t.Error("a dry run wrote a file")
			}
		}
		send(wire.SyncRequest{ID: ids[1], Path: "/data/local/tmp/a/b, c.txt"})
		if _, stat, err := wire.ReadSyncStat(st); err != nil || stat.Mode != 0o100755 || stat.Size != uint64(len(content)) || stat.Mtime != 1_700_000_000 {
			t.Errorf("stat is %+v, %v", stat, err)
		}
		send(wire.SyncRequest{ID: ids[1], Path: "/nowhere"})
		if _, stat, err := wire.ReadSyncStat(st); err != nil || stat.Mode != 0 || version == 1 && stat.Error != noEntry {
			t.Errorf("stat of nothing is %+v, %v", stat, err)
		}
		send(wire.SyncRequest{ID: ids[1], Path: "/data/data/x"})
		if _, stat, err := wire.ReadSyncStat(st); err != nil || version == 1 && stat.Error != noAccess {
			t.Errorf("stat of what is private is %+v, %v", stat, err)
		}
		send(wire.SyncRequest{ID: ids[2], Path: "/data/local/tmp/a"})
		var names []string
		for {
			name, _, err := wire.ReadSyncDent(st, ids[4])
			if err != nil {
				break
			}
			names = append(names, name)
		}
		if !slices.Equal(names, []string{".", "..", "b, c.txt"}) {
			t.Errorf("the folder has %q", names)
		}
		send(wire.SyncRequest{ID: ids[3], Path: "/data/local/tmp/a/b, c.txt"})
		if back, err := io.ReadAll(wire.NewSyncReader(st)); string(back) != content {
			t.Errorf("%d bytes came back, %v", len(back), err)
		}
		send(wire.SyncRequest{ID: ids[3], Path: "/nowhere"})
		if _, err := io.ReadAll(wire.NewSyncReader(st)); !errors.As(err, &failure) || failure.Message != "open failed: No such file or directory" {
			t.Errorf("reading nothing: %v", err)
		}
		send(wire.SyncRequest{ID: wire.SyncQUIT})
		if rest, _ := io.ReadAll(st); len(rest) > 0 {
			t.Errorf("after QUIT came %q", rest)
		}
		st.Close()
	}
}

// TestServeEndsWithItsContext while things run.
func TestServeEndsWithItsContext(t *testing.T) {
	_, s := dial(t, Options{})
	for _, service := range []string{"shell:sleep 1000", "track-jdwp", "shell,v2:cat", "sync:", "shell:nohup sleep 1000 >/dev/null 2>&1 & sleep 1000"} {
		if _, err := s.Open(t.Context(), service); err != nil {
			t.Fatal(err)
		}
	}
	// The clean-up of dial waits for Serve.
}

func TestServersAddresses(t *testing.T) {
	var s Servers
	for _, bad := range []string{"", "tcp", "tcp:", "tcp:x", "tcp:70000", "udp:1", "localabstract:", "9008"} {
		if _, err := s.Listen(bad, func(net.Conn) {}); err == nil {
			t.Errorf("%q was taken for an address", bad)
		}
		if c, err := s.Dial(bad); err == nil {
			t.Errorf("%q was dialled: %v", bad, c)
		}
	}
	stop, err := s.Listen("tcp:09008", func(c net.Conn) { io.WriteString(c, "x") })
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Listen("tcp:9008", func(net.Conn) {}); !errors.Is(err, ErrAddressInUse) {
		t.Errorf("it was taken twice: %v", err)
	}
	c, err := s.Dial("tcp:9008")
	if err != nil {
		t.Fatal(err)
	}
	if data, _ := io.ReadAll(c); string(data) != "x" {
		t.Errorf("it says %q", data)
	}
	stop()
	stop()
	if _, err := s.Dial("tcp:9008"); !errors.Is(err, ErrNobodyListens) {
		t.Errorf("after its end: %v", err)
	}
}
