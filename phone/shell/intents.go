package shell

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/countersign/countersign/phone"
)

// actionMain and launcher are what starts an app from its icon.
const (
	actionMain = "android.intent.action.MAIN"
	launcher   = "android.intent.category.LAUNCHER"
)

// intentArguments are the words of an intent as am reads them
// (Intent.parseCommandArgs), and the options of am among them.
type intentArguments struct {
	intent phone.Intent
	wait   bool // -W
	stop   bool // -S
}

// extraOptions take a key and a value; the value is kept as text.
var extraOptions = []string{
	"-e", "--es", "--ez", "--ei", "--el", "--ef", "--ed", "--eu", "--ecn", "--eia", "--eial", "--ela", "--elal", "--efa", "--efal", "--esa", "--esal",
}

// oneWord are options of am that take a word and change nothing here.
var oneWord = []string{
	"--user", "-R", "--display", "--windowingMode", "--activityType", "--task", "-P", "--start-profiler", "--sampling",
	"--receiver-permission", "--track-allocation", "--attach-agent", "-i",
}

// flagOptions are spelled-out flags of an intent.
var flagOptions = map[string]int{
	"--activity-clear-top": 0x04000000, "--activity-clear-task": 0x00008000, "--activity-single-top": 0x20000000,
	"--activity-no-history": 0x40000000, "--activity-brought-to-front": 0x00400000, "--activity-no-animation": 0x00010000,
	"--include-stopped-packages": 0x00000020, "--exclude-stopped-packages": 0x00000010, "--receiver-foreground": 0x10000000,
	"--grant-read-uri-permission": 1, "--grant-write-uri-permission": 2, "--activity-multiple-task": 0x08000000,
}

// parseIntent reads the words after "am start" and its like.
func parseIntent(args []string) (intentArguments, error) {
	var a intentArguments
	a.intent.Extras = map[string]string{}
	for len(args) > 0 {
		option := args[0]
		if !strings.HasPrefix(option, "-") || option == "-" {
			break
		}
		n, err := a.option(option, args[1:])
		if err != nil {
			return a, err
		}
		args = args[1+n:]
	}
	if len(args) > 0 {
		a.target(args[0])
	}
	return a, nil
}

// option takes one option and says how many words it took after it.
func (a *intentArguments) option(option string, rest []string) (int, error) {
	need := func(n int) error {
		if len(rest) < n {
			return message(fmt.Sprintf("Argument expected after %q", option))
		}
		return nil
	}
	switch {
	case slices.Contains(extraOptions, option):
		if err := need(2); err != nil {
			return 0, err
		}
		a.intent.Extras[rest[0]] = rest[1]
		return 2, nil
	case option == "--esn":
		if err := need(1); err != nil {
			return 0, err
		}
		a.intent.Extras[rest[0]] = ""
		return 1, nil
	case slices.Contains(oneWord, option):
		return 1, need(1)
	case slices.Contains([]string{"-a", "-d", "-t", "-c", "-n", "-p", "-f"}, option):
		if err := need(1); err != nil {
			return 0, err
		}
		return 1, a.field(option, rest[0])
	}
	switch option {
	case "-W":
		a.wait = true
	case "-S":
		a.stop = true
	case "-D", "-N", "--streaming", "--selector", "--allow-background-activity-starts", "--async", "-w", "-r":
	default:
		flag, ok := flagOptions[option]
		if !ok && !strings.HasPrefix(option, "--activity-") && !strings.HasPrefix(option, "--receiver-") {
			return 0, message(fmt.Sprintf("Unknown option: %s", option))
		}
		a.intent.Flags |= flag
	}
	return 0, nil
}

func (a *intentArguments) field(option, value string) error {
	i := &a.intent
	switch option {
	case "-a":
		i.Action = value
	case "-d":
		i.Data = value
	case "-t":
		i.Type = value
	case "-c":
		i.Categories = append(i.Categories, value)
	case "-p":
		i.Package = value
	case "-n":
		if !strings.Contains(value, "/") {
			return message(fmt.Sprintf("Bad component name: %s", value))
		}
		i.Component = value
	case "-f":
		n, err := strconv.ParseInt(value, 0, 64)
		if err != nil {
			return message(fmt.Sprintf("For input string: %q", value))
		}
		i.Flags |= int(n)
	}
	return nil
}

// target is the word after the options: an address, a component or a package.
func (a *intentArguments) target(word string) {
	i := &a.intent
	switch {
	case strings.Contains(word, ":"):
		if i.Action == "" {
			i.Action = "android.intent.action.VIEW"
		}
		i.Data = word
	case strings.Contains(word, "/"):
		i.Component = word
		if i.Action == "" {
			i.Action, i.Categories = actionMain, append(i.Categories, launcher)
		}
	default:
		i.Package = word
		if i.Action == "" {
			i.Action, i.Categories = actionMain, append(i.Categories, launcher)
		}
	}
}

// describe is an intent as Android writes one in its messages.
func describe(i phone.Intent) string {
	var parts []string
	add := func(name, value string) {
		if value != "" {
			parts = append(parts, name+"="+value)
		}
	}
	add("act", i.Action)
	if len(i.Categories) > 0 {
		add("cat", "["+strings.Join(i.Categories, ",")+"]")
	}
	add("dat", i.Data)
	add("typ", i.Type)
	if i.Flags != 0 {
		add("flg", "0x"+strconv.FormatInt(int64(i.Flags), 16))
	}
	add("pkg", i.Package)
	add("cmp", i.Component)
	if len(i.Extras) > 0 {
		parts = append(parts, "(has extras)")
	}
	return "Intent { " + strings.Join(parts, " ") + " }"
}
