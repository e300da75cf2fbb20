package e2e

import (
	"fmt"
	"net/url"
	"strings"
	"testing"

	"github.com/countersign/countersign/identity/passkeytest"
)

// A browser on the owner's machine, as the pages of others can use it: it adds
// the owner's cookie where it would, it says where a request comes from, and it
// cannot be made to say anything else.

// browserCalls are the calls with which a page would do harm: as scripts send
// them, and as forms.
func (s *siege) browserCalls() []wire {
	calls := s.calls(atInbox)
	list := []wire{calls[3], calls[4], calls[6], calls[9], calls[10]}
	for _, f := range s.forms()[2:6] {
		list = append(list, f.without("Origin", "Sec-Fetch-Site"))
	}
	return list
}

func shortName(s *siege, w wire) string {
	kind := "script"
	if strings.Contains(w.body, "csrf=") {
		kind = "form"
	}
	answer := ""
	if _, after, ok := strings.Cut(w.body, "answer="); ok {
		answer = " " + after
	}
	return kind + " " + w.method + " " + s.named(w.target) + answer
}

// named is an address with the ids in it called by what they are of.
func (s *siege) named(target string) string {
	return strings.NewReplacer(s.question.ID, "ID", s.grantable.ID, "GRANTABLE", s.grant, "GRANT", passkeytest.Base64(s.passkey.ID), "KEY").Replace(target)
}

func foreignPages(t *testing.T) []way {
	s := besiege(t)
	var ways []way
	for _, from := range []struct {
		name   string
		header []string
	}{
		{"attacker's origin", []string{"Origin: https://attacker.example", "Sec-Fetch-Site: cross-site"}},
		{"attacker's origin, old browser", []string{"Origin: https://attacker.example"}},
		{"null origin", []string{"Origin: null"}},
		{"no origin", nil},
		{"ours and the attacker's origin", []string{"Origin: http://" + s.host, "Origin: https://attacker.example"}},
		{"the browser says another site", []string{"Origin: http://" + s.host, "Sec-Fetch-Site: cross-site"}},
		{"an origin that begins like ours", []string{"Origin: http://" + s.host + ".attacker.example"}},
	} {
		for _, w := range s.browserCalls() {
			ways = append(ways, s.sending(from.name+": "+shortName(s, w), s.withCookie(w.with(from.header...))))
		}
	}
	return append(ways, s.smuggledTypes()...)
}

// smuggledTypes are bodies and methods in the disguise of what a page may send
// without asking, from our own origin even.
func (s *siege) smuggledTypes() []way {
	approve, ours := s.calls(atInbox)[4], []string{"Origin: http://" + s.host, "Sec-Fetch-Site: same-origin"}
	as := func(kind string) wire {
		w := approve.without("Content-Type").with(ours...)
		if kind != "" {
			w = w.with("Content-Type: " + kind)
		}
		return s.withCookie(w)
	}
	override := s.withCookie(wire{atInbox, "GET", approve.target + "?_method=POST", []string{
		"X-HTTP-Method-Override: POST", "X-Method-Override: POST", "Content-Type: application/json"}, approve.body})
	options := s.withCookie(approve.with("Origin: https://attacker.example", "Access-Control-Request-Method: POST"))
	options.method = "OPTIONS"
	padded := as("application/x-www-form-urlencoded")
	padded.body = "{\"digest\":\"" + s.question.Digest + "\",\"x\":\"=\"}"
	ways := []way{
		s.sending("text/plain", as("text/plain")), s.sending("no type", as("")), s.sending("two types", as("application/json, text/plain")),
		s.sending("a boundary", as("multipart/form-data; boundary=x")), s.sending("a charset", as("application/json; charset=utf-7")),
		s.sending("JSON in a form", padded), s.sending("JSON and no CSRF token", as("application/json")),
		s.sending("method override", override),
		s.sending("preflight", options),
		s.sending("DELETE of another site", s.withCookie(wire{atInbox, "DELETE", "/v1/agents/victim", []string{"Origin: https://attacker.example"}, ""})),
	}
	// A page that asks first must not be told that it may.
	allow := way{"preflight that is allowed", func() string {
		for name := range s.send(options).header {
			if strings.HasPrefix(strings.ToLower(name), "access-control-") {
				return "the door allows it: " + name
			}
		}
		return ""
	}}
	frame := way{"shown in a frame", func() string {
		h := s.send(s.withCookie(s.forms()[1].with("Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: navigate", "Sec-Fetch-Dest: iframe")))
		return s.told(h)
	}}
	return append(ways, allow, frame)
}

func otherPorts(t *testing.T) []way {
	s := besiege(t)
	name, _, _ := strings.Cut(s.host, ":")
	var ways []way
	for _, from := range []string{"http://localhost:9999", "http://127.0.0.1:9999", "http://" + name + ":9999"} {
		for _, w := range s.browserCalls() {
			ways = append(ways, s.sending(from[:min(len(from), 16)]+": "+shortName(s, w), s.withCookie(w.with("Origin: "+from, "Sec-Fetch-Site: same-site"))))
		}
	}
	// Cookies are not bound to ports: what keeps the cookie in is the name.
	list := s.withCookie(wire{atInbox, "GET", "/v1/approvals", nil, ""})
	for _, host := range []string{"localhost", "127.0.0.1"} {
		_, port, _ := strings.Cut(s.host, ":")
		for name, w := range map[string]wire{
			"reads the list":               list,
			"reads the list, another port": list.with("Origin: http://localhost:9999"),
			"reads a page":                 s.withCookie(s.forms()[1]),
			"answers as if from the page":  s.withCookie(s.forms()[2].without("Origin").with("Origin: http://" + host + ":" + port)),
		} {
			ways = append(ways, s.sending("as "+host+": "+name, w.with("Host: "+host+":"+port)))
		}
	}
	return ways
}

func reboundNames(t *testing.T) []way {
	s := besiege(t)
	name, port, _ := strings.Cut(s.host, ":")
	var ways []way
	for _, host := range []string{
		"attacker.example", "attacker.example:" + port, "127.0.0.1.attacker.example:" + port, s.host + ".attacker.example", "attacker.example." + s.host,
		"127.0.0.1:" + port, "[::1]:" + port, "127.1:" + port, "2130706433:" + port, "localhost:" + port, "countersign",
		name, name + ":80", name + ".:" + port, strings.ToUpper(name) + ":" + port, name + ":" + port + "0", "x" + s.host, "user@" + s.host, s.host + "/",
	} {
		w := s.withCookie(s.forms()[2]).without("Origin").with("Host: "+host, "Origin: http://"+host, bearer(s.approver))
		ways = append(ways, s.sending("inbox as "+strings.ReplaceAll(strings.ReplaceAll(host, name, "NAME"), port, "PORT"), w))
	}
	for _, host := range []string{
		"attacker.example", "127.0.0.1.attacker.example", "localhost.attacker.example", "attacker.example:80", "127.0.0.1.:8787", "localhost.",
		"127.1", "2130706433", "0.0.0.0", "[::]", "[::ffff:127.0.0.1]", "localhost@attacker.example", name, "",
	} {
		w := wire{atAgents, "POST", "/v1/actions", []string{"Host: " + host, bearer(s.agent.token), "Content-Type: application/json"}, toJSON(tap("com.whatsapp", "Send"))}
		ways = append(ways, way{fmt.Sprintf("agents' port as %q", strings.ReplaceAll(host, name, "NAME")), func() string { return decides(s.send(w)) }})
	}
	return ways
}

func readingAddresses(t *testing.T) []way {
	s := besiege(t)
	var ways []way
	ticket := s.ticket("owner")
	for _, method := range []string{"GET", "HEAD"} {
		for _, w := range append(s.calls(atInbox)[3:], s.forms()[2:]...) {
			name := method + " " + shortName(s, w)
			target := w.target
			if strings.Contains(w.body, "csrf=") {
				target += "?" + w.body
			} else {
				target += "?" + url.Values{"digest": {s.question.Digest}, "name": {"mole"}}.Encode()
			}
			read := wire{atInbox, method, target, []string{"Sec-Fetch-Site: none", "Sec-Fetch-Mode: navigate", "Sec-Fetch-Dest: document"}, ""}
			for how, w := range map[string]wire{"cookie": s.withCookie(read), "credential": read.with(bearer(s.approver))} {
				ways = append(ways, way{name + ", with the " + how, func() string { return s.change(func() heard { return s.send(w) }) }})
			}
		}
		preview := wire{atInbox, method, "/sign-in?ticket=" + ticket, []string{"User-Agent: a messenger that shows what is behind a link"}, ""}
		ways = append(ways, way{method + " previews the sign-in link", func() string {
			if h := s.send(preview); h.header.Get("Set-Cookie") != "" {
				return "it is signed in"
			}
			return ""
		}})
	}
	ways = append(ways, way{"the link still works after its previews", func() string {
		if h := s.send(form(s.host, "/sign-in", "ticket="+ticket)); h.status != 303 {
			return "the preview used it up: " + h.raw
		}
		return ""
	}})
	return append(ways, s.readingAgentsAddresses()...)
}

// readingAgentsAddresses are the addresses of the agents' door that move a
// question, of one that is approved.
func (s *siege) readingAgentsAddresses() []way {
	q := s.answered(s.agent, tap("com.whatsapp", "Send to Perpetua"), true)
	var ways []way
	for _, method := range []string{"GET", "HEAD"} {
		for _, target := range []string{"/redeem", "/result", "?_method=DELETE"} {
			w := wire{atAgents, method, "/v1/actions/" + q.ID + target, []string{bearer(s.agent.token)}, ""}
			ways = append(ways, way{method + " of the agent: " + target, func() string { return s.change(func() heard { return s.send(w) }) }})
		}
	}
	return ways
}
