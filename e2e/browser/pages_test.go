package browser

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Every page, at both widths, light and dark: nothing that axe-core finds, no
// scrolling to the side, and everything that is tapped large enough for a finger.
func TestEveryPage(t *testing.T) {
	t.Parallel()
	gallery := newGallery(t)
	looked := 0
	for i := range gallery.views {
		v := &gallery.views[i]
		t.Run(v.name, func(t *testing.T) {
			v.show()
			for _, s := range sizes {
				v.who.refit(s)
				for _, scheme := range []string{"light", "dark"} {
					v.who.prefer(scheme)
					t.Run(s.name+"/"+scheme, func(t *testing.T) {
						v.who.wantAccessible(t)
						if v.keep {
							v.who.keep(strings.TrimSuffix(s.name+"-"+v.name+"-"+scheme, "-light"), s)
						}
						looked++
					})
				}
				t.Run(s.name, func(t *testing.T) {
					v.who.wantNoSideways(t, s)
					v.who.wantLargeTargets(t)
				})
			}
		})
	}
	wantKept(t)
	t.Logf("%d pages and states, each at %d widths, light and dark: %d looks", len(gallery.views), len(sizes), looked)
	if want := 31 * 4; looked != want {
		t.Errorf("%d looks, want %d", looked, want)
	}
}

// The pictures that are kept, of this run: each of these at both widths, light and
// dark.
var kept = []string{"list", "card", "critical", "critical-word", "card-grant", "card-settled", "freeze", "history", "grants", "passkeys", "stats", "list-cut"}

// wantKept: the pictures are there.
func wantKept(t *testing.T) {
	t.Helper()
	for _, name := range kept {
		for _, s := range sizes {
			for _, scheme := range []string{"", "-dark"} {
				path := filepath.Join("screenshots", s.name+"-"+name+scheme+".png")
				if f, err := os.Stat(path); err != nil || f.Size() < 2000 {
					t.Errorf("%s: %v", path, err)
				}
			}
		}
	}
}
