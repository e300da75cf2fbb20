package sqlite

import (
	"context"
	"path/filepath"
	"testing"

	"github.com/countersign/countersign/ledger"
	"github.com/countersign/countersign/store/storetest"
)

func TestSuiteOnAFile(t *testing.T) {
	k := newKeys(t)
	storetest.Run(t, func(t *testing.T) storetest.Engine {
		return k.engine(t, filepath.Join(t.TempDir(), "countersign.db"))
	})
}

func TestSuiteInMemory(t *testing.T) {
	k := newKeys(t)
	storetest.Run(t, func(t *testing.T) storetest.Engine { return k.engine(t, Memory) })
}

// keys sign and verify the checkpoints of a test.
type keys struct {
	signer *ledger.Signer
	public string
}

func newKeys(t testing.TB) keys {
	t.Helper()
	private, public, err := ledger.GenerateKey("countersign.test")
	must(t, err)
	signer, err := ledger.NewSigner(private)
	must(t, err)
	return keys{signer, public}
}

// engine opens a store for the suite.
func (k keys) engine(t testing.TB, path string) storetest.Engine {
	t.Helper()
	s := k.open(t, path, Options{})
	e := storetest.Engine{
		Store: s, Identity: s, PublicKey: k.public, Close: s.Close,
		Source: func(ctx context.Context) (ledger.Source, func() error, error) {
			v, err := s.Ledger(ctx)
			if err != nil {
				return nil, nil, err
			}
			return v, v.Close, nil
		},
	}
	if path != Memory {
		e.Reopen = func(t *testing.T) storetest.Engine {
			t.Helper()
			must(t, s.Close())
			return k.engine(t, path)
		}
	}
	return e
}

// open opens a store that is closed with the test.
func (k keys) open(t testing.TB, path string, o Options) *Store {
	t.Helper()
	o.Signer = k.signer
	s, err := Open(context.Background(), path, o)
	must(t, err)
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Errorf("close: %v", err)
		}
	})
	return s
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
