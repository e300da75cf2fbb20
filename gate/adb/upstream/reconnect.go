package upstream

import (
	"context"
	"errors"
	"fmt"
	"net"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/countersign/countersign/wire"
)

// How often and how long a phone over TCP is looked for after the server's death.
const (
	connectTries = 5
	connectPause = time.Second
)

// Connect connects the server to a phone over TCP, "host:port". From then on it is
// connected again whenever the server was.
func (h *Hidden) Connect(ctx context.Context, serial string) error {
	if err := connect(ctx, h.server, serial); err != nil {
		return err
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if !slices.Contains(h.asked, serial) {
		h.asked = append(h.asked, serial)
	}
	return nil
}

// connect asks for a connection. A server grants the request whatever comes of
// it; its text says what did.
func connect(ctx context.Context, s wire.Server, serial string) error {
	said, err := s.Query(ctx, "host:connect:"+serial)
	if err != nil {
		return err
	}
	if !strings.HasPrefix(said, "connected to") && !strings.HasPrefix(said, "already connected to") {
		return fmt.Errorf("adb could not connect to %q: %q", serial, said)
	}
	return nil
}

// reconnect connects the phones that the last server had reached over TCP.
// Those on USB and emulators are found by the server itself.
func (h *Hidden) reconnect(ctx context.Context) {
	// The list of phones is followed behind what happens: the server may end before
	// a phone that was just connected is on it.
	h.mu.Lock()
	lost := slices.Clone(h.asked)
	for _, serial := range h.remote {
		if !slices.Contains(lost, serial) {
			lost = append(lost, serial)
		}
	}
	h.mu.Unlock()
	for _, serial := range lost {
		var err error
		for range connectTries {
			if err = connect(ctx, h.server, serial); err == nil || !pause(ctx, connectPause) {
				break
			}
		}
		if err != nil {
			h.o.Log.Warn("a phone was not found again", "phone", serial, "error", err.Error())
			continue
		}
		h.o.Log.Info("a phone was found again", "phone", serial)
	}
}

// track follows which phones there are, until the server ends.
func (h *Hidden) track(ctx context.Context) {
	err := Follow(ctx, h.server, func(serials []string) {
		var remote []string
		for _, s := range serials {
			if overTCP(s) {
				remote = append(remote, s)
			}
		}
		h.mu.Lock()
		h.remote = remote
		h.mu.Unlock()
	})
	if ctx.Err() == nil {
		h.o.Log.Warn("the list of phones is not followed any more", "error", err.Error())
	}
}

// Follow calls see with the serials of the phones, now and after each change,
// until ctx or the server ends. It returns why.
func Follow(ctx context.Context, s wire.Server, see func(serials []string)) error {
	c, err := wire.ServerDial(ctx, s.Network, s.Address)
	if err != nil {
		return err
	}
	stop := context.AfterFunc(ctx, func() { _ = c.Close() })
	defer stop()
	defer func() { _ = c.Close() }()
	if err := errors.Join(wire.WriteRequest(c, "host:track-devices"), wire.ReadStatus(c)); err != nil {
		return err
	}
	for {
		list, err := wire.ReadText(c)
		if err != nil {
			return err
		}
		var serials []string
		for line := range strings.Lines(list) {
			if serial, _, ok := strings.Cut(line, "\t"); ok {
				serials = append(serials, serial)
			}
		}
		see(serials)
	}
}

// overTCP says whether a serial is an address to which a server can be told to
// connect.
func overTCP(serial string) bool {
	host, port, err := net.SplitHostPort(serial)
	if err != nil || host == "" {
		return false
	}
	n, err := strconv.ParseUint(port, 10, 16)
	return err == nil && n > 0
}
