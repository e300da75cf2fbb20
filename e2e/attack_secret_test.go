package e2e

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"unicode"

	"github.com/countersign/countersign/approval"
	"github.com/countersign/countersign/channel/client"
	"github.com/countersign/countersign/daemon"
	"github.com/countersign/countersign/hold"
	"github.com/countersign/countersign/redact/redacttest"
	"github.com/countersign/countersign/store/sqlite"
)

// plot plants secrets.
type plot struct {
	*house
	planted  []redacttest.Sentence
	search   *search
	agents   []httpAgent
	mu       sync.Mutex
	answers  bytes.Buffer // all that agents were told since the last look
	stderr   string       // of guards that were stopped
	requests int
	places   map[string]int // how often a secret was planted in a field
	states   map[string]int // what became of the requests
}

// usual are the flags of the guard: refusals are not remembered, since many
// requests here are alike, and what is not held has no limit.
var usual = []string{"--cooldown", "1ns", "--pure-rate=-1"}

// newPlot starts with a guard with the usual flags and others.
func newPlot(t *testing.T, flags ...string) *plot {
	p := &plot{planted: redacttest.Planted(), places: map[string]int{}, states: map[string]int{}}
	p.house = openHouse(t, append(flags, usual...)...)
	var needles []needle
	for _, s := range p.planted {
		needles = append(needles, needlesOf(s)...)
	}
	p.search = searchFor(needles)
	for i := range 20 {
		p.agents = append(p.agents, p.newAgent(fmt.Sprint("a", i)))
	}
	return p
}

// sentence takes the sentence for a field of a request: every one comes to stand
// in every field.
func (p *plot) sentence(i int, field string) string {
	offset := 0
	for _, r := range field {
		offset = (offset*31 + int(r)) % len(p.planted)
	}
	p.mu.Lock()
	p.places[field]++
	p.mu.Unlock()
	return p.planted[(i+offset)%len(p.planted)].Text
}

// request has a secret in every field that may hold words.
func (p *plot) request(i int) map[string]any {
	return p.requestOf(func() int { return i })
}

// requestOf is one where next says which sentence comes into the next field.
func (p *plot) requestOf(next func() int) map[string]any {
	s := func(field string) string { return p.sentence(next(), field) }
	return map[string]any{
		"action": map[string]any{"kind": "tap"}, "task": s("task"),
		"screen": map[string]any{"package": "com.whatsapp", "activity": s("activity")},
		"target": map[string]any{
			"text": s("text"), "content_desc": s("content_desc"), "hint": s("hint"), "resource_id": s("resource_id"), "class": "android.widget.Button",
			"dialog_title": s("dialog_title"), "dialog_message": s("dialog_message"), "descendants": []string{s("descendants"), "Send", s("descendants 2")},
		},
		"session": plainly(s("session")),
		"llm":     map[string]any{"requires_confirmation": true, "reason": s("llm.reason")},
	}
}

// plainly is a text as a session, an id or a key may be: without what is not
// seen, and not too long.
func plainly(s string) string {
	s = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsControl(r):
			return ' '
		case unicode.Is(unicode.Cf, r):
			return -1
		}
		return r
	}, s)
	return strings.ToValidUTF8(s[:min(len(s), 200)], "")
}

// say sends a body and keeps the answer.
func (p *plot) say(i int, path string, body any) view {
	data, ok := body.(string)
	if !ok {
		data = toJSON(body)
	}
	status, answer := p.agents[i%len(p.agents)].post(path, []byte(data))
	return p.hear(status, answer)
}

func (p *plot) hear(status int, answer []byte) view {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.requests++
	p.answers.Write(answer)
	p.answers.WriteByte('\n')
	var v view
	if err := json.Unmarshal(answer, &v); err != nil {
		p.t.Errorf("%v in %q", err, answer)
	}
	v.Status = status
	what := v.Approval.State
	if what == "" {
		what = v.Outcome + v.Code
	}
	p.states[what]++
	return v
}

// poll asks for the state, and waits for it to change where it is told to.
func (p *plot) poll(i int, id, wait string) view {
	p.t.Helper()
	a := p.agents[i%len(p.agents)]
	req, err := http.NewRequest("GET", a.url+"/v1/actions/"+id+wait, nil)
	if err != nil {
		p.t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+a.token)
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		p.t.Fatal(err)
	}
	defer resp.Body.Close()
	answer, err := io.ReadAll(resp.Body)
	if err != nil {
		p.t.Fatal(err)
	}
	return p.hear(resp.StatusCode, answer)
}

// did says that something of the owner's failed. Another worker may have been
// faster, which is a conflict.
func (p *plot) did(_ approval.Approval, err error) {
	p.t.Helper()
	var late *client.Problem
	if err != nil && !(errors.As(err, &late) && late.Conflict()) {
		p.t.Error(err)
	}
}

// told is what agents were told of secrets since the last look.
func (p *plot) told() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	defer p.answers.Reset()
	if p.answers.Len() == 0 {
		return "nothing was answered"
	}
	return p.search.traces("answers to agents", p.answers.Bytes())
}

// each runs one request for each planted sentence.
func (p *plot) each(do func(i int)) func() string {
	return func() string {
		manyAtOnce(len(p.planted), do)
		return p.told()
	}
}

func plantedSecrets(t *testing.T) []way {
	p := newPlot(t, "--answer-within", "3s") // questions that are soon over
	return []way{
		{"in what is not answered", p.expired},
		{"in what is allowed", p.each(p.allowed)},
		{"in what is approved, released and reported", p.each(p.approved)},
		{"in what is denied with a note", p.each(p.denied)},
		{"in what is typed, also into password fields", p.each(p.typed)},
		{"in what is refused", p.each(p.refusedOnes)},
		{"in what cannot be read", p.each(p.malformed)},
		{"in steps, pure decisions and addresses", p.each(p.elsewhere)},
		{"in the record's rows and questions", p.rows},
		{"in the bytes of the database, running and stopped", p.files},
		{"in the guard's standard error", func() string {
			return p.search.traces("standard error", []byte(p.stderr+p.p.said()))
		}},
	}
}

func (p *plot) allowed(i int) {
	m := p.request(i)
	m["action"], m["llm"] = map[string]any{"kind": "back"}, map[string]any{"reason": p.sentence(i, "llm.reason")}
	delete(m, "target")
	m["screen"] = map[string]any{"package": "com.example.reader", "tree": fmt.Sprintf(`<hierarchy><node class="android.widget.TextView" text=%s clickable="true" bounds="[0,0][900,900]"/></hierarchy>`, xmlQuoted(p.sentence(i, "tree")))}
	p.say(i, "/v1/actions", m)
}

func xmlQuoted(s string) string {
	return `"` + strings.NewReplacer("&", "&amp;", `"`, "&quot;", "<", "&lt;", "\n", "&#10;").Replace(s) + `"`
}

func (p *plot) approved(i int) {
	m := p.request(i)
	v := p.say(i, "/v1/actions", m)
	if v.Status != 202 {
		return // refused already, which is counted
	}
	p.did(p.owner.Approve(p.t.Context(), v.ID, v.Digest, ""))
	p.poll(i, v.ID, "")
	if i%2 == 0 { // a screen that changed names what differs
		m["target"].(map[string]any)["dialog_message"] = p.sentence(i+1, "dialog_message")
	}
	look := map[string]any{"target": m["target"], "screen": m["screen"], "action": m["action"]}
	p.say(i, "/v1/actions/"+v.ID+"/redeem", look)
	p.say(i, "/v1/actions/"+v.ID+"/result", map[string]any{"ok": i%3 > 0, "note": p.sentence(i, "note of a result")})
}

func (p *plot) denied(i int) {
	v := p.say(i, "/v1/actions", p.request(i))
	if v.Status != 202 {
		return
	}
	p.did(p.owner.Deny(p.t.Context(), v.ID, v.Digest, p.sentence(i, "note of a denial")))
	p.poll(i, v.ID, "")
	p.say(i, "/v1/actions/"+v.ID+"/redeem", fresh("com.whatsapp", p.sentence(i, "text")))
}

// expired puts the questions of a guard that does not wait long, and starts it
// anew as one that does.
func (p *plot) expired() string {
	held := make([]string, len(p.planted)+1)
	manyAtOnce(len(p.planted), func(i int) {
		if v := p.say(i, "/v1/actions", p.request(i)); v.Status == http.StatusAccepted {
			held[i] = v.ID
		}
	})
	manyAtOnce(len(p.planted), func(i int) {
		if held[i] != "" {
			p.poll(i, held[i], "?wait=30s")
		}
	})
	p.stderr += p.p.said()
	p.again(usual...)
	p.stderr += p.p.said()
	for i := range p.agents {
		p.agents[i].url = p.agent.url
	}
	return p.told()
}

func (p *plot) typed(i int) {
	whole := p.planted[i%len(p.planted)].Secret
	p.mu.Lock()
	p.places["typed into a password field"]++
	p.mu.Unlock()
	for _, m := range []map[string]any{
		{"action": map[string]any{"kind": "type", "text": p.sentence(i, "typed text")}, "screen": map[string]any{"package": "com.example.notes"}, "target": map[string]any{"hint": "Note", "class": "android.widget.EditText", "focused": true}},
		{"action": map[string]any{"kind": "type", "text": "beside " + whole}, "screen": map[string]any{"package": "com.example.notes"}, "target": map[string]any{"hint": "Password", "password": true, "class": "android.widget.EditText", "focused": true}},
		{"action": map[string]any{"kind": "shell", "shell": "input text " + asTyped(p.sentence(i, "shell line"))}},
	} {
		if v := p.say(i, "/v1/actions", m); v.Status == 202 {
			p.say(i, "/v1/actions/"+v.ID+"/result", `{"ok": true}`) // before the release, which is a conflict
			p.did(p.owner.Revoke(p.t.Context(), v.ID, v.Digest, p.sentence(i, "note of a revoke")))
			p.poll(i, v.ID, "")
		}
	}
}

// asTyped quotes a sentence for a shell. What SECURITY.md says is not found, a
// text whose blanks are spelled %s, is not tried here.
func asTyped(s string) string {
	return `"Hi. ` + strings.NewReplacer(`"`, `'`, "`", "'", "$", "", "\\", "", "\n", " ").Replace(s) + `"`
}

func (p *plot) refusedOnes(i int) {
	m := p.request(i)
	m["action"] = map[string]any{"kind": "shell", "shell": "settings put secure enabled_accessibility_services a/.b; input text " + asTyped(p.sentence(i, "shell line that is refused"))}
	if v := p.say(i, "/v1/actions", m); v.Outcome != "deny" {
		p.t.Errorf("it is not refused: %+v", v)
	}
	m = p.request(i)
	m["device"] = p.sentence(i, "device")
	p.say(i, "/v1/actions", m)
}

func (p *plot) malformed(i int) {
	text := toJSON(p.sentence(i, "malformed requests"))
	for _, body := range []string{
		`{"action": {"kind": "tap"}, ` + text + `: 1}`, `{"action": {"kind": ` + text + `}}`, `{"action": {"kind": "tap", "x": ` + text + `}}`,
		text, p.planted[i%len(p.planted)].Text, `{"action": {"kind": "tap"}, "now": ` + text + `}`, `{"action": {"kind": "tap"}, "agent": ` + text + `}`,
	} {
		p.say(i, "/v1/actions", body)
	}
}

func (p *plot) elsewhere(i int) {
	m := p.request(i)
	p.say(i, "/v1/decide", m) // its id would come back as it is sent, for the agent to know it by
	m["id"], m["idempotency_key"] = plainly(p.sentence(i, "id")), plainly(p.sentence(i, "idempotency_key"))
	if v := p.say(i, "/v1/actions", m); v.Status == 202 {
		p.did(p.owner.Revoke(p.t.Context(), v.ID, v.Digest, ""))
	}
	p.say(i, "/v1/agent/step", map[string]any{
		"task": p.sentence(i, "task"), "screen_description": p.sentence(i, "screen_description"), "current_package": "com.example.reader", "history": []string{p.sentence(i, "history")},
		"proposed_action": map[string]any{"kind": "tap", "text": p.sentence(i, "step's text"), "content_desc": p.sentence(i, "step's content_desc")},
	})
	if i%40 != 0 {
		return
	}
	for _, q := range p.open() { // room for the next questions
		p.did(p.owner.Revoke(p.t.Context(), q.ID, q.Digest, ""))
	}
}

// rows are the record and the questions, one by one: a long text may be cut in
// two in the file.
func (p *plot) rows() string {
	record, err := sqlite.OpenReadOnly(p.t.Context(), filepath.Join(p.p.home, daemon.DatabaseFile))
	if err != nil {
		return err.Error()
	}
	defer record.Close()
	var all bytes.Buffer
	for after := int64(0); ; {
		rows, err := record.Rows(p.t.Context(), after, 1000)
		if err != nil {
			return err.Error()
		}
		if len(rows) == 0 {
			break
		}
		for i := range rows {
			all.Write(rows[i].Data)
			all.WriteByte('\n')
			after = rows[i].Seq
		}
	}
	questions, err := record.Approvals(p.t.Context(), hold.Query{Limit: 1 << 20})
	if err != nil {
		return err.Error()
	}
	for i := range questions {
		all.WriteString(toJSON(questions[i]))
	}
	if len(questions) < 3*len(p.planted) {
		return fmt.Sprintf("only %d questions were put", len(questions))
	}
	return p.search.traces("rows", all.Bytes())
}

// files are the bytes on the disk, while the guard runs, after it has stopped,
// and after it has come back.
func (p *plot) files() string {
	got := p.inFile(daemon.DatabaseFile + "-wal")
	p.leave() // which writes the log into the database
	p.stderr += p.p.said()
	got += p.inFile(daemon.DatabaseFile)
	p.p = up(p.t, p.p.home, usual)
	p.enter()
	list, err := p.owner.List(p.t.Context(), client.ListAll, 500)
	if err != nil {
		return err.Error()
	}
	got += p.search.traces("what the guard knows after a restart", []byte(toJSON(list)))
	p.t.Logf("%d secrets were planted %d times in %d requests: %v; what became of them: %v", len(p.planted), sum(p.places), p.requests, p.places, p.states)
	if len(p.planted) < 100 || p.states[approval.Releasing.String()] == 0 || p.states[approval.Denied.String()] == 0 || p.states[approval.Expired.String()] == 0 {
		got += fmt.Sprintf("too little was tried: %v", p.states)
	}
	return got
}

func sum(counts map[string]int) (n int) {
	for _, c := range counts {
		n += c
	}
	return n
}

// inFile looks through a file of the home folder.
func (p *plot) inFile(name string) string {
	data, err := os.ReadFile(filepath.Join(p.p.home, name))
	if err != nil {
		return err.Error()
	}
	if len(data) < 1<<20 {
		return fmt.Sprintf("%s has %d bytes, it must be looked for elsewhere", name, len(data))
	}
	p.t.Logf("%s has %d kB", name, len(data)>>10)
	return p.search.traces(name, data)
}
