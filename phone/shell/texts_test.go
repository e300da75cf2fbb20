package shell

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// textLines are lines of programs that read texts; Debian's programs have to
// write the same.
var textLines = []string{
	`cat one.txt two.txt`, `cat - < one.txt`, `cat one.txt nosuch 2>/dev/null`, `cat < lines | cat`,
	`head -1 lines`, `head -n 1 lines`, `head -c 4 lines`, `tail -1 lines`, `tail -n 1 lines`, `tail -n +2 lines`, `tail -c 3 lines`,
	`seq 5 | head -3`, `seq 5 | tail -2`, `seq 2 4`, `seq 1 2 9`, `seq 3 -1 1`, `seq 100 | tail -n +99`,
	`wc -l < lines`, `wc -c < lines`, `wc -w < lines`, `seq 10 | wc -l`,
	`grep first lines`, `grep -v first lines`, `grep -c line lines`, `grep -i FIRST lines`, `grep -n second lines`, `grep -o 'l[a-z]*' lines`, `grep -q first lines && echo yes`,
	`grep -E 'first|second' lines`, `grep 'first\|second' lines`, `grep -F 'f.rst' lines`, `grep -F 'first' lines`, `grep -w line lines`, `grep -x 'first line' lines`, `grep -e first -e nothing lines | head -1`,
	`grep nothing lines`, `grep first nosuch 2>/dev/null`, `grep -l first lines one.txt`, `grep one *.txt`, `grep -h one *.txt`, `grep '[0-9]' lines`, `grep '^second' lines`, `grep 'line$' lines`,
	`seq 9 | grep -A1 3`, `seq 9 | grep -B1 3`, `seq 9 | grep -C1 5`, `seq 20 | grep -A1 -B1 '[37]$'`, `seq 20 | grep -m 2 1`, `grep 'fir\(s\)t' lines`, `grep -E 'fir(s)t+' lines`, `grep 'a+b' lines`, `egrep 'li+ne' lines`, `fgrep line lines`,
	`sed 's/first/FIRST/' lines`, `sed 's/line/x/g' lines`, `sed 's/l\(i\)n/[\1]/' lines`, `sed -E 's/(l)(i)/\2\1/' lines`, `sed -n 2p lines`, `sed -n '/second/p' lines`, `sed '/first/d' lines`, `sed 1d lines`, `sed 's|line|/|' lines`, `sed 's/i/&&/' lines`, `sed 's/first/a/;s/second/b/' lines`, `sed -n 's/first/x/p' lines`, `sed 's/FIRST/x/i' lines`, `echo 'a$b' | sed 's/\$/D/'`, `echo aaa | sed 's/a/b/'`, `echo x | sed 's/x/$1/'`,
	`echo hello | tr a-z A-Z`, `echo hello | tr -d l`, `echo 'a  b' | tr -s ' '`, `echo 'a b' | tr ' ' '\n'`, `printf 'a\r\n' | tr -d '\r'`, `echo abc | tr abc x`, `echo abc1 | tr -cd '[:digit:]'`,
	`echo a:b:c | cut -d: -f2`, `echo a:b:c | cut -d: -f1,3`, `echo a:b:c | cut -d : -f 2-`, `echo abcdef | cut -c2-4`, `echo nodelim | cut -d: -f2`, `echo nodelim | cut -s -d: -f2`,
	`printf 'b\na\nc\n' | sort`, `printf '10\n9\n' | sort`, `printf '10\n9\n' | sort -n`, `printf 'b\na\n' | sort -r`, `printf 'a\nb\na\n' | sort -u`, `printf 'a\na\nb\n' | uniq`, `printf 'a\na\nb\n' | uniq -c`, `printf 'a\na\nb\n' | uniq -d`,
	`echo x | tee out | cat; cat out`, `echo y | tee -a out > /dev/null; cat out`,
	`echo hello | base64`, `echo aGVsbG8K | base64 -d`, `seq 100 | base64`, `seq 100 | base64 -w 0`, `printf x | md5sum`, `printf x | sha1sum`, `printf x | sha256sum`, `sha256sum one.txt`,
	`basename /a/b.txt`, `basename /a/b.txt .txt`, `dirname /a/b`, `printf '%s %d\n' a 1 b 2`, `printf '%05d|%x|%c\n' 42 255 z`, `printf 'no newline'`, `printf '\x41\n'`,
	`test 1 = 1 && echo ok`, `[ -s one.txt ] && echo ok`, `[ -z "" ] && [ -n x ] && echo ok`, `expr 1 + 1 2>/dev/null || true`,
	`echo 'a b' c | xargs`, `printf 'a\nb\n' | xargs echo x`, `printf 'a b' | xargs -n 1 echo`, `echo "'a b' c" | xargs -n 1 echo`, `printf 'a\0b' | xargs -0 echo`, `printf 'x y\n' | xargs -I {} echo '<{}>'`,
	`mkdir d && ls -d d && rmdir d && ls -d d 2>/dev/null || echo gone`, `mkdir -p a/b/c && ls a/b`, `mkdir one.txt 2>/dev/null`, `cp one.txt c && cat c`, `cp nosuch c 2>/dev/null`, `mkdir d; cp one.txt d; ls d`, `cp -r . ../copy && ls ../copy | head -1`, `mv one.txt m && cat m && ls one.txt 2>/dev/null || echo gone`, `mv nosuch m 2>/dev/null`,
	`rm one.txt && ls *.txt`, `rm nosuch 2>/dev/null`, `rm -f nosuch`, `mkdir d; rm d 2>/dev/null`, `mkdir d; touch d/f; rm -r d && ls -d d 2>/dev/null || echo gone`, `touch new && ls new`, `[ -f new ] || touch -c new; ls new 2>/dev/null || echo gone`, `ls -a | head -2`, `ls -1 *.txt`, `ls nosuch 2>/dev/null || echo gone`, `ls *.jpg | wc -l`, `chmod 755 script.sh && [ -x script.sh ] && echo x`, `stat -c %s one.txt`, `stat -c %a one.txt`, `find . -name '*.txt' | sort`, `find . -type d`, `find . -maxdepth 1 -name 'one*'`,
	`env -i A=1 env`, `A=5 env | grep ^A=`, `timeout 5 echo x`, `timeout 0.1 sleep 5; [ $? -gt 100 ] && echo late`, `nohup echo x 2>/dev/null`, `sleep 0; echo slept`, `true; false; echo $?`, `yes | head -2`, `which nosuch`, `date -u +%Z`, `date +%s | grep -c '^[0-9]*$'`,
}

// knownTextDifferences are lines that toybox, the phone's, writes otherwise than
// Debian's programs.
var knownTextDifferences = map[string]string{
	`ls -a | head -2`:                          "the simulation lists neither . nor ..",
	`expr 1 + 1 2>/dev/null || true`:           "there is no expr",
	`grep -e first -e nothing lines | head -1`: "of several patterns the last counts",
}

// TestTextProgramsWriteWhatDebiansDo compares what programs write with what
// Debian's write in mksh.
func TestTextProgramsWriteWhatDebiansDo(t *testing.T) {
	for _, line := range textLines {
		t.Run(line, func(t *testing.T) {
			want, wantCode := debianWrites(t, line)
			p := newPhone(t)
			for name, text := range files {
				if err := p.Files().WriteFile("/data/local/tmp/w/"+name, []byte(text), 0o644); err != nil {
					if err := p.Files().Mkdir("/data/local/tmp/w", 0o755, true); err != nil {
						t.Fatal(err)
					}
					p.Files().WriteFile("/data/local/tmp/w/"+name, []byte(text), 0o644)
				}
			}
			out, errs, code := onPhone(t, &Shell{Phone: p}, "cd /data/local/tmp/w\n"+line)
			if (out != want || code != wantCode) == (knownTextDifferences[line] == "") {
				t.Errorf("wrote %q (%d), Debian's %q (%d); stderr %q", out, code, want, wantCode, errs)
			}
		})
	}
	if len(textLines) != 154 {
		t.Fatalf("%d lines were compared, the table has been changed: say so here", len(textLines))
	}
}

// debianWrites is what mksh and Debian's programs write.
func debianWrites(t *testing.T, line string) (string, int) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "w")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.CommandContext(context.Background(), "mksh", "-c", line)
	cmd.Dir, cmd.Env = dir, []string{"PATH=/usr/bin:/bin", "LANG=C.UTF-8", "LC_ALL=C", "HOME=/"}
	var out bytes.Buffer
	cmd.Stdout = &out
	var exit *exec.ExitError
	if err := cmd.Run(); err != nil && !errors.As(err, &exit) {
		t.Fatalf("mksh: %v; install it with apt-get install mksh", err)
	}
	return out.String(), cmd.ProcessState.ExitCode()
}
