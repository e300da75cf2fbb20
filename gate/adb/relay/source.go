package relay

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
)

// Source is a server that runs on the phone and can be asked for the screen, so
// that nothing else has to take its place: Android has one owner of the
// connection to its accessibility tree.
type Source struct {
	Server string // UIAutomator2, UIA2, Portal or Mobilecli; empty for what Memory knows
	Target string // the service it listens on
	// Memory has the live session of UIA2 and the Portal's token; the same that
	// was given to [HTTP].
	Memory *Memory
}

// ErrNoSource says that the server has nothing to show that may be relied on, or
// is not one of those that can be asked.
var ErrNoSource = errors.New("the server on the phone cannot be asked for its screen")

// ErrBlurred is the ErrNoSource of a server that runs and shows the agent less
// than there is, because the agent has set it so. It still has the place that
// another look would take from it.
var ErrBlurred = fmt.Errorf("%w: the agent has changed what it shows", ErrNoSource)

// Tree asks the server for the tree of what is shown: uiautomator's XML, page
// source, or the JSON of the others turned into uiautomator's XML. What the server says
// came from the phone and is hostile.
func (s Source) Tree(ctx context.Context, dial func(ctx context.Context, target string) (net.Conn, error)) ([]byte, error) {
	m := s.Memory
	if m == nil {
		m = new(Memory)
	}
	if s.Server == "" {
		s.Server = m.Server()
	}
	if m.isBlurred() {
		return nil, ErrBlurred
	}
	a := &asker{
		dial:          func(ctx context.Context) (net.Conn, error) { return dial(ctx, s.Target) },
		authorization: m.authorization(),
	}
	defer a.close()
	switch s.Server {
	case UIAutomator2:
		got, err := a.ask(ctx, "POST", rpcPath, []byte(`{"jsonrpc":"2.0","id":1,"method":"dumpWindowHierarchy","params":[false,50]}`))
		return textOf(&got, err, "result")
	case UIA2:
		if m.Session() == "" {
			return nil, fmt.Errorf("%w: it has no session", ErrNoSource)
		}
		got, err := a.ask(ctx, "GET", "/session/"+m.Session()+"/source", nil)
		return textOf(&got, err, "value")
	case Portal:
		got, err := a.ask(ctx, "GET", "/state_full?filter=false", nil)
		if err != nil {
			return nil, err
		}
		if got.status != 200 {
			return nil, fmt.Errorf("%w: status %d", ErrNoSource, got.status)
		}
		return portalTree(got.body)
	case Mobilecli:
		got, err := a.ask(ctx, "POST", "/", []byte(`{"jsonrpc":"2.0","id":1,"method":"device.dump.ui","params":{"full":true}}`))
		if err != nil {
			return nil, err
		}
		return mobilecliTree(got.body)
	}
	return nil, ErrNoSource
}

// textOf is the text that an answer has under a name.
func textOf(a *answer, err error, name string) ([]byte, error) {
	if err != nil {
		return nil, err
	}
	text := textIn(a.body, name)
	if a.status != 200 || text == "" {
		return nil, fmt.Errorf("%w: status %d", ErrNoSource, a.status)
	}
	return []byte(text), nil
}

// textIn is a text in a document that may be large; empty where there is none.
func textIn(body []byte, name string) string {
	var o map[string]json.RawMessage
	if json.Unmarshal(body, &o) != nil {
		return ""
	}
	var text string
	if json.Unmarshal(o[name], &text) != nil {
		return ""
	}
	return text
}
