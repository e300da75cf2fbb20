package shell

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"strings"
	"sync"

	"mvdan.cc/sh/v3/interp"

	"github.com/countersign/countersign/phone"
)

// sourceName leads "." to the text of a file that was made fit.
const sourceName = own + "source:"

// absolute is a name from a directory's point of view.
func absolute(dir, name string) string {
	if !path.IsAbs(name) {
		name = path.Join(dir, name)
	}
	return name
}

// refused is an error of a redirection, in the words of mksh.
func refused(what, name string, err error) error {
	return &os.PathError{Op: self + ": can't " + what, Path: name, Err: errors.New(Reason(err))}
}

// Reason is what a file system's error is called on a phone.
func Reason(err error) string {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "No such file or directory"
	case errors.Is(err, fs.ErrExist):
		return "File exists"
	case errors.Is(err, fs.ErrPermission):
		return "Permission denied"
	case errors.Is(err, phone.ErrIsDirectory):
		return "Is a directory"
	case errors.Is(err, phone.ErrNotDirectory):
		return "Not a directory"
	case errors.Is(err, phone.ErrNotEmpty):
		return "Directory not empty"
	}
	return err.Error()
}

// open opens a file for a redirection.
func (l *line) open(ctx context.Context, file string, flag int, perm os.FileMode) (io.ReadWriteCloser, error) {
	hc := interp.HandlerCtx(ctx)
	if source, ok := strings.CutPrefix(file, sourceName); ok {
		return l.source(source)
	}
	file = absolute(hc.Dir, file)
	switch file {
	case "/dev/null":
		return device{strings.NewReader(""), io.Discard}, nil
	case "/dev/tty", "/dev/stdout", "/proc/self/fd/1":
		return device{reader(hc.Stdin), hc.Stdout}, nil
	case "/dev/stderr", "/proc/self/fd/2":
		return device{reader(hc.Stdin), hc.Stderr}, nil
	case "/dev/stdin", "/proc/self/fd/0":
		return device{reader(hc.Stdin), io.Discard}, nil
	}
	if flag&(os.O_WRONLY|os.O_RDWR) == 0 {
		data, err := l.shell.Read(file)
		if err != nil {
			return nil, refused("open", file, err)
		}
		return device{bytes.NewReader(data), io.Discard}, nil
	}
	w, err := l.shell.create(file, flag&os.O_APPEND != 0)
	if err != nil {
		return nil, refused("create", file, err)
	}
	return w, nil
}

// source is the text of a file for ".", made fit for the interpreter.
func (l *line) source(file string) (io.ReadWriteCloser, error) {
	data, err := l.shell.Read(file)
	if err != nil {
		return nil, refused("open", file, err)
	}
	text, err := l.limits.reprint(string(data), file)
	if err != nil {
		return nil, &os.PathError{Op: self, Path: file, Err: errors.New(syntaxMessage(err))}
	}
	return device{strings.NewReader(text), io.Discard}, nil
}

func (l *line) readDir(_ context.Context, dir string) ([]fs.DirEntry, error) {
	infos, err := l.shell.List(dir)
	if err != nil {
		return nil, err
	}
	entries := make([]fs.DirEntry, len(infos))
	for i, info := range infos {
		entries[i] = fs.FileInfoToDirEntry(info)
	}
	return entries, nil
}

func (l *line) stat(_ context.Context, file string, _ bool) (fs.FileInfo, error) {
	return l.shell.Stat(file)
}

func (l *line) access(_ context.Context, file string, mode interp.AccessMode) error {
	info, err := l.shell.Stat(file)
	switch {
	case err != nil:
		return err
	case mode&interp.AccessWrite != 0 && !writable(l.shell.Phone.Files().Clean(file)):
		return fs.ErrPermission
	case mode&interp.AccessExec != 0 && !info.IsDir() && info.Mode()&0o111 == 0:
		return fs.ErrPermission
	}
	return nil
}

// device is a file that is not in the file system, or one that is only read.
type device struct {
	io.Reader
	io.Writer
}

func (device) Close() error { return nil }

// writing is a file that is open for writing. What is written is kept until
// there is enough of it, for the file system copies a file each time.
type writing struct {
	shell *Shell
	file  string
	mu    sync.Mutex
	kept  []byte
}

// enough is how much a file keeps before it writes.
const enough = 1 << 20

func (w *writing) Read([]byte) (int, error) { return 0, io.EOF }

func (w *writing) Write(b []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.kept = append(w.kept, b...)
	if len(w.kept) < enough {
		return len(b), nil
	}
	return len(b), w.flush()
}

func (w *writing) Close() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.flush()
}

func (w *writing) flush() error {
	if len(w.kept) == 0 {
		return nil
	}
	err := w.shell.Phone.Files().AppendFile(w.file, w.kept, 0o644)
	w.kept = nil
	return err
}
