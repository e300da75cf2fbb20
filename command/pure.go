package command

import (
	"strings"

	"github.com/countersign/countersign/risk"
)

// harmless are the programs and built-ins that only read facts about the
// device, compute, or wait. None of them runs what it is given, reads a file
// that may be somebody's, or writes one.
var harmless = noneOf(
	// The shell's own: control, tests, output. What they evaluate is looked at
	// by builtin, below.
	"true false : echo printf print pwd cd wait jobs fg bg times type whence which hash umask "+
		"break continue return exit shift set unset getopts read ulimit test [ sleep usleep "+
		// Who and where one is.
		"id whoami logname groups uname uptime hostname arch tty getconf locale nproc "+
		// Processes, memory and disks, as numbers.
		"ps pgrep pidof top free vmstat iostat iotop df du lsmod lsusb lspci mountpoint "+
		// Names and marks of files, not what stands in them.
		"ls ll stat file basename dirname realpath readlink "+
		// Text that stands in the line, and arithmetic over it.
		"seq expr factor cal yes getprop printenv clear reset sync tput stty getenforce "+
		// Whether a network is there.
		"ping ping6 netstat ss arp ifconfig ip traceroute",
	codeRead)

// waiting are those that end when the line wants it, or when something happens.
var waiting = map[string]bool{
	"sleep": true, "usleep": true, "wait": true, "fg": true, "read": true, "ping": true, "ping6": true,
	"top": true, "vmstat": true, "iostat": true, "traceroute": true,
}

// pure judges a verb of harmless.
func pure(c *call) {
	for _, w := range c.args {
		if evaluates(w.text) && evaluators[c.verb] && w.text != "[" {
			c.unknown(codeSubstitution, c.verb, c.rest(0))
			return
		}
	}
	switch c.verb {
	case "read", "unset", "getopts", "set":
		for _, w := range c.args {
			// "set -A name" is an assignment; without it, set takes any words.
			if c.verb == "set" && !strings.HasSuffix(c.arg(0), "A") {
				break
			}
			if w.why != "" || steers(w.text) {
				c.unknown(codeEnvironment, c.verb, c.rest(0))
				return
			}
		}
	case "hostname":
		if len(c.args) > 0 && !strings.HasPrefix(c.arg(0), "-") {
			c.is(risk.Settings, codeSetting, c.verb, c.rest(0))
			return
		}
	case "ip", "ifconfig", "arp":
		if changesNetwork(c.texts()) {
			c.is(risk.Settings, codeRadio, c.verb, c.rest(0))
			return
		}
	}
	c.none(codeRead, c.verb)
	if waiting[c.verb] {
		c.r.waited = true
	}
}

// evaluators are the built-ins that evaluate an argument a second time, as a
// number or as the name of a variable.
var evaluators = map[string]bool{
	"test": true, "[": true, "shift": true, "exit": true, "return": true, "break": true,
	"continue": true, "set": true, "unset": true, "getopts": true, "read": true, "ulimit": true,
	"wait": true, "umask": true, "print": true,
}

func changesNetwork(args []string) bool {
	for _, a := range args {
		switch a {
		case "add", "del", "delete", "set", "flush", "replace", "change", "up", "down", "netmask", "exec", "-s", "-d":
			return true
		}
	}
	return false
}

// date shows the time, or sets it: then certificates and one-time codes fail.
func date(c *call) {
	options, operands := split(c.texts(), "-d", "-D", "-r", "-s")
	_, sets := options["-s"]
	for _, o := range operands {
		sets = sets || !strings.HasPrefix(o, "+")
	}
	if sets {
		c.is(risk.Settings, codeSetting, c.verb, c.rest(0))
		return
	}
	c.none(codeRead, c.verb)
}

// kill ends processes, this guard's helpers and security apps among them.
func kill(c *call) {
	if c.arg(0) == "-l" {
		c.none(codeRead, c.verb)
		return
	}
	c.is(risk.Other, codeProcess, c.verb, c.rest(0))
}

// alias may give another meaning to a known word.
func alias(c *call) {
	if strings.Contains(c.rest(0), "=") {
		c.unknown(codeFunction, c.verb, c.rest(0))
		return
	}
	c.none(codeShell, c.verb)
}

// noneOf returns a table in which every word of a list is harmless.
func noneOf(words, code string) map[string]rule {
	table := map[string]rule{}
	for _, w := range strings.Fields(words) {
		table[w] = rule{risk.None, code, false}
	}
	return table
}

// join is the operands as one text.
func join(operands []string) string { return strings.Join(operands, " ") }

// packageOf returns the package of "package" or "package/class".
func packageOf(s string) string {
	name, _, _ := strings.Cut(s, "/")
	return name
}
