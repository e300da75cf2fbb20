package passkey_test

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

// authenticator is a security key in software: one ES256 key, answers of
// WebAuthn Level 3, sections 6.1 and 6.5.
type authenticator struct {
	t       *testing.T
	id      []byte
	key     *ecdsa.PrivateKey
	counter uint32
	// What goes into its next answer; tests change them.
	origin, host, kind string
	verified           bool
}

func newAuthenticator(t *testing.T, page page) *authenticator {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	id := make([]byte, 16)
	rand.Read(id)
	return &authenticator{t: t, id: id, key: key, origin: page.Origin, host: page.Host, verified: true}
}

// options are what both ceremonies hand to the browser, as far as it matters here.
type options struct {
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

func (a *authenticator) read(doc []byte) options {
	a.t.Helper()
	var o options
	if err := json.Unmarshal(doc, &o); err != nil {
		a.t.Fatal(err)
	}
	if o.PublicKey.Challenge == "" {
		a.t.Fatalf("no challenge in %s", doc)
	}
	return o
}

func b64(data []byte) string { return base64.RawURLEncoding.EncodeToString(data) }

func (a *authenticator) client(kind, challenge string) []byte {
	if a.kind != "" {
		kind = a.kind
	}
	doc, err := json.Marshal(map[string]any{"type": kind, "challenge": challenge, "origin": a.origin, "crossOrigin": false})
	if err != nil {
		a.t.Fatal(err)
	}
	return doc
}

func (a *authenticator) data(attested bool) []byte {
	hash := sha256.Sum256([]byte(a.host))
	flags := byte(0x01)
	if a.verified {
		flags |= 0x04
	}
	if attested {
		flags |= 0x40
	}
	data := append(hash[:], flags)
	return binary.BigEndian.AppendUint32(data, a.counter)
}

// create answers navigator.credentials.create.
func (a *authenticator) create(doc []byte) []byte {
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
	data = binary.BigEndian.AppendUint16(data, uint16(len(a.id)))
	data = append(append(data, a.id...), cose...)
	attestation, err := cbor.Marshal(map[string]any{"fmt": "none", "attStmt": map[string]any{}, "authData": data})
	if err != nil {
		a.t.Fatal(err)
	}
	return a.answer(map[string]string{
		"clientDataJSON":    b64(a.client("webauthn.create", a.read(doc).PublicKey.Challenge)),
		"attestationObject": b64(attestation),
	})
}

// get answers navigator.credentials.get.
func (a *authenticator) get(doc []byte) []byte {
	a.t.Helper()
	a.counter++
	client, data := a.client("webauthn.get", a.read(doc).PublicKey.Challenge), a.data(false)
	hash := sha256.Sum256(client)
	signed := sha256.Sum256(append(append([]byte{}, data...), hash[:]...))
	signature, err := ecdsa.SignASN1(rand.Reader, a.key, signed[:])
	if err != nil {
		a.t.Fatal(err)
	}
	return a.answer(map[string]string{"clientDataJSON": b64(client), "authenticatorData": b64(data), "signature": b64(signature)})
}

func (a *authenticator) answer(response map[string]string) []byte {
	doc, err := json.Marshal(map[string]any{"id": b64(a.id), "rawId": b64(a.id), "type": "public-key", "response": response})
	if err != nil {
		a.t.Fatal(err)
	}
	return doc
}
