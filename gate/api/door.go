package api

import (
	"errors"
	"mime"
	"net"
	"net/http"
	"slices"
	"strings"

	"github.com/countersign/countersign/identity"
)

// loopback are the names that always lead here.
var loopback = []string{"localhost", "127.0.0.1", "::1"}

// checkHost wants a loopback name or one of the owner's. A web page can have its
// own name point to this port, but it cannot change what the browser sends as
// Host.
func (g *Gate) checkHost(r *http.Request) *Problem {
	name := r.Host
	if host, _, err := net.SplitHostPort(r.Host); err == nil {
		name = host
	}
	name = plainHost(name)
	is := func(known string) bool {
		return strings.EqualFold(plainHost(known), name) || strings.EqualFold(known, r.Host)
	}
	if name != "" && (slices.ContainsFunc(loopback, is) || slices.ContainsFunc(g.options.Hosts, is)) {
		return nil
	}
	return problem(http.StatusForbidden, "host_foreign", "this door does not answer to the name in the Host header; use the address that countersign printed, or have the owner add the name")
}

// plainHost is an IPv6 address without its brackets.
func plainHost(host string) string { return strings.TrimSuffix(strings.TrimPrefix(host, "["), "]") }

// checkOrigin refuses browsers: an agent is none, and a page has no business
// here.
func checkOrigin(r *http.Request) *Problem {
	if _, has := r.Header["Origin"]; has {
		return problem(http.StatusForbidden, "origin_refused", "requests of web pages are refused here; an agent sends no Origin header")
	}
	return nil
}

// checkContentType wants JSON as it is.
func checkContentType(r *http.Request) *Problem {
	values := r.Header["Content-Type"]
	if len(values) == 1 && values[0] == "application/json" && r.Header["Content-Encoding"] == nil {
		return nil
	}
	if r.Header["Content-Encoding"] != nil {
		return problem(http.StatusUnsupportedMediaType, "content_encoding", "send the body as it is, without a Content-Encoding")
	}
	refused := problem(http.StatusUnsupportedMediaType, "content_type", "the body must be JSON, and the Content-Type header must say application/json, once")
	if len(values) != 1 {
		return refused
	}
	kind, parameters, err := mime.ParseMediaType(values[0])
	if err != nil || kind != "application/json" {
		return refused
	}
	for name, value := range parameters {
		if name != "charset" || !strings.EqualFold(value, "utf-8") {
			return refused
		}
	}
	return nil
}

// credential says whose credential a request shows.
func (g *Gate) credential(r *http.Request) (identity.Agent, *Problem) {
	values := r.Header["Authorization"]
	if len(values) == 0 {
		return identity.Agent{}, unauthorized("no_credential", "", "send the agent's credential, which begins with csa_, as a bearer token in the Authorization header; the owner makes one with countersign agents add NAME")
	}
	scheme, token, _ := strings.Cut(values[0], " ")
	if len(values) > 1 || !strings.EqualFold(scheme, "Bearer") {
		return identity.Agent{}, unauthorized("bad_credential", "invalid_request", "one Authorization header with the scheme Bearer is accepted")
	}
	agent, err := g.registry.Agent(r.Context(), strings.TrimLeft(token, " "))
	switch {
	case err == nil:
		return agent, nil
	case errors.Is(err, identity.ErrWrongDoor):
		return agent, problem(http.StatusForbidden, "wrong_door", "%v; keep it away from agents", err)
	case errors.Is(err, identity.ErrRevoked):
		return agent, unauthorized("credential_revoked", "invalid_token", "%v", err)
	case errors.Is(err, identity.ErrUnknownCredential):
		return agent, unauthorized("credential_unknown", "invalid_token", "%v", err)
	}
	if r.Context().Err() != nil { // the agent is gone, or the guard stops
		return agent, unavailable()
	}
	g.options.Log.Error("a credential could not be looked up", "error", err.Error())
	return agent, unavailable()
}

func unauthorized(code, oauth, format string, args ...any) *Problem {
	p := problem(http.StatusUnauthorized, code, format, args...)
	p.challenge = `Bearer realm="countersign"`
	if oauth != "" {
		p.challenge += `, error="` + oauth + `"`
	}
	return p
}
