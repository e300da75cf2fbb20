package shell

import (
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"
)

// wrapperPrograms run other programs. There is no su: this is a user build.
var wrapperPrograms = map[string]program{
	"sh": sh, "mksh": sh,
	"toybox": toybox, "toolbox": toybox,
	"nohup": detach, "setsid": detach,
	"env": env, "printenv": env, "time": func(r *run) int { return r.become(r.args[1:]) },
	"timeout": timeout, "nice": skipOptions, "ionice": skipOptions, "chrt": skipOptions,
	"xargs": xargs,
	"run-as": func(r *run) int {
		name := ""
		if len(r.args) > 1 {
			name = r.args[1]
		}
		if _, ok := r.phone().Package(name); !ok {
			return r.fail("unknown package: %s", name)
		}
		return r.fail("package not debuggable: %s", name)
	},
}

// script runs a text in a shell of its own, as a process of the same line.
func (r *run) script(text, name string, args []string) int {
	shells := &r.line.shells
	if depth := shells.Add(1); depth > int64(r.line.limits.Shells) {
		shells.Add(-1)
		return r.fail("%v", errFork)
	}
	defer shells.Add(-1)
	in, closeIn, err := readable(r.ctx, r.in)
	if file, ok := r.in.(*os.File); ok {
		in, closeIn, err = file, func() {}, nil
	}
	if err != nil {
		return r.fail("%v", err)
	}
	defer closeIn()
	own := &environment{vars: r.env, name: name}
	if name == "" {
		own.name = r.args[0]
	}
	return r.line.script(r.ctx, script{text: text, name: name, args: args, env: own, dir: r.dir, in: in, out: r.out, err: r.err})
}

// sh is a shell: of a line with -c, of a file, or of what it reads.
func sh(r *run) int {
	args := r.args[1:]
	for len(args) > 0 && strings.HasPrefix(args[0], "-") && args[0] != "-" {
		option := args[0]
		args = args[1:]
		if option == "--" {
			break
		}
		if strings.HasSuffix(option, "c") {
			return r.shellLine(option, args)
		}
		if option == "-o" && len(args) > 0 {
			args = args[1:]
		}
	}
	if len(args) > 0 {
		data, err := r.line.shell.Read(r.path(args[0]))
		if err != nil {
			r.complain("%s: %s: %s", r.args[0], args[0], Reason(err))
			return 127
		}
		return r.script(string(data), args[0], args[1:])
	}
	data, err := io.ReadAll(io.LimitReader(r.in, int64(r.line.limits.Line)))
	if err != nil {
		return 1
	}
	return r.script(string(data), "", nil)
}

// shellLine is "sh -c LINE NAME $1 ...", with options such as -e before the c.
func (r *run) shellLine(option string, args []string) int {
	if len(args) == 0 {
		r.complain("%s: -c: option requires an argument", r.args[0])
		return 1
	}
	text, rest := args[0], args[1:]
	if len(rest) > 0 {
		rest = rest[1:] // the first is $0
	}
	if set := strings.Trim(option, "-c"); set != "" && strings.Trim(set, "eux") == "" {
		text = "set -" + set + "\n" + text
	}
	return r.script(text, "", rest)
}

// toybox runs one of its programs by name, or lists them.
func toybox(r *run) int {
	if len(r.args) < 2 {
		r.printf("%s\n", strings.Join(programNames(), " "))
		return 0
	}
	if _, ok := lookup(r.args[1]); !ok {
		r.complain("toybox: Unknown command %s (see \"toybox --help\")", r.args[1])
		return 127
	}
	return r.become(r.args[1:])
}

// detach runs a program that goes on when the line has ended.
func detach(r *run) int {
	args := r.args[1:]
	for len(args) > 0 && strings.HasPrefix(args[0], "-") {
		args = args[1:]
	}
	next := *r
	next.detached = true
	return next.become(args)
}

// skipOptions are wrappers whose options have a word each and change nothing.
func skipOptions(r *run) int {
	args := r.args[1:]
	for len(args) > 1 && strings.HasPrefix(args[0], "-") {
		args = args[2:]
	}
	return r.become(args)
}

func env(r *run) int {
	next, args := *r, r.args[1:]
	vars := map[string]string{}
	for k, v := range r.env {
		vars[k] = v
	}
	for len(args) > 0 {
		name, value, assigned := strings.Cut(args[0], "=")
		switch {
		case args[0] == "-i" || args[0] == "-":
			clear(vars)
		case args[0] == "-u" && len(args) > 1:
			args = args[1:]
			delete(vars, args[0])
		case assigned:
			vars[name] = value
		default:
			next.env = vars
			return next.become(args)
		}
		args = args[1:]
	}
	names := make([]string, 0, len(vars))
	for name := range vars {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		r.printf("%s=%s\n", name, vars[name])
	}
	return 0
}

// timeout runs a program for a time at most.
func timeout(r *run) int {
	args := r.args[1:]
	for len(args) > 0 && strings.HasPrefix(args[0], "-") {
		if args[0] == "-s" || args[0] == "-k" {
			args = args[1:]
		}
		args = args[min(1, len(args)):]
	}
	if len(args) < 2 {
		return r.fail("Needs 2 arguments")
	}
	limit, err := time.ParseDuration(args[0])
	if err != nil {
		if limit, err = time.ParseDuration(args[0] + "s"); err != nil {
			return r.fail("bad number %s", args[0])
		}
	}
	next := *r
	ctx, cancel := context.WithTimeout(r.ctx, limit)
	defer cancel()
	next.ctx = ctx
	code := next.become(args[1:])
	if ctx.Err() == context.DeadlineExceeded && r.ctx.Err() == nil {
		return 143
	}
	return code
}

// xargs runs a program with the words that it reads.
func xargs(r *run) int {
	args, most, replace, zero := r.args[1:], 0, "", false
	for len(args) > 0 && strings.HasPrefix(args[0], "-") {
		option := args[0]
		args = args[1:]
		switch {
		case option == "-0":
			zero = true
		case strings.HasPrefix(option, "-n") || strings.HasPrefix(option, "-I"):
			value := option[2:]
			if value == "" && len(args) > 0 {
				value, args = args[0], args[1:]
			}
			if option[1] == 'I' {
				replace = value
			} else {
				fmt.Sscan(value, &most)
			}
		}
	}
	if len(args) == 0 {
		args = []string{"echo"}
	}
	data, err := io.ReadAll(io.LimitReader(r.in, int64(r.line.limits.Memory)))
	if err != nil {
		return 1
	}
	return r.forEach(args, wordsRead(string(data), zero, replace != ""), most, replace)
}

// wordsRead are the words of xargs: by line, by NUL, or by blanks with quotes.
func wordsRead(text string, zero, lines bool) []string {
	switch {
	case zero:
		return strings.FieldsFunc(text, func(c rune) bool { return c == 0 })
	case lines:
		return strings.FieldsFunc(text, func(c rune) bool { return c == '\n' })
	}
	var words []string
	var word strings.Builder
	quoted, inWord := rune(0), false
	for _, c := range text {
		switch {
		case quoted == 0 && (c == '\'' || c == '"'):
			quoted, inWord = c, true
		case quoted != 0 && c == quoted:
			quoted = 0
		case quoted == 0 && (c == ' ' || c == '\t' || c == '\n'):
			if inWord {
				words = append(words, word.String())
			}
			word.Reset()
			inWord = false
		default:
			inWord = true
			word.WriteRune(c)
		}
	}
	if inWord {
		words = append(words, word.String())
	}
	return words
}

// forEach runs a program with words, so many at a time, or once for each with
// the word put in a place.
func (r *run) forEach(args, words []string, most int, replace string) int {
	code := 0
	if replace != "" {
		for _, w := range words {
			each := slices.Clone(args)
			for i := range each {
				each[i] = strings.ReplaceAll(each[i], replace, w)
			}
			code = max(code, r.quiet().become(each))
		}
		return code
	}
	if most <= 0 {
		most = max(len(words), 1)
	}
	for {
		n := min(most, len(words))
		code = max(code, r.quiet().become(slices.Concat(args, words[:n])))
		if words = words[n:]; len(words) == 0 || r.ctx.Err() != nil {
			return code
		}
	}
}

// quiet is the process without input.
func (r *run) quiet() *run {
	next := *r
	next.in = strings.NewReader("")
	return &next
}
