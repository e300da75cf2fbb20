package adb

import "strings"

// plainWords takes a line apart into words where no shell could read it
// otherwise: one command, words of plain characters or in quotes with nothing in
// them that means more. It is false for every other line. It only tells what is
// recognised as something known; what a line does is judged by package command.
func plainWords(line string) (words []string, ok bool) {
	line = strings.TrimSpace(line)
	for _, end := range []string{"&", "2>&1", "2>/dev/null", "2> /dev/null", ">/dev/null", "> /dev/null"} {
		line = strings.TrimSpace(strings.TrimSuffix(line, end))
	}
	for line != "" {
		var word string
		if word, line, ok = cutWord(line); !ok {
			return nil, false
		}
		words = append(words, word)
		line = strings.TrimLeft(line, " ")
	}
	return words, len(words) > 0
}

// cutWord takes the first word off a line.
func cutWord(line string) (word, rest string, ok bool) {
	var b strings.Builder
	for i := 0; i < len(line); {
		c := line[i]
		switch {
		case c == ' ':
			return b.String(), line[i:], true
		case c == '\'' || c == '"':
			end := strings.IndexByte(line[i+1:], c)
			if end < 0 {
				return "", "", false
			}
			inside := line[i+1 : i+1+end]
			if c == '"' && strings.ContainsAny(inside, "$`\\!") || hasControl(inside) {
				return "", "", false
			}
			b.WriteString(inside)
			i += end + 2
		case c > ' ' && c < 0x7f && strings.IndexByte(`;|&<>$`+"`"+`(){}*?[]~#!\^`, c) < 0:
			b.WriteByte(c)
			i++
		default:
			return "", "", false
		}
	}
	return b.String(), "", true
}

// hasControl reports characters that a terminal or a shell may take for more than
// they show.
func hasControl(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool { return r < ' ' || r == 0x7f })
}

// programOf is the name of the program that words start, without its folder
// where that is one of the system's.
func programOf(word string) string {
	for _, folder := range []string{"/system/bin/", "/system/xbin/"} {
		if name, ok := strings.CutPrefix(word, folder); ok && !strings.Contains(name, "/") {
			return name
		}
	}
	return word
}
