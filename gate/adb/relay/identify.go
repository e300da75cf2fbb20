package relay

import (
	"bytes"
	"context"
	"errors"
)

// identify works out which server this is. What it is asked may mean one thing to
// one server and another to the next, so a call alone does not tell: the server is
// asked itself, once, with requests that change nothing on any of those that are
// known.
func (r *relay) identify(ctx context.Context, req *request) (*server, error) {
	m := r.options.Memory
	if name := m.Server(); name != "" {
		if s := servers[name]; s != nil {
			return s, nil
		}
		return unknown, nil
	}
	if !seemsLike(req.path()) && !mobilecliTarget(r.options.Target) {
		return unknown, nil // nothing that is worth a question
	}
	a := &asker{dial: r.device}
	defer a.close()
	name, err := probe(ctx, a, r.options.Target)
	if err != nil {
		return nil, err
	}
	if name != Unknown { // which may be one that has only begun to start
		m.Know(name)
	}
	return servers[name], nil
}

// probe asks a server what it is.
func probe(ctx context.Context, a *asker, target string) (string, error) {
	ping, err := a.ask(ctx, "GET", "/ping", nil)
	switch {
	case err != nil && !errors.Is(err, errAnswer):
		return "", err
	case err != nil:
		return Unknown, nil
	case ping.status == 200 && string(bytes.TrimSpace(ping.body)) == "pong":
		return UIAutomator2, nil
	}
	switch o, _ := asObject(ping.body); {
	case ping.status == 200 && o["status"] == "success":
		return Portal, nil
	case ping.status == 200 && o["jsonrpc"] == "2.0" && mobilecliTarget(target):
		return Mobilecli, nil // it takes any path for a call, and an empty one for an error
	}
	status, err := a.ask(ctx, "GET", "/status", nil)
	if err != nil {
		return "", err
	}
	o, _ := asObject(status.body)
	value, _ := o["value"].(object)
	if _, ready := value["ready"].(bool); status.status == 200 && ready {
		return UIA2, nil
	}
	return Unknown, nil
}

// asObject reads a body as a JSON object.
func asObject(body []byte) (object, bool) {
	v, err := parseJSON(body)
	o, ok := v.(object)
	return o, ok && err == nil
}
