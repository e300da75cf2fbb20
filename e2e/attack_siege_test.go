package e2e

import (
	"bufio"
	"bytes"
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/countersign/countersign/approval"
	"github.com/countersign/countersign/daemon"
	"github.com/countersign/countersign/hold"
	"github.com/countersign/countersign/identity/passkeytest"
	"github.com/countersign/countersign/ledger"
	"github.com/countersign/countersign/store/sqlite"
)

// siege is a guard under attack: two agents, two approvers, one of them signed
// in with a browser and with a passkey, two questions that nobody has answered,
// of which a grant may be given with the second, and an open grant.
type siege struct {
	*guard
	record    *sqlite.Store
	read      int64 // the last row that was looked at
	approver  string
	second    string // the other approver's credential
	other     httpAgent
	cookie    string
	host      string // the inbox's name and port
	addr      map[string][2]string
	question  approval.Approval
	grantable approval.Approval
	grant     string
	passkey   *passkeytest.Authenticator
}

// The doors.
const (
	atInbox  = "inbox"
	atOwner  = "the owner's socket"
	atAgents = "the agents' port"
	atSocket = "the agents' socket"
	atRemote = "the inbox for other devices" // where there is one
)

// A word that only those may read who may read the question.
const victim = "Ottoline"

func besiege(t *testing.T, change ...func(*daemon.Options)) *siege {
	t.Helper()
	sockets, err := os.MkdirTemp("", "countersign-attack-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(sockets) })
	change = append([]func(*daemon.Options){func(o *daemon.Options) {
		o.AgentSocket, o.Cooldown = filepath.Join(sockets, "agents"), time.Nanosecond
	}}, change...)
	g := startGuard(t, change...)
	s := &siege{guard: g, record: g.record(), approver: g.file(daemon.ApproverTokenFile)}
	ctx := context.Background()
	_, s.second, err = g.d.Registry().AddApprover(ctx, "second")
	s.must(err)
	s.other = s.newAgent("victim")
	s.host = strings.TrimPrefix(g.d.InboxURL(), "http://")
	_, port, err := net.SplitHostPort(s.host)
	s.must(err)
	s.addr = map[string][2]string{
		atInbox: {"tcp", "127.0.0.1:" + port}, atAgents: {"tcp", strings.TrimPrefix(g.d.AgentsURL(), "http://")},
		atOwner: {"unix", g.d.Socket()}, atSocket: {"unix", g.o.AgentSocket},
	}
	if remote, _ := g.d.RemoteURL(); remote != "" {
		_, port, err := net.SplitHostPort(strings.TrimPrefix(remote, "https://"))
		s.must(err)
		s.addr[atRemote] = [2]string{"tls", "127.0.0.1:" + port}
	}
	s.cookie = s.signIn(daemon.FirstApprover)
	s.passkey = s.enrol(s.cookie, "laptop")
	s.ask()
	return s
}

func (s *siege) must(err error) {
	s.t.Helper()
	if err != nil {
		s.t.Fatal(err)
	}
}

func (s *siege) newAgent(name string, devices ...string) httpAgent {
	s.t.Helper()
	_, token, err := s.d.Registry().AddAgent(context.Background(), name, devices, daemon.FirstApprover)
	s.must(err)
	return httpAgent{t: s.t, url: s.d.AgentsURL(), token: token}
}

// ask makes sure that the question is open, and is another one when it was
// answered.
func (s *siege) ask() {
	s.t.Helper()
	v := s.other.propose(tap("com.whatsapp", "Send to "+victim))
	if v.Approval.State == "approved" {
		_, err := s.d.Desk().Revoke(context.Background(), v.ID, daemon.FirstApprover, "terminal", "")
		s.must(err)
		v = s.other.propose(tap("com.whatsapp", "Send to "+victim))
	}
	if v.Approval.State != "pending" {
		s.t.Fatalf("the question: %+v", v)
	}
	var err error
	s.question, err = s.d.Desk().View(context.Background(), v.ID)
	s.must(err)
	s.askGrantable()
	s.news()
}

// ticket makes a sign-in link for an approver.
func (s *siege) ticket(approver string) string {
	s.t.Helper()
	ticket, _, err := s.d.Registry().SignInTicket(context.Background(), approver)
	s.must(err)
	return ticket
}

// signIn signs an approver in as a browser does.
func (s *siege) signIn(approver string) string {
	s.t.Helper()
	r := s.send(form(s.host, "/sign-in", "ticket="+s.ticket(approver)))
	for _, c := range (&http.Response{Header: r.header}).Cookies() {
		if c.Name == "countersign" && r.status == http.StatusSeeOther {
			return c.Value
		}
	}
	s.t.Fatalf("signing in: %s", r.raw)
	return ""
}

// door is the one that the owner's session was begun at.
func (s *siege) door() string {
	name, _, _ := strings.Cut(s.host, ":")
	return "http://" + name
}

// wire is a request, byte for byte but for what is always the same: the Host of
// the door unless there is one, and the length of the body.
type wire struct {
	door, method, target string
	header               []string
	body                 string
}

// form is what the browser sends for a form of our own page.
func form(host, path, body string) wire {
	return wire{atInbox, "POST", path, []string{"Origin: http://" + host, "Content-Type: application/x-www-form-urlencoded", "Sec-Fetch-Site: same-origin"}, body}
}

func (w wire) with(header ...string) wire {
	w.header = append(slices.Clone(w.header), header...)
	return w
}

// without takes headers away, by their names.
func (w wire) without(names ...string) wire {
	w.header = slices.DeleteFunc(slices.Clone(w.header), func(h string) bool {
		return slices.ContainsFunc(names, func(n string) bool { return hasHeader([]string{h}, n) })
	})
	return w
}

func hasHeader(header []string, name string) bool {
	return slices.ContainsFunc(header, func(h string) bool { return strings.HasPrefix(strings.ToLower(h), strings.ToLower(name)+":") })
}

func (s *siege) text(w wire) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s HTTP/1.1\r\n", w.method, w.target)
	if !hasHeader(w.header, "Host") {
		fmt.Fprintf(&b, "Host: %s\r\n", s.hostOf(w.door))
	}
	for _, h := range w.header {
		b.WriteString(h + "\r\n")
	}
	if w.body != "" && !hasHeader(w.header, "Content-Length") && !hasHeader(w.header, "Transfer-Encoding") {
		fmt.Fprintf(&b, "Content-Length: %d\r\n", len(w.body))
	}
	b.WriteString("Connection: close\r\n\r\n" + w.body)
	return b.String()
}

func (s *siege) hostOf(door string) string {
	switch door {
	case atInbox:
		return s.host
	case atOwner:
		return "countersign"
	case atRemote:
		_, port, _ := net.SplitHostPort(s.addr[atRemote][1])
		return net.JoinHostPort(remoteName, port)
	}
	return "localhost"
}

// heard is what came back.
type heard struct {
	status int
	header http.Header
	body   string
	raw    string
}

func (s *siege) send(w wire) heard {
	s.t.Helper()
	return s.rawly(w.door, s.text(w))
}

// rawly sends bytes to a door and reads what comes until the door closes.
func (s *siege) rawly(door, text string) heard {
	s.t.Helper()
	c, err := s.dial(door)
	s.must(err)
	defer c.Close()
	s.must(c.SetDeadline(time.Now().Add(patience)))
	// A door that closes in the middle has answered all the same.
	_, _ = io.WriteString(c, text)
	raw, err := io.ReadAll(c)
	if err != nil && errors.Is(err, os.ErrDeadlineExceeded) {
		s.t.Errorf("no answer to %.200q", text)
	}
	h := heard{raw: string(raw)}
	resp, err := http.ReadResponse(bufio.NewReader(bytes.NewReader(raw)), &http.Request{Method: methodIn(text)})
	if err != nil {
		return h
	}
	defer resp.Body.Close()
	body, _ := io.ReadAll(resp.Body)
	h.status, h.header, h.body = resp.StatusCode, resp.Header, string(body)
	return h
}

// dial opens a connection to a door. Whether the certificate is the guard's is
// not for an attacker to mind.
func (s *siege) dial(door string) (net.Conn, error) {
	if at := s.addr[door]; at[0] != "tls" {
		return net.Dial(at[0], at[1])
	}
	return tls.Dial("tcp", s.addr[door][1], &tls.Config{InsecureSkipVerify: true, ServerName: remoteName})
}

func methodIn(text string) string {
	method, _, _ := strings.Cut(text, " ")
	return method
}

// secretForm is any credential, ticket or cookie.
var secretForm = regexp.MustCompile(`cs[a-z]_[a-z2-7]{52}`)

// told is what an answer gives away, in words.
func (s *siege) told(h heard) string {
	for what, text := range map[string]string{
		"the question": victim, "the list of questions": `<li data-id="`, "the name of the inbox": s.host[:strings.IndexByte(s.host, '.')],
		"the other agents": `"name":"victim"`, "the approvers": `"name":"second"`, "the evidence": `"evidence"`, "why the tier": `"tier_why"`, "a challenge": `"challenge"`,
	} {
		if strings.Contains(h.raw, text) {
			return "it was told " + what
		}
	}
	if secretForm.MatchString(h.raw) {
		return "it was told a credential"
	}
	return ""
}

// moved are the kinds of rows that an attack may not cause.
var moved = []ledger.Kind{
	ledger.KindTransition, ledger.KindResult, ledger.KindFreeze, ledger.KindUnfreeze, ledger.KindPolicy, ledger.KindCredential,
	ledger.KindStart, ledger.KindStop, ledger.KindLabel, ledger.KindGrant, ledger.KindChannel,
}

// news is what has happened since the last look, in words: the rows that say
// that something changed.
func (s *siege) news() string {
	s.t.Helper()
	var all []string
	for {
		rows, err := s.record.Rows(context.Background(), s.read, 1000)
		s.must(err)
		if len(rows) == 0 {
			return strings.Join(all, "; ")
		}
		for i := range rows {
			s.read = rows[i].Seq
			if slices.Contains(moved, rows[i].Kind) {
				all = append(all, string(rows[i].Kind)+" "+string(rows[i].Body))
			}
		}
	}
}

// standing is what no row is written about, or what could be changed behind the
// record: the question, who may ask and answer, the freeze, the session.
func (s *siege) standing() string {
	ctx := context.Background()
	a, err := s.d.Desk().View(ctx, s.question.ID)
	s.must(err)
	f, err := s.d.Desk().Frozen(ctx)
	s.must(err)
	agents, err := s.d.Registry().Agents(ctx)
	s.must(err)
	approvers, err := s.d.Registry().Approvers(ctx)
	s.must(err)
	// What the first approver is called in the registry, as long as the session lives.
	who, _, err := s.d.Registry().Session(ctx, s.cookie, s.door())
	names := map[string]bool{}
	for i := range agents {
		names[agents[i].Name] = agents[i].Revoked()
	}
	for i := range approvers {
		names["approver "+approvers[i].Name] = approvers[i].Revoked()
	}
	var list []string
	for _, n := range slices.Sorted(maps.Keys(names)) {
		list = append(list, fmt.Sprint(n, names[n]))
	}
	return fmt.Sprint(a.State, f.Frozen, list, who.Name, err, s.d.PolicyName(), s.keysAndGrants())
}

// effect runs an attempt and says what it achieved: something moved, or
// something was told.
func (s *siege) effect(try func() heard) string {
	s.t.Helper()
	told := ""
	moved := s.change(func() heard {
		h := try()
		told = s.told(h)
		return h
	})
	return told + moved
}

// change is the effect of an attempt of somebody who may read.
func (s *siege) change(try func() heard) string {
	s.t.Helper()
	s.news()
	before := s.standing()
	h := try()
	what := ""
	if news := s.news(); news != "" {
		what = " a row was written: " + news
	}
	if after := s.standing(); after != before {
		what += fmt.Sprintf(" it was %s, is %s", before, after)
	}
	if what != "" {
		what += fmt.Sprintf(" (answer %.300q)", h.raw)
		s.restore()
	}
	return what
}

// sending is a way that consists of one request.
func (s *siege) sending(name string, w wire) way {
	return way{name, func() string { return s.effect(func() heard { return s.send(w) }) }}
}

// sendingRaw is one of bytes.
func (s *siege) sendingRaw(name, door, text string) way {
	return way{name, func() string { return s.effect(func() heard { return s.rawly(door, text) }) }}
}

// asked puts a question by an agent and returns it.
func (s *siege) asked(a httpAgent, body any) approval.Approval {
	s.t.Helper()
	v := a.propose(body)
	if v.Approval.State != "pending" {
		s.t.Fatalf("not held: %+v", v)
	}
	q, err := s.d.Desk().View(context.Background(), v.ID)
	s.must(err)
	return q
}

// answered puts a question and answers it.
func (s *siege) answered(a httpAgent, body any, yes bool) approval.Approval {
	s.t.Helper()
	q := s.asked(a, body)
	q, err := s.d.Desk().Answer(context.Background(), hold.Answer{ID: q.ID, Digest: q.Digest, Yes: yes, By: daemon.FirstApprover, How: "terminal"})
	s.must(err)
	return q
}

func toJSON(v any) string {
	doc, err := json.Marshal(v)
	if err != nil {
		panic(err) // only literals of the tests come here
	}
	return string(doc)
}
