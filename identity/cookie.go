package identity

import (
	"net/http"
	"time"
)

// CookieName is the name of the session cookie. Over TLS it has the __Host-
// prefix, which makes browsers refuse one that another host or path has set;
// without TLS browsers refuse the prefix itself.
func CookieName(tls bool) string {
	if tls {
		return "__Host-countersign"
	}
	return "countersign"
}

// SessionCookie carries a session's secret: for this host alone, out of reach of
// scripts, never sent along by another site, and over TLS only where there is TLS.
func SessionCookie(secret string, expires time.Time, tls bool) *http.Cookie {
	return &http.Cookie{
		Name:     CookieName(tls),
		Value:    secret,
		Path:     "/",
		Expires:  expires.UTC(),
		HttpOnly: true,
		Secure:   tls,
		SameSite: http.SameSiteStrictMode,
	}
}

// NoCookie takes the session cookie away again.
func NoCookie(tls bool) *http.Cookie {
	c := SessionCookie("", time.Time{}, tls)
	c.MaxAge = -1
	return c
}

// ReadCookie is the secret in the request's session cookie, empty when there is
// none or more than one: a second one was set by somebody else, and which of
// them is ours cannot be told.
func ReadCookie(r *http.Request, tls bool) string {
	if all := r.CookiesNamed(CookieName(tls)); len(all) == 1 {
		return all[0].Value
	}
	return ""
}
