package shell

import (
	"bytes"
	"strings"
)

// endComments takes the backslash away from each comment that ends in one: the
// parser would go on with the comment's command in the next line, mksh does not.
func endComments(text string) string {
	s := scanner{text: []byte(text)}
	for s.at < len(s.text) {
		s.next()
	}
	return string(s.text)
}

// scanner goes through a line as far as is needed to know what is a comment.
type scanner struct {
	text  []byte
	at    int
	quote byte   // the quote that is open: ', " or $ for $'
	word  bool   // a word has begun, in which # is only a character
	open  []bool // of each bracket, whether it belongs to a word: $(
	// documents are the ends of the here-documents that begin in the next line.
	documents []string
}

// separators end a word.
const separators = " \t\n;&|<>`"

func (s *scanner) next() {
	c, rest := s.text[s.at], s.text[s.at+1:]
	s.at++
	switch {
	case s.quote == '\'' && c == '\'', s.quote == '"' && c == '"', s.quote == '$' && c == '\'':
		s.quote = 0
	case s.quote == '\'':
	case c == '\\':
		s.word = s.word || len(rest) > 0 && rest[0] != '\n'
		s.at++
	case s.quote != 0:
	case c == '$' && bytes.HasPrefix(rest, []byte("'")):
		s.at++
		s.quote, s.word = '$', true
	case c == '\'' || c == '"':
		s.quote, s.word = c, true
	case c == '#' && !s.word:
		s.comment()
	case c == '(':
		s.open, s.word = append(s.open, s.at > 1 && s.text[s.at-2] == '$'), false
	case c == ')':
		s.word = len(s.open) > 0 && s.open[len(s.open)-1]
		s.open = s.open[:max(len(s.open)-1, 0)]
	case c == '<' && bytes.HasPrefix(rest, []byte("<<")):
		s.at += 2
		s.word = false
	case c == '<' && bytes.HasPrefix(rest, []byte("<")):
		s.at++
		s.document()
	case c == '\n':
		s.word = false
		s.skipDocuments()
	default:
		s.word = strings.IndexByte(separators, c) < 0
	}
}

// comment goes to the end of a comment and takes its last backslash away.
func (s *scanner) comment() {
	end := bytes.IndexByte(s.text[s.at:], '\n')
	if end < 0 {
		s.at = len(s.text)
		return
	}
	if s.at += end; s.text[s.at-1] == '\\' {
		s.text[s.at-1] = ' '
	}
}

// document reads the word after <<, which ends a here-document.
func (s *scanner) document() {
	rest := string(s.text[s.at:])
	word := strings.TrimLeft(strings.TrimPrefix(rest, "-"), " \t")
	if end := strings.IndexAny(word, separators+"()"); end >= 0 {
		word = word[:end]
	}
	s.at = len(s.text) - len(rest) + strings.Index(rest, word) + len(word)
	s.documents = append(s.documents, strings.NewReplacer("'", "", `"`, "", `\`, "").Replace(word))
	s.word = false
}

// skipDocuments goes behind the here-documents, in which a # is only text.
func (s *scanner) skipDocuments() {
	for _, end := range s.documents {
		for s.at < len(s.text) {
			line, _, _ := bytes.Cut(s.text[s.at:], []byte("\n"))
			s.at = min(s.at+len(line)+1, len(s.text))
			if string(bytes.TrimLeft(line, "\t")) == end {
				break
			}
		}
	}
	s.documents = nil
}
