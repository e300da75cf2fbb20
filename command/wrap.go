package command

import (
	"slices"
	"strings"

	"github.com/countersign/countersign/risk"
)

// shell judges sh and its like: the script it is given, the one that comes down
// a pipe, or the one that nobody has written yet.
func shell(c *call) {
	for i := 0; i < len(c.args); i++ {
		w := c.args[i]
		switch {
		case !strings.HasPrefix(w.text, "-") && !strings.HasPrefix(w.text, "+"):
			c.unknown(codeOpaque, c.verb, c.rest(i)) // a script file
			return
		case strings.HasPrefix(w.text, "-") && strings.HasSuffix(w.text, "c") && !strings.HasPrefix(w.text, "--"):
			if i+1 >= len(c.args) {
				c.unknown(codeBadArguments, c.verb, c.rest(0))
				return
			}
			c.script(c.args[i+1])
			return
		case w.text == "-o" || w.text == "+o":
			i++
		}
	}
	if !c.in.piped {
		c.unknown(codeInteractive, c.verb, c.rest(0))
		return
	}
	c.unknown(codePipeToShell, c.verb, c.in.script)
	if c.in.written {
		c.r.nested(c.in.script, c.start, c.end, feed{})
	}
}

// script judges a script that is given as an argument.
func (c *call) script(w word) {
	if w.why != "" {
		c.unknown(w.why, c.verb, w.text)
		c.r.salvage(w.text)
		return
	}
	if strings.TrimSpace(w.text) == "" {
		c.none(codeShell, c.verb)
		return
	}
	c.r.nested(w.text, c.start, c.end, c.in)
}

// eval runs its words, joined, as a script of this shell.
func eval(c *call) {
	for _, w := range c.args {
		if !w.fixed() {
			c.unknown(c.reason(w), c.verb, c.rest(0))
			break
		}
	}
	c.script(word{text: c.rest(0)})
}

// trap keeps a script for later.
func trap(c *call) {
	if len(c.args) > 1 && c.arg(0) != "-" {
		c.r.unordered = true
		c.r.later++
		c.script(c.args[0])
		c.r.later--
	}
	c.none(codeShell, c.verb)
}

// A wrapper runs the command that follows its own options and operands.
type wrapper struct {
	values  string // options that take a value
	operand int    // operands before the command
	assigns bool   // "NAME=value" may come before the command
}

var wrappers = map[string]wrapper{
	"exec":     {values: "a"},
	"command":  {},
	"builtin":  {},
	"nohup":    {},
	"nice":     {values: "n"},
	"ionice":   {values: "cnp"},
	"renice":   {values: "n"},
	"setsid":   {},
	"time":     {},
	"timeout":  {values: "ks", operand: 1}, // the duration
	"taskset":  {operand: 1},               // the mask
	"chrt":     {operand: 1},               // the priority
	"env":      {values: "u", assigns: true},
	"watch":    {values: "n"},
	"toybox":   {},
	"toolbox":  {},
	"busybox":  {},
	"unbuffer": {},
	"stdbuf":   {values: "ioe"},
	"xargs":    {values: "EIJLnPsd0"},
}

// wrap judges the command that a wrapper runs.
func wrap(c *call) {
	w := wrappers[c.verb]
	i, operands := 0, w.operand
	for ; i < len(c.args); i++ {
		text := c.args[i].text
		name, _, assignment := strings.Cut(text, "=")
		switch {
		case w.assigns && assignment && name != "" && !strings.HasPrefix(text, "-"):
			if steers(name) {
				c.unknown(codeEnvironment, c.verb, text)
			}
			continue
		case len(text) > 1 && text[0] == '-' && c.args[i].why == "":
			if len(text) == 2 && strings.Contains(w.values, text[1:]) {
				i++
			}
			if c.verb == "command" && strings.ContainsAny(text, "vV") {
				c.none(codeRead, c.verb) // it only says where a command is
				return
			}
			continue
		case operands > 0:
			operands--
			continue
		}
		break
	}
	if i >= len(c.args) {
		c.none(codeRead, c.verb)
		return
	}
	if c.verb == "watch" { // again and again
		c.r.repeats = true
		c.r.later++
		defer func() { c.r.later-- }()
	}
	c.r.wrapped(c.args[i:], c)
}

// wrapped judges a command line inside another.
func (r *reader) wrapped(words []word, outer *call) {
	if r.wraps++; r.wraps > maxWraps || len(words) == 0 {
		outer.unknown(codeOpaque, outer.verb, outer.rest(0))
	} else {
		saved := r.in
		r.in = outer.in
		r.runWords(words, outer.start, outer.end)
		r.in = saved
	}
	r.wraps--
}

// xargs runs a command over words that come down a pipe.
func xargs(c *call) {
	c.unknown(codePipeToShell, c.verb, c.rest(0))
	c.in = feed{}
	wrap(c)
}

// withUnknownInput judges a command that gets further arguments on the phone.
func (c *call) withUnknownInput(words []word, term string) {
	c.unknown(codePipeToShell, term, "")
	c.r.wrapped(words, c)
}

// su becomes another user, in practice root: nothing on the phone is closed to
// it, this guard's own settings included.
func su(c *call) {
	c.is(risk.Bypass, codeRoot, c.verb, c.rest(0))
	for i, w := range c.args {
		if w.text == "-c" && i+1 < len(c.args) {
			c.script(c.args[i+1])
			return
		}
		if (w.text == "0" || w.text == "root" || w.text == "shell") && i+1 < len(c.args) {
			c.r.wrapped(c.args[i+1:], c)
			return
		}
	}
}

// asksNothing are programs that, alone, only show whether acting as an app works:
// automation helpers ask so before each look at the screen.
var asksNothing = []string{"true", "id", "whoami", "pwd"}

// runAs acts as an app, inside the app's private files.
func runAs(c *call) {
	_, operands := split(c.texts(), "--user")
	if len(operands) != 2 || !slices.Contains(asksNothing, operands[1]) {
		c.add(Effect{Category: risk.Disclose, Code: codeReadFile, Package: packageOf(join(operands[:min(1, len(operands))])),
			Object: c.rest(0), Term: c.verb})
	}
	for i, w := range c.args {
		if len(operands) > 0 && w.text == operands[0] && i+1 < len(c.args) {
			c.r.wrapped(c.args[i+1:], c)
			return
		}
	}
}

// opaque judges programs that run what this package cannot read: scripts in
// other languages, byte code, pushed binaries, debuggers.
func opaque(c *call) { c.unknown(codeOpaque, c.verb, c.rest(0)) }

// source runs a script file in this shell.
func source(c *call) { c.unknown(codeOpaque, c.verb, c.rest(0)) }
