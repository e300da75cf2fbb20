// Package survey looks which automation helpers lie on a phone, so that its owner
// can let them in before the guard is in front of it: real clients need helpers
// that the guard would refuse to have started, since nobody can see what a program
// does that an agent has brought along.
//
// A helper that is let in is known by its file's SHA-256 as well as by its name:
// one that is changed afterwards is a stranger again.
package survey

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/countersign/countersign/gate/adb"
)

// Run runs a line in the phone's shell and returns what it prints. The lines are
// the owner's own: they go past the gate.
type Run func(ctx context.Context, line string) (string, error)

// Found is a helper that lies on the phone.
type Found struct {
	adb.Helper
	// File is the file that the hash is of.
	File string `json:"file"`
}

// ErrUnclear says that a helper lies on the phone and cannot be told from another
// one, because its file cannot be read or it has several.
var ErrUnclear = errors.New("the helper cannot be told by its file, so it is not let in")

// Look looks for the usual helpers, and for further ones of the owner's. Each
// error is about one helper, and the others are looked at all the same.
func Look(ctx context.Context, run Run, further ...adb.Helper) (found []Found, err error) {
	seen := map[string]bool{}
	for _, h := range append(adb.UsualHelpers(), further...) {
		if key := h.Package + " " + h.Class; seen[key] {
			continue
		} else {
			seen[key] = true
		}
		f, ok, bad := look(ctx, run, h)
		if bad != nil {
			err = errors.Join(err, fmt.Errorf("%s: %w", h.Name, bad))
		} else if ok {
			found = append(found, f)
		}
	}
	return found, err
}

// look finds one helper. It is false where it does not lie on the phone.
func look(ctx context.Context, run Run, h adb.Helper) (Found, bool, error) {
	f := Found{Helper: h, File: h.Path}
	if h.Package != "" {
		out, err := run(ctx, "pm path "+quote(h.Package))
		paths := strings.Fields(out)
		switch {
		case err != nil:
			return f, false, err
		case len(paths) == 0 || !strings.HasPrefix(paths[0], "package:"):
			return f, false, nil
		case len(paths) > 1:
			return f, false, fmt.Errorf("%w: it is in %d files", ErrUnclear, len(paths))
		}
		f.File = strings.TrimPrefix(paths[0], "package:")
	}
	if f.File == "" {
		return f, false, fmt.Errorf("%w: it has neither a package nor a path", ErrUnclear)
	}
	out, err := run(ctx, "sha256sum "+quote(f.File))
	if err != nil {
		return f, false, err
	}
	sum := sumLine.FindStringSubmatch(cmp.Or(out, " "))
	if sum == nil {
		if h.Package == "" { // no such file
			return f, false, nil
		}
		return f, false, fmt.Errorf("%w: %s has no hash", ErrUnclear, f.File)
	}
	f.SHA256 = strings.ToLower(sum[1])
	return f, true, nil
}

// sumLine is what sha256sum prints: the hash and the file.
var sumLine = regexp.MustCompile(`^\\?([0-9a-fA-F]{64})\s`)

// quote is a word as the phone's shell takes it.
func quote(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }
