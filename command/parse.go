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
// The grammar is somebody else's work and the input is hostile, so a failure
// in it is an error like any other.
func parse(script string) (statements []*syntax.Stmt, read int, err error) {
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
