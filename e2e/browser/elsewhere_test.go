package browser

import (
	"fmt"
	"html"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"github.com/countersign/countersign/approval"
)

// elsewhere serves one page at every address, on a port of its own.
func elsewhere(t *testing.T, content func() string) (port string) {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = io.WriteString(w, "<!doctype html><title>Elsewhere</title>"+content())
	}))
	t.Cleanup(s.Close)
	_, port, err := net.SplitHostPort(s.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	return port
}

// inboxName is the name that nobody guesses.
func (g *guard) inboxName() string {
	g.t.Helper()
	u, err := url.Parse(g.d.InboxURL())
	if err != nil {
		g.t.Fatal(err)
	}
	return u.Hostname()
}

// framed are the addresses that the frames of a page show, by what they were asked
// to show. The browser puts a page of its own in the place of what may not be
// framed.
func (p *person) framed() []string {
	p.t.Helper()
	p.waits("the frames are loaded", `document.body.dataset.loaded === "ab"`)
	tree := call(p, page.GetFrameTree, struct{}{}).FrameTree
	var shown []string
	for _, child := range tree.ChildFrames {
		shown = append(shown, child.Frame.URL)
	}
	// A frame of another site is a target of its own.
	targets, err := chromedp.Targets(p.tab)
	if err != nil {
		p.t.Fatal(err)
	}
	for _, one := range targets {
		if one.Type == "iframe" && one.ParentFrameID == tree.Frame.ID {
			// Its address there is the one that was asked for, whatever it shows.
			in, leave := chromedp.NewContext(p.tab, chromedp.WithTargetID(one.TargetID), chromedp.WithDetachOnCancel())
			shown = append(shown, get(&person{t: p.t, g: p.g, tab: in}, chromedp.Evaluate[string](`location.href`)))
			leave()
		}
	}
	return shown
}

// Nobody else's page shows the inbox in a frame of its own, to have it pressed
// there: neither one of another host nor one of another port of the same name.
func TestTheInboxIsInNoFrame(t *testing.T) {
	t.Parallel()
	g := startGuard(t)
	p := newPerson(t, g, desktop)
	p.signIn("owner")
	id := g.ask(chat("Anna", "Hello"))
	other := "http://" + net.JoinHostPort("127.0.0.1", elsewhere(t, func() string { return "This may be framed" })) + "/"
	cases := 0
	for _, path := range []string{"/", "/approvals/" + id, "/approvals/" + id + "/screen", "/sign-in?ticket=x", "/history", "/nothing"} {
		port := elsewhere(t, func() string {
			return fmt.Sprintf(`<body data-loaded=""><h1>Win a phone</h1><iframe src=%q onload="document.body.dataset.loaded = [...document.body.dataset.loaded + 'a'].sort().join('')" width=800 height=600></iframe>
				<iframe src=%q onload="document.body.dataset.loaded = [...document.body.dataset.loaded + 'b'].sort().join('')"></iframe>`, g.d.InboxURL()+path, other)
		})
		for _, host := range []string{"127.0.0.1", g.inboxName()} {
			p.do(chromedp.Navigate("http://" + net.JoinHostPort(host, port) + "/"))
			shown := p.framed()
			if !slices.Contains(shown, other) {
				t.Fatalf("in a page of %s not even %s is framed, only %q", host, other, shown)
			}
			for _, address := range shown {
				if address != other && !strings.HasPrefix(address, "chrome-error:") {
					t.Errorf("%s in a page of %s: the frame shows %s", path, host, address)
				}
			}
			if len(shown) != 2 {
				t.Errorf("%s in a page of %s: the frames show %q", path, host, shown)
			}
			cases++
		}
	}
	if cases != 12 {
		t.Errorf("%d cases, want 12", cases)
	}
}

// A page on another port of the inbox's own name is the same site to a browser, so
// that it sends the cookie along. Still such a page reads nothing and changes
// nothing, and neither does one of another host.
func TestAnotherPortReadsAndSendsNothing(t *testing.T) {
	t.Parallel()
	g := startGuard(t)
	p := newPerson(t, g, desktop)
	p.signIn("owner")
	id := g.ask(chat("Anna", "Hello"))
	digest := g.question(id).Digest
	fields := map[string]string{"answer": "approve", "digest": digest, "csrf": "x", "sure": "yes", "label": "needless", "note": "x"}
	var inputs strings.Builder
	for name, value := range fields {
		fmt.Fprintf(&inputs, `<input name=%q value=%q>`, name, html.EscapeString(value))
	}
	targets := []string{"/approvals/" + id + "/answer", "/approvals/" + id + "/label", "/freeze", "/unfreeze", "/sign-out"}
	port := elsewhere(t, func() string {
		var forms strings.Builder
		for i, target := range targets {
			fmt.Fprintf(&forms, `<form id="f%d" method="post" action=%q>%s</form>`, i, g.d.InboxURL()+target, inputs.String())
		}
		return "<h1>Elsewhere</h1>" + forms.String()
	})
	before := g.length()
	cases := 0
	for _, host := range []string{g.inboxName(), "127.0.0.1"} {
		home := "http://" + net.JoinHostPort(host, port) + "/"
		p.do(chromedp.Navigate(home))
		p.shows("h1", "Elsewhere")
		if cookie := is[string](p, `document.cookie`); cookie != "" {
			t.Errorf("%s: the page's script has the cookie", host)
		}
		for _, try := range []string{
			`fetch(INBOX + "/", {credentials: "include"})`,
			`fetch(INBOX + "/approvals/" + ID, {credentials: "include"})`,
			`fetch(INBOX + "/events", {credentials: "include"})`,
			`fetch(INBOX + "/v1/approvals", {credentials: "include"})`,
			`fetch(INBOX + "/v1/approvals/" + ID + "/approve", {method: "POST", credentials: "include", headers: {"Content-Type": "application/json"}, body: BODY})`,
			`fetch(INBOX + "/v1/approvals/" + ID + "/approve", {method: "POST", credentials: "include", mode: "no-cors", body: BODY})`,
			`fetch(INBOX + "/approvals/" + ID + "/answer", {method: "POST", credentials: "include", mode: "no-cors", body: new URLSearchParams({answer: "approve", digest: DIGEST})})`,
			`fetch(INBOX + "/", {credentials: "include", mode: "no-cors"})`,
			`new Promise((done, fail) => { const i = new Image(); i.onload = () => done({text: () => "a picture"}); i.onerror = fail; i.src = INBOX + "/approvals/" + ID + "/screen"; })`,
			`new Promise((done, fail) => { const s = new EventSource(INBOX + "/events", {withCredentials: true}); s.onopen = () => done({text: () => "a stream"}); s.onerror = fail; })`,
		} {
			got := get(p, chromedp.Evaluate[string](fmt.Sprintf(`(() => { const INBOX = %s, ID = %s, DIGEST = %s, BODY = JSON.stringify({digest: DIGEST});
				return %s.then(r => r.text(), () => "").catch(() => ""); })()`, js(g.d.InboxURL()), js(id), js(digest), try), chromedp.EvalAwaitPromise))
			if got != "" {
				t.Errorf("%s: %s reads %.100q", host, try, got)
			}
			cases++
		}
		for i, target := range targets {
			p.do(chromedp.Navigate(home))
			is[any](p, fmt.Sprintf(`document.getElementById("f%d").submit()`, i))
			p.shows("main", "Forbidden")
			if at := get(p, chromedp.Location()); at != g.d.InboxURL()+target {
				t.Errorf("%s: the form went to %s", host, at)
			}
			cases++
		}
	}
	if cases != 30 {
		t.Errorf("%d cases, want 30", cases)
	}
	g.wantState(id, approval.Pending)
	if after := g.length(); after != before {
		t.Errorf("the record had %d rows and has %d", before, after)
	}
	p.open("/")
	p.shows("#items", "Anna") // and is still signed in
}

// The agent opens the inbox in the browser of the guarded phone: whatever it does
// there is refused as a way round the guard, and so is going there.
func TestTheInboxOnTheGuardedPhone(t *testing.T) {
	t.Parallel()
	g := startGuard(t)
	id := g.ask(chat("Anna", "Hello"))
	cases := 0
	for _, c := range []struct {
		name, address, title, button string
		action                       map[string]any
	}{
		{"the address is in the bar", g.d.InboxURL() + "/approvals/" + id, "A page", "Approve", nil},
		{"the bar leaves the scheme out", g.inboxName() + "/approvals/" + id, "A page", "Continue", nil},
		{"the title is ours", "", "Questions · Countersign", "Approve", nil},
		{"a link that opens it", "", "A page", "", map[string]any{"kind": "open_link", "intent": g.d.InboxURL() + "/"}},
		{"a shell line that opens it", "", "A page", "", map[string]any{"kind": "shell", "shell": "am start -a android.intent.action.VIEW -d " + g.d.InboxURL() + "/approvals/" + id}},
		{"the address is typed", "", "A page", "", map[string]any{"kind": "type", "text": g.d.InboxURL()}},
	} {
		action := c.action
		if action == nil {
			action = map[string]any{"kind": "tap", "x": 540, "y": 1250}
		}
		h := g.decide(map[string]any{"action": action, "screen": map[string]any{
			"package": "com.android.chrome", "width": 1080, "height": 2400, "tree": inBrowser(c.address, c.title, c.button),
		}})
		if h.Outcome != "deny" || h.Category != "bypass" {
			t.Errorf("%s: %s as %s, want it denied as bypass", c.name, h.Outcome, h.Category)
		}
		cases++
	}
	if cases != 6 {
		t.Errorf("%d cases, want 6", cases)
	}
	// Any other page in the same browser is not.
	if h := g.decide(map[string]any{"action": map[string]any{"kind": "tap", "x": 540, "y": 1250}, "screen": map[string]any{
		"package": "com.android.chrome", "width": 1080, "height": 2400, "tree": inBrowser("https://example.com/", "Example", "Read more"),
	}}); h.Category == "bypass" {
		t.Errorf("a page of somebody else's: %s as %s", h.Outcome, h.Category)
	}
}
