package screen

import "strings"

// scanner walks over the markup of one XML document. It knows tags,
// attributes, comments and the like; what an element means is the reader's
// business. Names and values share the memory of src.
//
// It accepts what encoding/xml accepts, save for document types, and repairs
// damage that real dumps have and that leaves no doubt about the structure:
// characters and references that XML does not allow, and an unescaped & or <
// in a value. Everything else is an error. A document that ends inside markup
// is not an error but cut.
type scanner struct {
	src     string
	pos     int
	tag     int // where the tag begins that was met last
	repairs int
}

const xmlFormat = "UI tree (XML)"

// markup is what the scanner stands behind.
type markup uint8

const (
	endOfInput  markup = iota // the document ends between two pieces of markup
	cutShort                  // the document ends inside a piece of markup
	startTag                  // the name of a start tag; its attributes follow
	endTag                    // a whole end tag
	attribute                 // a whole attribute
	tagEnd                    // the end of a start tag
	emptyTagEnd               // the end of an empty-element tag
)

func (s *scanner) fail(offset int, found, expected string) error {
	return syntaxError(xmlFormat, s.src, offset, found, expected)
}

// next goes to the next tag and returns its name. Text between tags, comments,
// CDATA sections and processing instructions mean nothing in a UI tree and are
// passed over.
func (s *scanner) next() (kind markup, name string, err error) {
	for {
		i := strings.IndexByte(s.src[s.pos:], '<')
		if i < 0 {
			s.pos = len(s.src)
			return endOfInput, "", nil
		}
		s.tag = s.pos + i
		s.pos = s.tag + 1
		if s.pos == len(s.src) {
			return cutShort, "", nil
		}
		switch s.src[s.pos] {
		case '/':
			return s.endTag()
		case '?':
			if !s.skipPast("?>") {
				return cutShort, "", nil
			}
		case '!':
			whole, err := s.skipDeclaration()
			if err != nil || !whole {
				return cutShort, "", err
			}
		default:
			name, err := s.name()
			if s.pos == len(s.src) {
				return cutShort, "", nil
			}
			return startTag, name, err
		}
	}
}

// skipPast reports false when the document ends before the closing mark.
func (s *scanner) skipPast(mark string) bool {
	i := strings.Index(s.src[s.pos:], mark)
	if i < 0 {
		s.pos = len(s.src)
		return false
	}
	s.pos += i + len(mark)
	return true
}

// skipDeclaration passes over a comment or a CDATA section. Document types are
// refused: no tool writes one, and what they declare would have to be expanded.
func (s *scanner) skipDeclaration() (whole bool, err error) {
	const comment, cdata = "!--", "![CDATA["
	rest := s.src[s.pos:]
	switch {
	case strings.HasPrefix(rest, comment):
		s.pos += len(comment)
		return s.skipPast("-->"), nil
	case strings.HasPrefix(rest, cdata):
		s.pos += len(cdata)
		return s.skipPast("]]>"), nil
	case strings.HasPrefix(comment, rest), strings.HasPrefix(cdata, rest):
		return false, nil
	}
	return false, s.fail(s.tag, "a document type or other declaration", "elements only")
}

func (s *scanner) endTag() (markup, string, error) {
	s.pos++ // the slash
	name, err := s.name()
	s.skipSpace()
	switch {
	case s.pos == len(s.src):
		return cutShort, "", nil
	case err != nil:
		return cutShort, "", err
	case s.src[s.pos] != '>':
		return cutShort, "", s.fail(s.pos, s.here(), "> at the end of "+quoted("</"+name))
	}
	s.pos++
	return endTag, name, nil
}

// attribute reads the next attribute of a start tag, or the tag's end.
func (s *scanner) attribute() (kind markup, name, value string, err error) {
	s.skipSpace()
	if s.pos == len(s.src) {
		return cutShort, "", "", nil
	}
	switch s.src[s.pos] {
	case '>':
		s.pos++
		return tagEnd, "", "", nil
	case '/':
		s.pos++
		switch {
		case s.pos == len(s.src):
			return cutShort, "", "", nil
		case s.src[s.pos] != '>':
			return cutShort, "", "", s.fail(s.pos, s.here(), "> after /")
		}
		s.pos++
		return emptyTagEnd, "", "", nil
	}
	if name, err = s.name(); err != nil {
		return cutShort, "", "", err
	}
	if kind, err := s.equals(name); kind != attribute {
		return kind, "", "", err
	}
	return s.value(name)
}

// equals passes the sign between a name and its value.
func (s *scanner) equals(name string) (markup, error) {
	s.skipSpace()
	if s.pos == len(s.src) {
		return cutShort, nil
	}
	if s.src[s.pos] != '=' {
		return cutShort, s.fail(s.pos, s.here(), "= after the attribute name "+quoted(name))
	}
	s.pos++
	s.skipSpace()
	return attribute, nil
}

// value reads a quoted value and leaves it raw: most attributes are never
// looked at, and clean is for those that are.
func (s *scanner) value(name string) (kind markup, _, value string, err error) {
	if s.pos == len(s.src) {
		return cutShort, "", "", nil
	}
	quote := s.src[s.pos]
	if quote != '"' && quote != '\'' {
		return cutShort, "", "", s.fail(s.pos, s.here(), "a quoted value for the attribute "+quoted(name))
	}
	s.pos++
	length := strings.IndexByte(s.src[s.pos:], quote)
	if length < 0 {
		s.pos = len(s.src)
		return cutShort, "", "", nil
	}
	value = s.src[s.pos : s.pos+length]
	// A value that contains a tag and ends in = lost its closing quote and
	// has swallowed a control up to the quote that opens the next value.
	if length > 0 && value[length-1] == '=' && strings.IndexByte(value, '<') >= 0 {
		return cutShort, "", "", s.fail(s.pos+length, "a tag inside a value", "a quote that ends the attribute "+quoted(name))
	}
	s.pos += length + 1
	return attribute, name, value, nil
}

// name reads the name of an element or attribute. Which letters it may have is
// not checked: names are only compared.
func (s *scanner) name() (string, error) {
	rest := s.src[s.pos:]
	length := 0
	for length < len(rest) && !endsName[rest[length]] {
		length++
	}
	if length == 0 && len(rest) > 0 {
		return "", s.fail(s.pos, s.here(), "a name")
	}
	s.pos += length
	return rest[:length], nil
}

func (s *scanner) skipSpace() {
	for s.pos < len(s.src) && isSpace(s.src[s.pos]) {
		s.pos++
	}
}

// here describes the character at the scanner's place for an error message.
func (s *scanner) here() string {
	for _, r := range s.src[s.pos:] {
		return quoted(string(r))
	}
	return "the end"
}

func isSpace(c byte) bool { return c == ' ' || c == '\n' || c == '\t' || c == '\r' }

// endsName holds the bytes that cannot be part of a name.
var endsName = func() (ends [256]bool) {
	for _, c := range " \t\r\n<>/='\"&" {
		ends[c] = true
	}
	return ends
}()
