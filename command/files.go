package command

import (
	"regexp"
	"strings"

	"github.com/countersign/countersign/risk"
)

// A fileTool is a program that reads files, or its input where none is named.
type fileTool struct {
	// values are the options that take a value; files are those whose value is
	// a file that is read.
	values, files string
	// skip is how many operands come before the files: a pattern, a script.
	skip int
}

// readers hand over what stands in a file. Whether that discloses anything is
// a matter of the place.
var readers = map[string]fileTool{
	"cat":       {},
	"tac":       {},
	"rev":       {},
	"nl":        {values: "bln"},
	"head":      {values: "nc"},
	"tail":      {values: "ncs"},
	"more":      {},
	"less":      {},
	"strings":   {values: "nt"},
	"xxd":       {values: "cglos"},
	"od":        {values: "AjNtw"},
	"hexdump":   {values: "ens"},
	"base64":    {values: "w"},
	"uuencode":  {},
	"cut":       {values: "bcdfCFO"},
	"paste":     {values: "d"},
	"fold":      {values: "w"},
	"fmt":       {values: "w"},
	"expand":    {values: "t"},
	"uniq":      {values: "fsw"},
	"comm":      {},
	"join":      {values: "12aeotv"},
	"diff":      {values: "LU"},
	"cmp":       {values: "n"},
	"grep":      {values: "eABCm", files: "f", skip: 1},
	"egrep":     {values: "eABCm", files: "f", skip: 1},
	"fgrep":     {values: "eABCm", files: "f", skip: 1},
	"zcat":      {},
	"md5sum":    {}, // a hash tells whether a file is a known one
	"sha1sum":   {},
	"sha224sum": {},
	"sha256sum": {},
	"sha512sum": {},
	"cksum":     {},
	"crc32":     {},
	"wc":        {},
	"tr":        {skip: 2},
	"look":      {},
	"iconv":     {values: "ft"},
	"readelf":   {},
}

// readFiles judges a reader by the places of its files. A few of them write to
// a second file, if one is named.
func readFiles(c *call) {
	c.readFilesAs(readers[c.verb])
	words := c.operandWords()
	if (c.verb == "uniq" || c.verb == "xxd") && len(words) > 1 {
		c.writeFile(words[len(words)-1], false)
	}
}

func (c *call) readFilesAs(tool fileTool) {
	named := false
	operands := 0
	for i := 0; i < len(c.args); i++ {
		w := c.args[i]
		if strings.HasPrefix(w.text, "-") && len(w.text) > 1 && w.why == "" {
			last := w.text[len(w.text)-1:]
			if !strings.HasPrefix(w.text, "--") && strings.Contains(tool.values+tool.files, last) {
				i++ // the value is the next word
				if strings.Contains(tool.files, last) && i < len(c.args) {
					named = c.readFile(c.args[i]) || named
				}
				if last == "e" {
					operands = tool.skip // the pattern is given already
				}
			}
			continue
		}
		if operands++; operands <= tool.skip {
			continue
		}
		named = c.readFile(w) || named
	}
	if !named {
		c.none(codeRead, c.verb)
	}
}

// readFile adds that a file is disclosed, unless reading it gives nothing away.
func (c *call) readFile(w word) bool {
	if w.text == "-" || c.r.readable(w) {
		return false
	}
	c.is(risk.Disclose, codeReadFile, c.verb, w.text)
	return true
}

// writeFile adds what writing to a file does.
func (c *call) writeFile(w word, adds bool) {
	e := writeEffect(placeOf(w), w.text, adds)
	e.Term = c.verb
	c.add(e)
}

// operandWords are the arguments that are no options.
func (c *call) operandWords() []word {
	var words []word
	literal := false
	for _, w := range c.args {
		switch {
		case !literal && w.text == "--":
			literal = true
		case !literal && strings.HasPrefix(w.text, "-") && len(w.text) > 1:
		default:
			words = append(words, w)
		}
	}
	return words
}

// remove judges rm and its like. What it removes is gone for good.
func remove(c *call) {
	words := c.operandWords()
	own := len(words) > 0
	for _, w := range words {
		own = own && c.r.isCapture(w.text)
	}
	if own {
		c.none(codeCapture, c.verb) // it clears up after its own screenshot
		return
	}
	for _, w := range words {
		switch kind := placeOf(w); kind {
		case hardware, keys, system, public, rawInput:
			c.writeFile(w, false)
		default:
			c.is(risk.Delete, codeRemoveFile, c.verb, w.text)
		}
	}
	if len(words) == 0 {
		c.is(risk.Delete, codeRemoveFile, c.verb, c.rest(0)) // xargs brings the names
	}
}

// copyFiles judges cp, mv, ln and install: the last operand is written, the others are
// read into a place where they may be easier to reach. A move also removes.
func copyFiles(c *call) {
	words := c.operandWords()
	if len(words) < 2 {
		c.unknown(codeBadArguments, c.verb, c.rest(0))
		return
	}
	last := len(words) - 1
	for _, w := range words[:last] {
		c.readFile(w)
		if c.verb == "mv" {
			c.writeFile(w, false)
		}
	}
	options, _ := split(c.texts())
	_, keeps := options["-n"]
	c.writeFile(words[last], keeps || c.verb == "ln")
}

// create judges programs that make files or folders, or change their marks:
// they keep what is there.
func create(c *call) {
	skip := 0
	if c.verb == "chmod" || c.verb == "chown" || c.verb == "chgrp" || c.verb == "chcon" {
		skip = 1
	}
	words := c.operandWords()
	for _, w := range words[min(skip, len(words)):] {
		c.writeFile(w, true)
	}
}

// makeFolders judges mkdir. What exists on every phone cannot be made: the libraries
// of adb clients send "mkdir -p", or "mkdir -p --", with the folder above before they
// send a file.
func makeFolders(c *call) {
	for i, w := range c.args {
		if strings.HasPrefix(w.text, "-") && w.text != "-p" && (w.text != "--" || i != 1) || !w.fixed() {
			create(c)
			return
		}
	}
	for _, w := range c.operandWords() {
		if onEveryPhone(w.text) {
			c.none(codeShell, c.verb)
		} else {
			c.writeFile(w, true)
		}
	}
}

// tee copies its input to files; -a adds to them.
func tee(c *call) {
	options, _ := split(c.texts())
	_, adds := options["-a"]
	c.none(codeRead, c.verb)
	for _, w := range c.operandWords() {
		c.writeFile(w, adds)
	}
}

// overwrite judges programs that change files in place.
func overwrite(c *call) {
	for _, w := range c.operandWords() {
		c.writeFile(w, false)
	}
	if len(c.args) == 0 {
		c.none(codeRead, c.verb)
	}
}

// copyBlocks judges dd, whose operands are "name=value".
func copyBlocks(c *call) {
	c.none(codeRead, c.verb)
	for _, w := range c.args {
		name, value, _ := strings.Cut(w.text, "=")
		file := w
		file.text = value
		switch name {
		case "if":
			c.readFile(file)
		case "of":
			c.writeFile(file, false)
		}
	}
}

// plainSed are the sed scripts that only print, drop or replace lines. Others
// may read and write files, or run commands.
var plainSed = regexp.MustCompile(`^(\d+|\$|/[^/]*/)?(,(\d+|\$|/[^/]*/))?([pdq=]|s([/|#,])[^/|#,\n]*[/|#,][^/|#,\n]*[/|#,][gpiI0-9]*)$`)

// sed judges a stream editor: -i changes the files themselves.
func sed(c *call) {
	var scripts []string
	inPlace := false
	for i := 0; i < len(c.args); i++ {
		w := c.args[i]
		switch {
		case strings.HasPrefix(w.text, "-i"), strings.HasPrefix(w.text, "--in-place"):
			inPlace = true
		case w.text == "-e" && i+1 < len(c.args):
			i++
			scripts = append(scripts, c.args[i].text)
		case strings.HasPrefix(w.text, "-"):
			if strings.ContainsAny(w.text, "fi") && w.text != "-n" {
				c.unknown(codeOpaque, c.verb, w.text)
			}
		case len(scripts) == 0:
			scripts = append(scripts, w.text)
		case inPlace:
			c.writeFile(w, false)
		default:
			c.readFile(w)
		}
	}
	for _, script := range scripts {
		if !plainSed.MatchString(script) {
			c.unknown(codeOpaque, c.verb, script)
			return
		}
	}
	c.none(codeRead, c.verb)
}

// awk judges a small program. It may run commands and write files; one that
// has none of the words for that only prints.
func awk(c *call) {
	words := c.operandWords()
	if len(words) == 0 || strings.Contains(c.rest(0), "-f") {
		c.unknown(codeOpaque, c.verb, c.rest(0))
		return
	}
	program, files := words[0], words[1:]
	for i, w := range c.args { // -F and -v take a value, which is no program
		if (w.text == "-F" || w.text == "-v") && i+1 < len(c.args) && c.args[i+1].start == program.start && len(files) > 0 {
			program, files = files[0], files[1:]
		}
	}
	if !program.fixed() || strings.ContainsAny(program.text, "|>@") ||
		strings.Contains(program.text, "system") || strings.Contains(program.text, "getline") {
		c.unknown(codeOpaque, c.verb, program.text)
		return
	}
	c.none(codeRead, c.verb)
	for _, w := range files {
		c.readFile(w)
	}
}

// sortFiles reads files; -o writes one.
func sortFiles(c *call) {
	for i, w := range c.args {
		if strings.HasPrefix(w.text, "-o") {
			target := w
			target.text = w.text[2:]
			if target.text == "" && i+1 < len(c.args) {
				target = c.args[i+1]
			}
			c.writeFile(target, false)
		}
	}
	c.readFilesAs(fileTool{values: "kotST"})
}

// archive judges tar, cpio, zip and gzip. What they read and write is told by
// letters of many dialects, so every path is taken as both.
func archive(c *call) {
	for _, w := range c.operandWords() {
		if strings.Contains(w.text, "/") || w.why != "" {
			c.readFile(w)
			c.writeFile(w, false)
		}
	}
	c.unknown(codeOpaque, c.verb, c.rest(0))
}

// find lists names, unless it is told to act on them.
func find(c *call) {
	for i := 0; i < len(c.args); i++ {
		switch action := c.arg(i); action {
		case "-delete":
			c.is(risk.Delete, codeRemoveFile, "find -delete", c.rest(0))
		case "-exec", "-execdir", "-ok", "-okdir":
			end := i + 1
			for end < len(c.args) && c.arg(end) != ";" && c.arg(end) != "+" && c.arg(end) != "-exec" {
				end++
			}
			c.withUnknownInput(c.args[i+1:end], "find "+action)
			i = end - 1
		case "-fprint", "-fprintf", "-fls", "-fprint0":
			if i+1 < len(c.args) {
				c.writeFile(c.args[i+1], false)
			}
		}
	}
	c.none(codeRead, c.verb)
}
