package shell

import (
	"hash/fnv"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/countersign/countersign/phone"
)

// processPrograms show what runs, end it, and say who and what this is.
var processPrograms = map[string]program{
	"ps": ps, "pidof": pidof, "pgrep": pgrep, "kill": kill, "pkill": pgrep, "killall": pidof,
	"id": func(r *run) int {
		r.printf("uid=2000(shell) gid=2000(shell) groups=2000(shell),1004(input),1007(log),1011(adb),1015(sdcard_rw),1028(sdcard_r),3001(net_bt_admin),3002(net_bt),3003(inet),3006(net_bw_stats) context=u:r:shell:s0\n")
		return 0
	},
	"whoami": func(r *run) int { r.printf("shell\n"); return 0 },
	"uname":  uname, "hostname": func(r *run) int { r.printf("localhost\n"); return 0 },
	"uptime": func(r *run) int {
		r.printf(" %s up 1:00,  0 users,  load average: 1.00, 1.00, 1.00\n", r.now().Format("15:04:05"))
		return 0
	},
	"reboot": func(r *run) int {
		r.phone().Note(phone.Event{Kind: "reboot", Detail: strings.Join(r.args[1:], " ")})
		return 0
	},
	"logcat": logcat, "top": ps, "free": func(r *run) int {
		r.printf("\t\ttotal        used        free      shared     buffers\nMem:       7999852544  6950752256  1049100288   0   0\n")
		return 0
	},
	"remount": func(r *run) int {
		r.complain("Not running as root. Try \"adb root\" first.")
		return 1
	},
	"disable-verity": verity, "enable-verity": verity,
	"getenforce": func(r *run) int { r.printf("Enforcing\n"); return 0 },
	"setenforce": func(r *run) int {
		return r.fail("Couldn't set enforcing status to '%s': Permission denied", last(r.args))
	},
	"screenrecord": func(r *run) int {
		if len(r.args) < 2 {
			r.complain("Must specify output file (see --help).")
			return 2
		}
		return r.linger()
	},
	"ip": func(r *run) int {
		r.printf("1: lo: <LOOPBACK,UP,LOWER_UP> mtu 65536\n    inet 127.0.0.1/8 scope host lo\n")
		return 0
	},
	"ifconfig": func(r *run) int {
		r.printf("lo        Link encap:Local Loopback\n          inet addr:127.0.0.1  Mask:255.0.0.0\n")
		return 0
	},
	"ping":    func(r *run) int { return r.fail("unknown host %s", last(r.args)) + 1 },
	"netstat": nothing, "ss": nothing, "lsof": nothing, "dmesg": notPermitted,
}

// verity is fixed on a user build.
func verity(r *run) int {
	r.complain("verity cannot be disabled/enabled - USER build")
	return 1
}

func last(words []string) string { return words[len(words)-1] }

// process is something that runs.
type process struct {
	pid        int
	user, name string
}

// alwaysRunning are the processes of the system that agents look for.
var alwaysRunning = []process{
	{1, "root", "init"}, {412, "logd", "logd"}, {733, "root", "zygote64"}, {1042, "shell", "adbd"}, {1290, "system", "system_server"},
	{1511, "u0_a88", "com.android.systemui"}, {8231, "shell", "sh"},
}

// processes are those of the system and of the apps, and the servers that were
// launched.
func (r *run) processes() []process {
	all := slices.Clone(alwaysRunning)
	known := map[string]bool{}
	for _, p := range all {
		known[p.name] = true
	}
	for _, pkg := range r.phone().Running() {
		if !known[pkg] {
			all = append(all, process{pidOf(pkg), "u0_a" + strconv.Itoa(100+pidOf(pkg)%100), pkg})
		}
	}
	for _, name := range r.line.shell.launched().names() {
		all = append(all, process{pidOf(name), "shell", name})
	}
	return all
}

// pidOf is the process id of a name, the same each time.
func pidOf(name string) int {
	h := fnv.New32a()
	h.Write([]byte(name))
	return 10_000 + int(h.Sum32()%20_000)
}

func ps(r *run) int {
	if i := slices.Index(r.args, "-o"); i >= 0 && i+1 < len(r.args) {
		return r.psColumns(strings.Split(r.args[i+1], ","))
	}
	r.printf("USER           PID  PPID     VSZ    RSS WCHAN            ADDR S NAME\n")
	for _, p := range r.processes() {
		r.printf("%-12s %5d %5d %7d %6d %-16s %4s S %s\n", p.user, p.pid, 733, 13_800_000, 120_000, "0", "0", p.name)
	}
	return 0
}

func (r *run) psColumns(columns []string) int {
	row := func(value func(column string) string) {
		var words []string
		for _, c := range columns {
			words = append(words, value(strings.ToUpper(strings.TrimSpace(c))))
		}
		r.printf("%s\n", strings.Join(words, " "))
	}
	row(func(c string) string { return c })
	for _, p := range r.processes() {
		row(func(c string) string {
			switch c {
			case "PID":
				return strconv.Itoa(p.pid)
			case "USER":
				return p.user
			case "PPID":
				return "733"
			}
			return p.name
		})
	}
	return 0
}

// pidof and killall go by exact names.
func pidof(r *run) int {
	_, names := options(r.args[1:], "")
	return r.chosen(func(p process) bool { return slices.Contains(names, p.name) }, r.args[0] == "killall", " ")
}

// pgrep and pkill go by an expression.
func pgrep(r *run) int {
	_, rest := options(r.args[1:], "")
	if len(rest) == 0 {
		return r.fail("No PATTERN")
	}
	re, err := regexp.Compile(rest[0])
	if err != nil {
		return r.fail("bad REGEX '%s'", rest[0])
	}
	return r.chosen(func(p process) bool { return re.MatchString(p.name) }, r.args[0] == "pkill", "\n")
}

// chosen writes the process ids of some processes, or ends them.
func (r *run) chosen(which func(process) bool, end bool, between string) int {
	var pids []string
	code := 1
	for _, p := range r.processes() {
		if !which(p) {
			continue
		}
		code = 0
		if pids = append(pids, strconv.Itoa(p.pid)); end && !r.end(p) {
			code = 1
		}
	}
	if !end && len(pids) > 0 {
		r.printf("%s\n", strings.Join(pids, between))
	}
	return code
}

// end ends a process if it is the shell user's.
func (r *run) end(p process) bool {
	if p.user != "shell" {
		r.fail("%d: Operation not permitted", p.pid)
		return false
	}
	r.line.shell.launched().end(p.name)
	return true
}

func kill(r *run) int {
	_, rest := options(r.args[1:], "s")
	code := 0
	for _, word := range rest {
		pid, err := strconv.Atoi(word)
		if err != nil {
			code = r.fail("bad pid '%s'", word)
			continue
		}
		i := slices.IndexFunc(r.processes(), func(p process) bool { return p.pid == pid })
		if i < 0 {
			code = r.fail("%d: No such process", pid)
		} else if !r.end(r.processes()[i]) {
			code = 1
		}
	}
	return code
}

func uname(r *run) int {
	given, _ := options(r.args[1:], "")
	switch {
	case has(given, 'a'):
		r.printf("Linux localhost 6.1.75-android14-11 #1 SMP PREEMPT aarch64 Toybox\n")
	case has(given, 'm'):
		r.printf("aarch64\n")
	case has(given, 'r'):
		r.printf("6.1.75-android14-11\n")
	default:
		r.printf("Linux\n")
	}
	return 0
}

// logcat writes what is in the log, and with no -d waits for more.
func logcat(r *run) int {
	given, _ := options(r.args[1:], "bvstmTfG")
	if has(given, 'c') || has(given, 'g') || has(given, 'G') {
		return 0
	}
	r.printf("--------- beginning of main\n")
	if has(given, 'd') || has(given, 't') {
		return 0
	}
	return r.linger()
}
