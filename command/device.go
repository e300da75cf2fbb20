package command

import (
	"strings"

	"github.com/countersign/countersign/risk"
)

// deviceVerbs restart, stop, wipe or rebuild the phone, or take its software
// apart, however they are called.
var deviceVerbs = map[string]rule{
	"reboot":   {risk.Device, codePower, false},
	"shutdown": {risk.Device, codePower, false},
	"halt":     {risk.Device, codePower, false},
	"poweroff": {risk.Device, codePower, false},
	"start":    {risk.Device, codePower, false}, // the whole system above the kernel
	"stop":     {risk.Device, codePower, false},
	// They rewrite what the phone starts from, or its storage.
	"recovery":             {risk.Device, codeWipe, false},
	"uncrypt":              {risk.Device, codeWipe, false},
	"update_engine_client": {risk.Device, codeWipe, false},
	"bootctl":              {risk.Device, codeWipe, false},
	"flash_image":          {risk.Device, codeWipe, false},
	"vdc":                  {risk.Device, codeWipe, false},
	"sm":                   {risk.Device, codeWipe, false},
	"mkfs.ext4":            {risk.Device, codeWipe, false},
	"mkfs.f2fs":            {risk.Device, codeWipe, false},
	"make_f2fs":            {risk.Device, codeWipe, false},
	"mke2fs":               {risk.Device, codeWipe, false},
	"newfs_msdos":          {risk.Device, codeWipe, false},
	"mkswap":               {risk.Device, codeWipe, false},
	"blkdiscard":           {risk.Device, codeWipe, false},
	"fstrim":               {risk.Device, codeWipe, false},
	"sgdisk":               {risk.Device, codeWipe, false},
	"fdisk":                {risk.Device, codeWipe, false},
	"parted":               {risk.Device, codeWipe, false},
	"mount":                {risk.Device, codeWipe, false},
	"umount":               {risk.Device, codeWipe, false},
	"losetup":              {risk.Device, codeWipe, false},
	"remount":              {risk.Device, codeWipe, false},
	"dmctl":                {risk.Device, codeWipe, false},
	"gsi_tool":             {risk.Device, codeWipe, false},
	// They open the system itself, below anything that could still ask.
	"setenforce":     {risk.Bypass, codeRoot, false},
	"insmod":         {risk.Bypass, codeRoot, false},
	"modprobe":       {risk.Bypass, codeRoot, false},
	"rmmod":          {risk.Bypass, codeRoot, false},
	"chroot":         {risk.Bypass, codeRoot, false},
	"nsenter":        {risk.Bypass, codeRoot, false},
	"unshare":        {risk.Bypass, codeRoot, false},
	"magisk":         {risk.Bypass, codeRoot, false},
	"resetprop":      {risk.Bypass, codeRoot, false},
	"avbctl":         {risk.Bypass, codeRoot, false},
	"disable-verity": {risk.Bypass, codeRoot, false},
	"sysctl":         {risk.Device, codePower, false},
	"adbd":           {risk.Bypass, codeNetworkADB, false},
	"adb":            {risk.Bypass, codeNetworkADB, false},
	"tcpip":          {risk.Bypass, codeNetworkADB, false},
	// The keys that this phone's secrets are under, and its radios.
	"keystore_cli_v2": {risk.Bypass, codeRoot, false},
	"iptables":        {risk.Settings, codeRadio, false},
	"ip6tables":       {risk.Settings, codeRadio, false},
	"ndc":             {risk.Settings, codeRadio, false},
	"tc":              {risk.Settings, codeRadio, false},
	"iw":              {risk.Settings, codeRadio, false},
	"wpa_cli":         {risk.Settings, codeRadio, false},
	"hwclock":         {risk.Settings, codeSetting, false},
	"device_config":   {risk.Settings, codeSetting, false},
}

// device judges a verb of deviceVerbs.
func device(c *call) {
	r := deviceVerbs[c.verb]
	if c.verb == "device_config" && (c.arg(0) == "get" || c.arg(0) == "list") || c.verb == "mount" && len(c.args) == 0 {
		c.none(codeRead, c.verb)
		return
	}
	c.is(r.category, r.code, c.verb, c.rest(0))
}

// svc judges the switches of radios and power.
func svc(c *call) {
	switch c.arg(0) {
	case "power":
		c.shift("svc power", 1).subcommand(powerCommands)
	case "wifi", "data", "nfc", "bluetooth":
		if c.arg(1) == "" || c.arg(1) == "help" {
			c.none(codeRead, c.verb)
			return
		}
		c.is(risk.Settings, codeRadio, c.verb+" "+c.arg(0), c.rest(0))
	case "usb":
		c.shift("svc usb", 1).subcommand(usbCommands)
	case "system-server-crash":
		c.is(risk.Device, codePower, c.verb, c.rest(0))
	case "", "help":
		c.none(codeRead, c.verb)
	default:
		c.unknown(codeUnknownCommand, c.verb+" "+c.arg(0), c.rest(0))
	}
}

// powerCommands are the subcommands of "svc power" and "cmd power".
var powerCommands = map[string]rule{
	"help":                               {risk.None, codeRead, false},
	"reboot":                             {risk.Device, codePower, false},
	"shutdown":                           {risk.Device, codePower, false},
	"forcesuspend":                       {risk.Device, codePower, false},
	"stayon":                             {risk.None, codePreference, false},
	"set-mode":                           {risk.None, codePreference, false}, // battery saver
	"set-adaptive-power-saver-enabled":   {risk.None, codePreference, false},
	"set-fixed-performance-mode-enabled": {risk.None, codePreference, false},
	"suppress-ambient-display":           {risk.None, codePreference, false},
	"list-ambient-display-suppression-tokens": {risk.None, codeRead, false},
	"set-prox":               {risk.None, codePreference, false},
	"set-face-down-detector": {risk.None, codePreference, false},
}

// usbCommands are the subcommands of "svc usb".
var usbCommands = map[string]rule{
	"getFunctions":               {risk.None, codeRead, false},
	"getUsbSpeed":                {risk.None, codeRead, false},
	"getGadgetHalVersion":        {risk.None, codeRead, false},
	"getUsbHalVersion":           {risk.None, codeRead, false},
	"setFunctions":               {risk.Settings, codeRadio, false}, // opens the storage, or a network, to the cable
	"setScreenUnlockedFunctions": {risk.Settings, codeRadio, false},
	"resetUsbGadget":             {risk.Settings, codeRadio, false},
	"resetUsbPort":               {risk.Settings, codeRadio, false},
}

// radioCommands are those of services that switch radios.
var radioCommands = map[string]rule{
	"help": {risk.None, codeRead, false}, "status": {risk.None, codeRead, false},
	"enable": {risk.Settings, codeRadio, false}, "disable": {risk.Settings, codeRadio, false},
	"enable-nfc": {risk.Settings, codeRadio, false}, "disable-nfc": {risk.Settings, codeRadio, false},
	"airplane-mode":           {risk.Settings, codeRadio, false},
	"wait-for-state:STATE_ON": {risk.None, codeRead, false}, "wait-for-state:STATE_OFF": {risk.None, codeRead, false},
}

// wifiCommands are the subcommands of "cmd wifi". A network that is missing
// here is joined, forgotten or offered.
var wifiCommands = merge(noneOf("help status get-country-code is-verbose-logging list-suggestions "+
	"get-ipreach-disconnect get-poll-rssi-interval-msecs", codeRead),
	map[string]rule{
		"list-networks":     {risk.Disclose, codeReadService, false}, // where one has been
		"list-scan-results": {risk.Disclose, codeReadService, false}, // where one is
		"start-scan":        {risk.Disclose, codeReadService, false},
		"set-wifi-enabled":  {risk.Settings, codeRadio, false},
		"connect-network":   {risk.Settings, codeRadio, false},
		"add-network":       {risk.Settings, codeRadio, false},
		"add-suggestion":    {risk.Settings, codeRadio, false},
		"forget-network":    {risk.Settings, codeRadio, false},
		"start-softap":      {risk.Settings, codeRadio, false},
		"stop-softap":       {risk.Settings, codeRadio, false},
	})

// comfortCommands change what a slider would.
var comfortCommands = map[string]rule{
	"help": {risk.None, codeRead, false}, "night": {risk.None, codePreference, false},
	"car": {risk.None, codePreference, false}, "time": {risk.None, codePreference, false},
	"dispatch": {risk.None, codePreference, false}, "volume": {risk.None, codePreference, false},
	"list-sessions": {risk.None, codeRead, false}, "monitor": {risk.None, codeRead, false},
}

// batteryCommands make the phone believe in another battery.
var batteryCommands = map[string]rule{
	"help": {risk.None, codeRead, false}, "get": {risk.None, codeRead, false},
	"set": {risk.Settings, codeSetting, false}, "unplug": {risk.Settings, codeSetting, false},
	"reset": {risk.Settings, codeSetting, false}, "suspend_input": {risk.Settings, codeSetting, false},
}

// harnessCommands: the test harness starts with an empty phone.
var harnessCommands = map[string]rule{
	"enable": {risk.Device, codeWipe, false}, "help": {risk.None, codeRead, false},
}

// wm judges the window manager: sizes and densities move every control to
// another place, and stay until somebody resets them.
func wm(c *call) {
	word := c.arg(0)
	term := c.verb + " " + word
	switch word {
	case "", "help", "get-ignore-orientation-request", "get-multi-window-config", "get-letterbox-style":
		c.none(codeRead, term)
	case "size", "density", "folded-area":
		if _, operands := split(c.texts()[1:], "-d", "-u"); len(operands) == 0 {
			c.none(codeRead, term)
			return
		}
		c.is(risk.Settings, codeSetting, term, c.rest(1))
	case "user-rotation", "fixed-to-user-rotation", "set-user-rotation", "set-fix-to-user-rotation":
		c.is(risk.None, codePreference, term, c.rest(1))
	case "dismiss-keyguard": // only where there is no lock
		c.none(codeNavigate, term)
	case "overscan", "scaling", "screen-capture", "tracing", "logging", "set-ignore-orientation-request",
		"set-multi-window-config", "reset-multi-window-config", "set-letterbox-style", "reset-letterbox-style",
		"disable-blur", "shell", "reset":
		c.is(risk.Settings, codeSetting, term, c.rest(1))
	default:
		c.unknown(codeUnknownCommand, term, c.rest(0))
	}
}

// statusBarCommands are the subcommands of "cmd statusbar".
var statusBarCommands = map[string]rule{
	"help": {risk.None, codeRead, false}, "get-status-icons": {risk.None, codeRead, false},
	"check-support":        {risk.None, codeRead, false},
	"expand-notifications": {risk.None, codeNavigate, false}, "expand-settings": {risk.None, codeNavigate, false},
	"collapse": {risk.None, codeNavigate, false},
	// A tile is a switch; which one, only its app knows.
	"click-tile": {risk.Settings, codeSetting, false}, "add-tile": {risk.Settings, codeSetting, false},
	"remove-tile": {risk.Settings, codeSetting, false}, "set-tiles": {risk.Settings, codeSetting, false},
	"disable-for-setup": {risk.Settings, codeSetting, false}, "send-disable-flag": {risk.Settings, codeSetting, false},
	"tracing": {risk.Settings, codeSetting, false},
}

func statusBar(c *call) { c.subcommand(statusBarCommands) }

// bmgr judges backups: they hand an app's data to a transport, or put old data
// in the place of new.
func bmgr(c *call) {
	term := c.verb + " " + c.arg(0)
	switch c.arg(0) {
	case "", "help", "enabled", "list", "whitelist", "transports":
		c.none(codeRead, term)
	case "restore", "wipe":
		c.is(risk.Delete, codeBackup, term, c.rest(1))
	case "enable", "transport", "init", "autorestore", "activate", "scheduling", "cancel":
		c.is(risk.Settings, codeBackup, term, c.rest(1))
	default:
		c.is(risk.Disclose, codeBackup, term, c.rest(1))
	}
}

// backup packs the data of apps into its output.
func backup(c *call) {
	if strings.HasPrefix(c.arg(0), "restore") {
		c.is(risk.Delete, codeBackup, c.verb, c.rest(0))
		return
	}
	c.is(risk.Disclose, codeBackup, c.verb, c.rest(0))
}
