package install

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/netip"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// UsualPort is where adb programs look for their server.
const UsualPort = "127.0.0.1:5037"

// usualProgram is where Debian's adb is; a staged installation is for a machine
// that cannot be looked at.
const usualProgram = "/usr/bin/adb"

// ADB is the gate for agents that drive a phone over ADB. The zero value takes
// the place of the machine's adb server.
type ADB struct {
	// Port is the loopback address at which the guard is the adb server. If it and
	// Device are empty it is UsualPort.
	Port string
	// Device is the loopback address of a guarded phone; empty is none.
	Device string
	// Connect are phones on the network, as "HOST:PORT".
	Connect []string
	// Program is the adb program; empty is the one of FindADB, or Debian's where no
	// machine can be looked at.
	Program string
	// Group is the group to whom the devices of phones on a cable are open; empty
	// where there is none. See CableGroup.
	Group string
	// Caller is who runs the installer; empty is nobody whose keys are looked at.
	// VendorKeys is that person's ADB_VENDOR_KEYS, by which adb finds further keys.
	Caller, VendorKeys string
}

// phoneAddress is an address that the unit, adb and a person all read alike.
var phoneAddress = regexp.MustCompile(`^([A-Za-z0-9][A-Za-z0-9.-]*|\[[0-9A-Fa-f:.]+\]):[1-9][0-9]{0,4}$`)

// programPath is a path that systemd takes as it stands.
var programPath = regexp.MustCompile(`^(/[A-Za-z0-9._+-]+)+$`)

// closed are folders that the service cannot look into; see ProtectHome in
// systemd.exec(5).
var closed = []string{"/home/", "/root/", "/run/user/", "/tmp/", "/var/tmp/"}

// validate fills in what is usual.
func (a *ADB) validate(o *Options) error {
	if a.Port == "" && a.Device == "" {
		a.Port = UsualPort
	}
	for _, d := range []struct{ flag, addr string }{{"--port", a.Port}, {"--device", a.Device}} {
		if d.addr == "" {
			continue
		}
		at, err := netip.ParseAddrPort(d.addr)
		if err != nil || !at.Addr().IsLoopback() || at.Addr().Zone() != "" || at.Port() == 0 {
			return fmt.Errorf("%s %q is no address of this machine's loopback; accepted is 127.0.0.1:PORT or [::1]:PORT", d.flag, d.addr)
		}
	}
	for _, addr := range a.Connect {
		if !phoneAddress.MatchString(addr) {
			return fmt.Errorf("--connect %q is no address of a phone; accepted is HOST:PORT, such as 192.168.1.20:5555", addr)
		}
	}
	if a.Program == "" {
		a.Program = usualProgram
	}
	if !programPath.MatchString(a.Program) || filepath.Clean(a.Program) != a.Program {
		return fmt.Errorf("--adb-program %q is no path that a service can be given; accepted is one from / on, of letters, digits and . _ + -", a.Program)
	}
	for _, dir := range closed {
		if strings.HasPrefix(a.Program, dir) {
			return fmt.Errorf("the service cannot see %s, so not the adb program in it either; install one for the whole machine: apt install adb", strings.TrimSuffix(dir, "/"))
		}
	}
	if a.Group != "" && !serviceName.MatchString(a.Group) {
		return fmt.Errorf("%q is no name of a group", a.Group)
	}
	if strings.HasPrefix(a.Caller, "-") || strings.ContainsFunc(a.Caller, func(r rune) bool { return r <= ' ' || r == ':' || r == 0x7f }) {
		return fmt.Errorf("%q is no name of a user", a.Caller)
	}
	if a.Caller == o.AgentFor {
		a.Caller = "" // looked at once
	}
	return nil
}

// words are the gate's part of the guard's command line.
func (a *ADB) words() []string {
	words := []string{"--adb", a.Program}
	if a.Port != "" {
		words = append(words, "--port", a.Port)
	}
	if a.Device != "" {
		words = append(words, "--device", a.Device)
	}
	for _, addr := range a.Connect {
		words = append(words, "--connect", addr)
	}
	return words
}

// adbDirs is where adb is looked for: in folders of root's, as toolDirs are.
var adbDirs = append([]string{filepath.Dir(BinaryPath)}, toolDirs...)

// FindADB is the path of the machine's adb program.
func FindADB() (string, error) {
	for _, dir := range adbDirs {
		path := filepath.Join(dir, "adb")
		if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() && info.Mode()&0o111 != 0 {
			return path, nil
		}
	}
	return "", fmt.Errorf("there is no adb program in %s, and the guard needs one to reach phones", strings.Join(adbDirs, ", "))
}

// cableGroups are the groups that distributions open phones on a cable to:
// Debian's and Ubuntu's android-sdk-platform-tools-common, Arch's android-udev.
var cableGroups = []string{"plugdev", "adbusers"}

// CableGroup is the group to whom the devices of phones on a cable are open, of
// those that a machine has; empty for none.
func CableGroup(ctx context.Context, m Machine) string {
	for _, name := range cableGroups {
		if err := run(ctx, m, []string{"getent", "group", name}); err == nil {
			return name
		}
	}
	return ""
}

// StagedGroup is the group for a machine that cannot be looked at.
func StagedGroup() string { return cableGroups[0] }

// adbProgram is the step that only looks: whoever can replace the adb program has
// the phones and the key in his hands.
func (i *Installation) adbProgram() Step {
	path := i.o.ADB.Program
	return Step{
		Name:     fmt.Sprintf("adb program %s that only root can write", path),
		Commands: []string{"ls -lL " + path},
		look:     func(context.Context) (string, error) { return "", rootsProgram(path) },
	}
}

// rootsProgram refuses a program that others than root can change, or that the
// service's user cannot run.
func rootsProgram(path string) error {
	real, err := filepath.EvalSymlinks(path)
	if errors.Is(err, fs.ErrNotExist) {
		return errors.New("there is no such program; install it: apt install adb, or name another with --adb-program")
	}
	if err != nil {
		return err
	}
	info, err := os.Stat(real)
	if err != nil {
		return err
	}
	uid, _ := ownerOf(info)
	switch mode := info.Mode(); {
	case !mode.IsRegular() || mode.Perm()&0o001 == 0:
		return fmt.Errorf("%s is no program that every user can run (%v)", real, mode)
	case uid != 0:
		return fmt.Errorf("%s belongs to user %d, who could replace it; chown root %s", real, uid, real)
	case mode.Perm()&0o022 != 0:
		return fmt.Errorf("%s can be written by others (%v); chmod go-w %s", real, mode, real)
	}
	return errors.Join(onlyRoots(filepath.Dir(path)), onlyRoots(filepath.Dir(real)))
}

// free is the step that looks whether the guard can have its ports. The owner's
// own adb server is usually there.
func (i *Installation) free() Step {
	a, m := i.o.ADB, i.o.Machine
	var addrs []string
	for _, addr := range []string{a.Port, a.Device} {
		if addr != "" {
			addrs = append(addrs, addr)
		}
	}
	return Step{
		Name: "nobody but the guard at " + strings.Join(addrs, " and "),
		look: func(ctx context.Context) (string, error) {
			for _, addr := range addrs {
				if !m.Answers(ctx, addr) || i.serves(ctx, addr) {
					continue
				}
				return "", fmt.Errorf("something answers at %s; if it is an adb server, stop it as the user who started it (adb kill-server, and what starts it again: Android Studio, scrcpy), or give the guard another address with --port", addr)
			}
			return "", nil
		},
	}
}

// serves reports whether the service as it runs now has an address.
func (i *Installation) serves(ctx context.Context, addr string) bool {
	if !i.o.Machine.Systemd() {
		return false
	}
	p, err := i.properties(ctx)
	if err != nil || p["ActiveState"] != "active" {
		return false
	}
	old, err := os.ReadFile(i.at(UnitPath))
	return err == nil && slices.Contains(strings.Fields(string(old)), addr)
}

// cable is the step that says how phones on a cable are opened to the service,
// where no group is known that does.
func (i *Installation) cable() Step {
	return Step{
		Name: "phones on a cable, open to the service",
		look: func(context.Context) (string, error) {
			return "no group " + strings.Join(cableGroups, " or "), nil
		},
		do: func(context.Context) error {
			return leftError(fmt.Sprintf("there is no group %s on this machine, so phones on a cable are root's only; install the distribution's rules for them (Debian: android-sdk-platform-tools-common, Arch: android-udev) and run this again, or use --connect",
				strings.Join(cableGroups, " or ")))
		},
	}
}
