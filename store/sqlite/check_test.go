package sqlite

import (
	"context"
	"errors"
	"os"
	"testing"

	"github.com/countersign/countersign/hold"
)

// TestCheck: a check writes and leaves nothing, and finds what stands in the way
// of writing.
func TestCheck(t *testing.T) {
	ctx := context.Background()
	path := newPath(t)
	s, err := Open(ctx, path, Options{})
	must(t, err)
	for range 2 {
		must(t, s.Check(ctx))
	}
	if _, err := s.Key(ctx, "", "check"); !errors.Is(err, hold.ErrNotFound) {
		t.Errorf("after a check its key is there: %v", err)
	}
	must(t, os.Rename(path, path+".away"))
	if err := s.Check(ctx); !errors.Is(err, hold.ErrUnavailable) {
		t.Errorf("with the file gone: %v", err)
	}
	must(t, os.Rename(path+".away", path))
	must(t, s.Check(ctx))
	must(t, s.Close())
	if err := s.Check(ctx); !errors.Is(err, hold.ErrUnavailable) {
		t.Errorf("a closed store: %v", err)
	}
}
