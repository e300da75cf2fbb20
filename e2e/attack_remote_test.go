package e2e

import (
	"crypto/tls"
	"fmt"
	"io"
	"net"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/countersign/countersign/channel/inbox"
	"github.com/countersign/countersign/daemon"
)

// away is a session on the inbox for other devices, and the requests of its
// pages.
type away struct {
	*siege
	session string
	origin  string
}

func goAway(s *siege) *away {
	s.t.Helper()
	a := &away{siege: s}
	a.origin, _ = s.d.RemoteURL()
	r := s.send(a.form("/sign-in", "ticket="+s.ticket("owner")))
	for _, c := range (&http.Response{Header: r.header}).Cookies() {
		if c.Name == "__Host-countersign" && r.status == http.StatusSeeOther {
			a.session = c.Value
		}
	}
	if a.session == "" {
		s.t.Fatalf("signing in from another device: %s", r.raw)
	}
	return a
}

// form is what a browser sends for a form of the page, without its cookie.
func (a *away) form(path, body string) wire {
	return wire{atRemote, "POST", path, []string{"Origin: " + a.origin, "Content-Type: application/x-www-form-urlencoded", "Sec-Fetch-Site: same-origin"}, body}
}

func (a *away) signed(w wire) wire { return w.with("Cookie: __Host-countersign=" + a.session) }

// yes is the form that approves the question.
func (a *away) yes() wire {
	id := a.question.ID
	return a.form("/approvals/"+id+"/answer", a.csrf(a.session, inbox.FormAnswer(id))+"&digest="+strings.ReplaceAll(a.question.Digest, ":", "%3A")+"&answer=approve")
}

// otherDevices are attacks from the network, on the door that is open to it.
func otherDevices(t *testing.T) []way {
	s := besiege(t, forOtherDevices)
	a := goAway(s)
	host := s.hostOf(atRemote)
	port := host[strings.LastIndexByte(host, ':')+1:]
	page := wire{atRemote, "GET", "/approvals/" + s.question.ID, []string{"Sec-Fetch-Site: same-origin"}, ""}
	ways := []way{
		{"none: the owner's own request shows the question", func() string {
			if s.told(s.send(a.signed(page))) == "" {
				return "the owner is shown nothing, so that nothing is tried"
			}
			return ""
		}},
		{"no session", func() string { return s.effect(func() heard { return s.send(page) }) }},
		{"no session, answering", func() string { return s.effect(func() heard { return s.send(a.yes()) }) }},
	}
	for _, host := range []string{
		"attacker.example", "localhost:" + port, "127.0.0.1:" + port, "[::1]:" + port, remoteName, remoteName + ":443", remoteName + ".:" + port,
		strings.ToUpper(remoteName) + ":" + port, s.host, "x." + remoteName + ":" + port, remoteName + ".attacker.example:" + port, remoteName + ":" + port + "0", "countersign",
	} {
		name := strings.ReplaceAll(strings.ReplaceAll(host, s.host, "LOCAL"), port, "PORT")
		ways = append(ways, s.sending("read as "+name, a.signed(page).with("Host: "+host, bearer(s.approver))),
			s.sending("answered as "+name, a.signed(a.yes()).without("Origin").with("Host: "+host, "Origin: https://"+host)))
	}
	for _, origin := range []string{"https://attacker.example", "http://" + host, "http://" + s.host, "null", "https://" + remoteName, "https://" + host + ".attacker.example"} {
		ways = append(ways, s.sending("answered by a page of "+strings.ReplaceAll(strings.ReplaceAll(origin, s.host, "LOCAL"), port, "PORT"), a.signed(a.yes()).without("Origin").with("Origin: "+origin)))
	}
	ways = append(ways, s.sending("answered by a page of the computer's own inbox", a.signed(a.yes()).without("Origin", "Sec-Fetch-Site").with("Origin: http://"+s.host, "Sec-Fetch-Site: cross-site")))
	for _, w := range s.calls(atRemote) {
		ways = append(ways, s.sending("an agent's credential: "+w.method+" "+s.named(w.target), w.with(bearer(s.agent.token))))
	}
	ways = append(ways, a.cookies(page)...)
	ways = append(ways, a.noAgentsHere()...)
	ways = append(ways, a.noLinksHere()...)
	ways = append(ways, a.inTheClear(page)...)
	return append(ways, openDoors(s)...)
}

// cookies are sessions under a name that does not count here.
func (a *away) cookies(page wire) []way {
	s := a.siege
	local := s.signIn("second")
	return []way{
		s.sending("the cookie without its prefix", page.with("Cookie: countersign="+a.session)),
		s.sending("the computer's cookie, as it is called there", page.with("Cookie: countersign="+local)),
		s.sending("an agent's credential as a cookie", page.with("Cookie: __Host-countersign="+s.agent.token)),
		s.sending("two cookies", page.with("Cookie: __Host-countersign="+a.session+"; __Host-countersign="+local)),
		s.sending("the cookie of here, on the computer's inbox", wire{atInbox, "GET", page.target, append(page.header, "Cookie: __Host-countersign="+a.session), ""}),
		{"a cookie that leaves TLS, or this host", func() string {
			r := s.send(a.form("/sign-in", "ticket="+s.ticket("second")))
			if all := r.header.Values("Set-Cookie"); len(all) > 0 {
				set := all[0]
				for _, want := range []string{"__Host-countersign=", "; Secure", "; HttpOnly", "; SameSite=Strict", "; Path=/"} {
					if !strings.Contains(set, want) {
						return fmt.Sprintf("it lacks %s: %s", want, set)
					}
				}
				if strings.Contains(strings.ToLower(set), "domain=") {
					return "it is for other hosts as well: " + set
				}
				return ""
			}
			return "no session was begun: " + r.raw
		}},
	}
}

// noAgentsHere are the agents' routes, which are not behind this door, whoever
// comes.
func (a *away) noAgentsHere() []way {
	s, id := a.siege, "/v1/actions/"+a.question.ID
	var ways []way
	for _, w := range []wire{
		s.jsonTo(atRemote, "POST", "/v1/decide", tap("com.whatsapp", "Send")), s.jsonTo(atRemote, "POST", "/v1/actions", tap("com.whatsapp", "Send")),
		s.jsonTo(atRemote, "POST", "/v1/agent/step", struct{}{}), s.jsonTo(atRemote, "POST", id+"/redeem", fresh("com.whatsapp", "Send to "+victim)),
		s.jsonTo(atRemote, "POST", id+"/result", map[string]bool{"ok": true}), s.jsonTo(atRemote, "DELETE", id, struct{}{}),
		{atRemote, "GET", id, nil, ""}, {atRemote, "GET", "/healthz", nil, ""}, {atRemote, "GET", "/openapi.json", nil, ""},
	} {
		for who, token := range map[string]string{"an agent": s.other.token, "the owner": s.approver} {
			ways = append(ways, way{"agents' door: " + who + ": " + w.method + " " + s.named(w.target), func() string {
				var h heard
				got := s.change(func() heard { h = s.send(w.with(bearer(token))); return h })
				if h.status != http.StatusNotFound {
					got += fmt.Sprintf(" it is there: %d %.200s", h.status, h.body)
				}
				return got
			}})
		}
	}
	return ways
}

// noLinksHere are attempts to have a sign-in link made anywhere but on the
// owner's socket.
func (a *away) noLinksHere() []way {
	s := a.siege
	linked := func(name string, w wire) way {
		return way{"sign-in link: " + name, func() string {
			var h heard
			got := s.effect(func() heard { h = s.send(w); return h })
			if h.status < 300 {
				got += " one was made: " + h.body
			}
			return got
		}}
	}
	with := func(door string) wire {
		return s.jsonTo(door, "POST", "/v1/sign-in", map[string]string{"approver": "owner"})
	}
	return []way{
		linked("with the owner's credential", with(atRemote).with(bearer(s.approver))),
		linked("with a session", a.signed(with(atRemote)).with("Origin: "+a.origin, "Countersign-CSRF: "+s.d.Registry().CSRF(a.session, inbox.FormAPI))),
		linked("on the computer's inbox, with the owner's credential", with(atInbox).with(bearer(s.approver))),
		linked("on the computer's inbox, with a session", s.script(s.cookie, "/v1/sign-in", map[string]string{"approver": "owner"})),
		linked("with an agent's credential", with(atRemote).with(bearer(s.agent.token))),
		linked("at the agents' door", with(atAgents).with(bearer(s.approver))),
	}
}

// inTheClear are connections that others on the network could read.
func (a *away) inTheClear(page wire) []way {
	s := a.siege
	plainly := func(w wire) heard {
		c, err := net.Dial("tcp", s.addr[atRemote][1])
		s.must(err)
		defer c.Close()
		s.must(c.SetDeadline(time.Now().Add(patience)))
		_, _ = io.WriteString(c, s.text(w)) // the door may have closed in the middle
		raw, _ := io.ReadAll(c)
		h := heard{raw: string(raw)}
		_, _ = fmt.Sscanf(h.raw, "HTTP/1.%d %d", new(int), &h.status)
		return h
	}
	clear := func(name string, w wire) way {
		return way{"plain HTTP: " + name, func() string {
			var h heard
			got := s.effect(func() heard { h = plainly(w); return h })
			if h.raw != "" && h.status != http.StatusBadRequest || strings.Contains(h.raw, "Location:") {
				got += " it is served: " + h.raw
			}
			return got
		}}
	}
	hello := func(name string, c *tls.Config) way {
		return way{"TLS: " + name, func() string {
			c.InsecureSkipVerify = true
			conn, err := tls.Dial("tcp", s.addr[atRemote][1], c)
			if err != nil {
				return ""
			}
			defer conn.Close()
			if p := conn.ConnectionState().NegotiatedProtocol; len(c.NextProtos) > 0 && (p == "" || p == "http/1.1") {
				return ""
			}
			return fmt.Sprintf("it is spoken: %+v", tls.VersionName(conn.ConnectionState().Version))
		}}
	}
	weak := func(suites ...uint16) *tls.Config {
		return &tls.Config{MaxVersion: tls.VersionTLS12, CipherSuites: suites}
	}
	return []way{
		clear("read", a.signed(page)), clear("answered", a.signed(a.yes())), clear("answered with the credential", s.jsonTo(atRemote, "POST", "/v1/freeze", struct{}{}).with(bearer(s.approver))),
		hello("1.0", &tls.Config{MinVersion: tls.VersionTLS10, MaxVersion: tls.VersionTLS10}), hello("1.1", &tls.Config{MinVersion: tls.VersionTLS10, MaxVersion: tls.VersionTLS11}),
		hello("RC4", weak(tls.TLS_ECDHE_RSA_WITH_RC4_128_SHA, tls.TLS_ECDHE_ECDSA_WITH_RC4_128_SHA, tls.TLS_RSA_WITH_RC4_128_SHA)),
		hello("3DES", weak(tls.TLS_RSA_WITH_3DES_EDE_CBC_SHA, tls.TLS_ECDHE_RSA_WITH_3DES_EDE_CBC_SHA)),
		hello("no forward secrecy", weak(tls.TLS_RSA_WITH_AES_128_GCM_SHA256, tls.TLS_RSA_WITH_AES_256_GCM_SHA384, tls.TLS_RSA_WITH_AES_128_CBC_SHA)),
		hello("another protocol", &tls.Config{NextProtos: []string{"h2", "http/1.1"}}),
	}
}

// openDoors are guards that are told to open a door to the network without TLS.
func openDoors(s *siege) []way {
	var ways []way
	for _, addr := range []string{"0.0.0.0:0", "[::]:0", ":0", "192.0.2.7:0", "localhost.attacker.example:0"} {
		for what, set := range map[string]func(*daemon.Options){
			"the agents' door": func(o *daemon.Options) { o.Agents = addr }, "the computer's inbox": func(o *daemon.Options) { o.Inbox = addr },
		} {
			ways = append(ways, way{"opened to the network in the clear: " + what + " at " + addr, func() string {
				o := daemon.Options{Home: filepath.Join(s.t.TempDir(), "home"), Agents: "127.0.0.1:0", Inbox: "127.0.0.1:0"}
				set(&o)
				d, err := daemon.New(s.t.Context(), o)
				if err != nil {
					return ""
				}
				started := d.Start()
				s.must(d.Stop(s.t.Context()))
				if started != nil {
					return ""
				}
				return "it is open"
			}})
		}
	}
	return ways
}
