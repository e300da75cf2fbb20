package shell

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/countersign/countersign/phone"
)

// newPhone is a phone that works.
func newPhone(t testing.TB) *phone.Phone {
	t.Helper()
	p, err := phone.New(phone.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// onPhone runs a line and returns what it wrote.
func onPhone(t testing.TB, s *Shell, line string) (stdout, stderr string, code int) {
	t.Helper()
	var out, errs bytes.Buffer
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	code = s.Run(ctx, line, nil, &out, &errs)
	if ctx.Err() != nil {
		t.Fatalf("%q did not end", line)
	}
	return out.String(), errs.String(), code
}

// TestNothingOfTheHostIsReached plants things on the host and lets lines look
// for them.
func TestNothingOfTheHostIsReached(t *testing.T) {
	dir := t.TempDir()
	const secret = "a secret of the host"
	file := filepath.Join(dir, "secret.txt")
	script := filepath.Join(dir, "script.sh")
	for name, text := range map[string]string{file: secret, script: "echo " + secret} {
		if err := os.WriteFile(name, []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("COUNTERSIGN_HOST_SECRET", secret)
	t.Setenv("TMPDIR", dir)
	lines := []string{
		`cat ` + file, `cat < ` + file, `x=$(<` + file + `); echo "$x"`, `. ` + script, script, `sh ` + script, `echo ` + dir + `/*`,
		`cd ` + dir + ` && pwd`, `[ -e ` + file + ` ] && echo EXISTS`, `ls ` + dir, `echo $COUNTERSIGN_HOST_SECRET`, `env`, `set`, `export`,
		`PATH=` + dir + `; script.sh`, `PATH=` + dir + ` command -v script.sh`, `PATH=` + dir + `; type script.sh; which script.sh; hash script.sh`,
		`exec ` + script, `eval 'cat <(echo x)'`, `eval "cat <(cat ` + file + `)"`, `cp ` + file + ` /sdcard/x; cat /sdcard/x`,
		`cat /proc/self/environ`, `cat /proc/$PPID/environ`, `cat /etc/passwd | grep root`, `while read x; do echo $x; done < ` + file,
		`cat <<< "$(<` + file + `)"`, `read x < ` + file + `; echo $x`, `test -f ` + file + ` && echo ` + dir, `trap 'cat ` + file + `' EXIT`,
		`pwd -P`, `cd / && pwd -P`, `source ` + script, `builtin . ` + script, `command . ` + script, `echo ~`, `echo ~root ~nobody`, `ulimit -a`,
		`echo $HOME $TMPDIR $HOSTNAME $UID $PPID $$`, `/usr/bin/env`, `/bin/cat ` + file, `printf '%s' "$(cat ` + file + `)"`, `cat /../..` + file,
		`mapfile x < ` + file, `readarray y < ` + file, `exec 3< ` + file, `exec < ` + file + `; cat`, `cat /dev/fd/0 /proc/self/fd/3`,
	}
	for _, line := range lines {
		s := &Shell{Phone: newPhone(t)}
		out, errs, _ := onPhone(t, s, line)
		said := out + errs
		for _, leak := range []string{secret, "EXISTS", "GOPATH", "root:x:0", os.Getenv("HOME") + "/", "sh-interp"} {
			if leak != "/" && strings.Contains(said, leak) {
				t.Errorf("%q says %q, which has %q of the host", line, said, leak)
			}
		}
		if strings.Contains(out, "secret.txt") {
			t.Errorf("%q lists a file of the host: %q", line, out)
		}
	}
	if len(lines) != 47 {
		t.Fatalf("%d lines", len(lines))
	}
}

// TestNothingIsWrittenOnTheHost lets lines write where the host has a folder.
func TestNothingIsWrittenOnTheHost(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	for _, line := range []string{
		`echo x > ` + dir + `/made`, `echo x >> ` + dir + `/made`, `touch ` + dir + `/made`, `mkdir ` + dir + `/made`, `mkdir -p ` + dir + `/a/b`,
		`cp /proc/version ` + dir + `/made`, `echo x | tee ` + dir + `/made`, `eval 'cat <(echo x)'`, `eval 'echo x > >(cat)'`, `uiautomator dump ` + dir + `/made`,
		`screencap -p ` + dir + `/made.png`, `mktemp`, `mktemp -d`, `exec > ` + dir + `/made; echo x`, `TMPDIR=` + dir + ` eval 'cat <(echo x)'`,
		`export TMPDIR=` + dir + `; eval 'cat <(echo x)'`, `sh -c 'eval "cat <(echo x)"'`,
	} {
		s := &Shell{Phone: newPhone(t)}
		onPhone(t, s, line)
		made, err := os.ReadDir(dir)
		if err != nil || len(made) > 0 {
			t.Errorf("%q made %v on the host, %v", line, made, err)
		}
	}
}
