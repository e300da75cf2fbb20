package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/countersign/countersign/approval"
	"github.com/countersign/countersign/cmd/countersign/demo"
	"github.com/countersign/countersign/daemon"
	"github.com/countersign/countersign/phone"
	"github.com/countersign/countersign/phone/adbd"
	"github.com/countersign/countersign/phone/automation"
)

// phoneStage is what the demo on the phone plays on: a simulated phone, the guard
// with its ADB gate in front of it, and the real adb program as the agent.
type phoneStage struct {
	*stage
	phone *phone.Phone
	// serial is the phone as adb knows it, gate where the guard is its adb server.
	serial, gate string
	adb          string
	stop         context.CancelFunc
	served       chan error
}

// quietADB is what keeps the adb program from looking for phones by itself: the
// owner's own are none of the demo's business. An adb that knows none of these
// words would look for them.
var quietADB = []string{"ADB_USB=0", "ADB_EMU=0", "ADB_MDNS=0"}

// openPhoneStage starts the phone, and the guard in front of it. Every port is a
// free one, and everything that is written goes into a folder that is removed.
func openPhoneStage(adb string) (*phoneStage, error) {
	home, err := os.MkdirTemp("", "cs-demo-") // short: the path of a socket has little room
	if err != nil {
		return nil, fmt.Errorf("make a folder for the demo: %w", err)
	}
	s := &phoneStage{stage: &stage{home: home}, adb: adb}
	if err := s.open(); err != nil {
		return nil, errors.Join(err, s.close())
	}
	return s, nil
}

func (s *phoneStage) open() error {
	var err error
	if s.phone, err = phone.New(phone.Options{Now: time.Now}); err != nil {
		return err
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return fmt.Errorf("listen for the simulated phone: %w", err)
	}
	s.serial = l.Addr().String()
	ctx, stop := context.WithCancel(context.Background())
	s.stop, s.served = stop, make(chan error, 1)
	go func() { s.served <- adbd.Serve(ctx, l, s.phone, adbd.Options{Launches: automation.Launches()}) }()
	if err := s.start(daemon.ADB{Server: "127.0.0.1:0", Program: s.adb, Env: quietADB, Connect: []string{s.serial}}); err != nil {
		return err
	}
	s.gate, _ = s.guard.ADBAddrs()
	return nil
}

// close stops everything and forgets it.
func (s *phoneStage) close() error {
	err := s.stage.close()
	if s.stop != nil {
		s.stop()
		err = errors.Join(err, <-s.served)
	}
	return err
}

// sent is what became of a call of adb.
type sent struct {
	code int
	said string // on standard error
	err  error  // it could not be called
}

// passed reports whether the guard let it pass, or a person did.
func (s *sent) passed() bool { return s.code == 0 }

// send calls adb as an agent does, and gives what became of it when it ends. It
// fails closed: where the guard is gone, this adb starts no server of its own.
func (s *phoneStage) send(ctx context.Context, args []string) <-chan sent {
	cmd := exec.CommandContext(ctx, s.adb, append([]string{"-s", s.serial}, args...)...)
	cmd.Env = append([]string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + s.home, "TMPDIR=" + s.home, "ADB_SERVER_SOCKET=tcp:" + s.gate,
	}, quietADB...)
	cmd.Dir = s.home
	cmd.WaitDelay = time.Second
	var said bytes.Buffer
	cmd.Stderr = &said
	done := make(chan sent, 1)
	go func() {
		err := cmd.Run()
		became := sent{said: strings.TrimSpace(said.String())}
		var exit *exec.ExitError
		switch {
		case errors.As(err, &exit) && ctx.Err() == nil:
			became.code = exit.ExitCode()
		case err != nil:
			became.err = fmt.Errorf("adb %s: %w", strings.Join(args, " "), errors.Join(err, ctx.Err()))
		}
		done <- became
	}()
	return done
}

// put is a question that waits, or why nobody could look.
type put struct {
	question approval.Approval
	err      error
}

// question gives the next question that waits, until ctx ends.
func (s *phoneStage) question(ctx context.Context) <-chan put {
	asked := make(chan put, 1)
	go func() {
		seen := ""
		for {
			list, err := s.owner.Wait(ctx, seen, 20*time.Second)
			if ctx.Err() != nil {
				return
			}
			// One that was answered may still be on its way to the phone.
			waiting := slices.IndexFunc(list.Approvals, func(a approval.Approval) bool { return a.State == approval.Pending })
			switch {
			case err != nil:
				asked <- put{err: err}
				return
			case waiting >= 0:
				asked <- put{question: list.Approvals[waiting]}
				return
			}
			seen = list.Version
		}
	}()
	return asked
}

// errGone says that a control is not on the screen.
var errGone = errors.New("is not on the screen")

// args are the arguments of a move, with the place of its control as it is now.
func (s *phoneStage) args(m demo.Move) ([]string, error) {
	if m.Label == "" && m.ID == "" {
		return m.Args, nil
	}
	var found *phone.Node
	for _, n := range s.phone.Nodes() {
		called := m.Label == n.Text || m.Label == n.Description || m.Label == n.Hint
		if m.ID != "" {
			called = strings.HasSuffix(n.ResourceID, ":id/"+m.ID)
		}
		if called && (found == nil || n.Clickable && !found.Clickable) {
			found = &n
		}
	}
	if found == nil {
		return nil, fmt.Errorf("“%s” %w", m.Label+m.ID, errGone)
	}
	b := found.Bounds
	at := []int{(b.Min.X + b.Max.X) / 2, (b.Min.Y + b.Max.Y) / 2}
	if m.Slide {
		edge := b.Dx() / 20
		at = []int{b.Min.X + edge, at[1], b.Max.X - edge, at[1], 600}
	}
	args := append([]string(nil), m.Args...)
	for _, n := range at {
		args = append(args, strconv.Itoa(n))
	}
	return args, nil
}
