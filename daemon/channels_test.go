package daemon

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/countersign/countersign/approval"
	"github.com/countersign/countersign/channel/client"
	"github.com/countersign/countersign/channel/notice"
	"github.com/countersign/countersign/channel/webhook"
	"github.com/countersign/countersign/decide"
	"github.com/countersign/countersign/hold"
	"github.com/countersign/countersign/ledger"
	"github.com/countersign/countersign/risk"
)

// guard is a running guard with channels, and its owner's terminal.
type guard struct {
	*Daemon
	t     *testing.T
	owner *client.Client
}

// startGuard starts a guard with a policy and a file of channels.
func startGuard(t *testing.T, policyFile, channelsFile string, change ...func(*Options)) *guard {
	t.Helper()
	home, err := os.MkdirTemp("", "guard") // the test's own folder can be too long for a socket
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(home) })
	o := Options{Home: home, Agents: "127.0.0.1:0", Inbox: "127.0.0.1:0", Version: "test", Policy: filepath.Join(home, "mine.yaml")}
	write(t, o.Policy, policyFile)
	write(t, filepath.Join(home, "house.secret"), hookSecret)
	if channelsFile != "" {
		write(t, filepath.Join(home, ChannelsFile), channelsFile)
	}
	for _, ch := range change {
		ch(&o)
	}
	d, err := New(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := d.Stop(context.Background()); err != nil {
			t.Error(err)
		}
	})
	owner, err := client.Open(client.Options{Socket: d.Socket(), TokenFile: filepath.Join(home, ApproverTokenFile)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(owner.Close)
	return &guard{d, t, owner}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// send proposes to send a message to somebody.
func (g *guard) send(to string) hold.Ticket {
	g.t.Helper()
	ticket, err := g.Desk().Propose(g.t.Context(), hold.Proposal{Agent: "agt_1", AgentName: "robo", Request: &decide.Request{
		Action: risk.Action{Kind: risk.Tap}, Screen: &decide.Screen{Package: "com.whatsapp"}, Target: &decide.Target{Text: "Send to " + to},
	}})
	if err != nil {
		g.t.Fatal(err)
	}
	return ticket
}

// until waits until something is so; a test that waits in vain is ended from
// outside.
func (g *guard) until(what func() bool) {
	g.t.Helper()
	for !what() {
		select {
		case <-g.t.Context().Done():
			g.t.Fatal("it never came to that")
		case <-time.After(5 * time.Millisecond):
		}
	}
}

func (g *guard) channel(name string) notice.State {
	g.t.Helper()
	status, err := g.owner.Status(g.t.Context())
	if err != nil {
		g.t.Fatal(err)
	}
	for _, s := range status.Channels {
		if s.Name == name {
			return s
		}
	}
	g.t.Fatalf("there is no channel %s: %+v", name, status.Channels)
	return notice.State{}
}

// rows are the details of the rows about channels.
func (g *guard) rows() (details []string) {
	g.t.Helper()
	rows, err := g.store.Rows(g.t.Context(), 0, 1000)
	if err != nil {
		g.t.Fatal(err)
	}
	for _, r := range rows {
		if r.Kind == ledger.KindChannel {
			var c ledger.Change
			if err := json.Unmarshal(r.Body, &c); err != nil {
				g.t.Fatal(err)
			}
			details = append(details, c.What+" "+c.Detail)
		}
	}
	return details
}

// peer is a receiver of webhooks that answers one status after the other, and the
// last from then on.
func peer(t *testing.T, statuses ...int) (url string, came <-chan *http.Request) {
	t.Helper()
	all := make(chan *http.Request, 100)
	var mu sync.Mutex
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		r.Body = io.NopCloser(strings.NewReader(string(body)))
		mu.Lock()
		status := statuses[0]
		if len(statuses) > 1 {
			statuses = statuses[1:]
		}
		mu.Unlock()
		w.WriteHeader(status)
		all <- r
	}))
	t.Cleanup(s.Close)
	return s.URL, all
}

func house(url string) string {
	return fmt.Sprintf("channels:\n  house: { kind: webhook, url: %q, secret_file: house.secret }\n", url)
}

const plain = "version: 1\nextends: default\n"

// A question is told to a receiver that fails first, with its signature; the
// status and the record say so; and what is told is no answer.
func TestAQuestionIsTold(t *testing.T) {
	url, came := peer(t, 500, 200)
	g := startGuard(t, plain, house(url))
	if s := g.channel("house"); s.State != notice.Untried || s.Kind != "webhook" || !strings.HasPrefix(s.Where, "127.0.0.1:") {
		t.Errorf("before anything it is %+v", s)
	}
	ticket := g.send("Anna")
	secret, err := webhook.ReadSecret(hookSecret)
	if err != nil {
		t.Fatal(err)
	}
	for try := range 2 {
		r := <-came
		body, _ := io.ReadAll(r.Body)
		checkTold(t, r, body, ticket, secret)
		if try == 0 {
			g.until(func() bool { return g.channel("house").State == notice.Fails })
		}
	}
	g.until(func() bool { return len(g.rows()) == 2 })
	if got := strings.Join(g.rows(), "; "); got != "house fails: it answers 500 Internal Server Error; house works again" {
		t.Errorf("recorded: %s", got)
	}
	if s := g.channel("house"); s.State != notice.Works {
		t.Errorf("at the end it is %+v", s)
	}
	if told := g.board.Told(ticket.ID); len(told) != 1 || told[0].State != notice.Told {
		t.Errorf("of the question it says %+v", told)
	}
}

func checkTold(t *testing.T, r *http.Request, body []byte, ticket hold.Ticket, secret webhook.Secret) {
	t.Helper()
	var at int64
	if _, err := fmt.Sscan(r.Header.Get("webhook-timestamp"), &at); err != nil {
		t.Fatal(err)
	}
	if want := secret.Sign(ticket.ID, time.Unix(at, 0), body); r.Header.Get("webhook-id") != ticket.ID || r.Header.Get("webhook-signature") != want {
		t.Errorf("it is %q signed %q, want %q", r.Header.Get("webhook-id"), r.Header.Get("webhook-signature"), want)
	}
	var m notice.Message
	if err := json.Unmarshal(body, &m); err != nil || m.Type != notice.TypeQuestion || m.Data.Category != "message" || m.Data.Agent != "robo" || m.Data.Where != notice.AtTheComputer {
		t.Errorf("%v: %s", err, body)
	}
	for _, not := range []string{ticket.Digest, "hmac-sha256", "csp_", "csa_", "://", "localhost"} {
		if not == "" || strings.Contains(string(body), not) {
			t.Errorf("it has %q: %s", not, body)
		}
	}
}

// Where a channel is required, one that failed is nobody, until it works again or
// was left alone long enough.
func TestARequiredChannel(t *testing.T) {
	url, came := peer(t, 410, 200)
	g := startGuard(t, plain+"channels: { required: true }\n", house(url))
	if first := g.send("Anna"); first.Approval.State != approval.Pending {
		t.Fatalf("an untried channel is nobody: %+v", first.Approval)
	}
	<-came
	g.until(func() bool { return g.channel("house").State == notice.Fails })
	second := g.send("Bert")
	if second.Outcome != risk.Deny || second.Approval.State != approval.NoChannel || second.Code != approval.CodeNobody {
		t.Errorf("with a channel that fails: %v %+v", second.Outcome, second.Approval)
	}
	s, err := g.owner.TestChannel(t.Context(), "house")
	if err != nil || s.State != notice.Works {
		t.Fatalf("%+v, %v", s, err)
	}
	if third := g.send("Carl"); third.Approval.State != approval.Pending {
		t.Errorf("with a channel that works again: %+v", third.Approval)
	}
}

// A required channel that does not exist is nobody from the beginning.
func TestARequiredChannelThatIsNotThere(t *testing.T) {
	g := startGuard(t, plain+"channels: { required: true }\n", "")
	if ticket := g.send("Anna"); ticket.Approval.State != approval.NoChannel {
		t.Errorf("%+v", ticket.Approval)
	}
}

// In the quiet hours only what is excepted is told, and the question waits.
func TestQuietHoursOfAGuard(t *testing.T) {
	url, came := peer(t, 200)
	const quiet = `channels: { quiet: { from: "00:00", to: "12:00", zone: UTC, except: [critical] } }`
	night := time.Date(2036, 3, 4, 3, 0, 0, 0, time.UTC)
	g := startGuard(t, plain+quiet+"\n", house(url), func(o *Options) { o.Now = func() time.Time { return night } })
	silent := g.send("Anna")
	if silent.Approval.State != approval.Pending {
		t.Fatalf("at night the question is %+v", silent.Approval)
	}
	loud, err := g.Desk().Propose(t.Context(), hold.Proposal{Agent: "agt_1", AgentName: "robo", Request: &decide.Request{
		Action: risk.Action{Kind: risk.Tap}, Screen: &decide.Screen{Package: "com.paypal.android.p2pmobile"}, Target: &decide.Target{Text: "Pay now"},
	}})
	if err != nil || loud.Approval == nil || !loud.Approval.Card.Critical {
		t.Fatalf("%+v, %v", loud, err)
	}
	if r := <-came; r.Header.Get("webhook-id") != loud.ID {
		t.Errorf("told was %s, want the critical %s", r.Header.Get("webhook-id"), loud.ID)
	}
	if told := g.board.Told(silent.ID); len(told) != 0 {
		t.Errorf("of the other it says %+v", told)
	}
}

// A policy that names a channel which is not there is not put in force.
func TestAPolicyAndItsChannels(t *testing.T) {
	url, _ := peer(t, 200)
	routes := func(name string) string { return plain + "channels: { routes: [ { channels: [" + name + "] } ] }\n" }
	g := startGuard(t, routes("house"), house(url))
	before := g.PolicyName()
	write(t, g.options.Policy, routes("phone"))
	_, err := g.owner.Reload(t.Context())
	if err == nil || !strings.Contains(err.Error(), "names the channel phone, which is not there; there are house") || g.PolicyName() != before {
		t.Errorf("%v; in force is %s", err, g.PolicyName())
	}
	if got := g.rulesInForce().Route(risk.Money, risk.High, true, time.Now()); len(got) != 1 || got[0] != "house" {
		t.Errorf("it tells %q", got)
	}
	home := t.TempDir()
	write(t, filepath.Join(home, "mine.yaml"), routes("phone"))
	if err := os.Chmod(home, 0o700); err != nil {
		t.Fatal(err)
	}
	_, err = New(t.Context(), Options{Home: home, Policy: filepath.Join(home, "mine.yaml")})
	if err == nil || !strings.Contains(err.Error(), "names the channel phone, but there are no channels") {
		t.Errorf("at the start: %v", err)
	}
	_, err = New(t.Context(), Options{Home: home, Channels: filepath.Join(home, "none.yaml")})
	if err == nil || !strings.Contains(err.Error(), "read the channels") {
		t.Errorf("a file that is named and not there: %v", err)
	}
}

// A question that was answered while its channel failed is not told any more.
func TestAnAnsweredQuestionIsNotTold(t *testing.T) {
	url, came := peer(t, 500)
	g := startGuard(t, plain, house(url))
	ticket := g.send("Anna")
	<-came
	if _, err := g.owner.Deny(t.Context(), ticket.ID, ticket.Digest, ""); err != nil {
		t.Fatal(err)
	}
	g.until(func() bool { return g.board.Told(ticket.ID)[0].State == notice.Over })
	if n := len(came); n != 0 {
		t.Errorf("it was told %d times more", n)
	}
}

// A program of the owner's is told as well, and a guard can be stopped while it
// runs.
func TestAHook(t *testing.T) {
	home := t.TempDir()
	program := filepath.Join(home, "tell")
	if err := os.WriteFile(program, []byte("#!/bin/sh\ncat >"+filepath.Join(home, "told")+".part\nmv "+filepath.Join(home, "told")+".part "+filepath.Join(home, "told")+"\nexec sleep 3600\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	g := startGuard(t, plain, "channels:\n  desk: { kind: hook, command: ["+program+"], brief: true }\n")
	ticket := g.send("Anna")
	var told []byte
	g.until(func() (there bool) {
		var err error
		told, err = os.ReadFile(filepath.Join(home, "told"))
		return err == nil
	})
	var m notice.Message
	if err := json.Unmarshal(told, &m); err != nil || m.Data.ID != ticket.ID || m.Data.Sentence != "A question waits." || strings.Contains(string(told), "Anna") {
		t.Errorf("%v: %s", err, told)
	}
}
