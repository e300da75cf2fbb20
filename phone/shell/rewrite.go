package shell

import (
	"errors"
	"fmt"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// Names that the interpreter is led to in a parsed line. They begin with a
// character that nobody types, and mean: count a turn of a loop, a function
// begins, a pipe opens, a pipe closes, a command goes to the background, it has ended there.
const (
	own       = "\x1f"
	stepName  = own + "step"
	forkName  = own + "fork"
	joinName  = own + "join"
	enterName = own + "enter"
	spawnName = own + "spawn"
	reapName  = own + "reap"

	// The same for a command that holds no output of its line.
	spawnSilent = own + "spawn silently"
	reapSilent  = own + "reap silently"
)

var (
	errTooDeep = errors.New("memory exhausted")
	errPower   = errors.New("syntax error: unexpected '*'") // mksh has no power
)

// ownVariables stand for parameters that the interpreter answers by itself: the
// process and its name.
var ownVariables = map[string]string{"$": pidVariable, "0": nameVariable}

// parse reads a line in the dialect of mksh and makes it fit for the
// interpreter. As mksh reads a line, runs it and only then reads the next, what
// stands before the line with a mistake is returned beside the error.
func (l Limits) parse(text, name string) (*syntax.File, error) {
	if len(text) > l.Line {
		return nil, message("argument list too long")
	}
	if nesting(text) > l.Depth {
		return nil, errTooDeep
	}
	text = strings.ReplaceAll(text, "\r", carriageReturn)
	if rest := strings.TrimRight(text, `\`); (len(text)-len(rest))%2 == 1 {
		text = text[:len(text)-1] // a backslash at the very end is dropped
	}
	text = endComments(text)
	file, err := parseLine(text, name)
	if unfit := l.fit(file); unfit != nil {
		return nil, unfit
	}
	return file, err
}

// carriageReturn stands for a carriage return while a line is parsed: the parser
// drops those before the end of a line, mksh does not.
const carriageReturn = "\ue00d"

// parseLine parses a text, or as much of it as stands before the line with a
// mistake.
func parseLine(text, name string) (*syntax.File, error) {
	parser := syntax.NewParser(syntax.Variant(syntax.LangMirBSDKorn), syntax.KeepComments(true))
	file, err := parser.Parse(strings.NewReader(text), name)
	if err == nil {
		return file, nil
	}
	file = &syntax.File{Name: name}
	wrong := false
	for stmt, mistake := range parser.StmtsSeq(strings.NewReader(text)) {
		// It may not be left early: some mistakes are told twice.
		if wrong = wrong || mistake != nil; !wrong {
			file.Stmts = append(file.Stmts, stmt)
		}
	}
	file.Stmts = beforeMistake(file.Stmts, text)
	return file, err
}

// beforeMistake are the statements on the lines before the one where what
// follows them begins.
func beforeMistake(stmts []*syntax.Stmt, text string) []*syntax.Stmt {
	offset := func(p syntax.Pos) int { return min(int(p.Offset()), len(text)) }
	end := len(text)
	for n := len(stmts); n > 0; n-- {
		between := strings.TrimLeft(strings.ReplaceAll(text[offset(stmts[n-1].End()):end], "\\\n", ""), " \t")
		if strings.HasPrefix(between, "\n") || strings.HasPrefix(between, "#") {
			return stmts[:n]
		}
		end = offset(stmts[n-1].Pos())
	}
	return nil
}

// fit rewrites a parsed line where the interpreter would do what mksh does not,
// and puts counters where a line could go on for ever.
func (l Limits) fit(file *syntax.File) error {
	var failed error
	depth := 0
	bodies, done := map[*syntax.Word]bool{}, map[*syntax.Stmt]bool{}
	syntax.Walk(file, func(n syntax.Node) bool {
		if n == nil {
			depth--
			return true
		}
		if depth++; depth > 12*l.Depth || failed != nil {
			failed = errors.Join(failed, errTooDeep)
			depth--
			return false
		}
		switch n := n.(type) {
		case *syntax.Lit:
			n.Value = strings.ReplaceAll(n.Value, carriageReturn, "\r")
		case *syntax.SglQuoted:
			n.Value = strings.ReplaceAll(n.Value, carriageReturn, "\r")
		case *syntax.Stmt:
			if n.Background && !done[n] {
				done[watched(n)] = true
			}
		case *syntax.Redirect:
			bodies[n.Hdoc] = true // braces in a here-document are only text
			if n.Op == syntax.RdrClob {
				n.Op = syntax.RdrOut
			}
		case *syntax.FuncDecl:
			if body := n.Body; body != nil {
				n.Body = &syntax.Stmt{Cmd: &syntax.Block{Stmts: []*syntax.Stmt{ownCommand(enterName), body}}}
			}
		case *syntax.WhileClause:
			n.Cond = append([]*syntax.Stmt{ownCommand(stepName)}, n.Cond...)
		case *syntax.BinaryCmd:
			if n.Op == syntax.Pipe || n.Op == syntax.PipeAll {
				n.X = &syntax.Stmt{Cmd: &syntax.Block{Stmts: []*syntax.Stmt{ownCommand(forkName), n.X, ownCommand(joinName)}}}
			}
		case *syntax.ParamExp:
			if own, ok := ownVariables[n.Param.Value]; ok {
				n.Param.Value, n.Short = own, false
			}
		case *syntax.ArithmExp:
			decimal(n.X)
		case *syntax.ArithmCmd:
			decimal(n.X)
		case *syntax.ParenArithm:
			decimal(n.X)
		case *syntax.UnaryArithm:
			decimal(n.X)
		case *syntax.BinaryArithm:
			decimal(n.X, n.Y)
			if n.Op == syntax.Pow {
				failed = errors.Join(failed, errPower)
			}
		case *syntax.Word:
			if !bodies[n] {
				failed = errors.Join(failed, l.braces(n))
			}
		}
		return true
	})
	return failed
}

// decimal makes a number with a nought before it a decimal one, as it is in
// mksh. Those of other bases (0x1f, 16#ff) stay.
func decimal(operands ...syntax.ArithmExpr) {
	for _, x := range operands {
		w, ok := x.(*syntax.Word)
		if !ok || len(w.Parts) != 1 {
			continue
		}
		if lit, ok := w.Parts[0].(*syntax.Lit); ok && len(lit.Value) > 1 && strings.Trim(lit.Value, "0123456789") == "" {
			if lit.Value = strings.TrimLeft(lit.Value, "0"); lit.Value == "" {
				lit.Value = "0"
			}
		}
	}
}

// silent reports whether a command has both its outputs led away. The stream of
// a line is open for as long as anything holds one of them, as adbd has it.
func silent(st *syntax.Stmt) bool {
	var out, err bool
	for _, rd := range st.Redirs {
		switch {
		case rd.Op == syntax.RdrAll || rd.Op == syntax.AppAll:
			out, err = true, true
		case rd.Op != syntax.RdrOut && rd.Op != syntax.AppOut && rd.Op != syntax.DplOut && rd.Op != syntax.RdrClob:
		case rd.N != nil && rd.N.Value == "2":
			err = true
		case rd.N == nil || rd.N.Value == "1":
			out = true
		}
	}
	return out && err
}

// watched makes "X &" count for as long as X runs: { spawn; { (X) && reap ||
// reap; } & }. Both reaps keep the exit code of X. It returns what is now in the
// background.
func watched(st *syntax.Stmt) *syntax.Stmt {
	spawn, reap := spawnName, reapName
	if silent(st) {
		spawn, reap = spawnSilent, reapSilent
	}
	inner := *st
	inner.Background = false
	list := func(op syntax.BinCmdOperator, x, y *syntax.Stmt) *syntax.Stmt {
		return &syntax.Stmt{Cmd: &syntax.BinaryCmd{Op: op, X: x, Y: y}}
	}
	job := list(syntax.OrStmt, list(syntax.AndStmt, &syntax.Stmt{Cmd: &syntax.Subshell{Stmts: []*syntax.Stmt{&inner}}}, ownCommand(reap)), ownCommand(reap))
	job.Background = true
	*st = syntax.Stmt{Position: st.Position, Cmd: &syntax.Block{Stmts: []*syntax.Stmt{ownCommand(spawn), job}}}
	return job
}

func ownCommand(name string) *syntax.Stmt {
	return &syntax.Stmt{Cmd: &syntax.CallExpr{Args: []*syntax.Word{{Parts: []syntax.WordPart{&syntax.SglQuoted{Value: name}}}}}}
}

// braces escapes {1..3}, which mksh leaves as it is, and refuses a word that
// would become too many words.
func (l Limits) braces(w *syntax.Word) error {
	split := &syntax.Word{Parts: append([]syntax.WordPart(nil), w.Parts...)}
	if !syntax.SplitBraces(split) {
		return nil
	}
	if n := wordCount(split, l.Words); n > l.Words {
		return errTooDeep
	}
	if hasSequence(split) {
		w.Parts = joinBraces(split)
	}
	return nil
}

// wordCount is how many words a word becomes, or more than most.
func wordCount(w *syntax.Word, most int) int {
	n := 1
	for _, part := range w.Parts {
		if b, ok := part.(*syntax.BraceExp); ok && !b.Sequence {
			sum := 0
			for _, elem := range b.Elems {
				sum += wordCount(elem, most)
			}
			if n *= sum; n > most {
				return most + 1
			}
		}
	}
	return n
}

func hasSequence(w *syntax.Word) bool {
	for _, part := range w.Parts {
		b, ok := part.(*syntax.BraceExp)
		if !ok {
			continue
		}
		if b.Sequence {
			return true
		}
		for _, elem := range b.Elems {
			if hasSequence(elem) {
				return true
			}
		}
	}
	return false
}

// joinBraces puts a split word together again with its sequences escaped.
func joinBraces(w *syntax.Word) []syntax.WordPart {
	var parts []syntax.WordPart
	literal := func(s string) {
		if n := len(parts); n > 0 {
			if lit, ok := parts[n-1].(*syntax.Lit); ok {
				parts[n-1] = &syntax.Lit{Value: lit.Value + s}
				return
			}
		}
		parts = append(parts, &syntax.Lit{Value: s})
	}
	add := func(more []syntax.WordPart) {
		for _, part := range more {
			if lit, ok := part.(*syntax.Lit); ok {
				literal(lit.Value)
			} else {
				parts = append(parts, part)
			}
		}
	}
	for _, part := range w.Parts {
		b, ok := part.(*syntax.BraceExp)
		if !ok {
			add([]syntax.WordPart{part})
			continue
		}
		open, comma := "{", ","
		if b.Sequence {
			open, comma = `\{`, ".."
		}
		literal(open)
		for i, elem := range b.Elems {
			if i > 0 {
				literal(comma)
			}
			add(joinBraces(elem))
		}
		literal("}")
	}
	return parts
}

// nesting is how deep the brackets of a text go, whatever its quotes mean: the
// parser has no bound of its own.
func nesting(text string) int {
	depth, most := 0, 0
	for i := range len(text) {
		switch text[i] {
		case '(', '{', '[':
			depth++
			most = max(most, depth)
		case ')', '}', ']':
			depth = max(depth-1, 0)
		}
	}
	return most
}

// reprint is the text of a line that was made fit, for what the interpreter
// parses by itself, in a dialect that is not the phone's: eval and ".".
func (l Limits) reprint(text, name string) (string, error) {
	file, err := l.parse(text, name)
	if err != nil {
		return "", err // the lines before a mistake are not run
	}
	var b strings.Builder
	if err := syntax.NewPrinter().Print(&b, file); err != nil {
		return "", fmt.Errorf("%s: %w", name, err)
	}
	return b.String(), nil
}
