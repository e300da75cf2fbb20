package command

import (
	"strings"

	"github.com/countersign/countersign/risk"
)

// network judges programs that carry data off the phone, or onto it. Where it
// goes and what it carries is shown as the object.
func network(c *call) {
	c.is(risk.Disclose, codeNetwork, c.verb, c.rest(0))
	for i, w := range c.args {
		switch w.text {
		case "-o", "-O", "--output", "--output-document": // a file that comes in
			if i+1 < len(c.args) && !strings.HasPrefix(c.arg(i+1), "-") && !strings.Contains(c.arg(i+1), "://") {
				c.writeFile(c.args[i+1], false)
			}
		}
	}
}

// netcat is a plain connection. One that listens, or that runs a program on
// what comes in, is a door to the phone beside the guarded one.
func netcat(c *call) {
	for _, w := range c.args {
		if strings.HasPrefix(w.text, "-") && !strings.HasPrefix(w.text, "--") && strings.ContainsAny(w.text, "lLec") {
			c.is(risk.Bypass, codeRemoteShell, c.verb, c.rest(0))
			return
		}
	}
	network(c)
}

// serve judges programs that open the phone to others.
func serve(c *call) { c.is(risk.Bypass, codeRemoteShell, c.verb, c.rest(0)) }

// database judges sqlite3: it reads what apps keep, and writes it as well.
func database(c *call) {
	c.is(risk.Disclose, codeReadFile, c.verb, c.rest(0))
	text := strings.ToLower(c.rest(0))
	for _, w := range []string{"insert", "update", "delete", "drop", "replace", "alter", "create", "pragma", ".import", ".restore", "vacuum"} {
		if strings.Contains(text, w) {
			c.is(risk.Delete, codeWriteFile, c.verb, c.rest(0))
			return
		}
	}
	if strings.Contains(text, ".shell") || strings.Contains(text, ".system") || strings.Contains(text, "load_extension") || c.in.piped || len(c.args) < 2 {
		c.unknown(codeOpaque, c.verb, c.rest(0))
	}
}
