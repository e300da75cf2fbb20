package adb

import (
	"strings"
)

// kind is what a service does, as far as who judges it.
type kind uint8

const (
	kindUnknown kind = iota // not known: refused
	kindShell               // a line for the phone's shell, or lines on its input
	kindBinder              // a command of a system service, without a shell: abb, abb_exec
	kindFiles               // sync: files in and out
	kindStream              // a connection to a server on the phone
	kindPicture             // framebuffer: the screen as raw pixels
	kindReverse             // connections that begin on the phone
	kindLine                // something that a shell line does as well
	kindBypass              // a way round the guard, named as a line of adbd's
)

// maxService is the length in bytes of the longest service that is read. A
// request on the smart socket has no more.
const maxService = 64 << 10

// service is what a client asked for, sorted. The zero value is unknown.
type service struct {
	// raw is the client's text, as it goes to the phone.
	raw  string
	kind kind
	// line is the shell line that does the same; it is judged and shown in place of
	// the service.
	line string
	// typed says that the shell has no command and runs the lines that come.
	typed bool
	// v2 says that input and output come in packets, pty that there is a terminal,
	// echoes that there is one in between although nobody asked for it.
	v2, pty, echoes bool
	// target is what a stream goes to.
	target string
}

// parseService sorts a service. Everything that adbd would take for another
// service than it seems here, or that nobody here knows, is unknown.
func parseService(raw string) service {
	s := service{raw: raw}
	name, rest, colon := strings.Cut(raw, ":")
	if len(raw) > maxService || !colon {
		return s
	}
	if name == "abb" || name == "abb_exec" {
		return s.binder(rest)
	}
	if strings.IndexByte(raw, 0) >= 0 { // adbd would see less than is judged
		return s
	}
	base, options, _ := strings.Cut(name, ",")
	switch {
	case base == "shell":
		return s.shell(options, rest)
	case name == "exec":
		s.kind, s.line, s.typed = kindShell, rest, blank(rest)
	case name == "sync" && rest == "":
		s.kind = kindFiles
	case streams[name] && rest != "":
		s.kind, s.target = kindStream, raw
	case name == "framebuffer" && rest == "":
		s.kind = kindPicture
	case name == "reverse":
		s.kind, s.line = kindReverse, rest
	case name == "reboot" && rest == "":
		s.kind, s.line = kindLine, "reboot"
	case name == "tcpip":
		s.kind, s.line = kindBypass, "tcpip "+quote(rest)
	case ways[name]:
		s.kind, s.line = kindBypass, strings.TrimRight("adbd "+name+" "+rest, " ")
	}
	return s
}

// streams are the kinds of servers that a client may be connected to (adb's
// SERVICES.TXT).
var streams = map[string]bool{
	"tcp": true, "local": true, "localabstract": true, "localreserved": true, "localfilesystem": true,
}

// ways are the services that open a way round the guard: to root, to another
// door, to other software below anything that could still ask, to all data at
// once, into running programs.
var ways = map[string]bool{
	"root": true, "unroot": true, "remount": true, "disable-verity": true, "enable-verity": true,
	"usb": true, "reboot": true, "backup": true, "restore": true, "sideload": true, "sideload-host": true,
	"rescue-install": true, "rescue-getprop": true, "rescue-wipe": true,
	"dev": true, "dev-raw": true, "jdwp": true, "track-jdwp": true, "track-app": true,
}

// shell reads the options of a shell and its command, as adbd's ShellService does
// (daemon/services.cpp). An option that is not known might change what runs.
func (s service) shell(options, command string) service {
	s.pty = command == ""
	for _, option := range strings.Split(options, ",") {
		switch {
		case option == "v2":
			s.v2 = true
		case option == "raw":
			s.pty = false
		case option == "pty":
			s.pty = true
		case option == "" || strings.HasPrefix(option, "TERM="):
		default:
			return s
		}
	}
	s.kind, s.line, s.typed = kindShell, command, blank(command)
	if s.typed && !s.v2 && options == "" {
		// Without the protocol and without a word about it the phone gives a terminal
		// that echoes; its lines are judged like any other's.
		s.pty, s.echoes = false, true
	}
	return s
}

// binder reads a command whose words are separated by NUL.
func (s service) binder(rest string) service {
	words := strings.Split(rest, "\x00")
	if words[0] == "" {
		return s
	}
	for i, w := range words {
		words[i] = quote(w)
	}
	s.kind, s.line = kindBinder, "cmd "+strings.Join(words, " ")
	return s
}

// blank reports whether a shell that is given this runs the lines of its input.
func blank(command string) bool { return strings.Trim(command, " \t\n") == "" }

// quote spells a word so that a shell reads exactly it.
func quote(word string) string {
	const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./:,@%+-"
	if word != "" && strings.Trim(word, plain) == "" {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
