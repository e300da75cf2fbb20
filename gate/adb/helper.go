package adb

import (
	"context"
	"strconv"
	"strings"
	"time"

	"github.com/countersign/countersign/command"
	"github.com/countersign/countersign/gate/adb/relay"
	"github.com/countersign/countersign/risk"
)

// The main classes that are more than the launch of a server.
const (
	classScrcpy = "com.genymobile.scrcpy.Server"
	classYadb   = "com.ysbing.yadb.Main"
	classU2     = "com.wetest.uia2.Main"
)

// UsualHelpers are the automation helpers of the usual agents, by name, with what
// their clients do with them at their start and end, and without the hashes of what
// lies on a phone: set-up adds those of what the owner lets in, and leaves out what
// is not there.
func UsualHelpers() []Helper {
	return []Helper{
		{Name: "uiautomator2", Class: classU2, Path: "/data/local/tmp/u2.jar"},
		{Name: "uiautomator2", Package: "com.github.uiautomator", May: ActEnd},
		{Name: "uiautomator2", Package: "com.github.uiautomator.test"},
		{Name: "Appium", Package: "io.appium.uiautomator2.server", May: ActEnd | ActHidden},
		{Name: "Appium", Package: "io.appium.uiautomator2.server.test", May: ActEnd},
		{Name: "Appium Settings", Package: "io.appium.settings", May: ActServices | ActPlace | ActNote},
		{Name: "mobilecli", Class: "com.mobilenext.mobilecli.DeviceServer", Path: "/data/local/tmp/mobilecli.dex", May: ActRenew | ActEnd | ActPlace},
		{Name: "yadb", Class: classYadb, Path: "/data/local/tmp/yadb"},
		{Name: "scrcpy", Class: classScrcpy, Path: "/data/local/tmp/scrcpy-server.jar"},
		{Name: "Portal", Package: "com.mobilerun.portal"},
		{Name: "Portal", Package: "com.droidrun.portal"},
		{Name: "ADB Keyboard", Package: "com.android.adbkeyboard"},
	}
}

// known is what is known of helpers on this phone.
type known struct {
	keyboard string // the owner's own, while a helper's is in its place
}

// launch makes the act of a line that starts a helper, or switches the keyboard to
// one. It is false where the line is judged like any other. An unchanged helper
// passes; one that would take the screen over is refused.
func (s *serving) launch(ctx context.Context, l *launch, text string) (act, bool, error) {
	if l.keyboard != "" {
		return s.switchKeyboard(ctx, l, text)
	}
	if l.class == classScrcpy && !strings.Contains(" "+strings.Join(l.args, " ")+" ", " control=false ") {
		return act{}, true, turnedAway("Nobody can see what scrcpy is told to press, and its connection is not read here. To look at the screen use screencap -p.")
	}
	h, ok := s.unchanged(ctx, l)
	switch {
	case !ok:
		return act{}, false, nil
	case l.class == classYadb:
		a, known := s.yadb(l)
		return a, known, nil
	}
	a := act{action: risk.Action{Kind: risk.Launch, Text: h.Name + ": " + text}, calm: true}
	if l.class == classU2 {
		target := "tcp:" + l.port("9008")
		memory := s.memory(target)
		a.passed = func(*viewed) { // from now on a dump of the gate's fails
			memory.Know(relay.UIAutomator2)
			s.tunnels.source = target
		}
	}
	return a, true, nil
}

// switchKeyboard lets a known helper's keyboard in, and the owner's own back.
func (s *serving) switchKeyboard(ctx context.Context, l *launch, text string) (act, bool, error) {
	a := act{action: risk.Action{Kind: risk.Launch, Text: text}}
	s.mu.Lock()
	own := s.known.keyboard
	s.mu.Unlock()
	if l.verb == "set" && own != "" && l.keyboard == own {
		return a, true, nil
	}
	if _, ok := s.unchanged(ctx, l); !ok {
		return act{}, false, nil
	}
	if l.verb != "set" {
		return a, true, nil
	}
	out, err := s.ask(ctx, "settings get secure default_input_method", 4<<10)
	if was := strings.TrimSpace(string(out)); err == nil && was != l.keyboard && keyboardName.MatchString(was) {
		a.passed = func(*viewed) {
			if s.known.keyboard == "" {
				s.known.keyboard = was
			}
		}
	}
	return a, true, nil
}

// unchanged finds the helper that a launch starts, if what lies on the phone is
// still what the owner let in.
func (d *Device) unchanged(ctx context.Context, l *launch) (Helper, bool) {
	for _, h := range d.gate.options.Helpers {
		starts := l.class != "" && l.class == h.Class && len(l.files) == 1 && l.files[0] == h.Path ||
			l.app != "" && l.app == h.Package
		if starts && d.still(ctx, &h) {
			return h, true
		}
	}
	return Helper{}, false
}

// still reports whether a helper is what its owner let in, as it lies on the phone
// now. Nothing of it is remembered: an installation that was let through may go on
// for longer than anybody waits for it.
func (d *Device) still(ctx context.Context, h *Helper) bool {
	file := h.Path
	if h.SHA256 == "" {
		return false
	}
	if h.Package != "" {
		file = d.apk(ctx, h.Package)
	}
	return file != "" && d.check(ctx, file, h.SHA256)
}

// check holds a file on the phone against a hash.
func (d *Device) check(ctx context.Context, file, hash string) bool {
	out, err := d.ask(ctx, "sha256sum "+quote(file), 4<<10)
	return err == nil && len(out) >= 64 && strings.EqualFold(string(out[:64]), hash)
}

// apk is the file of an installed app, empty where it has several or none.
func (d *Device) apk(ctx context.Context, app string) string {
	out, err := d.ask(ctx, "pm path "+quote(app), 4<<10)
	if err != nil {
		return ""
	}
	file, ok := strings.CutPrefix(strings.TrimSpace(string(out)), "package:")
	if !ok || strings.ContainsAny(file, " \r\n") {
		return ""
	}
	return file
}

// yadb makes the act of what yadb is told to do.
func (s *serving) yadb(l *launch) (act, bool) {
	a := act{sight: sightTree}
	args := l.args
	if len(args) == 0 {
		return act{}, false
	}
	switch verb := args[0]; {
	case verb == "-keyboard" && len(args) == 2:
		return s.pressed(a, &command.Press{Kind: command.PressType, Text: args[1]}), true
	case verb == "-touch" && (len(args) == 3 || len(args) == 4):
		at, ok := numbers(args[1:])
		if !ok {
			return act{}, false
		}
		p := command.Press{Kind: command.PressTap, X: at[0], Y: at[1]}
		if len(at) == 3 {
			p.Duration = time.Duration(at[2]) * time.Millisecond
		}
		return s.pressed(a, &p), true
	case verb == "-layout" || verb == "-screenshot":
		return act{action: risk.Action{Kind: risk.Screenshot, Text: "yadb " + verb}}, true
	}
	return act{}, false
}

// pressed is an act that presses, from its parts.
func (s *serving) pressed(a act, p *command.Press) act {
	switch p.Kind {
	case command.PressType:
		a.action = risk.Action{Kind: risk.TypeText, Text: p.Text}
	default:
		a.action = risk.Action{Kind: risk.Tap, X: &p.X, Y: &p.Y, DurationMS: int(p.Duration.Milliseconds())}
	}
	return s.planPress(a, p)
}

func numbers(words []string) ([]int, bool) {
	var all []int
	for _, w := range words {
		n, err := strconv.Atoi(w)
		if err != nil || n < 0 {
			return nil, false
		}
		all = append(all, n)
	}
	return all, true
}
