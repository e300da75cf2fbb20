package phone

import "time"

// Misbehaviour is what a phone is told to do badly. The zero value is a phone
// that behaves.
type Misbehaviour struct {
	// DumpFails makes a dump fail with a message; the shell exits with 0 then.
	DumpFails bool
	// NeverIdle makes a dump fail because the screen does not rest.
	NeverIdle bool
	// DumpStale makes a dump show the screen as it was when this was set.
	DumpStale bool
	// Slow is how long a dump and a screenshot take.
	Slow time.Duration
	// SecureScreen forbids screenshots of every window: they are black.
	SecureScreen bool
	// SeveralWindows splits the screen: below the app in front stands another.
	SeveralWindows bool
	// Rotated turns the display by a quarter.
	Rotated bool
	// DialogBetween, when it has a title, is a dialog that comes up after the
	// next look at the screen (dump, Nodes or screenshot): what was seen is no
	// longer what a touch lands on.
	DialogBetween Dialog
}

// Dialog is a dialog that no app's data has.
type Dialog struct {
	// Package is whose window it is; empty is the app in front.
	Package string
	Title   string
	Message string
	// Buttons from left to right. Pressing one closes the dialog; the effect is
	// "pressed" with the button as its object.
	Buttons []string
}

// Misbehave tells the phone what to do badly from now on; it replaces what was
// told before.
func (p *Phone) Misbehave(m Misbehaviour) {
	p.lock()
	defer p.mu.Unlock()
	if m.DumpStale && !p.wrong.DumpStale {
		p.stale = map[DumpOptions][]byte{}
		for _, o := range []DumpOptions{{}, {Compressed: true}, {Windows: true}, {Compressed: true, Windows: true}} {
			p.stale[o] = p.dump(o)
		}
	}
	if m.Rotated != p.wrong.Rotated {
		p.rotation = map[bool]int{true: 1, false: 0}[m.Rotated]
	}
	p.wrong = m
	p.split(m.SeveralWindows)
	p.changed()
}

// split puts another app beside the one in front, or takes it away.
func (p *Phone) split(on bool) {
	p.beside = nil
	if !on {
		return
	}
	for _, a := range p.byLabel() {
		if a.def.system || a.def.main == "" || a == p.home || a == p.front().stack[0].app {
			continue
		}
		front := p.front()
		if p.launch(a.def.pkg) == nil {
			p.beside = p.front()
			p.toFront(front.root())
			return
		}
	}
}

// rest waits as long as a slow phone does. It is called without the lock: a
// phone that dumps takes touches all the same.
func (p *Phone) rest() {
	p.lock()
	slow := p.wrong.Slow
	p.mu.Unlock()
	if slow > 0 {
		p.options.Sleep(slow)
	}
}

// looked is called after a look at the screen.
func (p *Phone) looked() {
	if d := p.wrong.DialogBetween; d.Title != "" {
		p.wrong.DialogBetween = Dialog{}
		p.showDialog(d)
	}
}

// ShowDialog brings a dialog up now, as an app does that has something to say.
func (p *Phone) ShowDialog(d Dialog) {
	p.lock()
	defer p.mu.Unlock()
	p.showDialog(d)
}

func (p *Phone) showDialog(d Dialog) {
	p.shade = nil
	owner := p.top().app
	if a, err := p.app(d.Package); err == nil {
		owner = a
	}
	box := alert{pkg: owner.def.pkg, title: literal(d.Title), message: literal(d.Message)}
	for _, b := range d.Buttons {
		box.buttons = append(box.buttons, alertButton{literal(b), []action{{
			kind: "effect", fields: map[string]template{"what": "pressed", "object": literal(b)},
		}}})
	}
	p.open(p.front(), owner, box.screen(), nil)
	p.changed()
}
