package inbox

import (
	"crypto/sha256"
	"encoding/base64"
	"net/http"
)

// policy is the content policy of the pages: the one style sheet and the one
// script, both by their hashes; pictures, requests and forms of our own; nothing
// else. The script makes no markup out of text, and is held to it.
var policy = "default-src 'none'; style-src '" + hashOf(style) + "'; script-src '" + hashOf(script) +
	"'; img-src 'self'; connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'" +
	"; require-trusted-types-for 'script'; trusted-types 'none'"

// picturePolicy is that of a picture that somebody opens by itself: its own
// drawing, with a screenshot in it, and nothing that runs or loads.
const picturePolicy = "default-src 'none'; img-src data:; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox"

// hashOf is how a content policy names a style sheet or a script.
func hashOf(s string) string {
	sum := sha256.Sum256([]byte(s))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}

// Protect sets the headers that every answer of the approvers' door carries, a
// page or not.
//
// The referrer policy is same-origin and not no-referrer: under no-referrer
// browsers send "Origin: null" with a form, which the door refuses, and to other
// sites both send nothing.
func Protect(h http.Header) {
	h.Set("Content-Security-Policy", policy)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("X-Frame-Options", "DENY")
	h.Set("Referrer-Policy", "same-origin")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Cache-Control", "no-store")
}

// ProtectPicture puts the content policy of a picture in the place of the pages'.
func ProtectPicture(h http.Header) { h.Set("Content-Security-Policy", picturePolicy) }
