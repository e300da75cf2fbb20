// Package webhook tells a program at an address of its owner's that a question
// waits.
//
// It sends what the Standard Webhooks specification (version 1.0.0,
// https://www.standardwebhooks.com) describes: a JSON document with type,
// timestamp and data; the headers webhook-id (the same for every try of one
// message), webhook-timestamp (of the try) and webhook-signature, which is "v1,"
// and the HMAC-SHA256 of id.timestamp.document in base64. So any library for that
// specification can verify it.
package webhook

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/countersign/countersign/channel/notice"
	"github.com/countersign/countersign/channel/post"
)

// Secret is the key that both sides share. Make one with ReadSecret; it prints as
// nothing.
type Secret struct{ key []byte }

// The lengths of a key in bytes, by the specification.
const (
	minKey = 24
	maxKey = 64
)

const secretPrefix = "whsec_"

// ErrSecret says what a secret has to be.
var ErrSecret = fmt.Errorf("a secret is %s and %d to %d random bytes in base64; make one with: printf 'whsec_%%s\\n' \"$(openssl rand -base64 32)\"", secretPrefix, minKey, maxKey)

// ReadSecret reads a secret as it is written down: whsec_ and base64.
func ReadSecret(text string) (Secret, error) {
	encoded, ok := strings.CutPrefix(text, secretPrefix)
	key, err := base64.StdEncoding.Strict().DecodeString(encoded)
	if !ok || err != nil || len(key) < minKey || len(key) > maxKey {
		return Secret{}, ErrSecret
	}
	return Secret{key}, nil
}

// Format prints no verb with the key.
func (s Secret) Format(f fmt.State, _ rune) { io.WriteString(f, "a secret") }

// Sign is the signature of a document, as it stands in webhook-signature.
func (s Secret) Sign(id string, at time.Time, doc []byte) string {
	mac := hmac.New(sha256.New, s.key)
	fmt.Fprintf(mac, "%s.%d.", id, at.Unix())
	mac.Write(doc)
	return "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
}

// Options say where to send. All but Roots are required.
type Options struct {
	To     post.Address
	Secret Secret
	// Now is the time of a try.
	Now func() time.Time
	// Roots check the other side's certificate; nil for the system's.
	Roots *x509.CertPool
}

// Channel is a notice.Channel.
type Channel struct {
	sender *post.Sender
	secret Secret
	now    func() time.Time
}

// New makes a channel. It sends nothing yet.
func New(o Options) (*Channel, error) {
	if o.To.Host() == "" || len(o.Secret.key) == 0 || o.Now == nil {
		return nil, errors.New("webhook: Options need an address, a secret and a clock")
	}
	return &Channel{sender: post.New(o.To, o.Roots), secret: o.Secret, now: o.Now}, nil
}

// Tell sends the message once.
func (c *Channel) Tell(ctx context.Context, m notice.Message) error {
	doc, err := m.JSON()
	if err != nil {
		return err
	}
	at := c.now()
	return c.sender.Post(ctx, http.Header{
		"Webhook-Id":        {m.Data.ID},
		"Webhook-Timestamp": {strconv.FormatInt(at.Unix(), 10)},
		"Webhook-Signature": {c.secret.Sign(m.Data.ID, at, doc)},
	}, doc)
}
