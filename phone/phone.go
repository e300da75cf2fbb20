package phone

import (
	"cmp"
	"embed"
	"fmt"
	"io/fs"
	"sync"
)

// builtin are the apps that a phone has where the options name none.
//
//go:embed apps/*.yaml
var builtin embed.FS

// builtinApps reads them once: nothing changes an app that is read.
var builtinApps = sync.OnceValues(func() ([]*app, error) {
	apps, err := fs.Sub(builtin, "apps")
	if err != nil {
		return nil, err
	}
	return readApps(apps)
})

// Phone is one simulated phone. All its methods are safe for concurrent use and
// happen one after the other, as on a phone with one screen.
type Phone struct {
	options Options
	files   *Files

	mu      sync.Mutex
	record  []Event
	effects []Effect
	more    chan struct{} // closed and replaced at each effect
	noted   chan struct{} // the same at each event

	apps     map[string]*appState
	home     *appState // the launcher
	tasks    []*task   // the one in front last
	bars     []*activity
	shade    *activity            // the notifications, nil unless they are pulled down
	boards   map[string]*activity // keyboards by package
	opened   int
	deep     int // actions that follow from one another now
	actions  int // how many there were since the outermost began
	toast    string
	settings map[string]map[string]string

	choice  Intent      // that the owner is asked about
	choices []*appState // who might take it

	clipboard     string
	rotation      int
	width, height int // overrides of the display; 0 is none
	density       int
	asleep        bool
	powerPresses  []int64 // milliseconds of the last presses of POWER
	finger        *stroke // that is on the screen
	wrong         Misbehaviour
	stale         map[DumpOptions][]byte
	beside        *task // the second app of a split screen
	windows       []*window
}

// New makes a phone that shows its launcher. The error says which file of
// Options.Apps cannot be used, in which line, and what is accepted there.
func New(o Options) (*Phone, error) {
	o = o.withDefaults()
	apps, err := builtinApps()
	if o.Apps != nil {
		apps, err = readApps(o.Apps)
	}
	if err != nil {
		return nil, err
	}
	p := &Phone{
		options: o, files: newFiles(o.Now), more: make(chan struct{}), noted: make(chan struct{}),
		apps: map[string]*appState{}, boards: map[string]*activity{}, settings: firstSettings(),
	}
	p.files.lost = p.fileLost
	p.fillFolders()
	for _, def := range apps {
		p.apps[def.pkg] = newAppState(p, def)
	}
	if err := p.start(apps); err != nil {
		return nil, err
	}
	return p, nil
}

// start finds the parts of the system among the apps, and shows the launcher.
func (p *Phone) start(apps []*app) error {
	for _, def := range apps {
		a := p.apps[def.pkg]
		if def.home {
			if p.home != nil || def.main == "" {
				return &AppError{def.file, 0, "one app says home: true, and that has a main screen"}
			}
			p.home = a
		}
		for _, name := range []string{"status", "navigation"} {
			if s := def.screens[name]; s != nil && s.window == "system" {
				p.bars = append(p.bars, p.fixture(a, s))
			}
		}
		if s := def.screens["keys"]; s != nil && s.window == "keyboard" {
			p.boards[def.pkg] = p.fixture(a, s)
		}
		if a.installed {
			p.placeAPK(a, []byte("PK\x03\x04"+def.pkg+" "+def.version))
		}
	}
	if p.home == nil {
		return fmt.Errorf("phone: no app says home: true; one has to be the launcher")
	}
	p.goHome()
	return nil
}

// fixture is an activity that belongs to no task: a bar or a keyboard.
func (p *Phone) fixture(a *appState, s *screenDef) *activity {
	p.opened++
	return &activity{id: p.opened, app: a, def: s, scroll: map[string]int{}}
}

// Serial is the phone's serial number.
func (p *Phone) Serial() string { return p.options.Serial }

// Model is the phone's model.
func (p *Phone) Model() string { return p.options.Model }

// Locale is the phone's language.
func (p *Phone) Locale() string { return p.options.Locale }

// Files is the phone's file system.
func (p *Phone) Files() *Files { return p.files }

// compareAll compares pairs until two differ.
func compareAll(pairs ...string) int {
	for i := 0; i+1 < len(pairs); i += 2 {
		if c := cmp.Compare(pairs[i], pairs[i+1]); c != 0 {
			return c
		}
	}
	return 0
}
