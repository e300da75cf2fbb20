package adb_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/countersign/countersign/phone/automation"
)

// channel is a way to the phone beside a plain shell line.
type channel struct {
	name  string
	scene *scene
	// try sends it and returns what the last part of it was told: the part that
	// must not get through.
	try func(w *world, s *scene) result
	// first are the beginnings of services that are harmless by themselves and come
	// before it.
	first []string
	// front is the only front end that has it; empty for both.
	front front
}

// one is a channel that is a single service with its input.
func one(service, input string) func(*world, *scene) result {
	return func(w *world, s *scene) result { return w.serve(w.fill(s, service), w.fill(s, input)) }
}

// stdin is a shell of version 2 and what is typed into it.
func stdin(service string, parts ...string) func(*world, *scene) result {
	return func(w *world, s *scene) result {
		filled := slices.Clone(parts)
		for i := range filled {
			filled[i] = w.fill(s, filled[i])
		}
		return w.serve(service, typed(filled...))
	}
}

// several are services one after the other, the last of which must not pass.
func several(services ...string) func(*world, *scene) result {
	return func(w *world, s *scene) (r result) {
		for _, service := range services {
			r = w.serve(w.fill(s, service), "")
		}
		return r
	}
}

var channels = []channel{
	// Services that are a command without a shell.
	{name: "abb_exec input", scene: composer, try: one("abb_exec:input\x00tap\x00{x}\x00{y}", "")},
	{name: "abb input", scene: composer, try: one("abb:input\x00tap\x00{x}\x00{y}", "")},
	{name: "abb_exec uninstall", scene: composer, try: one("abb_exec:package\x00uninstall\x00org.example.notes", "")},
	{name: "abb_exec of an accessibility service", scene: composer,
		try: one("abb_exec:settings\x00put\x00secure\x00enabled_accessibility_services\x00org.example.reader/.ReaderService", "")},
	{name: "abb_exec of a call", scene: composer, try: one("abb_exec:activity\x00start-activity\x00-a\x00android.intent.action.CALL\x00-d\x00tel:+15550100", "")},
	{name: "abb_exec with a NUL at the end", scene: composer, try: one("abb_exec:input\x00tap\x00{x}\x00{y}\x00", "")},
	{name: "a line with a NUL in it", scene: composer, try: one("shell:input tap {xy}\x00", "")},

	// Standard input.
	{name: "typed into a shell of version 1", scene: composer, try: one("shell:", "input tap {xy}\nexit\n")},
	{name: "typed into exec", scene: composer, try: one("exec:", "input tap {xy}\nexit\n")},
	{name: "typed into exec:sh", scene: composer, try: one("exec:sh", "input tap {xy}\nexit\n")},
	{name: "typed into a shell of version 2", scene: composer, try: stdin("shell,v2,raw:", "input tap {xy}\n")},
	{name: "typed in pieces", scene: composer, try: stdin("shell,v2,raw:", "inp", "ut t", "ap {xy}", "\n", "exit\n")},
	{name: "typed without an end of line", scene: composer, try: stdin("shell,v2,raw:", "input tap {xy}")},
	{name: "typed with a carriage return", scene: composer, try: stdin("shell,v2,raw:", "input tap {xy}\r\n")},
	{name: "typed after something harmless", scene: composer, try: stdin("shell,v2,raw:", "getprop\ninput tap {xy}\n"), first: []string{"shell,v2,raw:"}},
	{name: "typed as a here-document", scene: composer, try: stdin("shell,v2,raw:", "sh <<X\ninput tap {xy}\nX\n")},
	{name: "typed as data for read", scene: composer, try: stdin("shell,v2,raw:", "read l; $l\ninput tap {xy}\n")},
	{name: "typed over two lines", scene: composer, try: stdin("shell,v2,raw:", "input \\\ntap {xy}\n")},
	{name: "typed into sh -s", scene: composer, try: stdin("shell,v2,raw:sh -s", "input tap {xy}\n")},
	{name: "typed into cat into sh", scene: composer, try: stdin("shell,v2,raw:cat | sh", "input tap {xy}\n")},
	{name: "typed at a terminal", scene: composer, try: stdin("shell,v2,TERM=xterm,pty:", "input tap {xy}\r")},
	{name: "typed at a terminal by default", scene: composer, try: stdin("shell,v2:", "input tap {xy}\r")},
	{name: "an option that nobody knows", scene: composer, try: stdin("shell,v2,raw,x=1:", "input tap {xy}\n")},

	// In parts, on services of their own.
	{name: "typed letter by letter, then enter", scene: chat, first: []string{"shell:input text "},
		try: several("shell:input text h", "shell:input text i", "shell:input keyevent 66")},
	{name: "text, then enter by name", scene: chat, first: []string{"shell:input text "},
		try: several("shell:input text hi", "exec:input keyevent KEYCODE_ENTER")},
	{name: "tab, then the centre key", scene: chat, first: []string{"shell:input keyevent TAB"},
		try: several("shell:input keyevent TAB", "shell:input keyevent DPAD_CENTER")},
	{name: "tab, then enter by binder", scene: chat, first: []string{"shell:input keyevent TAB"},
		try: several("shell:input keyevent TAB", "abb_exec:input\x00keyevent\x0066")},
	{name: "tab, then the space bar", scene: chat, first: []string{"shell:input keyevent TAB"},
		try: several("shell:input keyevent TAB", "shell:input keyevent SPACE")},
	{name: "a touch in three services", scene: composer, first: []string{"shell:input motionevent MOVE"},
		try: several("shell:input motionevent DOWN {xy}", "shell:input motionevent MOVE {xy}", "shell:input motionevent UP {xy}")},
	{name: "a slide in parts", scene: payment, try: func(w *world, s *scene) (r result) {
		b := w.node(s.target).Bounds
		y := (b.Min.Y + b.Max.Y) / 2
		kinds, at := []string{"DOWN", "MOVE", "MOVE", "UP"}, []int{b.Min.X + 20, b.Min.X + 300, b.Max.X - 20, b.Max.X - 20}
		for i := range kinds {
			r = w.serve(fmt.Sprintf("shell:input motionevent %s %d %d", kinds[i], at[i], y), "")
		}
		return r
	}, first: []string{"shell:input motionevent MOVE"}}, // without a finger on the screen

	// Files and what they become.
	{name: "a script sent, then run", scene: composer, first: []string{"sync:"}, try: func(w *world, s *scene) result {
		_ = w.push("/data/local/tmp/go.sh", w.fill(s, "input tap {xy}\n")) // it may be refused already
		return w.serve("shell:sh /data/local/tmp/go.sh", "")
	}},
	{name: "a script sent, then run by its name", scene: composer, first: []string{"sync:", "shell:chmod"}, try: func(w *world, s *scene) result {
		_ = w.push("/data/local/tmp/go2.sh", w.fill(s, "input tap {xy}\n"))
		w.serve("shell:chmod 755 /data/local/tmp/go2.sh", "")
		return w.serve("shell:/data/local/tmp/go2.sh", "")
	}},
	{name: "a script sent, then typed into a shell", scene: composer, first: []string{"sync:"}, try: func(w *world, s *scene) result {
		_ = w.push("/sdcard/go.sh", w.fill(s, "input tap {xy}\n"))
		return w.serve("shell:cat /sdcard/go.sh | sh", "")
	}},
	{name: "a script written by cat", scene: composer, try: one("exec:cat > /data/local/tmp/go3.sh; sh /data/local/tmp/go3.sh", "input tap {xy}\n")},
	{name: "a file in a helper's place", scene: composer, first: []string{"sync:"}, try: func(w *world, s *scene) result {
		_ = w.push("/data/local/tmp/u2.jar", "a robot")
		return w.serve("shell:CLASSPATH=/data/local/tmp/u2.jar app_process / com.wetest.uia2.Main", "")
	}},
	{name: "a file in scrcpy's place", scene: composer, first: []string{"sync:"}, try: func(w *world, s *scene) result {
		_ = w.push("/data/local/tmp/scrcpy-server.jar", "a robot")
		return w.serve("shell:CLASSPATH=/data/local/tmp/scrcpy-server.jar app_process / com.genymobile.scrcpy.Server 4.1", "")
	}},
	{name: "an app sent, then installed", scene: composer, first: []string{"sync:"}, try: func(w *world, s *scene) result {
		_ = w.push("/data/local/tmp/a.apk", "PK")
		return w.serve("shell:pm install -r /data/local/tmp/a.apk", "")
	}},
	{name: "an app streamed in", scene: composer, try: one("abb_exec:package\x00install\x00-S\x002", "PK")},
	{name: "an app streamed into cmd", scene: composer, try: one("exec:cmd package 'install' -S 2", "PK")},

	// Protocols that nobody here reads, and other doors.
	{name: "a WebSocket", scene: composer, try: one("tcp:8081", "GET / HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: eA==\r\nSec-WebSocket-Version: 13\r\n\r\n")},
	{name: "HTTP/2", scene: composer, try: one("tcp:7001", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")},
	{name: "TLS", scene: composer, try: one("tcp:7002", "\x16\x03\x01\x00\x05hello")},
	{name: "bytes of no protocol", scene: composer, try: one("tcp:7003", "\x02\x00\x00\x00\x00")},
	{name: "scrcpy's socket", scene: composer, try: one("localabstract:scrcpy", "\x02\x00")},
	{name: "scrcpy's socket with a number", scene: composer, try: one("localabstract:scrcpy_1a2b3c4d", "\x02\x00")},
	{name: "a web page's debugger", scene: composer, try: one("localabstract:webview_devtools_remote_123", "GET /json HTTP/1.1\r\nHost: a\r\n\r\n")},
	{name: "Chrome's debugger", scene: composer, try: one("localabstract:chrome_devtools_remote", "GET /json HTTP/1.1\r\nHost: a\r\n\r\n")},
	{name: "adbd itself", scene: composer, try: one("tcp:5555", "CNXN")},
	{name: "another computer", scene: composer, try: one("tcp:80:192.0.2.1", "GET / HTTP/1.1\r\nHost: a\r\n\r\n")},
	{name: "a device's file", scene: composer, try: one("dev:/dev/input/event1", "\x00")},
	{name: "a process's debugger", scene: composer, try: one("jdwp:1234", "JDWP-Handshake")},
	{name: "the list of processes", scene: composer, try: one("track-jdwp", "")},
	{name: "a reverse for scrcpy", scene: composer, try: one("reverse:forward:localabstract:scrcpy_1;tcp:27183", "")},
	{name: "a reverse", scene: composer, try: one("reverse:forward:tcp:9999;tcp:27183", "")},
	{name: "a reverse without rebinding", scene: composer, try: one("reverse:forward:norebind:tcp:9999;tcp:27183", "")},

	// Services that open a way round.
	{name: "tcpip", scene: composer, try: one("tcpip:5555", "")},
	{name: "root", scene: composer, try: one("root:", "")},
	{name: "unroot", scene: composer, try: one("unroot:", "")},
	{name: "remount", scene: composer, try: one("remount:", "")},
	{name: "usb", scene: composer, try: one("usb:", "")},
	{name: "reboot", scene: composer, try: one("reboot:", "")},
	{name: "reboot into the bootloader", scene: composer, try: one("reboot:bootloader", "")},
	{name: "reboot into sideload", scene: composer, try: one("reboot:sideload-auto-reboot", "")},
	{name: "sideload", scene: composer, try: one("sideload:1024", "")},
	{name: "sideload-host", scene: composer, try: one("sideload-host:1024:1024", "")},
	{name: "backup", scene: composer, try: one("backup:-all", "")},
	{name: "restore", scene: composer, try: one("restore:", "")},
	{name: "disable-verity", scene: composer, try: one("disable-verity:", "")},
	{name: "a service that nobody knows", scene: composer, try: one("frobnicate:1", "")},
	{name: "no service", scene: composer, try: one("shell", "")},
	{name: "a host request as a service", scene: composer, try: func(w *world, s *scene) result {
		s2, err := w.session.Open(w.ctx, "host:forward:tcp:0;tcp:9008")
		if err != nil {
			return result{refused: err.Error()}
		}
		s2.Close()
		return result{exit: -1}
	}, front: asDevice},
}

// No channel to the phone carries what must not happen unasked, and what is
// harmless on the same screen passes.
func TestBypassByChannel(t *testing.T) {
	if n := len(channels); n != 71 {
		t.Errorf("%d channels", n)
	}
	fronts(t, func(t *testing.T, f front) {
		w := newWorld(t, f, unattended)
		for _, port := range []string{"tcp:7001", "tcp:7002", "tcp:7003", "tcp:8081", "localabstract:scrcpy", "tcp:5555",
			"localabstract:webview_devtools_remote_123", "localabstract:chrome_devtools_remote"} {
			_, err := w.servers.ListenHTTP(port, automation.UIAutomator2(w.phone))
			w.must(err)
		}
		for _, c := range channels {
			if c.front != "" && c.front != f {
				continue
			}
			t.Run(c.name, func(t *testing.T) { w.in(t).tryChannel(&c) })
		}
	})
}

// tryChannel tries a channel and what is harmless beside it.
func (w *world) tryChannel(c *channel) {
	w.t.Helper()
	w.show(c.scene)
	r := c.try(w, c.scene)
	if r.passed() && r.out != "" && !strings.Contains(r.out, "countersign") {
		w.t.Errorf("it was told %+v", r)
	}
	for _, service := range w.reached() {
		if !slices.ContainsFunc(c.first, func(begin string) bool { return strings.HasPrefix(service, begin) }) {
			w.t.Errorf("the phone got %q", service)
		}
	}
	w.nothingHappened(c.name)
	if w.t.Failed() {
		w.t.Logf("it was told %+v", r)
	}
	w.show(c.scene)
	w.harmless(c.scene)
}
