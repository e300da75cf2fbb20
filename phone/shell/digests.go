package shell

import (
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"hash"
	"io"
	"strconv"
	"strings"
)

// digestPrograms write what they read in another form.
var digestPrograms = map[string]program{
	"base64": base64Program, "xxd": xxd, "od": xxd,
	"md5sum":    func(r *run) int { return r.digest(md5.New()) },
	"sha1sum":   func(r *run) int { return r.digest(sha1.New()) },
	"sha256sum": func(r *run) int { return r.digest(sha256.New()) },
}

func (r *run) digest(h hash.Hash) int {
	given, names := options(r.args[1:], "")
	return r.inputs(names, func(name string, in io.Reader) error {
		h.Reset()
		if _, err := io.Copy(h, in); err != nil {
			return err
		}
		sum := hex.EncodeToString(h.Sum(nil))
		if has(given, 'b') {
			r.printf("%s\n", sum)
		} else {
			r.printf("%s  %s\n", sum, name)
		}
		return nil
	})
}

func base64Program(r *run) int {
	given, names := options(r.args[1:], "w")
	width := 76
	if w, err := strconv.Atoi(given['w']); err == nil {
		width = w
	}
	return r.inputs(names, func(_ string, in io.Reader) error {
		data, err := io.ReadAll(io.LimitReader(in, r.line.limits.Output))
		if err != nil {
			return err
		}
		if !has(given, 'd') {
			r.write(wrapped(base64.StdEncoding.EncodeToString(data), width))
			return nil
		}
		text := strings.Map(func(c rune) rune {
			if strings.ContainsRune(" \t\r\n=", c) {
				return -1
			}
			return c
		}, string(data))
		plain, err := base64.RawStdEncoding.DecodeString(text)
		r.out.Write(plain)
		if err != nil {
			r.complain("base64: bad input")
		}
		return err
	})
}

// wrapped is a text in lines of a width, each with its end; 0 is one line
// without an end.
func wrapped(s string, width int) string {
	if width <= 0 {
		return s
	}
	var b strings.Builder
	for len(s) > 0 {
		n := min(width, len(s))
		b.WriteString(s[:n])
		b.WriteByte('\n')
		s = s[n:]
	}
	return b.String()
}

func xxd(r *run) int {
	given, names := options(r.args[1:], "lc")
	return r.inputs(names, func(_ string, in io.Reader) error {
		data, err := io.ReadAll(io.LimitReader(in, r.line.limits.Output))
		if err != nil {
			return err
		}
		switch {
		case has(given, 'r') && has(given, 'p'):
			plain, err := hex.DecodeString(strings.Join(strings.Fields(string(data)), ""))
			r.out.Write(plain)
			return err
		case has(given, 'p'):
			r.write(wrapped(hex.EncodeToString(data), 60))
		default:
			for i := 0; i < len(data); i += 16 {
				r.printf("%08x: %s\n", i, hex.EncodeToString(data[i:min(i+16, len(data))]))
			}
		}
		return nil
	})
}
