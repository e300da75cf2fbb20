package e2e

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"
)

// mostStreams is how many streams of events a session may have; docs/inbox.md
// says the same.
const mostStreams = 8

// stream is an open stream of events.
type stream struct {
	t      *testing.T
	conn   net.Conn
	in     *bufio.Reader
	status int
	heard  strings.Builder
}

// events opens a stream as the page does, with what is changed of the request.
func (s *siege) events(cookie string, change ...func(wire) wire) *stream {
	s.t.Helper()
	w := wire{atInbox, "GET", "/events", []string{"Sec-Fetch-Site: same-origin", "Cookie: countersign=" + cookie}, ""}
	for _, c := range change {
		w = c(w)
	}
	return s.listen(w)
}

// listen sends a request and reads the beginning of the answer.
func (s *siege) listen(w wire) *stream {
	s.t.Helper()
	conn, err := net.Dial(s.addr[w.door][0], s.addr[w.door][1])
	s.must(err)
	s.t.Cleanup(func() { conn.Close() })
	s.must(conn.SetDeadline(time.Now().Add(patience)))
	_, err = io.WriteString(conn, strings.Replace(s.text(w), "Connection: close\r\n", "", 1))
	s.must(err)
	st := &stream{t: s.t, conn: conn, in: bufio.NewReader(conn)}
	resp, err := http.ReadResponse(st.in, &http.Request{Method: w.method})
	s.must(err)
	st.status = resp.StatusCode
	if st.flows(resp) {
		st.in = bufio.NewReader(resp.Body)
		return st
	}
	rest, err := io.ReadAll(resp.Body)
	s.must(err)
	st.heard.Write(rest)
	conn.Close()
	return st
}

// flows reports whether an answer is a stream.
func (st *stream) flows(resp *http.Response) bool {
	return resp.StatusCode == http.StatusOK && strings.HasPrefix(resp.Header.Get("Content-Type"), "text/event-stream") && resp.Request.Method == "GET"
}

// next reads up to the end of the next event, past heartbeats. It is empty when
// the guard has closed the stream.
func (st *stream) next() (event string) {
	st.t.Helper()
	for {
		line, err := st.in.ReadString('\n')
		st.heard.WriteString(line)
		switch event += line; {
		case errors.Is(err, os.ErrDeadlineExceeded):
			st.t.Error("a stream is neither told anything nor closed")
			return ""
		case err != nil:
			return ""
		case line == "\n" && strings.Contains(event, "event:"):
			return event
		case line == "\n":
			event = ""
		}
	}
}

// changes lets the list change.
func (s *siege) changes() {
	s.t.Helper()
	q := s.asked(s.other, tap("com.whatsapp", fmt.Sprint("Send stanza ", time.Now().UnixNano())))
	s.deny(q.ID)
}

// hears says that a request for the stream was given one, or was told something.
func (s *siege) hears(name string, w wire) way {
	return way{name, func() string {
		st := s.listen(w)
		defer st.conn.Close()
		if st.status < 300 && w.method == "GET" {
			return fmt.Sprintf("it follows the list: %d %s", st.status, st.next())
		}
		return s.told(heard{raw: st.heard.String()})
	}}
}

func streams(t *testing.T) []way {
	s := besiege(t)
	name, port, _ := strings.Cut(s.host, ":")
	get := wire{atInbox, "GET", "/events", []string{"Sec-Fetch-Site: same-origin"}, ""}
	ours := s.withCookie(get)
	inQuery := get
	inQuery.target += "?cookie=" + s.cookie + "&access_token=" + s.approver
	at := func(door string, w wire) wire { w.door = door; return w }
	ways := []way{
		s.hears("no session", get), s.hears("an agent's credential", get.with(bearer(s.agent.token))),
		s.hears("an agent's credential as a session", get.with("Cookie: countersign="+s.agent.token)),
		s.hears("an agent's credential beside a session", ours.with(bearer(s.agent.token))),
		s.hears("an approver's credential, which is for programs", get.with(bearer(s.approver))),
		s.hears("in the query", inQuery), s.hears("a made-up session", get.with("Cookie: countersign=css_"+strings.Repeat("a", 52))),
		s.hears("the cookie's stricter name", get.with("Cookie: __Host-countersign="+s.cookie)),
		s.hears("two cookies", get.with("Cookie: countersign="+s.cookie+"; countersign="+s.cookie+"x")),
		s.hears("a page of another site", ours.without("Sec-Fetch-Site").with("Origin: https://attacker.example", "Sec-Fetch-Site: cross-site")),
		s.hears("a page of another site, old browser", ours.without("Sec-Fetch-Site").with("Origin: https://attacker.example")),
		s.hears("a page of another port", ours.without("Sec-Fetch-Site").with("Origin: http://"+name+":9999", "Sec-Fetch-Site: same-site")),
		s.hears("a picture of another site", ours.without("Sec-Fetch-Site").with("Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: no-cors", "Sec-Fetch-Dest: image")),
		s.hears("under another name", ours.with("Host: localhost:"+port)),
		s.hears("at the agents' port", at(atAgents, get.with(bearer(s.agent.token)))),
		s.hears("at the agents' socket", at(atSocket, get.with(bearer(s.agent.token)))),
		s.hears("at the owner's socket", at(atOwner, get.with(bearer(s.approver)))),
	}
	for _, method := range []string{"POST", "HEAD", "DELETE"} {
		w := s.withCookie(wire{atInbox, method, "/events", []string{"Origin: http://" + s.host, "Sec-Fetch-Site: same-origin", "Content-Type: application/x-www-form-urlencoded"}, ""})
		ways = append(ways, way{"a " + method, func() string { return s.change(func() heard { return s.send(w) }) }})
	}
	return append(ways, s.goingOn()...)
}

// goingOn are streams that go on although they must not, and one too many.
func (s *siege) goingOn() []way {
	ended := func(name string, end func(cookie string)) way {
		return way{name, func() string {
			cookie := s.signIn("second")
			st := s.events(cookie)
			if st.next() == "" {
				return "the stream does not begin, so that nothing is tried"
			}
			end(cookie)
			s.changes()
			if event := st.next(); event != "" {
				return "it goes on: " + event
			}
			if again := s.events(cookie); again.status < 400 {
				return "it begins anew: " + again.next()
			}
			return ""
		}}
	}
	return []way{
		ended("after signing out", func(cookie string) {
			s.send(form(s.host, "/sign-out", s.csrf(cookie, "sign-out")).with("Cookie: countersign=" + cookie))
		}),
		{"what a card says, in an event", func() string {
			st := s.events(s.cookie)
			defer st.conn.Close()
			st.next()
			q := s.asked(s.other, tap("com.whatsapp", "Send a sonnet to "+victim))
			defer s.deny(q.ID)
			if event := st.next(); event == "" || strings.Contains(st.heard.String(), q.ID) || strings.Contains(st.heard.String(), q.Digest) {
				return "the event says more than that something changed: " + st.heard.String()
			}
			return s.told(heard{raw: st.heard.String()})
		}},
		{"a version that ends the line", func() string {
			// It is compared and never repeated.
			st := s.events(s.cookie, func(w wire) wire {
				w.target += "?seen=%0a%0aevent:+list%0adata:+zz%0a%0a"
				return w
			})
			defer st.conn.Close()
			if event := st.next(); event == "" || strings.Contains(st.heard.String(), "zz") {
				return "it comes back: " + st.heard.String()
			}
			return ""
		}},
		{"the ninth of a session", s.oneTooMany},
		ended("after the approver was revoked", func(string) {
			_, err := s.d.Registry().RevokeApprover(s.t.Context(), "second")
			s.must(err)
		}),
		{"after the session's time", func() string {
			st := s.events(s.cookie)
			st.next()
			s.clock.shift(365 * 24 * time.Hour)
			s.changes()
			if event := st.next(); event != "" {
				return "it goes on: " + event
			}
			return ""
		}},
	}
}

// oneTooMany opens more streams than a session may have. Nobody else may suffer
// for it, and neither may what else the session does.
func (s *siege) oneTooMany() string {
	other := s.signIn("second")
	var open []*stream
	defer func() {
		for _, st := range open {
			st.conn.Close()
		}
	}()
	for len(open) < mostStreams {
		st := s.events(s.cookie)
		if st.next() == "" {
			return fmt.Sprintf("the %d. is refused: %s", len(open)+1, st.heard.String())
		}
		open = append(open, st)
	}
	for range 20 {
		if st := s.events(s.cookie); st.status != http.StatusTooManyRequests {
			st.conn.Close()
			return fmt.Sprintf("one too many is answered with %d", st.status)
		}
	}
	theirs := s.events(other)
	open = append(open, theirs)
	if theirs.next() == "" {
		return "another session is refused as well: " + theirs.heard.String()
	}
	s.changes()
	for i, st := range open {
		if st.next() == "" {
			return fmt.Sprintf("stream %d does not go on", i)
		}
	}
	if got := s.served(); got != "" {
		return got
	}
	// One that is closed makes room: for a page that was left.
	open[0].conn.Close()
	for give := time.Now().Add(patience); ; {
		st := s.events(s.cookie)
		if st.status == http.StatusOK {
			open = append(open, st)
			return ""
		}
		if time.Now().After(give) {
			return "a place that is free again stays taken"
		}
	}
}
