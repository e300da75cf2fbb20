package relay

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"strconv"
)

// maxAsked bounds an answer to a question of our own.
const maxAsked = 64 << 20

// asker asks a server on the phone questions of our own, over a stream of our
// own. It is for one goroutine.
type asker struct {
	dial func(context.Context) (net.Conn, error)
	conn net.Conn
	br   *bufio.Reader
	// authorization is sent with each question where it is not empty.
	authorization string
}

// close ends the stream.
func (a *asker) close() {
	if a.conn != nil {
		_ = a.conn.Close() // nothing is lost
		a.conn = nil
	}
}

// ask sends a request and reads the answer whole.
func (a *asker) ask(ctx context.Context, method, path string, body []byte) (answer, error) {
	if a.conn == nil {
		conn, err := a.dial(ctx)
		if err != nil {
			return answer{}, fmt.Errorf("%w: %w", errUnreachable, err)
		}
		a.conn, a.br = conn, bufio.NewReader(conn)
	}
	conn := a.conn
	stop := context.AfterFunc(ctx, func() { _ = conn.Close() }) // ends the read below
	defer stop()
	if _, err := conn.Write(a.question(method, path, body)); err != nil {
		a.close()
		return answer{}, fmt.Errorf("asking the server on the phone: %w", err)
	}
	var bounded limited
	got, _, err := passAnswer(&bounded, a.br, method, true, func(*answer) {})
	if err != nil {
		a.close()
		return answer{}, fmt.Errorf("asking the server on the phone: %w", err)
	}
	if !got.kept {
		return answer{}, fmt.Errorf("asking the server on the phone: the answer is longer than %d bytes", maxKept)
	}
	if !got.reuse {
		a.close()
	}
	return got, nil
}

func (a *asker) question(method, path string, body []byte) []byte {
	var q bytes.Buffer
	q.WriteString(method + " " + path + " HTTP/1.1\r\nHost: 127.0.0.1\r\nUser-Agent: countersign\r\n")
	if a.authorization != "" {
		q.WriteString("Authorization: " + a.authorization + "\r\n")
	}
	if body != nil {
		q.WriteString("Content-Type: application/json\r\nContent-Length: " + strconv.Itoa(len(body)) + "\r\n")
	}
	q.WriteString("\r\n")
	q.Write(body)
	return q.Bytes()
}

// limited drops what is written, up to a bound.
type limited int

func (l *limited) Write(p []byte) (int, error) {
	if *l += limited(len(p)); *l > maxAsked {
		return 0, io.ErrShortWrite
	}
	return len(p), nil
}
