package adb

import (
	"bytes"
	"context"
	"path"
	"strings"
	"time"

	"github.com/countersign/countersign/wire"
)

// A dump of the agent's stands in for one of the gate's while the window is the
// same, nothing was let through since, and it is younger than this.
const glimpseFor = 5 * time.Second

// maxMarks is how many dumps in files are remembered.
const maxMarks = 16

// usualDump is where uiautomator writes when it is given no file.
const usualDump = "/sdcard/window_dump.xml"

// glimpses are what was seen of the agent's own looking at the screen.
type glimpses struct {
	files map[string]*mark // by the path of a dump on the phone
	tree  []byte           // the last tree that passed
	mark  mark
}

// mark says of which moment a dump is.
type mark struct {
	window string
	moves  uint64
	at     time.Time // when it was finished
}

// dump is what a line has to do with dumps.
type dump struct {
	begins bool   // it makes one
	file   string // there
	reads  string // it prints this file
}

func (d *dump) tells() bool { return d.begins || d.reads != "" }

// readDump tells what a line has to do with dumps. Nothing is recognised that
// could print something of the agent's own in the place of a tree: one dump, one
// cat, or one behind the other on the same file.
func readDump(line string) dump {
	for _, and := range []string{"&&", ";"} {
		first, second, two := strings.Cut(line, and)
		if !two {
			continue
		}
		made, shown := readOne(first), readOne(second)
		if made.file == "" || made.file != shown.reads {
			return dump{}
		}
		return made
	}
	return readOne(line)
}

// readOne is readDump for a line of one command.
func readOne(line string) dump {
	words, plain := plainWords(line)
	switch {
	case !plain || len(words) < 2:
	case programOf(words[0]) == "uiautomator" && words[1] == "dump":
		file := usualDump
		for _, w := range words[2:] {
			if strings.HasPrefix(w, "/") {
				file = path.Clean(w)
			}
		}
		return dump{begins: true, file: file}
	case programOf(words[0]) == "cat" && len(words) == 2:
		return dump{reads: path.Clean(words[1])}
	}
	return dump{}
}

// mark notes the moment before a line that has to do with dumps; nil when it tells
// nothing.
func (d *Device) mark(ctx context.Context, of *dump) *mark {
	if !of.begins {
		d.mu.Lock() // also for one that has to do with none
		defer d.mu.Unlock()
		return d.glimpses.files[of.reads]
	}
	moves := d.movesSoFar()
	f, err := d.focus(ctx)
	if err != nil {
		return nil
	}
	return &mark{window: f.window, moves: moves}
}

// dumped takes over what a line printed, when it is over.
func (d *Device) dumped(ctx context.Context, of *dump, m *mark, tree []byte) {
	if m == nil {
		return
	}
	if of.begins {
		begun := *m
		begun.at = d.now()
		m = &begun
		d.keepMark(of.file, m)
	}
	d.seen(ctx, m, tree)
}

// keepMark remembers of which moment the dump in a file is.
func (d *Device) keepMark(file string, m *mark) {
	d.mu.Lock()
	defer d.mu.Unlock()
	g := &d.glimpses
	if g.files == nil || len(g.files) >= maxMarks {
		g.files = map[string]*mark{}
	}
	g.files[file] = m
}

// seen takes over a tree that passed, if the window is still the one that it was
// when the dump began.
func (d *Device) seen(ctx context.Context, m *mark, tree []byte) {
	if m == nil || tree == nil || d.now().Sub(m.at) > glimpseFor {
		return
	}
	f, err := d.focus(ctx)
	if err != nil || f.window != m.window {
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.moves == m.moves {
		d.glimpses.tree, d.glimpses.mark = tree, *m
	}
}

// fromAgent is the tree that the agent has just fetched, if it is still true.
func (d *Device) fromAgent(f *focus) ([]byte, bool) {
	now := d.now()
	d.mu.Lock()
	defer d.mu.Unlock()
	g := &d.glimpses
	ok := g.tree != nil && g.mark.window == f.window && g.mark.moves == d.moves && now.Sub(g.mark.at) <= glimpseFor
	return g.tree, ok
}

// tail keeps what a phone printed, as far as it is not too long for a tree.
type tail struct {
	packets bool // it comes in packets of the shell protocol
	data    []byte
	long    bool
}

func (t *tail) Write(p []byte) (int, error) {
	if t.long = t.long || len(t.data)+len(p) > maxTree; t.long {
		t.data = nil
		return len(p), nil
	}
	t.data = append(t.data, p...)
	return len(p), nil
}

// tree is the UI tree in what was printed, nil where there is none.
func (t *tail) tree() []byte {
	data := t.data
	if t.packets {
		data = printed(data)
	}
	from, to := bytes.Index(data, []byte("<hierarchy")), bytes.LastIndex(data, []byte("</hierarchy>"))
	if from < 0 || to < from || bytes.Count(data, []byte("<hierarchy")) != 1 {
		return nil
	}
	return data[from : to+len("</hierarchy>")]
}

// printed is the standard output in packets.
func printed(packets []byte) []byte {
	var out []byte
	for r := bytes.NewReader(packets); ; {
		id, data, err := wire.ReadShellPacket(r, maxTree)
		if err != nil {
			return out
		}
		if id == wire.ShellStdout {
			out = append(out, data...)
		}
	}
}
