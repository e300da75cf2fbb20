package command

import (
	"path"
	"slices"
	"strings"

	"github.com/countersign/countersign/risk"
)

// plainServices print the state of the device or of the screen. A service that
// is missing here prints what its owner may not want to hand over: messages,
// accounts, places, whom one called.
var plainServices = wordSet(`battery batterystats window display input input_method power SurfaceFlinger
	cpuinfo meminfo gfxinfo diskstats procstats dbinfo package overlay thermalservice vibrator
	vibrator_manager color_display uimode statusbar media_session media.audio_flinger
	media.audio_policy audio sensorservice usb device_state gpu graphicsstats hardware_properties
	deviceidle trust package_native activity_task webviewupdate binder_calls_stats
	looper_stats cacheinfo mount storagestats font dreams lights SurfaceFlingerAIDL`)

// plainActivityParts are the parts of "dumpsys activity" that tell which app is
// in front. Others print what apps were sent.
var plainActivityParts = wordSet(`top activities a recents r starter containers lastanr oom o processes p
	users lru settings exit-info package top-resumed-activity lastanr-traces focus`)

// dumpsys prints what a system service knows. Some services also take orders
// that way.
func dumpsys(c *call) {
	_, operands := split(c.texts(), "-t", "-T", "--skip", "--priority", "--pid", "--stability")
	options, _ := split(c.texts())
	if _, listed := options["-l"]; listed {
		c.none(codeRead, c.verb)
		return
	}
	if len(operands) == 0 { // everything
		c.is(risk.Disclose, codeReadService, c.verb, "")
		return
	}
	service, rest := operands[0], operands[1:]
	term := c.verb + " " + service
	switch {
	case service == "activity":
		if len(rest) > 0 && plainActivityParts[rest[0]] {
			c.none(codeRead, term)
			return
		}
		c.is(risk.Disclose, codeReadService, term, join(rest))
	case orders(service, c.texts()):
		c.is(risk.Settings, codeSetting, term, join(rest))
	case plainServices[service]:
		c.none(codeRead, term)
	default:
		c.is(risk.Disclose, codeReadService, term, join(rest))
	}
}

// orders reports whether the arguments of dumpsys tell a service to do
// something. Those services read plain words as orders and dashes, but for a
// few, as ways to print.
func orders(service string, arguments []string) bool {
	arguments = arguments[slices.Index(arguments, service)+1:]
	switch service {
	case "battery", "deviceidle", "trust", "thermalservice", "usb", "batterystats", "webviewupdate",
		"color_display", "uimode", "device_state", "media_session", "procstats", "power", "statusbar":
		for _, a := range arguments {
			if !strings.HasPrefix(a, "-") && a != "get" && a != "help" {
				return true
			}
			switch a {
			case "--reset", "--reset-all", "--enable", "--disable", "--write", "--start-testing", "--stop-testing", "--clear":
				return true
			}
		}
	}
	return false
}

// logcat prints what all apps log: links, numbers, now and then a token.
func logcat(c *call) {
	options, _ := split(c.texts(), "-b", "-d", "-e", "-f", "-n", "-r", "-s", "-t", "-T", "-v")
	for _, clears := range []string{"-c", "--clear"} {
		if _, ok := options[clears]; ok {
			c.is(risk.Delete, codeClearData, c.verb+" "+clears, "")
			return
		}
	}
	c.is(risk.Disclose, codeReadLogs, c.verb, c.rest(0))
}

// bugReport packs logs and the state of every service.
func bugReport(c *call) { c.is(risk.Disclose, codeReadLogs, c.verb, c.rest(0)) }

// A program that saves the screen and fails leaves the file what it was, often
// without saying so. What counts as saved is what it is asked for as usual, and a
// file that is named like what it writes: with a display that is not there
// (-d 999) it fails for certain, and somebody's notes are no picture.
var captures = map[string]struct{ options, endings []string }{
	"screencap":   {[]string{"-p", "--png", "-j", "--jpeg"}, []string{".png", ".jpg", ".jpeg", ".webp", ".raw", ".dump"}},
	"uiautomator": {[]string{"--compressed", "--windows", "dump"}, []string{".xml", ".uix"}},
}

// sureToSave reports whether a program that saves the screen has only what is usual.
func (c *call) sureToSave() bool {
	usual := captures[c.verb]
	files := 0
	for _, w := range c.args {
		switch {
		case w.why != "":
			return false
		case slices.Contains(usual.options, w.text):
		case strings.HasPrefix(w.text, "/") && slices.Contains(usual.endings, path.Ext(w.text)):
			files++
		default:
			return false
		}
	}
	return files == 1
}

// capture takes a picture or the tree of the screen. That is looking at it,
// unless the file it goes to may be somebody's own.
func capture(c *call) {
	sure := c.sureToSave()
	for _, w := range c.operandWords() {
		if w.text == "dump" || !strings.Contains(w.text, "/") {
			if w.why != "" {
				c.unknown(w.why, c.verb, w.text)
			}
			continue
		}
		if !c.r.capture(w, sure) {
			c.writeFile(w, false)
		}
	}
	c.none(codeCapture, c.verb)
}

// uiautomator dumps the tree, or runs test code that nobody can see into.
func uiautomator(c *call) {
	switch c.arg(0) {
	case "dump", "help", "":
		capture(c)
	case "events":
		c.is(risk.Disclose, codeRecord, c.verb+" events", "")
	default:
		c.unknown(codeOpaque, c.verb, c.rest(0))
	}
}

// screenRecord films the screen from now on, and with it what arrives later:
// codes and messages that nobody was asked about.
func screenRecord(c *call) {
	c.is(risk.Disclose, codeRecord, c.verb, c.rest(0))
	for _, w := range c.operandWords() {
		if strings.Contains(w.text, "/") && !c.r.capture(w, false) {
			c.writeFile(w, false)
		}
	}
}

// getevent prints every touch and key as it happens: what the owner types.
func getevent(c *call) {
	lists, listens := false, len(c.args) == 0
	for _, w := range c.args {
		if strings.HasPrefix(w.text, "-") {
			lists = lists || strings.ContainsAny(w.text, "pi")
			listens = listens || strings.ContainsAny(w.text, "tlcr") && !strings.ContainsAny(w.text, "pi")
		} else {
			listens = true
		}
	}
	if lists && !listens {
		c.none(codeRead, c.verb)
		return
	}
	c.is(risk.Disclose, codeRecord, c.verb, c.rest(0))
}

// sendevent and its like feed the input devices in a form that only the
// display's driver can place.
func sendevent(c *call) { c.unknown(codeRawInput, c.verb, c.rest(0)) }
