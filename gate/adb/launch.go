package adb

import (
	"regexp"
	"strings"
)

// launch is a line that starts a program from a file, an instrumentation, or
// switches the keyboard.
type launch struct {
	class string   // the main class
	files []string // the class path
	app   string   // the package of an instrumentation or a keyboard
	args  []string

	verb, keyboard string // of ime
}

// port is where the program is told to listen, or the usual one.
func (l *launch) port(usual string) string {
	for i, word := range l.args {
		if word == "-p" && i+1 < len(l.args) && l.args[i+1] != "" && strings.Trim(l.args[i+1], "0123456789") == "" {
			return l.args[i+1]
		}
	}
	return usual
}

var (
	className    = regexp.MustCompile(`^[A-Za-z_]\w*(\.[A-Za-z_$][\w$]*)+$`)
	keyboardName = regexp.MustCompile(`^([A-Za-z]\w*(?:\.\w+)+)/[\w.$]+$`)
)

// readLaunch recognises a launch in a plain line.
func readLaunch(line string) (launch, bool) {
	var l launch
	words, plain := plainWords(line)
	if !plain {
		return l, false
	}
	for len(words) > 0 {
		file, assigned := strings.CutPrefix(words[0], "CLASSPATH=")
		switch {
		case assigned:
			l.files = append(l.files, file)
		case words[0] != "nohup" && words[0] != "exec" && words[0] != "setsid":
			return l.read(words)
		}
		words = words[1:]
	}
	return l, false
}

func (l launch) read(words []string) (launch, bool) {
	switch program := programOf(words[0]); {
	case program == "app_process" || program == "app_process32" || program == "app_process64":
		return l.process(words[1:])
	case len(l.files) > 0 || len(words) < 3:
	case program == "am" && words[1] == "instrument":
		return l.instrument(words[2:])
	case program == "ime" && (words[1] == "enable" || words[1] == "set") && len(words) == 3:
		if name := keyboardName.FindStringSubmatch(words[2]); name != nil {
			l.verb, l.keyboard, l.app = words[1], words[2], name[1]
			return l, true
		}
	}
	return l, false
}

// process reads the arguments of app_process: options, a folder, a class, and
// what the class is told.
func (l launch) process(words []string) (launch, bool) {
	for len(words) > 0 && strings.HasPrefix(words[0], "-") {
		file, ok := strings.CutPrefix(words[0], "-Djava.class.path=")
		if !ok {
			return l, false
		}
		l.files, words = append(l.files, file), words[1:]
	}
	if len(words) < 2 || !strings.HasPrefix(words[0], "/") || !className.MatchString(words[1]) {
		return l, false
	}
	l.class, l.args = words[1], words[2:]
	return l, true
}

// instrument reads the arguments of am instrument: options, then a component.
func (l launch) instrument(words []string) (launch, bool) {
	for len(words) > 1 {
		switch words[0] {
		case "-w", "-r", "-m", "--no-window-animation", "--no-hidden-api-checks", "--no-isolated-storage":
			words = words[1:]
		case "-e":
			if len(words) < 4 {
				return l, false
			}
			words = words[3:]
		case "--user":
			words = words[2:]
		default:
			return l, false
		}
	}
	if len(words) != 1 {
		return l, false
	}
	name := keyboardName.FindStringSubmatch(words[0])
	if name == nil {
		return l, false
	}
	l.app = name[1]
	return l, true
}
