package identity

import (
	"mime"
	"net/http"
	"slices"
	"strings"
)

// Refusal is why a request does not get past a Door, with the HTTP status it
// deserves. The text repeats nothing of the request and none of the accepted
// names, since the inbox's own name is a secret of a kind.
type Refusal struct {
	// Status is the HTTP status: 400, 403 or 415.
	Status int
	// Code is a short name for logs and clients, such as "host_foreign".
	Code string
	// Text says what was wrong and what to do.
	Text string
}

// Error is the refusal's text.
func (r *Refusal) Error() string { return r.Text }

// The refusals of a Door, to be tested with errors.Is.
var (
	ErrHostMissing   = &Refusal{http.StatusBadRequest, "host_missing", "the request names no host; send a Host header"}
	ErrHostForeign   = &Refusal{http.StatusForbidden, "host_foreign", "these pages are not served under the name in the request; open the address that countersign printed"}
	ErrCrossSite     = &Refusal{http.StatusForbidden, "cross_site", "the request was started by another site; open the page itself and try again there"}
	ErrOriginForeign = &Refusal{http.StatusForbidden, "origin_foreign", "the request comes from a page of another origin; open the page itself and try again there"}
	ErrOriginMissing = &Refusal{http.StatusForbidden, "origin_missing", "a request with a cookie must say which origin it comes from; programs send their credential in an Authorization header and no cookie"}
	ErrContentType   = &Refusal{http.StatusUnsupportedMediaType, "content_type", "the body must be application/json or application/x-www-form-urlencoded, in UTF-8, and the Content-Type header must say so once"}
)

// Door is what a request to the approvers' pages has to show before anything
// else of it is looked at. The zero Door lets nothing in. It holds no state and
// is safe for concurrent use.
//
// A Door knows nothing of credentials and CSRF tokens, which the handler checks
// next, and nothing of the rule that a GET has no effect, which the handler keeps.
type Door struct {
	// Hosts are the accepted values of the Host header, host or host:port, byte
	// for byte.
	Hosts []string
	// Origins are the accepted values of the Origin header, such as
	// "https://inbox.example", byte for byte. "null" is never accepted.
	Origins []string
}

// Check answers nil or a *Refusal.
func (d Door) Check(r *http.Request) error {
	if err := d.checkHost(r); err != nil {
		return err
	}
	reads := r.Method == http.MethodGet || r.Method == http.MethodHead
	if err := checkSite(r, reads); err != nil {
		return err
	}
	if err := d.checkOrigin(r, reads); err != nil {
		return err
	}
	if !reads {
		return checkContentType(r)
	}
	return nil
}

// checkHost wants one of the listed names, whole: a name that only begins like
// one of them is how a page elsewhere is made to point here.
func (d Door) checkHost(r *http.Request) error {
	if r.Host == "" {
		return ErrHostMissing
	}
	if !slices.Contains(d.Hosts, r.Host) {
		return ErrHostForeign
	}
	if r.URL != nil && r.URL.Host != "" && r.URL.Host != r.Host {
		return ErrHostForeign
	}
	return nil
}

// checkSite believes the browser when it says that another site is behind the
// request. Following a link to a page is the one thing that another site may
// start: it only reads, and a message with a link to the inbox has to work. A
// page shown in somebody else's frame is not that.
func checkSite(r *http.Request, reads bool) error {
	for _, site := range r.Header.Values("Sec-Fetch-Site") {
		if site == "same-origin" || site == "none" {
			continue
		}
		follows := reads && one(r.Header, "Sec-Fetch-Mode") == "navigate" && one(r.Header, "Sec-Fetch-Dest") == "document"
		if !follows {
			return ErrCrossSite
		}
	}
	return nil
}

// checkOrigin wants a listed origin on whatever can have an effect. It may be
// absent where there is no cookie either, since a browser that is tricked can
// add a cookie but not an Authorization header. An origin that is there must be
// a listed one for reading too, which covers the opening of web sockets.
func (d Door) checkOrigin(r *http.Request, reads bool) error {
	origins := r.Header.Values("Origin")
	if len(origins) == 0 {
		if reads || len(r.Header.Values("Cookie")) == 0 {
			return nil
		}
		return ErrOriginMissing
	}
	if len(origins) > 1 || origins[0] == "" || origins[0] == "null" || !slices.Contains(d.Origins, origins[0]) {
		return ErrOriginForeign
	}
	return nil
}

// checkContentType refuses what a form on another site can send without asking,
// except for the ordinary form, which needs a CSRF token besides.
func checkContentType(r *http.Request) error {
	kind, parameters, err := mime.ParseMediaType(one(r.Header, "Content-Type"))
	if err != nil || (kind != "application/json" && kind != "application/x-www-form-urlencoded") {
		return ErrContentType
	}
	for name, value := range parameters {
		if name != "charset" || !strings.EqualFold(value, "utf-8") {
			return ErrContentType
		}
	}
	return nil
}

// one is the value of a header that is there once, else empty.
func one(h http.Header, name string) string {
	if values := h.Values(name); len(values) == 1 {
		return values[0]
	}
	return ""
}
