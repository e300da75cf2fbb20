package e2e

import (
	"os"
	"path/filepath"
	"testing"
)

// corpus is where the shared corpus lies, beside the checkout. Where it is
// absent the test is skipped; in CI it must be there.
func corpus(t *testing.T, path ...string) string {
	t.Helper()
	file := filepath.Join(append([]string{"..", "..", "shared", "corpus"}, path...)...)
	if _, err := os.Stat(file); err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatalf("the corpus must be there in CI: %v", err)
		}
		t.Skipf("skipped: the corpus is not beside the checkout (%v)", err)
	}
	return file
}
