package answer_test

import (
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/countersign/countersign/approval"
	"github.com/countersign/countersign/channel/answer"
	"github.com/countersign/countersign/identity"
)

// TestReportV09 is the table of the report, and what belongs beside it. Each row
// is tried on a question of its own; only the last may move one.
func TestReportV09(t *testing.T) {
	w := newWorld(t)
	cookie := w.cookie(host, "kim")
	const js, formType = "application/json", "application/x-www-form-urlencoded"
	tests := []struct {
		name string
		r    request
		want int
	}{
		// The report's own rows.
		{"attacker's page, text/plain", request{host: host, origin: "https://attacker.example", contentType: "text/plain", token: w.kim}, 403},
		{"a name that begins like ours", request{host: "127.0.0.1.attacker.example:8787", contentType: js, token: w.kim}, 403},
		{"no token", request{host: host, contentType: js}, 401},
		// The same in other ways.
		{"attacker's page, JSON", request{host: host, origin: "https://attacker.example", contentType: js, token: w.kim}, 403},
		{"text/plain, no origin", request{host: host, contentType: "text/plain", token: w.kim}, 415},
		{"no content type", request{host: host, token: w.kim}, 415},
		{"a form to the API", request{host: host, contentType: formType, token: w.kim}, 415},
		{"two kinds in one", request{host: host, contentType: "application/json, text/plain", token: w.kim}, 415},
		{"another port", request{host: "127.0.0.1:8788", contentType: js, token: w.kim}, 403},
		{"no port", request{host: "127.0.0.1", contentType: js, token: w.kim}, 403},
		{"localhost", request{host: "localhost:8787", contentType: js, token: w.kim}, 403},
		{"a dot at the end", request{host: "127.0.0.1.:8787", contentType: js, token: w.kim}, 403},
		{"a rebound name", request{host: "rebind.attacker.example:8787", contentType: js, cookie: cookie, origin: "http://rebind.attacker.example:8787"}, 403},
		{"the socket's name", request{host: "countersign", contentType: js, token: w.kim}, 403},
		{"null origin", request{host: host, origin: "null", contentType: js, token: w.kim}, 403},
		{"origin with another scheme", request{host: host, origin: "https://" + host, contentType: js, token: w.kim}, 403},
		{"our other name's origin", request{host: host, origin: "http://" + inbox, contentType: js, token: w.kim}, 403},
		{"cookie, another port of the same name", request{host: host, origin: "http://127.0.0.1:3000", contentType: js, cookie: cookie}, 403},
		{"cookie, no origin", request{host: host, contentType: js, cookie: cookie}, 403},
		{"cookie, no CSRF token", request{host: host, origin: origin, contentType: js, cookie: cookie}, 403},
		{"cookie, a form", request{host: host, origin: origin, contentType: formType, cookie: cookie}, 415},
		{"another site says the browser", request{host: host, origin: origin, contentType: js, token: w.kim, header: http.Header{"Sec-Fetch-Site": {"cross-site"}}}, 403},
		{"another port says the browser", request{host: host, origin: origin, contentType: js, token: w.kim, header: http.Header{"Sec-Fetch-Site": {"same-site"}}}, 403},
		{"an agent's token", request{host: host, contentType: js, token: w.robo}, 403},
		{"an agent's token and a right cookie", request{host: host, origin: origin, contentType: js, token: w.robo, cookie: cookie}, 403},
		{"an unknown token and a right cookie", request{host: host, origin: origin, contentType: js, token: "csp_" + strings.Repeat("a", 52), cookie: cookie}, 401},
		{"a token of another scheme", request{host: host, contentType: js, header: http.Header{"Authorization": {"Basic " + w.kim}}}, 401},
		{"two tokens", request{host: host, contentType: js, header: http.Header{"Authorization": {"Bearer " + w.kim, "Bearer " + w.kim}}}, 401},
		{"the cookie's secret as a token", request{host: host, contentType: js, token: cookie}, 401},
		{"an unknown way", request{host: host, contentType: js, token: w.kim, header: http.Header{"Countersign-How": {"telepathy"}}}, 400},
		{"GET", request{method: "GET", host: host, token: w.kim}, 405},
		{"GET of nobody", request{method: "GET", host: host}, 405},
		{"HEAD", request{method: "HEAD", host: host, token: w.kim}, 405},
		{"PUT", request{method: "PUT", host: host, contentType: js, token: w.kim}, 405},
		{"OPTIONS", request{method: "OPTIONS", host: host, contentType: js, token: w.kim}, 405},
		// The report's last row.
		{"same origin, JSON, a token", request{host: host, origin: origin, contentType: js, token: w.kim}, 200},
	}
	for _, tt := range tests {
		a := w.send(tt.name)
		tt.r.path = "/v1/approvals/" + a.ID + "/approve"
		if tt.r.method == "" {
			tt.r.method = "POST"
		}
		if tt.r.method != "GET" && tt.r.method != "HEAD" {
			tt.r.body = asJSON(t, answerTo(a))
		}
		res := w.do(tt.r)
		if res.status != tt.want {
			t.Errorf("%s: %d, want %d: %s", tt.name, res.status, tt.want, res.body)
		}
		want := approval.Pending
		if tt.want == 200 {
			want = approval.Approved
		}
		if got := w.state(a.ID); got != want {
			t.Errorf("%s: the question is %s, want %s", tt.name, got, want)
		}
		if tt.want == 405 && res.header.Get("Allow") != "POST" {
			t.Errorf("%s: Allow is %q", tt.name, res.header.Get("Allow"))
		}
		// Not one of these may fill up the agent's room for questions.
		if want == approval.Pending {
			w.post("/v1/approvals/"+a.ID+"/deny", answerTo(a)).want(t, tt.name+", then denied", 200, "")
		}
	}
	if len(tests) != 36 {
		t.Errorf("%d cases, want 36", len(tests))
	}
}

// TestNoHost: a request without a Host header is refused. net/http does that by
// itself for HTTP/1.1, so it is sent by hand as HTTP/1.0.
func TestNoHost(t *testing.T) {
	w := newWorld(t)
	a := w.send("nobody")
	body := asJSON(t, answerTo(a))
	for _, version := range []string{"HTTP/1.0", "HTTP/1.1"} {
		got := w.raw("POST /v1/approvals/" + a.ID + "/approve " + version + "\r\nContent-Type: application/json\r\nAuthorization: Bearer " + w.kim +
			"\r\nConnection: close\r\nContent-Length: " + strconv.Itoa(len(body)) + "\r\n\r\n" + body)
		if !strings.Contains(got, " 400 ") {
			t.Errorf("%s: %.200s", version, got)
		}
	}
	// A whole address in the request line stands above the header.
	got := w.raw("GET http://attacker.example/v1/approvals HTTP/1.1\r\nHost: " + host + "\r\nAuthorization: Bearer " + w.kim + "\r\nConnection: close\r\n\r\n")
	if !strings.Contains(got, " 403 ") {
		t.Errorf("a foreign address in the request line: %.200s", got)
	}
	if w.state(a.ID) != approval.Pending {
		t.Error("the question moved")
	}
}

// TestHeaders: every answer, also a refusal, carries what protects it, and allows
// no more than it needs.
func TestHeaders(t *testing.T) {
	w := newWorld(t)
	cookie := w.cookie(host, "kim")
	a := w.propose(onTree("Send"))
	const (
		ours  = "a page"
		image = "a picture"
	)
	answers := []struct {
		what string
		kind string
		r    response
	}{
		{"list", ours, w.page("/", cookie)},
		{"list, a part", ours, w.page("/?part=list", cookie)},
		{"card", ours, w.page("/approvals/"+a.ID, cookie)},
		{"card, a part", ours, w.page("/approvals/"+a.ID+"?part=state", cookie)},
		{"record", ours, w.page("/approvals/"+a.ID+"/record", cookie)},
		{"history", ours, w.page("/history", cookie)},
		{"actions", ours, w.page("/actions", cookie)},
		{"grants", ours, w.page("/grants", cookie)},
		{"nothing", ours, w.page("/nothing", cookie)},
		{"no question", ours, w.page("/approvals/a_nothing", cookie)},
		{"no picture", ours, w.page("/approvals/a_nothing/screen", cookie)},
		{"sign-in", ours, w.page("/", "")},
		{"link", ours, w.page("/sign-in?ticket=x", "")},
		{"events, head", ours, w.do(request{method: "HEAD", path: "/events", host: host, cookie: cookie})},
		{"API", ours, w.get("/v1/approvals")},
		{"API, refused", ours, w.do(request{method: "GET", path: "/v1/approvals", host: host})},
		{"API, not there", ours, w.get("/v1/nothing")},
		{"foreign host", ours, w.do(request{method: "GET", path: "/", host: "attacker.example"})},
		{"screen", image, w.page("/approvals/"+a.ID+"/screen", cookie)},
		{"icon", image, w.page("/icon.svg?n=3", "")},
	}
	hash := `'sha256-[A-Za-z0-9+/]{43}='`
	policies := map[string]*regexp.Regexp{
		ours: regexp.MustCompile(`^default-src 'none'; style-src ` + hash + `; script-src ` + hash + `; img-src 'self'; connect-src 'self'; form-action 'self'; ` +
			`frame-ancestors 'none'; base-uri 'none'; require-trusted-types-for 'script'; trusted-types 'none'$`),
		image: regexp.MustCompile(`^default-src 'none'; img-src data:; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox$`),
	}
	for _, tt := range answers {
		for name, want := range map[string]string{
			"Cache-Control": "no-store", "X-Content-Type-Options": "nosniff", "X-Frame-Options": "DENY",
			"Referrer-Policy": "same-origin", "Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Resource-Policy": "same-origin",
			"Access-Control-Allow-Origin": "",
		} {
			if got := tt.r.header.Get(name); got != want {
				t.Errorf("%s: %s is %q, want %q", tt.what, name, got, want)
			}
		}
		if csp := tt.r.header.Values("Content-Security-Policy"); len(csp) != 1 || !policies[tt.kind].MatchString(csp[0]) {
			t.Errorf("%s: the policy is %q, which is not that of %s", tt.what, csp, tt.kind)
		}
		if got := tt.r.header.Get("Content-Type"); (got == "image/svg+xml") != (tt.kind == image) {
			t.Errorf("%s: the type is %s", tt.what, got)
		}
		if strings.Contains(tt.r.body, inbox) {
			t.Errorf("%s: the answer names the inbox", tt.what)
		}
	}
	if len(answers) != 20 {
		t.Errorf("%d answers, want 20", len(answers))
	}
}

// TestFreezeIsEverywhere: whoever is signed in can stop everything from every
// page, also from one that says that something went wrong.
func TestFreezeIsEverywhere(t *testing.T) {
	w := newWorld(t)
	cookie := w.cookie(host, "kim")
	a := w.send("lee")
	paths := []string{
		"/", "/approvals/" + a.ID, "/approvals/" + a.ID + "/record", "/history", "/history?days=all", "/actions", "/actions?outcome=all", "/grants",
		"/nothing", "/approvals/a_nothing", "/approvals/a_nothing/record", "/approvals/a_nothing/screen", "/history?state=x", "/history?page=0", "/actions?before=x",
	}
	for _, path := range paths {
		r := w.page(path, cookie)
		if !strings.Contains(r.body, "Freeze everything") || field(t, r.body, "/freeze", "csrf") != w.registry.CSRF(cookie, "freeze") {
			t.Errorf("%s (%d) has no button to freeze", path, r.status)
		}
		if outside := w.page(path, ""); strings.Contains(outside.body, "Freeze") {
			t.Errorf("%s has a button to freeze for anybody", path)
		}
	}
	if len(paths) != 15 {
		t.Errorf("%d paths, want 15", len(paths))
	}
}

// TestTheSocket: tokens only, one host, no pages, no cookies.
func TestTheSocket(t *testing.T) {
	w := newWorld(t)
	cookie := w.cookie(host, "kim")
	a := w.send("lee")
	at := func(r request) response { return w.through(w.terminal, "http://countersign", r) }
	at(request{method: "GET", path: "/v1/status", host: "countersign", token: w.kim}).want(t, "a token", 200, "")
	at(request{method: "GET", path: "/v1/status", host: "countersign", cookie: cookie}).want(t, "a cookie", 401, "no_credential")
	at(request{method: "GET", path: "/v1/status", host: host, token: w.kim}).want(t, "the web's host", 403, "host_foreign")
	at(request{method: "GET", path: "/v1/status", host: "countersign", token: w.robo}).want(t, "an agent", 403, "agents_cannot_answer")
	at(request{method: "GET", path: "/v1/status", host: "countersign", token: w.kim, origin: "http://countersign"}).want(t, "an origin", 403, "origin_foreign")
	for _, path := range []string{"/", "/approvals/" + a.ID, "/sign-in"} {
		at(request{method: "GET", path: path, host: "countersign", token: w.kim}).want(t, path, 404, "not_found")
	}
	w.local("POST", "/v1/approvals/"+a.ID+"/approve", w.kim, asJSON(t, answerTo(a))).want(t, "an answer", 200, "")
	got, err := w.store.Approval(ctx, a.ID)
	w.must(err)
	if got.AnsweredBy != "kim" || got.How != "terminal" {
		t.Errorf("answered by %q, %q", got.AnsweredBy, got.How)
	}
}

func TestOptions(t *testing.T) {
	w := newWorld(t)
	door := func(hosts, origins string) identity.Door {
		return identity.Door{Hosts: strings.Fields(hosts), Origins: strings.Fields(origins)}
	}
	tests := []struct {
		name string
		o    answer.Options
		ok   bool
	}{
		{"nothing", answer.Options{}, false},
		{"the socket", answer.Options{Socket: true}, true},
		{"the socket with hosts", answer.Options{Socket: true, Door: door("a:1", "http://a:1")}, false},
		{"one name", answer.Options{Door: door("a:1", "http://a:1")}, true},
		{"two names", answer.Options{Door: door("a:1 b", "http://a:1 https://b")}, true},
		{"a host without an origin", answer.Options{Door: door("a:1 b", "http://a:1")}, false},
		{"an origin without a host", answer.Options{Door: door("a:1", "http://a:1 http://b")}, false},
		{"both schemes", answer.Options{Door: door("a:1", "http://a:1 https://a:1")}, false},
		{"another port", answer.Options{Door: door("a:1", "http://a:2")}, false},
	}
	for _, tt := range tests {
		h, err := answer.New(w.desk, w.registry, tt.o)
		if (err == nil) != tt.ok || (h != nil) != tt.ok {
			t.Errorf("%s: %v", tt.name, err)
		}
	}
	if _, err := answer.New(nil, w.registry, answer.Options{Socket: true}); err == nil {
		t.Error("no desk, and no error")
	}
	if _, err := answer.New(w.desk, nil, answer.Options{Socket: true}); err == nil {
		t.Error("no registry, and no error")
	}
	if len(tests) != 9 {
		t.Errorf("%d cases, want 9", len(tests))
	}
}

// TestCookieOverTLS: a name that is served over TLS has the stricter cookie, and
// the other name's cookie does not open it.
func TestCookieOverTLS(t *testing.T) {
	w := newWorld(t)
	ticket, _, err := w.registry.SignInTicket(ctx, "kim")
	w.must(err)
	r := w.do(form(secure, "/sign-in", "", url.Values{"ticket": {ticket}}))
	set := r.header.Get("Set-Cookie")
	for _, want := range []string{"__Host-countersign=css_", "HttpOnly", "Secure", "SameSite=Strict", "Path=/"} {
		if !strings.Contains(set, want) {
			t.Errorf("the cookie lacks %s", want)
		}
	}
	cookie := cookieOf(t, r)
	w.do(request{method: "GET", path: "/", host: secure, cookie: cookie}).want(t, "its own", 200, "")
	bare := request{method: "GET", path: "/", host: secure, header: http.Header{"Cookie": {"countersign=" + cookie}}}
	w.do(bare).want(t, "without the prefix", 401, "")
	twice := request{method: "GET", path: "/", host: host, header: http.Header{"Cookie": {"countersign=" + cookie + "; countersign=" + cookie}}}
	w.do(twice).want(t, "two cookies", 401, "")
}
