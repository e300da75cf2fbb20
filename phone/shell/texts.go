package shell

import (
	"bufio"
	"errors"
	"io"
	"slices"
	"strconv"
	"strings"
)

// textPrograms read texts and write parts of them.
var textPrograms = map[string]program{
	"cat": cat, "head": head, "tail": tail, "wc": wc, "tee": tee, "tr": tr, "cut": cut, "sort": sortLines, "uniq": uniq,
	"grep": grep, "egrep": grep, "fgrep": grep, "sed": sed,
}

// options takes the single-letter options of a program apart: letters in with
// take a word. What follows "--" or is no option is rest.
func options(args []string, with string) (given map[byte]string, rest []string) {
	given = map[byte]string{}
	for i := 0; i < len(args); i++ {
		a := args[i]
		if a == "--" {
			return given, append(rest, args[i+1:]...)
		}
		if len(a) < 2 || a[0] != '-' {
			rest = append(rest, a)
			continue
		}
		for j := 1; j < len(a); j++ {
			if strings.IndexByte(with, a[j]) < 0 {
				given[a[j]] = ""
				continue
			}
			value := a[j+1:]
			if value == "" && i+1 < len(args) {
				i++
				value = args[i]
			}
			given[a[j]] = value
			break
		}
	}
	return given, rest
}

// has reports whether an option was given.
func has(given map[byte]string, letter byte) bool { _, ok := given[letter]; return ok }

// inputs opens what a program reads: its files, or its standard input when it
// has none. It complains of those it cannot open.
func (r *run) inputs(names []string, each func(name string, in io.Reader) error) int {
	if len(names) == 0 {
		names = []string{"-"}
	}
	code := 0
	for _, name := range names {
		in := r.in
		if name != "-" && name != "/dev/stdin" && name != "/proc/self/fd/0" {
			data, err := r.line.shell.Read(r.path(name))
			if err != nil {
				code = r.fail("%s: %s", name, Reason(err))
				continue
			}
			in = strings.NewReader(string(data))
		}
		if err := each(name, in); err != nil && !errors.Is(err, errEnough) {
			return 1
		}
	}
	return code
}

// errEnough is that a program wants to read no further.
var errEnough = errors.New("enough")

// lines gives each line of a text with its end.
func lines(in io.Reader, each func(line string) error) error {
	b := bufio.NewReader(in)
	for {
		line, err := b.ReadString('\n')
		if line != "" {
			if err := each(line); err != nil {
				return err
			}
		}
		if err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
	}
}

func cat(r *run) int {
	_, names := options(r.args[1:], "")
	return r.inputs(names, func(_ string, in io.Reader) error {
		_, err := io.Copy(r.out, in)
		return err
	})
}

// count is the number of -n, or of an option that is a number by itself.
func count(args []string, usual int) (n int, rest []string) {
	n = usual
	for i := 0; i < len(args); i++ {
		value, ok := strings.CutPrefix(args[i], "-")
		switch {
		case !ok || value == "":
			rest = append(rest, args[i])
			continue
		case value == "n" && i+1 < len(args):
			i++
			value = args[i]
		default:
			value = strings.TrimPrefix(value, "n")
		}
		if m, err := strconv.Atoi(value); err == nil {
			n = m
			if strings.HasPrefix(value, "+") {
				n = -m
			}
		}
	}
	return n, rest
}

func head(r *run) int {
	if given, names := options(r.args[1:], "cn"); has(given, 'c') {
		n, err := strconv.ParseInt(given['c'], 10, 64)
		if err != nil {
			return r.fail("bad number %s", given['c'])
		}
		return r.inputs(names, func(_ string, in io.Reader) error {
			_, err := io.CopyN(r.out, in, n)
			if err == io.EOF {
				return nil
			}
			return err
		})
	}
	n, names := count(r.args[1:], 10)
	return r.inputs(names, func(_ string, in io.Reader) error {
		left := n
		if left <= 0 {
			return nil
		}
		return lines(in, func(line string) error {
			if r.write(line) != 0 {
				return io.ErrClosedPipe
			}
			if left--; left == 0 {
				return errEnough
			}
			return nil
		})
	})
}

func tail(r *run) int {
	if given, names := options(r.args[1:], "cn"); has(given, 'c') {
		n, _ := strconv.Atoi(strings.TrimPrefix(given['c'], "+"))
		return r.inputs(names, func(_ string, in io.Reader) error {
			data, err := io.ReadAll(io.LimitReader(in, r.line.limits.Output))
			if strings.HasPrefix(given['c'], "+") {
				r.out.Write(data[min(max(n-1, 0), len(data)):])
			} else {
				r.out.Write(data[max(len(data)-n, 0):])
			}
			return err
		})
	}
	n, names := count(r.args[1:], 10)
	return r.inputs(names, func(_ string, in io.Reader) error {
		var kept []string
		at := 0
		err := lines(in, func(line string) error {
			at++
			if n >= 0 {
				if kept = append(kept, line); len(kept) > n {
					kept = kept[1:]
				}
			} else if at >= -n {
				kept = append(kept, line)
			}
			return nil
		})
		r.write(strings.Join(kept, ""))
		return err
	})
}

func wc(r *run) int {
	given, names := options(r.args[1:], "")
	return r.inputs(names, func(name string, in io.Reader) error {
		newlines, words, size := 0, 0, 0
		err := lines(in, func(line string) error {
			newlines += strings.Count(line, "\n")
			words += len(strings.Fields(line))
			size += len(line)
			return nil
		})
		var columns []string
		for letter, n := range map[byte]int{'l': newlines, 'w': words, 'c': size} {
			if len(given) == 0 || has(given, letter) {
				columns = append(columns, string(letter)+strconv.Itoa(n))
			}
		}
		slices.SortFunc(columns, func(a, b string) int { return strings.IndexByte("lwc", a[0]) - strings.IndexByte("lwc", b[0]) })
		for i := range columns {
			columns[i] = columns[i][1:]
		}
		if name != "-" {
			columns = append(columns, name)
		}
		r.printf("%s\n", strings.Join(columns, " "))
		return err
	})
}

func tee(r *run) int {
	given, names := options(r.args[1:], "")
	outs, code := []io.Writer{r.out}, 0
	for _, name := range names {
		w, err := r.line.shell.create(r.path(name), has(given, 'a'))
		if err != nil {
			code = r.fail("%s: %s", name, Reason(err))
			continue
		}
		defer w.Close()
		outs = append(outs, w)
	}
	if _, err := io.Copy(io.MultiWriter(outs...), r.in); err != nil {
		return 1
	}
	return code
}

func sortLines(r *run) int {
	given, names := options(r.args[1:], "tkoS")
	var all []string
	code := r.inputs(names, func(_ string, in io.Reader) error {
		return lines(in, func(line string) error {
			all = append(all, strings.TrimSuffix(line, "\n"))
			return nil
		})
	})
	slices.SortStableFunc(all, func(a, b string) int {
		if has(given, 'n') {
			x, _ := strconv.ParseFloat(strings.TrimSpace(a), 64)
			y, _ := strconv.ParseFloat(strings.TrimSpace(b), 64)
			if x != y {
				return map[bool]int{true: -1, false: 1}[x < y]
			}
		}
		return strings.Compare(a, b)
	})
	if has(given, 'r') {
		slices.Reverse(all)
	}
	if has(given, 'u') {
		all = slices.Compact(all)
	}
	for _, line := range all {
		r.printf("%s\n", line)
	}
	return code
}

func uniq(r *run) int {
	given, names := options(r.args[1:], "")
	last, times := "", 0
	flush := func() {
		switch {
		case times == 0 || has(given, 'd') && times < 2 || has(given, 'u') && times > 1:
		case has(given, 'c'):
			r.printf("%7d %s\n", times, last)
		default:
			r.printf("%s\n", last)
		}
	}
	code := r.inputs(names, func(_ string, in io.Reader) error {
		return lines(in, func(line string) error {
			line = strings.TrimSuffix(line, "\n")
			if times > 0 && line == last {
				times++
				return nil
			}
			flush()
			last, times = line, 1
			return nil
		})
	})
	flush()
	return code
}
