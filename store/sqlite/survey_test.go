package sqlite

import (
	"bytes"
	"context"
	"errors"
	"os"
	"testing"
)

// TestRefusedWithItsLog: a damaged file that a killed process has left is refused
// with its log still beside it. The log is not carried into the file.
func TestRefusedWithItsLog(t *testing.T) {
	k := newKeys(t)
	running := k.madeFile(t, 20)
	s := k.open(t, running, Options{})
	commit(t, s, rowsOf("last", 1))
	path := newPath(t)
	left := map[string][]byte{}
	for _, end := range []string{"", "-wal"} {
		data, err := os.ReadFile(running + end)
		must(t, err)
		left[end] = data
	}
	must(t, s.Close())
	if len(left["-wal"]) == 0 {
		t.Fatal("there is no log, so nothing is tried")
	}
	refusals := 0
	for page := 1; page < len(left[""])/4096; page++ {
		bad := bytes.Clone(left[""])
		copy(bad[page*4096:], bytes.Repeat([]byte{0xA5}, 4096))
		must(t, os.WriteFile(path, bad, 0o600))
		must(t, os.WriteFile(path+"-wal", left["-wal"], 0o600))
		opened, err := Open(context.Background(), path, Options{Signer: k.signer})
		if err == nil { // the log has this page as well
			must(t, opened.Close())
			continue
		}
		refusals++
		if !errors.Is(err, ErrDamaged) {
			t.Errorf("page %d: %v", page, err)
		}
		for end, was := range map[string][]byte{"": bad, "-wal": left["-wal"]} {
			if now, err := os.ReadFile(path + end); err != nil || !bytes.Equal(now, was) {
				t.Errorf("page %d: the refusal changed the file%s: %v", page, end, err)
			}
		}
	}
	if refusals == 0 {
		t.Error("no damage was noticed, so nothing was tried")
	}
}
