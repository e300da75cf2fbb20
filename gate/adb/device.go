package adb

import (
	"context"
	"errors"
	"net"
	"sync"
)

// ErrRefused says that a service was refused; the client has been told.
var ErrRefused = errors.New("the service was refused")

// Device is one guarded phone: who waits for whom on it, what is known of its
// screen and its files. It is safe for concurrent use.
type Device struct {
	gate *Gate

	mu    sync.Mutex
	phone Phone
}

func newDevice(g *Gate, p Phone) *Device { return &Device{gate: g, phone: p} }

// reach takes over another way to the same phone.
func (d *Device) reach(p Phone) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.phone = p
}

// Serve carries one service from the request to its end, and closes the client.
// It returns nil when the service ran, ErrRefused when the client was told no, and
// what went wrong otherwise. The service is the client's text, as it came.
func (d *Device) Serve(ctx context.Context, service string, c Client) error {
	defer c.Close()
	return errors.Join(ErrRefused, c.Refuse("countersign: nothing passes yet"))
}

// Dial opens a judged stream to a server on the phone, such as "tcp:9008", for a
// forward that the front end owns. What flows on it is judged as on a stream that
// the client opened itself; a target that is refused is an error that wraps
// ErrRefused and says why.
func (d *Device) Dial(ctx context.Context, target string) (net.Conn, error) {
	return nil, ErrRefused
}
