package client

import (
	"context"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/countersign/countersign/approval"
)

// notes is a door that keeps what was answered, for a prompt that ends when the
// list was asked for a second time.
type notes struct {
	open []approval.Approval
	said []string
	fail error
	done func()
	// nothing says that no grant may be given.
	nothing bool
}

func (n *notes) Wait(ctx context.Context, seen string, _ time.Duration) (Questions, error) {
	if seen != "" {
		n.done()
		return Questions{}, ctx.Err()
	}
	return Questions{Approvals: n.open, Version: "1"}, nil
}

func (n *notes) note(verb, id, digest, note string) (approval.Approval, error) {
	n.said = append(n.said, strings.TrimSpace(fmt.Sprint(verb, " ", id, " ", digest, " ", note)))
	return approval.Approval{}, n.fail
}

func (n *notes) Get(context.Context, string) (approval.Approval, error) {
	return approval.Approval{}, nil
}
func (n *notes) Approve(_ context.Context, id, digest, note string) (approval.Approval, error) {
	return n.note("approve", id, digest, note)
}
func (n *notes) Offer(context.Context, string) (approval.Grant, bool, error) {
	if n.nothing {
		return approval.Grant{}, false, nil
	}
	return offerOf(ordinary()), true, n.fail
}
func (n *notes) ApproveWithGrant(_ context.Context, id, digest, note string, terms approval.GrantTerms) (approval.Approval, error) {
	return n.note("grant", id, digest, fmt.Sprint(terms.Count, " ", terms.For))
}
func (n *notes) Deny(_ context.Context, id, digest, note string) (approval.Approval, error) {
	return n.note("deny", id, digest, note)
}
func (n *notes) Revoke(_ context.Context, id, digest, note string) (approval.Approval, error) {
	return n.note("revoke", id, digest, note)
}
func (n *notes) Freeze(context.Context, string) error   { return nil }
func (n *notes) Unfreeze(context.Context, string) error { return nil }
func (n *notes) Status(context.Context) (Status, error) { return Status{Level: "same user"}, nil }

// typist types a line each time one is asked for, after a pause.
type typist struct {
	mu      sync.Mutex
	clock   time.Time
	pause   time.Duration
	answers []string
	asked   bool
	keys    *io.PipeWriter
	printed strings.Builder
}

// now is the time. The prompt looks at it once a question is printed, and what is
// typed before that would be too early.
func (ty *typist) now() time.Time {
	ty.mu.Lock()
	defer ty.mu.Unlock()
	if ty.asked {
		ty.asked = false
		ty.answer()
	}
	return ty.clock
}

// Write is the terminal's output.
func (ty *typist) Write(p []byte) (int, error) {
	ty.mu.Lock()
	defer ty.mu.Unlock()
	ty.printed.Write(p)
	switch text := string(p); {
	case strings.Contains(text, "go ahead?"), strings.Contains(text, "grant this?"):
		ty.asked = true
	case strings.Contains(text, "answer now"):
		ty.answer()
	}
	return len(p), nil
}

// answer types the next line.
func (ty *typist) answer() {
	if len(ty.answers) == 0 {
		ty.keys.Close() // the prompt ends and the test fails, rather than waits
		return
	}
	line := ty.answers[0]
	ty.answers = ty.answers[1:]
	go io.WriteString(ty.keys, line+"\n")
}

func TestAskPutsOneQuestionAfterTheOther(t *testing.T) {
	conflict := &Problem{Status: 409, Detail: "it was\x1b[2J answered already"}
	cases := []struct {
		name    string
		a       approval.Approval
		answers []string
		pause   time.Duration
		fail    error
		want    []string
		printed string
	}{
		{"y", ordinary(), []string{"y"}, readFor, nil, []string{"approve apv_7f3k hmac-sha256:aa"}, "→ approved"},
		{"enter", ordinary(), []string{""}, readFor, nil, []string{"deny apv_7f3k hmac-sha256:aa"}, "→ denied"},
		{"later", ordinary(), []string{"s"}, readFor, nil, nil, "→ left open"},
		{"enough", ordinary(), []string{"q"}, readFor, nil, nil, "go ahead?"},
		{"critical y", critical(), []string{"y"}, readFor, nil, []string{"deny apv_9q2w hmac-sha256:bb"}, "[type yes/N"},
		{"critical yes", critical(), []string{"Yes "}, readFor, nil, []string{"approve apv_9q2w hmac-sha256:bb"}, "CRITICAL"},
		{"too soon", ordinary(), []string{"y", "y"}, readFor / 2, nil, []string{"approve apv_7f3k hmac-sha256:aa"}, "is dropped"},
		{"conflict", ordinary(), []string{"y"}, readFor, conflict, []string{"approve apv_7f3k hmac-sha256:aa"}, `→ it was\u001b[2J answered already`},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) { askOnce(t, c.a, c.answers, c.pause, c.fail, c.want, c.printed) })
	}
	if len(cases) != 8 {
		t.Fatal("a case is missing")
	}
}

func askOnce(t *testing.T, a approval.Approval, answers []string, pause time.Duration, fail error, want []string, printed string) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	in, keys := io.Pipe()
	defer keys.Close()
	ty := &typist{clock: noon, answers: answers, keys: keys, pause: pause}
	door := &notes{open: []approval.Approval{a}, fail: fail, done: cancel}
	err := ask(ctx, door, &lateReader{in, ty}, ty, WatchOptions{Now: ty.now})
	if err != nil && ctx.Err() == nil {
		t.Fatal(err)
	}
	if got := strings.Join(door.said, "; "); got != strings.Join(want, "; ") {
		t.Errorf("said %q, want %q", got, want)
	}
	if !strings.Contains(ty.printed.String(), printed) || strings.Contains(ty.printed.String(), "\x1b") {
		t.Errorf("printed\n%s\nwithout %q", ty.printed.String(), printed)
	}
}

// lateReader lets time go by before each line that is read.
type lateReader struct {
	io.Reader
	ty *typist
}

func (r *lateReader) Read(p []byte) (int, error) {
	n, err := r.Reader.Read(p)
	r.ty.mu.Lock()
	r.ty.clock = r.ty.clock.Add(r.ty.pause)
	r.ty.mu.Unlock()
	return n, err
}
