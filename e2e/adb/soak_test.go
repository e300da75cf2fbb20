package adb_test

import (
	"fmt"
	"os"
	"runtime"
	"strconv"
	"strings"
	"testing"
)

// commands is how many the soak sends: COUNTERSIGN_COMMANDS, or a number that is
// quick.
func commands(t *testing.T) int {
	t.Helper()
	text := os.Getenv("COUNTERSIGN_COMMANDS")
	if text == "" {
		return 2000
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 400 {
		t.Fatalf("COUNTERSIGN_COMMANDS is %q; a number from 400 is accepted", text)
	}
	return n
}

// descriptors is how many files this process has open.
func descriptors(t *testing.T) int {
	t.Helper()
	open, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Fatal(err)
	}
	return len(open)
}

// heap is what lives after a collection, in bytes.
func heap() uint64 {
	runtime.GC()
	runtime.GC() // the first ends what finalizers hold
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// A long day: looks, taps that pass, refused ones and calls to a server, through
// both front ends. Neither memory nor open files grow with their number. The phone
// forgets what it got, and so does not count.
func TestSoak(t *testing.T) {
	for _, f := range []front{asServer, asDevice} { // one after the other: it is this process that is measured
		t.Run(string(f), func(t *testing.T) { soak(t, f, commands(t)/2) })
	}
}

func soak(t *testing.T, f front, n int) {
	w := newWorld(t, f, unattended)
	w.runs(u2)
	w.show(composer)
	services := []struct {
		service, sent string
		passes        bool
	}{
		{"shell:getprop ro.product.model", "", true},
		{"shell,v2,raw:input tap 500 2000", "", true},
		{"exec:uiautomator dump /dev/tty", "", true},
		{"shell:input keyevent 24", "", true},
		{w.fill(composer, "shell:input tap {xy}"), "", false},
		{"tcpip:5555", "", false},
		{u2, rpc("deviceInfo", ""), true},
		{u2, w.fillCall(&call{scene: composer, sent: rpc("click", "{x},{y}")}), false},
		{"abb_exec:settings\x00get\x00system\x00screen_brightness", "", true},
		{"shell,v2,raw:", typed("getprop\n"), true},
	}
	run := func(from, to int) {
		for i := from; i < to; i++ {
			s := services[i%len(services)]
			r := w.serve(s.service, s.sent)
			if passed := r.passed() && !strings.Contains(r.out, "countersign: "); passed != s.passes {
				t.Fatalf("command %d, %q, was told %+v", i, s.service, r)
			}
			if i%100 == 99 {
				w.nothingHappened(fmt.Sprintf("after %d commands", i+1))
				w.phone.Forget()
			}
		}
	}
	warm := n / 5
	run(0, warm)
	bytes, files, routines := heap(), descriptors(t), runtime.NumGoroutine()
	run(warm, n)
	later, filesLater, routinesLater := heap(), descriptors(t), runtime.NumGoroutine()
	t.Logf("%d commands: heap %d kB, then %d kB; %d files, then %d; %d goroutines, then %d",
		n, bytes>>10, later>>10, files, filesLater, routines, routinesLater)
	if later > bytes+bytes/2+(4<<20) {
		t.Errorf("the heap grew from %d to %d bytes", bytes, later)
	}
	// Some connections are just being closed at either time.
	if filesLater > files+20 || routinesLater > routines+40 {
		t.Errorf("%d files became %d, %d goroutines %d", files, filesLater, routines, routinesLater)
	}
}
