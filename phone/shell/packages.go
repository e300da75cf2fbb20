package shell

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/countersign/countersign/phone"
)

// packagePrograms are the package manager.
var packagePrograms = map[string]program{"pm": pm}

// pmCommands are those of the package manager.
var pmCommands = map[string]func(r *run, args []string) int{
	"list": pmList, "path": pmPath, "dump": func(r *run, args []string) int { return dumpPackage(r, args) },
	"grant": func(r *run, args []string) int { return pmGrant(r, args, true) }, "revoke": func(r *run, args []string) int { return pmGrant(r, args, false) },
	"install": pmInstall, "uninstall": pmUninstall,
	"install-create": pmInstallCreate, "install-write": pmInstallWrite, "install-commit": pmInstallCommit,
	"install-abandon": func(r *run, _ []string) int { r.printf("Success\n"); return 0 },
	"install-existing": func(r *run, args []string) int {
		r.printf("Package %s installed for user: 0\n", last(append([]string{""}, args...)))
		return 0
	},
	"clear": func(r *run, args []string) int {
		return r.onPackage(args, func(pkg string) error {
			if err := r.phone().Clear(pkg); err != nil {
				r.printf("Failed\n")
				return err
			}
			r.printf("Success\n")
			return nil
		})
	},
	"enable":             func(r *run, args []string) int { return pmEnable(r, args, true, "enabled") },
	"disable":            func(r *run, args []string) int { return pmEnable(r, args, false, "disabled") },
	"disable-user":       func(r *run, args []string) int { return pmEnable(r, args, false, "disabled-user") },
	"disable-until-used": func(r *run, args []string) int { return pmEnable(r, args, false, "disabled-until-used") },
	"hide":               noted, "unhide": noted, "suspend": noted, "unsuspend": noted, "trim-caches": noted, "reset-permissions": noted,
	"set-install-location": noted, "compile": noted, "set-home-activity": noted,
	"get-install-location": func(r *run, _ []string) int { r.printf("0[auto]\n"); return 0 },
	"get-max-users":        func(r *run, _ []string) int { r.printf("Maximum supported users: 4\n"); return 0 },
	"resolve-activity":     pmResolve, "query-activities": pmResolve,
	"has-feature": pmHasFeature,
}

// otherDevices are features of what is no phone: a client that is told they are
// there looks for a television's launcher.
var otherDevices = []string{"leanback", "type.television", "type.watch", "type.automotive", "type.embedded"}

func pmHasFeature(r *run, args []string) int {
	has := !slices.ContainsFunc(otherDevices, func(kind string) bool { return strings.Contains(strings.Join(args, " "), kind) })
	r.printf("%t\n", has)
	if !has {
		return 1
	}
	return 0
}

func pm(r *run) int {
	if len(r.args) < 2 {
		r.complain("Package manager (package) commands:")
		return failed
	}
	command, ok := pmCommands[r.args[1]]
	if !ok {
		r.complain("Unknown command: %s", r.args[1])
		return failed
	}
	return command(r, r.args[2:])
}

func pmList(r *run, args []string) int {
	if len(args) == 0 {
		r.complain("Error: didn't specify type of data to list")
		return 1
	}
	switch args[0] {
	case "packages":
		return pmListPackages(r, args[1:])
	case "users":
		r.printf("Users:\n\tUserInfo{0:Owner:4c13} running\n")
	case "features":
		r.printf("feature:reqGlEsVersion=0x30002\nfeature:android.hardware.touchscreen\nfeature:android.hardware.wifi\n")
	case "permissions":
		names := map[string]bool{}
		for _, p := range r.phone().Packages() {
			for name := range p.Permissions {
				names[name] = true
			}
		}
		r.printf("All Permissions:\n\n")
		for _, name := range slices.Sorted(maps.Keys(names)) {
			r.printf("  permission:%s\n", name)
		}
	case "instrumentation":
		for _, name := range slices.Sorted(maps.Keys(r.line.shell.Launches)) {
			if pkg, _, ok := strings.Cut(name, "/"); ok {
				r.printf("instrumentation:%s (target=%s)\n", name, strings.TrimSuffix(pkg, ".test"))
			}
		}
	case "libraries", "permission-groups", "initial-non-stopped-system-packages", "staged-sessions", "sdks":
	default:
		r.complain("Error: unknown list type '%s'", args[0])
		return 1
	}
	return 0
}

func pmListPackages(r *run, args []string) int {
	var third, system, file, off, on, version, uid bool
	filter := ""
	for i := 0; i < len(args); i++ {
		switch args[i] {
		case "-3":
			third = true
		case "-s":
			system = true
		case "-f":
			file = true
		case "-d":
			off = true
		case "-e":
			on = true
		case "-U":
			uid = true
		case "--show-versioncode":
			version = true
		case "--user", "--uid":
			i++
		case "-a", "-i", "-l", "-u", "--apex-only", "--factory-only":
		default:
			if strings.HasPrefix(args[i], "-") {
				r.complain("Error: Unknown option: %s", args[i])
				return 1
			}
			filter = args[i]
		}
	}
	for _, p := range r.phone().Packages() {
		if third && p.System || system && !p.System || off && p.Enabled || on && !p.Enabled || !strings.Contains(p.Name, filter) {
			continue
		}
		line := "package:" + p.Name
		if file {
			line = "package:" + p.APK + "=" + p.Name
		}
		if version {
			line += " versionCode:1"
		}
		if uid {
			line += fmt.Sprintf(" uid:%d", 10_000+pidOf(p.Name)%1000)
		}
		r.printf("%s\n", line)
	}
	return 0
}

func pmPath(r *run, args []string) int {
	found := 1
	r.onPackage(args, func(name string) error {
		if p, ok := r.phone().Package(name); ok {
			r.printf("package:%s\n", p.APK)
			found = 0
		}
		return nil
	})
	return found
}

func pmGrant(r *run, args []string, granted bool) int {
	var words []string
	for i := 0; i < len(args); i++ {
		if args[i] == "--user" {
			i++
		} else if !strings.HasPrefix(args[i], "-") {
			words = append(words, args[i])
		}
	}
	if len(words) < 2 {
		r.complain("Error: no permission specified")
		return 1
	}
	if err := r.phone().Grant(words[0], words[1], granted); err != nil {
		r.complain("\nException occurred while executing '%s':\n%s", r.args[1], javaError(words[0], words[1], err))
		return failed
	}
	return 0
}

// javaError is what the package manager throws.
func javaError(pkg, permission string, err error) string {
	if errors.Is(err, phone.ErrNoPermission) {
		return fmt.Sprintf("java.lang.SecurityException: Package %s has not requested permission %s", pkg, permission)
	}
	return "java.lang.IllegalArgumentException: Unknown package: " + pkg
}

func pmUninstall(r *run, args []string) int {
	name := ""
	for i := 0; i < len(args); i++ {
		switch {
		case args[i] == "--user" || args[i] == "--versionCode":
			i++
		case !strings.HasPrefix(args[i], "-") && name == "":
			name = args[i]
		}
	}
	if name == "" {
		r.complain("Error: package name not specified")
		return 1
	}
	err := r.phone().Uninstall(name)
	switch {
	case errors.Is(err, phone.ErrSystemPackage):
		r.printf("Failure [DELETE_FAILED_INTERNAL_ERROR]\n")
		return 1
	case err != nil:
		r.printf("Failure [not installed for 0]\n")
		return 1
	}
	r.line.shell.launched().endPackage(name)
	r.printf("Success\n")
	return 0
}

func pmEnable(r *run, args []string, on bool, state string) int {
	return r.onPackage(args, func(pkg string) error {
		name, _, _ := strings.Cut(pkg, "/")
		if err := r.phone().SetEnabled(name, on); err != nil {
			return message("java.lang.IllegalArgumentException: Unknown package: " + name)
		}
		r.printf("Package %s new state: %s\n", name, state)
		return nil
	})
}

// pmResolve says which activity an intent would start; only packages are looked
// at.
func pmResolve(r *run, args []string) int {
	var rest []string
	brief := false
	for _, a := range args {
		if a == "--brief" {
			brief = true
		} else if a != "--components" && a != "--query-flags" {
			rest = append(rest, a)
		}
	}
	a, err := parseIntent(rest)
	if err != nil {
		return r.badIntent(err)
	}
	p, ok := r.phone().Package(a.intent.Package)
	if !ok || p.Activity == "" {
		r.printf("No activity found\n")
		return 0
	}
	if brief {
		r.printf("priority=0 preferredOrder=0 match=0x108000 specificIndex=-1 isDefault=true\n")
	}
	r.printf("%s/%s\n", p.Name, p.Activity)
	return 0
}
