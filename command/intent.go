package command

import (
	"errors"
	"strings"

	"github.com/countersign/countersign/risk"
)

// ErrIntent is wrapped by every error of [ParseIntent].
var ErrIntent = errors.New("not an intent")

// The kinds of intent.
const (
	KindActivity  = "activity"  // starts a screen; the empty kind means this one
	KindService   = "service"   // starts work in the background
	KindBroadcast = "broadcast" // tells every app that listens
)

// An Intent is a request to Android to start, or to tell, some app. The zero
// value is a request that says nothing; its effect is not known.
type Intent struct {
	Action     string            `json:"action"`
	Data       string            `json:"data"`
	Type       string            `json:"type"`
	Component  string            `json:"component"`
	Package    string            `json:"package"`
	Categories []string          `json:"categories"`
	Extras     map[string]string `json:"extras"`
	Kind       string            `json:"kind"`

	// grants says that the receiver gets access to what Data names.
	grants bool
	// hidden says that a part of the intent is not in these fields.
	hidden bool
}

// Effect works out what sending the intent would do. Action, data, type and
// component are each judged, and the worst of them is the answer: which app
// will answer, and to which of them, is only known on the phone. The span is
// left at zero.
func (i Intent) Effect() Effect {
	app := i.Package
	if i.Component != "" {
		app = packageOf(i.Component)
	}
	var readings []Effect
	switch i.Kind {
	case KindActivity, "":
		readings = i.activity()
	case KindService:
		readings = []Effect{i.service()}
	case KindBroadcast:
		readings = []Effect{i.broadcast()}
	default:
		readings = []Effect{{Code: codeBadIntent, Object: i.Kind, Term: "intent"}}
	}
	if i.hidden {
		readings = append(readings, Effect{Code: codeBadIntent, Object: i.summary(), Term: "intent"})
	}
	if i.grants {
		readings = append(readings, Effect{Category: risk.Share, Code: codeShare, Object: i.Data, Term: "grant-uri-permission"})
	}
	e := readings[Worst(readings)]
	if e.Package == "" {
		e.Package = app
	}
	return e
}

// activity judges an intent that starts a screen.
func (i Intent) activity() []Effect {
	var readings []Effect
	if i.Data != "" {
		readings = append(readings, i.data())
	}
	if i.Action != "" {
		readings = append(readings, i.action())
	}
	if e, ok := i.installs(); ok {
		readings = append(readings, e)
	}
	if i.Component != "" {
		readings = append(readings, i.component())
	}
	if len(readings) == 0 && i.Package != "" {
		return []Effect{{Category: risk.None, Code: codeLaunch, Object: i.Package, Term: "launch"}}
	}
	if len(readings) == 0 && len(i.Categories) > 0 { // the app of a kind: mail, music
		return []Effect{{Category: risk.None, Code: codeLaunch, Object: strings.Join(i.Categories, " "), Term: "launch"}}
	}
	if len(readings) == 0 {
		return []Effect{{Code: codeBadIntent, Term: "intent"}}
	}
	return readings
}

// data judges the link by itself, except where the action says what is done
// with it.
func (i Intent) data() Effect {
	rule, known := activityActions[i.Action]
	if known && rule.ownsData {
		return Effect{Category: risk.None, Code: codeNavigate, Object: i.Data, Term: "data"}
	}
	if isIntentLink(i.Data) { // an intent within an intent
		return Effect{Code: codeBadIntent, Object: i.Data, Term: "data"}
	}
	return DeepLink(i.Data)
}

// action judges what the intent asks for.
func (i Intent) action() Effect {
	object := i.Data
	if object == "" {
		object = i.Action
	}
	term := i.Action
	rule, known := activityActions[i.Action]
	switch {
	case known && rule.category == risk.Call && emergency(i.Data):
		return Effect{Category: risk.Device, Code: codeEmergency, Object: object, Term: term}
	case known && rule.chooser:
		return i.share(object)
	case known && i.Action == actionMain:
		return Effect{Category: risk.None, Code: codeLaunch, Object: i.summary(), Term: term}
	case known:
		return Effect{Category: rule.category, Code: rule.code, Object: object, Package: i.target(), Term: term}
	case everydayPanels[i.Action]:
		return Effect{Category: risk.None, Code: codeNavigate, Object: i.Action, Term: term}
	case strings.HasPrefix(i.Action, "android.settings."):
		return Effect{Category: risk.Settings, Code: codeSettingsPanel, Object: i.Action, Term: term}
	}
	return Effect{Code: codeUnknownAction, Object: i.summary(), Term: term}
}

// share judges ACTION_SEND: without a receiver Android asks the user for one,
// and that is judged when it comes.
func (i Intent) share(object string) Effect {
	if i.Package == "" && i.Component == "" {
		return Effect{Category: risk.None, Code: codeCompose, Object: object, Term: i.Action}
	}
	if text := i.Extras["android.intent.extra.TEXT"]; text != "" {
		object = text
	}
	return Effect{Category: risk.Share, Code: codeShare, Object: object, Term: i.Action}
}

// target returns the package that a "package:" link names.
func (i Intent) target() string {
	name, ok := strings.CutPrefix(i.Data, "package:")
	if !ok {
		return ""
	}
	return name
}

// installs recognises an app to be installed by its type or file name, which
// any file viewer hands on to the installer.
func (i Intent) installs() (Effect, bool) {
	if strings.Contains(strings.ToLower(i.Type), "android.package-archive") || isPackageFile(i.Data) {
		return Effect{Category: risk.Install, Code: codeInstall, Object: i.Data, Term: "package-archive"}, true
	}
	return Effect{}, false
}

// component judges an explicit receiver. Starting an app's screen is a launch;
// data that only that screen understands is not seen here.
func (i Intent) component() Effect {
	e := Effect{Category: risk.None, Code: codeLaunch, Object: i.Component, Term: "component"}
	app, class, _ := strings.Cut(i.Component, "/")
	if settingsApps[app] && !strings.HasSuffix(class, ".Settings") && !strings.HasSuffix(class, ".SettingsHomepageActivity") {
		e.Category, e.Code = risk.Settings, codeSettingsPanel
		return e
	}
	plainAction := i.Action == "" || i.Action == actionMain
	if plainAction && len(i.Extras) > 0 {
		e.Category, e.Code, e.Object = risk.Unknown, codeUnknownExtras, i.summary()
	}
	return e
}

// service judges a service to be started: what it does is its own affair.
func (i Intent) service() Effect {
	return Effect{Code: codeUnknownService, Object: i.summary(), Term: "service"}
}

// summary is the intent in one line, for a human.
func (i Intent) summary() string {
	var parts []string
	for _, p := range []string{i.Action, i.Data, i.Type, i.Component, i.Package} {
		if p != "" {
			parts = append(parts, p)
		}
	}
	return strings.Join(parts, " ")
}

// emergency reports whether a tel: link names an emergency number.
func emergency(data string) bool {
	return emergencyNumbers[strings.Map(dialled, afterScheme(data))]
}

// dialled keeps what a dialler dials.
func dialled(r rune) rune {
	if r >= '0' && r <= '9' || r == '+' || r == '*' || r == '#' {
		return r
	}
	return -1
}
