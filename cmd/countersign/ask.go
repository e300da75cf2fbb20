package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/countersign/countersign/cmd/countersign/demo"
)

// askScript answers a question as the step's script says, and shows it.
func askScript(t *terminal, word string, s *demo.Step) (bool, error) {
	said := "n"
	if s.Yes {
		said = word
	}
	_, err := fmt.Fprintln(t.out, said+t.paint(dim, "  (by script)"))
	return s.Yes, err
}

// askPerson reads the answer from the terminal: word, or its first letter where
// that is enough, is yes and everything else is no, Enter alone and the end of
// the input too. What was typed before the question stood there is dropped:
// it was not meant as an answer.
func askPerson(t *terminal, word string, _ *demo.Step) (bool, error) {
	if f, ok := t.in.(*os.File); ok {
		dropTypeahead(f)
	}
	line, err := readLine(t.in)
	switch {
	case errors.Is(err, io.EOF):
		_, err = fmt.Fprintln(t.out)
	case err != nil:
		return false, fmt.Errorf("read the answer: %w", err)
	}
	said := strings.ToLower(strings.TrimSpace(line))
	return said == word || word == "y" && said == "yes", err
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
