package adbd

import (
	"bytes"
	"crypto/sha256"
	"image/png"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestRealAdbRunsLines(t *testing.T) {
	b := newBench(t, Options{})
	cases := []struct {
		name   string
		args   []string
		stdin  string
		stdout string
		stderr string
		code   int
	}{
		{"a line", []string{"shell", "echo hello"}, "", "hello\n", "", 0},
		{"an exit code", []string{"shell", "exit 7"}, "", "", "", 7},
		{"the code of a program", []string{"shell", "false"}, "", "", "", 1},
		{"two outputs", []string{"shell", "echo out; echo err >&2; exit 3"}, "", "out\n", "err\n", 3},
		{"standard input", []string{"shell", "cat; echo done"}, "typed\n", "typed\ndone\n", "", 0},
		{"words become one line", []string{"shell", "echo", "a  b", "c"}, "", "a b c\n", "", 0},
		{"quotes", []string{"shell", `echo 'a  b' "c  d" \$x`}, "", "a  b c  d $x\n", "", 0},
		{"lines on standard input", []string{"shell"}, "echo one\nx=2\necho $x\nexit 5\necho never\n", "one\n2\n", "", 5},
		{"an unknown program", []string{"shell", "nosuch"}, "", "", "/system/bin/sh: nosuch: inaccessible or not found\n", 127},
		{"no su", []string{"shell", "su -c id"}, "", "", "/system/bin/sh: su: inaccessible or not found\n", 127},
		{"exec-out", []string{"exec-out", "printf", "a\\r\\n"}, "", "a\r\n", "", 0},
		{"exec-in", []string{"exec-in", "cat > /data/local/tmp/in"}, "through\n", "", "", 0},
		{"what came in", []string{"shell", "cat /data/local/tmp/in"}, "", "through\n", "", 0},
		{"a line without the shell protocol", []string{"shell", "-x", "echo plain; exit 9"}, "", "plain\n", "", 0},
		{"a terminal", []string{"shell", "-tt", "echo on a terminal"}, "", "on a terminal\r\n", "", 0},
		{"a property", []string{"shell", "getprop ro.product.model"}, "", "Sim 1\n", "", 0},
		{"the log", []string{"logcat", "-d"}, "", "--------- beginning of main\n", "", 0},
		{"a session on a terminal", []string{"shell", "-tt"}, "exit 6\n", "Sim 1:/ $ exit 6\r\n", "", 6},
		{"an & in an address", []string{"shell", "am start -a android.intent.action.VIEW -d https://a.example/?a=1&b=2"}, "", "Starting: Intent { act=android.intent.action.VIEW dat=https://a.example/?a=1 }\n", "", 0},
		{"not root", []string{"shell", "id -u; whoami"}, "", "", "", 0},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if c.name == "what came in" {
				// exec-in ends when adb has sent everything, not when the phone has written it.
				b.awaitFile("/data/local/tmp/in", c.stdout)
			}
			out, errs, code := b.run([]byte(c.stdin), c.args...)
			if c.name == "not root" {
				c.stdout = string(out)
				if !strings.HasSuffix(c.stdout, "shell\n") {
					t.Errorf("wrote %q", out)
				}
			}
			if prompt := "Sim 1:/ $ "; c.name == "a session on a terminal" && strings.Count(string(out), prompt) == 1 {
				// What is typed is shown when it comes, before the prompt, after it or around it.
				out = []byte(prompt + strings.Replace(string(out), prompt, "", 1))
			}
			if string(out) != c.stdout || string(errs) != c.stderr || code != c.code {
				t.Errorf("wrote %q, %q and ended with %d; %q, %q and %d were expected", out, errs, code, c.stdout, c.stderr, c.code)
			}
		})
	}
	if len(cases) != 20 {
		t.Fatalf("%d cases", len(cases))
	}
	if !slices.ContainsFunc(b.services(), func(s string) bool {
		return s == "shell,v2,TERM=dumb,raw:echo hello" || s == "shell,v2,raw:echo hello" || strings.HasSuffix(s, "raw:echo hello")
	}) {
		t.Errorf("the service was not written down: %q", b.services())
	}
}

func TestRealAdbPushesAndPulls(t *testing.T) {
	b := newBench(t, Options{})
	data := make([]byte, 20<<20)
	for i := range data {
		data[i] = byte(rand.Uint32())
	}
	dir := t.TempDir()
	from, to := filepath.Join(dir, "from.bin"), filepath.Join(dir, "to.bin")
	if err := os.WriteFile(from, data, 0o640); err != nil {
		t.Fatal(err)
	}
	b.must("push", from, "/sdcard/Download/new/folder/big.bin")
	b.must("pull", "/sdcard/Download/new/folder/big.bin", to)
	back, err := os.ReadFile(to)
	if err != nil || sha256.Sum256(back) != sha256.Sum256(data) {
		t.Fatalf("the file that came back is another one (%d bytes, %v)", len(back), err)
	}
	if sum := b.must("shell", "sha256sum /sdcard/Download/new/folder/big.bin | cut -c1-8"); len(strings.TrimSpace(sum)) != 8 {
		t.Errorf("sha256sum wrote %q", sum)
	}
	info, err := os.Stat(from)
	if err != nil {
		t.Fatal(err)
	}
	on, err := b.phone.Files().Stat("/sdcard/Download/new/folder/big.bin")
	if err != nil || on.ModTime().Unix() != info.ModTime().Unix() || on.Size() != info.Size() {
		t.Errorf("on the phone it is of %v with %d bytes, %v", on.ModTime(), on.Size(), err)
	}
	for _, refused := range []string{"/system/app/x", "/data/data/x", "/x"} {
		if out, errs, code := b.run(nil, "push", from, refused); code == 0 {
			t.Errorf("push to %s was taken: %s%s", refused, out, errs)
		}
	}
	if out, errs, code := b.run(nil, "pull", "/data/data/com.android.settings", dir); code == 0 {
		t.Errorf("private data was given away: %s%s", out, errs)
	}
	b.must("push", filepath.Join(dir), "/data/local/tmp/tree")
	if out := b.must("shell", "ls -R /data/local/tmp/tree"); !strings.Contains(out, "from.bin") {
		t.Errorf("a folder that was pushed has %q", out)
	}
	b.must("pull", "/data/local/tmp/tree", filepath.Join(dir, "again"))
	if _, err := os.Stat(filepath.Join(dir, "again", "to.bin")); err != nil {
		t.Error(err)
	}
	if out := b.must("ls", "/data/local/tmp"); !strings.Contains(out, "tree") {
		t.Errorf("adb ls: %q", out)
	}
}

func TestRealAdbSeesTheScreen(t *testing.T) {
	b := newBench(t, Options{})
	picture := []byte(b.must("exec-out", "screencap", "-p"))
	decoded, err := png.Decode(bytes.NewReader(picture))
	if err != nil {
		t.Fatalf("screencap -p is no PNG: %v", err)
	}
	if w, h := b.phone.Size(); decoded.Bounds().Dx() != w || decoded.Bounds().Dy() != h {
		t.Errorf("the picture is %v", decoded.Bounds())
	}
	raw := b.must("exec-out", "screencap")
	if want := 16 + 4*decoded.Bounds().Dx()*decoded.Bounds().Dy(); len(raw) != want {
		t.Errorf("screencap without -p is %d bytes, not %d", len(raw), want)
	}
	if out := b.must("shell", "uiautomator dump"); out != "UI hierchary dumped to: /sdcard/window_dump.xml\n" {
		t.Errorf("uiautomator dump wrote %q", out)
	}
	file := filepath.Join(t.TempDir(), "dump.xml")
	b.must("pull", "/sdcard/window_dump.xml", file)
	tree, err := os.ReadFile(file)
	if err != nil || !bytes.Contains(tree, []byte("<hierarchy")) {
		t.Errorf("the dump is %.80q, %v", tree, err)
	}
	if out := b.must("exec-out", "uiautomator dump /dev/tty"); !strings.Contains(out, "</hierarchy>UI hierchary dumped to: /dev/tty") {
		t.Errorf("the end of the dump is %q", out[max(0, len(out)-80):])
	}
}
