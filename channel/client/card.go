package client

import (
	"strings"
	"time"

	"github.com/countersign/countersign/approval"
	channel "github.com/countersign/countersign/channel/notice"
)

// Colour sets text in an ink, the numbers of an SGR escape sequence. What an ink
// says is always said in words or signs as well. A nil Colour leaves text plain.
type Colour func(sgr, text string) string

// SGR is the Colour of a terminal.
func SGR(sgr, text string) string { return "\x1b[" + sgr + "m" + text + "\x1b[0m" }

// The inks.
const (
	bold   = "1"
	dim    = "2"
	red    = "1;31"
	green  = "32"
	yellow = "1;33"
	invert = "7"
)

func (c Colour) paint(sgr, text string) string {
	if c == nil || text == "" {
		return text
	}
	return c(sgr, text)
}

// Widths of a card: the narrowest and widest that it is set in, and the room for
// the names of its fields.
const (
	minCard    = 24
	maxCard    = 110
	nameColumn = 11
)

// Card is a question as text, at most width columns wide (no narrower than 24).
// What it does comes first. Every text from outside is spelled out and whole, and
// stands to the right of our own names for it. It ends with a line break.
func Card(a approval.Approval, now time.Time, width int, colour Colour) string {
	return Page{Width: width, Colour: colour}.Card(a, now)
}

// Page is what cards are set on.
type Page struct {
	// Width is in columns of the terminal.
	Width  int
	Colour Colour
	// Level says against whom the guard holds, as its status has it; a card says
	// so where it is given.
	Level string
	// Channels are how the channels stand; a card says which fail.
	Channels []channel.State
}

// Card is like the function Card, with the level on it.
func (p Page) Card(a approval.Approval, now time.Time) string {
	s := sheet{width: min(max(p.Width, minCard), maxCard), colour: p.Colour}
	s.headline(&a)
	s.field("state", stateOf(&a), bold)
	s.danger(&a.Card)
	s.place(&a)
	s.facts(&a.Card)
	s.control(&a.Card)
	s.argument(&a.Card)
	s.evidence(&a.Card)
	s.reasons(&a.Card)
	s.agentsWords(&a)
	s.channels(&a, p.Channels)
	s.rest(&a, now, p.Level)
	return s.b.String()
}

// sheet is a card under way.
type sheet struct {
	width  int
	colour Colour
	b      strings.Builder
}

// text writes a paragraph. Its further lines stand in, so that what is quoted in
// it cannot begin where a name would either.
func (s *sheet) text(sgr, text string) {
	s.lines("", "  ", fold(text, s.width-2), sgr)
}

// field writes a named value, which is spelled already, and nothing where there
// is none. Only the first line carries the name, so that no value can begin
// where a name would.
func (s *sheet) field(name, value, sgr string) {
	if value != "" {
		s.lines(pad(name, nameColumn), strings.Repeat(" ", nameColumn), fold(value, s.width-nameColumn), sgr)
	}
}

// quoted writes somebody else's text.
func (s *sheet) quoted(name, value string) {
	if value != "" {
		s.field(name, quote(value), "")
	}
}

func quote(foreign string) string { return "“" + spell(foreign) + "”" }

// lines writes lines with what stands before the first and the others. What is
// marked stands out even where the mark goes over several lines.
func (s *sheet) lines(first, others string, lines []string, sgr string) {
	marking := false
	lead := s.colour.paint(dim, first)
	for _, line := range lines {
		s.b.WriteString(lead)
		marking = s.line(line, sgr, marking)
		s.b.WriteByte('\n')
		lead = others
	}
}

// line writes a line in an ink and what is marked in another. It returns whether
// a mark is still open.
func (s *sheet) line(line, sgr string, marking bool) bool {
	for line != "" {
		sign := "⟦"
		if marking {
			sign = "⟧"
		}
		part := line
		i := strings.Index(line, sign)
		if i >= 0 && marking {
			part = line[:i+len(sign)]
		} else if i >= 0 {
			part = line[:i]
		}
		ink := sgr
		if marking {
			ink = yellow
		}
		if ink == "" {
			s.b.WriteString(part)
		} else {
			s.b.WriteString(s.colour.paint(ink, part))
		}
		line = line[len(part):]
		if i >= 0 {
			marking = !marking
		}
	}
	return marking
}
