package phone

import (
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"
)

// Stat describes a file.
func (f *Files) Stat(name string) (fs.FileInfo, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	n, err := f.find("stat", name)
	if err != nil {
		return nil, err
	}
	return n.info(), nil
}

// List describes what is in a directory, by name.
func (f *Files) List(dir string) ([]fs.FileInfo, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	n, err := f.find("open", dir)
	if err != nil {
		return nil, err
	}
	if !n.mode.IsDir() {
		return nil, &fs.PathError{Op: "readdir", Path: dir, Err: ErrNotDirectory}
	}
	clean := f.Clean(dir)
	var list []fs.FileInfo
	for _, name := range f.inside(clean) {
		if path.Dir(name) == clean {
			list = append(list, f.nodes[name].info())
		}
	}
	slices.SortFunc(list, func(a, b fs.FileInfo) int { return strings.Compare(a.Name(), b.Name()) })
	return list, nil
}

func (f *file) info() fs.FileInfo {
	return fileInfo{f.name, int64(len(f.data)), f.mode, f.modified}
}

// fileInfo is a file as it was when somebody asked.
type fileInfo struct {
	name     string
	size     int64
	mode     fs.FileMode
	modified time.Time
}

func (i fileInfo) Name() string       { return i.name }
func (i fileInfo) Size() int64        { return i.size }
func (i fileInfo) Mode() fs.FileMode  { return i.mode }
func (i fileInfo) ModTime() time.Time { return i.modified }
func (i fileInfo) IsDir() bool        { return i.mode.IsDir() }
func (i fileInfo) Sys() any           { return nil }
