package upstream

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"time"

	"github.com/countersign/countersign/wire"
)

// HiddenOptions say how the hidden adb server is run. Dir is required.
type HiddenOptions struct {
	// Dir is the folder of the socket, made with mode 0700: nobody else may look
	// into it. Its path has to be short, for a socket's is at most 107 bytes.
	Dir string
	// ADB is the program; "adb" on the path if empty.
	ADB string
	// Home is where the server finds .android/adbkey, the key that phones know. If
	// empty it is Dir: the guard has a key of its own, and the agent's user none.
	Home string
	// Env is added to the server's environment, "NAME=value" each. Nothing of the
	// guard's own environment but PATH reaches it.
	Env []string
	// Log is told when the server dies and when phones are found again. Nil drops
	// it.
	Log *slog.Logger
}

// socketName is the socket in HiddenOptions.Dir.
const socketName = "adb.sock"

// maxSocketPath is what a Unix socket's address can hold.
const maxSocketPath = 107

// How long the server may take to answer after its start, where it makes a key
// first, and one that was left behind to end; and how long is waited before another
// start, which doubles up to the last.
const (
	startWithin  = time.Minute
	answerWithin = 15 * time.Second
	firstPause   = 200 * time.Millisecond
	lastPause    = 10 * time.Second
	pollEvery    = 20 * time.Millisecond
)

// Hidden is an adb server that only this process's user can reach. When it dies
// it is started again and the phones that it reached over TCP are connected
// again. It is safe for concurrent use.
type Hidden struct {
	o      HiddenOptions
	server wire.Server
	cancel context.CancelFunc
	done   chan struct{}

	mu     sync.Mutex
	asked  []string // serials that Connect reached: the owner's, whatever becomes of them
	remote []string // serials of phones over TCP, while the server lived
}

// Start starts the server and waits until it answers. It ends with ctx, or by
// Stop. An adb server that is left in Dir from a guard that was killed is ended
// first, for it holds the phones.
func Start(ctx context.Context, o HiddenOptions) (*Hidden, error) {
	if o.ADB == "" {
		o.ADB = "adb"
	}
	if o.Home == "" {
		o.Home = o.Dir
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	program, err := exec.LookPath(o.ADB)
	if err != nil {
		return nil, fmt.Errorf("adb is needed to reach phones; install it, or say where it is: %w", err)
	}
	o.ADB = program
	if err := private(o.Dir); err != nil {
		return nil, err
	}
	h := &Hidden{o: o, server: At(o.Dir), done: make(chan struct{})}
	if len(h.server.Address) > maxSocketPath {
		return nil, fmt.Errorf("the folder for the hidden adb server, %s, is too long for a socket: %d bytes, at most %d with /%s", o.Dir, len(o.Dir), maxSocketPath-len(socketName)-1, socketName)
	}
	unlock, err := lock(o.Dir)
	if err != nil {
		return nil, err
	}
	if err := h.clear(ctx); err != nil {
		unlock()
		return nil, err
	}
	ctx, h.cancel = context.WithCancel(ctx)
	started := make(chan error, 1)
	go func() {
		defer close(h.done)
		defer unlock()
		h.keep(ctx, started)
	}()
	if err := <-started; err != nil {
		h.cancel()
		<-h.done
		return nil, err
	}
	return h, nil
}

// At is where the hidden server of a folder listens, while it runs.
func At(dir string) wire.Server {
	return wire.Server{Network: "unix", Address: filepath.Join(dir, socketName)}
}

// private makes a folder that nobody else can look into.
func private(dir string) error {
	if dir == "" {
		return errors.New("the hidden adb server needs a folder of its own")
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("the folder of the hidden adb server: %w", err)
	}
	info, err := os.Lstat(dir)
	if err != nil {
		return fmt.Errorf("the folder of the hidden adb server: %w", err)
	}
	if !info.IsDir() {
		return fmt.Errorf("the folder of the hidden adb server, %s, is no folder", dir)
	}
	if err := os.Chmod(dir, 0o700); err != nil { // fails where it is somebody else's
		return fmt.Errorf("the folder of the hidden adb server has to be the guard's own: %w", err)
	}
	return nil
}

// clear ends a server that was left behind, and takes its socket away.
func (h *Hidden) clear(ctx context.Context) error {
	if _, err := os.Lstat(h.server.Address); errors.Is(err, os.ErrNotExist) {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, answerWithin)
	defer cancel()
	for h.server.Command(ctx, "host:kill") == nil {
		h.o.Log.Info("an adb server that an earlier guard left behind is ended")
		if !pause(ctx, pollEvery) {
			return fmt.Errorf("the adb server at %s does not end; end it by hand", h.server.Address)
		}
	}
	if err := os.Remove(h.server.Address); err != nil && !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("the socket of an earlier adb server: %w", err)
	}
	return nil
}

// Server is where the hidden server listens.
func (h *Hidden) Server() wire.Server { return h.server }

// Stop ends the server and waits for its end.
func (h *Hidden) Stop() error {
	h.cancel()
	<-h.done
	return nil
}

// Done is closed when the server has ended for good.
func (h *Hidden) Done() <-chan struct{} { return h.done }

// keep runs the server again and again until ctx ends. The first start is
// reported to started.
func (h *Hidden) keep(ctx context.Context, started chan<- error) {
	defer func() { _ = os.Remove(h.server.Address) }()
	// The server dies with the thread that started it (see dieWithUs), so that
	// must not end before it.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	for wait := firstPause; ; wait = min(2*wait, lastPause) {
		answered, err := h.run(ctx, started)
		if answered {
			started, wait = nil, firstPause
		}
		if ctx.Err() != nil || started != nil {
			if started != nil {
				started <- err
			}
			return
		}
		h.o.Log.Warn("the hidden adb server has ended and is started again; no phone can be reached until then", "error", err.Error())
		if !pause(ctx, wait) {
			return
		}
	}
}

// run runs the server once, until it ends, and says whether it had answered.
func (h *Hidden) run(ctx context.Context, started chan<- error) (answered bool, err error) {
	_ = os.Remove(h.server.Address)
	said := &tail{}
	cmd := exec.Command(h.o.ADB, "-L", "localfilesystem:"+h.server.Address, "server", "nodaemon")
	cmd.Dir = h.o.Dir
	cmd.Env = append([]string{"PATH=" + os.Getenv("PATH"), "HOME=" + h.o.Home, "TMPDIR=" + h.o.Dir}, h.o.Env...)
	cmd.Stdout, cmd.Stderr = said, said
	cmd.WaitDelay = time.Second // a child of its own might hold its output open
	dieWithUs(cmd)
	if err := cmd.Start(); err != nil {
		return false, fmt.Errorf("starting adb: %w", err)
	}
	life, end := context.WithCancelCause(ctx)
	defer end(nil)
	stop := context.AfterFunc(life, func() { _ = cmd.Process.Kill() })
	defer stop()
	var work sync.WaitGroup
	defer work.Wait()
	work.Go(func() {
		err := h.ready(life)
		if err != nil {
			end(err)
			return
		}
		answered = true
		if started != nil {
			started <- nil
		} else {
			h.reconnect(life)
		}
		h.track(life)
	})
	err = cmd.Wait()
	cause := context.Cause(life)
	end(errors.New("the adb server has ended"))
	work.Wait()
	if cause != nil {
		err = cause
	}
	return answered, fmt.Errorf("%w; it said: %s", err, said)
}

// ready waits until the server answers, and takes back the forwards that an
// older server might have kept.
func (h *Hidden) ready(ctx context.Context) error {
	wait, cancel := context.WithTimeout(ctx, startWithin)
	defer cancel()
	for {
		_, err := h.server.Query(wait, "host:version")
		if err == nil {
			break
		}
		if !pause(wait, pollEvery) {
			return fmt.Errorf("adb did not answer within %v: %w", startWithin, err)
		}
	}
	if err := h.server.Command(ctx, "host:killforward-all"); err != nil {
		return fmt.Errorf("taking back forwards: %w", err)
	}
	return nil
}

// tail is the end of what a program said.
type tail struct {
	mu   sync.Mutex
	said []byte
}

func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	const keep = 2 << 10
	t.said = append(t.said, p...)
	if extra := len(t.said) - keep; extra > 0 {
		t.said = slices.Delete(t.said, 0, extra)
	}
	return len(p), nil
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return fmt.Sprintf("%q", t.said)
}

var _ io.Writer = (*tail)(nil)

// pause waits, and says false if ctx ends first.
func pause(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}
