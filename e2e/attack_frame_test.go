package e2e

import (
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/countersign/countersign/channel/inbox"
)

// unframed says what of an answer would let another page show it, run something
// in it, keep it, or learn where it was read.
func unframed(where string, h heard) string {
	if h.status == 0 {
		return where + ": no answer"
	}
	for name, want := range map[string]string{
		"X-Frame-Options": "DENY", "X-Content-Type-Options": "nosniff", "Cross-Origin-Opener-Policy": "same-origin",
		"Cross-Origin-Resource-Policy": "same-origin", "Referrer-Policy": "same-origin", "Cache-Control": "no-store",
	} {
		if got := h.header.Values(name); len(got) != 1 || got[0] != want {
			return fmt.Sprintf("%s (%d): %s is %q", where, h.status, name, got)
		}
	}
	policies := h.header.Values("Content-Security-Policy")
	if len(policies) != 1 {
		return fmt.Sprintf("%s has %d content policies", where, len(policies))
	}
	var parts []string
	for part := range strings.SplitSeq(policies[0], ";") {
		parts = append(parts, strings.TrimSpace(part))
	}
	wanted := []string{"default-src 'none'", "frame-ancestors 'none'"}
	if picture := strings.HasPrefix(h.header.Get("Content-Type"), "image/"); picture {
		wanted = append(wanted, "sandbox")
	} else {
		wanted = append(wanted, "form-action 'self'", "base-uri 'none'", "require-trusted-types-for 'script'")
		if strings.Contains(policies[0], "unsafe") {
			return where + " allows what is unsafe: " + policies[0]
		}
	}
	for _, want := range wanted {
		if !slices.Contains(parts, want) {
			return fmt.Sprintf("%s lacks %q: %s", where, want, policies[0])
		}
	}
	if strings.Contains(policies[0], "http:") || strings.Contains(policies[0], "https:") || strings.Contains(policies[0], "*") {
		return where + " lets something from elsewhere in: " + policies[0]
	}
	for name := range h.header {
		if strings.HasPrefix(strings.ToLower(name), "access-control-") {
			return where + " is for other sites to read: " + name
		}
	}
	return ""
}

// addresses are all that the pages lead to, from the list on.
func (s *siege) addresses() []string {
	s.t.Helper()
	found := []string{"/"}
	for i := 0; i < len(found) && len(found) < 200; i++ {
		h := s.send(s.withCookie(wire{atInbox, "GET", found[i], []string{"Sec-Fetch-Site: same-origin"}, ""}))
		if h.status != http.StatusOK || !strings.HasPrefix(h.header.Get("Content-Type"), "text/html") {
			continue
		}
		m, err := readMarkup(h.body)
		s.must(err)
		for _, to := range m.leads {
			if to, _, _ = strings.Cut(to, "#"); to != "" && !slices.Contains(found, to) {
				found = append(found, to)
			}
		}
	}
	return found
}

// framedPages are attempts to show the pages in those of others, where a press
// meant for one thing answers another.
func framedPages(t *testing.T) []way {
	s := besiege(t, forOtherDevices)
	a := goAway(s)
	all := s.addresses()
	get := func(path string) wire { return wire{atInbox, "GET", path, []string{"Sec-Fetch-Site: same-origin"}, ""} }
	each := func(name string, least int, do func(path string) wire) way {
		return way{name, func() string {
			if len(all) < least {
				return fmt.Sprintf("only %d addresses are found: %q", len(all), all)
			}
			for _, path := range all {
				if got := unframed(path, s.send(do(path))); got != "" {
					return got
				}
			}
			return ""
		}}
	}
	one := func(name string, status int, w wire) way {
		return way{name, func() string {
			h := s.send(w)
			if h.status != status {
				return fmt.Sprintf("it is answered with %d, %d is looked for: %s", h.status, status, h.raw)
			}
			return unframed(name, h)
		}}
	}
	ways := []way{
		each("every page that one comes to", 15, func(path string) wire { return s.withCookie(get(path)) }),
		each("the same for somebody who is not signed in", 15, get),
		each("the same on another device", 15, func(path string) wire { w := a.signed(get(path)); w.door = atRemote; return w }),
		each("the same by HEAD", 15, func(path string) wire { w := s.withCookie(get(path)); w.method = "HEAD"; return w }),
		one("the picture of a screen", 200, s.pictureOf()),
		one("nothing at an address", 404, s.withCookie(get("/nothing"))), one("nothing, for nobody", 404, get("/nothing")),
		one("a wrong method", 405, s.withCookie(get("/freeze"))), one("a foreign host", 403, get("/").with("Host: attacker.example")),
		one("a foreign origin", 403, s.withCookie(s.forms()[2]).without("Origin").with("Origin: https://attacker.example")),
		one("a form without its token", 403, s.withCookie(form(s.host, "/freeze", ""))), one("a body of another type", 415, s.withCookie(s.forms()[2]).without("Content-Type").with("Content-Type: text/plain")),
		one("a label, and where it leads", 303, s.withCookie(s.labelForm(s.cookie))), one("the JSON API", 200, get("/v1/approvals").with(bearer(s.approver))),
		one("a problem of the JSON API", 404, get("/v1/nothing").with(bearer(s.approver))), one("a sign-in link", 200, get("/sign-in?ticket=x")),
		{"the stream of events", func() string {
			st := s.events(s.cookie)
			defer st.conn.Close()
			st.next()
			h := s.send(s.withCookie(wire{atInbox, "HEAD", "/events", nil, ""}))
			return unframed("the stream", h)
		}},
		{"a policy that names another script than the page has", s.policyOfScript},
	}
	for _, dest := range []string{"iframe", "frame", "object", "embed"} {
		for _, site := range []string{"cross-site", "same-site"} {
			w := s.withCookie(wire{atInbox, "GET", "/approvals/" + s.question.ID, []string{"Sec-Fetch-Site: " + site, "Sec-Fetch-Mode: navigate", "Sec-Fetch-Dest: " + dest}, ""})
			ways = append(ways, s.sending("shown in an "+dest+", "+site, w))
		}
	}
	return append(ways, s.cookieElsewhere()...)
}

// pictureOf is the address of a picture.
func (s *siege) pictureOf() wire {
	q := s.asked(s.other, toAnna.onNoDevice())
	return s.withCookie(wire{atInbox, "GET", "/approvals/" + q.ID + "/screen", []string{"Sec-Fetch-Site: same-origin"}, ""})
}

func (c conversation) onNoDevice() map[string]any {
	c.device = ""
	return c.body()
}

// policyOfScript holds the content policy against the script and the style sheet
// of the page.
func (s *siege) policyOfScript() string {
	h := s.send(s.withCookie(s.forms()[1]))
	m, err := readMarkup(h.body)
	s.must(err)
	policy := h.header.Get("Content-Security-Policy")
	for what, code := range map[string][]string{"script-src": m.scripts, "style-src": m.styles} {
		if len(code) != 1 {
			return fmt.Sprintf("%d of %s", len(code), what)
		}
		if want := what + " '" + sha256Of(code[0]) + "'"; !strings.Contains(policy, want+";") && !strings.HasSuffix(policy, want) {
			return fmt.Sprintf("%s is not %q alone: %s", what, want, policy)
		}
	}
	return ""
}

// cookieElsewhere is where a browser would send the session's cookie besides the
// page that it is of. Ports do not keep cookies apart: that another port of the
// same name gets it is why the name is not to be guessed.
func (s *siege) cookieElsewhere() []way {
	jar, err := cookiejar.New(nil)
	s.must(err)
	home := &url.URL{Scheme: "http", Host: s.host, Path: "/"}
	r := s.send(form(s.host, "/sign-in", "ticket="+s.ticket("owner")))
	jar.SetCookies(home, (&http.Response{Header: r.header}).Cookies())
	name, port, _ := strings.Cut(s.host, ":")
	set := strings.Join(r.header.Values("Set-Cookie"), "\n")
	agents := s.d.AgentsURL()
	ways := []way{{"the cookie: it goes home", func() string {
		if len(jar.Cookies(home)) != 1 {
			return "the browser does not send it at all, so that nothing is tried: " + set
		}
		return ""
	}}}
	for _, to := range []string{
		"http://localhost:" + port, "http://127.0.0.1:" + port, "http://[::1]:" + port, "http://other.localhost:" + port, "http://x." + name + ":" + port,
		"http://" + strings.TrimSuffix(name, ".localhost") + ":" + port, "http://" + name + ".attacker.example", agents, strings.Replace(agents, "127.0.0.1", "localhost", 1), "https://" + s.hostOf(atRemote),
	} {
		label := strings.NewReplacer(name, "NAME", strings.TrimSuffix(name, ".localhost"), "NAME", port, "PORT", agents, "AGENTS", agents[len("http://127.0.0.1"):], ":AGENTS", s.hostOf(atRemote), "REMOTE").Replace(to)
		ways = append(ways, way{"the cookie at " + label, func() string {
			at, err := url.Parse(to + "/")
			s.must(err)
			if got := jar.Cookies(at); len(got) > 0 {
				return "it is sent there"
			}
			return ""
		}})
	}
	for what, want := range map[string]string{"scripts read it": "; HttpOnly", "other sites' requests carry it": "; SameSite=Strict", "a part of the site has it alone": "; Path=/"} {
		ways = append(ways, way{"the cookie: " + what, func() string {
			if !strings.Contains(set, want) || strings.Contains(strings.ToLower(set), "domain=") {
				return set
			}
			return ""
		}})
	}
	// A page on another port of the name would have it: no door tells the name.
	cookie := jar.Cookies(home)[0].Value
	return append(ways,
		s.sending("the cookie at the agents' port, under the inbox's name", wire{atAgents, "GET", "/v1/actions/" + s.question.ID, []string{"Host: " + name + agents[strings.LastIndexByte(agents, ':'):], "Cookie: countersign=" + cookie}, ""}),
		s.sending("the cookie at the agents' port answers", wire{atAgents, "POST", "/approvals/" + s.question.ID + "/answer", []string{"Cookie: countersign=" + cookie, "Content-Type: application/x-www-form-urlencoded"}, s.csrf(cookie, inbox.FormAnswer(s.question.ID)) + "&answer=approve"}),
		s.sending("the cookie at the owner's socket", wire{atOwner, "GET", "/v1/approvals", []string{"Cookie: countersign=" + cookie}, ""}),
		s.sending("what the agents' port says of the inbox", wire{atAgents, "GET", "/healthz", nil, ""}),
		s.sending("what the inbox says to another host", wire{atInbox, "GET", "/", []string{"Host: localhost:" + port}, ""}),
	)
}

// sha256Of is how a content policy names a script.
func sha256Of(code string) string {
	sum := sha256.Sum256([]byte(code))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}
