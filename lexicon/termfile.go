package lexicon

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/language"

	"github.com/countersign/countersign/risk"
)

// ErrTerms is what every error about a term file wraps. The message names file
// and line and says what is accepted there.
var ErrTerms = errors.New("bad term file")

const maxTermLength = 200 // bytes; a longer line is not a term

// termFile is the parsed content of one file.
type termFile struct {
	lang  lang
	terms []entry
}

// parseTerms reads one term file: a language line, an order line, then sections
// in brackets with one term a line. '#' begins a comment, at the start of a line
// or after a space and before one.
func parseTerms(files fs.FS, name string) (*termFile, error) {
	data, err := fs.ReadFile(files, name)
	if err != nil {
		return nil, fmt.Errorf("term file %s: %w", name, err)
	}
	p := termParser{name: name}
	for line := range strings.Lines(string(data)) {
		p.line++
		if err := p.take(strings.TrimSpace(line)); err != nil {
			return nil, err
		}
	}
	if p.file.lang.tag == "" {
		return nil, p.errorf("no language line; the first line must be \"language <BCP 47 tag>\"")
	}
	return &p.file, nil
}

type termParser struct {
	name    string
	line    int
	file    termFile
	section *term // the section's kind and category; nil before the first
	text    copyText
}

func (p *termParser) errorf(format string, args ...any) error {
	return fmt.Errorf("%w: %s:%d: %s", ErrTerms, p.name, p.line, fmt.Sprintf(format, args...))
}

func (p *termParser) take(line string) error {
	switch {
	case !utf8.ValidString(line):
		return p.errorf("not valid UTF-8")
	case line == "" || strings.HasPrefix(line, "#") && line != "#":
		return nil
	case strings.HasPrefix(line, "[") && strings.HasSuffix(line, "]"):
		return p.openSection(strings.Fields(line[1 : len(line)-1]))
	case p.section == nil:
		return p.header(strings.Fields(line))
	default:
		return p.addTerm(line)
	}
}

func (p *termParser) header(words []string) error {
	if len(words) != 2 {
		return p.errorf("%q before the first section; accepted are \"language <tag>\" and \"order first|last|nominal|head\"", strings.Join(words, " "))
	}
	switch words[0] {
	case "language":
		if _, err := language.Parse(words[1]); err != nil {
			return p.errorf("language %q is not a BCP 47 tag", words[1])
		}
		if p.file.lang.tag != "" {
			return p.errorf("a second language line; the file is of %q", p.file.lang.tag)
		}
		p.file.lang.tag = words[1]
		return nil
	case "order":
		for o, name := range orderNames {
			if name == words[1] {
				p.file.lang.order = order(o)
				return nil
			}
		}
		return p.errorf("order %q is not one of %s", words[1], strings.Join(orderNames[:], ", "))
	}
	return p.errorf("%q is not one of language, order", words[0])
}

func (p *termParser) openSection(words []string) error {
	if p.file.lang.tag == "" {
		return p.errorf("a section before the language line")
	}
	if len(words) == 0 || len(words) > 2 {
		return p.errorf("a section is \"[category kind]\" or \"[kind]\"; kinds are %s", sectionNames())
	}
	name := words[len(words)-1]
	for k, s := range sections {
		if s.name != name {
			continue
		}
		opened := term{kind: kind(k), category: risk.None}
		if s.category != (len(words) == 2) {
			return p.errorf("section [%s]: a category stands before act, dual, bare, opens, noun, status, not, object and verb, and before no other kind", strings.Join(words, " "))
		}
		switch {
		case opened.kind == affirmative:
			opened.category = risk.Affirmative
		case opened.kind == dismissal:
			opened.category = risk.Dismissal
		case s.category:
			category, err := p.category(words[0])
			if err != nil {
				return err
			}
			opened.category = category
		}
		p.section = &opened
		return nil
	}
	return p.errorf("section %q is not one of %s", name, sectionNames())
}

// category reads the word before a kind. "cancel" is short for the verbs that
// cancel a service.
func (p *termParser) category(word string) (risk.Category, error) {
	if word == "cancel" {
		return risk.CancelService, nil
	}
	c, ok := risk.ParseCategory(word)
	if !ok || c == risk.Unknown || c >= risk.Affirmative {
		return risk.None, p.errorf("category %q is not one of none, %s", word, categoryNames())
	}
	return c, nil
}

func categoryNames() string {
	var names []string
	for _, c := range risk.Categories() {
		if c != risk.Unknown && c != risk.None {
			names = append(names, c.String())
		}
	}
	return strings.Join(names, ", ")
}

func sectionNames() string {
	var names []string
	for _, s := range sections {
		switch {
		case s.name == "":
		case s.category:
			names = append(names, "<category> "+s.name)
		default:
			names = append(names, s.name)
		}
	}
	return strings.Join(names, ", ")
}

func (p *termParser) addTerm(line string) error {
	t := entry{term: *p.section}
	if remark := strings.Index(line, " # "); remark > 0 {
		line = strings.TrimSpace(line[:remark])
	}
	t.text = line
	if t.kind == prefix || t.kind == suffix {
		t.text = strings.Trim(line, "-")
		t.attached = t.text != line
	}
	if len(t.text) > maxTermLength {
		return p.errorf("a term of %d bytes; at most %d are accepted", len(t.text), maxTermLength)
	}
	head, tail, isParted := strings.Cut(t.text, " … ")
	if isParted {
		if t.kind != act {
			return p.errorf("term %q in two parts; only an act may be", line)
		}
		p.text.set(tail, false)
		t.kind, t.tail = parted, string(p.text.b)
		if t.tail == "" {
			return p.errorf("term %q has nothing to match behind its gap", line)
		}
	}
	p.text.set(head, false)
	if len(p.text.b) == 0 {
		return p.errorf("term %q has nothing to match", line)
	}
	p.add(t)
	if strings.Contains(head, " ") && !bytes.ContainsRune(p.text.b, ' ') {
		// "안 함" alone is read as spaced-out lettering, behind other words it is not.
		p.text.setAs(head, apart)
		p.add(t)
	}
	return nil
}

// add notes a term with the spelling in the matching copy.
func (p *termParser) add(e entry) {
	e.spelling = e.text
	if string(p.text.b) != e.text {
		e.spelling = string(p.text.b)
	}
	p.file.terms = append(p.file.terms, e)
}
