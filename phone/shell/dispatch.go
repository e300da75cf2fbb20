package shell

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/expand"
	"mvdan.cc/sh/v3/interp"

	"github.com/countersign/countersign/phone"
)

// builtins are those of the interpreter that do what mksh's do. All others are
// led to the programs of this package, or are not there.
var builtins = []string{
	":", "true", "false", "exit", "set", "shift", "unset", "break", "continue", "cd", "wait", "eval", ".", "source",
	"test", "[", "exec", "return", "read", "getopts", "alias", "unalias", "trap",
}

// call sees every simple command before it is looked up. What the interpreter
// would look up on the host, or do as bash does, is led elsewhere.
func (l *line) call(ctx context.Context, args []string) ([]string, error) {
	if err := l.step(); err != nil {
		return nil, err
	}
	hc := interp.HandlerCtx(ctx)
	if l.tooMuch(hc.Env) {
		return nil, errMemory
	}
	word := args[0]
	switch word {
	case forkName:
		return args, l.fork()
	case enterName:
		return args, l.enter()
	case spawnName, spawnSilent:
		l.jobs.spawn(word == spawnName)
		return args, nil
	case "eval":
		if err := l.enter(); err != nil {
			return nil, err
		}
		text, err := l.limits.reprint(strings.Join(args[1:], " "), "eval")
		if err != nil {
			return []string{own + "complain", syntaxMessage(err)}, nil
		}
		return []string{"eval", text}, nil
	case ".", "source":
		if err := l.enter(); err != nil || len(args) < 2 {
			return args, err
		}
		return append([]string{".", sourceName + l.sourced(hc, args[1])}, args[2:]...), nil
	case "command", "builtin":
		return l.command(args), nil
	case "return":
		if len(args) == 1 {
			return []string{"return", strconv.Itoa(hc.LastExitStatus)}, nil
		}
	case "trap":
		return trapped(args), nil
	case "exec":
		if len(args) > 1 {
			return append([]string{"exec", own + strings.TrimPrefix(args[1], own)}, args[2:]...), nil
		}
	}
	if interp.IsBuiltin(word) && !slices.Contains(builtins, word) {
		return append([]string{own + word}, args[1:]...), nil
	}
	return args, nil
}

// trapped is a trap of what the interpreter has a trap for: the end of the shell
// and errors. Signals do not reach a line.
func trapped(args []string) []string {
	kept := []string{"trap"}
	for i, a := range args[1:] {
		switch {
		case i == 0 && len(args) > 2 || a == "EXIT" || a == "ERR":
			kept = append(kept, a)
		case a == "0":
			kept = append(kept, "EXIT")
		}
	}
	if len(kept) < 3 {
		return []string{":"}
	}
	return kept
}

// command is "command NAME ...": the program, whatever functions there are.
func (l *line) command(args []string) []string {
	rest := args[1:]
	for len(rest) > 0 && (rest[0] == "-p" || rest[0] == "--") {
		rest = rest[1:]
	}
	switch {
	case len(rest) == 0:
		return []string{":"}
	case rest[0] == "-v" || rest[0] == "-V":
		return append([]string{own + "whence", rest[0]}, rest[1:]...)
	case slices.Contains(builtins, rest[0]):
		return rest
	}
	return append([]string{own + rest[0]}, rest[1:]...)
}

// sourced is the file that "." means: one with a slash is itself, any other is
// looked for where the shell is.
func (l *line) sourced(hc interp.HandlerContext, file string) string { return absolute(hc.Dir, file) }

// tooMuch reports whether the variables of a line have grown beyond its bound.
func (l *line) tooMuch(env expand.Environ) bool {
	sum := 0
	env.Each(func(name string, v expand.Variable) bool {
		sum += len(name) + len(v.Str)
		for _, s := range v.List {
			sum += len(s)
		}
		return sum <= l.limits.Memory
	})
	return sum > l.limits.Memory
}

// program runs what is neither a function nor a builtin.
func (l *line) program(interp.ExecHandlerFunc) interp.ExecHandlerFunc {
	return func(ctx context.Context, args []string) error {
		hc := interp.HandlerCtx(ctx)
		switch args[0] {
		case joinName:
			l.join()
			return status(hc.LastExitStatus)
		case reapName, reapSilent:
			l.jobs.reap(args[0] == reapName)
			return status(hc.LastExitStatus)
		case stepName, enterName, forkName, spawnName, spawnSilent:
			return status(hc.LastExitStatus)
		case own + "complain":
			fmt.Fprintf(hc.Stderr, "%s: %s\n", self, args[1])
			return status(1)
		}
		args = append([]string{strings.TrimPrefix(args[0], own)}, args[1:]...)
		code := l.exec(&run{
			ctx: ctx, line: l, args: args, dir: hc.Dir, env: exported(hc.Env),
			in: reader(hc.Stdin), out: counted{l, hc.Stdout}, err: counted{l, hc.Stderr},
		})
		if err := context.Cause(ctx); err != nil {
			return err
		}
		return status(code)
	}
}

// status is an exit code as the interpreter wants it.
func status(code int) error {
	if code == 0 {
		return nil
	}
	return interp.ExitStatus(code)
}

// exec runs a program by its words and writes it down.
func (l *line) exec(r *run) int {
	l.shell.note(r.args)
	if p, ok := lookup(r.args[0]); ok {
		return p(r)
	}
	if strings.Contains(r.args[0], "/") {
		return r.file(absolute(r.dir, r.args[0]))
	}
	r.complain("%s: %s: inaccessible or not found", self, r.args[0])
	return 127
}

// file runs a file: a script, or a binary, of which nothing is known.
func (r *run) file(file string) int {
	info, err := r.line.shell.Stat(file)
	switch {
	case err != nil:
		r.complain("%s: %s: inaccessible or not found", self, r.args[0])
		return 127
	case info.IsDir():
		r.complain("%s: %s: can't execute: Is a directory", self, r.args[0])
		return 126
	case info.Mode()&0o111 == 0:
		r.complain("%s: %s: can't execute: Permission denied", self, r.args[0])
		return 126
	}
	data, err := r.line.shell.Read(file)
	if err != nil {
		r.complain("%s: %s: can't execute: %s", self, r.args[0], Reason(err))
		return 126
	}
	if strings.HasPrefix(string(data), "\x7fELF") {
		r.line.shell.Phone.Note(phone.Event{Kind: "binary", Detail: file})
		return 0
	}
	return r.script(string(data), file, r.args[1:])
}

// note writes a program's words down, exactly.
func (s *Shell) note(args []string) {
	words := make([]string, len(args))
	for i, a := range args {
		words[i] = quote(a)
	}
	s.Phone.Note(phone.Event{Kind: "exec", Detail: strings.Join(words, " "), Data: map[string]string{"argv": strings.Join(args, "\x00")}})
}

// Argv are the words of a program that was run, exactly: those of an event of
// kind "exec". Any other event has none.
func Argv(e phone.Event) []string {
	if e.Kind != "exec" {
		return nil
	}
	return strings.Split(e.Data["argv"], "\x00")
}

// quote is a word as somebody would type it.
func quote(word string) string {
	if word != "" && !strings.ContainsAny(word, " \t\n'\"\\$`&|;<>()*?[]{}#~!") {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// folders are where programs are.
var folders = []string{"/system/bin", "/system/xbin", "/bin", "/vendor/bin", "/product/bin", "/apex/com.android.art/bin"}

// lookup finds a program by its name, or by its path in one of the folders.
func lookup(word string) (program, bool) {
	if dir, name := path.Split(word); dir != "" {
		if !slices.Contains(folders, path.Clean(dir)) {
			return nil, false
		}
		word = name
	}
	p, ok := table[word]
	return p, ok
}

// programNames are the names of all programs, in order.
func programNames() []string {
	names := make([]string, 0, len(table))
	for name := range table {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// table has the programs of all families. It is filled once, since programs run
// other programs.
var table map[string]program

func init() {
	table = map[string]program{}
	for _, family := range []map[string]program{
		wordPrograms, textPrograms, filePrograms, digestPrograms, wrapperPrograms, processPrograms,
		inputPrograms, viewPrograms, packagePrograms, activityPrograms, settingsPrograms, contentPrograms,
		dumpsysPrograms, systemPrograms, launchPrograms,
	} {
		for name, p := range family {
			if _, twice := table[name]; twice {
				panic("two programs are called " + name)
			}
			table[name] = p
		}
	}
}

// complain writes a line to standard error.
func (r *run) complain(format string, args ...any) { fmt.Fprintf(r.err, format+"\n", args...) }

// printf writes to standard output.
func (r *run) printf(format string, args ...any) { fmt.Fprintf(r.out, format, args...) }

// fail complains in a program's name and is its exit code.
func (r *run) fail(format string, args ...any) int {
	r.complain(path.Base(r.args[0])+": "+format, args...)
	return 1
}

// phone is the phone that the program runs on.
func (r *run) phone() *phone.Phone { return r.line.shell.Phone }

// path is a name from where the program stands.
func (r *run) path(name string) string { return absolute(r.dir, name) }

// become runs another program in this one's place.
func (r *run) become(args []string) int {
	if len(args) == 0 {
		return 0
	}
	next := *r
	next.args = args
	if err := r.line.step(); err != nil {
		return 1
	}
	return r.line.exec(&next)
}
