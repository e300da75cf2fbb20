package phone

import (
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"sync"
	"time"
)

// Files is the phone's file system, in memory. Names are absolute and slash
// separated; /sdcard and /storage/self/primary are other names of
// /storage/emulated/0. It is safe for concurrent use.
//
// Errors are *fs.PathError with fs.ErrNotExist, fs.ErrExist, [ErrNotDirectory],
// [ErrIsDirectory] or [ErrNotEmpty] inside. Nobody's rights are checked: what
// the shell user may not write is for the shell to refuse.
type Files struct {
	mu    sync.Mutex
	now   func() time.Time
	lost  func(name string) // told of each file that was removed, without the lock; may be nil
	nodes map[string]*file  // by clean absolute name
}

// Errors of the file system that package fs has no name for.
var (
	ErrNotDirectory = fmt.Errorf("not a directory")
	ErrIsDirectory  = fmt.Errorf("is a directory")
	ErrNotEmpty     = fmt.Errorf("directory not empty")
)

type file struct {
	name     string
	data     []byte
	mode     fs.FileMode
	modified time.Time
}

func newFiles(now func() time.Time) *Files {
	f := &Files{now: now, nodes: map[string]*file{}}
	for _, dir := range []string{
		"/", "/system", "/system/bin", "/system/framework", "/data", "/data/local", "/data/local/tmp",
		"/data/data", "/data/app", "/dev", "/proc", "/storage", "/storage/emulated", "/storage/emulated/0",
		"/storage/emulated/0/Android", "/storage/emulated/0/DCIM", "/storage/emulated/0/Documents",
		"/storage/emulated/0/Download", "/storage/emulated/0/Pictures",
	} {
		f.nodes[dir] = &file{name: path.Base(dir), mode: fs.ModeDir | 0o771, modified: now()}
	}
	return f
}

// Clean is the one name of a file among its other names: absolute, without dots
// and with /sdcard resolved.
func (f *Files) Clean(name string) string {
	name = path.Clean("/" + name)
	for _, other := range []string{"/sdcard", "/storage/self/primary", "/mnt/sdcard", "/data/media/0"} {
		if rest, ok := strings.CutPrefix(name, other); ok && (rest == "" || rest[0] == '/') {
			return "/storage/emulated/0" + rest
		}
	}
	return name
}

// ReadFile returns a copy of a file's bytes.
func (f *Files) ReadFile(name string) ([]byte, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	n, err := f.find("open", name)
	if err != nil {
		return nil, err
	}
	if n.mode.IsDir() {
		return nil, &fs.PathError{Op: "read", Path: name, Err: ErrIsDirectory}
	}
	return slices.Clone(n.data), nil
}

// WriteFile writes a whole file and makes it if need be; its directory has to
// exist. The mode of a file that exists stays.
func (f *Files) WriteFile(name string, data []byte, mode fs.FileMode) error {
	return f.write(name, mode, func([]byte) []byte { return slices.Clone(data) })
}

// AppendFile adds to the end of a file, and makes it if need be.
func (f *Files) AppendFile(name string, data []byte, mode fs.FileMode) error {
	return f.write(name, mode, func(old []byte) []byte { return append(slices.Clip(old), data...) })
}

func (f *Files) write(name string, mode fs.FileMode, change func([]byte) []byte) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	clean := f.Clean(name)
	n, ok := f.nodes[clean]
	switch {
	case ok && n.mode.IsDir():
		return &fs.PathError{Op: "open", Path: name, Err: ErrIsDirectory}
	case !ok:
		if err := f.needDirectory("open", name, path.Dir(clean)); err != nil {
			return err
		}
		n = &file{name: path.Base(clean), mode: mode.Perm()}
		f.nodes[clean] = n
	}
	n.data, n.modified = change(n.data), f.now()
	return nil
}

// Mkdir makes a directory; all that lead there are made too when parents is
// true, and one that exists is then no error.
func (f *Files) Mkdir(name string, mode fs.FileMode, parents bool) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.mkdir(name, f.Clean(name), mode, parents)
}

func (f *Files) mkdir(name, clean string, mode fs.FileMode, parents bool) error {
	if n, ok := f.nodes[clean]; ok {
		if parents && n.mode.IsDir() {
			return nil
		}
		return &fs.PathError{Op: "mkdir", Path: name, Err: fs.ErrExist}
	}
	if parents {
		if err := f.mkdir(name, path.Dir(clean), mode, true); err != nil {
			return err
		}
	} else if err := f.needDirectory("mkdir", name, path.Dir(clean)); err != nil {
		return err
	}
	f.nodes[clean] = &file{name: path.Base(clean), mode: fs.ModeDir | mode.Perm(), modified: f.now()}
	return nil
}

// Remove removes a file or an empty directory; all that is in a directory goes
// with it when recursive is true.
func (f *Files) Remove(name string, recursive bool) error {
	gone, err := f.remove(name, recursive)
	if f.lost != nil {
		for _, name := range gone {
			f.lost(name)
		}
	}
	return err
}

// remove returns the names of the files that are gone.
func (f *Files) remove(name string, recursive bool) (gone []string, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if _, err := f.find("remove", name); err != nil {
		return nil, err
	}
	clean := f.Clean(name)
	inside := f.inside(clean)
	if len(inside) > 0 && !recursive {
		return nil, &fs.PathError{Op: "remove", Path: name, Err: ErrNotEmpty}
	}
	for _, n := range append(inside, clean) {
		if n == "/" {
			continue
		}
		if !f.nodes[n].mode.IsDir() {
			gone = append(gone, n)
		}
		delete(f.nodes, n)
	}
	slices.Sort(gone)
	return gone, nil
}

// Rename moves a file or a directory with all that is in it. A file that is in
// the way is replaced, a directory is not.
func (f *Files) Rename(from, to string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	n, err := f.find("rename", from)
	if err != nil {
		return err
	}
	old, clean := f.Clean(from), f.Clean(to)
	if err := f.needDirectory("rename", to, path.Dir(clean)); err != nil {
		return err
	}
	if there, ok := f.nodes[clean]; ok && there.mode.IsDir() || strings.HasPrefix(clean, old+"/") {
		return &fs.PathError{Op: "rename", Path: to, Err: fs.ErrExist}
	}
	for _, name := range f.inside(old) {
		f.nodes[clean+strings.TrimPrefix(name, old)] = f.nodes[name]
		delete(f.nodes, name)
	}
	delete(f.nodes, old)
	n.name = path.Base(clean)
	f.nodes[clean] = n
	return nil
}

// Chmod sets the permission bits.
func (f *Files) Chmod(name string, mode fs.FileMode) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	n, err := f.find("chmod", name)
	if err == nil {
		n.mode = n.mode.Type() | mode.Perm()
	}
	return err
}

// Chtimes sets when the file was changed last.
func (f *Files) Chtimes(name string, modified time.Time) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	n, err := f.find("chtimes", name)
	if err == nil {
		n.modified = modified
	}
	return err
}

// find is the file of a name.
func (f *Files) find(op, name string) (*file, error) {
	n, ok := f.nodes[f.Clean(name)]
	if !ok {
		return nil, &fs.PathError{Op: op, Path: name, Err: fs.ErrNotExist}
	}
	return n, nil
}

func (f *Files) needDirectory(op, name, dir string) error {
	n, ok := f.nodes[dir]
	switch {
	case !ok:
		return &fs.PathError{Op: op, Path: name, Err: fs.ErrNotExist}
	case !n.mode.IsDir():
		return &fs.PathError{Op: op, Path: name, Err: ErrNotDirectory}
	}
	return nil
}

// inside has the clean names of all that lies under a directory.
func (f *Files) inside(dir string) []string {
	prefix := strings.TrimSuffix(dir, "/") + "/"
	var names []string
	for name := range f.nodes {
		if strings.HasPrefix(name, prefix) && name != dir {
			names = append(names, name)
		}
	}
	return names
}
