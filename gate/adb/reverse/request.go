package reverse

import "strings"

// request is what a "reverse:" service asks the phone for.
type request struct {
	verb     string // forward, list-forward, killforward, killforward-all; empty for what adbd does not know
	norebind bool
	remote   string // where the phone listens
	local    string // where the agent wants the connections
}

// parse reads a service by the rules of adb's handle_forward_request.
func parse(service string) request {
	rest, ok := strings.CutPrefix(service, "reverse:")
	if !ok || strings.ContainsRune(rest, 0) {
		return request{}
	}
	if rest == "list-forward" || rest == "killforward-all" {
		return request{verb: rest}
	}
	verb, args, _ := strings.Cut(rest, ":")
	switch verb {
	case "killforward":
		if args == "" {
			return request{}
		}
		return request{verb: verb, remote: args}
	case "forward":
		r := request{verb: verb}
		args, r.norebind = strings.CutPrefix(args, "norebind:")
		parts := strings.Split(args, ";")
		if len(parts) != 2 || parts[0] == "" || parts[1] == "" || strings.HasPrefix(parts[1], "*") {
			return request{}
		}
		r.remote, r.local = parts[0], parts[1]
		return r
	}
	return request{}
}

// service is the request with another place for the connections.
func (r request) service(local string) string {
	s := "reverse:forward:"
	if r.norebind {
		s += "norebind:"
	}
	return s + r.remote + ";" + local
}
