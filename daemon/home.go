package daemon

import (
	"crypto/rand"
	"encoding/base32"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/countersign/countersign/ledger"
)

// The files of a home folder; docs/running.md lists them for people.
const (
	DatabaseFile      = "countersign.db"
	LedgerKeyFile     = "ledger.pub"     // verifies checkpoints; may be handed on
	AgentTokenFile    = "agent.token"    // of the first agent
	ApproverTokenFile = "approver.token" // of the owner's terminal
	SocketFile        = "approver.sock"

	digestKeyFile = "digest.key"
	signerFile    = "ledger.key"
	inboxNameFile = "inbox.name"
)

// minDigestKey is the length in bytes of a new digest key.
const minDigestKey = 32

// home is the folder that a daemon lives in.
type home struct{ dir string }

// openHome makes the folder if it is not there. One that others may enter is
// refused: what is in it answers for its owner.
func openHome(dir string) (home, error) {
	h := home{dir}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return h, fmt.Errorf("make the home folder: %w", err)
	}
	info, err := os.Stat(dir)
	if err != nil {
		return h, fmt.Errorf("look at the home folder: %w", err)
	}
	if !info.IsDir() {
		return h, fmt.Errorf("%s is no folder; give another one with --home", dir)
	}
	if info.Mode().Perm()&0o077 != 0 {
		return h, fmt.Errorf("%s can be entered by others (mode %04o); close it with: chmod 700 %s", dir, info.Mode().Perm(), dir)
	}
	if owner := ownerOf(info); owner >= 0 && owner != os.Geteuid() {
		return h, fmt.Errorf("%s belongs to user %d, who could read and change everything in it; give another folder with --home", dir, owner)
	}
	return h, nil
}

func (h home) path(name string) string { return filepath.Join(h.dir, name) }

// secret reads a secret of the home folder, and makes it the first time.
func (h home) secret(name string, fresh func() (string, error)) (string, error) {
	text, err := h.read(name)
	if !errors.Is(err, fs.ErrNotExist) {
		return text, err
	}
	if text, err = fresh(); err != nil {
		return "", fmt.Errorf("make %s: %w", name, err)
	}
	return text, h.write(name, text)
}

func (h home) read(name string) (string, error) {
	data, err := os.ReadFile(h.path(name))
	if err != nil {
		return "", fmt.Errorf("read %s: %w", name, err)
	}
	text := strings.TrimSpace(string(data))
	if text == "" {
		return "", fmt.Errorf("%s is empty; restore it, or remove it to have a new one made", h.path(name))
	}
	return text, nil
}

// write puts a file in place at once, readable by its owner only. The file and
// the folder are on the disk when it returns: a key that is used and then lost
// would leave questions that nobody can release.
func (h home) write(name, text string) error {
	f, err := os.CreateTemp(h.dir, name+".*")
	if err != nil {
		return fmt.Errorf("write %s: %w", name, err)
	}
	defer os.Remove(f.Name()) // after the rename there is nothing to remove
	_, err = f.WriteString(text + "\n")
	err = errors.Join(err, f.Sync(), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), h.path(name))
	}
	if err != nil {
		return fmt.Errorf("write %s: %w", name, err)
	}
	dir, err := os.Open(h.dir)
	if err != nil {
		return fmt.Errorf("write %s: %w", name, err)
	}
	defer dir.Close()
	return dir.Sync()
}

// keys are the secrets of an installation.
type keys struct {
	digest    []byte
	signer    *ledger.Signer
	public    string
	inboxName string
}

// keys reads the secrets of the home folder and makes those that are missing.
func (h home) keys() (keys, error) {
	var k keys
	text, err := h.secret(digestKeyFile, newDigestKey)
	if err != nil {
		return k, err
	}
	if k.digest, err = hex.DecodeString(text); err != nil || len(k.digest) < minDigestKey {
		return k, fmt.Errorf("%s is no key: at least %d bytes in hexadecimal are needed; restore it", h.path(digestKeyFile), minDigestKey)
	}
	private, err := h.secret(signerFile, func() (string, error) {
		private, public, err := ledger.GenerateKey("countersign")
		if err != nil {
			return "", err
		}
		return private, h.write(LedgerKeyFile, public)
	})
	if err != nil {
		return k, err
	}
	if k.signer, err = ledger.NewSigner(private); err != nil {
		return k, fmt.Errorf("%s: %w", h.path(signerFile), err)
	}
	if k.public, err = h.read(LedgerKeyFile); err != nil {
		return k, err
	}
	k.inboxName, err = h.secret(inboxNameFile, newInboxName)
	return k, err
}

func newDigestKey() (string, error) {
	key := make([]byte, minDigestKey)
	_, err := rand.Read(key)
	return hex.EncodeToString(key), err
}

// newInboxName is the host name of the inbox: cookies are kept by host and not
// by port, so a page on another port must not be able to guess it.
func newInboxName() (string, error) {
	raw := make([]byte, 10)
	_, err := rand.Read(raw)
	return strings.ToLower(base32.StdEncoding.EncodeToString(raw)) + ".localhost", err
}
