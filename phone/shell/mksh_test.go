package shell

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/countersign/countersign/phone"
)

// TestLinesReachProgramsAsInMksh runs each line in Debian's mksh and in ours and
// compares the words that arrive at programs, and the exit code.
func TestLinesReachProgramsAsInMksh(t *testing.T) {
	lines := slices.Concat(sameLines, sameOddLines)
	for _, line := range lines {
		t.Run(line, func(t *testing.T) {
			want, wantCode := inMksh(t, line)
			got, gotCode := inOurs(t, line)
			if strings.Contains(strings.ReplaceAll(line, "||", ""), "|") {
				// The two ends of a pipe begin in any order.
				slices.SortFunc(want, slices.Compare)
				slices.SortFunc(got, slices.Compare)
			}
			if !reflect.DeepEqual(got, want) {
				t.Errorf("programs got %q, in mksh %q", got, want)
			}
			if gotCode != wantCode {
				t.Errorf("exit code is %d, in mksh %d", gotCode, wantCode)
			}
		})
	}
	if len(lines) != 341 {
		t.Fatalf("%d lines were compared, the table has been changed: say so here", len(lines))
	}
}

// TestKnownDifferencesFromMksh holds the list of what differs to what does: a
// difference that is gone has to leave the list.
func TestKnownDifferencesFromMksh(t *testing.T) {
	for _, d := range differentLines {
		t.Run(d.line, func(t *testing.T) {
			want, wantCode := inMksh(t, d.line)
			got, gotCode := inOurs(t, d.line)
			if reflect.DeepEqual(got, want) && gotCode == wantCode {
				t.Errorf("there is no difference any more; the reason was: %s", d.reason)
			}
		})
	}
	if len(differentLines) != 31 {
		t.Fatalf("%d differences are listed, the table has been changed: say so here", len(differentLines))
	}
}

// files lie where both shells stand.
var files = map[string]string{
	"one.txt": "one\n", "two.txt": "two\n", "a b.log": "blank\n", "photo1.jpg": "1", "photo2.jpg": "2", "script.sh": "show from script \"$@\"\n",
	".hidden": "h\n", "lines": "first line\nsecond line\n",
}

// inMksh runs a line in the real shell and returns what arrived at the stubs.
func inMksh(t *testing.T, line string) (lists [][]string, code int) {
	t.Helper()
	shell, err := exec.LookPath("mksh")
	if err != nil {
		t.Fatalf("this test needs mksh: %v; install it with apt-get install mksh", err)
	}
	dir, bin := t.TempDir(), t.TempDir()
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for name := range stubs {
		if err := os.WriteFile(filepath.Join(bin, name), []byte(stubScript), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	record := filepath.Join(t.TempDir(), "record")
	cmd := exec.Command(shell, "-c", line)
	cmd.Dir = dir
	cmd.Env = []string{"PATH=" + bin + ":/usr/bin:/bin", recordVariable + "=" + record, "HOME=/", "LANG=C.UTF-8"}
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatalf("mksh: %v: %s", err, out)
	}
	data, err := os.ReadFile(record)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	for words := strings.Split(strings.TrimSuffix(string(data), "\x00"), "\x00"); len(words) > 1; {
		n, err := strconv.Atoi(words[0])
		if err != nil || n+2 > len(words) {
			t.Fatalf("the stubs wrote %q", data)
		}
		lists = append(lists, words[1:n+2])
		words = words[n+2:]
	}
	return lists, cmd.ProcessState.ExitCode()
}

// inOurs runs a line in the phone's shell.
func inOurs(t *testing.T, line string) (lists [][]string, code int) {
	t.Helper()
	p, err := phone.New(phone.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		if err := p.Files().WriteFile("/data/local/tmp/"+name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	var out bytes.Buffer
	s := &Shell{Phone: p}
	code = s.Run(context.Background(), "cd /data/local/tmp\n"+line, strings.NewReader(""), &out, &out)
	if t.Failed() {
		t.Logf("ours wrote %q", out.String())
	}
	for _, e := range p.Record() {
		if list := Argv(e); list != nil {
			if _, ok := stubs[list[0]]; ok {
				lists = append(lists, list)
			}
		}
	}
	return lists, code
}
