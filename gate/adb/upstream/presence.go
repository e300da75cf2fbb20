package upstream

import (
	"context"
	"net"
	"sync"

	"github.com/countersign/countersign/gate/adb"
)

// presence is who waits for a service, and how to find out whether they still
// do.
type presence struct {
	service string
	once    sync.Once
	check   func(context.Context) error
	err     error
}

type presenceKey struct{}

// WithClient says that a client asks for the service within this context, and
// how to find out whether it is still there. Where a protocol shows a client's
// going away by itself there is no need. The check is made once, when the service
// is about to be opened on the phone.
func WithClient(ctx context.Context, service string, check func(context.Context) error) context.Context {
	return context.WithValue(ctx, presenceKey{}, &presence{service: service, check: check})
}

// stillThere makes the check of the context's client, if this is what it asked
// for.
func stillThere(ctx context.Context, service string) error {
	p, ok := ctx.Value(presenceKey{}).(*presence)
	if !ok || p.service != service {
		return nil
	}
	p.once.Do(func() { p.err = p.check(ctx) })
	return p.err
}

// Checked is a phone that opens nothing for a client that has gone away.
func Checked(p adb.Phone) adb.Phone {
	if p, ok := p.(Phone); ok {
		return p
	}
	return checked{p}
}

type checked struct{ adb.Phone }

func (c checked) Open(ctx context.Context, service string) (net.Conn, error) {
	if err := stillThere(ctx, service); err != nil {
		return nil, err
	}
	return c.Phone.Open(ctx, service)
}
