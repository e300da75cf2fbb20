package phone

import (
	"errors"
	"io/fs"
	"slices"
	"testing"
	"time"
)

func TestFilesBehaveLikeFiles(t *testing.T) {
	f := newPhone(t, Options{}).Files()
	list := func(dir string) []string {
		infos, err := f.List(dir)
		if err != nil {
			return []string{err.Error()}
		}
		var names []string
		for _, i := range infos {
			names = append(names, i.Name())
		}
		return names
	}
	at := time.Date(2020, 1, 2, 3, 4, 5, 0, time.UTC)
	cases := []struct {
		what string
		do   func() error
		want error
	}{
		{"write", func() error { return f.WriteFile("/data/local/tmp/a", []byte("x"), 0o755) }, nil},
		{"write by another name", func() error { return f.WriteFile("/sdcard/Download/../b", []byte("y"), 0o600) }, nil},
		{"write where no directory is", func() error { return f.WriteFile("/nowhere/a", nil, 0o600) }, fs.ErrNotExist},
		{"write over a directory", func() error { return f.WriteFile("/sdcard", nil, 0o600) }, ErrIsDirectory},
		{"write below a file", func() error { return f.WriteFile("/data/local/tmp/a/b", nil, 0o600) }, ErrNotDirectory},
		{"append", func() error { return f.AppendFile("/data/local/tmp/a", []byte("z"), 0o600) }, nil},
		{"read what is not there", func() error { _, err := f.ReadFile("/c"); return err }, fs.ErrNotExist},
		{"read a directory", func() error { _, err := f.ReadFile("/data"); return err }, ErrIsDirectory},
		{"mkdir", func() error { return f.Mkdir("/sdcard/d", 0o700, false) }, nil},
		{"mkdir again", func() error { return f.Mkdir("/sdcard/d", 0o700, false) }, fs.ErrExist},
		{"mkdir -p again", func() error { return f.Mkdir("/sdcard/d", 0o700, true) }, nil},
		{"mkdir -p", func() error { return f.Mkdir("/sdcard/d/e/f", 0o700, true) }, nil},
		{"mkdir below nothing", func() error { return f.Mkdir("/sdcard/g/h", 0o700, false) }, fs.ErrNotExist},
		{"mkdir -p over a file", func() error { return f.Mkdir("/data/local/tmp/a/b", 0o700, true) }, fs.ErrExist},
		{"remove what has something in it", func() error { return f.Remove("/sdcard/d", false) }, ErrNotEmpty},
		{"rename", func() error { return f.Rename("/sdcard/d", "/sdcard/Download/k") }, nil},
		{"rename into itself", func() error { return f.Rename("/sdcard/Download", "/sdcard/Download/k/l") }, fs.ErrExist},
		{"rename over a file", func() error { return f.Rename("/sdcard/b", "/data/local/tmp/a") }, nil},
		{"rename what is not there", func() error { return f.Rename("/sdcard/b", "/sdcard/c") }, fs.ErrNotExist},
		{"remove", func() error { return f.Remove("/sdcard/Download/k", true) }, nil},
		{"remove what is not there", func() error { return f.Remove("/sdcard/Download/k", true) }, fs.ErrNotExist},
		{"chmod", func() error { return f.Chmod("/data/local/tmp/a", 0o4711) }, nil},
		{"chtimes", func() error { return f.Chtimes("/data/local/tmp/a", at) }, nil},
		{"list a file", func() error { _, err := f.List("/data/local/tmp/a"); return err }, ErrNotDirectory},
		{"stat what is not there", func() error { _, err := f.Stat("/sdcard/d"); return err }, fs.ErrNotExist},
	}
	for _, c := range cases {
		if err := c.do(); !errors.Is(err, c.want) || (err == nil) != (c.want == nil) {
			t.Errorf("%s: error %v, want %v", c.what, err, c.want)
		}
	}
	if len(cases) != 25 {
		t.Errorf("%d cases, 25 are expected", len(cases))
	}
	data, _ := f.ReadFile("/data/local/tmp/a")
	info, err := f.Stat("/data/local/tmp//./a")
	if err != nil || string(data) != "y" || info.Size() != 1 || info.Mode() != 0o711 || !info.ModTime().Equal(at) || info.IsDir() || info.Name() != "a" {
		t.Errorf("%q, %+v, %v", data, info, err)
	}
	data[0] = 'n'
	if again, _ := f.ReadFile("/data/local/tmp/a"); string(again) != "y" {
		t.Error("the bytes are shared")
	}
	if got := list("/sdcard"); !slices.Equal(got, []string{"Android", "DCIM", "Documents", "Download", "Pictures"}) || len(list("/data/local/tmp")) != 1 {
		t.Errorf("files %q", got)
	}
}

func TestThatTheOwnersFilesAreGoneIsAnEffect(t *testing.T) {
	p := newPhone(t, Options{})
	_ = p.Files().WriteFile("/sdcard/shot.png", nil, 0o600)
	_ = p.Files().Remove("/sdcard/shot.png", false)
	_ = p.Files().Remove("/sdcard/DCIM", true)
	want := []string{
		"deleted /storage/emulated/0/DCIM/Camera/IMG_20261129_101500.jpg",
		"deleted /storage/emulated/0/DCIM/Camera/IMG_20261129_101730.jpg",
	}
	if got := deeds(p); !slices.Equal(got, want) {
		t.Errorf("effects %q, want %q", got, want)
	}
}
