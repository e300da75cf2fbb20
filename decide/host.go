package decide

import (
	"net/netip"
	"slices"
	"strings"
	"unicode/utf8"
)

// named reports whether a text that is shown holds a host of the guard's: a name
// in large letters or small ones, an address in any number that it is written as.
// It allocates nothing: every node of a tree is looked at.
func (s *Self) named(text string) bool {
	if text == "" {
		return false
	}
	numbers := false
	for _, host := range s.Hosts {
		if _, ok := ipv4(host); ok {
			numbers = true // it is part of other numbers, so that letters do not tell
			continue
		}
		if s.hasName(text, host) {
			return true
		}
		numbers = numbers || strings.Contains(host, ":")
	}
	return numbers && s.eachAddress(text, func(at netip.Addr, _ int) bool { return s.isHost(at) })
}

// hasName reports whether a text holds a name. One without a dot, such as "pi", may
// be any word, or a part of one: it has to stand where a host does.
func (s *Self) hasName(text, name string) bool {
	if strings.Contains(name, ".") || strings.Contains(name, ":") {
		return indexFold(text, name) >= 0
	}
	for from := 0; ; {
		i := indexFold(text[from:], name)
		if i < 0 {
			return false
		}
		i += from
		from = i + 1
		rest := strings.TrimLeft(text[i+len(name):], ".")
		if i > 0 && hostByte(text[i-1]) || rest != "" && hostByte(rest[0]) {
			continue
		}
		if afterScheme(text[:i]) || s.goesOn(rest) {
			return true
		}
	}
}

// addressed reports whether a text that opens something holds a host of the
// guard's, or one of its ports on its machine, spelled in any way that a shell or
// a browser takes for the same.
func (s *Self) addressed(text string) bool {
	if text == "" || len(s.Hosts) == 0 && len(s.Ports) == 0 {
		return false
	}
	if s.leads(text) {
		return true
	}
	if !spelledOtherwise(text) {
		return false
	}
	for _, spelled := range spellings(text) {
		if s.leads(spelled) {
			return true
		}
	}
	return s.foreignNamed(text)
}

// leads reports whether a text in plain spelling leads to the guard.
func (s *Self) leads(text string) bool {
	if s.named(text) {
		return true
	}
	if len(s.Ports) == 0 {
		return false
	}
	return s.onLocalhost(text) || s.eachAddress(text, func(at netip.Addr, port int) bool {
		return thisMachine(at) && s.listens(port)
	})
}

// isHost reports whether an address is one of the guard's hosts.
func (s *Self) isHost(at netip.Addr) bool {
	return slices.ContainsFunc(s.Hosts, func(host string) bool {
		own, ok := address(host)
		return ok && own == at
	})
}

// listens reports whether the guard listens on a port; 0 is one that is not
// named, which a browser takes for that of the scheme.
func (s *Self) listens(port int) bool {
	if port == 0 {
		return slices.Contains(s.Ports, 80) || slices.Contains(s.Ports, 443)
	}
	return slices.Contains(s.Ports, port)
}

// onLocalhost recognises a name of this machine with one of the guard's ports:
// localhost, and every name below it (RFC 6761, 6.3).
func (s *Self) onLocalhost(text string) bool {
	const name = "localhost"
	for {
		i := indexFold(text, name)
		if i < 0 {
			return false
		}
		text = text[i+len(name):]
		rest := strings.TrimLeft(text, ".")
		if rest != "" && hostByte(rest[0]) {
			continue // a longer name
		}
		if port, _ := portOf(rest); s.listens(port) {
			return true
		}
	}
}

// thisMachine reports whether an address leads to the machine that the guard runs
// on, seen from the phone: by the loopback, which may be forwarded; by no address
// at all, which systems take for it; by the aliases that the emulators of the
// Android SDK and of Genymotion have for their host.
func thisMachine(at netip.Addr) bool {
	return at.IsLoopback() || at.IsUnspecified() || at == emulatorHost || at == genymotionHost
}

var (
	emulatorHost   = netip.AddrFrom4([4]byte{10, 0, 2, 2})
	genymotionHost = netip.AddrFrom4([4]byte{10, 0, 3, 2})
)

// eachAddress hands over every IP address that stands in a text, with its port,
// 0 where none is named, until found says that it is the one.
func (s *Self) eachAddress(text string, found func(netip.Addr, int) bool) bool {
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '[':
			size := strings.IndexByte(text[i+1:min(len(text), i+1+maxBracketed)], ']')
			if size < 0 {
				continue
			}
			if at, ok := ipv6(text[i+1 : i+1+size]); ok {
				if port, _ := portOf(text[i+1+size+1:]); found(at, port) {
					return true
				}
			}
		case hostByte(c):
			end := i + 1
			for end < len(text) && hostByte(text[end]) {
				end++
			}
			if at, ok := ipv4(text[i:end]); ok {
				isHost := isHostByItself(text[i:end]) || afterScheme(text[:i]) || s.goesOn(text[end:])
				if port, _ := portOf(text[end:]); isHost && found(at, port) {
					return true
				}
			}
			i = end - 1
		}
	}
	return false
}

// maxBracketed is more than the length of an address of IPv6 with its zone.
const maxBracketed = 96

// isHostByItself tells an address from a number of another kind: four numbers, or
// too many digits to be one by chance. "10.5" is the address 10.0.0.5 for a
// browser, but a price or a version for everybody else, also for the browser's
// own line as long as nothing says otherwise.
func isHostByItself(number string) bool {
	return strings.Count(strings.TrimRight(number, "."), ".") == 3 || len(number) > len("10.0.5.1")
}

// goesOn reports whether what stands after a word makes it a host of the guard's: a
// port where the guard listens, any where that is not known, or a path where it
// listens on the port that a browser takes without one.
func (s *Self) goesOn(rest string) bool {
	if port, named := portOf(rest); named {
		return len(s.Ports) == 0 && rest[0] == ':' || s.listens(port)
	}
	return strings.HasPrefix(rest, "/") && s.listens(0)
}

// afterScheme reports whether what stands before an address makes it a host: two
// slashes, a user, or the scheme of a page (URL Standard, 4.4: with special
// schemes slashes may be missing, or be backslashes).
func afterScheme(before string) bool {
	if strings.HasSuffix(before, "@") {
		return true
	}
	scheme := strings.TrimRight(before, `/\`)
	return len(before)-len(scheme) >= 2 || hasSuffixFold(scheme, "http:") || hasSuffixFold(scheme, "https:")
}

// hostByte reports what stands in a number or a name of a host.
func hostByte(c byte) bool {
	return c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z' || c == '.' || c == '-' || c == '_'
}

// portOf is the port that a text begins with, after a colon, as a browser reads
// it, or after a blank, as programs in a shell do; named is false and port 0
// where there is none.
func portOf(text string) (port int, named bool) {
	rest, colon := strings.CutPrefix(text, ":")
	if !colon {
		if rest = strings.TrimLeft(text, " "); rest == text {
			return 0, false
		}
	}
	for len(rest) > 0 && rest[0] >= '0' && rest[0] <= '9' {
		port, named, rest = min(port*10+int(rest[0]-'0'), 1<<16), true, rest[1:]
	}
	return port, named
}

// address is the IP address that a host is.
func address(host string) (netip.Addr, bool) {
	if at, ok := ipv4(host); ok {
		return at, true
	}
	return ipv6(strings.Trim(host, "[]"))
}

// ipv4 reads an address as browsers do: one to four numbers, in decimal, octal or
// hexadecimal, of which the last fills what is left (URL Standard, 3.5, the IPv4
// parser). Dots at the end are ignored.
func ipv4(host string) (netip.Addr, bool) {
	if host == "" || digitOf(host[0]) > 9 {
		return netip.Addr{}, false
	}
	rest, value := strings.TrimRight(host, "."), uint64(0)
	for n := 0; n < 4; n++ {
		part, after, more := strings.Cut(rest, ".")
		number, ok := ipv4Number(part)
		switch {
		case !ok:
			return netip.Addr{}, false
		case !more:
			if number >= 1<<(8*(4-n)) {
				return netip.Addr{}, false
			}
			value = value<<(8*(4-n)) | number
			return netip.AddrFrom4([4]byte{byte(value >> 24), byte(value >> 16), byte(value >> 8), byte(value)}), true
		case number > 255:
			return netip.Addr{}, false
		}
		value, rest = value<<8|number, after
	}
	return netip.Addr{}, false // five numbers
}

// ipv4Number reads one number of an address; "0x" alone is 0.
func ipv4Number(part string) (number uint64, ok bool) {
	base := uint64(10)
	switch {
	case part == "":
		return 0, false
	case len(part) > 1 && part[0] == '0' && part[1]|0x20 == 'x':
		base, part = 16, part[2:]
	case len(part) > 1 && part[0] == '0':
		base, part = 8, part[1:]
	}
	for i := range len(part) {
		digit := uint64(digitOf(part[i]))
		if digit >= base {
			return 0, false
		}
		number = min(number*base+digit, 1<<32)
	}
	return number, true
}

// ipv6 reads an address of IPv6, without its zone. One that stands for an address
// of IPv4 is that: mapped (RFC 4291, 2.5.5), and translated on the way (RFC 6052,
// 2.1).
func ipv6(text string) (netip.Addr, bool) {
	text, _, _ = strings.Cut(text, "%")
	if len(text) > len("ffff:ffff:ffff:ffff:ffff:ffff:255.255.255.255") || strings.Count(text, ":") < 2 {
		return netip.Addr{}, false
	}
	at, err := netip.ParseAddr(text)
	if err != nil {
		return netip.Addr{}, false
	}
	if b := at.As16(); translated.Contains(at) {
		return netip.AddrFrom4([4]byte(b[12:])), true
	}
	return at.Unmap(), true
}

// translated are the addresses that a network without IPv4 uses for those of it.
var translated = netip.MustParsePrefix("64:ff9b::/96")

// indexFold is where a text holds a name, in large letters or small ones, or -1.
func indexFold(text, name string) int {
	for i := 0; name != "" && i+len(name) <= len(text); i++ {
		if (text[i]|0x20 == name[0]|0x20 || name[0] >= utf8.RuneSelf) && strings.EqualFold(text[i:i+len(name)], name) {
			return i
		}
	}
	return -1
}

func hasSuffixFold(text, end string) bool {
	return len(text) >= len(end) && strings.EqualFold(text[len(text)-len(end):], end)
}
