package decide

import (
	"fmt"
	"net/netip"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

// How an address of the guard's may be spelled, and what only looks like it.
func TestHostSpellings(t *testing.T) {
	address := Self{Hosts: []string{"192.0.2.7"}, Ports: []int{8787, 8789}}
	six := Self{Hosts: []string{"2001:db8::7"}}
	home := Self{Hosts: []string{"10.0.0.5"}, Ports: []int{8789}}
	name := Self{Hosts: []string{"inbox.test"}}
	foreign := Self{Hosts: []string{"inbox.xn--bcher-kva.example"}}
	short := Self{Hosts: []string{"pi"}, Ports: []int{8789}}
	secured := Self{Hosts: []string{"pi"}, Ports: []int{8787, 443}}
	bare := Self{Hosts: []string{"pi"}}
	usual := Self{Hosts: []string{"inbox.test"}, Ports: []int{443}}
	ran := 0
	for _, row := range []struct {
		self *Self
		text string
		want bool
	}{
		{&address, "192.0.2.7", true},
		{&address, "https://192.0.2.7:8789/approvals", true},
		{&address, "https://3221225991/", true},
		{&address, "3221225991", true},
		{&address, "https://0xC0.0.2.7/", true},
		{&address, "https://0xc0000207/", true},
		{&address, "https://0XC0.0X0.0X2.0X7/", true},
		{&address, "https://0300.0.2.07/", true},
		{&address, "https://030000001007/", true},
		{&address, "https://000300.0x.0002.0x007/", true},
		{&address, "https://192.0.519/", true},
		{&address, "192.0.519", true},
		{&address, "https://192.519/", true},
		{&address, "192.519:8789", true},
		{&address, "https://192.0.2.7./", true},
		{&address, "https://192.0.519.:8789/", true},
		{&address, "https://[::ffff:192.0.2.7]/", true},
		{&address, "https://[::FFFF:c000:0207]:8789/", true},
		{&address, "https://[0:0:0:0:0:ffff:c000:207]/", true},
		{&address, "https://[64:ff9b::192.0.2.7]/", true},
		{&address, "https://bank.example@3221225991/", true},
		{&address, "https://a:b@192.0.519:8789/", true},
		{&address, "https:3221225991", true},
		{&address, `https:\\192.519\`, true},
		{&address, `https:/192.519`, true},
		{&address, "https://%3192.0.2.7/", true},
		{&address, "https://%33%32%32%31225991/", true},
		{&address, "https://１９２．０．２．７/", true},
		{&address, "https://１９２。０｡５１９/", true},
		{&address, "https://０ｘｃ０００0２０7/", true},
		{&address, "https://%EF%BC%91%EF%BC%99２.0.2.7/", true},
		{&address, "https://19\u00ad2.0.\u200b2.7/", true},
		{&address, "https://19\t2.0.\n2.7/", true},
		{&address, "echo\n%3192.0.2.7", true},
		{&address, "googlechrome://navigate?url=https%3A%2F%2F3221225991%2F", true},
		{&address, "intent:#Intent;S.browser_fallback_url=https%3A%2F%2F%2533221225991;end", true},
		{&address, `{"url":"https://\u0033221225991/"}`, true},
		{&address, `am start -d $'https://\x33221225991/'`, true},
		{&address, `am start -d "https://3221"225'991'/`, true},
		{&address, `am start -d https://32212\25991/`, true},
		{&address, "打开192.0.2.7", true},
		{&address, "192.0.2.77", false},
		{&address, "1192.0.2.7", false},
		{&address, "192.0.2.7.example", false},
		{&address, "www.192.0.2.7", false},
		{&address, "192.0.2.7.1", false},
		{&address, "192.0..7", false},
		{&address, "https://3221225992/", false},
		{&address, "https://030000001008/", false},
		{&address, "https://0xC0.0.2.07777/", false},
		{&address, "https://256.0.2.7/", false},
		{&address, "https://192.0.66055/", false},
		{&address, "https://[::ffff:192.0.2.8]/", false},
		{&address, "https://[::192.0.2.7]/", true}, // an old form of the same
		{&address, "https://[192.0.2.7", true},     // a reader may take it for the address
		{&address, "it costs 192.519 in all", false},
		{&address, "https://192.519.example/", false},
		{&address, "https://09.0.2.7/", false},
		{&address, "", false},
		{&home, "10.5", false},
		{&home, "version 10.0.5 and 10.5/10", false},
		{&home, "sleep 10.5; input tap 10 5", false},
		{&home, "https://10.5/", true},
		{&home, "https://u@10.0.5", true},
		{&home, "10.5:8789", true},
		{&home, "10.5:30", false},
		{&home, "10.0.0.5", true},
		{&six, "https://[2001:db8::7]:8789/", true},
		{&six, "https://[2001:DB8:0:0:0::0007]/", true},
		{&six, "https://[2001:db8:0:0:0:0:0.0.0.7]/", true},
		{&six, "https://[2001:db8::7%25eth0]/", true},
		{&six, "2001:db8::7", true},
		{&six, "https://[2001:db8::8]/", false},
		{&six, "[7] of [2001]", false},
		{&name, "https://INBOX.Test:1/", true},
		{&name, "https://ｉｎｂｏｘ。ｔｅｓｔ/", true},
		{&name, "https://%69nbox%2Etest./", true},
		{&name, "https://inbox.tests/", true}, // the name is looked for by letters
		{&name, "https://in-box.test/", false},
		{&short, "Copied: the opinion of Pi", false},
		{&short, "https://PI:8789/", true},
		{&short, "pi.:8789", true},
		{&short, "http://pi/", true},
		{&short, "https://u@ｐｉ/", true},
		{&short, `am start -d "https:"//p'i'/`, true},
		{&short, "api:8789", false},
		{&short, "pi:80", false},
		{&short, "pi-hole:8789, pi.example:8789", false},
		{&short, "opinion pi:8789", true},
		{&short, "pi/approvals", false},
		{&secured, "pi/approvals", true},
		{&secured, "pi", false},
		{&secured, "the opinion of pi / phi", false},
		{&bare, "pi:3000", true},
		{&bare, "pi 3000", false},
		{&foreign, "https://inbox.bücher.example/", true},
		{&foreign, "https://INBOX.BÜCHER.EXAMPLE/", true},
		{&foreign, "https://inbox.bu\u0308cher.example/", true},
		{&foreign, "https://inbox.b%C3%BCcher.example/", true},
		{&foreign, "https://INBOX.XN--BCHER-KVA.example/", true},
		{&foreign, "https://inbox.bücherei.example/", false},
		{&foreign, "https://inbox.xn--bcher-kvb.example/", false},
		{&address, "http://localhost:8787/", true},
		{&address, "http://LOCALHOST.:08789/", true},
		{&address, "http://x.localhost:8787/", true},
		{&address, "http://ip6-localhost:8787/", true},
		{&address, "http://%6cocalhost:8787/", true},
		{&address, "http://127.0.0.1:8787/", true},
		{&address, "http://127.1:8787/", true},
		{&address, "127.1:8787", true},
		{&address, "http://2130706433:8787/", true},
		{&address, "http://0x7f.0.0.1:8787/", true},
		{&address, "http://0177.1:8787/", true},
		{&address, "http://127.45.6.7:8787/", true},
		{&address, "http://0:8787/", true},
		{&address, "http://0.0.0.0:8787/", true},
		{&address, "http://0x:8787/", true},
		{&address, "http://[::1]:8787/", true},
		{&address, "http://[::]:8787/", true},
		{&address, "http://[::ffff:127.0.0.1]:8787/", true},
		{&address, "http://[::ffff:7f00:1]:8787/", true},
		{&address, "http://10.0.2.2:8787/", true},
		{&address, "http://10.514:8787/", true},
		{&address, "http://10.0.3.2:8789/", true},
		{&address, "nc 127.0.0.1 8787", true},
		{&address, "http://localhost/", false},
		{&address, "http://localhost:80/", false},
		{&address, "http://localhost:87870/", false},
		{&address, "http://localhost.example:8787/", false},
		{&address, "http://localhosts:8787/", false},
		{&address, "http://127.0.0.1:8080/", false},
		{&address, "http://128.0.0.1:8787/", false},
		{&address, "http://10.0.2.3:8787/", false},
		{&address, "12:8787", false},
		{&name, "http://127.0.0.1:8787/", false},
		{&usual, "https://127.0.0.1/", true},
		{&usual, "https://localhost/x", true},
		{&Self{}, "https://localhost:8787/", false},
	} {
		ran++
		if got := row.self.addressed(row.text); got != row.want {
			t.Errorf("%q for %v at %v: %v, want %v", row.text, row.self.Hosts, row.self.Ports, got, row.want)
		}
	}
	if ran != 138 {
		t.Fatalf("%d rows ran, there are 138", ran)
	}
}

// Any spelling of an address is that address, and other numbers are not. A number
// that goes on after a letter in disguise may count as ending there as well.
func TestAnySpellingOfAnAddress(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		own := drawAddress(t, "own")
		other := drawAddress(t, "other")
		self := Self{Hosts: []string{own.String()}, Ports: []int{8789}}
		if text := drawLink(t, own, 8789, drawDisguise); !self.addressed(text) {
			t.Fatalf("%q is %v, and is not recognised", text, own)
		}
		port := rapid.SampledFrom([]int{0, 80, 443, 8788}).Draw(t, "port")
		if text := drawLink(t, other, port, nil); other != own && self.addressed(text) {
			t.Fatalf("%q is %v, and is taken for %v", text, other, own)
		}
	})
}

// Whatever leads to this machine is the guard with one of its ports, and is not
// with another.
func TestAnySpellingOfThisMachine(t *testing.T) {
	self := Self{Ports: []int{8787, 8789}}
	rapid.Check(t, func(t *rapid.T) {
		at := rapid.SampledFrom([]netip.Addr{emulatorHost, genymotionHost, netip.IPv4Unspecified(), netip.MustParseAddr("127.0.0.1")}).Draw(t, "at")
		if rapid.Bool().Draw(t, "loopback") {
			at = netip.AddrFrom4([4]byte{127, rapid.Byte().Draw(t, "b"), rapid.Byte().Draw(t, "c"), rapid.Byte().Draw(t, "d")})
		}
		port := rapid.IntRange(1, 65535).Draw(t, "port")
		if rapid.Bool().Draw(t, "own port") {
			port = rapid.SampledFrom(self.Ports).Draw(t, "which")
		}
		text := drawLink(t, at, port, drawDisguise)
		if got := self.addressed(text); got != self.listens(port) {
			t.Fatalf("%q is %v at %d; recognised: %v", text, at, port, got)
		}
	})
}

func drawAddress(t *rapid.T, what string) netip.Addr {
	return netip.AddrFrom4([4]byte(rapid.SliceOfN(rapid.Byte(), 4, 4).Draw(t, what)))
}

// drawLink is a link to an address, spelled in one of the many ways, with a port
// unless that is 0, and in a disguise unless that is nil.
func drawLink(t *rapid.T, at netip.Addr, port int, disguise func(*rapid.T, string) string) string {
	host := drawHost(t, at)
	if disguise != nil && !strings.HasPrefix(host, "[") {
		host = disguise(t, host)
	}
	before := rapid.SampledFrom([]string{"http://", "https://", "HTTPS://", `https:\\`, "http:", "https:/", "https://user@", "https://a:b@", "am start -d https://", "intent:#Intent;S.url=https%3A%2F%2F"}).Draw(t, "before")
	if port != 0 {
		host += ":" + rapid.SampledFrom([]string{"", "0", "000"}).Draw(t, "zeros") + strconv.Itoa(port)
	}
	return before + host + rapid.SampledFrom([]string{"", "/", "/approvals", "?x", "#x", " "}).Draw(t, "after")
}

// drawHost spells an address: as one to four numbers, each in one of three bases,
// or as one of IPv6.
func drawHost(t *rapid.T, at netip.Addr) string {
	b := at.As4()
	if rapid.IntRange(0, 4).Draw(t, "six") == 0 {
		mapped := rapid.SampledFrom([]string{"[::ffff:%d.%d.%d.%d]", "[0:0:0:0:0:FFFF:%d.%d.%d.%d]", "[::ffff:%02x%02x:%02x%02x]", "[0000::0:fFfF:%02X%02x:%02X%02x]", "[64:ff9b::%d.%d.%d.%d]"}).Draw(t, "mapped")
		return fmt.Sprintf(mapped, b[0], b[1], b[2], b[3])
	}
	parts := rapid.IntRange(1, 4).Draw(t, "parts")
	var numbers []string
	for i := range parts - 1 {
		numbers = append(numbers, drawNumber(t, uint64(b[i])))
	}
	last := uint64(0)
	for _, c := range b[parts-1:] {
		last = last<<8 | uint64(c)
	}
	return strings.Join(append(numbers, drawNumber(t, last)), ".") + rapid.SampledFrom([]string{"", "."}).Draw(t, "dot")
}

// drawDisguise puts the letters of a host into one of the forms that are read as
// plain ones.
func drawDisguise(t *rapid.T, host string) string {
	var spelled strings.Builder
	for _, c := range host {
		switch rapid.IntRange(0, 12).Draw(t, "letter") {
		case 0:
			fmt.Fprintf(&spelled, "%%%02x", c)
		case 1:
			spelled.WriteRune(c - '!' + '！')
		case 2:
			spelled.WriteString(string(c) + rapid.SampledFrom([]string{"\u00ad", "\u200b", "\u2060", "\ufe0f", "\t", "\n", `""`}).Draw(t, "unseen"))
		case 3:
			spelled.WriteString(encoded(string(c - '!' + '！')))
		default:
			spelled.WriteRune(c)
		}
	}
	if s := spelled.String(); rapid.Bool().Draw(t, "wide dots") {
		return strings.ReplaceAll(s, ".", rapid.SampledFrom([]string{"。", "．", "｡"}).Draw(t, "which dot"))
	}
	return spelled.String()
}

// encoded is a text with each byte percent-encoded.
func encoded(text string) string {
	var b strings.Builder
	for i := range len(text) {
		fmt.Fprintf(&b, "%%%02X", text[i])
	}
	return b.String()
}

func drawNumber(t *rapid.T, n uint64) string {
	zeros := rapid.SampledFrom([]string{"", "0", "000"}).Draw(t, "zeros of a number")
	switch rapid.IntRange(0, 2).Draw(t, "base") {
	case 0:
		return rapid.SampledFrom([]string{"0x", "0X"}).Draw(t, "x") + zeros + strconv.FormatUint(n, 16)
	case 1:
		return "0" + zeros + strconv.FormatUint(n, 8)
	}
	return strconv.FormatUint(n, 10)
}

// FuzzHost: a host is the address that a reader made of other parts takes it for,
// it is recognised in a link and beside other words, and that of another is not.
func FuzzHost(f *testing.F) {
	for _, seed := range []string{"192.0.2.7", "3221225991", "0xC0.0.519", "0300.0x.2.07.", "256.1.1.1", "1.2.3.4.5", "0x", "09", "4294967296", "1..2", "a.b", "[::1]", "\x00%31\\u0031１"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, host string) {
		at, ok := ipv4(host)
		want, valid := slowIPv4(host)
		if ok != valid || at != want {
			t.Fatalf("%q is %v, %v; the other reader has %v, %v", host, at, ok, want, valid)
		}
		link := "https://" + host + "/"
		if ok {
			if self := (Self{Hosts: []string{at.String()}}); !self.named(link) || !self.addressed("x "+link+" y") {
				t.Fatalf("%q is %v, and a link to it is not recognised", host, at)
			}
			if self := (Self{Hosts: []string{at.Next().String()}}); self.addressed(link) {
				t.Fatalf("%q is %v, and is taken for the next one", host, at)
			}
		}
		for _, spelled := range spellings(host) {
			if utf8.ValidString(host) && !strings.Contains(host, "%") && !utf8.ValidString(spelled) {
				t.Fatalf("%q is spelled %q", host, spelled)
			}
		}
		if plain, ok := punycoded(host); ok && (plain == "" || utf8.RuneCountInString(plain) > len(host)) {
			t.Fatalf("%q is %q, which has more letters", host, plain)
		}
	})
}

// slowIPv4 reads an address by way of the library's numbers.
func slowIPv4(host string) (netip.Addr, bool) {
	parts := strings.Split(strings.TrimRight(host, "."), ".")
	if len(parts) > 4 || strings.ContainsAny(host, "_+-oObBgG") && strings.Trim(host, "0123456789abcdefABCDEFxX.") != "" {
		return netip.Addr{}, false
	}
	value := uint64(0)
	for i, part := range parts {
		digits := strings.TrimLeft(part, "0")
		lower := strings.ToLower(part)
		switch {
		case part == "":
			return netip.Addr{}, false
		case strings.HasPrefix(lower, "0x"):
			digits = "0x0" + part[2:]
		case strings.HasPrefix(part, "0"):
			digits = "0" + digits
			if strings.ContainsAny(digits, "xXbBoO") {
				return netip.Addr{}, false
			}
		}
		n, err := strconv.ParseUint(digits, 0, 64)
		most := uint64(255)
		if i == len(parts)-1 {
			most = 1<<(8*(4-i)) - 1
		}
		if err != nil || n > most {
			return netip.Addr{}, false
		}
		if i == len(parts)-1 {
			value <<= 8 * (3 - i)
		}
		value = value<<8 | n
	}
	return netip.AddrFrom4([4]byte{byte(value >> 24), byte(value >> 16), byte(value >> 8), byte(value)}), true
}

// The examples of RFC 3492, 7.1, and what is no such name.
func TestPunycode(t *testing.T) {
	ran := 0
	for label, want := range map[string]string{
		"egbpdaj6bu4bxfgehfvwxn": "ليهمابتكلموشعربي؟", "ihqwcrb4cv8a8dqg056pqjye": "他们为什么不说中文",
		"ihqwctvzc91f659drss3x8bo0yb": "他們爲什麽不說中文", "Proprostnemluvesky-uyb24dma41a": "pročprostěnemluvíčesky",
		"b1abfaaepdrnnbgefbadotcwatmq2g4l": "почемужеонинеговорятпорусски", "TisaohkhngthchnitingVit-kjcr8268qyxafd2f1b9g": "tạisaohọkhôngthểchỉnóitiếngviệt",
		"bcher-kva": "bücher", "d9juau41awczczp": "そのスピードで", "2-u9tlzr9756bt3uc0v": "ひとつ屋根の下2",
		"bcher-kv": "", "9999999999": "", "ü": "", "a-é": "", strings.Repeat("a", 64): "",
	} {
		ran++
		if got, ok := punycoded(label); ok != (want != "") || ok && got != want {
			t.Errorf("%q: %q, %v, want %q", label, got, ok, want)
		}
	}
	if ran != 14 {
		t.Fatalf("%d names, there are 14", ran)
	}
}
