package wire

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

func TestRequestErrors(t *testing.T) {
	cases := 0
	for _, c := range []struct {
		bytes string
		want  error
	}{
		{"", io.EOF},
		{"00", io.ErrUnexpectedEOF},
		{"000chost:ver", io.ErrUnexpectedEOF},
		{"0000", ErrProtocol},
		{"zzzz", ErrProtocol},
		{"+00c", ErrProtocol},
		{"0x0c", ErrProtocol},
		{" 00c", ErrProtocol},
		{"-001x", ErrProtocol},
		{"GET / HTTP/1.1", ErrProtocol},
		{"CNXN\x00\x00", ErrProtocol},
	} {
		cases++
		if _, err := ReadRequest(strings.NewReader(c.bytes)); !errors.Is(err, c.want) {
			t.Errorf("%q: %v", c.bytes, err)
		}
	}
	if cases != 11 {
		t.Fatalf("%d cases", cases)
	}
	for _, c := range []string{"", strings.Repeat("x", MaxRequest+1)} {
		if err := WriteRequest(io.Discard, c); err == nil {
			t.Errorf("a request of %d bytes was written", len(c))
		}
	}
}

func TestStatus(t *testing.T) {
	cases := 0
	for _, c := range []struct {
		bytes   string
		failure string
		want    error
	}{
		{"OKAY", "", nil},
		{"FAIL0002no", "no", nil},
		{"FAIL0000", "", nil},
		{"FAIL", "", io.ErrUnexpectedEOF},
		{"FAIL0003no", "", io.ErrUnexpectedEOF},
		{"FAILxxxx", "", ErrProtocol},
		{"", "", io.ErrUnexpectedEOF},
		{"okay", "", ErrProtocol},
	} {
		cases++
		err := ReadStatus(strings.NewReader(c.bytes))
		var f *Failure
		switch {
		case c.want != nil && !errors.Is(err, c.want):
			t.Errorf("%q: %v", c.bytes, err)
		case c.want == nil && strings.HasPrefix(c.bytes, "FAIL") && (!errors.As(err, &f) || f.Message != c.failure):
			t.Errorf("%q: %v", c.bytes, err)
		case c.bytes == "OKAY" && err != nil:
			t.Errorf("%q: %v", c.bytes, err)
		}
	}
	if cases != 8 {
		t.Fatalf("%d cases", cases)
	}
	if got := (&Failure{"no\x1b[2J"}).Error(); strings.Contains(got, "\x1b") {
		t.Errorf("a control character of theirs in %q", got)
	}
}

// Every answer can be read again, however long it is, and is cut only between
// two characters.
func TestAnswersRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		message := strings.Repeat(rapid.StringN(1, 3, -1).Draw(t, "message"), rapid.SampledFrom([]int{1, 9, 60_000}).Draw(t, "times"))
		var b bytes.Buffer
		if err := WriteFail(&b, message); err != nil {
			t.Fatal(err)
		}
		var f *Failure
		if err := ReadStatus(&b); !errors.As(err, &f) || b.Len() > 0 {
			t.Fatalf("%v, left %d bytes", err, b.Len())
		}
		if !strings.HasPrefix(message, f.Message) || !utf8.ValidString(f.Message) || len(f.Message) < min(len(message), MaxRequest-utf8.UTFMax) {
			t.Fatalf("%d bytes became %d", len(message), len(f.Message))
		}
		text := message[:len(f.Message)]
		if err := errors.Join(WriteOkay(&b), WriteText(&b, text), ReadStatus(&b)); err != nil {
			t.Fatal(err)
		}
		if got, err := ReadText(&b); got != text || err != nil {
			t.Fatal(err)
		}
	})
}
