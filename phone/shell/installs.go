package shell

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"
)

// sessions are installations that were begun and not ended.
type sessions struct {
	mu   sync.Mutex
	next int
	open map[int][]byte // what was written so far
}

// installBytes is the largest app that is taken.
const installBytes = 512 << 20

// pmInstall installs a file, or with -S the bytes that follow.
func pmInstall(r *run, args []string) int {
	size, file, grant := installOptions(args)
	var apk []byte
	var err error
	if size >= 0 && (file == "" || file == "-") {
		apk, err = io.ReadAll(io.LimitReader(r.in, min(size, installBytes)))
		if err == nil && int64(len(apk)) < size {
			err = message(fmt.Sprintf("Unable to open file: - (%d of %d bytes came)", len(apk), size))
		}
	} else {
		apk, err = r.line.shell.Read(r.path(file))
		if err != nil {
			r.complain("Error: Unable to open file: %s\n\nException occurred while executing 'install':\njava.lang.IllegalArgumentException: Error: Can't open file: %s", file, file)
			return failed
		}
	}
	if err != nil {
		r.printf("Failure [INSTALL_FAILED_INTERNAL_ERROR: %v]\n", err)
		return 1
	}
	return r.install(apk, grant)
}

// installOptions are the size (-1 is none), the file and whether -g grants what
// the app asks for.
func installOptions(args []string) (size int64, file string, grant bool) {
	size = -1
	for i := 0; i < len(args); i++ {
		switch a := args[i]; a {
		case "-S":
			if i+1 < len(args) {
				size, _ = strconv.ParseInt(args[i+1], 10, 64)
				i++
			}
		case "-i", "--user", "--originating-uri", "--referrer", "--abi", "--install-location", "--pkg", "-p", "--install-reason":
			i++
		case "-g", "--grant-permissions":
			grant = true
		default:
			if a == "-" || !strings.HasPrefix(a, "-") {
				file = a
			}
		}
	}
	return size, file, grant
}

// install installs an app from its bytes.
func (r *run) install(apk []byte, grant bool) int {
	name, err := PackageName(apk)
	if err != nil {
		r.printf("Failure [INSTALL_PARSE_FAILED_NOT_APK: %v]\n", err)
		return 1
	}
	if err := r.phone().Install(name, apk); err != nil {
		r.printf("Failure [INSTALL_FAILED_INVALID_APK: %v]\n", err)
		return 1
	}
	if p, ok := r.phone().Package(name); ok && grant {
		for permission := range p.Permissions {
			r.phone().Grant(name, permission, true)
		}
	}
	r.printf("Success\n")
	return 0
}

func pmInstallCreate(r *run, _ []string) int {
	s := &r.line.shell.sessions
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.open == nil {
		s.open = map[int][]byte{}
	}
	s.next++
	id := 1_400_000_000 + s.next
	s.open[id] = nil
	r.printf("Success: created install session [%d]\n", id)
	return 0
}

// pmInstallWrite is "install-write [-S BYTES] SESSION NAME [FILE|-]".
func pmInstallWrite(r *run, args []string) int {
	size, words := int64(-1), []string(nil)
	for i := 0; i < len(args); i++ {
		if args[i] == "-S" && i+1 < len(args) {
			size, _ = strconv.ParseInt(args[i+1], 10, 64)
			i++
		} else if args[i] == "-" || !strings.HasPrefix(args[i], "-") {
			words = append(words, args[i])
		}
	}
	if len(words) == 0 {
		r.complain("Error: no session")
		return 1
	}
	var apk []byte
	var err error
	if len(words) > 2 && words[2] != "-" {
		apk, err = r.line.shell.Read(r.path(words[2]))
	} else {
		apk, err = io.ReadAll(io.LimitReader(r.in, min(max(size, 0), installBytes)))
	}
	if err != nil {
		r.complain("Error: %s", Reason(err))
		return 1
	}
	id, _ := strconv.Atoi(words[0])
	s := &r.line.shell.sessions
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, ok := s.open[id]; !ok {
		r.complain("Error: java.lang.SecurityException: Caller has no access to session %d", id)
		return 1
	}
	// The base comes first; what is split off does not change whose app it is.
	if s.open[id] == nil {
		s.open[id] = apk
	}
	r.printf("Success: streamed %d bytes\n", len(apk))
	return 0
}

func pmInstallCommit(r *run, args []string) int {
	id := 0
	for _, a := range args {
		if n, err := strconv.Atoi(a); err == nil {
			id = n
		}
	}
	s := &r.line.shell.sessions
	s.mu.Lock()
	apk, ok := s.open[id]
	delete(s.open, id)
	s.mu.Unlock()
	if !ok {
		r.printf("Failure [INSTALL_FAILED_INTERNAL_ERROR: no session %s]\n", strconv.Itoa(id))
		return 1
	}
	return r.install(apk, false)
}
