package shell

import (
	"testing"

	"mvdan.cc/sh/v3/syntax"
)

// FuzzLine: no text makes the parser or the rewriting of a line panic, and in
// what comes out nothing can go on without being counted.
func FuzzLine(f *testing.F) {
	for _, line := range append(sameLines[:20:20], `echo {1..3}{a,b}`, `x & y`, `while :; do a | b; done`, "a # b \\\nc", `f() { x; }`, `$((010))`, `${x:-{1..2}}`, `(a|b) & until x; do y & done`, "0&0\x9c", "a\n)") {
		f.Add(line)
	}
	limits := DefaultLimits
	limits.Depth = 20
	f.Fuzz(func(t *testing.T, line string) {
		if len(line) > 200 {
			return
		}
		file, _ := limits.parse(line, "")
		if file == nil {
			return
		}
		syntax.Walk(file, func(n syntax.Node) bool {
			switch n := n.(type) {
			case *syntax.WhileClause:
				needs(t, line, n.Cond, stepName)
			case *syntax.FuncDecl:
				if block, ok := n.Body.Cmd.(*syntax.Block); ok {
					needs(t, line, block.Stmts, enterName)
				} else {
					t.Fatalf("%q: the body of a function is not counted", line)
				}
			case *syntax.BinaryCmd:
				if block, ok := n.X.Cmd.(*syntax.Block); ok && (n.Op == syntax.Pipe || n.Op == syntax.PipeAll) {
					needs(t, line, block.Stmts, forkName)
				} else if n.Op == syntax.Pipe || n.Op == syntax.PipeAll {
					t.Fatalf("%q: a pipe is not counted", line)
				}
			case *syntax.Word:
				if wordCount(n, limits.Words) > limits.Words {
					t.Fatalf("%q: a word becomes too many", line)
				}
			}
			return true
		})
	})
}

// needs says that a list does not begin with one of the own names.
func needs(t *testing.T, line string, list []*syntax.Stmt, name string) {
	if len(list) > 0 {
		if call, ok := list[0].Cmd.(*syntax.CallExpr); ok && len(call.Args) == 1 {
			if q, ok := call.Args[0].Parts[0].(*syntax.SglQuoted); ok && q.Value == name {
				return
			}
		}
	}
	t.Fatalf("%q: something is not counted by %q", line, name)
}

func TestSequencesOfBracesStayAsTheyAre(t *testing.T) {
	for line, want := range map[string]string{
		`echo {1..3}`:        `echo \{1..3}`,
		`echo {1..3}{a,b}`:   `echo \{1..3}{a,b}`,
		`echo {a,{1..3}}`:    `echo {a,\{1..3}}`,
		`echo {a,b}`:         `echo {a,b}`,
		`echo "{1..3}"`:      `echo "{1..3}"`,
		"cat <<E\n{1..3}\nE": "cat <<E\n{1..3}\nE",
	} {
		got, err := DefaultLimits.reprint(line, "")
		if err != nil || got != want+"\n" {
			t.Errorf("%q became %q, %v", line, got, err)
		}
	}
}
