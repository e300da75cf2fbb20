package command

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/countersign/countersign/risk"
)

// statements judges each of a list of statements.
func (r *reader) statements(list []*syntax.Stmt) {
	for _, s := range list {
		r.statement(s)
	}
}

// inner judges statements that do not read what this command reads.
func (r *reader) inner(list []*syntax.Stmt) {
	saved := r.in
	r.in = feed{}
	r.statements(list)
	r.in = saved
}

// statement judges a statement: its redirections, then its command. Negation,
// background and co-processes change when it runs, not what it does.
func (r *reader) statement(s *syntax.Stmt) {
	r.unordered = r.unordered || s.Background || s.Coprocess
	saved := r.in
	for _, redirect := range s.Redirs {
		r.redirect(redirect)
	}
	r.command(s.Cmd)
	r.in = saved
}

func (r *reader) command(c syntax.Command) {
	switch c := c.(type) {
	case nil: // redirections alone
	case *syntax.CallExpr:
		r.call(c)
	case *syntax.BinaryCmd:
		r.binary(c)
	case *syntax.Block:
		r.statements(c.Stmts)
	case *syntax.Subshell:
		r.statements(c.Stmts)
	case *syntax.IfClause:
		for ; c != nil; c = c.Else {
			r.statements(c.Cond)
			r.statements(c.Then)
		}
	case *syntax.WhileClause:
		r.repeats = true
		r.loops++
		r.statements(c.Cond)
		r.statements(c.Do)
		r.loops--
		r.waited = true
	case *syntax.ForClause:
		r.forClause(c)
	case *syntax.CaseClause:
		r.word(c.Word)
		for _, item := range c.Items {
			for _, p := range item.Patterns {
				r.word(p)
			}
			r.statements(item.Stmts)
		}
	case *syntax.FuncDecl:
		// The name may hide a known command, and the body runs with arguments
		// that are not seen here. It is judged even where nothing calls it.
		r.repeats = true
		r.unknownAt(c, codeFunction, "function")
		r.statement(c.Body)
	case *syntax.ArithmCmd:
		r.arithmetic(c.X, c)
	case *syntax.LetClause:
		for _, x := range c.Exprs {
			r.arithmetic(x, c)
		}
	case *syntax.TestClause:
		r.testClause(c)
	case *syntax.DeclClause:
		r.declare(c)
	case *syntax.TimeClause:
		if c.Stmt != nil {
			r.statement(c.Stmt)
		}
	default: // other shells' grammar
		r.unknownAt(c, codeSyntax, "script")
		r.inside(c)
	}
}

// binary judges "a && b", "a || b" and "a | b". The tree leans to the left and
// can be as deep as the line is long, so the left side is walked in a loop.
func (r *reader) binary(c *syntax.BinaryCmd) {
	type side struct {
		stmt  *syntax.Stmt
		piped *syntax.Stmt // what feeds it
	}
	var sides []side
	for {
		s := side{stmt: c.Y}
		if c.Op == syntax.Pipe || c.Op == syntax.PipeAll {
			s.piped = c.X
		}
		sides = append(sides, s)
		left, ok := c.X.Cmd.(*syntax.BinaryCmd)
		if !ok || len(c.X.Redirs) > 0 {
			sides = append(sides, side{stmt: c.X})
			break
		}
		c = left
	}
	saved := r.in
	for i := len(sides) - 1; i >= 0; i-- {
		r.in = saved
		if feeder := sides[i].piped; feeder != nil {
			r.unordered = true
			r.in = feed{piped: true}
			r.in.script, r.in.written = r.echoed(feeder)
		}
		r.statement(sides[i].stmt)
	}
	r.in = saved
}

// echoed returns what a statement prints, where that stands in the line: a
// plain echo of known words.
func (r *reader) echoed(s *syntax.Stmt) (string, bool) {
	call, ok := s.Cmd.(*syntax.CallExpr)
	if !ok || len(s.Redirs) > 0 || len(call.Args) < 2 || len(call.Assigns) > 0 {
		return "", false
	}
	var words []string
	for _, a := range call.Args {
		text, ok := plain(a)
		if !ok {
			return "", false
		}
		words = append(words, text)
	}
	if words[0] != "echo" && words[0] != "print" || strings.HasPrefix(words[1], "-") {
		return "", false
	}
	return strings.Join(words[1:], " "), true
}

func (r *reader) forClause(c *syntax.ForClause) {
	switch loop := c.Loop.(type) {
	case *syntax.WordIter:
		r.assigned(loop.Name.Value, loop)
		for _, item := range loop.Items {
			r.word(item)
		}
	case *syntax.CStyleLoop:
		for _, x := range []syntax.ArithmExpr{loop.Init, loop.Cond, loop.Post} {
			r.arithmetic(x, loop)
		}
	}
	r.repeats = true
	r.loops++
	r.statements(c.Do)
	r.loops--
}

// testClause judges [[ ... ]]: a test changes nothing, but a comparison of
// numbers evaluates its operands, and that can run commands.
func (r *reader) testClause(c *syntax.TestClause) {
	r.inside(c.X)
	harmless := true
	syntax.Walk(c.X, func(n syntax.Node) bool {
		if w, ok := n.(*syntax.Word); ok && evaluates(r.source(w)) {
			harmless = false
		}
		return true
	})
	if !harmless {
		r.unknownAt(c, codeArithmetic, "[[")
		return
	}
	r.add(Effect{Category: risk.None, Code: codeShell, Term: "[[", Start: int(c.Pos().Offset()), End: int(c.End().Offset())})
}

// inside judges the commands that stand anywhere inside a node, each once.
func (r *reader) inside(n syntax.Node) {
	syntax.Walk(n, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.CmdSubst:
			r.inner(n.Stmts)
			return false
		case *syntax.ProcSubst:
			r.inner(n.Stmts)
			return false
		case *syntax.Stmt:
			r.statement(n)
			return false
		case *syntax.ExtGlob:
			if strings.ContainsAny(n.Pattern.Value, "$`") {
				r.salvage(n.Pattern.Value)
			}
		case *syntax.ArithmExp:
			r.arithmetic(n.X, n)
			return false
		case *syntax.ParamExp:
			if n.Index != nil || n.Slice != nil {
				r.unknownAt(n, codeArithmetic, "arithmetic")
			}
			if n.Param != nil && n.Exp != nil && (n.Exp.Op == syntax.AssignUnset || n.Exp.Op == syntax.AssignUnsetOrNull) {
				r.assigned(n.Param.Value, n)
			}
		}
		return true
	})
}

// arithmetic judges an expression. Over plain numbers it is harmless. The value
// of a name is itself evaluated, and an index in it may run a command.
func (r *reader) arithmetic(x syntax.ArithmExpr, at syntax.Node) {
	if x == nil {
		return
	}
	plain := true
	syntax.Walk(x, func(n syntax.Node) bool {
		if w, ok := n.(*syntax.Word); ok {
			if lit, static := static(w); !static || strings.Trim(lit, "0123456789") != "" {
				plain = false
			}
			r.inside(w)
			return false
		}
		return true
	})
	if !plain {
		r.unknownAt(at, codeArithmetic, "arithmetic")
		r.salvage(r.source(at)) // "((reboot))" may be two subshells
	}
}

// unknownAt adds an effect that is not known, and shows the node it is about.
func (r *reader) unknownAt(n syntax.Node, code, term string) {
	r.add(Effect{Code: code, Term: term, Object: r.source(n), Start: int(n.Pos().Offset()), End: int(n.End().Offset())})
}
