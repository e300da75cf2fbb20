package shell

import (
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"mvdan.cc/sh/v3/expand"
)

// wordPrograms say, compare and wait.
var wordPrograms = map[string]program{
	"echo": echo, "printf": printf, "print": printWords, "yes": yes, "seq": seq,
	"true": func(*run) int { return 0 }, ":": func(*run) int { return 0 }, "false": func(*run) int { return 1 },
	"test": testWords, "[": testWords,
	"pwd": func(r *run) int { r.printf("%s\n", r.dir); return 0 },
	"basename": func(r *run) int {
		if len(r.args) < 2 {
			return r.fail("Needs 1 argument")
		}
		base := path.Base(r.args[1])
		if len(r.args) > 2 {
			base = strings.TrimSuffix(base, r.args[2])
		}
		r.printf("%s\n", base)
		return 0
	},
	"dirname": func(r *run) int {
		for _, a := range r.args[1:] {
			r.printf("%s\n", path.Dir(a))
		}
		return 0
	},
	"which": which, "whence": whence, "type": whence,
	"sleep": sleep, "usleep": sleep, "date": date,
	// Builtins of mksh that change nothing here.
	"ulimit": nothing, "umask": func(r *run) int { r.printf("0077\n"); return 0 }, "bg": nothing, "fg": nothing,
	"jobs": nothing, "hash": nothing, "times": nothing, "sync": nothing, "clear": nothing, "stty": nothing,
}

func nothing(*run) int { return 0 }

// echo is mksh's: it knows backslashes unless it is told -E.
func echo(r *run) int {
	words, newline, escapes := r.args[1:], true, true
	for len(words) > 0 && len(words[0]) > 1 && words[0][0] == '-' && strings.Trim(words[0][1:], "neE") == "" {
		for _, option := range words[0][1:] {
			switch option {
			case 'n':
				newline = false
			case 'e':
				escapes = true
			case 'E':
				escapes = false
			}
		}
		words = words[1:]
	}
	text, stop := strings.Join(words, " "), false
	if escapes {
		text, stop = unescape(text)
	}
	if newline && !stop {
		text += "\n"
	}
	return r.write(text)
}

// printWords is mksh's print: -r leaves backslashes alone, -n the line's end.
func printWords(r *run) int {
	words, raw, end := r.args[1:], false, "\n"
	for len(words) > 0 && strings.HasPrefix(words[0], "-") {
		option := words[0]
		words = words[1:]
		if option == "--" || option == "-" {
			break
		}
		raw = raw || strings.ContainsAny(option, "rR")
		if strings.Contains(option, "n") {
			end = ""
		}
	}
	text := strings.Join(words, " ")
	if !raw {
		text, _ = unescape(text)
	}
	return r.write(text + end)
}

// write writes a text and is the exit code of that.
func (r *run) write(text string) int {
	if _, err := fmt.Fprint(r.out, text); err != nil {
		return 1
	}
	return 0
}

// unescape replaces what echo knows after a backslash; stop is true at \c, which
// ends the output.
func unescape(s string) (text string, stop bool) {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' || i+1 == len(s) {
			b.WriteByte(s[i])
			continue
		}
		i++
		switch c := s[i]; c {
		case 'c':
			return b.String(), true
		case '0':
			n, digits := number(s[i+1:], 8, 3)
			b.WriteByte(byte(n))
			i += digits
		case 'x':
			n, digits := number(s[i+1:], 16, 2)
			if digits == 0 {
				b.WriteString(`\x`)
				break
			}
			b.WriteByte(byte(n))
			i += digits
		case 'u':
			n, digits := number(s[i+1:], 16, 4)
			if digits == 0 {
				b.WriteString(`\u`)
				break
			}
			b.WriteRune(rune(n))
			i += digits
		default:
			if at := strings.IndexByte(`abefnrtv\`, c); at >= 0 {
				b.WriteByte("\a\b\x1b\f\n\r\t\v\\"[at])
			} else {
				b.WriteByte('\\')
				b.WriteByte(c)
			}
		}
	}
	return b.String(), false
}

// number reads up to most digits of a base and says how many there were.
func number(s string, base, most int) (n, digits int) {
	for digits < most && digits < len(s) {
		d, err := strconv.ParseInt(s[digits:digits+1], base, 32)
		if err != nil {
			break
		}
		n, digits = n*base+int(d), digits+1
	}
	return n, digits
}

func printf(r *run) int {
	if len(r.args) < 2 {
		return r.fail("Needs 1 argument")
	}
	format, words := r.args[1], r.args[2:]
	if format == "--" && len(words) > 0 {
		format, words = words[0], words[1:]
	}
	for {
		text, used, err := expand.Format(&expand.Config{Env: expand.ListEnviron()}, format, words)
		if err != nil {
			return r.fail("%v", err)
		}
		if r.write(text) != 0 {
			return 1
		}
		if words = words[used:]; used == 0 || len(words) == 0 {
			return 0
		}
	}
}

func yes(r *run) int {
	text := "y\n"
	if len(r.args) > 1 {
		text = strings.Join(r.args[1:], " ") + "\n"
	}
	text = strings.Repeat(text, 1+4096/len(text))
	for r.ctx.Err() == nil && r.write(text) == 0 {
	}
	return 1
}

func seq(r *run) int {
	bounds := make([]int, 0, 3)
	for _, a := range r.args[1:] {
		n, err := strconv.Atoi(a)
		if err != nil {
			return r.fail("bad number %s", a)
		}
		bounds = append(bounds, n)
	}
	first, step, last := 1, 1, 0
	switch len(bounds) {
	case 1:
		last = bounds[0]
	case 2:
		first, last = bounds[0], bounds[1]
	case 3:
		first, step, last = bounds[0], bounds[1], bounds[2]
	default:
		return r.fail("Needs 1 argument")
	}
	for n := first; step > 0 && n <= last || step < 0 && n >= last; n += step {
		if r.ctx.Err() != nil || r.write(strconv.Itoa(n)+"\n") != 0 {
			return 1
		}
	}
	return 0
}

// testWords is test where it is called as a program, by xargs or toybox: in a
// line the interpreter's own comes first.
func testWords(r *run) int {
	words := r.args[1:]
	if r.args[0] == "[" && len(words) > 0 {
		words = words[:len(words)-1]
	}
	text := "test"
	for _, w := range words {
		text += " " + quote(w)
	}
	return r.script(text, "", nil)
}

func which(r *run) int {
	code := 0
	for _, word := range r.args[1:] {
		if strings.HasPrefix(word, "-") {
			continue
		}
		if _, ok := lookup(word); ok {
			r.printf("/system/bin/%s\n", path.Base(word))
		} else {
			code = 1
		}
	}
	return code
}

// whence says what a word is: "type", "whence" and "command -v".
func whence(r *run) int {
	code, long := 0, r.args[0] == "type"
	for _, word := range r.args[1:] {
		switch _, ok := lookup(word); {
		case word == "-V":
			long = true
		case strings.HasPrefix(word, "-"):
		case slices.Contains(builtins, word) || word == "echo" || word == "print":
			r.printf("%s\n", map[bool]string{true: word + " is a shell builtin", false: word}[long])
		case ok:
			r.printf("%s\n", map[bool]string{true: word + " is /system/bin/" + path.Base(word), false: "/system/bin/" + path.Base(word)}[long])
		default:
			if code = 1; long {
				r.printf("%s not found\n", word)
			}
		}
	}
	return code
}

func sleep(r *run) int {
	total := 0.0
	for _, a := range r.args[1:] {
		unit := 1.0
		for suffix, seconds := range map[string]float64{"s": 1, "m": 60, "h": 3600, "d": 86400} {
			if rest, ok := strings.CutSuffix(a, suffix); ok {
				a, unit = rest, seconds
			}
		}
		n, err := strconv.ParseFloat(a, 64)
		if err != nil {
			return r.fail("bad number %s", a)
		}
		total += n * unit
	}
	if r.args[0] == "usleep" {
		total /= 1e6
	}
	timer := time.NewTimer(time.Duration(total * float64(time.Second)))
	defer timer.Stop()
	select {
	case <-timer.C:
		return 0
	case <-r.ctx.Done():
		return 143
	}
}

// now is the phone's time: that of the last thing it wrote down, which is this
// program.
func (r *run) now() time.Time {
	record := r.phone().Record()
	return record[len(record)-1].At
}

// strftime are the letters that date knows.
var strftime = map[byte]string{
	'Y': "2006", 'm': "01", 'd': "02", 'H': "15", 'M': "04", 'S': "05", 'y': "06", 'F': "2006-01-02", 'T': "15:04:05",
	'a': "Mon", 'b': "Jan", 'e': "_2", 'Z': "MST", 'z': "-0700", 'I': "03", 'p': "PM", 'D': "01/02/06", 'R': "15:04",
}

func date(r *run) int {
	at, format := r.now(), "%a %b %e %H:%M:%S %Z %Y"
	for _, a := range r.args[1:] {
		switch {
		case strings.HasPrefix(a, "+"):
			format = a[1:]
		case a == "-u":
			at = at.UTC()
		default:
			r.complain("date: cannot set date: Operation not permitted")
			return 1
		}
	}
	var b strings.Builder
	for i := 0; i < len(format); i++ {
		if format[i] != '%' || i+1 == len(format) {
			b.WriteByte(format[i])
			continue
		}
		i++
		switch layout, ok := strftime[format[i]]; {
		case ok:
			b.WriteString(at.Format(layout))
		case format[i] == 's':
			b.WriteString(strconv.FormatInt(at.Unix(), 10))
		case format[i] == 'N':
			fmt.Fprintf(&b, "%09d", at.Nanosecond())
		default:
			b.WriteByte(format[i])
		}
	}
	r.printf("%s\n", b.String())
	return 0
}
