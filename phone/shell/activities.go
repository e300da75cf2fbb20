package shell

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/countersign/countersign/phone"
)

// activityPrograms start and stop apps.
var activityPrograms = map[string]program{"am": am, "monkey": monkey}

// amCommands are those of the activity manager.
var amCommands = map[string]func(r *run, args []string) int{
	"start": amStart, "start-activity": amStart, "start-in-vsync": amStart,
	"broadcast":  amBroadcast,
	"instrument": amInstrument,
	"force-stop": func(r *run, args []string) int {
		return r.onPackage(args, func(pkg string) error {
			r.line.shell.launched().endPackage(pkg)
			r.phone().Stop(pkg)
			return nil
		})
	},
	"stop-app": func(r *run, args []string) int {
		return r.onPackage(args, func(pkg string) error { r.phone().Stop(pkg); return nil })
	},
	"kill": func(r *run, args []string) int {
		return r.onPackage(args, func(pkg string) error {
			// Only what is in the background dies; the app in front stays.
			if front, _ := r.phone().Focus(); front != pkg {
				r.phone().Stop(pkg)
			}
			return nil
		})
	},
	"kill-all":         func(r *run, _ []string) int { r.phone().Note(phone.Event{Kind: "killall"}); return 0 },
	"startservice":     amService,
	"start-service":    amService,
	"stopservice":      amService,
	"stop-service":     amService,
	"get-current-user": func(r *run, _ []string) int { r.printf("0\n"); return 0 },
	"switch-user":      noted,
	"set-debug-app":    noted, "clear-debug-app": noted, "idle-maintenance": noted, "set-inactive": noted, "crash": noted,
	"wait-for-broadcast-idle": func(r *run, _ []string) int { r.printf("All broadcast queues are idle!\n"); return 0 },
	"get-config": func(r *run, _ []string) int {
		w, h := r.phone().Size()
		_, density := r.phone().Density()
		r.printf("config: mcc310-mnc260-%s-rUS-ldltr-w%ddp-h%ddp-normal-long-port-notnight-%ddpi-finger-nokeys-navhidden-v34\nabi: arm64-v8a\n",
			r.phone().Locale(), w*160/density, h*160/density, density)
		return 0
	},
	"stack": func(r *run, _ []string) int { r.write(activityStack(r.phone())); return 0 },
	"task":  noted,
	"get-uid-state": func(r *run, _ []string) int {
		r.printf("2 (TOP)\n")
		return 0
	},
}

// noted is a command that is written down as it was given, and does no more.
func noted(*run, []string) int { return 0 }

func am(r *run) int {
	if len(r.args) < 2 {
		r.complain("Activity manager (activity) commands:")
		return failed
	}
	command, ok := amCommands[r.args[1]]
	if !ok {
		r.complain("Unknown command: %s", r.args[1])
		return failed
	}
	return command(r, r.args[2:])
}

// onPackage does something to the package that is named last.
func (r *run) onPackage(args []string, do func(pkg string) error) int {
	name := ""
	for i := 0; i < len(args); i++ {
		switch {
		case args[i] == "--user" || args[i] == "--pid":
			i++
		case !strings.HasPrefix(args[i], "-"):
			name = args[i]
		}
	}
	if name == "" {
		r.complain("\nException occurred while executing '%s':\njava.lang.IllegalArgumentException: Argument expected after %q", r.args[1], r.args[1])
		return failed
	}
	if err := do(name); err != nil {
		r.complain("Error: %v", err)
		return 1
	}
	return 0
}

// badIntent is what am prints when it cannot read its words.
func (r *run) badIntent(err error) int {
	r.complain("\nException occurred while executing '%s':\njava.lang.IllegalArgumentException: %v", r.args[1], err)
	return failed
}

func amStart(r *run, args []string) int {
	a, err := parseIntent(args)
	if err != nil {
		return r.badIntent(err)
	}
	if a.stop {
		pkg, _, _ := strings.Cut(a.intent.Component, "/")
		if pkg == "" {
			pkg = a.intent.Package
		}
		r.printf("Stopping: %s\n", pkg)
		r.phone().Stop(pkg)
	}
	r.printf("Starting: %s\n", describe(a.intent))
	return r.started(a, r.phone().Start(a.intent))
}

// started says how a start went.
func (r *run) started(a intentArguments, err error) int {
	switch {
	case errors.Is(err, phone.ErrNoActivity) && a.intent.Component != "", errors.Is(err, phone.ErrNoPackage) && a.intent.Component != "":
		pkg, class, _ := strings.Cut(a.intent.Component, "/")
		if strings.HasPrefix(class, ".") {
			class = pkg + class
		}
		r.complain("Error type 3\nError: Activity class {%s/%s} does not exist.", pkg, class)
		return 1
	case errors.Is(err, phone.ErrDisabled), errors.Is(err, phone.ErrNoActivity), errors.Is(err, phone.ErrNoPackage):
		r.complain("Error: Activity not started, unable to resolve %s", describe(a.intent))
		return 1
	case err != nil:
		r.complain("Error: %v", err)
		return 1
	}
	if a.wait {
		pkg, activity := r.phone().Focus()
		r.printf("Status: ok\nLaunchState: COLD\nActivity: %s/%s\nTotalTime: 412\nWaitTime: 420\nComplete\n", pkg, activity)
	}
	return 0
}

func amBroadcast(r *run, args []string) int {
	a, err := parseIntent(args)
	if err != nil {
		return r.badIntent(err)
	}
	shown := a.intent
	shown.Flags |= 0x400000
	r.printf("Broadcasting: %s\n", describe(shown))
	r.phone().Broadcast(a.intent)
	r.printf("Broadcast completed: result=0\n")
	return 0
}

func amService(r *run, args []string) int {
	a, err := parseIntent(args)
	if err != nil {
		return r.badIntent(err)
	}
	verb := map[bool]string{true: "Stopping", false: "Starting"}[strings.HasPrefix(r.args[1], "stop")]
	r.printf("%s service: %s\n", verb, describe(a.intent))
	pkg, _, _ := strings.Cut(a.intent.Component, "/")
	if _, ok := r.phone().Package(pkg); pkg != "" && !ok {
		r.complain("Error: Not found; no service started.")
		return failed
	}
	r.phone().Note(phone.Event{Kind: "startservice", Detail: a.intent.Component, Data: a.intent.Extras})
	return 0
}

// amInstrument starts an instrumentation: for agents, a server.
func amInstrument(r *run, args []string) int {
	wait, rest := false, []string(nil)
	component := ""
	for i := 0; i < len(args); i++ {
		switch a := args[i]; {
		case a == "-w":
			wait = true
		case a == "-e" && i+2 < len(args):
			rest = append(rest, args[i:i+3]...)
			i += 2
		case (a == "-p" || a == "--user" || a == "--abi") && i+1 < len(args):
			i++
		case strings.HasPrefix(a, "-"):
		default:
			component = a
		}
	}
	r.noteLaunch(component, "", rest)
	pkg, _, _ := strings.Cut(component, "/")
	_, installed := r.phone().Package(pkg)
	if _, known := r.line.shell.Launches[component]; !known && !installed {
		r.printf("INSTRUMENTATION_STATUS: Error=Unable to find instrumentation info for: ComponentInfo{%s}\nINSTRUMENTATION_STATUS: id=ActivityManagerService\nINSTRUMENTATION_STATUS_CODE: -1\n", component)
		r.complain("android.util.AndroidException: INSTRUMENTATION_FAILED: %s", component)
		return 1
	}
	next := *r
	if !wait {
		next.detached = true
		go next.serve(component, rest)
		return 0
	}
	next.serve(component, rest)
	r.printf("INSTRUMENTATION_RESULT: shortMsg=Process crashed.\nINSTRUMENTATION_CODE: 0\n")
	return 0
}

// monkey starts an app (one event with the launcher's category) or touches the
// screen here and there, the same places each time.
func monkey(r *run) int {
	given := map[string]string{}
	events := 0
	for i := 1; i < len(r.args); i++ {
		a := r.args[i]
		if n, err := strconv.Atoi(a); err == nil {
			events = n
			continue
		}
		if strings.HasPrefix(a, "--pct-") || strings.HasPrefix(a, "--throttle") || a == "-p" || a == "-c" || a == "-s" {
			if i+1 < len(r.args) {
				given[a] = r.args[i+1]
				i++
			}
		}
	}
	if events < 1 {
		r.complain("** Error: Count not specified")
		return 253
	}
	intent := phone.Intent{Action: actionMain, Package: given["-p"], Categories: []string{launcher}}
	if pkg := given["-p"]; pkg != "" {
		if err := r.phone().Start(intent); err != nil {
			r.printf("** No activities found to run, monkey aborted.\n")
			return 252
		}
	}
	w, h := r.phone().Size()
	for i := 1; i < min(events, 200) && r.ctx.Err() == nil; i++ {
		r.phone().Tap((i*7919)%w, (i*6271)%h)
	}
	r.printf("Events injected: %d\n## Network stats: elapsed time=%dms (0ms mobile, 0ms wifi, %dms not connected)\n", events, 10*events, 10*events)
	return 0
}

// activityStack is the list of tasks as "am stack list" prints it.
func activityStack(p *phone.Phone) string {
	pkg, activity := p.Focus()
	w, h := p.Size()
	return fmt.Sprintf("RootTask id=12 bounds=[0,0][%d,%d] displayId=0 userId=0\n  taskId=12: %s/%s bounds=[0,0][%d,%d] userId=0 visible=true topActivity=ComponentInfo{%s/%s}\n",
		w, h, pkg, activity, w, h, pkg, activity)
}
