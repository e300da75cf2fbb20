package bench

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"net"
	"strconv"
)

// Wire is one HTTP/1.1 connection that stays open. It writes bytes that were
// made beforehand and reads no more of an answer than it must, since a client of
// net/http takes more of the two processors than the servers it would measure.
// It is not safe for concurrent use.
type Wire struct {
	conn net.Conn
	in   *bufio.Reader
	body []byte
}

// Dial opens a connection, as net.Dial.
func Dial(network, address string) (*Wire, error) {
	conn, err := net.Dial(network, address)
	if err != nil {
		return nil, fmt.Errorf("bench: %w", err)
	}
	return &Wire{conn: conn, in: bufio.NewReaderSize(conn, 16<<10)}, nil
}

// Close ends the connection.
func (w *Wire) Close() error { return w.conn.Close() }

// Message makes a request with a JSON body; an empty token sends none.
func Message(method, path, host, token string, body []byte) []byte {
	head := fmt.Sprintf("%s %s HTTP/1.1\r\nHost: %s\r\n", method, path, host)
	if token != "" {
		head += "Authorization: Bearer " + token + "\r\n"
	}
	if body != nil {
		head += fmt.Sprintf("Content-Type: application/json\r\nContent-Length: %d\r\n", len(body))
	}
	return append([]byte(head+"\r\n"), body...)
}

// Do sends a request and reads the answer. The body is good until the next Do.
func (w *Wire) Do(message []byte) (status int, body []byte, err error) {
	if err := w.Send(message); err != nil {
		return 0, nil, err
	}
	return w.Receive()
}

// Send sends a request whose answer is received later.
func (w *Wire) Send(message []byte) error {
	_, err := w.conn.Write(message)
	return err
}

var errNoLength = errors.New("bench: the answer does not say how long it is")

// Receive reads the next answer. The body is good until the next Receive.
func (w *Wire) Receive() (status int, body []byte, err error) {
	line, err := w.in.ReadSlice('\n')
	if err != nil {
		return 0, nil, fmt.Errorf("bench: read the status line: %w", err)
	}
	if len(line) < 12 || !bytes.HasPrefix(line, []byte("HTTP/1.1 ")) {
		return 0, nil, fmt.Errorf("bench: %q is no status line", line)
	}
	if status, err = strconv.Atoi(string(line[9:12])); err != nil {
		return 0, nil, fmt.Errorf("bench: %q is no status line", line)
	}
	length, err := w.head()
	if err != nil {
		return status, nil, err
	}
	if cap(w.body) < length {
		w.body = make([]byte, length)
	}
	w.body = w.body[:length]
	for read := 0; read < length; {
		n, err := w.in.Read(w.body[read:])
		if err != nil {
			return status, nil, fmt.Errorf("bench: read the body: %w", err)
		}
		read += n
	}
	return status, w.body, nil
}

// head reads the header and returns the length of the body.
func (w *Wire) head() (length int, err error) {
	length = -1
	for {
		line, err := w.in.ReadSlice('\n')
		if err != nil {
			return 0, fmt.Errorf("bench: read the header: %w", err)
		}
		line = bytes.TrimRight(line, "\r\n")
		if len(line) == 0 {
			break
		}
		const name = "content-length:"
		if len(line) > len(name) && bytes.EqualFold(line[:len(name)], []byte(name)) {
			if length, err = strconv.Atoi(string(bytes.TrimSpace(line[len(name):]))); err != nil {
				return 0, fmt.Errorf("bench: %q: %w", line, err)
			}
		}
	}
	if length < 0 {
		return 0, errNoLength
	}
	return length, nil
}
