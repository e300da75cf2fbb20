package command

import (
	"path"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/countersign/countersign/risk"
)

// A call is one simple command on its way to the family that knows its verb.
type call struct {
	r    *reader
	verb string
	args []word
	in   feed
	// start and end are in bytes of the reader's script.
	start, end int
	// joined is every argument in one text, and offsets where each begins: all
	// that effects quote from the call shares it.
	joined  string
	offsets []int
}

// call judges a simple command: its assignments, then its verb.
func (r *reader) call(c *syntax.CallExpr) {
	for _, a := range c.Assigns {
		r.assign(a)
	}
	start, end := int(c.Pos().Offset()), int(c.End().Offset())
	if len(c.Args) == 0 {
		r.add(Effect{Category: risk.None, Code: codeShell, Term: "assignment", Start: start, End: end})
		return
	}
	start = int(c.Args[0].Pos().Offset())
	words := make([]word, 0, len(c.Args))
	for _, a := range c.Args {
		words = append(words, r.word(a))
	}
	r.run(words, start, end)
}

// run judges a command line of words. An unquoted unknown word may turn out to
// be nothing at all, so that the word behind it takes its place: "$x reboot" is
// judged both ways.
func (r *reader) run(words []word, start, end int) {
	first := len(r.effects)
	r.runWords(words, start, end)
	known := words[:0:0]
	for _, w := range words {
		if !w.bare {
			known = append(known, w)
		}
	}
	if len(known) < len(words) && len(known) > 0 {
		r.risksOnly(func() { r.runWords(known, start, end) })
		r.dropRepeats(first)
	}
}

func (r *reader) runWords(words []word, start, end int) {
	c := &call{r: r, verb: words[0].text, args: words[1:], in: r.in, start: start, end: end}
	if !words[0].fixed() {
		c.unknown(c.reason(words[0]), "command", r.script[start:end])
		return
	}
	name, trusted := program(c.verb)
	v, known := verbs[name]
	if !trusted || !known {
		code := codeUnknownCommand
		if strings.Contains(c.verb, "/") {
			code = codeOpaque // a program, but not one of the system's
		}
		c.unknown(code, "command", c.verb)
		c.remember()
		return
	}
	c.verb = name
	if !v.looks {
		c.strict()
	}
	before := len(r.effects)
	v.judge(c)
	if len(r.effects) == before {
		c.unknown(codeBadArguments, name, c.rest(0))
	}
}

// program returns the name of a program, and whether the system's own program
// of that name is meant.
func program(verb string) (string, bool) {
	if !strings.Contains(verb, "/") {
		return verb, true
	}
	dir, name := path.Split(path.Clean(verb))
	switch dir {
	case "/bin/", "/system/bin/", "/system/xbin/", "/vendor/bin/", "/product/bin/", "/system_ext/bin/":
		return name, true
	}
	return name, false
}

// strict adds that the call cannot be seen in full when a word of it is known
// on the phone only.
func (c *call) strict() {
	for _, w := range c.args {
		if w.why != "" || w.glob && !w.link() {
			c.unknown(c.reason(w), c.verb, w.text)
			return
		}
	}
}

func (c *call) reason(w word) string {
	if w.why != "" {
		return w.why
	}
	return codeGlob
}

// remember is for verbs that no table knows. Their arguments may be commands
// in turn, and then it is better to say so: "frobnicate pm uninstall x".
func (c *call) remember() {
	for i, w := range c.args {
		if name, trusted := program(w.text); trusted && w.fixed() && verbs[name].judge != nil && i < 3 {
			inner := &call{r: c.r, verb: name, args: c.args[i+1:], start: c.start, end: c.end}
			c.r.risksOnly(func() { verbs[name].judge(inner) })
			return
		}
	}
}

// risksOnly runs a judgement and keeps what is worse than unknown: a reading
// that may be wrong can raise the answer, never explain it away.
func (r *reader) risksOnly(judge func()) {
	first := len(r.effects)
	judge()
	kept := r.effects[:first]
	for _, e := range r.effects[first:] {
		if Severity(e.Category) > Severity(risk.Unknown) {
			kept = append(kept, e)
		}
	}
	r.effects = kept
}

// dropRepeats removes effects that say the same as an earlier one of the call.
func (r *reader) dropRepeats(first int) {
	if len(r.effects)-first < 2 {
		return
	}
	kept := r.effects[:first]
	seen := map[Effect]bool{}
	for _, e := range r.effects[first:] {
		if e.Press != nil || !seen[e] {
			kept = append(kept, e)
		}
		seen[e] = true
	}
	r.effects = kept
}

// add appends an effect with the span of the call.
func (c *call) add(e Effect) {
	e.Start, e.End = c.start, c.end
	c.r.add(e)
}

// is adds a plain effect.
func (c *call) is(category risk.Category, code, term, object string) {
	c.add(Effect{Category: category, Code: code, Term: term, Object: object})
}

// none adds that the call does nothing outside the screen.
func (c *call) none(code, term string) { c.is(risk.None, code, term, "") }

// unknown adds that the call, or a part of it, cannot be seen.
func (c *call) unknown(code, term, object string) { c.is(risk.Unknown, code, term, object) }

// arg returns the text of an argument, and "" behind the last.
func (c *call) arg(i int) string {
	if i < 0 || i >= len(c.args) {
		return ""
	}
	return c.args[i].text
}

// rest returns the arguments from i on, as one text for a human.
func (c *call) rest(i int) string {
	if c.offsets == nil {
		var joined strings.Builder
		for k, w := range c.args {
			if k > 0 {
				joined.WriteByte(' ')
			}
			c.offsets = append(c.offsets, joined.Len())
			joined.WriteString(w.text)
		}
		c.joined = joined.String()
	}
	if i >= len(c.offsets) {
		return ""
	}
	return c.joined[c.offsets[i]:]
}

// texts returns the arguments as texts.
func (c *call) texts() []string {
	texts := make([]string, len(c.args))
	for i, w := range c.args {
		texts[i] = w.text
	}
	return texts
}

// shift returns the call without its first n arguments, under another verb.
func (c *call) shift(verb string, n int) *call {
	return &call{r: c.r, verb: verb, args: c.args[min(n, len(c.args)):], in: c.in, start: c.start, end: c.end}
}

// split takes options apart from operands, the way Android's own commands do:
// "--" ends the options, and the value of a one-letter option may be attached
// to it. The letters and names in withValue take a value.
func split(args []string, withValue ...string) (options map[string]string, operands []string) {
	options = map[string]string{}
	takes := func(name string) bool {
		for _, v := range withValue {
			if v == name {
				return true
			}
		}
		return false
	}
	for i := 0; i < len(args); i++ {
		a := args[i]
		switch {
		case a == "--":
			return options, append(operands, args[i+1:]...)
		case len(a) < 2 || a[0] != '-':
			operands = append(operands, a)
		case a[1] != '-' && len(a) > 2 && takes(a[:2]):
			options[a[:2]] = a[2:]
		case takes(a) && i+1 < len(args):
			options[a] = args[i+1]
			i++
		default:
			name, value, _ := strings.Cut(a, "=")
			options[name] = value
		}
	}
	return options, operands
}
