package e2e

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/countersign/countersign/daemon"
)

// pageSize is SQLite's, which the store leaves as it is.
const pageSize = 4096

// damage overwrites all pages of a database but the first, as a broken disk
// would.
func damage(t *testing.T, home string) {
	t.Helper()
	path := filepath.Join(home, daemon.DatabaseFile)
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.WriteAt(bytes.Repeat([]byte{0xA5}, int(info.Size()-pageSize)), pageSize); err != nil {
		t.Fatal(err)
	}
}

// TestDamageWhileRunning damages the pages under a running guard. It notices at
// the first page that it reads again and releases nothing of what was open.
func TestDamageWhileRunning(t *testing.T) {
	home := newHome(t)
	p := up(t, home, nil)
	w := newPair(t, home, p.url)
	yes, open := w.approved(), w.held()
	p.stop(t) // carries the log into the file
	p = up(t, home, nil)
	w = again(w, p)
	damage(t, home)
	w.unavailable(yes, open)
	p.kill()
	if exit, said := refused(t, home); exit == 0 || !strings.Contains(said, "damaged") {
		t.Errorf("on a damaged file the guard ends with %d:\n%s", exit, said)
	}
}

// TestDamageAtStart damages one page at a time of a guard that was killed, and
// of one that was stopped: it does not start, says so, and leaves the files
// alone. With the page as it was everything is there again.
func TestDamageAtStart(t *testing.T) {
	for _, end := range []string{"killed", "stopped"} {
		t.Run(end, func(t *testing.T) {
			home := newHome(t)
			p := up(t, home, nil)
			w := newPair(t, home, p.url)
			yes, open := w.approved(), w.held()
			p.stop(t) // carries the log into the file
			if end == "killed" {
				p = up(t, home, nil)
				w = again(w, p)
				w.allowed()
				p.kill()
			}
			whole := files(t, home)
			refusals := 0
			for page := range len(whole[""]) / pageSize {
				bad := bytes.Clone(whole[""])
				copy(bad[page*pageSize:], bytes.Repeat([]byte{0xA5}, pageSize))
				putBack(t, home, map[string][]byte{"": bad, "-wal": whole["-wal"]})
				if !w.startsOn(page) {
					refusals++
				}
			}
			// A page that is in the log as well, or in no use, is never read.
			if refusals < 10 {
				t.Errorf("%d of %d damaged pages were noticed", refusals, len(whole[""])/pageSize)
			}
			putBack(t, home, whole)
			w = again(w, up(t, home, nil))
			w.recovers(yes, open)
		})
	}
}

// startsOn starts the guard on a file with a damaged page. It refuses and leaves
// the file alone, or the page was in no use and all is whole.
func (w *pair) startsOn(page int) bool {
	w.t.Helper()
	before := files(w.t, w.home)
	p := launch(w.t, w.home, nil)
	defer p.kill()
	select {
	case <-p.gone:
		if exit := p.exit(w.t); exit == 0 || !strings.Contains(p.said(), "damaged") || !strings.Contains(p.said(), "put a copy in its place") {
			w.t.Errorf("page %d: the guard ends with %d:\n%s", page, exit, p.said())
		}
		leftAlone(w.t, w.home, before)
		return false
	case <-p.ready:
	}
	w.record()
	return true
}
