package ledger

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"golang.org/x/mod/sumdb/note"
)

// A checkpoint is a signed note with three lines, the same each time.
func TestCheckpointForm(t *testing.T) {
	b := small(t)
	root, _ := b.last().Root()
	text, err := b.signer.Checkpoint(b.last())
	if err != nil {
		t.Fatal(err)
	}
	want := fmt.Sprintf("countersign\n10\n%s\n\n— countersign.test ", root)
	if !strings.HasPrefix(string(text), want) || strings.Count(string(text), "\n") != 5 {
		t.Errorf("the checkpoint is\n%s", text)
	}
	again, _ := b.signer.Checkpoint(b.last())
	if !bytes.Equal(text, again) {
		t.Error("the same head has two checkpoints")
	}
	size, opened, err := OpenCheckpoint(text, b.publicKey)
	if err != nil || size != 10 || opened != root {
		t.Errorf("opened: %d, %v, %v", size, opened, err)
	}
}

// No other bytes can be opened than those that were signed: every single bit,
// and the liberties that base64 and notes take.
func TestCheckpointHasOneSpelling(t *testing.T) {
	b := small(t)
	text := b.checkpoints[2].Text
	for bit := range len(text) * 8 {
		changed := bytes.Clone(text)
		changed[bit/8] ^= 1 << (bit % 8)
		if _, _, err := OpenCheckpoint(changed, b.publicKey); err == nil {
			t.Errorf("bit %d of the checkpoint can be flipped:\n%s", bit, changed)
		}
	}
	other := newBuilt(t)
	sign := func(text string, signers ...note.Signer) []byte {
		signed, err := note.Sign(&note.Note{Text: text}, signers...)
		if err != nil {
			t.Fatal(err)
		}
		return signed
	}
	root := Hash{}.String()
	key := b.signer.signer
	cases := []struct {
		name string
		text []byte
		want error
	}{
		{"a second signature", sign("countersign\n1\n"+root+"\n", key, other.signer.signer), ErrCheckpoint},
		{"the signature twice", append(bytes.Clone(text), text[bytes.Index(text, []byte("—")):]...), ErrCheckpoint},
		{"a fourth line", sign("countersign\n1\n"+root+"\nmore\n", key), ErrCheckpoint},
		{"two lines", sign("countersign\n1\n", key), ErrCheckpoint},
		{"another origin", sign("go.sum database tree\n1\n"+root+"\n", key), ErrCheckpoint},
		{"a size with a zero in front", sign("countersign\n01\n"+root+"\n", key), ErrCheckpoint},
		{"a negative size", sign("countersign\n-1\n"+root+"\n", key), ErrCheckpoint},
		{"a size that is too large", sign("countersign\n9223372036854775808\n"+root+"\n", key), ErrCheckpoint},
		{"half a root", sign("countersign\n1\n"+root[:20]+"\n", key), ErrCheckpoint},
		{"spare bits in the root", sign("countersign\n1\n"+root[:42]+"B=\n", key), ErrCheckpoint},
		{"another key", sign("countersign\n1\n"+root+"\n", other.signer.signer), ErrSignature},
		{"no signature", []byte("countersign\n1\n" + root + "\n"), ErrCheckpoint},
		{"nothing", nil, ErrCheckpoint},
	}
	for _, c := range cases {
		if _, _, err := OpenCheckpoint(c.text, b.publicKey); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", c.name, err, c.want)
		}
	}
	if len(cases) != 13 {
		t.Fatalf("%d cases", len(cases))
	}
}

func TestKeys(t *testing.T) {
	for _, name := range []string{"", "a b", "a+b", "a\nb", "\xff"} {
		if _, _, err := GenerateKey(name); !errors.Is(err, ErrKeyName) {
			t.Errorf("a key named %q: %v", name, err)
		}
	}
	private, public, err := GenerateKey("phone")
	if err != nil {
		t.Fatal(err)
	}
	// An error about a private key does not show it.
	broken := private[:len(private)-4]
	if _, err := NewSigner(broken); !errors.Is(err, ErrKey) || strings.Contains(err.Error(), private[len(private)-20:len(private)-8]) {
		t.Errorf("a broken private key: %v", err)
	}
	if _, err := NewSigner(public); !errors.Is(err, ErrKey) {
		t.Errorf("a public key to sign with: %v", err)
	}
	if _, _, err := OpenCheckpoint(nil, private); !errors.Is(err, ErrKey) {
		t.Errorf("a private key to check with: %v", err)
	}
	for _, s := range []*Signer{nil, {}} {
		if _, err := s.Checkpoint(Head{}); !errors.Is(err, ErrKey) {
			t.Errorf("no signer: %v", err)
		}
	}
}
