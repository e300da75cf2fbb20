package daemon

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// anotherDevice starts a guard with an inbox for other devices and returns it.
func anotherDevice(t *testing.T, dir string, r Remote, log *slog.Logger) *Daemon {
	t.Helper()
	if r.Addr == "" {
		r.Addr = "127.0.0.1:0"
	}
	d, err := New(t.Context(), Options{Home: dir, Agents: "127.0.0.1:0", Inbox: "127.0.0.1:0", Remote: r, Log: log, Version: "test"})
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Start(); err != nil {
		t.Fatal(err)
	}
	return d
}

func stop(t *testing.T, d *Daemon) {
	t.Helper()
	if err := d.Stop(context.Background()); err != nil {
		t.Error(err)
	}
}

// browser is a client that trusts one certificate and finds the name at the
// door's address.
func browser(t *testing.T, d *Daemon, trusted []byte) *http.Client {
	t.Helper()
	roots := x509.NewCertPool()
	if !roots.AppendCertsFromPEM(trusted) {
		t.Fatal("no certificate to trust")
	}
	addr := d.address("inbox for other devices")
	return &http.Client{
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		Transport: &http.Transport{
			TLSClientConfig:   &tls.Config{RootCAs: roots},
			DisableKeepAlives: true,
			DialContext: func(ctx context.Context, network, _ string) (net.Conn, error) {
				return new(net.Dialer).DialContext(ctx, network, addr)
			},
		},
	}
}

func readFile(t *testing.T, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func TestOtherDevicesSignInOverTLS(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "home")
	d := anotherDevice(t, dir, Remote{Name: "Inbox.Test"}, nil)
	defer stop(t, d)
	base, print := d.RemoteURL()
	if !strings.HasPrefix(base, "https://inbox.test:") || len(print) != 95 {
		t.Fatalf("the inbox is at %q with fingerprint %q", base, print)
	}
	client := browser(t, d, readFile(t, filepath.Join(dir, certFile)))

	answer, err := client.Get(base + "/")
	if err != nil {
		t.Fatal(err)
	}
	answer.Body.Close()
	if answer.StatusCode != http.StatusUnauthorized {
		t.Errorf("somebody who is not signed in gets %s", answer.Status)
	}
	if got := fingerprint(&tls.Certificate{Certificate: [][]byte{answer.TLS.PeerCertificates[0].Raw}}); got != print {
		t.Errorf("the door shows the certificate %s, the terminal %s", got, print)
	}

	cookie := signIn(t, d, client, base)
	if !cookie.Secure || !strings.HasPrefix(cookie.Name, "__Host-") || !cookie.HttpOnly {
		t.Errorf("the session's cookie is %+v; over TLS it must be bound to the host and travel by TLS only", cookie)
	}
	request, _ := http.NewRequest(http.MethodGet, base+"/", nil)
	request.AddCookie(cookie)
	if answer, err = client.Do(request); err != nil {
		t.Fatal(err)
	}
	answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		t.Errorf("somebody who is signed in gets %s", answer.Status)
	}
	request.Host = "elsewhere.test"
	if answer, err = client.Do(request); err != nil {
		t.Fatal(err)
	}
	answer.Body.Close()
	if answer.StatusCode != http.StatusMisdirectedRequest && answer.StatusCode != http.StatusForbidden {
		t.Errorf("under another name the door answers %s", answer.Status)
	}
}

// signIn takes a sign-in link on the door for other devices.
func signIn(t *testing.T, d *Daemon, client *http.Client, base string) *http.Cookie {
	t.Helper()
	link, _, err := d.SignInLink(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	u, err := url.Parse(link)
	if err != nil {
		t.Fatal(err)
	}
	form := strings.NewReader(url.Values{"ticket": {u.Query().Get("ticket")}}.Encode())
	request, err := http.NewRequest(http.MethodPost, base+"/sign-in", form)
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	request.Header.Set("Origin", base)
	answer, err := client.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusSeeOther || len(answer.Cookies()) != 1 {
		t.Fatalf("the link is answered with %s and %d cookies", answer.Status, len(answer.Cookies()))
	}
	return answer.Cookies()[0]
}

func TestOtherDevicesNeverSpeakPlainly(t *testing.T) {
	d := anotherDevice(t, filepath.Join(t.TempDir(), "home"), Remote{Name: "inbox.test"}, nil)
	defer stop(t, d)
	answer, err := http.Get("http://" + d.address("inbox for other devices") + "/")
	if err == nil {
		answer.Body.Close()
		if answer.StatusCode != http.StatusBadRequest {
			t.Errorf("plain HTTP is answered with %s", answer.Status)
		}
	}
	old := &tls.Config{ServerName: "inbox.test", InsecureSkipVerify: true, MaxVersion: tls.VersionTLS11, MinVersion: tls.VersionTLS10}
	if c, err := tls.Dial("tcp", d.address("inbox for other devices"), old); err == nil {
		c.Close()
		t.Error("TLS 1.1 is spoken")
	}
}

func TestOwnCertificateStaysUntilItsNameChanges(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "home")
	prints := map[string]string{}
	for i, name := range []string{"inbox.test", "inbox.test", "other.test", "192.0.2.7"} {
		d := anotherDevice(t, dir, Remote{Name: name}, nil)
		_, print := d.RemoteURL()
		stop(t, d)
		if known, ok := prints[name]; ok && known != print {
			t.Errorf("start %d: the fingerprint for %s went from %s to %s", i, name, known, print)
		}
		prints[name] = print
	}
	if len(prints) != 3 || prints["inbox.test"] == prints["other.test"] {
		t.Errorf("the fingerprints are %v", prints)
	}
	for _, name := range []string{certFile, keyFile} {
		info, err := os.Stat(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		if info.Mode().Perm() != 0o600 {
			t.Errorf("%s has mode %04o", name, info.Mode().Perm())
		}
	}
}

// A month before its end the certificate is made anew.
func TestOwnCertificateIsRenewedInTime(t *testing.T) {
	h := home{t.TempDir()}
	r, start := Remote{Addr: "127.0.0.1:0", Name: "inbox.test"}, time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	prints := map[string]int{}
	for _, after := range []time.Duration{0, certLife - certRenew - 2*time.Hour, certLife - certRenew + 2*time.Hour} {
		cert, own, err := h.certificate(r, start.Add(after))
		if err != nil || !own {
			t.Fatalf("after %v: %v, own %v", after, err, own)
		}
		prints[fingerprint(&cert)]++
	}
	if len(prints) != 2 {
		t.Errorf("there were %d certificates, not one before and one after", len(prints))
	}
}

func TestRenewedCertificateIsShownWithoutARestart(t *testing.T) {
	files := home{t.TempDir()}
	r := Remote{Name: "inbox.test", CertFile: files.path(certFile), KeyFile: files.path(keyFile)}
	if _, err := files.makeCertificate("inbox.test", time.Now()); err != nil {
		t.Fatal(err)
	}
	var log bytes.Buffer
	d := anotherDevice(t, filepath.Join(t.TempDir(), "home"), r, slog.New(slog.NewTextHandler(&log, nil)))
	defer stop(t, d)
	base, print := d.RemoteURL()
	if print != "" {
		t.Error("a certificate of the user's is compared by fingerprint")
	}
	shown := func() string {
		answer, err := browser(t, d, readFile(t, r.CertFile)).Get(base + "/")
		if err != nil {
			return err.Error()
		}
		answer.Body.Close()
		return answer.TLS.PeerCertificates[0].SerialNumber.String()
	}
	first := shown()
	again(t, files, r.CertFile)
	second := shown()
	if first == second || strings.Contains(second, "x509") {
		t.Errorf("after a renewal the door shows %q, before %q", second, first)
	}
	good := readFile(t, r.CertFile)
	if err := os.WriteFile(r.CertFile, []byte("not a certificate"), 0o600); err != nil {
		t.Fatal(err)
	}
	later(t, r.CertFile)
	answer, err := browser(t, d, good).Get(base + "/")
	if err != nil {
		t.Fatalf("with a broken file the door is closed: %v", err)
	}
	answer.Body.Close()
	if !strings.Contains(log.String(), "the old one stays") {
		t.Errorf("nothing is said of a certificate that cannot be read: %q", log.String())
	}
}

// again makes a new certificate in place of the old one.
func again(t *testing.T, files home, path string) {
	t.Helper()
	if _, err := files.makeCertificate("inbox.test", time.Now()); err != nil {
		t.Fatal(err)
	}
	later(t, path)
}

// later moves a file's time, since two writes may fall into one tick.
func later(t *testing.T, path string) {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(path, time.Time{}, info.ModTime().Add(3*time.Second)); err != nil {
		t.Fatal(err)
	}
}

func TestRemoteIsRefusedWithTheReason(t *testing.T) {
	files := home{t.TempDir()}
	if _, err := files.makeCertificate("inbox.test", time.Now()); err != nil {
		t.Fatal(err)
	}
	cert, key := files.path(certFile), files.path(keyFile)
	long := strings.Repeat("a", 64) + ".test"
	cases := []struct {
		name   string
		remote Remote
		says   string
	}{
		{"no name", Remote{Addr: "127.0.0.1:0"}, "the name they reach it by"},
		{"no address", Remote{Name: "inbox.test"}, "an address to listen on"},
		{"no port", Remote{Addr: "127.0.0.1", Name: "inbox.test"}, "IP:PORT"},
		{"a host for an address", Remote{Addr: "example.test:1", Name: "inbox.test"}, "IP:PORT"},
		{"a port in the name", Remote{Addr: "127.0.0.1:0", Name: "inbox.test:443"}, "without a port"},
		{"a link for a name", Remote{Addr: "127.0.0.1:0", Name: "https://inbox.test"}, "no host name"},
		{"an empty label", Remote{Addr: "127.0.0.1:0", Name: "inbox..test"}, "no host name"},
		{"a label that is too long", Remote{Addr: "127.0.0.1:0", Name: long}, "no host name"},
		{"an address as one number", Remote{Addr: "127.0.0.1:0", Name: "3221225991"}, "written as usual"},
		{"an address with a hexadecimal end", Remote{Addr: "127.0.0.1:0", Name: "192.0.2.0x7"}, "written as usual"},
		{"an address with a zone", Remote{Addr: "127.0.0.1:0", Name: "fe80::1%eth0"}, "a zone"},
		{"a hyphen first", Remote{Addr: "127.0.0.1:0", Name: "-a.test"}, "no host name"},
		{"a certificate without its key", Remote{Addr: "127.0.0.1:0", Name: "inbox.test", CertFile: cert}, "needs its key"},
		{"a key without its certificate", Remote{Addr: "127.0.0.1:0", Name: "inbox.test", KeyFile: key}, "needs its key"},
		{"no such file", Remote{Addr: "127.0.0.1:0", Name: "inbox.test", CertFile: cert + "x", KeyFile: key}, "read the certificate"},
		{"for another name", Remote{Addr: "127.0.0.1:0", Name: "other.test", CertFile: cert, KeyFile: key}, "not for other.test"},
	}
	for _, c := range cases {
		d, err := New(t.Context(), Options{Home: filepath.Join(t.TempDir(), "home"), Agents: "127.0.0.1:0", Inbox: "127.0.0.1:0", Remote: c.remote})
		if err == nil {
			err = d.Start()
			d.Stop(context.Background())
		}
		if err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v, want it to say %q", c.name, err, c.says)
		}
	}
	if len(cases) != 16 {
		t.Errorf("%d cases", len(cases))
	}
}

// An address is known as browsers write it, whatever form it was given in: that is
// what stands in their requests.
func TestRemoteAddressIsWrittenAsBrowsersDo(t *testing.T) {
	ran := 0
	for given, want := range map[string]string{
		"192.0.2.7": "192.0.2.7", "2001:DB8:0:0::7": "2001:db8::7", "::ffff:192.0.2.7": "192.0.2.7", "::FFFF:c000:207": "192.0.2.7", "Inbox.Test": "inbox.test", "a1": "a1", "0x.test": "0x.test",
	} {
		ran++
		r := Remote{Addr: "127.0.0.1:0", Name: given}
		if err := r.validate(); err != nil || r.Name != want {
			t.Errorf("%s became %q, %v; want %q", given, r.Name, err, want)
		}
	}
	if ran != 7 {
		t.Errorf("%d names", ran)
	}
}

// The terminal is told where other devices sign in, and what to compare there.
func TestSignInNamesTheInboxForOtherDevices(t *testing.T) {
	d := anotherDevice(t, filepath.Join(t.TempDir(), "home"), Remote{Name: "inbox.test"}, nil)
	defer stop(t, d)
	socket := &http.Client{Transport: &http.Transport{DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "unix", d.Socket())
	}}}
	request, _ := http.NewRequest(http.MethodPost, "http://countersign/v1/sign-in", strings.NewReader("{}"))
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Authorization", "Bearer "+strings.TrimSpace(string(readFile(t, d.home.path(ApproverTokenFile)))))
	answer, err := socket.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	var link struct {
		URL               string `json:"url"`
		RemoteURL         string `json:"remote_url"`
		RemoteFingerprint string `json:"remote_fingerprint"`
	}
	if err := json.NewDecoder(answer.Body).Decode(&link); err != nil {
		t.Fatal(err)
	}
	base, print := d.RemoteURL()
	if !strings.HasPrefix(link.RemoteURL, base+"/sign-in?ticket=") || link.RemoteFingerprint != print || !strings.HasPrefix(link.URL, "http://") {
		t.Errorf("the terminal is told %+v; the inbox is at %s, %s", link, base, print)
	}
}
