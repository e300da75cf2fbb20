package e2e

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/countersign/countersign/approval"
)

// manyAtOnce runs n calls on a few connections.
func manyAtOnce(n int, do func(i int)) {
	const at = 16
	var next atomic.Int64
	var group sync.WaitGroup
	for range at {
		group.Go(func() {
			for i := next.Add(1); i <= int64(n); i = next.Add(1) {
				do(int(i))
			}
		})
	}
	group.Wait()
}

func floods(t *testing.T) []way {
	h := openHouse(t, "--cooldown", "1ns")
	flooder, other := h.newAgent("flooder"), h.newAgent("victim")
	question := h.held(other, tap("com.whatsapp", "Send to "+victim))
	const many, bound = 1000, 20
	var held, refused, odd atomic.Int64
	flood := func() {
		manyAtOnce(many, func(i int) {
			switch v := flooder.propose(tap("com.whatsapp", fmt.Sprintf("Send to number %d", i))); {
			case v.Status == http.StatusAccepted:
				held.Add(1)
			case v.Status == http.StatusTooManyRequests && v.Code == "too_many_open":
				refused.Add(1)
			default:
				odd.Add(1)
			}
		})
	}
	return []way{
		{"1,000 questions at once", func() string {
			flood()
			// One is that of the other agent.
			if open := len(h.open()); open > bound+1 || held.Load() > bound || refused.Load() != many-held.Load() || odd.Load() > 0 {
				return fmt.Sprintf("%d are open, %d were held, %d refused, %d neither", open, held.Load(), refused.Load(), odd.Load())
			}
			return ""
		}},
		{"the other agents are not served", func() string {
			if v := h.agent.propose(tap("com.whatsapp", "Send to Perpetua")); v.Status != 202 {
				return fmt.Sprintf("%+v", v)
			}
			if v := h.agent.propose(tap("com.example.reader", "Next page")); v.Outcome != "allow" {
				return fmt.Sprintf("%+v", v)
			}
			return ""
		}},
		{"the owner cannot find or answer the others", func() string {
			found := slices.ContainsFunc(h.open(), func(a approval.Approval) bool { return a.ID == question.ID })
			if !found || !strings.Contains(h.page("/"), question.ID) {
				return "the other agent's question is not in the list"
			}
			h.deny(question, "")
			if state := other.state(question.ID).Approval.State; state != approval.Denied.String() {
				return "the other agent's question cannot be answered: it is " + state
			}
			return ""
		}},
		{"questions that are withdrawn and put again leave no end of open ones", func() string {
			for i := range 200 {
				v := flooder.propose(tap("com.whatsapp", fmt.Sprintf("Send letter %d", i)))
				if v.Status == 202 {
					flooder.call("DELETE", "/v1/actions/"+v.ID, nil)
				}
			}
			if open := len(h.open()); open > bound+1 {
				return fmt.Sprintf("%d are open", open)
			}
			return ""
		}},
		{"the agent is stopped for good by revoking it", func() string {
			if err := h.owner.RevokeAgent(t.Context(), "flooder"); err != nil {
				return err.Error()
			}
			if v := flooder.propose(tap("com.whatsapp", "Send")); v.Status != 401 {
				return fmt.Sprintf("it is still served: %+v", v)
			}
			return ""
		}},
	}
}

// served says that a door no longer answers those who have done nothing.
func (s *siege) served() string {
	if v := s.other.propose(tap("com.example.reader", "Next page")); v.Outcome != "allow" {
		return fmt.Sprintf("other agents are not served: %+v", v)
	}
	if h := s.send(s.withCookie(s.forms()[0])); h.status != 200 {
		return "the owner is not served: " + h.raw
	}
	return ""
}

func floodedDoors(t *testing.T) []way {
	s := besiege(t)
	slow := s.slowSenders()
	var ways []way
	// want is the status, 0 where it is only not to be allowed.
	body := func(name, path string, want int, body string) {
		ways = append(ways, way{name, func() string {
			status, answer := s.agent.post(path, []byte(body))
			if status >= 500 || want > 0 && status != want || bytes.Contains(answer, []byte(`"outcome":"allow"`)) {
				return fmt.Sprintf("%d (%d is right): %.300s", status, want, answer)
			}
			return s.served()
		}})
	}
	long := func(n int) string { return strings.Repeat("x", n) }
	action := `{"action": {"kind": "tap"}, "screen": {"package": "com.whatsapp"}, "target": {"text": "Send"}, `
	deep := strings.Repeat(`<node class="android.view.ViewGroup" bounds="[0,0][9,9]">`, 20000) + strings.Repeat("</node>", 20000)
	body("a body of 25 MB", "/v1/actions", 413, action+`"task": "`+long(25<<20)+`"}`)
	body("a deep JSON", "/v1/actions", 400, action+`"app": `+strings.Repeat("[", 100_000)+strings.Repeat("]", 100_000)+`}`)
	body("a deep JSON of nameless objects", "/v1/agent/step", 400, `{"history": [`+strings.Repeat(`{"a":`, 100_000)+"1"+strings.Repeat("}", 100_000)+`]}`)
	body("a deep tree", "/v1/actions", 0, `{"action": {"kind": "tap", "x": 5, "y": 5}, "screen": {"tree": `+toJSON("<hierarchy>"+deep+"</hierarchy>")+`}}`)
	body("a wide tree", "/v1/actions", 0, `{"action": {"kind": "tap", "x": 5, "y": 5}, "screen": {"tree": `+toJSON("<hierarchy>"+strings.Repeat(`<node bounds="[0,0][9,9]"/>`, 200_000)+"</hierarchy>")+`}}`)
	body("an XML bomb", "/v1/actions", 0, `{"action": {"kind": "tap", "x": 5, "y": 5}, "screen": {"tree": `+toJSON(xmlBomb)+`}}`)
	body("a session of 1 MB", "/v1/actions", 422, action+`"session": "`+long(1<<20)+`"}`)
	body("an id of 1 MB", "/v1/actions", 422, action+`"id": "`+long(1<<20)+`"}`)
	body("a key of 1 MB", "/v1/actions", 422, action+`"idempotency_key": "`+long(1<<20)+`"}`)
	body("a device of 1 MB", "/v1/actions", 403, action+`"device": "`+long(1<<20)+`"}`)
	body("a field's name of 1 MB", "/v1/actions", 400, action+`"`+long(1<<20)+`": 1}`)
	body("a million numbers", "/v1/actions", 400, action+`"app": {"roles": [`+strings.Repeat("1,", 1_000_000)+`1]}}`)
	zipped := way{"a body that says it is compressed", func() string {
		h := s.send(wire{atAgents, "POST", "/v1/actions", []string{bearer(s.agent.token), "Content-Type: application/json", "Content-Encoding: gzip"}, "\x1f\x8b\x08\x00"})
		return decides(h)
	}}
	ways = append(ways, zipped)
	for _, door := range []string{atInbox, atAgents} {
		ways = append(ways,
			way{door + ": a header without end", func() string {
				h := s.rawly(door, "GET / HTTP/1.1\r\nHost: "+s.hostOf(door)+"\r\nX: "+long(1<<20)+"\r\n\r\n")
				if h.status != 431 && h.raw != "" {
					return h.raw
				}
				return s.served()
			}},
			way{door + ": 1,000 idle connections", func() string { return s.whileOpen(door, 1000, "") }},
		)
	}
	ways = append(ways,
		way{"200 requests that never end", func() string {
			return s.whileOpen(atAgents, 200, "POST /v1/actions HTTP/1.1\r\nHost: localhost\r\n"+bearer(s.agent.token)+"\r\nContent-Type: application/json\r\nContent-Length: 1000000\r\n\r\n{")
		}},
		way{"a body of 25 MB at the inbox", func() string {
			w := s.withCookie(s.calls(atInbox)[4]).with("Origin: http://" + s.host)
			w.body = toJSON(map[string]string{"digest": long(25 << 20)})
			return s.effect(func() heard { return s.send(w) })
		}},
	)
	return append(ways, slow...)
}

// slowSenders begin a request at each door now, and look at the end whether they
// were cut off: a door waits ten seconds for the rest of a header.
func (s *siege) slowSenders() []way {
	var ways []way
	for _, door := range []string{atInbox, atAgents} {
		c, err := net.Dial(s.addr[door][0], s.addr[door][1])
		s.must(err)
		s.t.Cleanup(func() { c.Close() })
		_, err = io.WriteString(c, "GET / HTTP/1.1\r\nHost: "+s.hostOf(door)+"\r\nX: ")
		s.must(err)
		ways = append(ways, way{door + ": a header that never ends is waited for", func() string {
			s.must(c.SetReadDeadline(time.Now().Add(patience)))
			if _, err := io.ReadAll(c); errors.Is(err, os.ErrDeadlineExceeded) {
				return "the connection is still open"
			}
			return ""
		}})
	}
	return ways
}

const xmlBomb = `<!DOCTYPE h [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;"><!ENTITY d SYSTEM "file:///etc/passwd">]>` +
	`<hierarchy><node text="&c;&d;" bounds="[0,0][9,9]" clickable="true"/></hierarchy>`

// whileOpen holds connections open on a door, each with the beginning of a
// request, and looks whether others are served meanwhile.
func (s *siege) whileOpen(door string, n int, begun string) string {
	var all []net.Conn
	defer func() {
		for _, c := range all {
			c.Close()
		}
	}()
	for range n {
		c, err := net.Dial(s.addr[door][0], s.addr[door][1])
		s.must(err)
		all = append(all, c)
		_, err = io.WriteString(c, begun)
		s.must(err)
	}
	return s.served()
}

// filledDisks are attempts to make the record grow without end: how much it grew
// is measured.
func filledDisks(t *testing.T) []way {
	h := openHouse(t, "--cooldown", "1ns", "--remote", "127.0.0.1:0", "--remote-name", remoteName)
	grown := func(most int64, do func()) string {
		before := h.disk()
		do()
		if by := h.disk() - before; by > most {
			return fmt.Sprintf("the disk has %d kB more, at most %d kB may be", by>>10, most>>10)
		}
		return ""
	}
	malformed := []byte(`{"action": {"kind": "tap", "` + strings.Repeat("x", 2000) + `": 3}}`)
	return []way{
		{"2,000 malformed requests", func() string {
			return grown(512<<10, func() {
				manyAtOnce(2000, func(int) { h.agent.post("/v1/actions", malformed) })
			})
		}},
		{"2,000 requests with no credential", func() string {
			return grown(512<<10, func() {
				nobody := h.agent
				nobody.token = "csa_" + strings.Repeat("a", 52)
				manyAtOnce(2000, func(int) { nobody.post("/v1/actions", malformed) })
			})
		}},
		{"2,000 requests with no credential at the inbox", func() string {
			return grown(128<<10, func() {
				manyAtOnce(2000, func(int) { h.do("POST", "/v1/freeze", string(malformed)).Body.Close() })
			})
		}},
		{"2,000 questions over the bound", func() string {
			flooder := h.newAgent("flooder")
			for i := range 20 {
				h.held(flooder, tap("com.whatsapp", fmt.Sprintf("Send to number %d", i)))
			}
			return grown(1<<20, func() {
				manyAtOnce(2000, func(i int) { flooder.propose(tap("com.whatsapp", fmt.Sprintf("Send to member %d", i))) })
			})
		}},
		{"500 connections from the network that are no TLS", func() string {
			link, err := h.owner.SignIn(t.Context(), "")
			if err != nil {
				return err.Error()
			}
			at, err := url.Parse(link.RemoteURL)
			if err != nil || at.Port() == "" {
				return fmt.Sprintf("there is no inbox for other devices: %+v, %v", link, err)
			}
			before := len(h.p.said())
			manyAtOnce(500, func(int) {
				c, err := net.Dial("tcp", "127.0.0.1:"+at.Port())
				if err != nil {
					return
				}
				defer c.Close()
				_, _ = io.WriteString(c, "GET / HTTP/1.1\r\n\r\n")
				_, _ = io.ReadAll(c)
			})
			if by := len(h.p.said()) - before; by > 4<<10 {
				return fmt.Sprintf("the guard said %d bytes more, such as %s", by, h.p.said()[before:before+300])
			}
			return ""
		}},
		{"requests of 10 MB", func() string {
			task := strings.Repeat("a long task ", 10<<20/12)
			return grown(1<<20, func() {
				for i := range 2 {
					m := tap("com.whatsapp", fmt.Sprintf("Send parcel %d", i))
					m["task"], m["llm"] = task, map[string]any{"requires_confirmation": true, "reason": "r"}
					if i%2 == 1 {
						m["llm"], m["task"] = map[string]any{"requires_confirmation": true, "reason": task}, "t"
					}
					h.held(h.agent, m)
				}
			})
		}},
	}
}

// disk is how many bytes the home folder has.
func (h *house) disk() (bytes int64) {
	h.t.Helper()
	err := filepath.WalkDir(h.p.home, func(path string, e os.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		if info, err := e.Info(); err == nil {
			bytes += info.Size()
		}
		return nil
	})
	if err != nil {
		h.t.Fatal(err)
	}
	return bytes
}
