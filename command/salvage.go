package command

import "strings"

// maxSalvage bounds how much of an unreadable script is looked through.
const maxSalvage = 4 << 10

// salvage looks for risky commands in text that does not parse. It can only
// add: the text as a whole has already been answered as unknown. Quotes are
// read once as quotes and once as noise, because which of them is open is
// exactly what cannot be told.
func (r *reader) salvage(text string) {
	if r.depth > maxScripts {
		return
	}
	text = text[:min(len(text), maxSalvage)]
	defer r.dropRepeats(len(r.effects))
	r.risksOnly(func() {
		for _, quotes := range []bool{true, false} {
			for _, piece := range pieces(text, quotes) {
				r.salvageCommand(strings.Fields(piece))
			}
		}
	})
}

// salvageCommand judges the words of one piece from every word on that is the
// name of a command.
func (r *reader) salvageCommand(fields []string) {
	const reach = 4 // words before the verb: assignments, wrappers, keywords
	for i, f := range fields[:min(reach, len(fields))] {
		name, trusted := program(f)
		if v := verbs[name]; v.judge == nil || !trusted {
			continue
		}
		args := make([]word, 0, len(fields)-i-1)
		for _, a := range fields[i+1:] {
			args = append(args, word{text: a})
		}
		depth := r.depth
		r.depth = maxScripts // a script inside is salvaged by its words already
		verbs[name].judge(&call{r: r, verb: name, args: args, end: len(r.script)})
		r.depth = depth
	}
}

// maxEnds bounds at how many places inside an unclosed quote a command is taken
// to end.
const maxEnds = 8

// pieces cuts text where a command can begin, and drops quotes and backslashes.
// Where a quote is never closed nobody can tell what it holds, so the piece it
// stands in comes whole and ended at each of its last separators as well.
func pieces(text string, quotes bool) []string {
	p := piecer{quotes: quotes}
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case c == '\\' && p.open != '\'' && i+1 < len(text):
			i++
			if text[i] != '\n' {
				p.piece.WriteByte(text[i])
			}
		case c == '\'' || c == '"':
			p.quote(c)
		case p.open == 0 && strings.IndexByte(";|&\n\r\x00(){}`", c) >= 0:
			p.cut()
		case p.open == 0 && strings.IndexByte("$<>", c) >= 0:
			p.piece.WriteByte(' ')
		default:
			if strings.IndexByte(";|&\n\r", c) >= 0 {
				p.ends = append(p.ends, p.piece.Len())
			}
			p.piece.WriteByte(c)
		}
	}
	for _, end := range p.ends[max(0, len(p.ends)-maxEnds):] {
		p.all = append(p.all, p.piece.String()[:end])
	}
	p.cut()
	return p.all
}

// A piecer is the state of pieces.
type piecer struct {
	quotes bool
	open   byte // the quote that is open, 0 for none
	piece  strings.Builder
	// ends are where separators stand in the piece since the quote was opened.
	ends []int
	all  []string
}

func (p *piecer) cut() {
	if p.piece.Len() > 0 {
		p.all = append(p.all, p.piece.String())
		p.piece.Reset()
	}
}

func (p *piecer) quote(c byte) {
	switch {
	case !p.quotes:
	case p.open == 0:
		p.open = c
	case p.open == c:
		p.open, p.ends = 0, nil
	default:
		p.piece.WriteByte(c)
	}
}
