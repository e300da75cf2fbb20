package shell

import (
	"errors"
	"io"
	"regexp"
	"strconv"
	"strings"
)

// expression compiles a pattern of grep or sed: basic, where brackets mean
// themselves until they are escaped, or extended.
func expression(pattern string, extended, fold bool) (*regexp.Regexp, error) {
	if !extended {
		pattern = fromBasic(pattern)
	}
	if fold {
		pattern = "(?i)" + pattern
	}
	re, err := regexp.Compile(pattern)
	if err != nil {
		return nil, errors.New("bad REGEX '" + pattern + "'")
	}
	return re, nil
}

// fromBasic writes a basic expression as an extended one.
func fromBasic(pattern string) string {
	var b strings.Builder
	class := false
	for i := 0; i < len(pattern); i++ {
		c := pattern[i]
		switch {
		case class:
			b.WriteByte(c)
			class = c != ']' || pattern[i-1] == '[' || pattern[i-1] == '^' && pattern[i-2] == '['
		case c == '[':
			class = true
			b.WriteByte(c)
		case c == '\\' && i+1 < len(pattern):
			i++
			if strings.IndexByte("(){}|+?", pattern[i]) < 0 {
				b.WriteByte('\\')
			}
			b.WriteByte(pattern[i])
		case strings.IndexByte("(){}|+?", c) >= 0, c == '*' && i == 0:
			b.WriteByte('\\')
			b.WriteByte(c)
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

func grep(r *run) int {
	args := make([]string, 0, len(r.args))
	color := func(a string) bool { return strings.HasPrefix(a, "--color") || strings.HasPrefix(a, "--line-buffered") }
	for _, a := range r.args[1:] {
		if !color(a) {
			args = append(args, a)
		}
	}
	given, rest := options(args, "eABCm")
	pattern, named := given['e']
	if !named {
		if len(rest) == 0 {
			return r.fail("no REGEX") + 1
		}
		pattern, rest = rest[0], rest[1:]
	}
	if has(given, 'F') || r.args[0] == "fgrep" {
		pattern = regexp.QuoteMeta(pattern)
		given['E'] = ""
	}
	if has(given, 'w') {
		pattern = `\b` + pattern + `\b`
	}
	re, err := expression(pattern, has(given, 'E') || r.args[0] == "egrep", has(given, 'i'))
	if err != nil {
		return r.fail("%v", err) + 1
	}
	if has(given, 'x') {
		re = regexp.MustCompile("^(?:" + re.String() + ")$")
	}
	s := &matches{run: r, re: re, given: given, several: len(rest) > 1 && !has(given, 'h') || has(given, 'H')}
	s.before, s.after = around(given, 'B'), around(given, 'A')
	code := r.inputs(rest, s.file)
	switch {
	case code != 0 && !s.found:
		return 2
	case s.found:
		return 0
	}
	return 1
}

// around is how many lines -A or -B asks for; -C is both.
func around(given map[byte]string, letter byte) int {
	n, err := strconv.Atoi(given[letter])
	if err != nil {
		n, _ = strconv.Atoi(given['C'])
	}
	return n
}

// matches is one run of grep.
type matches struct {
	run           *run
	re            *regexp.Regexp
	given         map[byte]string
	several       bool
	found         bool
	before, after int
}

func (s *matches) file(name string, in io.Reader) error {
	hits, at, follow, printed := 0, 0, 0, 0
	most, _ := strconv.Atoi(s.given['m'])
	var kept []string
	err := lines(in, func(line string) error {
		at++
		line = strings.TrimSuffix(line, "\n")
		hit := s.re.MatchString(line) != has(s.given, 'v')
		if !hit {
			if follow > 0 {
				follow--
				s.print(name, at, line, '-')
				printed = at
			} else if s.before > 0 {
				if kept = append(kept, line); len(kept) > s.before {
					kept = kept[1:]
				}
			}
			return nil
		}
		hits++
		s.found = true
		if has(s.given, 'q') || has(s.given, 'l') {
			return errEnough
		}
		if !has(s.given, 'c') {
			if first := at - len(kept); printed > 0 && first > printed+1 && s.before+s.after > 0 {
				s.run.printf("--\n")
			}
			for i, before := range kept {
				s.print(name, at-len(kept)+i, before, '-')
			}
			s.print(name, at, line, ':')
		}
		kept, follow, printed = nil, s.after, at
		if most > 0 && hits >= most {
			return errEnough
		}
		return s.run.ctx.Err()
	})
	switch {
	case has(s.given, 'l') && hits > 0:
		s.run.printf("%s\n", name)
	case has(s.given, 'c') && !has(s.given, 'q'):
		s.run.printf("%s%d\n", map[bool]string{true: name + ":", false: ""}[s.several], hits)
	}
	return err
}

// print writes a line with its file and number as asked for, or with -o what
// matched of it.
func (s *matches) print(name string, at int, line string, mark byte) {
	head := ""
	if s.several {
		head = name + string(mark)
	}
	if has(s.given, 'n') {
		head += strconv.Itoa(at) + string(mark)
	}
	if !has(s.given, 'o') {
		s.run.printf("%s%s\n", head, line)
		return
	}
	for _, part := range s.re.FindAllString(line, -1) {
		if part != "" {
			s.run.printf("%s%s\n", head, part)
		}
	}
}

// sed knows s/…/…/ with g, p and i, Np, /…/p and /…/d, -n, -e, -E and -i: what
// lines of agents have.
func sed(r *run) int {
	given, rest := options(r.args[1:], "e")
	text, named := given['e']
	if !named {
		if len(rest) == 0 {
			return r.fail("no pattern")
		}
		text, rest = rest[0], rest[1:]
	}
	var edits []edit
	for _, part := range strings.FieldsFunc(text, func(c rune) bool { return c == ';' || c == '\n' }) {
		e, err := parseEdit(strings.TrimSpace(part), has(given, 'E') || has(given, 'r'))
		if err != nil {
			return r.fail("%v", err)
		}
		edits = append(edits, e)
	}
	return r.inputs(rest, func(_ string, in io.Reader) error {
		at := 0
		return lines(in, func(line string) error {
			at++
			s, newline := strings.CutSuffix(line, "\n")
			end := map[bool]string{true: "\n", false: ""}[newline]
			for _, e := range edits {
				var again, gone bool
				if s, again, gone = e.apply(s, at); gone {
					return nil
				} else if again {
					r.write(s + "\n")
				}
			}
			if !has(given, 'n') && r.write(s+end) != 0 {
				return io.ErrClosedPipe
			}
			return nil
		})
	})
}

// edit is one command of sed.
type edit struct {
	line    int            // 0 is every line
	where   *regexp.Regexp // nil is every line
	what    byte           // s, p or d
	find    *regexp.Regexp
	replace string
	all     bool
	print   bool
}

func (e edit) apply(s string, at int) (text string, print, gone bool) {
	if e.line != 0 && e.line != at || e.where != nil && !e.where.MatchString(s) {
		return s, false, false
	}
	switch e.what {
	case 'd':
		return s, false, true
	case 'p':
		return s, true, false
	}
	if !e.find.MatchString(s) {
		return s, false, false
	}
	if e.all {
		return e.find.ReplaceAllString(s, e.replace), e.print, false
	}
	m := e.find.FindStringSubmatchIndex(s)
	return s[:m[0]] + string(e.find.ExpandString(nil, e.replace, s, m)) + s[m[1]:], e.print, false
}

// parseEdit reads one command of sed.
func parseEdit(s string, extended bool) (edit, error) {
	var e edit
	unknown := errors.New("bad pattern '" + s + "'")
	digits := len(s) - len(strings.TrimLeft(s, "0123456789"))
	if digits > 0 {
		e.line, _ = strconv.Atoi(s[:digits])
		s = strings.TrimSpace(s[digits:])
	} else if rest, ok := strings.CutPrefix(s, "/"); ok {
		parts := cutAt(rest, '/')
		if len(parts) < 2 {
			return e, unknown
		}
		re, err := expression(parts[0], extended, false)
		if err != nil {
			return e, err
		}
		e.where, s = re, strings.TrimSpace(strings.TrimPrefix(rest, parts[0]+"/"))
	}
	switch {
	case s == "p" || s == "d":
		e.what = s[0]
		return e, nil
	case len(s) < 4 || s[0] != 's':
		return e, unknown
	}
	parts := cutAt(s[2:], s[1])
	if len(parts) < 3 {
		return e, unknown
	}
	re, err := expression(parts[0], extended, strings.Contains(parts[2], "i") || strings.Contains(parts[2], "I"))
	if err != nil {
		return e, err
	}
	e.what, e.find, e.replace = 's', re, replacement(parts[1])
	e.all, e.print = strings.Contains(parts[2], "g"), strings.Contains(parts[2], "p")
	return e, nil
}

// cutAt splits a text at a delimiter that is not escaped.
func cutAt(s string, at byte) []string {
	var parts []string
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == '\\' && i+1 < len(s) && s[i+1] == at:
			i++
			b.WriteByte(at)
		case s[i] == '\\' && i+1 < len(s):
			b.WriteString(s[i : i+2])
			i++
		case s[i] == at:
			parts = append(parts, b.String())
			b.Reset()
		default:
			b.WriteByte(s[i])
		}
	}
	return append(parts, b.String())
}

// replacement writes sed's & and \1 as Go's ${0} and ${1}.
func replacement(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '&':
			b.WriteString("${0}")
		case c == '$':
			b.WriteString("$$")
		case c == '\\' && i+1 < len(s):
			i++
			switch d := s[i]; {
			case d >= '0' && d <= '9':
				b.WriteString("${" + string(d) + "}")
			case d == 'n':
				b.WriteByte('\n')
			default:
				b.WriteByte(d)
			}
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}
