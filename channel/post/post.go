// Package post sends a document to an address that its owner has named, and to
// nowhere else: over TLS, or in the clear to this computer's own loopback; no
// redirect is followed, no proxy used, and neither a slow nor an endless answer
// keeps it.
package post

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/countersign/countersign/channel/notice"
)

// The bounds of one delivery.
const (
	// Timeout is how long a delivery may take from the name of the host to the
	// answer. Standard Webhooks recommends 15 to 30 seconds.
	Timeout = 15 * time.Second

	dialTime   = 10 * time.Second
	maxHeader  = 64 << 10 // bytes of the answer's header
	maxExcerpt = 512      // bytes of the answer that are read where it is no
	longestOff = 3600     // seconds that the other side may want to be left alone
)

// Address is where documents go. Make one with ReadAddress.
type Address struct {
	url   string
	host  string
	local bool // in the clear, so that it must not leave the computer
}

// ErrAddress says what an address has to be.
var ErrAddress = errors.New("an address is https://HOST/PATH; http:// only to 127.0.0.1, [::1] or localhost, since nothing goes over a network in the clear")

// ReadAddress reads an address. It is ErrAddress that is wrong with it. The error
// does not show the address: its path may be a secret.
func ReadAddress(text string) (Address, error) {
	u, err := url.Parse(text)
	if err != nil || u.Hostname() == "" || u.User != nil || u.Fragment != "" || u.Opaque != "" {
		return Address{}, ErrAddress
	}
	a := Address{url: u.String(), host: u.Host}
	switch {
	case u.Scheme == "https":
	case u.Scheme == "http" && isLoopback(u.Hostname()):
		a.local = true
	default:
		return Address{}, ErrAddress
	}
	return a, nil
}

func isLoopback(host string) bool {
	ip, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && ip.IsLoopback()
}

// Host is the host with its port, where there is one: as much as may be shown.
func (a Address) Host() string { return a.host }

// String is Host.
func (a Address) String() string { return a.host }

// Format prints Host for every verb, so that no verb shows the rest.
func (a Address) Format(f fmt.State, _ rune) { io.WriteString(f, a.host) }

// Sender sends to one address. It is safe for concurrent use.
type Sender struct {
	to     Address
	client *http.Client
}

// New makes a sender. roots are the authorities that the other side's certificate
// is checked by; nil for the system's.
func New(to Address, roots *x509.CertPool) *Sender {
	dialer := &net.Dialer{Timeout: dialTime}
	if to.local {
		dialer.Control = onlyLoopback
	}
	return &Sender{to: to, client: &http.Client{
		Timeout: Timeout,
		Transport: &http.Transport{
			DialContext: dialer.DialContext, TLSClientConfig: &tls.Config{RootCAs: roots, MinVersion: tls.VersionTLS12}, ForceAttemptHTTP2: true,
			TLSHandshakeTimeout: dialTime, MaxResponseHeaderBytes: maxHeader, DisableCompression: true, MaxIdleConns: 1, IdleConnTimeout: time.Minute,
		},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

// onlyLoopback refuses a connection that would leave the computer: "localhost" is
// a name, and somebody else may say what it stands for.
func onlyLoopback(_, address string, _ syscall.RawConn) error {
	to, err := netip.ParseAddrPort(address)
	if err != nil || !to.Addr().IsLoopback() {
		return errors.New("the address is not on this computer, and nothing goes over a network in the clear")
	}
	return nil
}

// Post sends a JSON document. A 2xx is success, everything else an error: a
// *notice.Failure where the other side answered. It is final for a redirect and
// for 410, by which the other side says that it wants no more.
func (s *Sender) Post(ctx context.Context, header http.Header, doc []byte) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, s.to.url, bytes.NewReader(doc))
	if err != nil {
		return ErrAddress // the error would show it
	}
	for name, values := range header {
		req.Header[http.CanonicalHeaderKey(name)] = values
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("User-Agent", "countersign")
	res, err := s.client.Do(req)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	if res.StatusCode >= 200 && res.StatusCode <= 299 {
		return nil
	}
	return failureOf(res)
}

// failureOf is why an answer is no success.
func failureOf(res *http.Response) *notice.Failure {
	f := &notice.Failure{Why: fmt.Sprintf("it answers %d %s", res.StatusCode, http.StatusText(res.StatusCode))}
	switch {
	case res.StatusCode >= 300 && res.StatusCode <= 399:
		f.Why += ": it sends messages elsewhere, which is not followed; name the address where they are taken"
		f.Final = true
		return f
	case res.StatusCode == http.StatusGone:
		f.Why += ": it wants no more messages"
		f.Final = true
		return f
	}
	if seconds, err := strconv.Atoi(res.Header.Get("Retry-After")); err == nil && seconds > 0 {
		f.After = time.Duration(min(seconds, longestOff)) * time.Second
	}
	text, _ := io.ReadAll(io.LimitReader(res.Body, maxExcerpt)) // what there is says enough
	if line, _, _ := strings.Cut(strings.TrimSpace(string(text)), "\n"); line != "" {
		f.Why += ": " + line
	}
	return f
}
