package bypass

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/countersign/countersign/wire"
)

// Machine is the computer that the guard runs on. The zero value looks at this
// one, and holds that no adb server on it is the guard's.
type Machine struct {
	// Gate is the address of the gate's own front end, such as "127.0.0.1:5037":
	// what listens there is no way round. Empty for none.
	Gate string
	// Known are further addresses that are the guard's own or the owner's choice,
	// such as that of a simulated phone.
	Known []string
	// Keys are the folders with keys that phones trust, one for each user that an
	// agent may run as: ~/.android. Each is named as it is given.
	Keys []string
	// Dial connects; nil is a plain TCP connection. It is bounded by ctx.
	Dial func(ctx context.Context, addr string) (net.Conn, error)
}

// knock is how long a port of this machine may take to answer.
const knock = 500 * time.Millisecond

// doors are the ports at which phones, emulators and their servers are found on a
// machine. An emulator takes the first free pair of ports from 5554 on, its
// console and its adbd; -grpc and the emulator's own tools use 8554.
var doors = []struct {
	name, article, what, todo string
	ports                     []int
}{
	{"adb-server", "an", "adb server", "stop it (adb kill-server) and let the guard take its port: countersign adb", []int{5037}},
	{"adbd", "a", "phone's own adbd", "an agent can connect to it past the guard: let only the guard's user reach it, or start the phone on another machine (docs/adb.md)", []int{5555, 5557, 5559}},
	{"console", "an", "emulator's console", "an agent that can read its token presses what it likes: run the emulator as the guard's user", []int{5554, 5556, 5558}},
	{"grpc", "an", "emulator's gRPC port", "it sends touches past the guard: start the emulator without -grpc, or as the guard's user", []int{8554}},
}

// Look looks at the doors of the machine and at the keys.
func (m Machine) Look(ctx context.Context) []Way {
	var ways []Way
	for _, d := range doors {
		way := Way{Name: d.name, State: Closed, Said: "no " + d.what + " listens on this machine"}
		for _, port := range d.ports {
			addr := net.JoinHostPort("127.0.0.1", strconv.Itoa(port))
			if m.ours(addr) {
				way.Said = "what listens on " + addr + " is the guard, or known to its owner"
				continue
			}
			if m.open(ctx, addr) {
				way = Way{Name: d.name, State: Open, Said: d.article + " " + d.what + " listens on " + addr, Todo: d.todo}
				break
			}
		}
		ways = append(ways, way)
	}
	for _, dir := range m.Keys {
		ways = append(ways, key(dir))
	}
	return ways
}

func (m Machine) ours(addr string) bool {
	if addr == m.Gate {
		return true
	}
	for _, known := range m.Known {
		if addr == known {
			return true
		}
	}
	return false
}

// open reports whether somebody answers.
func (m Machine) open(ctx context.Context, addr string) bool {
	ctx, cancel := context.WithTimeout(ctx, knock)
	defer cancel()
	dial := m.Dial
	if dial == nil {
		dial = func(ctx context.Context, addr string) (net.Conn, error) {
			return wire.ServerDial(ctx, "tcp", addr)
		}
	}
	c, err := dial(ctx, addr)
	if err != nil {
		return false
	}
	_ = c.Close()
	return true
}

// key looks whether there is a key by which a phone knows its computer. Whoever
// can read it can drive the phone from any adb server.
func key(dir string) Way {
	path := filepath.Join(dir, "adbkey")
	f, err := os.Open(path)
	switch {
	case err == nil:
		_ = f.Close()
		return Way{Name: "adb-key", State: Open, Said: fmt.Sprintf("%s can be read: a phone that trusts it can be driven past the guard", path),
			Todo: "give the guard a user of its own with the only key (countersign install --adb), remove this one and take its trust back on the phone (Developer options, Revoke USB debugging authorisations)"}
	case errors.Is(err, fs.ErrNotExist):
		return Way{Name: "adb-key", State: Closed, Said: "there is no key in " + dir}
	case errors.Is(err, fs.ErrPermission):
		return Way{Name: "adb-key", State: Closed, Said: path + " cannot be read by this user"}
	}
	return Way{Name: "adb-key", State: Unknown, Said: fmt.Sprintf("%s: %v", path, err), Todo: "look whether an agent's user can read it"}
}
