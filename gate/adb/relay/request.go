package relay

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
)

// usualMaxBody is how long a body may be where Options do not say.
const usualMaxBody = 16 << 20

// request is a request that was read whole.
type request struct {
	head
	raw  []byte // every byte of it as it was received
	body []byte // without framing; a part of raw where there is none
}

// path is the target without its query.
func (r *request) path() string {
	p, _, _ := strings.Cut(r.target, "?")
	return p
}

// query is what follows the path, with its question mark.
func (r *request) query() string { return r.target[len(r.path()):] }

// readRequest reads one request. wait is called before the body where the client
// wants to be told that it may send it. The error is io.EOF when the client is
// done, and *Malformed for what must not go on.
func readRequest(br *bufio.Reader, maxBody int, wait func() error) (*request, error) {
	raw, err := readHead(br)
	if err != nil {
		return nil, err
	}
	h, err := parseHead(raw)
	if err != nil {
		return nil, err
	}
	r := &request{head: *h, raw: raw}
	if r.length > maxBody {
		return nil, tooLong(maxBody)
	}
	if r.continues {
		if err := wait(); err != nil {
			return nil, err
		}
	}
	if r.chunked {
		return r, r.readChunks(br, maxBody)
	}
	if r.length == 0 {
		return r, nil
	}
	if r.raw, err = appendN(r.raw, br, r.length); err != nil {
		return nil, err
	}
	r.body = r.raw[len(r.raw)-r.length:]
	return r, nil
}

func tooLong(maxBody int) *Malformed {
	return &Malformed{Status: 413, Reason: fmt.Sprintf("the body is longer than %d bytes", maxBody)}
}

// readHead reads up to and with the first empty line.
func readHead(br *bufio.Reader) ([]byte, error) {
	var raw []byte
	for {
		line, err := br.ReadSlice('\n')
		raw = append(raw, line...)
		switch {
		case len(raw) > maxHead:
			return nil, &Malformed{Status: 431, Reason: fmt.Sprintf("the head is longer than %d bytes", maxHead)}
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case err == io.EOF && len(raw) > 0:
			return nil, io.ErrUnexpectedEOF
		case err != nil:
			return nil, err
		case len(bytes.TrimRight(raw, "\r\n")) == 0:
			return nil, malformed("an empty line stands where a request begins")
		case len(bytes.TrimRight(line, "\r\n")) == 0:
			return raw, nil // whether it is a proper empty line, parseHead says
		}
	}
}

// readChunks reads a chunked body: sizes of at most eight hexadecimal digits,
// without extensions and trailers, which few readers agree about.
func (r *request) readChunks(br *bufio.Reader, maxBody int) error {
	for {
		size, err := r.chunkSize(br)
		if err != nil {
			return err
		}
		if size > maxBody-len(r.body) || len(r.raw) > 2*maxBody+maxHead {
			return tooLong(maxBody)
		}
		start := len(r.raw)
		if r.raw, err = appendN(r.raw, br, size+2); err != nil {
			return err
		}
		if !bytes.HasSuffix(r.raw[start:], []byte("\r\n")) {
			return malformed("a chunk is longer than it says, or has trailers behind it")
		}
		if size == 0 {
			return nil
		}
		r.body = append(r.body, r.raw[start:start+size]...)
	}
}

// chunkSize reads the line that says how long a chunk is.
func (r *request) chunkSize(br *bufio.Reader) (int, error) {
	size, digits := 0, 0
	for {
		c, err := br.ReadByte()
		if err != nil {
			return 0, cutOff(err)
		}
		r.raw = append(r.raw, c)
		switch {
		case isHex(c) && digits < 8:
			size, digits = size<<4|hexValue(c), digits+1
		case c == '\r' && digits > 0:
			if c, err = br.ReadByte(); err != nil {
				return 0, cutOff(err)
			}
			if r.raw = append(r.raw, c); c != '\n' {
				return 0, malformed("the size of a chunk does not end with CR LF")
			}
			return size, nil
		default:
			return 0, malformed("the size of a chunk is no number of at most eight hexadecimal digits")
		}
	}
}

func hexValue(c byte) int {
	switch {
	case c >= 'a':
		return int(c-'a') + 10
	case c >= 'A':
		return int(c-'A') + 10
	}
	return int(c - '0')
}

// appendN reads n more bytes. Memory grows with what comes, not with what was
// announced.
func appendN(raw []byte, br *bufio.Reader, n int) ([]byte, error) {
	for n > 0 {
		step := min(n, 64<<10)
		at := len(raw)
		raw = append(raw, make([]byte, step)...)
		if _, err := io.ReadFull(br, raw[at:]); err != nil {
			return nil, cutOff(err)
		}
		n -= step
	}
	return raw, nil
}

// cutOff is the error of a stream that ended within a message.
func cutOff(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}
