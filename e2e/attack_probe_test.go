package e2e

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/countersign/countersign/approval"
	"github.com/countersign/countersign/risk"
)

// labels are words in several languages, risky ones and harmless ones, as
// somebody would try them out.
func labels(n int) []string {
	words := []string{"Send", "Delete chat", "Pay", "Buy now", "Next page", "Senden", "Eliminar", "Acheter", "Löschen", "Kaufen", "送信", "удалить", "Uninstall", "Settings", "Back", "Confirm", "Place order", "Transfer", "Share", "Read more"}
	list := make([]string, n)
	for i := range list {
		list[i] = fmt.Sprintf("%s %d", words[i%len(words)], i)
	}
	return list
}

// teaching are names of fields and layers that tell why: none of them belongs in
// an answer to an agent.
var teaching = regexp.MustCompile(`"(evidence|term|match|rule|layers?|tier|tier_why|why|source|delta|decided_by|facts|signal|similar|intent|policy|score)"`)

// lessons says what an answer teaches of the rules. What the caller itself sent
// is nothing new.
func lessons(answer []byte, sent string) string {
	if m := teaching.FindSubmatch(answer); m != nil {
		return "the answer has a field " + string(m[1])
	}
	var v struct{ Reason, Message, Detail string }
	if err := json.Unmarshal(answer, &v); err != nil {
		return "the answer is no JSON: " + err.Error()
	}
	for _, word := range []string{"HIGH", "MEDIUM", "LOW", "tier", "rule", "policy", "because", "matched", "keyword", "layer", "lexicon", "catalogue", "evidence"} {
		for _, text := range []string{v.Reason, v.Message} {
			if strings.Contains(text, word) && !strings.Contains(sent, word) {
				return fmt.Sprintf("the answer says %q: %s", word, text)
			}
		}
	}
	return ""
}

// post sends a body as an agent and returns the answer.
func (a httpAgent) post(path string, body []byte) (status int, answer []byte) {
	a.t.Helper()
	req, err := http.NewRequest("POST", a.url+path, bytes.NewReader(body))
	if err != nil {
		a.t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+a.token)
	req.Header.Set("Content-Type", "application/json")
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		a.t.Fatal(err)
	}
	defer resp.Body.Close()
	if answer, err = io.ReadAll(resp.Body); err != nil {
		a.t.Fatal(err)
	}
	return resp.StatusCode, answer
}

// Timing is out of scope: how long an answer takes may tell a little.
func probes(t *testing.T) []way {
	const many = 2000
	h := openHouse(t, "--cooldown", "1ns")
	prober, begun := h.newAgent("prober"), time.Now()
	var mu sync.Mutex
	answered, limited, lesson := 0, 0, ""
	probe := func(path string) {
		var group sync.WaitGroup
		list := labels(many)
		for part := range slices.Chunk(list, many/8) {
			group.Go(func() {
				for _, label := range part {
					status, answer := prober.post(path, []byte(toJSON(tap("com.example.chat", label))))
					mu.Lock()
					switch {
					case status == http.StatusTooManyRequests:
						limited++
					case status < 300:
						answered++
					}
					if l := lessons(answer, label); l != "" {
						lesson = label + ": " + l
					}
					mu.Unlock()
				}
			})
		}
		group.Wait()
	}
	return []way{
		{"2,000 labels to /v1/decide", func() string {
			probe("/v1/decide")
			// A hundred at once, and ten a second after that.
			if most := 101 + int(10*time.Since(begun).Seconds()); answered > most || limited != many-answered {
				return fmt.Sprintf("%d of %d were answered, %d were limited", answered, many, limited)
			}
			return lesson
		}},
		{"2,000 labels to /v1/actions", func() string {
			answered, limited, lesson = 0, 0, ""
			probe("/v1/actions")
			if held := h.open(); len(held) > 20 || limited == 0 {
				return fmt.Sprintf("%d are held and %d were limited", len(held), limited)
			}
			return lesson
		}},
		{"the step API", func() string {
			_, answer := h.agent.post("/v1/agent/step", []byte(`{"task": "t", "current_package": "com.example.chat", "proposed_action": {"kind": "tap", "text": "Next page"}}`))
			var v struct{ Decision json.RawMessage }
			if err := json.Unmarshal(answer, &v); err != nil {
				return err.Error()
			}
			return lessons(v.Decision, "Next page")
		}},
		{"problems", func() string {
			for _, body := range []string{`{"action": {"kind": "tap", "evidence": 1}}`, `{"explain": true, "action": {"kind": "tap"}}`, `{"action": {"kind": "tap"}, "debug": true}`, `[]`, `{"action": 1}`} {
				status, answer := h.agent.post("/v1/actions", []byte(body))
				if status != 400 || bytes.Contains(answer, []byte(`"evidence":`)) || bytes.Contains(answer, []byte(`"term"`)) {
					return fmt.Sprintf("%s: %d %s", body, status, answer)
				}
			}
			return ""
		}},
		{"why it was refused", func() string {
			v := h.agent.propose(map[string]any{"action": map[string]any{"kind": "shell", "shell": "settings put secure enabled_accessibility_services a/.b"}})
			denied := h.held(h.agent, tap("com.example.chat", "Delete chat"))
			h.deny(denied, "")
			_, answer := h.agent.post("/v1/actions/"+denied.ID+"/redeem", []byte(toJSON(fresh("com.example.chat", "Delete chat"))))
			return lessons([]byte(toJSON(map[string]string{"message": v.Message})), "settings put") + lessons(answer, "Delete chat")
		}},
		{"the description of the API", func() string {
			return h.toldByDescription()
		}},
	}
}

// toldByDescription: the document may describe what an approver sees; it must
// hold nothing of this guard, of its owner or of its rules.
func (h *house) toldByDescription() string {
	status, err := h.owner.Status(context.Background())
	if err != nil {
		return err.Error()
	}
	resp, err := http.Get(h.agent.url + "/openapi.json")
	if err != nil {
		return err.Error()
	}
	defer resp.Body.Close()
	doc, err := io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode != http.StatusOK || len(doc) < 1000 {
		return fmt.Sprintf("there is none: %s, %v", resp.Status, err)
	}
	for what, text := range map[string]string{
		"the name of the inbox": h.host[:strings.IndexByte(h.host, '.')], "the home folder": h.p.home, "the owner's name": `"owner"`,
		"the policy": status.Policy, "a word of the rules": "lösch", "a package of the catalogue": "com.whatsapp",
	} {
		if text == "" || bytes.Contains(doc, []byte(text)) {
			return "it was told " + what
		}
	}
	if secretForm.Match(doc) {
		return "it was told a credential"
	}
	return ""
}

// An agent's own words come back in a reason; what the guard adds must not
// depend on which word was recognised.
func TestLessonsAreSeen(t *testing.T) {
	dec := risk.Evidence{Signal: risk.SignalText, Match: "send", Term: "send"}
	for _, answer := range []string{toJSON(map[string]any{"evidence": []risk.Evidence{dec}}), `{"reason": "Sends a message (HIGH)."}`, `{"message": "a rule asks"}`, `{"tier": "LOW"}`, `nothing`} {
		if lessons([]byte(answer), "Send") == "" {
			t.Errorf("nothing is seen in %s", answer)
		}
	}
	if got := lessons([]byte(toJSON(approval.Approval{})), ""); got == "" {
		t.Error("a whole question teaches nothing")
	}
}
