package command

import (
	"github.com/countersign/countersign/risk"
)

// services are the services that "cmd SERVICE ..." reaches, and which family
// judges them. The shell has commands of its own for most of them.
var services = map[string]func(*call){
	"activity":          am,
	"package":           pm,
	"input":             input,
	"settings":          settings,
	"window":            wm,
	"appops":            appops,
	"device_policy":     dpm,
	"input_method":      ime,
	"role":              role,
	"notification":      notification,
	"lock_settings":     lockSettings,
	"telecom":           telecom,
	"statusbar":         statusBar,
	"backup":            bmgr,
	"power":             func(c *call) { c.subcommand(powerCommands) },
	"wifi":              func(c *call) { c.subcommand(wifiCommands) },
	"bluetooth_manager": func(c *call) { c.subcommand(radioCommands) },
	"nfc":               func(c *call) { c.subcommand(radioCommands) },
	"connectivity":      func(c *call) { c.subcommand(radioCommands) },
	"phone":             phone,
	"uimode":            func(c *call) { c.subcommand(comfortCommands) },
	"media_session":     func(c *call) { c.subcommand(comfortCommands) },
	"vibrator":          func(c *call) { c.none(codePreference, c.verb) },
	"vibrator_manager":  func(c *call) { c.none(codePreference, c.verb) },
	"battery":           func(c *call) { c.subcommand(batteryCommands) },
	"testharness":       func(c *call) { c.subcommand(harnessCommands) },
	"overlay":           func(c *call) { c.subcommand(overlayCommands) },
	"shortcut":          func(c *call) { c.subcommand(shortcutCommands) },
	"clipboard":         func(c *call) { c.is(risk.Disclose, codeReadService, c.verb, c.rest(0)) },
	"accessibility":     func(c *call) { c.is(risk.Bypass, codeAccessibility, c.verb, c.rest(0)) },
	"recovery":          func(c *call) { c.is(risk.Device, codeWipe, c.verb, c.rest(0)) },
}

// cmd judges "cmd SERVICE arguments": the same verdict as for the command that
// the service has a shorter name for.
func cmd(c *call) {
	_, operands := split(c.texts()[:min(2, len(c.args))], "-w")
	options, _ := split(c.texts()[:min(2, len(c.args))])
	if _, listed := options["-l"]; listed || len(c.args) == 0 {
		c.none(codeRead, c.verb)
		return
	}
	skip := 1
	if len(operands) == 0 || operands[0] != c.arg(0) {
		skip = 2 // -w waits for the service
	}
	service := c.arg(skip - 1)
	judge, known := services[service]
	if !known {
		c.unknown(codeUnknownService, c.verb+" "+service, c.rest(0))
		return
	}
	judge(c.shift(c.verb+" "+service, skip))
}

// serviceCalls are the services whose every transaction has one kind of
// consequence. The numbers of transactions change with the version of Android,
// so they are not told apart.
var serviceCalls = map[string]rule{
	"phone":             {risk.Call, codeCall, false},
	"telecom":           {risk.Call, codeCall, false},
	"isms":              {risk.Message, codeSend, false},
	"imms":              {risk.Message, codeSend, false},
	"power":             {risk.Device, codePower, false},
	"recovery":          {risk.Device, codeWipe, false},
	"device_policy":     {risk.Bypass, codeAdminister, false},
	"accessibility":     {risk.Bypass, codeAccessibility, false},
	"adb":               {risk.Bypass, codeNetworkADB, false},
	"notification":      {risk.Bypass, codeAccessibility, false},
	"lock_settings":     {risk.Settings, codeLock, false},
	"clipboard":         {risk.Disclose, codeReadService, false},
	"iphonesubinfo":     {risk.Disclose, codeReadService, false},
	"account":           {risk.Account, codeAccounts, false},
	"package":           {risk.Install, codeInstall, false},
	"permissionmgr":     {risk.Permission, codeGrant, false},
	"appops":            {risk.Permission, codeGrant, false},
	"wifi":              {risk.Settings, codeRadio, false},
	"connectivity":      {risk.Settings, codeRadio, false},
	"bluetooth_manager": {risk.Settings, codeRadio, false},
	"mount":             {risk.Device, codeWipe, false},
	"storaged":          {risk.None, codeRead, false},
}

// service judges "service call NAME NUMBER ...", a transaction without a name.
func service(c *call) {
	switch c.arg(0) {
	case "list", "check", "":
		c.none(codeRead, c.verb)
	case "call":
		r, known := serviceCalls[c.arg(1)]
		if !known {
			c.unknown(codeUnknownService, c.verb+" call", c.rest(1))
			return
		}
		c.is(r.category, r.code, c.verb+" call "+c.arg(1), c.rest(1))
	default:
		c.unknown(codeUnknownCommand, c.verb, c.rest(0))
	}
}

// phoneCommands are the subcommands of "cmd phone" that only print.
var phoneCommands = noneOf("help numeric-dialing-get", codeRead)

// phone judges the telephony service: its other commands reach from the modem
// to emergency numbers.
func phone(c *call) {
	if _, known := phoneCommands[c.arg(0)]; known || len(c.args) == 0 {
		c.none(codeRead, c.verb)
		return
	}
	c.is(risk.Settings, codeRadio, c.verb+" "+c.arg(0), c.rest(0))
}

// shortcutCommands are those of the launcher's shortcuts.
var shortcutCommands = map[string]rule{
	"get-default-launcher": {risk.None, codeRead, false},
	"get-shortcuts":        {risk.None, codeRead, false},
	"clear-shortcuts":      {risk.Delete, codeClearData, true},
}

// overlayCommands are those of themes laid over apps.
var overlayCommands = map[string]rule{
	"list":             {risk.None, codeRead, false},
	"dump":             {risk.None, codeRead, false},
	"lookup":           {risk.None, codeRead, false},
	"partition-order":  {risk.None, codeRead, false},
	"enable":           {risk.Settings, codeSetting, false}, // may change what a screen says
	"disable":          {risk.Settings, codeSetting, false},
	"enable-exclusive": {risk.Settings, codeSetting, false},
	"set-priority":     {risk.Settings, codeSetting, false},
	"fabricate":        {risk.Settings, codeSetting, false},
}
