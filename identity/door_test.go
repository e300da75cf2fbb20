package identity_test

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/countersign/countersign/identity"
)

var door = identity.Door{
	Hosts:   []string{"127.0.0.1:8787", "k3j2.localhost:8787", "inbox.example"},
	Origins: []string{"http://127.0.0.1:8787", "http://k3j2.localhost:8787", "https://inbox.example"},
}

// request is one with the headers given as name, value, name, value.
func request(method, host string, headers ...string) *http.Request {
	r := httptest.NewRequest(method, "/approvals/a1", nil)
	r.Host = host
	for i := 0; i < len(headers); i += 2 {
		r.Header.Add(headers[i], headers[i+1])
	}
	return r
}

func TestDoor(t *testing.T) {
	const (
		us     = "127.0.0.1:8787"
		origin = "http://127.0.0.1:8787"
		json   = "application/json"
		form   = "application/x-www-form-urlencoded"
		evil   = "https://attacker.example"
	)
	tests := []struct {
		name string
		r    *http.Request
		want error
	}{
		// Host.
		{"reading", request("GET", us), nil},
		{"another listed host", request("GET", "k3j2.localhost:8787"), nil},
		{"the TLS name", request("HEAD", "inbox.example"), nil},
		{"no host", request("GET", ""), identity.ErrHostMissing},
		{"begins like ours", request("GET", "127.0.0.1.attacker.example:8787"), identity.ErrHostForeign},
		{"ends like ours", request("GET", "attacker-inbox.example"), identity.ErrHostForeign},
		{"below ours", request("GET", "x.inbox.example"), identity.ErrHostForeign},
		{"rebound", request("GET", "attacker.example:8787"), identity.ErrHostForeign},
		{"loopback by another number", request("GET", "127.0.0.2:8787"), identity.ErrHostForeign},
		{"localhost", request("GET", "localhost:8787"), identity.ErrHostForeign},
		{"without its port", request("GET", "127.0.0.1"), identity.ErrHostForeign},
		{"another port", request("GET", "127.0.0.1:8788"), identity.ErrHostForeign},
		{"a port where none is", request("GET", "inbox.example:443"), identity.ErrHostForeign},
		{"a dot at the end", request("GET", "inbox.example."), identity.ErrHostForeign},
		{"another case", request("GET", "Inbox.Example"), identity.ErrHostForeign},
		{"a user before it", request("GET", "x@inbox.example"), identity.ErrHostForeign},
		{"two", request("GET", "inbox.example,attacker.example"), identity.ErrHostForeign},
		{"another name in the line", lineSays(request("GET", us), "attacker.example"), identity.ErrHostForeign},
		{"the same name in the line", lineSays(request("GET", us), us), nil},

		// Origin.
		{"same origin", request("POST", us, "Origin", origin, "Content-Type", json, "Cookie", "countersign=x"), nil},
		{"same origin, form", request("POST", us, "Origin", origin, "Content-Type", form), nil},
		{"foreign origin", request("POST", us, "Origin", evil, "Content-Type", json), identity.ErrOriginForeign},
		{"foreign origin with a bearer", request("POST", us, "Origin", evil, "Content-Type", json, "Authorization", "Bearer csp_x"), identity.ErrOriginForeign},
		{"the corpus's own: foreign and plain", request("POST", us, "Origin", evil, "Content-Type", "text/plain"), identity.ErrOriginForeign},
		{"null origin", request("POST", us, "Origin", "null", "Content-Type", form), identity.ErrOriginForeign},
		{"empty origin", request("POST", us, "Origin", "", "Content-Type", form), identity.ErrOriginForeign},
		{"two origins", request("POST", us, "Origin", origin, "Origin", origin, "Content-Type", form), identity.ErrOriginForeign},
		{"the other scheme", request("POST", us, "Origin", "https://127.0.0.1:8787", "Content-Type", form), identity.ErrOriginForeign},
		{"origin with a path", request("POST", us, "Origin", origin+"/", "Content-Type", form), identity.ErrOriginForeign},
		{"origin begins like ours", request("POST", us, "Origin", origin+".attacker.example", "Content-Type", form), identity.ErrOriginForeign},
		{"no origin, a cookie", request("POST", us, "Content-Type", json, "Cookie", "countersign=x"), identity.ErrOriginMissing},
		{"no origin, any cookie and a bearer", request("POST", us, "Content-Type", json, "Cookie", "a=b", "Authorization", "Bearer csp_x"), identity.ErrOriginMissing},
		{"no origin, a bearer", request("POST", us, "Content-Type", json, "Authorization", "Bearer csp_x"), nil},
		{"no origin, no credential: the handler's 401", request("POST", us, "Content-Type", json), nil},
		{"deleting needs it too", request("DELETE", us, "Cookie", "a=b", "Content-Type", json), identity.ErrOriginMissing},
		{"preflight from elsewhere", request("OPTIONS", us, "Origin", evil), identity.ErrOriginForeign},
		{"a method in small letters is not GET", request("get", us, "Cookie", "a=b"), identity.ErrOriginMissing},
		{"reading with a cookie", request("GET", us, "Cookie", "countersign=x"), nil},
		{"a web socket from elsewhere", request("GET", us, "Origin", evil, "Upgrade", "websocket"), identity.ErrOriginForeign},
		{"a web socket of ours", request("GET", us, "Origin", origin, "Upgrade", "websocket"), nil},

		// Who started it.
		{"cross-site", request("POST", us, "Origin", origin, "Content-Type", form, "Sec-Fetch-Site", "cross-site"), identity.ErrCrossSite},
		{"cross-site that says it navigates", request("POST", us, "Origin", origin, "Content-Type", form, "Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "navigate", "Sec-Fetch-Dest", "document"), identity.ErrCrossSite},
		{"cross-site reading", request("GET", us, "Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "no-cors", "Sec-Fetch-Dest", "image"), identity.ErrCrossSite},
		{"in another's frame", request("GET", us, "Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "navigate", "Sec-Fetch-Dest", "iframe"), identity.ErrCrossSite},
		{"a link in a message", request("GET", us, "Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "navigate", "Sec-Fetch-Dest", "document"), nil},
		{"a neighbour below the same name", request("GET", us, "Sec-Fetch-Site", "same-site", "Sec-Fetch-Mode", "cors", "Sec-Fetch-Dest", "empty"), identity.ErrCrossSite},
		{"a word that does not exist yet", request("GET", us, "Sec-Fetch-Site", "near-by"), identity.ErrCrossSite},
		{"two words", request("GET", us, "Sec-Fetch-Site", "same-origin", "Sec-Fetch-Site", "cross-site"), identity.ErrCrossSite},
		{"from the page itself", request("POST", us, "Origin", origin, "Content-Type", json, "Sec-Fetch-Site", "same-origin"), nil},
		{"typed", request("GET", us, "Sec-Fetch-Site", "none"), nil},

		// Content type.
		{"plain text", request("POST", us, "Origin", origin, "Content-Type", "text/plain"), identity.ErrContentType},
		{"none", request("POST", us, "Origin", origin), identity.ErrContentType},
		{"multipart", request("POST", us, "Origin", origin, "Content-Type", "multipart/form-data; boundary=x"), identity.ErrContentType},
		{"begins like json", request("POST", us, "Origin", origin, "Content-Type", "application/json5"), identity.ErrContentType},
		{"json hidden behind plain", request("POST", us, "Origin", origin, "Content-Type", "text/plain; application/json"), identity.ErrContentType},
		{"two types", request("POST", us, "Origin", origin, "Content-Type", json, "Content-Type", "text/plain"), identity.ErrContentType},
		{"utf-8", request("PUT", us, "Origin", origin, "Content-Type", "Application/JSON; Charset=UTF-8"), nil},
		{"another charset", request("POST", us, "Origin", origin, "Content-Type", "application/json; charset=utf-7"), identity.ErrContentType},
		{"another parameter", request("POST", us, "Origin", origin, "Content-Type", "application/json; x=y"), identity.ErrContentType},
		{"reading needs none", request("GET", us, "Content-Type", "text/plain"), nil},
	}
	for _, tt := range tests {
		if err := door.Check(tt.r); err != tt.want {
			t.Errorf("%s: %v, want %v", tt.name, err, tt.want)
		}
	}
	if len(tests) != 60 {
		t.Errorf("%d cases", len(tests))
	}
}

// lineSays puts another host into the request line than into the header.
func lineSays(r *http.Request, host string) *http.Request {
	r.URL.Host = host
	return r
}

func TestAnEmptyDoorIsShut(t *testing.T) {
	for _, host := range []string{"", "localhost", "127.0.0.1"} {
		for _, d := range []identity.Door{{}, {Hosts: []string{""}}, {Origins: []string{"http://localhost"}}} {
			if d.Check(request("GET", host)) == nil {
				t.Errorf("%+v lets %q in", d, host)
			}
		}
	}
	// Nothing makes an empty or a null origin a good one.
	d := identity.Door{Hosts: []string{"a"}, Origins: []string{"", "null"}}
	for _, origin := range d.Origins {
		if err := d.Check(request("POST", "a", "Origin", origin, "Content-Type", "application/json")); err != identity.ErrOriginForeign {
			t.Errorf("origin %q: %v", origin, err)
		}
	}
}

func TestRefusals(t *testing.T) {
	status := map[*identity.Refusal]int{
		identity.ErrHostMissing: 400, identity.ErrHostForeign: 403, identity.ErrCrossSite: 403,
		identity.ErrOriginForeign: 403, identity.ErrOriginMissing: 403, identity.ErrContentType: 415,
	}
	codes := map[string]bool{}
	for refusal, want := range status {
		codes[refusal.Code] = true
		if refusal.Status != want || refusal.Error() == "" || strings.Contains(refusal.Error(), "localhost") {
			t.Errorf("%s: %d, %q; want %d", refusal.Code, refusal.Status, refusal, want)
		}
	}
	if len(codes) != 6 {
		t.Errorf("%d codes, want 6 of their own", len(codes))
	}
	var refusal *identity.Refusal
	if !errors.As(door.Check(request("GET", "")), &refusal) || refusal != identity.ErrHostMissing {
		t.Error("a handler cannot read the status from the error")
	}
}

func TestCookies(t *testing.T) {
	end := time.Date(2026, 3, 8, 12, 0, 0, 0, time.UTC)
	tests := []struct {
		name, want string
		c          *http.Cookie
	}{
		{"plain", "countersign=css_x; Path=/; Expires=Sun, 08 Mar 2026 12:00:00 GMT; HttpOnly; SameSite=Strict", identity.SessionCookie("css_x", end, false)},
		{"tls", "__Host-countersign=css_x; Path=/; Expires=Sun, 08 Mar 2026 12:00:00 GMT; HttpOnly; Secure; SameSite=Strict", identity.SessionCookie("css_x", end, true)},
		{"gone", "countersign=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict", identity.NoCookie(false)},
		{"gone, tls", "__Host-countersign=; Path=/; Max-Age=0; HttpOnly; Secure; SameSite=Strict", identity.NoCookie(true)},
	}
	for _, tt := range tests {
		if got := tt.c.String(); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
	reads := []struct {
		cookie string
		tls    bool
		want   string
	}{
		{"countersign=css_x", false, "css_x"},
		{"a=b; countersign=css_x; c=d", false, "css_x"},
		{"__Host-countersign=css_x", true, "css_x"},
		{"countersign=css_x", true, ""},
		{"__Host-countersign=css_x", false, ""},
		{"countersign=css_x; countersign=css_y", false, ""},
		{"countersign=css_x; countersign=css_x", false, ""},
		{"Countersign=css_x", false, ""},
		{"", false, ""},
	}
	for _, tt := range reads {
		if got := identity.ReadCookie(request("GET", "a", "Cookie", tt.cookie), tt.tls); got != tt.want {
			t.Errorf("%q, tls %v: %q, want %q", tt.cookie, tt.tls, got, tt.want)
		}
	}
}

// FuzzDoor: only the listed hosts pass, exactly; and what is not reading passes
// only from a listed origin or without a cookie, and with an accepted body.
func FuzzDoor(f *testing.F) {
	f.Add("POST", "127.0.0.1:8787", "", "http://127.0.0.1:8787", "", "same-origin", "application/json")
	f.Add("POST", "127.0.0.1:8787", "", "", "a=b", "", "application/json; charset=utf-8")
	f.Add("GET", "127.0.0.1.attacker.example:8787", "", "null", "a=b", "cross-site", "text/plain")
	f.Add("GET", "127.0.0.1:8787", "attacker.example", "", "", "none", "")
	f.Add("PUT", "inbox.example\x00", "", "https://inbox.example\r\n", "", "", "application/x-www-form-urlencoded;;")
	f.Add("get", "İnbox.example", "", "https://inbox.example, https://inbox.example", "", "", "application/json; charset=\"utf-8\"")
	f.Fuzz(func(t *testing.T, method, host, line, origin, cookie, site, contentType string) {
		r := &http.Request{Method: method, Host: host, Header: http.Header{}}
		r.URL = httptest.NewRequest("GET", "/", nil).URL
		r.URL.Host = line
		for name, value := range map[string]string{"Origin": origin, "Cookie": cookie, "Sec-Fetch-Site": site, "Content-Type": contentType} {
			if value != "" {
				r.Header.Set(name, value)
			}
		}
		err := door.Check(r)
		if err != nil {
			var refusal *identity.Refusal
			if !errors.As(err, &refusal) || refusal.Status < 400 || refusal.Status > 415 {
				t.Fatalf("refused by %v", err)
			}
			return
		}
		if !slices.Contains(door.Hosts, host) || line != "" && line != host {
			t.Fatalf("host %q with %q in the line passed", host, line)
		}
		if origin != "" && !slices.Contains(door.Origins, origin) {
			t.Fatalf("origin %q passed", origin)
		}
		if site != "" && site != "same-origin" && site != "none" {
			t.Fatalf("site %q passed", site)
		}
		if method == "GET" || method == "HEAD" {
			return
		}
		if origin == "" && cookie != "" {
			t.Fatalf("%s with cookie %q and no origin passed", method, cookie)
		}
		if kind, _, _ := strings.Cut(strings.ToLower(strings.TrimSpace(contentType)), ";"); strings.TrimSpace(kind) != "application/json" && strings.TrimSpace(kind) != "application/x-www-form-urlencoded" {
			t.Fatalf("content type %q passed", contentType)
		}
	})
}
