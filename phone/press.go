package phone

import "strings"

// click is a press of a node. It reports whether the node took it.
func (p *Phone) click(v *view) bool {
	if !v.enabled {
		return false
	}
	s, d := p.scopeOf(v), v.def
	switch {
	case v.editable:
		p.focusOn(v)
	case v.checkable && d.bound != "":
		s.app.variables[d.bound] = not(s.app.variables[d.bound])
	}
	p.do(d.tap, s, v)
	return true
}

// longClick is a press that is held. As on a phone, a node that has nothing to
// do then is clicked.
func (p *Phone) longClick(v *view) bool {
	if !v.enabled {
		return false
	}
	if v.longClickable && !v.editable {
		p.do(v.def.long, p.scopeOf(v), v)
		return true
	}
	return p.click(v)
}

// focusOn gives a field the focus and brings up the keyboard for it.
func (p *Phone) focusOn(v *view) {
	v.screen.focus, v.screen.keyboard, v.screen.all, v.screen.ime = v.key, v.editable, false, v.def.ime
	p.changed()
}

func not(value string) string {
	if value == "true" {
		return "false"
	}
	return "true"
}

// scopeOf is where the texts and actions of a node get their values from.
func (p *Phone) scopeOf(v *view) *scope {
	return &scope{phone: p, app: v.screen.app, screen: v.screen, row: v.row}
}

// focusedView is the node with the focus in the window that has it, or nil.
func (p *Phone) focusedView() *view {
	w := p.active()
	if w.screen.focus == "" {
		return nil
	}
	var found *view
	w.root.walk(func(v *view) bool {
		if v.key == w.screen.focus {
			found = v
		}
		return found == nil
	})
	return found
}

// field is the text field with the focus, or nil. One that is disabled takes
// no text.
func (p *Phone) field() *view {
	if v := p.focusedView(); v != nil && v.editable && v.enabled {
		return v
	}
	return nil
}

// Type types a text into the field that has the focus, as "input text" does: a
// line break in it is the ENTER key. Without a focused field it is lost, but
// for a space or a line break, which press the button that has the focus.
func (p *Phone) Type(text string) {
	p.lock()
	defer p.mu.Unlock()
	p.note(Event{Kind: "text", Detail: text})
	if p.asleep {
		return
	}
	p.insert(text)
}

func (p *Phone) insert(text string) {
	defer p.changed()
	for _, r := range text {
		p.changed()
		f := p.field()
		switch {
		case r == '\n':
			p.enterKey()
		case f != nil:
			p.put(f, string(r))
		case r == ' ':
			p.pressFocused()
		}
	}
}

// put adds to the text of a field; one that is full acts.
func (p *Phone) put(f *view, text string) {
	vars, d := f.screen.app.variables, f.def
	if f.screen.all {
		vars[d.bound], f.screen.all = "", false
	}
	if d.length > 0 && len([]rune(vars[d.bound]))+len([]rune(text)) > d.length {
		return
	}
	vars[d.bound] += text
	p.filled(f)
}

// filled does what a field does that has all its characters.
func (p *Phone) filled(f *view) {
	p.changed()
	if d := f.def; len(d.full) > 0 && len([]rune(f.screen.app.variables[d.bound])) >= d.length {
		p.do(d.full, p.scopeOf(f), f)
	}
}

// erase takes the last character of the focused field, or all that is selected.
func (p *Phone) erase() {
	f := p.field()
	if f == nil {
		return
	}
	vars, name := f.screen.app.variables, f.def.bound
	if text := []rune(vars[name]); f.screen.all {
		vars[name] = ""
	} else if len(text) > 0 {
		vars[name] = string(text[:len(text)-1])
	}
	f.screen.all = false
	p.changed()
}

// enterKey is the ENTER key: a line break in a field of several lines, the IME
// action of any other, a press of anything else that has the focus.
func (p *Phone) enterKey() {
	f := p.field()
	switch {
	case f == nil:
		p.pressFocused()
	case f.def.lines:
		p.put(f, "\n")
	default:
		p.imeAction(f)
	}
}

func (p *Phone) pressFocused() {
	if v := p.focusedView(); v != nil && !v.editable && v.clickable {
		p.click(v)
	}
}

// imeAction does what the keyboard's action key does in a field.
func (p *Phone) imeAction(f *view) {
	defer p.changed()
	switch {
	case f.def.enter != nil:
		p.do(f.def.enter, p.scopeOf(f), f)
	case f.def.ime == "next":
		p.nextField(f)
	case f.def.ime == "none":
	default:
		f.screen.keyboard = false
	}
}

// nextField moves the focus to the next text field, and hides the keyboard
// where there is none.
func (p *Phone) nextField(f *view) {
	passed := false
	var next *view
	p.active().root.walk(func(v *view) bool {
		if passed && v.editable && v.enabled && v.seen() {
			next = v
		}
		passed = passed || v.key == f.key
		return next == nil
	})
	if next == nil {
		f.screen.keyboard = false
		return
	}
	p.focusOn(next)
}

// editorActions are EditorInfo's IME actions.
var editorActions = map[int]string{1: "none", 2: "go", 3: "search", 4: "send", 5: "next", 6: "done"}

// EditorAction performs an IME action (EditorInfo.IME_ACTION_*) on the field
// that has the focus, as keyboards for automation do on a broadcast: 2 go, 3
// search, 4 send, 5 next, 6 done. A field whose own action is another one does
// not act; next moves on and done hides the keyboard whatever the field's is.
func (p *Phone) EditorAction(action int) {
	p.lock()
	defer p.mu.Unlock()
	p.noteThat("ime", "action %d", action)
	p.editorAction(action)
}

func (p *Phone) editorAction(action int) {
	f := p.field()
	if f == nil || p.asleep {
		return
	}
	defer p.changed()
	name := editorActions[action]
	switch {
	case name == "" || f.def.ime == name || f.def.ime == "" && name == "done":
		p.imeAction(f)
	case name == "next":
		p.nextField(f)
	case name == "done":
		f.screen.keyboard = false
	}
}

// setText replaces what a field holds, as far as it fits.
func (p *Phone) setText(f *view, text string) {
	if !f.def.lines {
		text = strings.ReplaceAll(text, "\n", " ")
	}
	if runes := []rune(text); f.def.length > 0 && len(runes) > f.def.length {
		text = string(runes[:f.def.length])
	}
	f.screen.app.variables[f.def.bound], f.screen.all = text, false
	p.filled(f)
}
