//go:build unix

package hook_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/countersign/countersign/channel/hook"
)

// The program of the page shows a notice, and hostile text is no markup and no
// option there.
func TestTheDesktopNoticeOfThePage(t *testing.T) {
	if _, err := exec.LookPath("python3"); err != nil {
		if os.Getenv("CI") == "" {
			t.Skip("there is no python3 here; in CI it must be there")
		}
		t.Fatal(err)
	}
	page, err := os.ReadFile("../../docs/channels.md")
	if err != nil {
		t.Fatal(err)
	}
	found := regexp.MustCompile("(?ms)^```python notify\n(.*?)^```$").FindAllSubmatch(page, -1)
	if len(found) != 1 {
		t.Fatalf("the page has %d such programs, want one", len(found))
	}
	dir := t.TempDir()
	program, saw := filepath.Join(dir, "tell"), filepath.Join(dir, "saw")
	for path, text := range map[string]string{
		program:                           string(found[0][1]),
		filepath.Join(dir, "notify-send"): "#!/bin/sh\nfor a in \"$@\"; do printf '%s\\0' \"$a\"; done >" + saw + "\n",
	} {
		if err := os.WriteFile(path, []byte(text), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	c := channel(t, hook.Options{Command: []string{program}, Environ: []string{"PATH=" + dir + ":" + os.Getenv("PATH"), "HOME=" + os.Getenv("HOME")}})
	if err := c.Tell(t.Context(), message(`--help <a href="https://evil.com">$(reboot)</a>`)); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(saw)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"--app-name=Countersign", "--urgency=normal", "--", "Countersign",
		"--help &lt;a href=&quot;https[:]//evil[.]com&quot;&gt;$(reboot)&lt;/a&gt;\nOpen the inbox on the computer that runs the guard.", "",
	}
	if string(got) != strings.Join(want, "\x00") {
		t.Errorf("it was started with %q", strings.Split(string(got), "\x00"))
	}
}
