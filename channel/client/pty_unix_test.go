//go:build unix

package client

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/creack/pty"

	"github.com/countersign/countersign/approval"
)

// watchSocket tells the test program to be the page on its terminal instead.
const watchSocket = "COUNTERSIGN_TEST_WATCH"

func TestMain(m *testing.M) {
	if socket := os.Getenv(watchSocket); socket != "" {
		os.Exit(watchAsProgram(socket))
	}
	os.Exit(m.Run())
}

// watchAsProgram shows the page with a clock that goes on by a second each time
// it is looked at, so that the test need not wait for a card to be read.
func watchAsProgram(socket string) int {
	c, err := Open(Options{Socket: socket, Token: token})
	if err != nil {
		fmt.Println(err)
		return 2
	}
	var looks atomic.Int64
	now := func() time.Time { return noon.Add(time.Duration(looks.Add(1)) * time.Second) }
	if err := Watch(context.Background(), c, os.Stdin, os.Stdout, WatchOptions{Now: now}); err != nil {
		fmt.Println(err)
		return 1
	}
	return 0
}

// questionDoor answers like the guard with one open question until that is
// answered, and holds the list back as it is asked to.
type questionDoor struct {
	mu       sync.Mutex
	question approval.Approval
	answered chan struct{}
}

func (q *questionDoor) serve(w http.ResponseWriter, r *http.Request) {
	switch {
	case r.Method == http.MethodPost:
		q.mu.Lock()
		q.question.State, q.question.AnsweredBy, q.question.How = approval.Approved, "me", "terminal"
		q.question.UseBy = q.question.Deadline
		answerJSON(w, 200, q.question)
		q.mu.Unlock()
		q.answered <- struct{}{}
	case r.URL.Path == "/v1/status":
		answerJSON(w, 200, Status{Level: "same user", Approver: "me"})
	default:
		if r.URL.Query().Get("wait") != "" {
			<-r.Context().Done() // nothing changes but by the answer, which the page knows of
			return
		}
		q.mu.Lock()
		defer q.mu.Unlock()
		answerJSON(w, 200, Questions{Approvals: []approval.Approval{q.question}, Version: "1"})
	}
}

func TestOnARealTerminal(t *testing.T) {
	a := ordinary()
	a.Card.Label, a.Card.Evidence, a.Deadline = "Label-4711\x1b]0;owned\x07", nil, noon.Add(24*time.Hour)
	q := &questionDoor{question: a, answered: make(chan struct{}, 8)}
	door := openDoor(t, q.serve)
	screen, program := startPage(t, door.socket)

	screen.await(t, "Label-4711")
	screen.write(t, "\r") // Enter does nothing
	screen.write(t, "a")
	screen.write(t, "y")
	<-q.answered
	screen.write(t, "q")
	if err := program.Wait(); err != nil {
		t.Fatalf("the page ended with %v:\n%q", err, screen.text())
	}
	var posts []request
	for _, r := range door.requests() {
		if r.Method == http.MethodPost {
			posts = append(posts, r)
		}
	}
	want := request{"POST", "/v1/approvals/apv_7f3k/approve", "countersign", "Bearer " + token, "terminal", "application/json", `{"digest":"hmac-sha256:aa","note":""}`}
	if len(posts) != 1 || posts[0] != want {
		t.Fatalf("sent %+v, want %+v", posts, want)
	}
	if text := screen.text(); strings.Contains(text, "owned\x07") || strings.Contains(text, "\x1b]0;") {
		t.Errorf("a label reached the terminal raw:\n%q", text)
	}
}

// startPage runs the page on a terminal of 80 x 24.
func startPage(t *testing.T, socket string) (*terminal, *exec.Cmd) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	program := exec.Command(self)
	program.Env = append(os.Environ(), watchSocket+"="+socket, "TERM=xterm-256color", "NO_COLOR=1")
	f, err := pty.StartWithSize(program, &pty.Winsize{Rows: 24, Cols: 80})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		program.Process.Kill()
		f.Close()
	})
	s := &terminal{f: f}
	s.more = sync.NewCond(&s.mu)
	go s.read()
	return s, program
}

// terminal keeps what was written to a pseudo-terminal.
type terminal struct {
	f    *os.File
	mu   sync.Mutex
	more *sync.Cond
	out  bytes.Buffer
	end  error
}

func (s *terminal) read() {
	buffer := make([]byte, 4096)
	for {
		n, err := s.f.Read(buffer)
		s.mu.Lock()
		s.out.Write(buffer[:n])
		s.end = err
		s.more.Broadcast()
		s.mu.Unlock()
		if err != nil {
			return
		}
	}
}

// await returns once the terminal has shown a text.
func (s *terminal) await(t *testing.T, want string) {
	t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	for !strings.Contains(s.out.String(), want) {
		if s.end != nil {
			t.Fatalf("the page ended (%v) without %q:\n%q", s.end, want, s.out.String())
		}
		s.more.Wait()
	}
}

func (s *terminal) text() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.out.String()
}

func (s *terminal) write(t *testing.T, keys string) {
	t.Helper()
	if _, err := io.WriteString(s.f, keys); err != nil && !errors.Is(err, os.ErrClosed) {
		t.Fatal(err)
	}
}
