package relay

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
)

// Bounds of a request's head. NanoHTTPD, which uiautomator2 uses, reads 8,192
// bytes and takes the rest for something else; Netty, which Appium's server uses,
// reads 4,096 bytes of a request line.
const (
	maxHead = 8000
	maxLine = 4000
)

// Malformed says that a request was refused because two readers could
// understand it differently, or because it is too long.
type Malformed struct {
	Status int // of HTTP
	Reason string
}

func (m *Malformed) Error() string { return m.Reason }

func malformed(reason string, args ...any) *Malformed {
	return &Malformed{Status: 400, Reason: fmt.Sprintf(reason, args...)}
}

// head is the head of a request, with what decides where its body ends.
type head struct {
	method, target string
	minor          int // of HTTP/1.x
	fields         []field
	length         int // of the body; 0 where chunked
	chunked        bool
	continues      bool // the client waits for "100 Continue"
	close          bool // the client sends no further request
	upgrade        string
}

// field is a header field; its name is in lower case.
type field struct{ name, value string }

// value is the only value of a field, or empty.
func (h *head) value(name string) string {
	for i := range h.fields {
		if h.fields[i].name == name {
			return h.fields[i].value
		}
	}
	return ""
}

// parseHead reads a head up to and with its empty line. It is strict: what RFC
// 9112 lets a server forgive is refused, for another reader may forgive it
// differently.
func parseHead(raw []byte) (*head, error) {
	if bad := bytes.IndexFunc(raw, func(r rune) bool { return r > 0x7e || r < ' ' && r != '\r' && r != '\n' && r != '\t' }); bad >= 0 {
		return nil, malformed("the head has a byte that is no printable ASCII, at %d", bad)
	}
	lines := strings.Split(string(raw), "\r\n")
	if len(lines) < 3 || lines[len(lines)-1] != "" || lines[len(lines)-2] != "" {
		return nil, malformed("the head does not end with an empty line")
	}
	lines = lines[:len(lines)-2]
	for i, line := range lines {
		if strings.ContainsAny(line, "\r\n") {
			return nil, malformed("line %d of the head has a line break that is not CR LF", i+1)
		}
	}
	h := new(head)
	if err := h.requestLine(lines[0]); err != nil {
		return nil, err
	}
	for i, line := range lines[1:] {
		if err := h.field(line); err != nil {
			err.Reason = fmt.Sprintf("header field %d: %s", i+1, err.Reason)
			return nil, err
		}
	}
	if err := h.framing(); err != nil {
		return nil, err
	}
	return h, nil
}

// requestLine reads "METHOD /path HTTP/1.1", with one space between.
func (h *head) requestLine(line string) error {
	if len(line) > maxLine {
		return &Malformed{Status: 414, Reason: fmt.Sprintf("the request line is longer than %d bytes", maxLine)}
	}
	parts := strings.Split(line, " ")
	if len(parts) != 3 || strings.Contains(line, "\t") {
		return malformed("the request line is not METHOD, path and version with one space between")
	}
	h.method, h.target = parts[0], parts[1]
	switch parts[2] {
	case "HTTP/1.1":
		h.minor = 1
	case "HTTP/1.0":
		h.close = true
	default:
		return &Malformed{Status: 505, Reason: "only HTTP/1.0 and HTTP/1.1 are relayed"}
	}
	if h.method == "" || strings.Trim(h.method, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") != "" {
		return malformed("the method is not in capital letters")
	}
	if !strings.HasPrefix(h.target, "/") || strings.HasPrefix(h.target, "//") {
		return malformed("the path does not begin with one slash; proxies and CONNECT are not relayed")
	}
	if strings.ContainsAny(h.target, "#\\") || !escapesWhole(h.target) {
		return malformed("the path has a fragment, a backslash or a broken escape")
	}
	return nil
}

// escapesWhole reports whether every % is followed by two hexadecimal digits.
func escapesWhole(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] == '%' {
			if i+2 >= len(s) || !isHex(s[i+1]) || !isHex(s[i+2]) {
				return false
			}
			i += 2
		}
	}
	return true
}

func isHex(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F'
}

// field reads "Name: value".
func (h *head) field(line string) *Malformed {
	name, value, found := strings.Cut(line, ":")
	switch {
	case line == "":
		return malformed("empty")
	case line[0] == ' ' || line[0] == '\t':
		return malformed("folded over two lines")
	case !found || !isToken(name):
		return malformed("not a name, a colon and a value")
	}
	h.fields = append(h.fields, field{strings.ToLower(name), strings.Trim(value, " \t")})
	return nil
}

// isToken reports whether s is a token of RFC 9110: what a field's name may be.
func isToken(s string) bool {
	for i := 0; i < len(s); i++ {
		c := s[i]
		letter := 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9'
		if !letter && strings.IndexByte("!#$%&'*+-.^_`|~", c) < 0 {
			return false
		}
	}
	return s != ""
}

// onlyOnce are the fields that change what a message is. Given twice, one reader
// takes the first and another the last.
var onlyOnce = []string{
	"content-length", "transfer-encoding", "host", "connection", "expect", "upgrade", "content-type",
	"content-encoding", "authorization",
}

// framing works out where the body ends, and whether the connection goes on.
func (h *head) framing() error {
	for _, name := range onlyOnce {
		n := 0
		for i := range h.fields {
			if h.fields[i].name == name {
				n++
			}
		}
		if n > 1 {
			return malformed("%s is given %d times", name, n)
		}
	}
	if err := h.bodyLength(); err != nil {
		return err
	}
	for _, word := range strings.Split(strings.ToLower(h.value("connection")), ",") {
		if strings.Trim(word, " \t") == "close" {
			h.close = true
		}
	}
	h.upgrade = h.value("upgrade")
	return h.expectation()
}

func (h *head) bodyLength() error {
	length, coding := h.value("content-length"), h.value("transfer-encoding")
	_, hasLength := h.lookup("content-length")
	_, hasCoding := h.lookup("transfer-encoding")
	switch {
	case hasLength && hasCoding:
		return malformed("both Content-Length and Transfer-Encoding say where the body ends")
	case hasCoding && (h.minor == 0 || !strings.EqualFold(coding, "chunked")):
		return &Malformed{Status: 501, Reason: "the transfer encoding is not chunked, or not of HTTP/1.1"}
	case hasCoding:
		h.chunked = true
	case hasLength:
		n, err := strconv.ParseUint(length, 10, 31)
		if err != nil || strings.Trim(length, "0123456789") != "" {
			return malformed("Content-Length is no number of bytes")
		}
		h.length = int(n)
	}
	if (h.chunked || h.length > 0) && (h.method == "GET" || h.method == "HEAD" || h.method == "DELETE") {
		// NanoHTTPD takes a body that it does not expect for the next request.
		return malformed("a %s request has a body", h.method)
	}
	return nil
}

func (h *head) lookup(name string) (string, bool) {
	for i := range h.fields {
		if h.fields[i].name == name {
			return h.fields[i].value, true
		}
	}
	return "", false
}

func (h *head) expectation() error {
	expect, given := h.lookup("expect")
	switch {
	case !given:
	case h.minor == 1 && strings.EqualFold(expect, "100-continue"):
		h.continues = h.chunked || h.length > 0
	default:
		return &Malformed{Status: 417, Reason: "only Expect: 100-continue is understood"}
	}
	return nil
}
