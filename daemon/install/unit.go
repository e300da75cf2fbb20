package install

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
)

// sealLine begins the line of a unit that says what the rest of it was when we
// wrote it. It tells an edited unit from one that an older version wrote; it
// keeps nobody from anything.
const sealLine = "# sha256 of the lines below: "

const head = `# Written by "countersign install", which refuses to replace this file once it is edited.
# Changes of your own belong beside it: systemctl edit countersign
`

// unitText is the service as systemd reads it. %[1]s is the user, %[2]s the
// command line, %[3]s what it waits for, %[4]s which devices it sees, and %[5]s
// the address families beyond the internet's and Unix sockets.
//
// What the guard needs is little: its own folder, its socket's folder, and
// sockets. MemoryDenyWriteExecute works since neither the program nor its
// database makes code at run time. Root stays mapped (no PrivateUsers), since
// the guard looks who owns its own program.
const unitText = `[Unit]
Description=Countersign, the second signature on what an AI agent does with a phone
%[3]s

[Service]
Type=exec
User=%[1]s
Group=%[1]s
ExecStart=%[2]s
Restart=on-failure
RestartSec=3s
# 2 is a mistake in the command line or in a file: trying again changes nothing.
RestartPreventExitStatus=2
UMask=0077
StateDirectory=countersign
StateDirectoryMode=0700
RuntimeDirectory=countersign
RuntimeDirectoryMode=0755

# What it may not do.
NoNewPrivileges=yes
CapabilityBoundingSet=
AmbientCapabilities=
ProtectSystem=strict
ProtectHome=yes
PrivateTmp=yes
%[4]s
ProtectProc=invisible
ProtectClock=yes
ProtectHostname=yes
ProtectControlGroups=yes
ProtectKernelLogs=yes
ProtectKernelModules=yes
ProtectKernelTunables=yes
LockPersonality=yes
MemoryDenyWriteExecute=yes
RemoveIPC=yes
RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX%[5]s
RestrictNamespaces=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
SystemCallArchitectures=native
SystemCallFilter=@system-service
SystemCallErrorNumber=EPERM
# A core would hold the keys.
LimitCORE=0

[Install]
WantedBy=multi-user.target
`

// What a guard with the ADB gate needs beyond that: the adb server that it hides
// opens phones on a cable under /dev/bus/usb and hears of new ones over netlink,
// and a phone on the network is there after the network only. Its socket, its key
// and its temporary files are in the guard's own folder.
const (
	withoutDevices = "PrivateDevices=yes"
	usbDevices     = `# Of all devices, those on USB: phones on a cable, for the adb server that the guard hides.
DevicePolicy=closed
DeviceAllow=char-usb_device rw`
)

// unitFile is the service's file. The options have to be valid.
func unitFile(o *Options) string {
	command, after, devices, families := "up", "After=network.target", withoutDevices, ""
	if o.ADB != nil {
		command, devices, families = "adb", usbDevices, " AF_NETLINK"
		if o.ADB.Group != "" {
			devices += "\nSupplementaryGroups=" + o.ADB.Group
		}
		if len(o.ADB.Connect) > 0 {
			after = "Wants=network-online.target\nAfter=network-online.target"
		}
	}
	line := []string{BinaryPath, command, "--home", HomePath, "--agent-socket", AgentSocket}
	if o.ADB != nil {
		line = append(line, o.ADB.words()...)
	}
	if o.Observe {
		line = append(line, "--observe")
	}
	body := fmt.Sprintf(unitText, o.User, strings.Join(line, " "), after, devices, families)
	return head + sealLine + seal(body) + "\n" + body
}

func seal(body string) string {
	sum := sha256.Sum256([]byte(body))
	return hex.EncodeToString(sum[:])
}

// untouched reports whether a unit is as some version of this program wrote it.
func untouched(text string) bool {
	rest, ok := strings.CutPrefix(text, head+sealLine)
	if !ok {
		return false
	}
	sum, body, ok := strings.Cut(rest, "\n")
	return ok && sum == seal(body)
}

// unit is the step that writes the service.
func (i *Installation) unit() Step {
	path, w, text := i.at(UnitPath), i.owned(0o644, 0, 0), unitFile(&i.o)
	return Step{
		Name:    fmt.Sprintf("service %s, root:root 0644", path),
		Content: text,
		look: func(context.Context) (string, error) {
			old, err := i.oldUnit(path, text)
			if err != nil {
				return "", err
			}
			missing, err := w.differs(path)
			if missing == "" && old != text {
				missing = "written with other options, or by another version"
			}
			return missing, err
		},
		do: func(context.Context) error {
			i.fresh = true
			return w.write(path, strings.NewReader(text))
		},
	}
}

// oldUnit reads the unit that is there, and refuses one that was edited. Next is
// what is to come in its place, to show the difference.
func (i *Installation) oldUnit(path, next string) (string, error) {
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	old := string(data)
	if old == next || untouched(old) || i.o.Force {
		return old, nil
	}
	return old, &EditedError{Path: path, Difference: difference(old, next)}
}

// EditedError means that a unit was changed by hand.
type EditedError struct {
	Path string
	// Difference is by lines: "-" is in the file, "+" would be.
	Difference string
}

func (e *EditedError) Error() string {
	return fmt.Sprintf("%s was edited by hand (- is in it, + is what would be written):\n%smove your changes to a drop-in (systemctl edit countersign), or give them up with --force", e.Path, e.Difference)
}

// noUnit is the step that removes the service's file.
func (i *Installation) noUnit() Step {
	s := i.gone("no service", UnitPath)
	look, do := s.look, s.do
	s.look = func(ctx context.Context) (string, error) {
		if _, err := i.oldUnit(i.at(UnitPath), unitFile(&i.o)); err != nil {
			return "", err
		}
		return look(ctx)
	}
	s.do = func(ctx context.Context) error {
		if err := do(ctx); err != nil {
			return err
		}
		return i.reload(ctx)
	}
	if i.o.Machine != nil {
		s.Commands = append(s.Commands, commandLine(daemonReload))
	}
	return s
}
