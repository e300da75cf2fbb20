package lexicon

import (
	"io/fs"
	"testing"
)

// termFiles returns the embedded term files.
func termFiles(t testing.TB) fs.FS {
	t.Helper()
	files, err := fs.Sub(embedded, "terms")
	if err != nil {
		t.Fatal(err)
	}
	return files
}
