package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
)

// answers reads answers from a terminal, one at a time and only when one is
// waited for. A question may be answered elsewhere meanwhile; then the reading
// goes on and is what the next question waits for.
type answers struct {
	in      io.Reader
	reading bool
	read    chan typedLine
}

// typedLine is what was typed.
type typedLine struct {
	text string
	err  error
}

func newAnswers(in io.Reader) *answers { return &answers{in: in, read: make(chan typedLine, 1)} }

// drop forgets what was typed before a question stood there: it was not meant
// as an answer.
func (l *answers) drop() {
	if f, ok := l.in.(*os.File); ok {
		dropTypeahead(f)
	}
	select {
	case <-l.read:
		l.reading = false
	default:
	}
}

// next gives the line that is typed next.
func (l *answers) next() <-chan typedLine {
	if !l.reading {
		l.reading = true
		go func() {
			text, err := readLine(l.in)
			l.read <- typedLine{text, err}
		}()
	}
	return l.read
}

// taken says that the line of next was received.
func (l *answers) taken() { l.reading = false }

// isYes reports whether what was typed is the word that is wanted, or its first
// letter where that is enough. Everything else is no, Enter alone too.
func isYes(typed, word string) bool {
	said := strings.ToLower(strings.TrimSpace(typed))
	return said == word || word == "y" && said == "yes"
}

// askPerson reads one answer from the terminal; the end of the input is no.
func askPerson(t *terminal, word string) (bool, error) {
	l := newAnswers(t.in)
	l.drop()
	typed := <-l.next()
	switch {
	case errors.Is(typed.err, io.EOF):
		_, typed.err = fmt.Fprintln(t.out)
	case typed.err != nil:
		return false, fmt.Errorf("read the answer: %w", typed.err)
	}
	return isYes(typed.text, word), typed.err
}

// readLine reads one line and not a byte more, so that the next question finds
// the rest. A terminal hands out a line at a time anyway.
func readLine(in io.Reader) (string, error) {
	r := bufio.NewReaderSize(onebyte{in}, 16)
	line, err := r.ReadString('\n')
	if err != nil && line != "" {
		err = nil
	}
	return line, err
}

// onebyte reads a byte at a time.
type onebyte struct{ io.Reader }

func (o onebyte) Read(p []byte) (int, error) { return o.Reader.Read(p[:min(len(p), 1)]) }
