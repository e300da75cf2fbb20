//go:build linux

package install

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// tree is every path below a folder with its mode, its inode's time and its
// content: two that are equal mean that nothing was written in between.
func tree(t *testing.T, root string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		line := fmt.Sprint(info.Mode(), info.ModTime().UnixNano())
		if info.Mode().IsRegular() {
			data, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			line += " " + seal(string(data))
		}
		all[strings.TrimPrefix(path, root)] = line
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func TestStaged(t *testing.T) {
	root := filepath.Join(t.TempDir(), "stage")
	o := Options{Root: root, Binary: program(t, "the program")}
	got, err := takeAll(t, mustNew(t, o), mustNew(t, o).Install())
	if err != nil || got.count(Done) != 3 || len(got) != 3 {
		t.Fatalf("first run: %v, %v", got, err)
	}
	wantMode := map[string]fs.FileMode{
		"/usr/local/bin": fs.ModeDir | 0o755, BinaryPath: 0o755,
		"/var/lib": fs.ModeDir | 0o755, HomePath: fs.ModeDir | 0o700,
		"/etc/systemd/system": fs.ModeDir | 0o755, UnitPath: 0o644,
	}
	for path, mode := range wantMode {
		info, err := os.Lstat(root + path)
		if err != nil || info.Mode() != mode {
			t.Errorf("%s has mode %v, want %v (%v)", path, info.Mode(), mode, err)
		}
		if uid, gid := ownerOf(info); uid != os.Geteuid() || gid != os.Getegid() {
			t.Errorf("%s belongs to %d:%d", path, uid, gid)
		}
	}
	wantText(t, root+BinaryPath, "the program")
	wantText(t, root+UnitPath, unitFile(&Options{User: DefaultUser, Observe: false}))
	before := tree(t, root)
	if len(before) != 12 {
		t.Errorf("%d files and folders, want 12: %v", len(before), before)
	}

	// A second run changes nothing, not even a time.
	got, err = takeAll(t, mustNew(t, o), mustNew(t, o).Install())
	if err != nil || got.count(Already) != 3 {
		t.Errorf("second run: %v, %v", got, err)
	}
	if after := tree(t, root); !maps.Equal(before, after) {
		t.Errorf("the second run changed something:\n%v\n%v", before, after)
	}

	// Other options and another version are replaced without a question.
	o.Observe, o.Binary = true, program(t, "a newer program")
	got, err = takeAll(t, mustNew(t, o), mustNew(t, o).Install())
	if err != nil || got.count(Done) != 2 {
		t.Errorf("upgrade: %v, %v", got, err)
	}
	wantText(t, root+BinaryPath, "a newer program")
	if text := read(t, root+UnitPath); !strings.Contains(text, " --observe\n") {
		t.Errorf("the unit does not observe:\n%s", text)
	}

	got, err = takeAll(t, mustNew(t, o), mustNew(t, o).Uninstall(false))
	if err != nil || got.count(Done) != 2 || got.count(Left) != 1 {
		t.Errorf("uninstall: %v, %v", got, err)
	}
	if _, err := os.Stat(root + HomePath); err != nil {
		t.Errorf("uninstalling took the record: %v", err)
	}
	got, err = takeAll(t, mustNew(t, o), mustNew(t, o).Uninstall(true))
	if err != nil || got.count(Done) != 1 || got.count(Already) != 3 {
		t.Errorf("purge: %v, %v", got, err)
	}
	for path, line := range tree(t, root) {
		if !strings.HasPrefix(line, "d") {
			t.Errorf("%s is left", path)
		}
	}
}

// TestModesAreMended holds a later run to what somebody made too wide.
func TestModesAreMended(t *testing.T) {
	root := t.TempDir()
	o := Options{Root: root, Binary: program(t, "the program")}
	if _, err := takeAll(t, mustNew(t, o), mustNew(t, o).Install()); err != nil {
		t.Fatal(err)
	}
	for path, mode := range map[string]fs.FileMode{BinaryPath: 0o777, UnitPath: 0o666, HomePath: 0o755} {
		if err := os.Chmod(root+path, mode); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(root+HomePath+"/countersign.db", []byte("rows"), 0o600); err != nil {
		t.Fatal(err)
	}
	got, err := takeAll(t, mustNew(t, o), mustNew(t, o).Install())
	if err != nil || got.count(Done) != 3 {
		t.Errorf("%v, %v", got, err)
	}
	for path, mode := range map[string]fs.FileMode{BinaryPath: 0o755, UnitPath: 0o644, HomePath: fs.ModeDir | 0o700} {
		if info, err := os.Lstat(root + path); err != nil || info.Mode() != mode {
			t.Errorf("%s has mode %v, %v", path, info.Mode(), err)
		}
	}
	wantText(t, root+HomePath+"/countersign.db", "rows")
}

func TestEditedUnit(t *testing.T) {
	root := t.TempDir()
	o := Options{Root: root, Binary: program(t, "the program")}
	if _, err := takeAll(t, mustNew(t, o), mustNew(t, o).Install()); err != nil {
		t.Fatal(err)
	}
	mine := strings.Replace(read(t, root+UnitPath), "LimitCORE=0\n", "LimitCORE=0\nNice=5\n", 1)
	if err := os.WriteFile(root+UnitPath, []byte(mine), 0o644); err != nil {
		t.Fatal(err)
	}
	o.Binary = program(t, "a newer program")
	before := tree(t, root)
	for name, steps := range map[string][]Step{"install": mustNew(t, o).Install(), "uninstall": mustNew(t, o).Uninstall(true)} {
		got, err := takeAll(t, mustNew(t, o), steps)
		edited, ok := errors.AsType[*EditedError](err)
		if !ok || edited.Difference != "- Nice=5\n" {
			// The seal line is the same: only what was added differs.
			t.Errorf("%s: %v, want the difference", name, err)
		}
		if len(got) != 0 || !maps.Equal(before, tree(t, root)) {
			t.Errorf("%s changed something before it refused: %v", name, got)
		}
		if !strings.Contains(err.Error(), "--force") || !strings.Contains(err.Error(), "systemctl edit") {
			t.Errorf("%s does not say how to go on: %v", name, err)
		}
	}
	o.Force = true
	if got, err := takeAll(t, mustNew(t, o), mustNew(t, o).Install()); err != nil || got.count(Done) != 2 {
		t.Errorf("with force: %v, %v", got, err)
	}
	wantText(t, root+UnitPath, unitFile(&Options{User: DefaultUser, Observe: false}))
}

// TestLinks holds the installer to links that somebody put where its files go.
func TestLinks(t *testing.T) {
	root := t.TempDir()
	elsewhere := t.TempDir()
	if err := os.Chmod(elsewhere, 0o755); err != nil {
		t.Fatal(err)
	}
	o := Options{Root: root, Binary: program(t, "the program")}
	for path, to := range map[string]string{HomePath: elsewhere, BinaryPath: program(t, "somebody's")} {
		if err := makeFolders(filepath.Dir(root + path)); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(to, root+path); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := takeAll(t, mustNew(t, o), mustNew(t, o).Install()); err == nil || !strings.Contains(err.Error(), "no folder") || len(got) != 0 {
		t.Errorf("a link for a home: %v, %v", got, err)
	}
	if info, err := os.Stat(elsewhere); err != nil || info.Mode().Perm() != 0o755 {
		t.Errorf("the folder behind the link was changed: %v, %v", info.Mode(), err)
	}
	if err := os.Remove(root + HomePath); err != nil {
		t.Fatal(err)
	}
	target, err := os.Readlink(root + BinaryPath)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := takeAll(t, mustNew(t, o), mustNew(t, o).Install()); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Lstat(root + BinaryPath); err != nil || !info.Mode().IsRegular() {
		t.Errorf("the link to the program is still one: %v, %v", info.Mode(), err)
	}
	wantText(t, target, "somebody's")
}

func wantText(t *testing.T, path, want string) {
	t.Helper()
	if got := read(t, path); got != want {
		t.Errorf("%s:\n%s", path, difference(want, got))
	}
}

func read(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
