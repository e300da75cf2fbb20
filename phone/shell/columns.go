package shell

import (
	"io"
	"strconv"
	"strings"
)

// tr maps characters, deletes them (-d) or squeezes them (-s).
func tr(r *run) int {
	given, sets := options(r.args[1:], "")
	if len(sets) == 0 {
		return r.fail("Needs 1 argument")
	}
	from, _ := unescape(sets[0])
	first, second := characters(from), []rune(nil)
	if len(sets) > 1 {
		to, _ := unescape(sets[1])
		second = characters(to)
	}
	data, err := io.ReadAll(io.LimitReader(r.in, r.line.limits.Output))
	if err != nil {
		return 1
	}
	last := rune(-1)
	return r.write(strings.Map(func(c rune) rune {
		at := strings.ContainsRune(string(first), c)
		if has(given, 'c') || has(given, 'C') {
			at = !at
		}
		switch {
		case !at:
			last = -1
			return c
		case has(given, 'd'):
			return -1
		}
		if len(second) > 0 {
			i := max(indexOf(first, c), 0)
			c = second[min(i, len(second)-1)]
		}
		if has(given, 's') && c == last {
			return -1
		}
		last = c
		return c
	}, string(data)))
}

func indexOf(set []rune, c rune) int {
	for i, r := range set {
		if r == c {
			return i
		}
	}
	return -1
}

// classes are the names for characters that tr knows.
var classes = map[string]string{
	"[:space:]": " \t\n\v\f\r", "[:digit:]": "0123456789", "[:upper:]": "ABCDEFGHIJKLMNOPQRSTUVWXYZ",
	"[:lower:]": "abcdefghijklmnopqrstuvwxyz", "[:blank:]": " \t",
}

// characters are those of a set: with ranges and classes.
func characters(s string) []rune {
	for name, chars := range classes {
		s = strings.ReplaceAll(s, name, chars)
	}
	in := []rune(s)
	var out []rune
	for i := 0; i < len(in); i++ {
		if i+2 < len(in) && in[i+1] == '-' && in[i+2] >= in[i] {
			for c := in[i]; c <= in[i+2] && len(out) < 1<<16; c++ {
				out = append(out, c)
			}
			i += 2
			continue
		}
		out = append(out, in[i])
	}
	return out
}

// cut writes fields (-f with -d) or characters (-c, -b) of each line.
func cut(r *run) int {
	given, names := options(r.args[1:], "dfcb")
	delimiter := "\t"
	if d, ok := given['d']; ok && d != "" {
		delimiter = d
	}
	list, fields := given['f'], true
	if list == "" {
		fields = false
		if list = given['c']; list == "" {
			list = given['b']
		}
	}
	if list == "" {
		return r.fail("Needs -fFcb")
	}
	return r.inputs(names, func(_ string, in io.Reader) error {
		return lines(in, func(line string) error {
			line = strings.TrimSuffix(line, "\n")
			if fields && !strings.Contains(line, delimiter) {
				if !has(given, 's') {
					r.printf("%s\n", line)
				}
				return nil
			}
			separator := delimiter
			if !fields {
				separator = ""
			}
			r.printf("%s\n", strings.Join(chosen(strings.Split(line, separator), list), separator))
			return nil
		})
	})
}

// chosen are the parts that a list such as "1,3-5,7-" names.
func chosen(parts []string, list string) []string {
	var out []string
	for i, part := range parts {
		for _, span := range strings.Split(list, ",") {
			from, to, open := strings.Cut(span, "-")
			low, _ := strconv.Atoi(from)
			high, err := strconv.Atoi(to)
			if !open {
				high = low
			} else if err != nil {
				high = len(parts)
			}
			if i+1 >= max(low, 1) && i+1 <= high {
				out = append(out, part)
				break
			}
		}
	}
	return out
}
