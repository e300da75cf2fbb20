package shell

import (
	"slices"
	"strings"
	"sync"

	"github.com/countersign/countersign/phone"
)

// launchPrograms start code of which the shell knows nothing but its name.
var launchPrograms = map[string]program{"app_process": appProcess, "app_process32": appProcess, "app_process64": appProcess, "dalvikvm": appProcess}

// systemClasses are the classes behind the programs: an old way to start them.
var systemClasses = map[string]string{
	"com.android.commands.input.Input": "input", "com.android.commands.am.Am": "am", "com.android.commands.pm.Pm": "pm",
	"com.android.commands.wm.Wm": "wm", "com.android.commands.content.Content": "content",
	"com.android.commands.settings.SettingsCmd": "settings", "com.android.commands.uiautomator.Launcher": "uiautomator",
	"com.android.commands.monkey.Monkey": "monkey", "com.android.commands.svc.Svc": "svc", "com.android.commands.ime.Ime": "ime",
	"com.android.commands.appops.AppOpsCommand": "appops",
}

// appProcess is "app_process [options of the machine] FOLDER [options] CLASS
// WORDS...".
func appProcess(r *run) int {
	args, classpath := r.args[1:], r.env["CLASSPATH"]
	for len(args) > 0 && strings.HasPrefix(args[0], "-") {
		if value, ok := strings.CutPrefix(args[0], "-Djava.class.path="); ok {
			classpath = value
		}
		if (args[0] == "-cp" || args[0] == "-classpath") && len(args) > 1 {
			classpath, args = args[1], args[1:]
		}
		args = args[1:]
	}
	if len(args) > 0 && strings.Contains(args[0], "/") {
		args = args[1:]
	}
	for len(args) > 0 && strings.HasPrefix(args[0], "--") {
		args = args[1:]
	}
	if len(args) == 0 {
		r.complain("Error: no class name or --zygote supplied.")
		return 10
	}
	class := args[0]
	if program, ok := systemClasses[class]; ok {
		return r.become(append([]string{program}, args[1:]...))
	}
	r.noteLaunch(class, classpath, args[1:])
	if class == "com.ysbing.yadb.Main" {
		return yadb(r, args[1:])
	}
	return r.serve(class, args[1:])
}

func (r *run) noteLaunch(name, classpath string, args []string) {
	r.phone().Note(phone.Event{
		Kind: "launch", Detail: name,
		Data: map[string]string{"args": strings.Join(args, " "), "classpath": classpath},
	})
}

// yadb is a helper that agents push to type what "input text" cannot, and to
// touch (com.ysbing.yadb).
func yadb(r *run, args []string) int {
	if len(args) < 2 {
		return 0
	}
	switch args[0] {
	case "-keyboard":
		r.phone().Type(strings.ReplaceAll(args[1], "~CLEAR~", ""))
	case "-touch":
		at, ok := pixels(args[1:], 2)
		if !ok {
			return 1
		}
		d, _ := milliseconds(args[3:], 0)
		r.phone().LongPress(at[0], at[1], d)
	}
	return 0
}

// serve starts a server, if the name is that of one, and stays as long as it
// runs: until its process is ended, or with its line unless it was detached.
func (r *run) serve(name string, args []string) int {
	s := r.line.shell
	launch, ok := s.Launches[name]
	if !ok {
		return 0
	}
	address, handler := launch(s.Phone, args)
	stop := func() {}
	if s.Listen != nil {
		var err error
		if stop, err = s.Listen(address, handler); err != nil {
			r.complain("java.net.BindException: bind failed: EADDRINUSE (Address already in use): %s", address)
			return 1
		}
	}
	ended := s.launched().add(name, stop)
	if s.Background != nil && r.detached {
		go func() {
			select {
			case <-s.Background.Done():
				s.launched().end(name)
			case <-ended:
			}
		}()
	}
	gone, _ := r.ctx.Value(readerKey{}).(<-chan struct{})
	if r.detached {
		gone = nil
	}
	select {
	case <-ended:
		return 143
	case <-gone:
		s.launched().end(name)
		return 143
	case <-r.ctx.Done():
		if !r.detached || s.Background == nil {
			s.launched().end(name)
		}
		return 143
	}
}

// running are the servers that were launched, by the name of their process.
type running struct {
	mu      sync.Mutex
	servers map[string]server
}

type server struct {
	stop  func()
	ended chan struct{}
}

// launched are the servers that run on this shell's phone.
func (s *Shell) launched() *running { return &s.servers }

// add takes a server down and returns what is closed when it is ended. One of
// the same name that runs is ended first.
func (l *running) add(name string, stop func()) <-chan struct{} {
	l.end(name)
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.servers == nil {
		l.servers = map[string]server{}
	}
	ended := make(chan struct{})
	l.servers[name] = server{stop, ended}
	return ended
}

// end ends a server, if it runs.
func (l *running) end(name string) {
	l.mu.Lock()
	s, ok := l.servers[name]
	delete(l.servers, name)
	l.mu.Unlock()
	if ok {
		s.stop()
		close(s.ended)
	}
}

// endPackage ends the servers of an app that is stopped.
func (l *running) endPackage(pkg string) {
	for _, name := range l.names() {
		if owner, _, _ := strings.Cut(name, "/"); owner == pkg || owner == pkg+".test" {
			l.end(name)
		}
	}
}

// names are the processes of the servers, in order.
func (l *running) names() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	names := make([]string, 0, len(l.servers))
	for name := range l.servers {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}
