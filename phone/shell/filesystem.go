package shell

import (
	"io"
	"io/fs"
	"path"
	"strings"
	"time"
)

// message is an error in the words of a phone's programs, which are written as
// they are.
type message string

func (m message) Error() string { return string(m) }

// ErrReadOnly is what the partitions of the system answer to a write.
var ErrReadOnly = message("Read-only file system")

// under reports whether a clean name is a folder or lies in it.
func under(name, folder string) bool {
	return name == folder || strings.HasPrefix(name, folder+"/")
}

// hidden is what the shell user may not look into on a user build.
func hidden(clean string) bool {
	for _, folder := range []string{"/data/data", "/data/user", "/data/system", "/data/misc", "/data/adb", "/data/media", "/root"} {
		if under(clean, folder) {
			return true
		}
	}
	return clean == "/data" || clean == "/data/app"
}

// writable is where the shell user may write.
func writable(clean string) bool {
	for _, folder := range []string{"/data/local/tmp", "/storage/emulated/0"} {
		if under(clean, folder) {
			return true
		}
	}
	return false
}

// MayWrite is nil where the shell user may write.
func (s *Shell) MayWrite(name string) error {
	clean := s.Phone.Files().Clean(name)
	switch {
	case writable(clean):
		return nil
	case under(clean, "/data"), under(clean, "/storage"), under(clean, "/proc"), under(clean, "/dev"):
		return fs.ErrPermission
	}
	return ErrReadOnly
}

// Read is the content of a file that the shell user may read.
func (s *Shell) Read(name string) ([]byte, error) {
	clean := s.Phone.Files().Clean(name)
	if text, ok := kernelFiles[clean]; ok {
		return []byte(text), nil
	}
	if hidden(clean) && clean != "/data" && clean != "/data/app" {
		return nil, fs.ErrPermission
	}
	if _, ok := lookup(clean); ok {
		return nil, fs.ErrPermission // programs are not files of the simulation
	}
	return s.Phone.Files().ReadFile(name)
}

// kernelFiles are what agents read of the kernel.
var kernelFiles = map[string]string{
	"/proc/version": "Linux version 6.1.75-android14-11 (build@host) (clang) #1 SMP PREEMPT\n",
	"/proc/uptime":  "3600.00 14000.00\n",
	"/proc/cpuinfo": "processor\t: 0\nBogoMIPS\t: 38.40\nCPU architecture: 8\n\nHardware\t: Simulated\n",
	"/proc/meminfo": "MemTotal:        7812356 kB\nMemFree:         1024512 kB\nMemAvailable:    3912440 kB\n",
}

// create opens a file for writing: emptied, or at its end.
func (s *Shell) create(name string, end bool) (io.ReadWriteCloser, error) {
	if err := s.MayWrite(name); err != nil {
		return nil, err
	}
	files := s.Phone.Files()
	var err error
	if end {
		err = files.AppendFile(name, nil, 0o644)
	} else {
		err = files.WriteFile(name, nil, 0o644)
	}
	if err != nil {
		return nil, err
	}
	return &writing{shell: s, file: name}, nil
}

// List is what a directory has in it.
func (s *Shell) List(dir string) ([]fs.FileInfo, error) {
	clean := s.Phone.Files().Clean(dir)
	if hidden(clean) {
		return nil, &fs.PathError{Op: "open", Path: dir, Err: fs.ErrPermission}
	}
	infos, err := s.Phone.Files().List(dir)
	if err == nil && clean == "/system/bin" {
		for _, name := range programNames() {
			infos = append(infos, programInfo{name})
		}
	}
	return infos, err
}

// Stat describes a file, as far as the shell user may know of it.
func (s *Shell) Stat(name string) (fs.FileInfo, error) {
	clean := s.Phone.Files().Clean(name)
	if hidden(path.Dir(clean)) {
		if clean == "/data/local" || clean == "/data/app" || clean == "/data/data" || under(clean, "/data/app") {
			return s.Phone.Files().Stat(name)
		}
		if under(clean, "/data/local") {
			return s.Phone.Files().Stat(name)
		}
		return nil, &fs.PathError{Op: "stat", Path: name, Err: fs.ErrPermission}
	}
	if _, ok := lookup(clean); ok {
		return programInfo{path.Base(clean)}, nil
	}
	if _, ok := kernelFiles[clean]; ok {
		return programInfo{path.Base(clean)}, nil
	}
	if clean == "/dev/null" || clean == "/dev/tty" || clean == "/dev/stdin" || clean == "/dev/stdout" {
		return deviceInfo{programInfo{path.Base(clean)}}, nil
	}
	return s.Phone.Files().Stat(name)
}

// programInfo describes a program, which is no file of the simulation.
type programInfo struct{ name string }

func (i programInfo) Name() string     { return i.name }
func (programInfo) Size() int64        { return 0 }
func (programInfo) Mode() fs.FileMode  { return 0o755 }
func (programInfo) ModTime() time.Time { return time.Date(2009, 1, 1, 0, 0, 0, 0, time.UTC) }
func (programInfo) IsDir() bool        { return false }
func (programInfo) Sys() any           { return nil }

type deviceInfo struct{ programInfo }

func (deviceInfo) Mode() fs.FileMode { return fs.ModeDevice | fs.ModeCharDevice | 0o666 }
