package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"unicode"
	"unicode/utf8"

	"github.com/countersign/countersign/decide"
)

// maxLine is the longest line of a batch in bytes: the largest request.
const maxLine = decide.MaxRequest

// aheadOfOutput is how many lines for each processor are read before their
// answers are written. It bounds the memory of a batch.
const aheadOfOutput = 4

// answer turns a line into the line that is written for it. An error becomes a
// line of its own in its place.
type answer func(line []byte) (any, error)

// line is one line of a batch on its way through.
type line struct {
	number  int
	data    []byte
	tooLong bool
	done    chan []byte
	failed  bool
}

// batch answers a line at a time, on all processors, in the order of the lines.
// What is answered is written at once when nothing more is ready, so that a
// program may write a line and wait for its answer. It returns an error only
// when reading or writing fails; lines that cannot be answered are counted.
func (t *terminal) batch(in io.Reader, reply answer) error {
	workers := runtime.GOMAXPROCS(0)
	work := make(chan *line)
	ordered := make(chan *line, aheadOfOutput*workers)
	stop := make(chan struct{})
	defer close(stop)
	for range workers {
		go func() {
			for l := range work {
				l.answer(reply)
			}
		}()
	}
	var readErr error
	go func() {
		defer close(ordered) // publishes readErr
		defer close(work)
		readErr = readLines(in, func(l *line) bool {
			select {
			case ordered <- l:
			case <-stop:
				return false
			}
			select {
			case work <- l:
			case <-stop:
				return false
			}
			return true
		})
	}()
	total, failed, err := t.writeInOrder(ordered)
	switch {
	case err != nil:
		return fmt.Errorf("write the answers: %w", err)
	case readErr != nil:
		return fmt.Errorf("read the input: %w", readErr)
	case failed > 0:
		return &failure{
			code:  exitFailed,
			err:   fmt.Errorf("%d of %d lines could not be read", failed, total),
			hints: []string{`each has a line {"id": ..., "error": ...} in its place`},
		}
	}
	return nil
}

// writeInOrder writes the answers as the lines came.
func (t *terminal) writeInOrder(ordered <-chan *line) (total, failed int, err error) {
	p := &progress{}
	if !t.outTTY { // else the answers run over the screen and tell enough
		p = t.progress("lines")
	}
	defer p.end()
	out := bufio.NewWriterSize(t.out, 64<<10)
	for {
		l, ready, open := next(ordered)
		if !ready {
			if err := out.Flush(); err != nil {
				return total, failed, err
			}
			l, open = <-ordered
		}
		if !open {
			return total, failed, out.Flush()
		}
		text := <-l.done
		total++
		if l.failed {
			failed++
		}
		if _, err := out.Write(text); err != nil {
			return total, failed, err
		}
		p.set(total)
	}
}

// next takes from a channel what is there already.
func next[T any](c <-chan T) (v T, ready, open bool) {
	select {
	case v, open = <-c:
		return v, true, open
	default:
		return v, false, true
	}
}

// readLines hands on the lines that hold something, until one is refused.
func readLines(in io.Reader, hand func(*line) bool) error {
	r := bufio.NewReaderSize(in, 64<<10)
	for number := 1; ; number++ {
		l := &line{number: number, done: make(chan []byte, 1)}
		err := l.read(r)
		if number == 1 {
			l.data = bytes.TrimPrefix(l.data, []byte("\ufeff"))
		}
		if l.tooLong || len(bytes.TrimSpace(l.data)) > 0 {
			if !hand(l) {
				return nil
			}
		}
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		}
	}
}

// read takes one line of any length; of one that is too long it keeps the
// beginning, where the id may stand.
func (l *line) read(r *bufio.Reader) error {
	for {
		part, err := r.ReadSlice('\n')
		if len(l.data)+len(part) > maxLine+1 {
			l.tooLong = true
			l.data = l.data[:min(len(l.data), 64<<10)]
		}
		if !l.tooLong {
			l.data = append(l.data, part...)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return err
		}
	}
}

// answer works out the line's answer. Whatever goes wrong with one line is that
// line's error.
func (l *line) answer(reply answer) {
	defer func() {
		if v := recover(); v != nil {
			l.fail(fmt.Errorf("the guard failed on this line: %v", v))
		}
	}()
	if l.tooLong {
		l.fail(fmt.Errorf("longer than the %d bytes that are accepted", maxLine))
		return
	}
	v, err := reply(l.data)
	if err != nil {
		l.fail(err)
		return
	}
	text, err := encode(v, "")
	if err != nil {
		l.fail(err)
		return
	}
	l.done <- text
}

func (l *line) fail(err error) {
	l.failed = true
	text, _ := encode(struct {
		ID    json.RawMessage `json:"id"`
		Error string          `json:"error"`
	}{idOf(l.data), fmt.Sprintf("line %d: %v", l.number, err)}, "")
	l.done <- text
}

// idMember finds an id in a line that is not JSON to its end.
var idMember = regexp.MustCompile(`"id"\s*:\s*("(?:[^"\\]|\\.){0,200}"|-?[0-9]{1,20})`)

// idOf recovers the id of a line that cannot be read, null where there is none.
func idOf(data []byte) json.RawMessage {
	var object struct {
		ID json.RawMessage `json:"id"`
	}
	raw := object.ID
	if json.Unmarshal(data, &object) == nil {
		raw = object.ID
	} else if m := idMember.FindSubmatch(data); m != nil {
		raw = m[1]
	}
	var text string
	var number json.Number
	switch {
	case len(raw) == 0 || string(raw) == "null":
	case json.Unmarshal(raw, &text) == nil && utf8.RuneCountInString(text) <= longestID:
		clean, _ := json.Marshal(text)
		return clean
	case raw[0] != '"' && json.Unmarshal(raw, &number) == nil:
		return json.RawMessage(number)
	}
	return json.RawMessage("null")
}

// longestID is how many characters of an id an error repeats.
const longestID = 200

// encode writes a value as JSON, a line by itself or indented, with characters
// that could steer a terminal as escapes.
func encode(v any, indent string) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", indent)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return escapeInvisible(b.Bytes()), nil
}

// escapeInvisible spells out control and format characters. In JSON they can
// stand in strings only, so that the value stays the same.
func escapeInvisible(text []byte) []byte {
	steers := func(r rune) bool { return r != '\n' && unicode.In(r, unicode.Cc, unicode.Cf) }
	if bytes.IndexFunc(text, steers) < 0 {
		return text
	}
	out := make([]byte, 0, len(text)+16)
	for _, r := range string(text) {
		switch {
		case !steers(r):
			out = utf8.AppendRune(out, r)
		case r > 0xFFFF:
			high, low := surrogates(r)
			out = fmt.Appendf(out, `\u%04x\u%04x`, high, low)
		default:
			out = fmt.Appendf(out, `\u%04x`, r)
		}
	}
	return out
}

// surrogates are the two halves that JSON writes a large character in.
func surrogates(r rune) (high, low rune) {
	r -= 0x10000
	return 0xD800 + r>>10, 0xDC00 + r&0x3FF
}

// open opens the input of a command: a file, or standard input for "" and "-".
// dir is where relative paths in it start.
func (t *terminal) open(path string) (in io.ReadCloser, dir string, err error) {
	if path == "" || path == "-" {
		if t.inTTY {
			_, _ = fmt.Fprintln(t.err, "reading from the terminal; end with ctrl-d")
		}
		return io.NopCloser(t.in), ".", nil
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, "", usage(err, `"-" reads standard input`)
	}
	if info, err := f.Stat(); err == nil && info.IsDir() {
		f.Close()
		return nil, "", usage(fmt.Errorf("%q is a folder, a file is needed", path), `"-" reads standard input`)
	}
	return f, filepath.Dir(path), nil
}
