package ledger

import (
	"bytes"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

// origin is the first line of every checkpoint.
const origin = "countersign"

// What is wrong with a key or a checkpoint.
var (
	ErrKeyName    = errors.New("the name of a key is not empty and has no blanks and no plus sign")
	ErrKey        = errors.New("this is no key of a ledger; GenerateKey makes a pair")
	ErrCheckpoint = errors.New("this is no checkpoint of the ledger")
	ErrSignature  = errors.New("the signature of the checkpoint is not of this key")
)

// GenerateKey makes a pair of Ed25519 keys as text, in the form of the Go
// checksum database. The name stands in every signature. Whoever has the
// private key can sign any ledger: it belongs where only the guard can read it.
func GenerateKey(name string) (privateKey, publicKey string, err error) {
	if name == "" || !utf8.ValidString(name) || strings.ContainsFunc(name, unicode.IsSpace) || strings.Contains(name, "+") {
		return "", "", fmt.Errorf("ledger: generate key %q: %w", name, ErrKeyName)
	}
	privateKey, publicKey, err = note.GenerateKey(rand.Reader, name)
	if err != nil {
		return "", "", fmt.Errorf("ledger: generate key: %w", err)
	}
	return privateKey, publicKey, nil
}

// Signer signs checkpoints. It is safe for concurrent use.
type Signer struct{ signer note.Signer }

// NewSigner reads a private key that GenerateKey made. The error wraps ErrKey
// and does not repeat the key.
func NewSigner(privateKey string) (*Signer, error) {
	s, err := note.NewSigner(privateKey)
	if err != nil {
		return nil, fmt.Errorf("ledger: read private key: %w", ErrKey)
	}
	return &Signer{s}, nil
}

// Checkpoint signs the size and the root of a ledger: a signed note with the
// lines "countersign", size and root in base64, in the format of the Go checksum
// database and of C2SP tlog-checkpoint. The same head gives the same bytes. A
// nil or zero Signer signs nothing.
func (s *Signer) Checkpoint(h Head) ([]byte, error) {
	if s == nil || s.signer == nil {
		return nil, fmt.Errorf("ledger: checkpoint: %w", ErrKey)
	}
	root, err := h.Root()
	if err != nil {
		return nil, err
	}
	text, err := note.Sign(&note.Note{Text: checkpointText(h.Size, root)}, s.signer)
	if err != nil {
		return nil, fmt.Errorf("ledger: checkpoint: %w", err)
	}
	return text, nil
}

func checkpointText(size int64, root Hash) string {
	return fmt.Sprintf("%s\n%d\n%s\n", origin, size, root)
}

// OpenCheckpoint checks a signature and returns what was signed. It accepts
// exactly the bytes that Checkpoint writes: no further lines or signatures and
// one spelling of each. Errors wrap ErrKey, ErrSignature or ErrCheckpoint.
func OpenCheckpoint(text []byte, publicKey string) (size int64, root Hash, err error) {
	v, err := readPublicKey(publicKey)
	if err != nil {
		return 0, Hash{}, err
	}
	return openCheckpoint(text, v)
}

func readPublicKey(publicKey string) (note.Verifier, error) {
	v, err := note.NewVerifier(publicKey)
	if err != nil {
		return nil, fmt.Errorf("ledger: read public key: %w", ErrKey)
	}
	return v, nil
}

func openCheckpoint(text []byte, v note.Verifier) (int64, Hash, error) {
	n, err := note.Open(text, note.VerifierList(v))
	var unknown *note.UnverifiedNoteError
	var invalid *note.InvalidSignatureError
	switch {
	case errors.As(err, &unknown), errors.As(err, &invalid):
		return 0, Hash{}, fmt.Errorf("ledger: open checkpoint: %w", ErrSignature)
	case err != nil:
		return 0, Hash{}, fmt.Errorf("ledger: open checkpoint: %w: %w", ErrCheckpoint, err)
	}
	lines := strings.Split(n.Text, "\n")
	if len(lines) != 4 || lines[0] != origin || lines[3] != "" {
		return 0, Hash{}, fmt.Errorf("ledger: open checkpoint: %w: it has not the lines %q, size, root", ErrCheckpoint, origin)
	}
	size, err := strconv.ParseInt(lines[1], 10, 64)
	if err != nil || size < 0 {
		return 0, Hash{}, fmt.Errorf("ledger: open checkpoint: %w: the size is no whole number from 0", ErrCheckpoint)
	}
	root, err := tlog.ParseHash(lines[2])
	if err != nil {
		return 0, Hash{}, fmt.Errorf("ledger: open checkpoint: %w: the root is no hash in base64", ErrCheckpoint)
	}
	if !bytes.Equal(text, oneSpelling(size, root, n.Sigs[0])) {
		return 0, Hash{}, fmt.Errorf("ledger: open checkpoint: %w: it is not spelled the way the ledger writes it", ErrCheckpoint)
	}
	return size, root, nil
}

// oneSpelling is the only text that a signed checkpoint can have. Base64 has
// spare bits in its last letter, and notes ignore signatures they do not know:
// both would be places where a stored checkpoint could be changed unnoticed.
func oneSpelling(size int64, root Hash, sig note.Signature) []byte {
	raw, err := base64.StdEncoding.DecodeString(sig.Base64)
	if err != nil {
		return nil
	}
	return fmt.Appendf(nil, "%s\n— %s %s\n", checkpointText(size, root), sig.Name, base64.StdEncoding.EncodeToString(raw))
}
