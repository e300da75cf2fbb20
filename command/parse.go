package command

import (
	"errors"
	"fmt"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// errNotScript is what a script that does not parse comes back with.
var errNotScript = errors.New("not a script of the phone's shell")

// parse reads a script in the grammar of mksh, the phone's shell. Besides the
// error it returns the statements before it, since the phone runs those, and
// how many bytes they take. The script must be readable.
//
// The parser lets a comment that ends in a backslash go on with the next line;
// mksh ends it there and runs that line. Such a backslash is read as a space.
func parse(script string) (statements []*syntax.Stmt, read int, err error) {
	for range maxComments {
		at := longComment(script)
		if at < 0 {
			return parseOnce(script)
		}
		script = script[:at] + " " + script[at+1:]
	}
	return nil, 0, fmt.Errorf("%w: more than %d comments end in a backslash", errNotScript, maxComments)
}

// maxComments bounds how many comments of a script may end in a backslash.
const maxComments = 64

// longComment is where the backslash stands that makes a comment go on, -1 where
// there is none. A script that does not parse is opaque in any case.
func longComment(script string) (at int) {
	at = -1
	if !strings.Contains(script, "\\\n") || !strings.Contains(script, "#") {
		return at
	}
	defer func() { _ = recover() }() // that it fails is found by who parses it to judge it
	f, err := syntax.NewParser(syntax.Variant(syntax.LangMirBSDKorn), syntax.KeepComments(true)).Parse(strings.NewReader(script), "")
	if err != nil {
		return at
	}
	syntax.Walk(f, func(n syntax.Node) bool {
		if c, ok := n.(*syntax.Comment); ok && strings.HasSuffix(c.Text, "\\\n") {
			at = int(c.Pos().Offset()) + len("#") + len(c.Text) - len("\\\n")
		}
		return true
	})
	return at
}

// parseOnce reads a script. The grammar is somebody else's work and the input is
// hostile, so a failure in it is an error like any other.
func parseOnce(script string) (statements []*syntax.Stmt, read int, err error) {
	defer func() {
		if failure := recover(); failure != nil {
			err = fmt.Errorf("%w: the parser failed: %v", errNotScript, failure)
		}
	}()
	parser := syntax.NewParser(syntax.Variant(syntax.LangMirBSDKorn))
	for s, problem := range parser.StmtsSeq(strings.NewReader(script)) {
		// The loop must not be left early: the iterator reports its last error
		// even to a loop that has ended.
		switch {
		case problem != nil:
			err = fmt.Errorf("%w: %w", errNotScript, problem)
		case err == nil:
			statements = append(statements, s)
			read = max(read, int(s.End().Offset()))
		}
	}
	return statements, min(read, len(script)), err
}
