package wire

import (
	"math"
	"strconv"
	"strings"
)

// A SelectorKind is a way to say which phone is meant.
type SelectorKind uint8

// The ways to say which phone is meant.
const (
	SelectAny         SelectorKind = iota // the only one there is
	SelectUSB                             // the only one on USB
	SelectLocal                           // the only one over TCP (emulators too)
	SelectSerial                          // by serial, or product:, model:, device:, usb: path
	SelectTransportID                     // by the server's own number for the connection
)

// Selector says which phone is meant. The zero Selector is the only one there
// is.
type Selector struct {
	Kind   SelectorKind
	Serial string
	ID     uint64
}

// Transport is the request that selects this phone for the rest of a
// connection.
func (s Selector) Transport() string {
	switch s.Kind {
	case SelectUSB:
		return "host:transport-usb"
	case SelectLocal:
		return "host:transport-local"
	case SelectSerial:
		return "host:transport:" + s.Serial
	case SelectTransportID:
		return "host:transport-id:" + strconv.FormatUint(s.ID, 10)
	}
	return "host:transport-any"
}

// Prefix is what comes before a verb that is about this phone.
func (s Selector) Prefix() string {
	switch s.Kind {
	case SelectUSB:
		return "host-usb:"
	case SelectLocal:
		return "host-local:"
	case SelectSerial:
		return "host-serial:" + s.Serial + ":"
	case SelectTransportID:
		return "host-transport-id:" + strconv.FormatUint(s.ID, 10) + ":"
	}
	return "host:"
}

// HostRequest is a request that is for the adb server, not for a phone.
type HostRequest struct {
	// Selector is the phone that it is about, from the prefix or from what is
	// to be selected.
	Selector Selector
	// Verb is its name without arguments: "version", "forward", "transport"
	// for every selection of a phone, "wait-for-any-device" ...
	Verb string
	// Args is what follows the verb and its colon.
	Args string
	// Tport says that the selection answers with the number of the transport,
	// eight bytes after OKAY.
	Tport bool
}

// ParseHostRequest reads a host request as adb servers do, so that nothing is
// one phone here and another there. It says false for what is no host request
// (a service on a phone) and for what adb servers cannot read either.
func ParseHostRequest(s string) (HostRequest, bool) {
	r := HostRequest{}
	rest := ""
	switch {
	case cut(s, "host-serial:", &rest):
		serial, command, ok := cutSerial(rest)
		if !ok {
			return HostRequest{}, false
		}
		r.Selector, rest = Selector{Kind: SelectSerial, Serial: serial}, command
	case cut(s, "host-transport-id:", &rest):
		id, command, ok := cutNumber(rest)
		if !ok || !strings.HasPrefix(command, ":") {
			return HostRequest{}, false
		}
		r.Selector, rest = Selector{Kind: SelectTransportID, ID: id}, command[1:]
	case cut(s, "host-usb:", &rest):
		r.Selector.Kind = SelectUSB
	case cut(s, "host-local:", &rest):
		r.Selector.Kind = SelectLocal
	case cut(s, "host:", &rest):
	default:
		return HostRequest{}, false
	}
	if rest == "" {
		return HostRequest{}, false
	}
	if strings.HasPrefix(rest, "transport") || strings.HasPrefix(rest, "tport:") {
		return selection(rest)
	}
	r.Verb, r.Args, _ = strings.Cut(rest, ":")
	return r, r.Verb != ""
}

// IsHostRequest says whether an adb server takes a request for itself, also
// one that it cannot read.
func IsHostRequest(s string) bool {
	for _, prefix := range []string{"host:", "host-serial:", "host-transport-id:", "host-usb:", "host-local:"} {
		if strings.HasPrefix(s, prefix) {
			return true
		}
	}
	return false
}

// selection reads the forms that select a phone for the rest of a connection.
func selection(s string) (HostRequest, bool) {
	r := HostRequest{Verb: "transport"}
	var rest string
	switch {
	case s == "transport-any", s == "tport:any":
	case s == "transport-usb", s == "tport:usb":
		r.Selector.Kind = SelectUSB
	case s == "transport-local", s == "tport:local":
		r.Selector.Kind = SelectLocal
	case cut(s, "transport-id:", &rest):
		id, after, ok := cutNumber(rest)
		if !ok || after != "" {
			return HostRequest{}, false
		}
		r.Selector = Selector{Kind: SelectTransportID, ID: id}
	case cut(s, "transport:", &rest), cut(s, "tport:serial:", &rest):
		if rest == "" {
			return HostRequest{}, false
		}
		r.Selector = Selector{Kind: SelectSerial, Serial: rest}
	default:
		return HostRequest{}, false
	}
	r.Tport = strings.HasPrefix(s, "tport:")
	return r, true
}

// cutSerial separates a serial, which may have colons of its own, from the
// command that follows it: "127.0.0.1:5555:features", "[::1]:5555:features",
// "usb:1-1:features", "vsock:3:5555:features". The rules are those of
// parse_host_service in adb's adb.cpp.
func cutSerial(s string) (serial, command string, ok bool) {
	at := 0 // s[:at] is the serial with the colon that ends it
	next := func() bool {
		i := strings.IndexByte(s[at:], ':')
		if i < 0 {
			return false
		}
		at += i + 1
		return true
	}
	done := func() (string, string, bool) {
		if at < 2 || at >= len(s) {
			return "", "", false
		}
		return s[:at-1], s[at:], true
	}
	for _, prefix := range []string{"usb:", "product:", "model:", "device:", "localfilesystem:"} {
		if strings.HasPrefix(s, prefix) {
			at = len(prefix)
			if !next() {
				return "", "", false
			}
			return done()
		}
	}
	if strings.HasPrefix(s, "tcp:") || strings.HasPrefix(s, "udp:") {
		at = len("tcp:")
	}
	if strings.HasPrefix(s[at:], "vsock:") && !next() {
		return "", "", false
	}
	if strings.HasPrefix(s[at:], "[") && strings.Contains(s[at:], "]") {
		at += strings.IndexByte(s[at:], ']') + 1
		if !strings.HasPrefix(s[at:], ":") {
			return "", "", false
		}
		at++
	} else if !next() {
		return "", "", false
	}
	// A number between colons is a port, and belongs to the serial.
	if i := strings.IndexByte(s[at:], ':'); i >= 0 && strings.Trim(s[at:at+i], "0123456789") == "" {
		at += i + 1
	}
	return done()
}

// cutNumber reads the decimal number at the beginning of s.
func cutNumber(s string) (n uint64, rest string, ok bool) {
	digits := len(s) - len(strings.TrimLeft(s, "0123456789"))
	n, err := strconv.ParseUint(s[:digits], 10, 64)
	return n, s[digits:], err == nil && n <= math.MaxInt64
}

// cut sets rest to what follows prefix in s.
func cut(s, prefix string, rest *string) bool {
	after, ok := strings.CutPrefix(s, prefix)
	if ok {
		*rest = after
	}
	return ok
}
