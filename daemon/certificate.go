package daemon

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"fmt"
	"io/fs"
	"math/big"
	"net"
	"strings"
	"time"
)

// The files of a certificate that the daemon makes for itself.
const (
	certFile = "inbox.crt"
	keyFile  = "inbox.key"
)

// A certificate of our own lives as long as browsers take one for (398 days
// since 2020), and is replaced a month before.
const (
	certLife  = 397 * 24 * time.Hour
	certRenew = 30 * 24 * time.Hour
)

// certificate is what the remote door shows, and whether the daemon made it.
func (h home) certificate(r Remote, now time.Time) (cert tls.Certificate, own bool, err error) {
	if r.CertFile != "" {
		cert, err = tls.LoadX509KeyPair(r.CertFile, r.KeyFile)
		if err != nil {
			return cert, false, fmt.Errorf("read the certificate of the inbox: %w", err)
		}
		if err := fits(&cert, r.Name, now); err != nil {
			return cert, false, fmt.Errorf("%s: %w", r.CertFile, err)
		}
		return cert, false, nil
	}
	cert, err = tls.LoadX509KeyPair(h.path(certFile), h.path(keyFile))
	if err == nil && fits(&cert, r.Name, now.Add(certRenew)) == nil {
		return cert, true, nil
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return cert, true, fmt.Errorf("read the inbox's own certificate: %w; remove %s and %s to have a new one made", err, h.path(certFile), h.path(keyFile))
	}
	cert, err = h.makeCertificate(r.Name, now)
	return cert, true, err
}

// fits says why a certificate does not serve a name at a time.
func fits(cert *tls.Certificate, name string, at time.Time) error {
	leaf, err := x509.ParseCertificate(cert.Certificate[0])
	if err != nil {
		return err
	}
	cert.Leaf = leaf
	if err := leaf.VerifyHostname(name); err != nil {
		return fmt.Errorf("the certificate is not for %s: %w", name, err)
	}
	if at.Before(leaf.NotBefore) || at.After(leaf.NotAfter) {
		return fmt.Errorf("the certificate is for %s to %s", leaf.NotBefore.Format(time.DateOnly), leaf.NotAfter.Format(time.DateOnly))
	}
	return nil
}

// makeCertificate makes a certificate that vouches for itself, and keeps it: its
// fingerprint is what a person compares, so it must not change at every start.
func (h home) makeCertificate(name string, now time.Time) (tls.Certificate, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return tls.Certificate{}, fmt.Errorf("make a key for the inbox: %w", err)
	}
	serial, err := rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), 127))
	if err != nil {
		return tls.Certificate{}, fmt.Errorf("make a certificate for the inbox: %w", err)
	}
	template := x509.Certificate{
		SerialNumber: serial, Subject: pkix.Name{CommonName: "Countersign inbox"},
		NotBefore: now.Add(-time.Hour), NotAfter: now.Add(certLife),
		KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
		BasicConstraintsValid: true,
	}
	if ip := net.ParseIP(name); ip != nil {
		template.IPAddresses = []net.IP{ip}
	} else {
		template.DNSNames = []string{name}
	}
	der, err := x509.CreateCertificate(rand.Reader, &template, &template, &key.PublicKey, key)
	if err != nil {
		return tls.Certificate{}, fmt.Errorf("make a certificate for the inbox: %w", err)
	}
	private, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return tls.Certificate{}, fmt.Errorf("make a certificate for the inbox: %w", err)
	}
	certPEM := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})
	keyPEM := pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: private})
	// The key comes first: a certificate without its key would be refused at the
	// next start, a key without a certificate is replaced.
	for _, file := range []struct {
		name string
		text []byte
	}{{keyFile, keyPEM}, {certFile, certPEM}} {
		if err := h.write(file.name, strings.TrimSpace(string(file.text))); err != nil {
			return tls.Certificate{}, err
		}
	}
	return tls.X509KeyPair(certPEM, keyPEM)
}

// fingerprint is the SHA-256 of a certificate, as browsers show it.
func fingerprint(cert *tls.Certificate) string {
	sum := sha256.Sum256(cert.Certificate[0])
	var b strings.Builder
	for i, c := range sum {
		if i > 0 {
			b.WriteByte(':')
		}
		fmt.Fprintf(&b, "%02X", c)
	}
	return b.String()
}
