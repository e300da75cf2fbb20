package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/countersign/countersign/daemon"
)

// crookedHomes are home folders that are open to others, in use, or prepared.
func crookedHomes(t *testing.T) []way {
	s := besiege(t)
	started := func(home string) string {
		o := daemon.Options{Home: home, Agents: "127.0.0.1:0", Inbox: "127.0.0.1:0"}
		d, err := daemon.New(t.Context(), o)
		if err != nil {
			return ""
		}
		defer func() { s.must(d.Stop(t.Context())) }()
		if err := d.Start(); err != nil {
			return ""
		}
		return "the guard runs on it"
	}
	made := func(mode os.FileMode) string {
		home := filepath.Join(t.TempDir(), "home")
		s.must(os.Mkdir(home, 0o700))
		s.must(os.Chmod(home, mode))
		return home
	}
	ways := []way{{"a second guard on the same folder", func() string {
		if got := started(s.o.Home); got != "" {
			return got
		}
		return s.served()
	}}}
	for _, mode := range []os.FileMode{0o755, 0o750, 0o711, 0o707, 0o720} {
		ways = append(ways, way{fmt.Sprintf("a folder of mode %04o", mode), func() string { return started(made(mode)) }})
	}
	ways = append(ways, way{"a folder that belongs to somebody else", func() string {
		home := made(0o700)
		if os.Geteuid() != 0 {
			return started("/") // root's, which is all that is certain to be somebody else's
		}
		s.must(os.Chown(home, somebody, somebody))
		return started(home)
	}})
	victims := func(name, content string) (home, file string) {
		home, file = made(0o700), filepath.Join(t.TempDir(), "victim")
		s.must(os.WriteFile(file, []byte(content), 0o600))
		s.must(os.Symlink(file, filepath.Join(home, name)))
		return home, file
	}
	linked := func(name, content string) func() string {
		return func() string {
			home, file := victims(name, content)
			started(home)
			after, err := os.ReadFile(file)
			if err != nil || string(after) != content {
				return fmt.Sprintf("the file behind the link is %.60q now, %v", after, err)
			}
			return ""
		}
	}
	text := strings.Repeat("a file of somebody else\n", 400)
	return append(ways,
		way{"a link in the place of the socket", linked(daemon.SocketFile, text)},
		way{"a link in the place of the database", linked(daemon.DatabaseFile, text)},
		way{"a link in the place of the database's log", linked(daemon.DatabaseFile+"-wal", text)},
		way{"a link in the place of a credential", linked(daemon.ApproverTokenFile, text)},
		way{"a link in the place of the lock", linked(daemon.DatabaseFile+".lock", text)},
		way{"a link in the place of a key", func() string {
			// A key that somebody else may know is no key.
			home, _ := victims("digest.key", "short")
			return started(home)
		}},
		way{"files that others may read", s.openFiles},
	)
}

// openFiles are the files of the home folder that others may read or write.
func (s *siege) openFiles() string {
	entries, err := os.ReadDir(s.o.Home)
	s.must(err)
	var open []string
	for _, e := range entries {
		info, err := e.Info()
		s.must(err)
		if info.Mode().Perm()&0o077 != 0 {
			open = append(open, fmt.Sprint(e.Name(), " ", info.Mode()))
		}
	}
	home, err := os.Stat(s.o.Home)
	s.must(err)
	if home.Mode().Perm() != 0o700 {
		open = append(open, "the folder itself")
	}
	if len(entries) < 8 {
		open = append(open, fmt.Sprintf("only %d files are there", len(entries)))
	}
	return strings.Join(open, ", ")
}
