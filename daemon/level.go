package daemon

import (
	"bufio"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/countersign/countersign/identity"
)

// surroundings are the facts that the level is read from. What cannot be found
// out stays zero, which counts as doubt.
func surroundings(home string, agentsReach bool) identity.Facts {
	f := identity.Facts{UID: os.Geteuid(), AgentsReach: agentsReach}
	f.Shell = loginShell("/etc/passwd", f.UID)
	if info, err := os.Stat(home); err == nil {
		f.DataOwner, f.DataMode = ownerOf(info), info.Mode()
	}
	binary, err := os.Executable()
	if err == nil {
		binary, err = filepath.EvalSymlinks(binary)
	}
	if err != nil {
		return f
	}
	if info, err := os.Stat(binary); err == nil {
		f.BinaryOwner, f.BinaryMode = ownerOf(info), info.Mode()
	}
	f.BinaryFixed = fixed(filepath.Dir(binary), f.UID)
	return f
}

// loginShell is the shell of an account in the user database, empty when the
// account is not in it.
func loginShell(database string, uid int) string {
	file, err := os.Open(database)
	if err != nil {
		return ""
	}
	defer file.Close()
	for lines := bufio.NewScanner(file); lines.Scan(); {
		fields := strings.Split(lines.Text(), ":")
		if len(fields) == 7 && fields[2] == strconv.Itoa(uid) {
			return fields[6]
		}
	}
	return ""
}

// fixed reports whether nobody but root and the given user can change a folder
// or any folder above it.
func fixed(dir string, uid int) bool {
	for {
		info, err := os.Stat(dir)
		if err != nil {
			return false
		}
		owner := ownerOf(info)
		sticky := info.Mode()&fs.ModeSticky != 0
		if owner != 0 && owner != uid || info.Mode().Perm()&0o022 != 0 && !sticky {
			return false
		}
		up := filepath.Dir(dir)
		if up == dir {
			return true
		}
		dir = up
	}
}
