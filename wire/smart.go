package wire

import (
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"
)

// MaxRequest is the longest request and the longest text of the smart socket,
// in bytes: its length is four hexadecimal digits.
const MaxRequest = 0xffff

// ReadRequest reads a request as a client sends it: four hexadecimal digits
// and so many bytes. It returns io.EOF if the client has closed the connection
// before one, and an error with ErrProtocol if it is none.
func ReadRequest(r io.Reader) (string, error) {
	s, err := readText(r, "a request")
	if err == nil && s == "" {
		return "", broken("an empty request")
	}
	return s, err
}

// WriteRequest writes a request. It is 1 to MaxRequest bytes long.
func WriteRequest(w io.Writer, request string) error {
	if request == "" {
		return errors.New("an empty request: adb servers close the connection on one")
	}
	return WriteText(w, request)
}

// WriteOkay writes that a request is granted.
func WriteOkay(w io.Writer) error {
	_, err := io.WriteString(w, "OKAY")
	return err
}

// WriteFail writes that a request is refused, and why. A message longer than
// MaxRequest bytes is cut at a character.
func WriteFail(w io.Writer, message string) error {
	if len(message) > MaxRequest {
		n := MaxRequest
		for n > MaxRequest-utf8.UTFMax && !utf8.RuneStart(message[n]) {
			n--
		}
		message = message[:n]
	}
	_, err := io.WriteString(w, "FAIL"+framed(message))
	return err
}

// WriteText writes a text with its length before it, which is how answers to
// host requests look. It is at most MaxRequest bytes long.
func WriteText(w io.Writer, text string) error {
	if len(text) > MaxRequest {
		return fmt.Errorf("a text of %d bytes: the smart socket takes at most %d", len(text), MaxRequest)
	}
	_, err := io.WriteString(w, framed(text))
	return err
}

// ReadStatus reads the answer to a request: nil when it is granted, a *Failure
// with the other side's words when it is refused.
func ReadStatus(r io.Reader) error {
	var b [4]byte
	if _, err := io.ReadFull(r, b[:]); err != nil {
		return cutOff("the answer to a request", err)
	}
	switch string(b[:]) {
	case "OKAY":
		return nil
	case "FAIL":
		message, err := readText(r, "the reason of a refusal")
		if err != nil {
			return cutOff("the reason of a refusal", err)
		}
		return &Failure{Message: message}
	}
	return broken("an answer that begins with %q: OKAY or FAIL was expected", b[:])
}

// ReadText reads a text with its length before it. It may be empty.
func ReadText(r io.Reader) (string, error) { return readText(r, "a text") }

func readText(r io.Reader, what string) (string, error) {
	var digits [4]byte
	if n, err := io.ReadFull(r, digits[:]); err != nil {
		if n == 0 {
			return "", err
		}
		return "", cutOff("the length of "+what, err)
	}
	length, err := strconv.ParseUint(string(digits[:]), 16, 16)
	if err != nil || strings.ContainsAny(string(digits[:]), "+_") {
		return "", broken("the length of %s is %q: four hexadecimal digits were expected", what, digits[:])
	}
	b := make([]byte, length)
	if _, err := io.ReadFull(r, b); err != nil {
		return "", cutOff(what, err)
	}
	return string(b), nil
}

func framed(text string) string { return fmt.Sprintf("%04x%s", len(text), text) }
