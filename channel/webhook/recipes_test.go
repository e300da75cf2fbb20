package webhook_test

import (
	"bytes"
	"context"
	"errors"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/countersign/countersign/channel/notice"
)

// recipe is a block of code of the page on channels.
func recipe(t *testing.T, kind string) []byte {
	t.Helper()
	page, err := os.ReadFile("../../docs/channels.md")
	if err != nil {
		t.Fatal(err)
	}
	found := regexp.MustCompile("(?ms)^```"+kind+"\n(.*?)^```$").FindAllSubmatch(page, -1)
	if len(found) != 1 {
		t.Fatalf("the page has %d blocks of %q, want one", len(found), kind)
	}
	return found[0][1]
}

// The receivers of the page take what the guard sends, and nothing else.
func TestReceiverInGo(t *testing.T) {
	dir := t.TempDir()
	save(t, filepath.Join(dir, "main.go"), recipe(t, "go receiver"))
	save(t, filepath.Join(dir, "go.mod"), []byte("module receiver\n\ngo 1.26\n"))
	program := filepath.Join(dir, "receiver")
	build := exec.Command("go", "build", "-o", program, ".")
	build.Dir = dir
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("build it: %v\n%s", err, out)
	}
	checkReceiver(t, program)
}

func TestReceiverInPython(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil && os.Getenv("CI") == "" {
		t.Skip("there is no python3 here; in CI it must be there")
	}
	if err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(t.TempDir(), "receiver.py")
	save(t, program, recipe(t, "python receiver"))
	checkReceiver(t, python, program)
}

func save(t *testing.T, path string, text []byte) {
	t.Helper()
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
}

// checkReceiver starts a receiver, and sends it what is genuine and what is not.
func checkReceiver(t *testing.T, command ...string) {
	t.Helper()
	address := freeAddress(t)
	printed, err := os.Create(filepath.Join(t.TempDir(), "printed")) // a file, so that it is there when the answer is
	if err != nil {
		t.Fatal(err)
	}
	defer printed.Close()
	program := exec.CommandContext(t.Context(), command[0], append(command[1:], address)...)
	program.Env = append(os.Environ(), "COUNTERSIGN_SECRET="+secretText)
	program.Stdout = printed
	if err := program.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { program.Process.Kill(); program.Wait() })
	awaitListener(t, address)

	url := "http://" + address + "/"
	m := message()
	if err := channel(t, url, time.Now).Tell(t.Context(), m); err != nil {
		t.Fatalf("a genuine one: %v", err)
	}
	doc, err := m.JSON()
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.TrimSpace(read(t, printed)); got != string(doc) {
		t.Errorf("it printed %q, want %q", got, doc)
	}
	old := func() time.Time { return time.Now().Add(-time.Hour) }
	var f *notice.Failure
	if err := channel(t, url, old).Tell(t.Context(), m); !errors.As(err, &f) || !strings.HasPrefix(f.Why, "it answers 401") {
		t.Errorf("one of an hour ago: %v", err)
	}
	for _, signature := range []string{"", "v1,", "v1,AAAA", "v1," + strings.Repeat("A", 43) + "="} {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, bytes.NewReader(doc))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("webhook-id", "a_1")
		req.Header.Set("webhook-timestamp", strconv.FormatInt(time.Now().Unix(), 10))
		req.Header.Set("webhook-signature", signature)
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		res.Body.Close()
		if res.StatusCode != http.StatusUnauthorized {
			t.Errorf("signed %q it answers %d", signature, res.StatusCode)
		}
	}
	if got := strings.TrimSpace(read(t, printed)); got != string(doc) {
		t.Errorf("it printed what was not genuine: %q", got)
	}
}

func read(t *testing.T, f *os.File) string {
	t.Helper()
	text, err := os.ReadFile(f.Name())
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// freeAddress is an address that nobody listens on.
func freeAddress(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

// awaitListener returns when somebody listens.
func awaitListener(t *testing.T, address string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	for {
		c, err := new(net.Dialer).DialContext(ctx, "tcp", address)
		if err == nil {
			c.Close()
			return
		}
		select {
		case <-ctx.Done():
			t.Fatalf("nobody listens on %s: %v", address, err)
		case <-time.After(10 * time.Millisecond):
		}
	}
}
