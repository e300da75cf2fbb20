package identity_test

import (
	"io/fs"
	"strings"
	"testing"

	"github.com/countersign/countersign/identity"
	"pgregory.net/rapid"
)

// service are the facts of a daemon installed as its own user.
func service() identity.Facts {
	return identity.Facts{
		UID: 412, Shell: "/usr/sbin/nologin",
		DataOwner: 412, DataMode: fs.ModeDir | 0o700,
		BinaryOwner: 0, BinaryMode: 0o755, BinaryFixed: true,
		AgentsReach: true,
	}
}

func TestDetectLevel(t *testing.T) {
	tests := []struct {
		name   string
		change func(f *identity.Facts)
		want   identity.Level
		why    string
	}{
		{"a service user", func(f *identity.Facts) {}, identity.SeparateUser, "service user 412"},
		{"its own binary", func(f *identity.Facts) { f.BinaryOwner = 412; f.BinaryMode = 0o500 }, identity.SeparateUser, "service user 412"},
		{"false for a shell", func(f *identity.Facts) { f.Shell = "/bin/false" }, identity.SeparateUser, "service user 412"},
		{"the last service id", func(f *identity.Facts) { f.UID, f.DataOwner = 999, 999 }, identity.SeparateUser, "service user 999"},
		{"nothing known", func(f *identity.Facts) { *f = identity.Facts{} }, identity.SameUser, "root"},
		{"root", func(f *identity.Facts) { f.UID, f.DataOwner = 0, 0 }, identity.SameUser, "root"},
		{"a person", func(f *identity.Facts) { f.UID, f.DataOwner = 1000, 1000 }, identity.SameUser, "no service user of its own"},
		{"no user id", func(f *identity.Facts) { f.UID, f.DataOwner = -1, -1 }, identity.SameUser, "user -1"},
		{"a login shell", func(f *identity.Facts) { f.Shell = "/bin/bash" }, identity.SameUser, "login shell"},
		{"a shell not known", func(f *identity.Facts) { f.Shell = "" }, identity.SameUser, "login shell"},
		{"a shell that only sounds so", func(f *identity.Facts) { f.Shell = "/home/x/nologin.sh" }, identity.SameUser, "login shell"},
		{"a shell without a folder", func(f *identity.Facts) { f.Shell = "nologin" }, identity.SameUser, "login shell"},
		{"somebody's data", func(f *identity.Facts) { f.DataOwner = 1000 }, identity.SameUser, "belongs to user 1000"},
		{"data for a group", func(f *identity.Facts) { f.DataMode = fs.ModeDir | 0o750 }, identity.SameUser, "drwxr-x---"},
		{"data for all to enter", func(f *identity.Facts) { f.DataMode = fs.ModeDir | 0o701 }, identity.SameUser, "drwx-----x"},
		{"data not known", func(f *identity.Facts) { f.DataMode = 0 }, identity.SameUser, "data folder"},
		{"data not a folder", func(f *identity.Facts) { f.DataMode = 0o700 }, identity.SameUser, "data folder"},
		{"data a link", func(f *identity.Facts) { f.DataMode = fs.ModeSymlink | 0o700 }, identity.SameUser, "data folder"},
		{"somebody's binary", func(f *identity.Facts) { f.BinaryOwner = 1000 }, identity.SameUser, "who could replace it"},
		{"a group's binary", func(f *identity.Facts) { f.BinaryMode = 0o775 }, identity.SameUser, "program's file"},
		{"everybody's binary", func(f *identity.Facts) { f.BinaryMode = 0o757 }, identity.SameUser, "program's file"},
		{"binary not known", func(f *identity.Facts) { f.BinaryMode = 0 }, identity.SameUser, "program's file"},
		{"a folder above it", func(f *identity.Facts) { f.BinaryFixed = false }, identity.SameUser, "folder on the way"},
		{"nobody else gets to the door", func(f *identity.Facts) { f.AgentsReach = false }, identity.SameUser, "agents' door"},
	}
	for _, tt := range tests {
		f := service()
		tt.change(&f)
		level, why := identity.DetectLevel(f)
		if level != tt.want || !strings.Contains(why, tt.why) {
			t.Errorf("%s: %s, %q; want %s, ... %s ...", tt.name, level, why, tt.want, tt.why)
		}
		if !strings.HasSuffix(why, ".") || strings.Count(why, ". ") != 0 || strings.ToUpper(why[:1]) != why[:1] {
			t.Errorf("%s: not one sentence: %q", tt.name, why)
		}
	}
	if len(tests) != 24 {
		t.Errorf("%d cases", len(tests))
	}
}

// TestAnyDoubtIsSameUser: whatever single fact is taken away, the level falls;
// and separate user is only ever said of facts that all hold.
func TestAnyDoubtIsSameUser(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		id := rapid.SampledFrom([]int{-1, 0, 1, 412, 999, 1000, 65534})
		mode := rapid.SampledFrom([]fs.FileMode{0, 0o500, 0o700, 0o755, 0o775, 0o777, fs.ModeDir | 0o700, fs.ModeDir | 0o755})
		f := identity.Facts{
			UID: id.Draw(t, "uid"), Shell: rapid.SampledFrom([]string{"", "/bin/sh", "/sbin/nologin", "/bin/false"}).Draw(t, "shell"),
			DataOwner: id.Draw(t, "data owner"), DataMode: mode.Draw(t, "data mode"),
			BinaryOwner: id.Draw(t, "binary owner"), BinaryMode: mode.Draw(t, "binary mode"),
			BinaryFixed: rapid.Bool().Draw(t, "fixed"), AgentsReach: rapid.Bool().Draw(t, "reach"),
		}
		if rapid.Bool().Draw(t, "mostly well") {
			f.UID, f.DataOwner, f.Shell, f.DataMode = 412, 412, "/sbin/nologin", fs.ModeDir|0o700
		}
		level, why := identity.DetectLevel(f)
		holds := 0 < f.UID && f.UID < 1000 && len(f.Shell) > len("/bin/sh") && f.DataOwner == f.UID && f.DataMode == fs.ModeDir|0o700 &&
			(f.BinaryOwner == 0 || f.BinaryOwner == f.UID) && (f.BinaryMode == 0o500 || f.BinaryMode == 0o700 || f.BinaryMode == 0o755) &&
			f.BinaryFixed && f.AgentsReach
		if (level == identity.SeparateUser) != holds || why == "" {
			t.Fatalf("%+v: %s, %s", f, level, why)
		}
	})
}
