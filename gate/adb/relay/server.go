package relay

import (
	"context"
	"encoding/json"
	"net/http"
	"strconv"
	"strings"

	"github.com/countersign/countersign/risk"
)

// server is a kind of server and how its calls are understood.
type server struct {
	name string
	// chunked says that it reads chunked bodies. One that does not takes the
	// chunks for further requests.
	chunked bool
	// bodies says for which paths it reads a body; one that it leaves unread it
	// takes for the next request. Nil is all of them.
	bodies func(path string) bool
	read   func(m *Memory, r *request) meaning
	// look asks the server what a handle of its own stands for now. Nil where it
	// has none.
	look func(ctx context.Context, a *asker, m *Memory, handle string) (thing, error)
	deny func(r *request, why string) reply
	// stale is how it says that a handle stands for nothing any more, absent what
	// it says where it told us so itself. Nil where it has no handles.
	stale  func(r *request, why string) reply
	absent func(r *request, a *absent) reply
}

// absent says that the server knows nothing of what a call names. That is the
// answer to the agent's call as well.
type absent struct {
	answer answer // the server's
	fault  any    // its error, where that was read
}

func (a *absent) Error() string { return "the server knows nothing of what the call names" }

// meaning is what a request means. The zero value is a call that is not known.
type meaning struct {
	reads bool
	// acts are what the call does, one after the other.
	acts     []risk.Action
	describe string
	// handles are what the call names by the server's own names: elements,
	// selectors. build makes the acts when it is known what they stand for.
	handles []string
	build   func(map[string]thing) []risk.Action
	// begins is told before anything is forwarded, for what holds whatever the
	// answer is, or if none comes. Nil is for most.
	begins func(m *Memory)
	// keep is told of the answer, whose body it wants to see. Nil is for most.
	keep func(m *Memory, a *answer)
}

// thing is what a handle stands for: where it is and what identifies it.
type thing struct {
	left, top, right, bottom     int
	text, description, id, class string
}

func (t thing) center() (x, y int) { return (t.left + t.right) / 2, (t.top + t.bottom) / 2 }

func (t thing) empty() bool { return t.right <= t.left || t.bottom <= t.top }

// reply is an answer of our own.
type reply struct {
	status      int
	contentType string
	body        []byte
}

const (
	contentJSON = "application/json; charset=utf-8"
	contentText = "text/plain; charset=utf-8"
)

// bytes is the reply as it is sent.
func (p reply) bytes(close bool) []byte {
	out := "HTTP/1.1 " + strconv.Itoa(p.status) + " " + http.StatusText(p.status) +
		"\r\nContent-Type: " + p.contentType + "\r\nContent-Length: " + strconv.Itoa(len(p.body)) +
		"\r\nCache-Control: no-store\r\n"
	if close {
		out += "Connection: close\r\n"
	}
	return append([]byte(out+"\r\n"), p.body...)
}

// document is a reply of JSON.
func document(status int, v any) reply {
	body, err := json.Marshal(v)
	if err != nil { // nothing here cannot be written
		return reply{500, contentText, []byte("Countersign could not write its answer.")}
	}
	return reply{status, contentJSON, body}
}

// refusal is a reply that any client of HTTP understands.
func refusal(status int, why string) reply {
	return reply{status, contentText, []byte(why + "\n")}
}

// servers are the kinds that are understood.
var servers = map[string]*server{
	UIAutomator2: uiautomator2, UIA2: uia2, Portal: portal, Mobilecli: mobilecli, Unknown: unknown,
}

// unknown is a server that nobody here knows: what it is asked cannot be told.
var unknown = &server{
	name: Unknown,
	read: func(_ *Memory, r *request) meaning { return meaning{describe: "call of an unknown server"} },
	deny: func(_ *request, why string) reply { return refusal(403, why) },
}

// seemsLike is which server a path belongs to, or empty: whether it is worth
// asking the server what it is.
func seemsLike(path string) bool {
	if path == "/ping" || path == "/status" || path == "/version" || strings.HasPrefix(path, "/session") {
		return true
	}
	for _, s := range []map[string]route{uiautomator2Paths, portalPaths} {
		if _, known := s[path]; known {
			return true
		}
	}
	return strings.HasPrefix(path, "/jsonrpc/")
}

// route is what a path means for a server that tells calls apart by it.
type route func(m *Memory, r *request) meaning
