package adb

import (
	"context"
	"path"
	"slices"
	"strings"

	"github.com/countersign/countersign/command"
	"github.com/countersign/countersign/risk"
)

// Bounds of what is remembered of a phone's files. When they are met everything
// is forgotten: what is not known asks.
const (
	maxCaptures = 64
	maxStaged   = 256
	maxBound    = 8 // files that one line is bound to
)

// kept is what is known of files on the phone.
type kept struct {
	captures map[string]bool          // pictures and trees of the screen that the agent saved
	pending  map[string]chan struct{} // files that may be becoming such
	staged   map[string]string        // what was pushed: SHA-256 in hex, "" while it is not known
}

// unknownHash stands for a file whose content nobody here knows.
const unknownHash = "unknown"

// saves is the file that a line saves the screen to, where that is all it does and
// nothing about it is unusual; empty for none.
func saves(line string) string {
	words, plain := plainWords(line)
	switch {
	case !plain || len(words) < 2:
	case programOf(words[0]) == "uiautomator":
		return readOne(line).file
	case programOf(words[0]) == "screencap" && strings.HasPrefix(words[len(words)-1], "/") &&
		(len(words) == 2 || len(words) == 3 && words[1] == "-p"):
		return path.Clean(words[len(words)-1])
	}
	return ""
}

// stamp is what the phone says of a file's content without showing it: when it
// was written and how long it is.
func (d *Device) stamp(ctx context.Context, file string) string {
	out, err := d.ask(ctx, "stat -c %y:%s "+quote(file)+"; ls -l "+quote(file), 4<<10)
	if err != nil {
		return ""
	}
	return string(out)
}

// saving watches a line that saves the screen to a file: the file counts as such a
// picture when it was really written, for the programs fail without saying so, and
// what lies there may be its owner's. The function is called when the line is over.
func (d *Device) saving(ctx context.Context, file string) (over func()) {
	d.mu.Lock()
	if d.kept.captures[file] || d.kept.pending[file] != nil || len(d.kept.pending) >= maxCaptures {
		d.mu.Unlock()
		return func() {}
	}
	done := make(chan struct{})
	if d.kept.pending == nil {
		d.kept.pending = map[string]chan struct{}{}
	}
	d.kept.pending[file] = done
	d.mu.Unlock()
	before := d.stamp(ctx, file)
	return func() {
		after := d.stamp(ctx, file)
		d.mu.Lock()
		defer d.mu.Unlock()
		delete(d.kept.pending, file)
		close(done)
		if before == "" || after == "" || before == after {
			return
		}
		if d.kept.captures == nil || len(d.kept.captures) >= maxCaptures {
			d.kept.captures = map[string]bool{}
		}
		d.kept.captures[file] = true
	}
}

// readsOwnCapture reports whether all that a line does besides harmless things is
// to read or remove pictures of the screen that the agent saved before.
func (d *Device) readsOwnCapture(ctx context.Context, effects []command.Effect) bool {
	own := false
	for _, e := range effects {
		switch {
		case e.Press == nil && e.Category == risk.None && (e.Code == "read" || e.Code == "capture" || e.Code == "shell"):
		case e.Press == nil && (e.Code == "read_file" || e.Code == "remove_file") && d.isCapture(ctx, path.Clean(e.Object)):
			own = true
		default:
			return false
		}
	}
	return own
}

// isCapture reports whether a file is a picture of the screen. It waits for a line
// that may be just making it one.
func (d *Device) isCapture(ctx context.Context, file string) bool {
	d.mu.Lock()
	pending := d.kept.pending[file]
	d.mu.Unlock()
	if pending != nil {
		select {
		case <-pending:
		case <-ctx.Done():
			return false
		}
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.kept.captures[file]
}

// forgetFiles makes what is told when a line was let through: the files that it
// names are no longer what they were.
func (d *Device) forgetFiles(effects []command.Effect) func(*viewed) {
	return func(*viewed) {
		for _, e := range effects {
			d.forgetLocked(e.Object)
		}
	}
}

// forgetLocked forgets all files that a text names; d.mu is held.
func (d *Device) forgetLocked(text string) {
	if text == "" {
		return
	}
	for file := range d.kept.captures {
		if strings.Contains(text, file) {
			delete(d.kept.captures, file)
		}
	}
	for file := range d.kept.staged {
		if strings.Contains(text, file) {
			d.kept.staged[file] = unknownHash
		}
	}
	for file := range d.glimpses.files {
		if strings.Contains(text, file) {
			delete(d.glimpses.files, file)
		}
	}
}

// stage remembers what was pushed to a path; an empty hash while it is on its way.
func (d *Device) stage(file, hash string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	file = path.Clean(file)
	d.forgetLocked(file)
	if d.kept.staged == nil || len(d.kept.staged) >= maxStaged {
		d.kept.staged = map[string]string{}
	}
	d.kept.staged[file] = hash
}

// pushed is the hash of what was pushed to a path through this gate, unknownHash
// while or after something may have changed it, empty for nothing.
func (d *Device) pushed(file string) string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.kept.staged[file]
}

// movedLocked notes that a pushed file was moved; d.mu is held.
func (d *Device) movedLocked(from, to string) {
	hash := d.kept.staged[from]
	d.forgetLocked(from)
	d.forgetLocked(to)
	delete(d.kept.staged, from)
	if hash != "" {
		d.kept.staged[to] = hash
	}
}

// staged names the pushed files that a line which cannot be read names, each with
// its content, so that an answer is bound to that content.
func (d *Device) staged(line string, effects []command.Effect) string {
	if !slices.ContainsFunc(effects, func(e command.Effect) bool { return e.Category == risk.Unknown }) {
		return ""
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	var bound []string
	for file, hash := range d.kept.staged {
		if strings.Contains(line, file) {
			bound = append(bound, file+" sha256:"+hash)
		}
	}
	slices.Sort(bound)
	return strings.Join(bound[:min(len(bound), maxBound)], "\n")
}
