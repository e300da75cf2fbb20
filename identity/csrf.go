package identity

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
)

// CSRF is the token that a form of a signed-in page carries: an HMAC of the
// form's name under the session's secret, so nothing is kept. It is empty, and
// opens nothing, when the cookie is none of ours. Form should name what is
// answered, such as "answer/" and the approval's id, so that a token is good for
// one form only.
func (r *Registry) CSRF(cookie, form string) string {
	if !wellFormed(cookie, cookieSecret) {
		return ""
	}
	mac := hmac.New(sha256.New, []byte(cookie))
	mac.Write([]byte("countersign csrf\x00"))
	mac.Write([]byte(form))
	return base64.RawURLEncoding.EncodeToString(mac.Sum(nil))
}

// CheckCSRF reports whether token is the one for this cookie and form. Whether
// the session still lives is Session's to say.
func (r *Registry) CheckCSRF(cookie, form, token string) bool {
	want := r.CSRF(cookie, form)
	return want != "" && hmac.Equal([]byte(want), []byte(token))
}
