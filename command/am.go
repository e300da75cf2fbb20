package command

import (
	"strconv"
	"strings"

	"github.com/countersign/countersign/risk"
)

// amCommands are the subcommands of am (or "cmd activity") that send no
// intent; those that do are in intentCommands.
var amCommands = merge(noneOf(
	// They print the state of the activity manager.
	"get-config get-current-user get-current-foreground-process get-inactive get-standby-bucket "+
		"get-started-user-state get-uid-state get-isolated-pids get-bg-restriction-level "+
		"is-user-stopped package-importance supports-multiwindow "+
		"supports-split-screen-multi-window tasks stack-list lastest check-bad-pids "+
		"to-uri to-intent-uri to-app-uri help wait-for-broadcast-idle wait-for-broadcast-barrier "+
		"wait-for-application-barrier get-memory-factor list-secondary-displays-for-starting-users",
	codeRead),
	map[string]rule{
		// It closes an app, drops what was not saved there, and keeps it from
		// alarms and messages until somebody opens it again.
		"force-stop": {risk.Other, codeForceStop, true},
		"stop-app":   {risk.Other, codeForceStop, true},
		"crash":      {risk.Other, codeForceStop, true},
		// Only processes that can come back unseen.
		"kill":     {risk.None, codeNavigate, true},
		"kill-all": {risk.None, codeNavigate, false},
		// Code that this package cannot read runs with another app's rights, and
		// drives the screen past the guard.
		"instrument":      {risk.Unknown, codeOpaque, false},
		"attach-agent":    {risk.Unknown, codeOpaque, false},
		"set-debug-app":   {risk.Unknown, codeOpaque, true},
		"clear-debug-app": {risk.None, codePreference, false},
		// The app's memory, with whatever secret is in it.
		"dumpheap":    {risk.Disclose, codeReadService, false},
		"dumpbitmaps": {risk.Disclose, codeReadService, false},
		"profile":     {risk.Disclose, codeReadService, false},
		"trace-ipc":   {risk.Disclose, codeReadService, false},
		"monitor":     {risk.Disclose, codeReadService, false},
		"bug-report":  {risk.Disclose, codeReadLogs, false},
		// The phone restarts, or hangs until it does.
		"restart": {risk.Device, codePower, false},
		"hang":    {risk.Device, codePower, false},
		// Another user has other apps, other data and other guards.
		"switch-user":                  {risk.Account, codeAccounts, false},
		"start-user":                   {risk.Account, codeAccounts, false},
		"stop-user":                    {risk.Account, codeAccounts, false},
		"unlock-user":                  {risk.Account, codeAccounts, false},
		"start-secondary-display-user": {risk.Account, codeAccounts, false},
		// Windows are moved about.
		"stack":                          {risk.None, codeNavigate, false},
		"task":                           {risk.None, codeNavigate, false},
		"display":                        {risk.None, codeNavigate, false},
		"screen-compat":                  {risk.None, codePreference, true},
		"send-trim-memory":               {risk.None, codePreference, true},
		"idle-maintenance":               {risk.None, codePreference, false},
		"suppress-resize-config-changes": {risk.None, codePreference, false},
		// How much an app may do in the background.
		"set-inactive":                    {risk.Settings, codeSetting, true},
		"set-standby-bucket":              {risk.Settings, codeSetting, true},
		"set-bg-restriction-level":        {risk.Settings, codeSetting, true},
		"set-bg-abusive-uids":             {risk.Settings, codeSetting, false},
		"set-foreground-service-delegate": {risk.Settings, codeSetting, true},
		"make-uid-idle":                   {risk.Settings, codeSetting, true},
		"freeze":                          {risk.Other, codeForceStop, true},
		"unfreeze":                        {risk.Other, codeForceStop, true},
		"compat":                          {risk.Settings, codeSetting, false},
		"clear-watch-heap":                {risk.None, codePreference, false},
		"set-watch-heap":                  {risk.Disclose, codeReadService, false},
		"memory-factor":                   {risk.Settings, codeSetting, false},
		"no-home-screen":                  {risk.Settings, codeSetting, false},
	})

// am judges the activity manager's commands.
func am(c *call) {
	word := c.arg(0)
	if kind, ok := intentCommands[word]; ok {
		if strings.HasPrefix(word, "stop") {
			c.is(risk.Other, codeForceStop, c.verb+" "+word, c.rest(1))
			return
		}
		c.intent(kind, c.verb+" "+word)
		return
	}
	if word == "" {
		c.none(codeRead, c.verb)
		return
	}
	_, operands := split(c.texts()[1:], "--user")
	c.byRule(amCommands, word, operands)
}

// intent judges a call that sends one.
func (c *call) intent(kind, term string) {
	i, err := intentFromArguments(c.texts()[1:])
	if err != nil {
		c.unknown(codeBadIntent, term, c.rest(1))
		return
	}
	if len(c.args) == 1 {
		c.none(codeRead, term)
		return
	}
	i.Kind = kind
	e := i.Effect()
	e.Term = term + " " + e.Term
	c.add(e)
}

// monkeyValues are the options of monkey with a value that changes nothing
// about what a launch does.
var monkeyValues = []string{"-p", "-c", "-s", "--throttle"}

// monkey starts an app when it is told to send one event, since the first one
// always is the start. More than that are touches nobody chose.
func monkey(c *call) {
	options, operands := split(c.texts(), monkeyValues...)
	events := 0
	if len(operands) == 1 {
		events, _ = strconv.Atoi(operands[0])
	}
	plain := options["-p"] != ""
	for name := range options {
		plain = plain && (name == "-p" || name == "-c" || name == "-s" || name == "-v" || name == "--throttle")
	}
	e := Effect{Code: codeRandomInput, Package: options["-p"], Object: c.rest(0), Term: c.verb}
	if plain && events == 1 {
		e = Effect{Category: risk.None, Code: codeLaunch, Package: options["-p"], Object: options["-p"], Term: c.verb}
	}
	c.add(e)
}
