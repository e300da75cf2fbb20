package e2e

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/countersign/countersign/channel/inbox"
	"github.com/countersign/countersign/ledger"
)

// straySessions are attacks of somebody who has the secret of a session's cookie
// and sends it to the other door of the inbox, under the name that cookies have
// there and with all that a page of that door would send: a program can, where a
// browser would not.
func straySessions(t *testing.T) []way {
	s := besiege(t, forOtherDevices)
	a := goAway(s)
	at := func(door, cookie string, w wire) wire {
		origin, name := "http://"+s.host, "countersign"
		if door == atRemote {
			origin, name = a.origin, "__Host-countersign"
		}
		w = w.without("Origin", "Sec-Fetch-Site", "Cookie").with("Sec-Fetch-Site: same-origin", "Cookie: "+name+"="+cookie)
		if w.door = door; w.method != "GET" {
			w = w.with("Origin: "+origin, "Countersign-CSRF: "+s.d.Registry().CSRF(cookie, inbox.FormAPI))
		}
		return w
	}
	card := wire{method: "GET", target: "/approvals/" + s.question.ID}
	var ways []way
	for _, d := range []struct{ name, own, other, cookie string }{
		{"of the computer", atInbox, atRemote, s.cookie}, {"of another device", atRemote, atInbox, a.session},
	} {
		shows := func(when string) way {
			return way{"none: the session " + d.name + " counts at its own door " + when, func() string {
				if s.told(s.send(at(d.own, d.cookie, card))) == "" {
					return "it shows nothing there, so that nothing is tried"
				}
				return ""
			}}
		}
		ways = append(ways, shows("before"))
		for i, w := range s.formsOf(d.cookie) {
			ways = append(ways, s.sending(fmt.Sprintf("that %s, page %d: %s %s", d.name, i, w.method, s.named(w.target)), at(d.other, d.cookie, w)))
		}
		for i, w := range s.calls(d.other) {
			ways = append(ways, s.sending(fmt.Sprintf("that %s, API %d: %s %s", d.name, i, w.method, s.named(w.target)), at(d.other, d.cookie, w)))
		}
		for _, path := range []string{"/events", "/approvals/" + s.question.ID + "/screen", "/history?days=all"} {
			ways = append(ways, s.sending("that "+d.name+", reading "+s.named(path), at(d.other, d.cookie, wire{method: "GET", target: path})))
		}
		ways = append(ways, shows("after"), way{"that " + d.name + ", leaving no record", func() string { return s.strayOnRecord(at(d.other, d.cookie, card)) }})
	}
	return ways
}

// strayOnRecord says what is wrong with the record of the attempts, which is there
// once for each session, and with the answer to another one.
func (s *siege) strayOnRecord(w wire) string {
	unknown := w.without("Cookie").with("Cookie: " + strings.Split(hasCookie(w), "=")[0] + "=css_" + strings.Repeat("a", 52))
	if got, want := s.send(w), s.send(unknown); got.status != want.status || got.body != want.body {
		return fmt.Sprintf("it is told apart from one that is nobody's: %d %.300s, %d %.300s", got.status, got.body, want.status, want.body)
	}
	rows, err := s.record.Rows(s.t.Context(), 0, 10000)
	s.must(err)
	found := 0
	for i := range rows {
		var b ledger.Refused
		if rows[i].Kind == ledger.KindRefused {
			s.must(json.Unmarshal(rows[i].Body, &b))
		}
		if strings.Contains(b.Why, "another door") {
			found++
			if b.What != "session of approver owner" || secretForm.MatchString(string(rows[i].Body)) {
				return fmt.Sprintf("the row is %s", rows[i].Body)
			}
		}
	}
	// This session, and the other one where that was tried before.
	if found != 1 && found != 2 {
		return fmt.Sprintf("there are %d rows about it", found)
	}
	return ""
}

// hasCookie is the cookie that a request carries.
func hasCookie(w wire) string {
	for _, h := range w.header {
		if value, ok := strings.CutPrefix(h, "Cookie: "); ok {
			return value
		}
	}
	return ""
}
