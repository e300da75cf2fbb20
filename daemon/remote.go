package daemon

import (
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/netip"
	"os"
	"strings"
	"sync"
	"time"
)

// Remote is a door to the inbox for the owner's other devices, over TLS. The
// zero value opens none.
type Remote struct {
	// Addr is where it listens, such as 0.0.0.0:8789 or an address of a private
	// network.
	Addr string
	// Name is the host name, or the IP address, under which other devices reach
	// it, without a port. Passkeys need a host name.
	Name string
	// CertFile and KeyFile are a certificate for Name and its key, in PEM. With
	// neither the daemon makes a certificate of its own, and shows its
	// fingerprint.
	CertFile, KeyFile string
}

func (r *Remote) validate() error {
	if *r == (Remote{}) {
		return nil
	}
	if r.Addr == "" || r.Name == "" {
		return errors.New("the inbox for other devices needs an address to listen on and the name they reach it by; give both, or neither")
	}
	if (r.CertFile == "") != (r.KeyFile == "") {
		return errors.New("a certificate needs its key; give both files, or neither to have a certificate made")
	}
	host, _, err := net.SplitHostPort(r.Addr)
	if err == nil && host != "" && host != "localhost" {
		_, err = netip.ParseAddr(host)
	}
	if err != nil {
		return fmt.Errorf("the inbox for other devices: %q is no address; accepted is IP:PORT, such as 0.0.0.0:8789", r.Addr)
	}
	r.Name = strings.ToLower(r.Name)
	if at, err := netip.ParseAddr(r.Name); err == nil && at.Zone() == "" {
		r.Name = at.Unmap().String() // as browsers write it
	} else if !hostName(r.Name) || endsInNumber(r.Name) {
		return fmt.Errorf("the inbox for other devices: %q is no host name; accepted are letters, digits, hyphens and dots, or an IP address written as usual, without a port and a zone", r.Name)
	}
	return nil
}

// endsInNumber reports a name that browsers take for an address (URL Standard,
// 3.5, the ends-in-a-number checker): no page is ever reached by it.
func endsInNumber(name string) bool {
	last := name[strings.LastIndexByte(name, '.')+1:]
	if hex, ok := strings.CutPrefix(last, "0x"); ok {
		return strings.Trim(hex, "0123456789abcdef") == ""
	}
	return strings.Trim(last, "0123456789") == ""
}

// hostName reports whether a name can be one of a host (RFC 1123, 2.1).
func hostName(name string) bool {
	if len(name) > 253 {
		return false
	}
	for label := range strings.SplitSeq(name, ".") {
		if len(label) == 0 || len(label) > 63 || label[0] == '-' || label[len(label)-1] == '-' {
			return false
		}
		for _, c := range label {
			if c != '-' && (c < 'a' || c > 'z') && (c < '0' || c > '9') {
				return false
			}
		}
	}
	return true
}

// remoteDoor is the inbox over TLS, once it is open.
type remoteDoor struct {
	host string // as in a Host header: with the port unless that is 443
	own  bool   // the daemon made the certificate
	// fingerprint is the SHA-256 of the certificate at the start.
	fingerprint string
}

// listenRemote opens the inbox for other devices.
func (d *Daemon) listenRemote() (net.Listener, error) {
	r, now := d.options.Remote, d.options.Now
	cert, own, err := d.home.certificate(r, now())
	if err != nil {
		return nil, err
	}
	l, err := listen("the inbox for other devices", r.Addr, "--remote")
	if err != nil {
		return nil, err
	}
	_, port, err := net.SplitHostPort(l.Addr().String())
	if err != nil {
		return nil, errors.Join(err, l.Close())
	}
	d.remote = &remoteDoor{host: net.JoinHostPort(r.Name, port), own: own, fingerprint: fingerprint(&cert)}
	if port == "443" {
		d.remote.host = strings.TrimSuffix(d.remote.host, ":443")
	}
	shown := &shownCertificate{cert: cert, read: func() (tls.Certificate, error) {
		c, _, err := d.home.certificate(r, now())
		return c, err
	}, log: d.options.Log}
	if !own {
		shown.file = r.CertFile
		shown.written = writtenAt(r.CertFile)
	}
	return tls.NewListener(l, &tls.Config{MinVersion: tls.VersionTLS12, GetCertificate: shown.get, NextProtos: []string{"http/1.1"}}), nil
}

// shownCertificate is read again when its file changes, since other programs
// renew certificates. One that cannot be read leaves the old one in place.
type shownCertificate struct {
	file string // empty for one that never changes
	read func() (tls.Certificate, error)
	log  *slog.Logger

	mu      sync.Mutex
	cert    tls.Certificate
	written time.Time
}

func (s *shownCertificate) get(*tls.ClientHelloInfo) (*tls.Certificate, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.file != "" {
		if at := writtenAt(s.file); !at.Equal(s.written) {
			s.written = at
			if cert, err := s.read(); err != nil {
				s.log.Error("the inbox's certificate could not be read again; the old one stays", "error", err.Error())
			} else {
				s.cert = cert
			}
		}
	}
	cert := s.cert
	return &cert, nil
}

// writtenAt is when a file was written, the zero time if it is not there.
func writtenAt(file string) time.Time {
	info, err := os.Stat(file)
	if err != nil {
		return time.Time{}
	}
	return info.ModTime()
}

// RemoteURL is the base address of the inbox for other devices, empty where
// there is none, and the SHA-256 fingerprint of its certificate where the daemon
// made that itself.
func (d *Daemon) RemoteURL() (url, print string) {
	if d.remote == nil {
		return "", ""
	}
	if d.remote.own {
		print = d.remote.fingerprint
	}
	return "https://" + d.remote.host, print
}
