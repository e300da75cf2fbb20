package e2e

import (
	"fmt"
	"strings"
	"testing"
)

// crookedRequests are requests that two readers may read differently, at both
// doors. The harmful part carries the best the attacker can have: the owner's
// cookie at the inbox, his own credential at the agents' door. What is smuggled
// in names a foreign host or origin, which on its own would be refused.
func crookedRequests(t *testing.T) []way {
	s := besiege(t)
	approve := s.calls(atInbox)[4]
	harm := fmt.Sprintf("POST %s HTTP/1.1\r\nHost: attacker.example\r\nCookie: countersign=%s\r\nContent-Type: application/json\r\nContent-Length: %d\r\nConnection: close\r\n\r\n%s",
		approve.target, s.cookie, len(approve.body), approve.body)
	withToken := strings.Replace(harm, "Content-Type", bearer(s.approver)+"\r\nContent-Type", 1)
	head := "POST / HTTP/1.1\r\nHost: " + s.host + "\r\nContent-Type: application/x-www-form-urlencoded\r\n"
	last := "Connection: close\r\n\r\n"
	line := func(first string) string { return strings.Replace(withToken, "POST "+approve.target, first, 1) }
	ours := strings.Replace(withToken, "attacker.example", s.host, 1)
	twoHosts := strings.Replace(withToken, "Host: attacker.example\r\n", "Host: "+s.host+"\r\nHost: attacker.example\r\n", 1)
	bye := "GET /sign-in HTTP/1.1\r\nHost: " + s.host + "\r\n" + last // so that the door closes
	chunk := fmt.Sprintf("%x\r\n%s\r\n0\r\n\r\n", len(harm), harm)
	ways := []way{
		s.sendingRaw("two hosts", atInbox, twoHosts),
		s.sendingRaw("two hosts, ours last", atInbox, strings.Replace(withToken, "Host: attacker.example\r\n", "Host: attacker.example\r\nHost: "+s.host+"\r\n", 1)),
		s.sendingRaw("two hosts in one", atInbox, strings.Replace(withToken, "attacker.example", s.host+", attacker.example", 1)),
		s.sendingRaw("a folded host", atInbox, strings.Replace(withToken, "Host: attacker.example", "Host: attacker.example\r\n "+s.host, 1)),
		s.sendingRaw("a host with a blank before the colon", atInbox, strings.Replace(withToken, "Host: attacker.example", "Host : "+s.host, 1)),
		s.sendingRaw("no host", atInbox, strings.Replace(withToken, "Host: attacker.example\r\n", "", 1)),
		s.sendingRaw("no host, HTTP/1.0", atInbox, strings.Replace(strings.Replace(withToken, "Host: attacker.example\r\n", "", 1), "HTTP/1.1", "HTTP/1.0", 1)),
		s.sendingRaw("whole address of another host", atInbox, strings.Replace(ours, "POST /", "POST http://attacker.example/", 1)),
		s.sendingRaw("our address, another host in the header", atInbox, line("POST http://attacker.example"+approve.target)),
		s.sendingRaw("an address with a user", atInbox, strings.Replace(ours, "POST /", "POST http://"+s.host+"@attacker.example/", 1)),
		s.sendingRaw("CONNECT", atInbox, strings.Replace(ours, "POST "+approve.target, "CONNECT attacker.example:443", 1)),
		s.sendingRaw("CONNECT to a path", atInbox, strings.Replace(ours, "POST ", "CONNECT ", 1)),
		s.sendingRaw("TRACE", atInbox, strings.Replace(ours, "POST ", "TRACE ", 1)),
		s.sendingRaw("a made-up method", atInbox, strings.Replace(ours, "POST ", "APPROVE ", 1)),
		s.sendingRaw("a method in small letters", atInbox, strings.Replace(ours, "POST ", "post ", 1)),
		s.sendingRaw("two lengths", atInbox, head+"Content-Length: 0\r\n"+fmt.Sprintf("Content-Length: %d\r\n\r\n", len(harm))+harm),
		s.sendingRaw("length and chunks", atInbox, head+fmt.Sprintf("Content-Length: %d\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 5+len(harm))+harm),
		s.sendingRaw("chunks and length", atInbox, head+"Transfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n"+chunk+bye),
		s.sendingRaw("chunks in disguise", atInbox, head+"Transfer-Encoding: xchunked\r\nContent-Length: 4\r\n\r\n"+chunk),
		s.sendingRaw("two encodings", atInbox, head+"Transfer-Encoding: chunked, identity\r\n"+last+chunk),
		s.sendingRaw("a chunk's length that is negative", atInbox, head+"Transfer-Encoding: chunked\r\n\r\n-1\r\n"+harm),
		s.sendingRaw("a length with a sign", atInbox, head+"Content-Length: +0\r\n\r\n"+harm),
		s.sendingRaw("a bare line feed", atInbox, head+"X: y\n\n"+harm),
		s.sendingRaw("a request in a header", atInbox, head+"X: "+strings.ReplaceAll(harm, "\r\n", "\r")+"\r\n"+last),
		s.sendingRaw("a request after the end", atInbox, "GET /sign-in HTTP/1.1\r\nHost: "+s.host+"\r\n\r\n"+harm),
		s.sendingRaw("HTTP/2 without being asked", atInbox, "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"+strings.Repeat("\x00\x00\x00\x04\x00\x00\x00\x00\x00", 4)+harm),
		s.sending("an upgrade to HTTP/2", s.withCookie(approve.with("Origin: https://attacker.example", "Upgrade: h2c", "HTTP2-Settings: AAMAAABkAAQAAP__", "Connection: Upgrade, HTTP2-Settings"))),
		s.sending("a web socket of another site", s.withCookie(wire{atInbox, "GET", "/v1/approvals", webSocket("https://attacker.example"), ""})),
		s.sending("a web socket of another port", s.withCookie(wire{atInbox, "GET", "/v1/approvals", webSocket("http://localhost:9999"), ""})),
	}
	return append(ways, s.crookedAtTheAgentsDoor()...)
}

func webSocket(origin string) []string {
	return []string{"Origin: " + origin, "Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=="}
}

func (s *siege) crookedAtTheAgentsDoor() []way {
	body := toJSON(tap("com.whatsapp", "Send"))
	act := wire{atAgents, "POST", "/v1/actions", []string{bearer(s.agent.token), "Content-Type: application/json"}, body}
	full := act
	full.target = "http://attacker.example/v1/actions"
	var ways []way
	for _, a := range []struct {
		name string
		w    wire
	}{
		{"two hosts", act.with("Host: localhost", "Host: attacker.example")},
		{"whole address of another host", full},
		{"another site's page with the credential", act.with("Origin: https://attacker.example")},
		{"a page of the phone", act.with("Origin: null")},
		{"a web socket", wire{atAgents, "GET", "/v1/actions/" + s.question.ID, append(webSocket("http://localhost"), bearer(s.agent.token)), ""}},
	} {
		ways = append(ways, way{"agents' door: " + a.name, func() string {
			h := s.send(a.w)
			return s.told(h) + decides(h)
		}})
	}
	return ways
}
