package identitytest

import (
	"testing"

	"github.com/countersign/countersign/identity"
)

// RunStore runs the suite against an engine. open gives an empty store of its
// own to each test and closes it with t.Cleanup.
func RunStore(t *testing.T, open func(t *testing.T) identity.Store) {
	t.Fatal("identitytest: not written yet")
}
