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
		for _, pieces := range [][]string{pieces(text, true), pieces(text, false)} {
			for _, piece := range pieces {
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

// pieces cuts text where a command can begin, and drops quotes and backslashes.
func pieces(text string, quotes bool) []string {
	var all []string
	var piece strings.Builder
	cut := func() {
		if piece.Len() > 0 {
			all = append(all, piece.String())
			piece.Reset()
		}
	}
	var open byte
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case c == '\\' && open != '\'' && i+1 < len(text):
			i++
			if text[i] != '\n' {
				piece.WriteByte(text[i])
			}
		case c == '\'' || c == '"':
			if quotes && open == 0 {
				open = c
			} else if quotes && open == c {
				open = 0
			} else if quotes {
				piece.WriteByte(c)
			}
		case open == 0 && strings.IndexByte(";|&\n\r\x00(){}`", c) >= 0:
			cut()
		case open == 0 && strings.IndexByte("$<>", c) >= 0:
			piece.WriteByte(' ')
		default:
			piece.WriteByte(c)
		}
	}
	cut()
	return all
}
