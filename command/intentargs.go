package command

import (
	"fmt"
	"strconv"
	"strings"
)

// intentCommands are the subcommands of am that send an intent, and its kind.
var intentCommands = map[string]string{
	"start":                    KindActivity,
	"start-activity":           KindActivity,
	"start-in-vsync":           KindActivity,
	"startservice":             KindService,
	"start-service":            KindService,
	"startforegroundservice":   KindService,
	"start-foreground-service": KindService,
	"start-fg-service":         KindService,
	"stopservice":              KindService,
	"stop-service":             KindService,
	"broadcast":                KindBroadcast,
}

// intentFlags are the options of am without a value.
var intentFlags = wordSet(`-D -N -W -S
	--grant-read-uri-permission --grant-write-uri-permission --grant-persistable-uri-permission
	--grant-prefix-uri-permission --debug-log-resolution --exclude-stopped-packages
	--include-stopped-packages --activity-brought-to-front --activity-clear-top
	--activity-clear-when-task-reset --activity-exclude-from-recents
	--activity-launched-from-history --activity-multiple-task --activity-no-animation
	--activity-no-history --activity-no-user-action --activity-previous-is-top
	--activity-reorder-to-front --activity-reset-task-if-needed --activity-single-top
	--activity-clear-task --activity-task-on-home --activity-match-external
	--receiver-registered-only --receiver-replace-pending --receiver-foreground
	--receiver-no-abort --receiver-include-background --track-allocation --streaming
	--task-overlay --lock-task --allow-background-activity-starts --async --ordered
	--splashscreen-show-icon --dismiss-keyguard --dismiss-keyguard-if-insecure`)

// intentValues are the options of am with a value that does not change what
// the intent does.
var intentValues = wordSet(`-R -P -i --user --receiver-permission --display --windowingMode
	--activityType --task --start-profiler --sampling --options --bundle --delivery-group-policy`)

// extraKinds are the options that add an extra: all but the last take a name
// and a value.
var extraKinds = wordSet(`-e --es --ez --ei --el --ef --ed --eu --ecn --eia --eial --ela --elal
	--efa --efal --eda --edal --esa --esal`)

func wordSet(words string) map[string]bool {
	all := map[string]bool{}
	for _, w := range strings.Fields(words) {
		all[w] = true
	}
	return all
}

// intentFromArguments reads the arguments as am does, except that options are
// also taken behind the operand: where the phone would ignore them, this is
// the stricter reading, and an operand that contradicts them is an error.
func intentFromArguments(args []string) (Intent, error) {
	var i Intent
	var operands []string
	p := &argumentReader{args: args}
	for p.more() {
		option := p.next()
		if len(option) < 2 || option[0] != '-' {
			operands = append(operands, option)
			continue
		}
		if option == "--" {
			operands = append(operands, p.args[p.at:]...)
			break
		}
		if err := i.option(option, p); err != nil {
			return Intent{}, err
		}
	}
	switch len(operands) {
	case 0:
		return i, nil
	case 1:
		return i.operand(operands[0])
	}
	return Intent{}, fmt.Errorf("%w: %q follows the operand %q", ErrIntent, operands[1], operands[0])
}

// An argumentReader hands out arguments. A one-letter option may carry its
// value: "-aANDROID" is "-a ANDROID".
type argumentReader struct {
	args     []string
	at       int
	attached string
}

func (p *argumentReader) more() bool { return p.at < len(p.args) }

func (p *argumentReader) next() string {
	a := p.args[p.at]
	p.at++
	if len(a) > 2 && a[0] == '-' && a[1] != '-' {
		p.attached = a[2:]
		return a[:2]
	}
	p.attached = ""
	return a
}

// value returns an option's next value.
func (p *argumentReader) value(option string) (string, error) {
	if p.attached != "" {
		v := p.attached
		p.attached = ""
		return v, nil
	}
	if !p.more() {
		return "", fmt.Errorf("%w: option %s has no value", ErrIntent, option)
	}
	v := p.args[p.at]
	p.at++
	return v, nil
}

// option reads one option and its values.
func (i *Intent) option(option string, p *argumentReader) error {
	targets := map[string]*string{"-a": &i.Action, "-d": &i.Data, "-t": &i.Type, "-n": &i.Component, "-p": &i.Package}
	var err error
	switch {
	case targets[option] != nil:
		*targets[option], err = p.value(option)
	case option == "-c":
		var category string
		category, err = p.value(option)
		i.Categories = append(i.Categories, category)
	case option == "--esn":
		_, err = p.value(option)
	case extraKinds[option]:
		err = i.extra(option, p)
	case option == "-f" || option == "--flags":
		err = i.flags(option, p)
	case option == "--attach-agent" || option == "--attach-agent-bind" || option == "--selector":
		// Foreign code in the app, or a second intent that decides who gets it.
		i.hidden = true
		if option != "--selector" {
			_, err = p.value(option)
		}
	case intentFlags[option]:
		i.grants = i.grants || strings.HasPrefix(option, "--grant-read") || strings.HasPrefix(option, "--grant-write")
	case intentValues[option]:
		_, err = p.value(option)
	default:
		err = fmt.Errorf("%w: option %s is not known", ErrIntent, option)
	}
	return err
}

func (i *Intent) extra(option string, p *argumentReader) error {
	name, err := p.value(option)
	if err != nil {
		return err
	}
	value, err := p.value(option)
	if err != nil {
		return err
	}
	if i.Extras == nil {
		i.Extras = map[string]string{}
	}
	i.Extras[name] = value
	return nil
}

// flags reads the intent's flags as a number, of which two bits matter: they
// give the receiver access to the data.
func (i *Intent) flags(option string, p *argumentReader) error {
	text, err := p.value(option)
	if err != nil {
		return err
	}
	bits, err := strconv.ParseInt(text, 0, 64)
	if err != nil {
		return fmt.Errorf("%w: flags %q are not a number", ErrIntent, text)
	}
	const grantRead, grantWrite = 1, 2
	i.grants = i.grants || bits&(grantRead|grantWrite) != 0
	return nil
}

// operand reads the link, component or package at the end of the arguments.
func (i Intent) operand(s string) (Intent, error) {
	var other Intent
	switch {
	case isIntentLink(s):
		var err error
		if other, err = intentFromLink(s); err != nil {
			return Intent{}, err
		}
	case strings.Contains(s, ":"):
		other = Intent{Data: s}
		if i.Action == "" {
			other.Action = actionView
		}
	case strings.Contains(s, "/"):
		other = Intent{Component: s}
	default:
		other = Intent{Package: s}
	}
	for _, field := range []struct {
		name      string
		have, add *string
	}{
		{"action", &i.Action, &other.Action}, {"data", &i.Data, &other.Data}, {"type", &i.Type, &other.Type},
		{"component", &i.Component, &other.Component}, {"package", &i.Package, &other.Package},
	} {
		if *field.have != "" && *field.add != "" && *field.have != *field.add {
			return Intent{}, fmt.Errorf("%w: %s is both %q and %q", ErrIntent, field.name, *field.have, *field.add)
		}
		if *field.have == "" {
			*field.have = *field.add
		}
	}
	for name, value := range other.Extras {
		if i.Extras == nil {
			i.Extras = map[string]string{}
		}
		i.Extras[name] = value
	}
	i.Categories = append(i.Categories, other.Categories...)
	i.grants, i.hidden = i.grants || other.grants, i.hidden || other.hidden
	return i, nil
}
