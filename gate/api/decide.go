package api

import (
	"net/http"
	"strings"
	"unicode"

	"github.com/countersign/countersign/decide"
	"github.com/countersign/countersign/identity"
)

// maxID is the length in bytes of the longest id or key of the caller's.
const maxID = 200

// decide answers what would happen, and counts it.
func (g *Gate) decide(c *call) (reply, *Problem) {
	now := g.now()
	if ok, wait := c.caller.mayDecide(now); !ok {
		return reply{}, problem(http.StatusTooManyRequests, "too_many_decisions",
			"this credential has asked for too many pure decisions; propose actions to POST /v1/actions, which is not limited so").after(wait)
	}
	req, p := g.request(c)
	if p != nil {
		return reply{}, p
	}
	frozen, err := g.freeze.is(c.r.Context())
	if err != nil {
		return reply{}, g.problemOf(err, nil)
	}
	dec := g.desk.Decide(req)
	view := g.pureView(&dec, frozen)
	c.caller.decided(now, view.Outcome)
	return ok(&view), nil
}

// request reads the body of a decision and holds it against what an agent may
// say.
func (g *Gate) request(c *call) (*decide.Request, *Problem) {
	body, p := g.body(c)
	if p != nil {
		return nil, p
	}
	return readRequest(c, body)
}

func readRequest(c *call, body []byte) (*decide.Request, *Problem) {
	req, err := decide.ReadRequest(body)
	if err != nil {
		return nil, badBody(err)
	}
	if p := checkClaims(req); p != nil {
		return nil, p
	}
	return req, setDevice(req, &c.agent)
}

// checkClaims refuses what is not the agent's to say, and names too long to be
// kept.
func checkClaims(req *decide.Request) *Problem {
	switch {
	case req.Now != "":
		return notYours("now", "the guard has a clock of its own")
	case req.Agent != "":
		return notYours("agent", "who asks is known by the credential")
	}
	for _, name := range [...]struct{ field, value string }{
		{"id", req.ID}, {"session", req.Session}, {"idempotency_key", req.IdempotencyKey},
	} {
		if p := checkName(name.field, name.value); p != nil {
			return p
		}
	}
	return checkScreen(req.Screen)
}

func checkScreen(s *decide.Screen) *Problem {
	switch {
	case s == nil:
		return nil
	case s.Observed:
		return notYours("screen.observed", "the guard did not look at this screen itself, so it is the agent's word")
	case s.TreePath != "":
		return problem(http.StatusBadRequest, "bad_request", "screen.tree_path names a file, and files are not read here; send the tree in screen.tree")
	}
	return nil
}

// checkName refuses what could not be kept as the name of something.
func checkName(field, value string) *Problem {
	switch {
	case len(value) > maxID:
		return problem(http.StatusUnprocessableEntity, "too_long", "%s has more than %d bytes", field, maxID)
	case strings.ContainsFunc(value, unicode.IsControl):
		return problem(http.StatusUnprocessableEntity, "bad_name", "%s has control characters in it", field)
	}
	return nil
}

func notYours(field, why string) *Problem {
	return problem(http.StatusUnprocessableEntity, "not_yours_to_say", "%s is not the agent's to say: %s; leave it out", field, why)
}

// setDevice holds the device against the credential. A credential with one
// device need not name it.
func setDevice(req *decide.Request, agent *identity.Agent) *Problem {
	if req.Device == "" && len(agent.Devices) == 1 {
		req.Device = agent.Devices[0]
	}
	switch {
	case agent.MayUse(req.Device):
		return nil
	case req.Device == "":
		return problem(http.StatusForbidden, "device_missing", "this credential is for several devices; say in device which one it is")
	}
	return problem(http.StatusForbidden, "device_foreign", "device is none that this credential may act on; the owner says which when the agent is added")
}
