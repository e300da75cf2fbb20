package identity

import (
	"crypto/sha256"
	"encoding/base32"
	"encoding/hex"
	"fmt"
	"io"
	"strings"
)

// What a secret is for is in its first letters. They are part of what is hashed,
// so a secret of one kind is never another kind's too.
const (
	agentToken    = "csa_"
	approverToken = "csp_"
	ticketSecret  = "cst_"
	cookieSecret  = "css_"
)

// A secret is its prefix and 32 random bytes in base32.
const (
	secretBytes  = 32
	secretLength = len(agentToken) + (secretBytes*8+4)/5
)

// alphabet is base32's, in lower case, so that a secret survives being read aloud.
var alphabet = base32.NewEncoding("abcdefghijklmnopqrstuvwxyz234567").WithPadding(base32.NoPadding)

// newSecret makes a secret of the kind that the prefix names.
func newSecret(random io.Reader, prefix string) (string, error) {
	return randomText(random, prefix, secretBytes)
}

// newID makes an id, which is no secret and therefore shorter.
func newID(random io.Reader, prefix string) (string, error) {
	return randomText(random, prefix, 10)
}

func randomText(random io.Reader, prefix string, size int) (string, error) {
	b := make([]byte, size)
	if _, err := io.ReadFull(random, b); err != nil {
		return "", fmt.Errorf("identity: no randomness for a secret: %w", err)
	}
	return prefix + alphabet.EncodeToString(b), nil
}

// hashOf is what is kept of a secret. It is a plain SHA-256: what is hashed has
// 256 random bits, which cannot be guessed at any speed.
func hashOf(secret string) string {
	sum := sha256.Sum256([]byte(secret))
	return hex.EncodeToString(sum[:])
}

// wellFormed reports whether s can be a secret of this kind. It saves the store
// from being asked about anything else.
func wellFormed(s, prefix string) bool {
	if len(s) != secretLength || !strings.HasPrefix(s, prefix) {
		return false
	}
	for i := len(prefix); i < len(s); i++ {
		if b := s[i]; (b < 'a' || b > 'z') && (b < '2' || b > '7') {
			return false
		}
	}
	return true
}
