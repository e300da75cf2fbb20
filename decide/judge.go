package decide

import (
	"slices"

	"github.com/countersign/countersign/command"
	"github.com/countersign/countersign/risk"
	"github.com/countersign/countersign/screen"
)

// judge works out the category: every way of acting that the design lists.
func (j *judgement) judge() {
	j.category, j.topic, j.target.Node = risk.Unknown, risk.None, -1
	a := j.action
	if j.opensGuard() {
		return
	}
	if what := strayArgument(a); what != "" {
		j.unknownAction(CodeStrayArgument, what)
		return
	}
	switch a.Kind {
	case risk.Tap, risk.DoubleTap, risk.LongPress, risk.MotionEvent:
		j.press()
	case risk.Swipe:
		j.swipe(a)
	case risk.PressKey:
		j.key(a)
	case risk.IMEAction:
		j.onFocus()
	case risk.TypeText:
		j.typing(a)
	case risk.Scroll:
		j.scroll(a)
	case risk.Launch, risk.Back, risk.Home, risk.Wait, risk.Screenshot:
		j.nothing()
	case risk.OpenIntent:
		j.intent(a.Intent)
	case risk.OpenLink:
		j.effect(command.DeepLink(a.Intent), a.Intent)
	case risk.ShellLine:
		j.shell(a.Shell)
	case risk.ToolCall:
		j.unknownAction(CodeUnknownTool, a.Tool)
	default:
		j.unknownAction(CodeUnknownKind, string(a.Kind))
	}
}

// scroll judges a scroll. One that says where it begins and ends is sent as a
// swipe.
func (j *judgement) scroll(a *risk.Action) {
	if a.X2 == nil && a.Y2 == nil {
		j.nothing()
		return
	}
	j.swipe(a)
}

// strayArgument is the argument of another kind of action that an action
// carries: whoever acts on it may do that instead. A tap with a shell line is
// neither.
func strayArgument(a *risk.Action) string {
	for _, arg := range [...]struct {
		text string
		kind [2]risk.ActionKind
	}{
		{a.Shell, [2]risk.ActionKind{risk.ShellLine}}, {a.Intent, [2]risk.ActionKind{risk.OpenIntent, risk.OpenLink}},
		{a.Tool, [2]risk.ActionKind{risk.ToolCall}}, {a.Key, [2]risk.ActionKind{risk.PressKey}},
	} {
		if arg.text != "" && a.Kind != arg.kind[0] && a.Kind != arg.kind[1] {
			return arg.text
		}
	}
	return ""
}

// nothing judges what moves about without touching a control.
func (j *judgement) nothing() {
	j.look()
	j.rank()
	j.category = risk.None
}

// unknownAction is judged outside any app: no harmless app may wave it through.
func (j *judgement) unknownAction(code Code, what string) {
	j.category, j.code, j.object, j.offScreen = risk.Unknown, code, what, true
}

// locate resolves the target of the action. It reports false when there is
// nothing to judge and the category is settled as unknown.
func (j *judgement) locate(hit func() screen.Hit) bool {
	j.look()
	switch {
	case j.hasTree():
		code := j.aim(hit())
		if code == "" {
			j.compareClaim()
			break
		}
		if !j.placed && j.req.Target != nil {
			// The tree says nothing, the caller does: its word may raise what
			// cannot be seen, not replace it.
			j.claim(j.req.Target)
		}
		j.code = code
	case j.req.Target != nil:
		j.claim(j.req.Target)
	default:
		j.code = Code(screen.NoTree)
	}
	j.rank()
	return j.placed
}

// compareClaim notes where the tree and the caller's target disagree. What is
// claimed of a password field may be the password.
func (j *judgement) compareClaim() {
	c := j.req.Target
	if c == nil || !j.placed || c.Password || j.target.Flags.Has(screen.Password) {
		return
	}
	if c.Text != "" && c.Text != j.target.Text || c.ContentDesc != "" && c.ContentDesc != j.target.Description {
		j.noteRule(risk.None, risk.SignalText, c.Text, "target_differs")
	}
}

// press judges a touch.
func (j *judgement) press() {
	if j.locate(func() screen.Hit { return j.hit(j.action) }) {
		j.perform()
	}
	j.settle()
	if j.target.Node >= 0 {
		hits, n := j.others()
		for _, hit := range hits[:n] {
			j.weigh(hit)
		}
	}
}

// perform judges what the action does to the target.
func (j *judgement) perform() {
	switch j.action.Kind {
	case risk.PressKey:
		j.pressed()
	case risk.IMEAction:
		j.submitField()
	case risk.TypeText:
		j.typed(j.action.Text)
	default:
		j.control()
	}
}

// anew is a judgement of the same request from the beginning, on the same screen.
func (j *judgement) anew() judgement {
	return judgement{
		decider: j.decider, req: j.req, lex: j.lex, action: j.action, ui: j.ui,
		category: risk.Unknown, topic: risk.None, target: screen.Target{Node: -1},
	}
}

// weigh judges another control that the action may reach as well; the graver
// one counts.
func (j *judgement) weigh(hit screen.Hit) {
	other := j.anew()
	other.code = other.aim(hit)
	other.rank()
	if other.placed {
		other.perform()
	}
	other.settle()
	other.named = j.named
	if other.code != CodeNoLabel && other.graver(j) {
		*j = other // a control that says nothing adds nothing to one that does
	}
}

// settle applies what is unknown to what was found: a target that cannot be
// seen, or a tree that is not of the app in front, never counts as harmless, nor
// as less than what is unknown.
func (j *judgement) settle() {
	if j.code == "" && j.stale() {
		j.code = Code(screen.StaleTree)
	}
	if j.code == "" || !j.code.unseen() {
		return
	}
	if j.category == risk.None || j.category == risk.Other || !j.placed ||
		j.evaluate(risk.Unknown).Outcome < j.evaluate(j.category).Outcome {
		j.category = risk.Unknown
	}
}

// stale reports whether the app in front, as the caller names it, is nowhere in
// the tree. A system dialog over the app is not the app and not stale.
func (j *judgement) stale() bool {
	s := j.req.Screen
	if s == nil || j.ui == nil || s.Package == "" || !j.placed || j.target.Package == "" {
		return false
	}
	if j.target.Package == s.Package || systemOverlay(j.surface, j.target.WindowKind) {
		return false
	}
	for i := range j.ui.Windows {
		if j.ui.Windows[i].Package == s.Package {
			return false
		}
	}
	return true
}

// key judges a key event.
func (j *judgement) key(a *risk.Action) {
	k := command.Key(a.Key)
	if !k.Screen {
		j.look()
		j.rank()
		j.category, j.code, j.object, j.offScreen = k.Category, Code(k.Code), a.Key, true
		if a.DurationMS >= holdMS {
			j.category = k.Held
		}
		j.noteCommand(a.Key, k.Name)
		return
	}
	j.onFocus()
}

// pressed judges a key that goes to the target.
func (j *judgement) pressed() {
	switch name := command.Key(j.action.Key).Name; {
	case j.ownSurface():
	case j.target.Role != risk.TextField:
		j.control()
	case name == "ENTER" || name == "NUMPAD_ENTER" || name == "DPAD_CENTER":
		j.submitField()
	default:
		j.category = risk.None // a character in a field
	}
}

// holdMS is how long a key is down before Android takes it as held.
const holdMS = 500

// onFocus judges an act on the focused control. A place that the action names
// counts as well: some clients put the focus there first, others do not.
func (j *judgement) onFocus() {
	a := j.action
	named := a.Node != nil || a.Selector != nil || a.X != nil
	found := j.locate(func() screen.Hit {
		if named {
			return j.hit(a)
		}
		return j.ui.Focus()
	})
	if found {
		j.perform()
	}
	j.settle()
	if !named || !j.hasTree() {
		return
	}
	if hit := j.ui.Focus(); hit.Node >= 0 && hit.Node != j.target.Node {
		j.weigh(hit)
	}
}

// intent judges an intent in the notation of `am start` or as a URI.
func (j *judgement) intent(text string) {
	in, err := command.ParseIntent(text)
	if err != nil {
		j.unknownAction(CodeBadIntent, text)
		return
	}
	j.effect(in.Effect(), text)
}

// effect takes over what package command found out.
func (j *judgement) effect(e command.Effect, line string) {
	j.category, j.code, j.object, j.offScreen = e.Category, Code(e.Code), e.Object, true
	j.permanent = j.permanent || e.Category == risk.Delete
	if e.Package != "" {
		j.pkg = e.Package
	}
	if e.Category.Risky() && slices.Contains(j.decider.Self.Packages, e.Package) || j.decider.Self.addressed(e.Object) {
		j.category = risk.Bypass
	}
	match := line
	if e.End > e.Start {
		match = cutRunes(line, e.Start, e.End)
	}
	j.noteCommand(match, e.Term)
}

func (j *judgement) noteCommand(match, term string) {
	j.evidence[0] = risk.Evidence{
		Signal: risk.SignalCommand, Match: match, End: len([]rune(match)),
		Term: term, Layer: risk.LayerCommand, Category: j.category,
	}
	j.evidenceN = 1
}

// maxParts bounds how many parts of a line are judged, each on a screen that
// may be large.
const maxParts = 64

// shell judges every part of a line; the gravest part decides.
func (j *judgement) shell(line string) {
	effects := command.Shell(line)
	if len(effects) > maxParts {
		j.unknownAction(CodeTooManyParts, line)
		return
	}
	j.look()
	var worst *judgement
	for _, e := range effects {
		part := j.anew()
		switch {
		case e.Press == nil:
			part.effect(e, line)
		case e.Press.Display != j.display():
			// The tree is that of another display.
			part.unknownAction(Code(screen.NoTree), cutRunes(line, e.Start, e.End))
		default:
			part.action = pressAction(e.Press)
			part.judge()
		}
		if worst == nil || part.graver(worst) {
			worst = &part
		}
	}
	if worst == nil {
		j.unknownAction(CodeUnknownKind, line)
		return
	}
	if len(effects) > 1 {
		worst.action = j.action // an answer is to the whole line
	}
	*j = *worst
}

// pressAction turns a press that a shell line contains into an action.
func pressAction(p *command.Press) *risk.Action {
	a := &risk.Action{Kind: risk.Tap, DurationMS: int(p.Duration.Milliseconds())}
	switch p.Kind {
	case command.PressKey:
		if p.Long {
			a.DurationMS = max(a.DurationMS, holdMS)
		}
		a.Kind, a.Key = risk.PressKey, p.Key
		return a
	case command.PressType:
		a.Kind, a.Text = risk.TypeText, p.Text
		return a
	case command.PressSwipe, command.PressDrag:
		a.Kind, a.X2, a.Y2 = risk.Swipe, &p.X2, &p.Y2
	case command.PressMove:
		a.Kind = risk.Scroll
	case command.PressDown, command.PressUp:
		a.Kind = risk.MotionEvent
	}
	a.X, a.Y = &p.X, &p.Y
	return a
}

// cutRunes is the part of s from rune start to rune end; a span that does not
// fit gives the whole.
func cutRunes(s string, start, end int) string {
	from, n := -1, 0
	for i := range s {
		if n == start {
			from = i
		}
		if n == end && from >= 0 {
			return s[from:i]
		}
		n++
	}
	if from >= 0 && end == n {
		return s[from:]
	}
	return s
}
