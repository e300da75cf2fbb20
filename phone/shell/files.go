package shell

import (
	"fmt"
	"io/fs"
	"path"
	"strconv"
	"strings"
	"time"
)

// filePrograms work on the phone's files.
var filePrograms = map[string]program{
	"ls": ls, "rm": rm, "mkdir": mkdir, "rmdir": rmdir, "cp": cp, "mv": mv, "touch": touch, "stat": statFiles,
	"df": df, "du": du, "chmod": chmod, "chown": notPermitted, "mount": notPermitted, "umount": notPermitted, "ln": notPermitted,
	"find": find, "realpath": realpath, "readlink": realpath, "mktemp": mktemp, "restorecon": nothing,
}

func notPermitted(r *run) int { return r.fail("Operation not permitted") }

func ls(r *run) int {
	given, names := options(r.args[1:], "")
	if len(names) == 0 {
		names = []string{"."}
	}
	code := 0
	for _, name := range names {
		full := r.path(name)
		info, err := r.line.shell.Stat(full)
		if err != nil {
			code = r.fail("%s: %s", name, Reason(err))
			continue
		}
		if !info.IsDir() || has(given, 'd') {
			r.entry(given, info, name)
			continue
		}
		if r.directory(given, name, full, len(names) > 1 || has(given, 'R')) != 0 {
			code = 1
		}
	}
	return code
}

// directory lists what is in a directory.
func (r *run) directory(given map[byte]string, name, full string, title bool) int {
	infos, err := r.line.shell.List(full)
	if err != nil {
		return r.fail("%s: %s", name, Reason(err))
	}
	if title {
		r.printf("%s:\n", name)
	}
	if has(given, 'l') {
		r.printf("total %d\n", len(infos)*4)
	}
	for _, info := range infos {
		if !strings.HasPrefix(info.Name(), ".") || has(given, 'a') || has(given, 'A') {
			r.entry(given, info, info.Name())
		}
	}
	if !has(given, 'R') {
		return 0
	}
	for _, info := range infos {
		if info.IsDir() && r.ctx.Err() == nil {
			r.printf("\n")
			r.directory(given, path.Join(name, info.Name()), path.Join(full, info.Name()), true)
		}
	}
	return 0
}

// entry is a line of ls.
func (r *run) entry(given map[byte]string, info fs.FileInfo, name string) {
	if has(given, 'F') && info.IsDir() || has(given, 'p') && info.IsDir() {
		name += "/"
	}
	if has(given, 'l') {
		r.printf("%s 1 shell shell %d %s %s\n", permissions(info), info.Size(), info.ModTime().Format("2006-01-02 15:04"), name)
		return
	}
	r.printf("%s\n", name)
}

// permissions are the letters of a mode.
func permissions(info fs.FileInfo) string {
	kind := "-"
	switch {
	case info.IsDir():
		kind = "d"
	case info.Mode()&fs.ModeCharDevice != 0:
		kind = "c"
	}
	return kind + info.Mode().Perm().String()[1:]
}

func rm(r *run) int {
	given, names := options(r.args[1:], "")
	if len(names) == 0 && !has(given, 'f') {
		return r.fail("Needs 1 argument")
	}
	code := 0
	for _, name := range names {
		full := r.path(name)
		info, err := r.line.shell.Stat(full)
		recursive := has(given, 'r') || has(given, 'R')
		switch {
		case err != nil && has(given, 'f'):
			continue
		case err == nil && info.IsDir() && !recursive:
			code = r.fail("%s: Is a directory", name)
			continue
		case err == nil:
			if err = r.line.shell.MayWrite(path.Dir(full)); err == nil {
				err = r.phone().Files().Remove(full, recursive)
			}
		}
		if err != nil {
			code = r.fail("%s: %s", name, Reason(err))
		}
	}
	return code
}

func mkdir(r *run) int {
	given, names := options(r.args[1:], "m")
	return r.each(names, func(full string) error {
		if _, err := r.line.shell.Stat(full); err == nil && has(given, 'p') {
			return nil
		}
		if err := r.line.shell.MayWrite(full); err != nil {
			return err
		}
		return r.phone().Files().Mkdir(full, 0o771, has(given, 'p'))
	})
}

func rmdir(r *run) int {
	_, names := options(r.args[1:], "")
	return r.each(names, func(full string) error {
		if err := r.line.shell.MayWrite(path.Dir(full)); err != nil {
			return err
		}
		return r.phone().Files().Remove(full, false)
	})
}

// each does something to each file and complains where it cannot.
func (r *run) each(names []string, do func(full string) error) int {
	if len(names) == 0 {
		return r.fail("Needs 1 argument")
	}
	code := 0
	for _, name := range names {
		if err := do(r.path(name)); err != nil {
			code = r.fail("%s: %s", name, Reason(err))
		}
	}
	return code
}

// target is where a file goes that is copied to a name: into it, if that is a
// directory.
func (r *run) target(from, to string) string {
	if info, err := r.line.shell.Stat(to); err == nil && info.IsDir() {
		return path.Join(to, path.Base(from))
	}
	return to
}

func cp(r *run) int {
	given, names := options(r.args[1:], "")
	if len(names) < 2 {
		return r.fail("Needs 2 arguments")
	}
	to := names[len(names)-1]
	recursive := has(given, 'r') || has(given, 'R') || has(given, 'a')
	return r.each(names[:len(names)-1], func(full string) error {
		return r.copy(full, r.target(full, r.path(to)), recursive)
	})
}

// copy copies a file, or a directory with all that is in it.
func (r *run) copy(from, to string, recursive bool) error {
	if err := r.line.shell.MayWrite(to); err != nil {
		return err
	}
	if err := r.line.step(); err != nil {
		return err
	}
	info, err := r.line.shell.Stat(from)
	if err != nil {
		return err
	}
	if !info.IsDir() {
		data, err := r.line.shell.Read(from)
		if err != nil {
			return err
		}
		return r.phone().Files().WriteFile(to, data, info.Mode())
	}
	if files := r.phone().Files(); !recursive || under(files.Clean(to), files.Clean(from)) {
		return message("Skipped dir")
	}
	if err := r.phone().Files().Mkdir(to, info.Mode(), true); err != nil {
		return err
	}
	inside, err := r.line.shell.List(from)
	for _, i := range inside {
		if err == nil {
			err = r.copy(path.Join(from, i.Name()), path.Join(to, i.Name()), true)
		}
	}
	return err
}

func mv(r *run) int {
	_, names := options(r.args[1:], "")
	if len(names) < 2 {
		return r.fail("Needs 2 arguments")
	}
	to := names[len(names)-1]
	return r.each(names[:len(names)-1], func(full string) error {
		target := r.target(full, r.path(to))
		for _, changed := range []string{path.Dir(full), target} {
			if err := r.line.shell.MayWrite(changed); err != nil {
				return err
			}
		}
		return r.phone().Files().Rename(full, target)
	})
}

func touch(r *run) int {
	given, names := options(r.args[1:], "tdr")
	at := r.now()
	return r.each(names, func(full string) error {
		if err := r.line.shell.MayWrite(full); err != nil {
			return err
		}
		files := r.phone().Files()
		if _, err := files.Stat(full); err != nil {
			if has(given, 'c') {
				return nil
			}
			if err := files.WriteFile(full, nil, 0o644); err != nil {
				return err
			}
		}
		return files.Chtimes(full, at)
	})
}

func chmod(r *run) int {
	_, names := options(r.args[1:], "")
	if len(names) < 2 {
		return r.fail("Needs 2 arguments")
	}
	mode := names[0]
	return r.each(names[1:], func(full string) error {
		info, err := r.line.shell.Stat(full)
		if err != nil {
			return err
		}
		if err := r.line.shell.MayWrite(full); err != nil {
			return err
		}
		bits, err := strconv.ParseUint(mode, 8, 32)
		switch {
		case err == nil:
		case strings.Contains(mode, "+x"):
			bits = uint64(info.Mode().Perm() | 0o111)
		case strings.Contains(mode, "-x"):
			bits = uint64(info.Mode().Perm() &^ 0o111)
		default:
			bits = uint64(info.Mode().Perm())
		}
		return r.phone().Files().Chmod(full, fs.FileMode(bits))
	})
}

func statFiles(r *run) int {
	given, names := options(r.args[1:], "c")
	return r.each(names, func(full string) error {
		info, err := r.line.shell.Stat(full)
		if err != nil {
			return err
		}
		kind := map[bool]string{true: "directory", false: "regular file"}[info.IsDir()]
		if format, ok := given['c']; ok {
			r.printf("%s\n", strings.NewReplacer(
				"%s", strconv.FormatInt(info.Size(), 10), "%n", full, "%F", kind, "%Y", strconv.FormatInt(info.ModTime().Unix(), 10),
				"%a", strconv.FormatUint(uint64(info.Mode().Perm()), 8), "%A", permissions(info), "%U", "shell", "%G", "shell",
			).Replace(format))
			return nil
		}
		r.printf("  File: %s\n  Size: %d\t Blocks: %d\t IO Blocks: 512\t%s\nModify: %s\n",
			full, info.Size(), (info.Size()+511)/512, kind, info.ModTime().Format("2006-01-02 15:04:05.000000000 -0700"))
		return nil
	})
}

func df(r *run) int {
	r.printf("Filesystem       1K-blocks     Used Available Use%% Mounted on\n")
	r.printf("/dev/block/dm-8    2412664  2404968      7696 100%% /\n")
	r.printf("/dev/block/dm-42 110106300 24117248  85989052  22%% /data\n")
	r.printf("/dev/fuse        110106300 24117248  85989052  22%% /storage/emulated\n")
	return 0
}

func du(r *run) int {
	given, names := options(r.args[1:], "d")
	if len(names) == 0 {
		names = []string{"."}
	}
	return r.each(names, func(full string) error {
		if _, err := r.line.shell.Stat(full); err != nil {
			return err
		}
		var sum int64
		r.walk(full, func(_ string, info fs.FileInfo) bool { sum += info.Size(); return true })
		size := strconv.FormatInt((sum+1023)/1024, 10)
		if has(given, 'h') {
			size += "K"
		}
		r.printf("%s\t%s\n", size, full)
		return nil
	})
}

// walk visits a file and all that lies under it, until visit says false.
func (r *run) walk(full string, visit func(full string, info fs.FileInfo) bool) bool {
	info, err := r.line.shell.Stat(full)
	if err != nil || r.ctx.Err() != nil {
		return true
	}
	if !visit(full, info) {
		return false
	}
	if !info.IsDir() {
		return true
	}
	inside, _ := r.line.shell.List(full)
	for _, i := range inside {
		if !r.walk(path.Join(full, i.Name()), visit) {
			return false
		}
	}
	return true
}

// find knows -name, -type, -maxdepth and -print.
func find(r *run) int {
	roots, args := []string{}, r.args[1:]
	for len(args) > 0 && !strings.HasPrefix(args[0], "-") {
		roots, args = append(roots, args[0]), args[1:]
	}
	if len(roots) == 0 {
		roots = []string{"."}
	}
	pattern, kind, depth := "*", "", 1<<10
	for ; len(args) > 1; args = args[2:] {
		switch args[0] {
		case "-name", "-iname":
			pattern = args[1]
		case "-type":
			kind = args[1]
		case "-maxdepth":
			depth, _ = strconv.Atoi(args[1])
		case "-print":
			args = append([]string{""}, args...)
		default:
			return r.fail("bad arg '%s'", args[0])
		}
	}
	code := 0
	for _, root := range roots {
		full := r.path(root)
		if _, err := r.line.shell.Stat(full); err != nil {
			code = r.fail("'%s': %s", root, Reason(err))
			continue
		}
		r.walk(full, func(name string, info fs.FileInfo) bool {
			rest := strings.TrimPrefix(name, strings.TrimSuffix(full, "/"))
			matched, _ := path.Match(pattern, path.Base(name))
			if matched && strings.Count(rest, "/") <= depth && (kind == "" || (kind == "d") == info.IsDir()) {
				r.printf("%s\n", strings.TrimSuffix(root, "/")+rest)
			}
			return true
		})
	}
	return code
}

func realpath(r *run) int {
	_, names := options(r.args[1:], "")
	return r.each(names, func(full string) error {
		if _, err := r.line.shell.Stat(full); err != nil && r.args[0] == "realpath" {
			return err
		}
		r.printf("%s\n", r.phone().Files().Clean(full))
		return nil
	})
}

func mktemp(r *run) int {
	given, _ := options(r.args[1:], "p")
	name := fmt.Sprintf("/data/local/tmp/tmp.%d", r.now().UnixNano()/int64(time.Microsecond))
	var err error
	if has(given, 'd') {
		err = r.phone().Files().Mkdir(name, 0o700, false)
	} else {
		err = r.phone().Files().WriteFile(name, nil, 0o600)
	}
	if err != nil {
		return r.fail("%s", Reason(err))
	}
	r.printf("%s\n", name)
	return 0
}
