package shell

import (
	"context"
	"io"
	"runtime"
	"strings"
	"testing"
	"time"
)

// TestBombsEnd runs what would go on for ever, or grow without a bound. Each has
// to end by itself, not by the time of its context.
func TestBombsEnd(t *testing.T) {
	bombs := []string{
		`:(){ :|:& };:`,
		`f() { f; }; f`,
		`f() { f | f; }; f`,
		`f() { f & f & }; f`,
		`f() { (f); }; f`,
		`f() { $(f); }; f`,
		`f() { eval f; }; f`,
		`while :; do :; done`,
		`while true; do true; done`,
		`while ((1)); do ((x++)); done`,
		`until false; do x=1; done`,
		`while :; do sleep 0; done`,
		`x=a; while :; do x=$x$x; done`,
		`x=a; while ((1)); do x=$x$x; done`,
		`while :; do x="$x aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"; done`,
		`yes`,
		`yes | cat`,
		`x=$(yes)`,
		`cat <<< "$(yes)"`,
		`yes > /sdcard/big`,
		`yes | base64`,
		`seq 1 1000000000`,
		`echo {a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}`,
		`echo {1..999999999}`,
		`eval 'echo {1..999999999}'`,
		`sh -c 'while :; do :; done'`,
		`echo 'sh /sdcard/s' > /sdcard/s; sh /sdcard/s`,
		`echo '. /sdcard/s' > /sdcard/s; . /sdcard/s`,
		`echo 'echo x | sh /sdcard/s' > /sdcard/s; sh /sdcard/s`,
		`nohup nohup nohup sh -c 'while :; do :; done'`,
		`for a in 1 2 3 4 5 6 7 8 9 10; do for b in 1 2 3 4 5 6 7 8 9 10; do for c in 1 2 3 4 5 6 7 8 9 10; do for d in 1 2 3 4 5 6 7 8 9 10; do for e in 1 2 3; do :; done; done; done; done; done`,
		`x=x; echo $((x))`,
		`x=y y=x; echo $((x))`,
		strings.Repeat("(", 50_000),
		strings.Repeat("( ", 50_000) + ":" + strings.Repeat(" )", 50_000),
		strings.Repeat("{ ", 390) + ":" + strings.Repeat("; }", 390),
		strings.Repeat("$(", 390) + strings.Repeat(")", 390),
		strings.Repeat("if ", 20_000),
		strings.Repeat("! ", 20_000) + ":",
		`echo $((` + strings.Repeat("-", 20_000) + `1))`,
		`echo "` + strings.Repeat("`", 2_000) + `"`,
		strings.Repeat("a;", 60_000),
		strings.Repeat("x", 200_000),
		`alias a=b b=a; a`,
		`alias a='a a'; a`,
		`trap 'sh -c "while :; do :; done"' EXIT`,
		`mkdir -p /sdcard/a; cp -r /sdcard/a /sdcard/a/b; cp -r /sdcard /sdcard/c`,
		`xargs -n 1 sh -c 'yes' < /dev/null`,
		`printf %s1000000000d x`,
		`printf %1000000000d 1`,
		`typeset x; select x in a; do :; done < /dev/null`,
	}
	for _, bomb := range bombs {
		name := bomb
		if len(name) > 60 {
			name = name[:60]
		}
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
			defer cancel()
			limits := DefaultLimits
			limits.Output, limits.Steps = 16<<20, 5_000
			s := &Shell{Phone: newPhone(t), Limits: limits}
			s.Run(ctx, bomb, nil, io.Discard, io.Discard)
			if ctx.Err() != nil {
				t.Error("only the clock ended it")
			}
		})
	}
	if len(bombs) != 51 {
		t.Fatalf("%d bombs", len(bombs))
	}
}

// TestTheContextEndsALine ends lines that wait.
func TestTheContextEndsALine(t *testing.T) {
	for _, line := range []string{
		`sleep 1000`, `cat`, `logcat`, `sleep 1000 | cat`, `cat | sleep 1000`, `read x`, `while read x; do :; done`, `sleep 1000 & wait`, `(sleep 1000)`,
		`sh -c 'sleep 1000'`, `getevent`, `uiautomator events`, `timeout 1000 sleep 1000`, `x=$(sleep 1000)`, `head -1`, `xargs echo`, `sh`, `yes | sleep 1000`,
	} {
		t.Run(line, func(t *testing.T) {
			p := newPhone(t)
			ctx, cancel := context.WithCancel(context.Background())
			in, feed := io.Pipe()
			defer feed.Close()
			ended := make(chan int, 1)
			go func() { ended <- (&Shell{Phone: p}).Run(ctx, line, in, io.Discard, io.Discard) }()
			cancel()
			if code := <-ended; code == 0 {
				t.Errorf("it ended with 0")
			}
		})
	}
}

// TestNothingIsLeftRunning counts goroutines: what a line started is gone when it
// has ended.
func TestNothingIsLeftRunning(t *testing.T) {
	p := newPhone(t)
	before := runtime.NumGoroutine()
	for range 20 {
		for _, line := range []string{`echo a | cat | wc -l`, `yes | head -1`, `cat < /proc/version`, `x=$(echo a)`, `sleep 1000 & kill %1`, `cat <<< x`, `: < /proc/version`} {
			ctx, cancel := context.WithCancel(context.Background())
			if strings.Contains(line, "&") {
				cancel()
			}
			(&Shell{Phone: p}).Run(ctx, line, nil, io.Discard, io.Discard)
			cancel()
		}
	}
	for over := time.Now().Add(time.Minute); time.Now().Before(over); time.Sleep(time.Millisecond) { // they end in their own time
		if runtime.NumGoroutine() <= before+2 {
			return
		}
	}
	buffer := make([]byte, 1<<16)
	t.Errorf("%d goroutines, %d before:\n%s", runtime.NumGoroutine(), before, buffer[:runtime.Stack(buffer, true)])
}
