package client

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"os"
	"runtime"
	"strings"
	"time"
)

// Options say where the guard is and who asks. Socket and one of Token and
// TokenFile are required.
type Options struct {
	// Socket is the path of the approvers' unix socket.
	Socket string
	// Token is an approver's credential, TokenFile the file that holds one. The
	// file must be readable by its owner alone.
	Token, TokenFile string
	// How is the way the answers come, as the record will call it: "terminal",
	// which it is when empty, or "api" for a program of the owner's.
	How string
	// Timeout bounds one request apart from the time it asks the guard to wait;
	// 10 seconds when it is zero.
	Timeout time.Duration
}

// tokenPrefix begins every approver's credential. That of an agent begins
// otherwise and is refused here, before it is sent to the wrong door.
const tokenPrefix = "csp_"

// maxTokenFile bounds the file of a credential, in bytes.
const maxTokenFile = 4096

// The faults of Options.
var (
	ErrNoSocket = errors.New("no socket is given; it is where countersign up listens for approvers")
	ErrNoToken  = errors.New("no approver's credential is given; countersign up writes one when it first starts")
	ErrTwoToken = errors.New("a credential and a file with one are given; leave one of them out")
	ErrToken    = errors.New("this is not an approver's credential, which begins with " + tokenPrefix)
	ErrReadable = errors.New("other users can read the credential; run chmod 600 on the file, and replace the credential if somebody may have")
)

// Open returns a client. It reads the credential but does not talk to the guard
// yet: whether one runs is known with the first call.
func Open(o Options) (*Client, error) {
	token, err := o.credential()
	if err != nil {
		return nil, err
	}
	if o.How == "" {
		o.How = "terminal"
	}
	if o.Timeout <= 0 {
		o.Timeout = 10 * time.Second
	}
	dialer := &net.Dialer{Timeout: o.Timeout}
	c := &Client{token: token, how: o.How, timeout: o.Timeout, socket: o.Socket}
	c.http = &http.Client{
		Transport: &http.Transport{
			DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
				return dialer.DialContext(ctx, "unix", o.Socket)
			},
			MaxIdleConns: 4, IdleConnTimeout: time.Minute,
			MaxResponseHeaderBytes: 64 << 10, DisableCompression: true,
		},
		// The door sends nobody elsewhere, and the credential must not follow.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	return c, nil
}

// credential checks the options and returns the token.
func (o *Options) credential() (string, error) {
	switch {
	case o.Socket == "":
		return "", ErrNoSocket
	case o.Token == "" && o.TokenFile == "":
		return "", ErrNoToken
	case o.Token != "" && o.TokenFile != "":
		return "", ErrTwoToken
	}
	token := o.Token
	if o.TokenFile != "" {
		var err error
		if token, err = readToken(o.TokenFile); err != nil {
			return "", err
		}
	}
	if !strings.HasPrefix(token, tokenPrefix) || strings.ContainsFunc(token, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return "", ErrToken
	}
	return token, nil
}

// readToken reads the only line of a file that nobody else can read.
func readToken(path string) (string, error) {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("%w: %w", ErrNoToken, err)
	}
	if err != nil {
		return "", fmt.Errorf("read the approver's credential: %w", err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return "", fmt.Errorf("read the approver's credential: %w", err)
	}
	if runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0 {
		return "", fmt.Errorf("%s: %w", path, ErrReadable)
	}
	text, err := io.ReadAll(io.LimitReader(f, maxTokenFile))
	if err != nil {
		return "", fmt.Errorf("read the approver's credential: %w", err)
	}
	return strings.TrimSpace(string(text)), nil
}
