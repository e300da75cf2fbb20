package relay

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// Bounds of an answer: of its head, and of what is kept of a body for the gate.
const (
	maxAnswerHead = 64 << 10
	maxKept       = 32 << 20
)

// errAnswer says that the server's answer cannot be read.
var errAnswer = errors.New("the server on the phone answered with something that is not HTTP")

// answer is an answer of the server, as far as it was looked at on its way.
type answer struct {
	status int
	body   []byte // without framing, where it was to be kept and is not too long
	kept   bool
	reuse  bool // the server takes another request on this connection
}

// passAnswer copies the server's answer to w, byte by byte as it comes, and
// returns when it has ended. began says whether anything reached w. swallow
// leaves out "100 Continue", which the agent has had from us. keep, where it is not
// nil, is given the answer before the last of it is sent on: who has it whole can
// be sure that it was kept.
func passAnswer(w io.Writer, br *bufio.Reader, method string, swallow bool, keep func(*answer)) (a answer, began bool, err error) {
	for {
		raw, err := readAnswerHead(br)
		if err != nil {
			return a, began, err
		}
		status, frame, err := parseAnswerHead(raw, method)
		switch {
		case err != nil:
			return a, began, err
		case status == 101:
			return a, began, fmt.Errorf("%w: it changed the protocol without being asked to", errAnswer)
		case status == 100 && swallow:
			continue
		case status < 200:
			began = true
			if _, err := w.Write(raw); err != nil {
				return a, began, err
			}
			continue
		}
		a = answer{status: status, reuse: frame.reuse}
		c := &copier{w: w, keep: keep != nil}
		err = c.pass(raw, false)
		if err == nil {
			err = frame.copy(c, br)
		}
		if err == nil && keep != nil && !c.over {
			a.kept, a.body = true, c.kept.Bytes()
			keep(&a)
		}
		return a, true, errors.Join(err, c.flush())
	}
}

// copier copies an answer. One that is kept is copied a piece later than it comes.
type copier struct {
	w    io.Writer
	keep bool
	over bool // it is too long to be kept
	kept bytes.Buffer
	last []byte
}

// pass writes bytes on; body says that they are not framing.
func (c *copier) pass(p []byte, body bool) error {
	if !c.keep {
		_, err := c.w.Write(p)
		return err
	}
	if body && !c.over {
		if c.over = c.kept.Len()+len(p) > maxKept; !c.over {
			c.kept.Write(p)
		}
	}
	err := c.flush()
	c.last = append(c.last[:0], p...)
	return err
}

func (c *copier) flush() error {
	if len(c.last) == 0 {
		return nil
	}
	_, err := c.w.Write(c.last)
	c.last = c.last[:0]
	return err
}

// answerFrame says how an answer's body ends.
type answerFrame struct {
	length  int64 // -1: it ends with the connection
	chunked bool
	reuse   bool
}

func readAnswerHead(br *bufio.Reader) ([]byte, error) {
	var raw []byte
	for {
		line, err := br.ReadSlice('\n')
		raw = append(raw, line...)
		switch {
		case len(raw) > maxAnswerHead:
			return nil, fmt.Errorf("%w: a head of more than %d bytes", errAnswer, maxAnswerHead)
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case err != nil:
			return nil, cutOff(err)
		case len(bytes.TrimRight(line, "\r\n")) == 0:
			return raw, nil
		}
	}
}

// parseAnswerHead reads what ends an answer's body. It forgives what servers do.
func parseAnswerHead(raw []byte, method string) (status int, f answerFrame, err error) {
	lines := strings.Split(string(raw), "\n")
	version, rest, _ := strings.Cut(strings.TrimRight(lines[0], "\r"), " ")
	code, _, _ := strings.Cut(strings.TrimLeft(rest, " "), " ")
	status, err = strconv.Atoi(code)
	if err != nil || status < 100 || status > 999 || !strings.HasPrefix(version, "HTTP/1.") {
		return 0, f, errAnswer
	}
	f.length, f.reuse = -1, version == "HTTP/1.1"
	for _, line := range lines[1:] {
		name, value, _ := strings.Cut(strings.TrimRight(line, "\r"), ":")
		value = strings.ToLower(strings.TrimSpace(value))
		switch strings.ToLower(strings.TrimSpace(name)) {
		case "content-length":
			if f.length, err = strconv.ParseInt(value, 10, 63); err != nil {
				return 0, f, fmt.Errorf("%w: a length that is no number", errAnswer)
			}
		case "transfer-encoding":
			f.chunked = strings.HasSuffix(value, "chunked")
		case "connection":
			f.reuse = value == "keep-alive" || f.reuse && value != "close"
		}
	}
	if f.chunked {
		f.length = -1
	}
	if method == "HEAD" || status < 200 || status == 204 || status == 304 {
		f.chunked, f.length = false, 0
	}
	if f.length < 0 && !f.chunked {
		f.reuse = false
	}
	return status, f, nil
}

// copy copies the body.
func (f answerFrame) copy(c *copier, br *bufio.Reader) error {
	switch {
	case f.chunked:
		return copyChunks(c, br)
	case f.length >= 0:
		return copyBody(c, br, f.length)
	}
	err := copyBody(c, br, 1<<62)
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return nil
	}
	return err
}

// copyBody passes n bytes on as they come.
func copyBody(c *copier, br *bufio.Reader, n int64) error {
	for n > 0 {
		if _, err := br.Peek(1); err != nil {
			return cutOff(err)
		}
		p, _ := br.Peek(int(min(int64(br.Buffered()), n)))
		if err := c.pass(p, true); err != nil {
			return err
		}
		n -= int64(len(p))
		_, _ = br.Discard(len(p)) // what was peeked at is there
	}
	return nil
}

func copyChunks(c *copier, br *bufio.Reader) error {
	for {
		line, err := br.ReadSlice('\n')
		if err != nil {
			return cutOff(err)
		}
		digits, _, _ := strings.Cut(strings.TrimRight(string(line), "\r\n"), ";")
		size, err := strconv.ParseInt(strings.TrimSpace(digits), 16, 63)
		if err != nil {
			return fmt.Errorf("%w: the size of a chunk", errAnswer)
		}
		if err := c.pass(line, false); err != nil {
			return err
		}
		if size == 0 {
			return copyTrailers(c, br)
		}
		if err := copyBody(c, br, size); err != nil {
			return err
		}
		if line, err = br.ReadSlice('\n'); err != nil {
			return cutOff(err)
		}
		if err := c.pass(line, false); err != nil {
			return err
		}
	}
}

func copyTrailers(c *copier, br *bufio.Reader) error {
	for {
		line, err := br.ReadSlice('\n')
		if err != nil {
			return cutOff(err)
		}
		if err := c.pass(line, false); err != nil {
			return err
		}
		if len(bytes.TrimRight(line, "\r\n")) == 0 {
			return nil
		}
	}
}
