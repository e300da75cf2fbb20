// Package passkeytest is a security key in software, for tests of whatever takes
// passkeys.
package passkeytest

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"testing"

	"github.com/fxamacker/cbor/v2"
)

// Authenticator is a security key in software: one ES256 key, and the answers of
// WebAuthn Level 3, sections 6.1 and 6.5. It is for one goroutine.
type Authenticator struct {
	t   *testing.T
	key *ecdsa.PrivateKey

	// ID is the credential id. What follows goes into the next answer, so that a
	// test can spoil it: how often the key was used, the origin and the host that
	// it was asked by, the type of ceremony where that is to be another one, and
	// whether the person was verified.
	ID           []byte
	Counter      uint32
	Origin, Host string
	Kind         string
	Verified     bool
}

// New makes a key for a page.
func New(t *testing.T, host, origin string) *Authenticator {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	id := make([]byte, 16)
	rand.Read(id)
	return &Authenticator{t: t, ID: id, key: key, Origin: origin, Host: host, Verified: true}
}

// Options are what both ceremonies hand to the browser, as far as it matters here.
type Options struct {
	PublicKey struct {
		Challenge string `json:"challenge"`
		RP        struct {
			ID string `json:"id"`
		} `json:"rp"`
		RPID             string `json:"rpId"`
		AllowCredentials []struct {
			ID string `json:"id"`
		} `json:"allowCredentials"`
		ExcludeCredentials []struct {
			ID string `json:"id"`
		} `json:"excludeCredentials"`
	} `json:"publicKey"`
}

// Read reads what the browser was asked.
func (a *Authenticator) Read(doc []byte) Options {
	a.t.Helper()
	var o Options
	if err := json.Unmarshal(doc, &o); err != nil {
		a.t.Fatal(err)
	}
	if o.PublicKey.Challenge == "" {
		a.t.Fatalf("no challenge in %s", doc)
	}
	return o
}

// Base64 is how credential ids and all else are written.
func Base64(data []byte) string { return base64.RawURLEncoding.EncodeToString(data) }

func (a *Authenticator) client(kind, challenge string) []byte {
	if a.Kind != "" {
		kind = a.Kind
	}
	doc, err := json.Marshal(map[string]any{"type": kind, "challenge": challenge, "origin": a.Origin, "crossOrigin": false})
	if err != nil {
		a.t.Fatal(err)
	}
	return doc
}

func (a *Authenticator) data(attested bool) []byte {
	hash := sha256.Sum256([]byte(a.Host))
	flags := byte(0x01)
	if a.Verified {
		flags |= 0x04
	}
	if attested {
		flags |= 0x40
	}
	data := append(hash[:], flags)
	return binary.BigEndian.AppendUint32(data, a.Counter)
}

// Create answers navigator.credentials.create.
func (a *Authenticator) Create(doc []byte) []byte {
	a.t.Helper()
	point, err := a.key.PublicKey.Bytes()
	if err != nil {
		a.t.Fatal(err)
	}
	cose, err := cbor.Marshal(map[int]any{1: 2, 3: -7, -1: 1, -2: point[1:33], -3: point[33:65]})
	if err != nil {
		a.t.Fatal(err)
	}
	data := a.data(true)
	data = append(data, make([]byte, 16)...)
	data = binary.BigEndian.AppendUint16(data, uint16(len(a.ID)))
	data = append(append(data, a.ID...), cose...)
	attestation, err := cbor.Marshal(map[string]any{"fmt": "none", "attStmt": map[string]any{}, "authData": data})
	if err != nil {
		a.t.Fatal(err)
	}
	return a.answer(map[string]string{
		"clientDataJSON":    Base64(a.client("webauthn.create", a.Read(doc).PublicKey.Challenge)),
		"attestationObject": Base64(attestation),
	})
}

// Get answers navigator.credentials.get.
func (a *Authenticator) Get(doc []byte) []byte {
	a.t.Helper()
	a.Counter++
	client, data := a.client("webauthn.get", a.Read(doc).PublicKey.Challenge), a.data(false)
	hash := sha256.Sum256(client)
	signed := sha256.Sum256(append(append([]byte{}, data...), hash[:]...))
	signature, err := ecdsa.SignASN1(rand.Reader, a.key, signed[:])
	if err != nil {
		a.t.Fatal(err)
	}
	return a.answer(map[string]string{"clientDataJSON": Base64(client), "authenticatorData": Base64(data), "signature": Base64(signature)})
}

func (a *Authenticator) answer(response map[string]string) []byte {
	doc, err := json.Marshal(map[string]any{"id": Base64(a.ID), "rawId": Base64(a.ID), "type": "public-key", "response": response})
	if err != nil {
		a.t.Fatal(err)
	}
	return doc
}
