package command

import (
	"strings"
	"unicode/utf8"

	"mvdan.cc/sh/v3/syntax"

	"github.com/countersign/countersign/risk"
)

// Bounds that no honest line reaches. What exceeds them is answered as opaque,
// so that neither deep nesting nor scripts within scripts cost more than the
// line is long.
const (
	maxNesting = 400 // opening brackets and keywords in one script
	maxScripts = 6   // scripts within scripts: sh -c "sh -c '...'"
	maxWraps   = 12  // commands within commands: nohup nice timeout 5 ...
)

// Shell works out what a line would do when the phone's shell runs it. Every
// part is judged: what is chained, piped, put in the background, substituted
// or handed to another shell. The answer is in the order of the line and is
// never empty; [Worst] says which part decides.
//
// An empty line stands for an interactive shell, as it does for adb. A line
// longer than [MaxLine], or one that does not parse, is opaque; what can still
// be made out in it is listed behind that.
func Shell(line string) []Effect {
	if strings.TrimSpace(line) == "" {
		return []Effect{{Code: codeInteractive, Term: "shell"}}
	}
	r := &reader{shared: &shared{}, script: line, spanEnd: -1}
	r.readScript()
	r.repeatedPower()
	r.unseen()
	if len(r.effects) == 0 { // nothing but comments
		r.add(Effect{Category: risk.None, Code: codeShell, Term: "comment", End: len(line)})
	}
	runes(line, r.effects)
	return r.effects
}

// A reader works through one script and adds to the effects of the line.
type reader struct {
	*shared
	script string
	// spanStart and spanEnd are where a script inside a script stands in the
	// line; spanEnd is -1 for the line itself.
	spanStart, spanEnd int
	depth              int
	wraps              int
	in                 feed
	loops              int
}

// shared is what all readers of one line have in common.
type shared struct {
	effects []Effect
	// captured are the files to which this line saved the screen. Reading or
	// removing them again is part of looking at the screen.
	captured map[string]bool
	// unordered says that parts of the line may run at the same time, or later
	// than where they stand, and repeats that they may run again.
	unordered, repeats bool
	// later counts what holds back the part that is read now: a trap, a watch.
	// waited says that a part before it takes as long as the line wants it to.
	later  int
	waited bool
}

// A feed is where a command's input comes from. The zero value is the line's
// own input.
type feed struct {
	piped   bool   // another command's output
	script  string // text that stands in the line itself, where known
	written bool   // script is set
}

// add appends an effect whose span is in bytes of this reader's script.
func (r *reader) add(e Effect) {
	if r.spanEnd >= 0 {
		e.Start, e.End = r.spanStart, r.spanEnd
	}
	e.late = r.later > 0 || r.waited
	r.effects = append(r.effects, e)
}

// readScript parses the script and judges its statements. The phone's shell
// runs a script statement by statement, so what stands before an error counts.
func (r *reader) readScript() {
	if problem := unreadable(r.script); problem != "" {
		r.add(Effect{Code: problem, Object: r.script, End: len(r.script), Term: "script"})
		r.salvage(r.script)
		if problem != codeControl {
			return
		}
	}
	statements, read, err := parse(r.script)
	r.statements(statements)
	if err != nil {
		rest := r.script[read:]
		r.add(Effect{Code: codeSyntax, Object: rest, Start: read, End: len(r.script), Term: "script"})
		r.salvage(rest)
	}
}

// unreadable returns the code of what keeps a script from being parsed, or
// from being parsed as the phone would, and "" for nothing.
func unreadable(script string) string {
	if len(script) > MaxLine || strings.IndexByte(script, 0) >= 0 || nesting(script) > maxNesting {
		return codeOpaque
	}
	for i := 0; i < len(script); i++ {
		if c := script[i]; c < ' ' && c != '\t' && c != '\n' || c == 0x7f {
			return codeControl
		}
	}
	return ""
}

// nesting is an upper bound for how deep the parser would have to recurse.
func nesting(script string) int {
	n := 0
	for i := 0; i < len(script); i++ {
		switch script[i] {
		case '(', '{', '`', '[', '?', '!':
			n++
		}
	}
	for _, w := range strings.Fields(script) {
		if syntax.IsKeyword(w) {
			n++
		}
	}
	return n
}

// nested judges a script that a part of this one hands to a shell. It stands
// where that part stands.
func (r *reader) nested(script string, start, end int, in feed) {
	if r.spanEnd >= 0 {
		start, end = r.spanStart, r.spanEnd
	}
	inner := &reader{shared: r.shared, script: script, spanStart: start, spanEnd: end,
		depth: r.depth + 1, wraps: r.wraps, in: in, loops: r.loops}
	if inner.depth > maxScripts {
		inner.add(Effect{Code: codeOpaque, Object: script, Term: "script"})
		return
	}
	inner.readScript()
}

// repeatedPower judges the power key by how often the whole line presses it:
// from three presses on, phones start an emergency call.
func (r *reader) repeatedPower() {
	presses := 0
	for _, e := range r.effects {
		if e.Term == "key POWER" {
			presses++
		}
	}
	if presses < 3 {
		return
	}
	for i := range r.effects {
		if e := &r.effects[i]; e.Term == "key POWER" {
			e.Category, e.Code, e.Term = risk.Device, codeEmergency, "key POWER repeated"
		}
	}
}

// runes turns spans in bytes of the line into spans in runes.
func runes(line string, effects []Effect) {
	index := make([]int, len(line)+1) // of the byte, in runes
	n := 0
	for i := 0; i < len(line); {
		_, size := utf8.DecodeRuneInString(line[i:])
		for k := range size {
			index[i+k] = n
		}
		i, n = i+size, n+1
	}
	index[len(line)] = n
	for i := range effects {
		e := &effects[i]
		e.Start = index[min(max(e.Start, 0), len(line))]
		e.End = max(e.Start, index[min(max(e.End, 0), len(line))])
	}
}
