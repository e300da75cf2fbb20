package e2e

import (
	"fmt"
	"html"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/countersign/countersign/approval"
)

// leak is a plot against what the guard hands on: to channels, into figures and
// proposals, and into cases for tests.
type leak struct {
	*plot
	x        *tellers
	ids      []string // the questions, in order; empty where none was put
	labelled int
}

// handedOn are secrets planted in questions, looked for in all that is made of a
// question for others than whoever answers it.
func handedOn(t *testing.T) []way {
	x := openTellers(t)
	l := &leak{plot: newPlot(t, "--channels", x.file), x: x}
	ways := []way{{"in what agents are told meanwhile", func() string {
		l.questions()
		return l.told()
	}}}
	for _, channel := range everyChannel {
		ways = append(ways, way{"in what " + channel + " is told", func() string {
			all := x.all(channel)
			var text strings.Builder
			for i := range all {
				text.WriteString(all[i].all() + "\n")
			}
			if len(all) < len(l.planted)/mixed {
				return fmt.Sprintf("only %d messages were sent", len(all))
			}
			return l.search.traces("messages of "+channel, []byte(text.String()))
		}})
	}
	l.afterwards(&ways)
	return ways
}

// afterwards is what is made of the questions when they are over.
func (l *leak) afterwards(ways *[]way) {
	printed := func(name, must string, args ...string) {
		*ways = append(*ways, way{name, func() string {
			out := l.command(args...)
			if !strings.Contains(out, must) {
				return fmt.Sprintf("there is no %q in %.600s", must, out)
			}
			return l.search.traces(name, []byte(out))
		}})
	}
	page := func(path, must string) {
		*ways = append(*ways, way{"in the page " + path, func() string {
			raw := l.page(path)
			if !strings.Contains(raw, must) {
				return fmt.Sprintf("there is no %q on %s: %.600s", must, path, raw)
			}
			return l.search.traces(path, []byte(raw+"\n"+html.UnescapeString(raw)))
		}})
	}
	*ways = append(*ways, way{"none: habits are made and questions marked", l.habits})
	printed("in the cases made of what was marked", `"want":`, "log", "label", "--recorded", "--out", "-")
	printed("in the figures", `"habits"`, "log", "stats", "--json")
	for _, by := range []string{"category", "app", "source", "agent"} {
		printed("in the figures by "+by, "deleting “Trip”", "log", "stats", "--by", by)
	}
	printed("in the list of grants", "deleting “Trip”", "grants", "list", "--all")
	printed("in the log's summary", "", "log", "summary")
	printed("in the channels' standing", aWebhook, "channels")
	for _, by := range []string{"category", "app", "source", "agent"} {
		page("/stats?days=all&by="+by, "Trip")
	}
	page("/history?days=all", "</ul>")
	page("/actions?outcome=all", "</ul>")
	page("/grants", "Trip")
	page("/", "</ul>")
}

// mixed is how many sentences take turns in the fields of a question: each question
// is told to a program by starting it, and of one agent a few are told at once only.
const mixed = 4

// questions puts some with a secret in every field, until every sentence had its
// turn, waits until every channel was told, and answers them.
func (l *leak) questions() {
	l.ids = make([]string, (len(l.planted)+mixed-1)/mixed)
	numbers := make([]int, len(l.ids))
	for i := range numbers {
		numbers[i] = i
	}
	var told atomic.Int64
	for batch := range slices.Chunk(numbers, 40) { // more would not wait for one channel
		digests := make([]string, len(batch))
		manyAtOnce(len(batch), func(n int) {
			n--               // it counts from 1
			field := batch[n] // it begins with another sentence each time
			v := l.say(batch[n], "/v1/actions", l.requestOf(func() int {
				field++
				return (batch[n]*mixed + field%mixed) % len(l.planted)
			}))
			if v.Status != http.StatusAccepted {
				l.t.Errorf("not held: %+v", v)
				return
			}
			told.Add(1)
			l.ids[batch[n]], digests[n] = v.ID, v.Digest
		})
		for _, channel := range everyChannel {
			l.x.count(channel, int(told.Load()))
		}
		manyAtOnce(len(batch), func(n int) {
			id, digest := l.ids[batch[n-1]], digests[n-1]
			switch {
			case digest == "":
			case n%2 == 0:
				l.did(l.owner.Deny(l.t.Context(), id, digest, ""))
			default:
				l.did(l.owner.Approve(l.t.Context(), id, digest, ""))
				l.did(l.owner.Revoke(l.t.Context(), id, "", ""))
			}
		})
	}
}

// habits says yes to some questions so often that something is proposed: to
// harmless ones, and to ones with a secret in what they are about. It also marks
// questions as needless, and gives a grant.
func (l *leak) habits() string {
	yes := func(object string, times int) string {
		last := ""
		for range times {
			v := l.agent.propose(deleting(object))
			if v.Status != http.StatusAccepted {
				return fmt.Sprintf("%q is not held: %+v", object, v)
			}
			last = v.ID
			l.did(l.owner.Approve(l.t.Context(), v.ID, v.Digest, ""))
			body := deleting(object)
			delete(body, "action")
			l.agent.redeem(v.ID, body)
			l.agent.report(v.ID)
		}
		return l.mark(last)
	}
	if got := yes("Trip", 21); got != "" {
		return got
	}
	for i := 0; i < len(l.planted); i += len(l.planted) / 4 {
		if got := yes(l.planted[i].Text, 21); got != "" {
			return got
		}
	}
	for i := 0; i < len(l.ids); i += 2 {
		if got := l.mark(l.ids[i]); l.ids[i] != "" && got != "" {
			return got
		}
	}
	v := l.agent.propose(deleting("Trip"))
	if _, err := l.owner.ApproveWithGrant(l.t.Context(), v.ID, v.Digest, "", approval.UsualGrant()); err != nil {
		return err.Error()
	}
	l.agent.call("DELETE", "/v1/actions/"+v.ID, nil)
	if l.labelled < 30 {
		return fmt.Sprintf("only %d are marked", l.labelled)
	}
	return ""
}

var labelToken = regexp.MustCompile(`action="/approvals/[^"]*/label">.*?name="csrf" value="([^"]+)"`)

// mark says of a question that it was needless, as the page does.
func (l *leak) mark(id string) string {
	if id == "" {
		return ""
	}
	card := l.do("GET", "/approvals/"+id, "")
	body, err := io.ReadAll(card.Body)
	if err != nil {
		return err.Error()
	}
	token := labelToken.FindSubmatch(body)
	if token == nil {
		return fmt.Sprintf("there is no form for a label: %s %.300s", card.Status, body)
	}
	if resp := l.do("POST", "/approvals/"+id+"/label", url.Values{"csrf": {string(token[1])}, "label": {"needless"}}.Encode()); resp.StatusCode != http.StatusSeeOther {
		return "not marked: " + resp.Status
	}
	l.labelled++
	return ""
}
